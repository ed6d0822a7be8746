#pragma once
// Strains of the full beam as quadratic forms, and the points of its sections.
//
// Of u = (Δ, g₀, g₁, y₀, y₁, z₀, z₁), Δ = (r₁ − r₀)/l, g = r_x, y = r_y, z = r_z of the nodes,
//     m = φ·(Δ, g₀, g₁) (cubic_line.hpp),  n_y = (1 − ξ) y₀ + ξ y₁,  d_y = y₁ − y₀ = l n_y′,  n_z and d_z alike,
// a section's metric is linear in fifteen numbers e_p = ½ uᵀ A_p u:
//
//     e = (m·m, m·d_y, m·d_z, d_y·d_y, d_y·d_z, d_z·d_z, m·n_y, m·n_z, n_y·n_y, n_y·n_z, n_z·n_z, d_y·n_y,
//          ½ (d_z·n_y + d_y·n_z), ½ (d_y·n_z − d_z·n_y), d_z·n_z)
//     C_xx = e₀ + 2 y e₁ + 2 z e₂ + y² e₃ + 2 y z e₄ + z² e₅ − (ν₁ y² e₁² + (ν₁ + ν₂) y z e₁ e₂ + ν₂ z² e₂²)/e₀      (y, z over l)
//     C_xy = k₁ e₆ + y e₁₁ + z (e₁₂ − a₁ e₁₃)      C_yy = e₈,  C_yz = e₉,  C_zz = e₁₀
//     C_xz = k₂ e₇ + z e₁₄ + y (e₁₂ + a₂ e₁₃)
//
// ν₁, ν₂ (0 in plain strains): where bending stretches the section by κ y it gets thinner, so that its points lie by −κ ν₁ y²/2 nearer
// to the axis. Wide strips (ν₁ = 1) have C_xx linear in y, as Rivlin's block has [rivlin1949]. That the section curves across
// the bending, κ ν₂ z²/2, is left out: wide strips do not.
//
// enhanced: e₁ and e₂ of any station are those of m in the middle; before C is made of them, e₁ … e₅, e₁₃ and in the middle e₆, e₇ are
// multiplied by powers of what the rotation between the end sections takes from them (full_beam_rotation.hpp).
//
// tied: Between the nodes n_y and n_z are shorter than at them where the section turns, by the square of the angle. What is quadratic in
// the section's vectors alone is then that of the nodes, linear in ξ, and its slope theirs: e₈ = (1 − ξ) y₀·y₀ + ξ y₁·y₁,
// e₁₁ = ½ (y₁·y₁ − y₀·y₀), and so on.

#include "flexura/element/ancf_beam_24.hpp"
#include "flexura/element/cubic_line.hpp"
#include "flexura/element/full_plate_point.hpp"

namespace flexura {

inline constexpr int beam_strains = 15, beam_vectors = 7;
/// The strains, then e₁²/e₀, e₁ e₂/e₀ and e₂²/e₀.
inline constexpr int beam_parts = 18;
inline constexpr int beam_ratio[3][2] = {{1, 1}, {1, 2}, {2, 2}};

/// Vectors that e_p is of lie in [first, end).
inline constexpr int beam_row_first[beam_strains] = {0, 0, 0, 3, 3, 5, 0, 0, 3, 3, 5, 3, 3, 3, 5};
inline constexpr int beam_row_end[beam_strains] = {3, 5, 7, 5, 7, 7, 5, 7, 5, 7, 7, 5, 7, 7, 7};

/// A_p of a station by its entries: a at (i, j), i ≤ j, and at (j, i).
struct BeamForms {
  struct Entry {
    int p = 0, i = 0, j = 0;
    double a = 0;
  };
  Entry entry[80];
  int count = 0;

