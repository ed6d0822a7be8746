#pragma once

#include "flexura/element/full_plate_point.hpp"

namespace flexura {

/// Assumed strains of a full plate on the mid-surface: transverse shear from the edges, stretch of the thickness from the nodes.
///
///       3 o──x─·─x──o 2        γ̃_ξ(ξ, η) = (1 − η) γ_e0(ξ) + η γ_e1(ξ),  e0, e1: the edges along ξ;  γ̃_η likewise
///         x         x          λ̃ = Σ L_i n_i·n_i
///         ·         ·
///         x         x          γ_e(ξ) = line through γ = m_ξ·n at the two Gauss points x,
///       0 o──x─·─x──o 1                 + β (1 − 12 (ξ − ½)²) (γ at the middle · − mean of x)
///
/// Why: n is linear along an edge and m cubic, so m_ξ·n asks for n quadratic but at two points; in distorted elements m is not
/// the quadratic of pure bending but on its edges; a linear n that turns is shorter in the middle of a curved element. What is
/// dropped there would otherwise hold thin plates stiff. The two points alone see no m that turns against n at both ends and
/// back between: β keeps that, β² = t²/(t² + h²), of the order of bending. In the limit of thick plates all of γ_e remains.
template <class T>
struct PlateTies {
  static constexpr int functions = 5, count = 20, dofs = 60;
  static constexpr int nodes[2][2][2] = {{{0, 1}, {3, 2}}, {{0, 3}, {1, 2}}};  ///< [direction][edge][end]
  static constexpr double along[3] = {Gauss<2>::x[0], Gauss<2>::x[1], 0.5};
  /// N, N' of value and slope at one end and L; [sample][end].
  struct Line {
    double d[3][2][2], L[3][2];
  };
  static constexpr Line line = [] {
    Line out{};
    for (int k = 0; k < 3; ++k) {
      const double x = along[k];
      out.d[k][0][0] = 6 * x * (x - 1), out.d[k][1][0] = 6 * x * (1 - x);
      out.d[k][0][1] = (1 - x) * (1 - 3 * x), out.d[k][1][1] = x * (3 * x - 2);
      out.L[k][0] = 1 - x, out.L[k][1] = x;
    }
    return out;
  }();

  struct Sample {
    Vec<3, T> slope, n;
  };
  Sample sample[2][2][3];  ///< [direction][edge][point]
  Vec<3, T> n[4];
  T bubble[2];

  PlateTies() = default;
  PlateTies(const T* e, const T (&beta)[2]) : bubble{beta[0], beta[1]} {
    for (int a = 0; a < 4; ++a) n[a] = Vec<3, T>::load(e + 3 * (functions * a + 3));
    for (int d = 0; d < 2; ++d)
      for (int edge = 0; edge < 2; ++edge)
        for (int k = 0; k < 3; ++k) {
          Sample& out = sample[d][edge][k];
          out.slope = out.n = {T(0.0), T(0.0), T(0.0)};
          for (int end = 0; end < 2; ++end) {
            const int node = nodes[d][edge][end];
            const T* r = e + 3 * functions * node;
            const T* slope = r + 3 * (1 + d);
            for (int i = 0; i < 3; ++i) {
              out.slope[i] = fma(T(line.d[k][end][0]), r[i], fma(T(line.d[k][end][1]), slope[i], out.slope[i]));
              out.n[i] = fma(T(line.L[k][end]), n[node][i], out.n[i]);
            }
          }
        }
  }
  /// β along ξ and η, from the thickness and the lengths between nodes.
  static void prepare_bubble(const T* e, T (&beta)[2]) {
    const auto at = [e](int node, int k) { return Vec<3, T>::load(e + 3 * (functions * node + k)); };
    T thickness(0.0);
    for (int a = 0; a < 4; ++a) thickness += T(0.25) * dot(at(a, 3), at(a, 3));
    for (int d = 0; d < 2; ++d) {
      T length(0.0);
      for (int edge = 0; edge < 2; ++edge) {
        const Vec<3, T> between = at(nodes[d][edge][1], 0) - at(nodes[d][edge][0], 0);
        length += T(0.5) * dot(between, between);
      }
      beta[d] = sqrt(thickness / (thickness + length));
    }
  }

