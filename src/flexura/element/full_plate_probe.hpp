#pragma once

#include "flexura/element/full_plate_point.hpp"

namespace flexura {

/// What is read inside full plates: names and meaning of the thin plate's probes (ancf_thin_plate.hpp), from the solid's stress at
/// the bottom face, the middle and the top face, of which N and M are the integrals by Simpson's rule:
///     N = t/6 (S₋ + 4 S₀ + S₊),   M = t²/12 (S₊ − S₋)   of the second Piola–Kirchhoff stress
/// in axes along the reference's r_x and across it in the face. von Mises: of Cauchy's stress. Strains: Green's, K their rate along
/// the thickness. Behind them the change of volume at bottom, middle and top.
struct FullPlateProbes {
  static constexpr std::string_view names[] = {
      "N11",      "N22",      "N12",       "M11",       "M22",       "M12",           "top_11",
      "top_22",   "top_12",   "bottom_11", "bottom_22", "bottom_12", "top_von_mises", "bottom_von_mises",
      "E11",      "E22",      "E12",       "K11",       "K22",       "K12",           "thickness",
      "bottom_J", "middle_J", "top_J"};
  static constexpr int force = 0, moment = 3, top = 6, bottom = 9, von_mises = 12, strain = 14, curvature = 17,
                       thickness = 20, volume = 21;
};

/// law: point `level`. pressure(level): k θ at bottom, middle, top, given θ there. grow(metric, ζ): what has become of the reference.
template <int vectors, class T, class Law>
void probe_full_plate(const PlateLaw<T, Law>& law, const PlateFrame<vectors, T>& reference,
                      const PlateFrame<vectors, T>& now, auto&& pressure, auto&& grow, T* out) {
  using P = FullPlateProbes;
  constexpr int plane[3] = {0, 1, 5};  // 11, 22, 12
  T S[3][3], E[3][3];
  const T t = norm(reference.h[2]);
  for (int level = 0; level < 3; ++level) {
    const double zeta = 0.5 * (level - 1);
    Vec<3, T> G[3], g[3];
    reference.at(zeta, G);
    now.at(zeta, g);
    PlateMetric<T> metric(G, 1);
    grow(metric, zeta);
    T C[6], c[6], s[6];
    for (int p = 0; p < 6; ++p) C[p] = dot(g[voigt_first[p]], g[voigt_second[p]]);
    to_cartesian(metric.a, C, c);
    law.law.stress(level, c, s);
    const PlateMetric<T> unit = PlateMetric<T>::unit();
    const PlateVolume<T> theta(law.law.choice.law, unit, c);
    theta.add_stress(pressure(level, theta.value), s);
    const T J = VolumeChange<T>(c).J;
    T mixed[3][3], trace(0.0), square(0.0);  // S C
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        mixed[i][j] =
            fma(s[voigt[i][0]], c[voigt[0][j]], fma(s[voigt[i][1]], c[voigt[1][j]], s[voigt[i][2]] * c[voigt[2][j]]));
    for (int i = 0; i < 3; ++i) {
      trace += mixed[i][i];
      for (int j = 0; j < 3; ++j) square = fma(mixed[i][j], mixed[j][i], square);
    }
    const T mises = sqrt(max(T(1.5) * (square - trace * trace / T(3.0)), T(0.0))) / J;
    for (int i = 0; i < 3; ++i) {
      S[level][i] = s[plane[i]];
      E[level][i] = T(0.5) * (c[plane[i]] - T(i < 2 ? 1.0 : 0.0));
      if (level != 1) out[(level == 2 ? P::top : P::bottom) + i] = S[level][i];
    }
    if (level != 1) out[P::von_mises + (level == 2 ? 0 : 1)] = mises;
    out[P::volume + level] = J;
  }
  for (int i = 0; i < 3; ++i) {
    out[P::force + i] = t / T(6.0) * (S[0][i] + T(4.0) * S[1][i] + S[2][i]);
    out[P::moment + i] = t * t / T(12.0) * (S[2][i] - S[0][i]);
    out[P::strain + i] = E[1][i];
    out[P::curvature + i] = (E[2][i] - E[0][i]) / t;
  }
  out[P::thickness] = t;
}

}  // namespace flexura