  /// p += w a·b
  constexpr void add(int p, double w, const double (&a)[beam_vectors], const double (&b)[beam_vectors]) {
    for (int i = 0; i < beam_vectors; ++i)
      for (int j = i; j < beam_vectors; ++j)
        if (const double x = w * (a[i] * b[j] + a[j] * b[i]); x != 0) put(p, i, j, x);
  }
  constexpr void put(int p, int i, int j, double x) {
    for (int k = 0; k < count; ++k)
      if (entry[k].p == p && entry[k].i == i && entry[k].j == j) {
        entry[k].a += x;
        return;
      }
    entry[count++] = {p, i, j, x};
  }
};
constexpr BeamForms beam_forms(double x, bool tied) {
  const CubicShape s = cubic_shape(x);
  const double m[] = {s.f[0], s.f[1], s.f[2], 0, 0, 0, 0};
  const double ny[] = {0, 0, 0, 1 - x, x, 0, 0}, dy[] = {0, 0, 0, -1, 1, 0, 0};
  const double nz[] = {0, 0, 0, 0, 0, 1 - x, x}, dz[] = {0, 0, 0, 0, 0, -1, 1};
  const double y0[] = {0, 0, 0, 1, 0, 0, 0}, y1[] = {0, 0, 0, 0, 1, 0, 0};
  const double z0[] = {0, 0, 0, 0, 0, 1, 0}, z1[] = {0, 0, 0, 0, 0, 0, 1};
  BeamForms out;
  const CubicShape middle = cubic_shape(tied ? 0.5 : x);
  const double bent[] = {middle.f[0], middle.f[1], middle.f[2], 0, 0, 0, 0};
  out.add(0, 1, m, m);
  out.add(1, 1, bent, dy);
  out.add(2, 1, bent, dz);
  out.add(3, 1, dy, dy);
  out.add(4, 1, dy, dz);
  out.add(5, 1, dz, dz);
  out.add(6, 1, m, ny);
  out.add(7, 1, m, nz);
  out.add(13, 0.5, dy, nz);
  out.add(13, -0.5, dz, ny);
  if (!tied) {
    out.add(8, 1, ny, ny);
    out.add(9, 1, ny, nz);
    out.add(10, 1, nz, nz);
    out.add(11, 1, dy, ny);
    out.add(12, 0.5, dz, ny);
    out.add(12, 0.5, dy, nz);
    out.add(14, 1, dz, nz);
    return out;
  }
  const auto nodes = [&out, x](int p, int slope, double w, const double(&a0)[7], const double(&b0)[7],
                               const double(&a1)[7], const double(&b1)[7]) {
    if (x < 1) out.add(p, 1 - x, a0, b0);
    if (x > 0) out.add(p, x, a1, b1);
    out.add(slope, -w, a0, b0);
    out.add(slope, w, a1, b1);
  };
  nodes(8, 11, 0.5, y0, y0, y1, y1);
  nodes(9, 12, 0.5, y0, z0, y1, z1);
  nodes(10, 14, 0.5, z0, z0, z1, z1);
  return out;
}

/// Where along the axis strains are taken. enhanced: Lobatto's points, of which elements share those at the nodes: of the coordinates
/// of a node two thirds are left to bend and twist; Gauss's points take all of them.
struct BeamStations {
  int count;
  double x[4], w[4];
  BeamForms forms[4];
};
constexpr BeamStations beam_stations(bool enhanced) {
  BeamStations out{enhanced ? 3 : 4, {}, {}, {}};
  for (int s = 0; s < out.count; ++s) {
    out.x[s] = enhanced ? Lobatto3::x[s] : Gauss<4>::x[s];
    out.w[s] = enhanced ? Lobatto3::w[s] : Gauss<4>::w[s];
    out.forms[s] = beam_forms(out.x[s], enhanced);
  }
  return out;
}
inline constexpr BeamStations enhanced_stations = beam_stations(true), plain_stations = beam_stations(false);
inline const BeamStations& stations_of(const AncfBeam24::Options& o) {
  return o.strains == AncfBeam24::Strains::enhanced ? enhanced_stations : plain_stations;
}

inline constexpr int most_section_points = 12;
constexpr int section_points(AncfBeam24::Section section, AncfBeam24::Points points) {
  return points == AncfBeam24::Points::coarse ? 4 : section == AncfBeam24::Section::rectangle ? 9 : 12;
}
/// A rule of twelve points on the unit disc without a hole, exact to degree 7: four on the axes, four on the diagonals twice (Stroud's S2 7-1
/// where there is no hole). What it has beyond has degree 8, so a round section bends alike in all directions up to the sixth power of its
/// strain. ρ = r² is even on [hole², 1]; with ρ = m + δ ζ the points of the axes follow from the means of ρ² and ρ³ alone.
template <class T>
struct DiscRule {
  T radius[3], share[3];