  /// Factors of the three samples of both edges of a direction at a place.
  void factors(int d, int place, T (&c)[2][3]) const {
    const double x = PlateShape::Line::x[place % 3], y = PlateShape::Line::x[place / 3];
    const double at = d == 0 ? x : y, across = d == 0 ? y : x;
    const double second = (at - along[0]) / (along[1] - along[0]);
    const T round = bubble[d] * T(1 - 12 * (at - 0.5) * (at - 0.5));
    for (int edge = 0; edge < 2; ++edge) {
      const T share(edge == 0 ? 1 - across : across);
      c[edge][0] = share * (T(1 - second) - T(0.5) * round);
      c[edge][1] = share * (T(second) - T(0.5) * round);
      c[edge][2] = share * round;
    }
  }
  /// out[c][at]: ties less local value of C_ζζ, C_ηζ, C_ξζ.
  template <int many>
  void shift(int place, const PlateFrame<2, T>& frame, T (&out)[3][many], int at) const {
    const PlateShape::Values& v = plate_surface[place];
    T stretch = -dot(frame.h[2], frame.h[2]);
    for (int a = 0; a < 4; ++a) stretch = fma(T(v.f[a][3]), dot(n[a], n[a]), stretch);
    out[0][at] = stretch;
    for (int d = 0; d < 2; ++d) {
      T c[2][3], sum = -dot(frame.h[d], frame.h[2]);
      factors(d, place, c);
      for (int edge = 0; edge < 2; ++edge)
        for (int k = 0; k < 3; ++k) sum = fma(c[edge][k], dot(sample[d][edge][k].slope, sample[d][edge][k].n), sum);
      out[2 - d][at] = sum;
    }
  }
  /// ∂ of ½ λ̃, γ̃_η, γ̃_ξ at a place.
  void rows(int place, T (&row)[3][dofs]) const {
    for (auto& r : row)
      for (T& x : r) x = T(0.0);
    const PlateShape::Values& v = plate_surface[place];
    for (int a = 0; a < 4; ++a)
      for (int i = 0; i < 3; ++i) row[0][3 * (functions * a + 3) + i] = T(v.f[a][3]) * n[a][i];
    for (int d = 0; d < 2; ++d) {
      T c[2][3];
      factors(d, place, c);
      T* out = row[2 - d];
      for (int edge = 0; edge < 2; ++edge)
        for (int end = 0; end < 2; ++end) {
          const int first = 3 * functions * nodes[d][edge][end];
          for (int k = 0; k < 3; ++k) {
            const Sample& at = sample[d][edge][k];
            const T value = c[edge][k] * T(line.d[k][end][0]), slope = c[edge][k] * T(line.d[k][end][1]),
                    length = c[edge][k] * T(line.L[k][end]);
            for (int i = 0; i < 3; ++i) {
              out[first + i] = fma(value, at.n[i], out[first + i]);
              out[first + 3 * (1 + d) + i] = fma(slope, at.n[i], out[first + 3 * (1 + d) + i]);
              out[first + 9 + i] = fma(length, at.slope[i], out[first + 9 + i]);
            }
          }
        }
    }
  }
  /// Second derivatives of shift · tension, tension of C_ζζ, C_ηζ, C_ξζ at the places, into pairs of functions (lower half).
  [[gnu::noinline]] void add_stress(const T (&tension)[3][PlateShape::places], T (&stress)[count][count]) const {
    const auto add = [&stress](int i, int j, const T& value) { stress[i >= j ? i : j][i >= j ? j : i] += value; };
    T edge_tension[2][2][3];
    for (auto& d : edge_tension)
      for (auto& edge : d)
        for (T& x : edge) x = T(0.0);
    for (int s = 0; s < PlateShape::places; ++s) {
      const PlateShape::Values& v = plate_surface[s];
      for (int d = 0; d < 2; ++d) {
        T c[2][3];
        factors(d, s, c);
        for (int edge = 0; edge < 2; ++edge)
          for (int k = 0; k < 3; ++k)
            edge_tension[d][edge][k] = fma(c[edge][k], tension[2 - d][s], edge_tension[d][edge][k]);
      }
      for (int a = 0; a < 4; ++a) {
        add(functions * a + 3, functions * a + 3, T(v.f[a][3]) * tension[0][s]);
        for (int b = 0; b < 4; ++b) {
          if (b <= a) add(functions * a + 3, functions * b + 3, T(-v.f[a][3] * v.f[b][3]) * tension[0][s]);
          for (int k = 0; k < 3; ++k)
            add(functions * a + k, functions * b + 3,
                T(-v.f[b][3]) * fma(T(v.dx[a][k]), tension[2][s], T(v.dy[a][k]) * tension[1][s]));
        }
      }
    }
    for (int d = 0; d < 2; ++d)
      for (int edge = 0; edge < 2; ++edge)
        for (int k = 0; k < 3; ++k)
          for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 2; ++b) {
              const int from = functions * nodes[d][edge][a], to = functions * nodes[d][edge][b] + 3;
              const T factor = T(line.L[k][b]) * edge_tension[d][edge][k];
              add(from, to, T(line.d[k][a][0]) * factor);
              add(from + 1 + d, to, T(line.d[k][a][1]) * factor);
            }
  }
};

}  // namespace flexura
