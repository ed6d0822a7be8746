#pragma once

#include "flexura/element/full_plate_point.hpp"
#include "flexura/element/symmetric_tensor.hpp"

namespace flexura {

/// What is read inside full plates: names and meaning of the thin plate's probes (ancf_thin_plate.hpp), from the solid's stress at
/// the bottom face, the middle and the top face, of which N and M are the integrals by Simpson's rule:
///     N = t/6 (S₋ + 4 S₀ + S₊),   M = t²/12 (S₊ − S₋)   of the second Piola–Kirchhoff stress
/// in axes along the reference's r_x and across it in the face. von Mises: of Cauchy's stress. Strains: Green's, K their rate along
/// the thickness. Behind them what is read inside a solid (solid.hpp), at bottom, middle and top: Cauchy's stress in space, second
/// Piola–Kirchhoff stress and Green's strain in the axes of space of the reference, principal stretches, J, −tr(σ)/3.
struct FullPlateProbes {
  static constexpr std::string_view names[] = {"N11",
                                               "N22",
                                               "N12",
                                               "M11",
                                               "M22",
                                               "M12",
                                               "top_11",
                                               "top_22",
                                               "top_12",
                                               "bottom_11",
                                               "bottom_22",
                                               "bottom_12",
                                               "top_von_mises",
                                               "bottom_von_mises",
                                               "E11",
                                               "E22",
                                               "E12",
                                               "K11",
                                               "K22",
                                               "K12",
                                               "thickness",
                                               "bottom_cauchy_11",
                                               "bottom_cauchy_22",
                                               "bottom_cauchy_33",
                                               "bottom_cauchy_23",
                                               "bottom_cauchy_13",
                                               "bottom_cauchy_12",
                                               "bottom_piola_11",
                                               "bottom_piola_22",
                                               "bottom_piola_33",
                                               "bottom_piola_23",
                                               "bottom_piola_13",
                                               "bottom_piola_12",
                                               "bottom_green_11",
                                               "bottom_green_22",
                                               "bottom_green_33",
                                               "bottom_green_23",
                                               "bottom_green_13",
                                               "bottom_green_12",
                                               "bottom_stretch_1",
                                               "bottom_stretch_2",
                                               "bottom_stretch_3",
                                               "bottom_volume_change",
                                               "bottom_pressure",
                                               "middle_cauchy_11",
                                               "middle_cauchy_22",
                                               "middle_cauchy_33",
                                               "middle_cauchy_23",
                                               "middle_cauchy_13",
                                               "middle_cauchy_12",
                                               "middle_piola_11",
                                               "middle_piola_22",
                                               "middle_piola_33",
                                               "middle_piola_23",
                                               "middle_piola_13",
                                               "middle_piola_12",
                                               "middle_green_11",
                                               "middle_green_22",
                                               "middle_green_33",
                                               "middle_green_23",
                                               "middle_green_13",
                                               "middle_green_12",
                                               "middle_stretch_1",
                                               "middle_stretch_2",
                                               "middle_stretch_3",
                                               "middle_volume_change",
                                               "middle_pressure",
                                               "top_cauchy_11",
                                               "top_cauchy_22",
                                               "top_cauchy_33",
                                               "top_cauchy_23",
                                               "top_cauchy_13",
                                               "top_cauchy_12",
                                               "top_piola_11",
                                               "top_piola_22",
                                               "top_piola_33",
                                               "top_piola_23",
                                               "top_piola_13",
                                               "top_piola_12",
                                               "top_green_11",
                                               "top_green_22",
                                               "top_green_33",
                                               "top_green_23",
                                               "top_green_13",
                                               "top_green_12",
                                               "top_stretch_1",
                                               "top_stretch_2",
                                               "top_stretch_3",
                                               "top_volume_change",
                                               "top_pressure"};
  static constexpr int force = 0, moment = 3, top = 6, bottom = 9, von_mises = 12, strain = 14, curvature = 17,
                       thickness = 20, inside = 21;
  /// Of a level, from `inside` + level · `many` on.
  static constexpr int cauchy = 0, piola = 6, green = 12, stretch = 18, volume = 21, pressure = 22, many = 23;
};

/// At a level: S in the wall's axes E_i = a_iα G_α of the reference, which f_i = a_iα g_α have become.
///     σ = f_i S_ij f_jᵀ/J,   S = E_i S_ij E_jᵀ
template <class T>
void probe_inside_plate(const Vec<3, T> (&E)[3], const Vec<3, T> (&f)[3], const T (&S)[6], const T (&C)[6], const T& J,
                        T* out) {
  using P = FullPlateProbes;
  T sigma[6];
  for (int p = 0; p < 6; ++p) {
    const int a = voigt_first[p], b = voigt_second[p];
    T push(0.0), stress(0.0), strain(0.0);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int ij = voigt[i][j];
        push = fma(f[i][a] * f[j][b], S[ij], push);
        stress = fma(E[i][a] * E[j][b], S[ij], stress);
        strain = fma(E[i][a] * E[j][b], i == j ? C[ij] - T(1.0) : C[ij], strain);
      }
    sigma[p] = push / J;
    out[P::cauchy + p] = sigma[p];
    out[P::piola + p] = stress;
    out[P::green + p] = T(0.5) * strain;
  }
  T square[3];
  principal_values(C, square);
  for (int i = 0; i < 3; ++i) out[P::stretch + i] = sqrt(square[i]);
  out[P::volume] = J;
  out[P::pressure] = T(-1.0 / 3) * (sigma[0] + sigma[1] + sigma[2]);
}

/// E_i = a_iα G_α, of a lower a.
template <class T>
void plate_axes(const PlateMetric<T>& metric, const Vec<3, T> (&g)[3], Vec<3, T> (&axes)[3]) {
  for (int i = 0; i < 3; ++i) {
    axes[i] = metric.a[voigt[i][0]] * g[0];
    for (int k = 1; k <= i; ++k) axes[i] += metric.a[voigt[i][k]] * g[k];
  }
}

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
    Vec<3, T> axes[3], carried[3];
    plate_axes(metric, G, axes);
    grow(metric, zeta);
    plate_axes(metric, g, carried);
    T C[6], c[6], s[6];
    for (int p = 0; p < 6; ++p) C[p] = dot(g[voigt_first[p]], g[voigt_second[p]]);
    to_cartesian(metric.a, C, c);
    law.law.stress(level, c, s);
    const PlateMetric<T> unit = PlateMetric<T>::unit();
    const PlateVolume<T> theta(law.law.choice.law, unit, c);
    theta.add_stress(pressure(level, theta.value), s);
    const T J = VolumeChange<T>(c).J;
    for (int i = 0; i < 3; ++i) {
      S[level][i] = s[plane[i]];
      E[level][i] = T(0.5) * (c[plane[i]] - T(i < 2 ? 1.0 : 0.0));
      if (level != 1) out[(level == 2 ? P::top : P::bottom) + i] = S[level][i];
    }
    T* const inside = out + P::inside + level * P::many;
    probe_inside_plate(axes, carried, s, c, J, inside);
    T sigma[6];
    for (int p = 0; p < 6; ++p) sigma[p] = inside[P::cauchy + p];
    if (level != 1) out[P::von_mises + (level == 2 ? 0 : 1)] = von_mises_of(sigma);
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