  explicit DiscRule(const T& hole) {
    const T delta = T(1.0) - hole * hole, m = T(1.0) - T(0.5) * delta, d2 = delta * delta;
    const T m4 = fma(T(1.0 / 12), d2, m * m), m6 = m * fma(T(0.25), d2, m * m);
    const T A = T(0.125) * m4 * m4 * m4 / (m6 * m6), at = T(1.0 / 6) * m * delta / m4;
    const T n0 = T(0.25) - A, n1 = -(A * at), n2 = T(1.0 / 48) - A * at * at, n3 = n1 * at * at;
    const T sum = (n0 * n3 - n1 * n2) / (n0 * n2 - n1 * n1), rest = (n2 - sum * n1) / n0;
    const T half = T(0.5) * sum, root = sqrt(fma(half, half, rest));
    const T inner = half - root, outer = half + root;
    share[0] = A, share[1] = (outer * n0 - n1) / (T(2.0) * root), share[2] = n0 - share[1];
    radius[0] = sqrt(fma(delta, at, m));
    radius[1] = sqrt(fma(delta, inner, m)), radius[2] = sqrt(fma(delta, outer, m));
  }
};
/// A point of a section over half its extents, and its share of the area. Rectangles: Gauss's points. Ellipses: those of a disc, or four on
/// one circle.
template <class T>
void section_point(AncfBeam24::Section section, AncfBeam24::Points points, const T& hole, int k, T& y, T& z, T& share) {
  const bool fine = points == AncfBeam24::Points::fine;
  if (section == AncfBeam24::Section::rectangle) {
    const int n = fine ? 3 : 2;
    const auto x = [fine](int i) { return 2 * (fine ? Gauss<3>::x[i] : Gauss<2>::x[i]) - 1; };
    const auto w = [fine](int i) { return fine ? Gauss<3>::w[i] : Gauss<2>::w[i]; };
    y = T(x(k % n)), z = T(x(k / n)), share = T(w(k % n) * w(k / n));
    return;
  }
  const T axis_y(double(k % 4 == 0) - double(k % 4 == 2)), axis_z(double(k % 4 == 1) - double(k % 4 == 3));
  if (!fine) {
    const T radius = sqrt(T(0.5) * (T(1.0) + hole * hole));
    y = radius * axis_y, z = radius * axis_z, share = T(0.25);
    return;
  }
  const DiscRule<T> rule(hole);
  const int ring = k / 4;
  y = rule.radius[ring] * axis_y, z = rule.radius[ring] * axis_z, share = rule.share[ring];
  if (ring == 0) return;
  constexpr double diagonal = 0.70710678118654752440;
  const T across = T(diagonal) * rule.radius[ring];
  y = k % 4 < 2 ? across : -across, z = k % 2 == 0 ? across : -across;
}

/// The vectors u of an element's coordinates.
template <class T>
struct BeamVectors {
  Vec<3, T> u[beam_vectors];

  BeamVectors(const T* x, const T& inv_l) {
    const auto at = [x](int f) { return Vec<3, T>::load(x + 3 * f); };
    u[0] = inv_l * (at(4) - at(0));
    u[1] = at(1), u[2] = at(5), u[3] = at(2), u[4] = at(6), u[5] = at(3), u[6] = at(7);
  }
  void strains(const BeamForms& forms, T (&e)[beam_parts]) const {
    for (T& value : e) value = T(0.0);
    for (int k = 0; k < forms.count; ++k) {
      const BeamForms::Entry& a = forms.entry[k];
      e[a.p] = fma(T(a.i == a.j ? 0.5 * a.a : a.a), dot(u[a.i], u[a.j]), e[a.p]);
    }
    add_ratios(e);
  }
  static void add_ratios(T (&e)[beam_parts]) {
    const T inverse = T(1.0) / e[0];
    for (int a = 0; a < 3; ++a) e[beam_strains + a] = e[beam_ratio[a][0]] * e[beam_ratio[a][1]] * inverse;
  }
  /// B_p = A_p u
  void rows(const BeamForms& forms, T (&b)[beam_strains][3 * beam_vectors]) const {
    for (auto& row : b)
      for (T& value : row) value = T(0.0);
    for (int k = 0; k < forms.count; ++k) {
      const BeamForms::Entry& a = forms.entry[k];
      for (int i = 0; i < 3; ++i) {
        b[a.p][3 * a.i + i] = fma(T(a.a), u[a.j][i], b[a.p][3 * a.i + i]);
        if (a.i != a.j) b[a.p][3 * a.j + i] = fma(T(a.a), u[a.i][i], b[a.p][3 * a.j + i]);
      }
    }
  }
};
/// Functions of the element that vector i of u is made of: one, or of Δ two with ∓1/l.
inline constexpr int beam_function[beam_vectors] = {4, 1, 5, 2, 6, 3, 7};

/// C at a point as a linear function of e: the parts of each component.
template <class T>
struct SectionMap {
  static constexpr int many[6] = {9, 1, 1, 1, 4, 4};
  static constexpr int part[6][9] = {{0, 1, 2, 3, 4, 5, 15, 16, 17}, {8}, {10}, {9}, {7, 14, 12, 13}, {6, 11, 12, 13}};
  T c[6][9];

  SectionMap() = default;
  /// y, z over l; shear: k₁, k₂; twist: a₁, a₂; contraction: ν₁, ν₂.
  SectionMap(const T& y, const T& z, const T (&shear)[2], const T (&twist)[2], const T (&contraction)[2]) {
    for (auto& row : c)
      for (T& x : row) x = T(0.0);
    const T twice = T(2.0) * y;
    const T xx[9] = {T(1.0),
                     twice,
                     T(2.0) * z,
                     y * y,
                     twice * z,
                     z * z,
                     -(contraction[0] * y * y),
                     -((contraction[0] + contraction[1]) * y * z),
                     -(contraction[1] * z * z)};
    for (int k = 0; k < 9; ++k) c[0][k] = xx[k];
    c[1][0] = c[2][0] = c[3][0] = T(1.0);
    c[4][0] = shear[1], c[4][1] = z, c[4][2] = y, c[4][3] = twist[1] * y;
    c[5][0] = shear[0], c[5][1] = y, c[5][2] = z, c[5][3] = -(twist[0] * z);
  }
  void metric(const T (&e)[beam_parts], T (&C)[6]) const {
    for (int p = 0; p < 6; ++p) {
      C[p] = c[p][0] * e[part[p][0]];
      for (int k = 1; k < many[p]; ++k) C[p] = fma(c[p][k], e[part[p][k]], C[p]);
    }
  }
  /// ∂ε_p/∂e: of C/2, of shears of C.
  T slope(int p, int k) const { return T(p < 3 ? 0.5 : 1.0) * c[p][k]; }
  /// N += Σ S_p ∂ε_p/∂e
  void add_force(const T (&S)[6], T (&N)[beam_parts]) const {
    for (int p = 0; p < 6; ++p)
      for (int k = 0; k < many[p]; ++k) N[part[p][k]] = fma(slope(p, k), S[p], N[part[p][k]]);
  }
  /// Σ H_pq ∂ε_p/∂e ⊗ ∂ε_q/∂e over the parts of all components, one after the other: the lower triangle of 20 × 20.
  static constexpr int first[6] = {0, 9, 10, 11, 12, 16}, all = 20;
  using Stiffness = T[all * (all + 1) / 2];
  void add_stiffness(const T (&H)[21], Stiffness& sum) const {
    for_each_index<6>([&](auto p) __attribute__((always_inline)) {
      for (int k = 0; k < many[p]; ++k) {
        const T own = slope(p, k);
        T* const row = sum + triangle(first[p] + k, 0);
        for_each_index<6>([&](auto q) __attribute__((always_inline)) {
          if constexpr (q <= p) {
            const T h = own * H[triangle(p, q)];
            for (int l = 0; l < (q < p ? many[q] : k + 1); ++l)
              row[first[q] + l] = fma(h, slope(q, l), row[first[q] + l]);
          }
        });
      }
    });
  }
  /// M += what it is.
  static void spread(const Stiffness& sum, T (&M)[beam_parts][beam_parts]) {
    for (int p = 0; p < 6; ++p)
      for (int k = 0; k < many[p]; ++k)
        for (int q = 0; q <= p; ++q)
          for (int l = 0; l < (q < p ? many[q] : k + 1); ++l) {
            const T& x = sum[triangle(first[p] + k, first[q] + l)];
            M[part[p][k]][part[q][l]] += x;
            if (p != q || k != l) M[part[q][l]][part[p][k]] += x;
          }
  }
};

/// N over the strains from N over the parts.
template <class T>
void pull_back(const T (&e)[beam_parts], T (&N)[beam_parts]) {
  const T inverse = T(1.0) / e[0];
  for (int a = 0; a < 3; ++a) {
    const auto& [i, j] = beam_ratio[a];
    const T n = N[beam_strains + a], u = inverse * e[i], v = inverse * e[j];
    N[0] = fma(-(u * v), n, N[0]);
    N[i] = fma(v, n, N[i]);
    N[j] = fma(u, n, N[j]);
  }
}
/// The same of N and M, M first.
template <class T>
void pull_back(const T (&e)[beam_parts], T (&N)[beam_parts], T (&M)[beam_parts][beam_parts]) {
  const T inverse = T(1.0) / e[0];
  for (int a = 0; a < 3; ++a) {
    const auto& [i, j] = beam_ratio[a];
    const T u = inverse * e[i], v = inverse * e[j];
    const auto into = [&](const T& part, T& m0, T& mi, T& mj) {
      m0 = fma(-(u * v), part, m0);
      mi = fma(v, part, mi);
      mj = fma(u, part, mj);
    };
    T* const own = M[beam_strains + a];
    for (T(&row)[beam_parts] : M) into(row[beam_strains + a], row[0], row[i], row[j]);
    for (int p = 0; p < beam_parts; ++p) into(own[p], M[0][p], M[i][p], M[j][p]);
    const T n = inverse * N[beam_strains + a];
    M[0][0] = fma(T(2.0) * u * v, n, M[0][0]);
    const auto both = [&](int p, int q, const T& x) { M[p][q] += x, M[q][p] += x; };
    both(0, i, -(v * n));
    both(0, j, -(u * n));
    both(i, j, n);
  }
  pull_back(e, N);
}

}  // namespace flexura
