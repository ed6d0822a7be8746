#pragma once
// The tangent of ancf_thin_plate_kernel.hpp.

#include "flexura/element/ancf_thin_plate_kernel.hpp"
#include "flexura/math/dual.hpp"

namespace flexura {

/// What the tangent of Koiter's energy needs of a place. Of function i, with derivatives c:
///     k_p = c_αβ − Γ^γ_αβ c_γ,   e's derivative  (c_1 r_1, c_2 r_2, c_1 r_2 + c_2 r_1, −k_1 n, −k_2 n, −2 k_3 n)
///     μ = Σ_p M_p k_p,  M = (s_4, s_5, 2 s_6),   w = Σ_γ c_γ a^γ
/// K_ij = e_iᵀ C e_j + (s_γβ c_iγ c_jβ) I + n (μ_j w_i)ᵀ + (μ_i w_j) nᵀ + (M·b) (w_i·w_j) n nᵀ:
///     K_ij = c_i1 T_1 + c_i2 T_2 + n (Σ_p k_ip t_p)ᵀ + μ_i w_j nᵀ,   T, t, w of function j
/// Damped, s is the stress of e + θ ė, and in place of e_j stands (1 + θ c_d) e_j + θ ∂ė/∂x_j. With velocities v,
/// ν_γ = n·v_γ, m = Σ ν_γ a^γ and V_p^γ = a^γ·(v_αβ − Γ^δ_αβ v_δ):
///     ∂ė/∂x_j = (c_1 v_1, c_2 v_2, c_1 v_2 + c_2 v_1, X_1, X_2, 2 X_3),  X_p = k_p m + Σ_γ c_γ (V_p^γ + b_p ν^γ) n
template <int side, bool damped, class T>
inline void AncfThinPlateKernel::koiter_tangent(const Data<T>& data, const Options& o, const T* x, const T* v,
                                                double cd, T* K) {
  constexpr int places = side * side;
  constexpr const auto& rule = thin_plate_rule<side>;
  T e[36], mu[12][places], k[12][places][3], stress[places][6], bent[places];
  SurfacePlace<T> at[places];
  struct Rate {
    Vec<3, T> along, across, normal;  ///< what e_j's r_1, r_2 and n become
    T turn[2][3];                     ///< θ (V_p^γ + b_p ν^γ)
  };
  [[maybe_unused]] T rate[36];
  [[maybe_unused]] Rate rates[damped ? places : 1];
  scaled(data.factor, x, e);
  if constexpr (damped) scaled(data.factor, v, rate);
  for (int p = 0; p < places; ++p) {
    Vec<3, T> h[5];
    derivatives<side>(p, e, h);
    at[p] = SurfacePlace<T>(h);
    T strains[6];
    strain(data.point[p], o, at[p], strains);
    if constexpr (damped) {
      const SurfacePlace<T>& s = at[p];
      const T theta = data.retardation, held = fma(T(cd), theta, T(1.0));
      Vec<3, T> hv[5];
      derivatives<side>(p, rate, hv);
      T speed[6];
      strain_rate(data.point[p], o, s, hv, speed);
      for (int i = 0; i < 6; ++i) strains[i] = fma(theta, speed[i], strains[i]);
      const T nu[2] = {dot(s.n, hv[0]), dot(s.n, hv[1])};
      const T raised[2] = {fma(s.up[0], nu[0], s.up[2] * nu[1]), fma(s.up[2], nu[0], s.up[1] * nu[1])};
      rates[p].along = held * s.h[0] + theta * hv[0];
      rates[p].across = held * s.h[1] + theta * hv[1];
      rates[p].normal = theta * (nu[0] * s.dual[0] + nu[1] * s.dual[1]) - held * s.n;
      for (int q = 0; q < 3; ++q) {
        const Vec<3, T> bend = hv[2 + q] - s.gamma[0][q] * hv[0] - s.gamma[1][q] * hv[1];
        for (int c = 0; c < 2; ++c) rates[p].turn[c][q] = theta * fma(s.b[q], raised[c], dot(s.dual[c], bend));
      }
    }
    times(data.point[p].C, strains, stress[p]);
    const T M[3] = {stress[p][3], stress[p][4], T(2.0) * stress[p][5]};
    bent[p] = fma(M[0], at[p].b[0], fma(M[1], at[p].b[1], M[2] * at[p].b[2]));
    for (int i = 0; i < 12; ++i) {
      for (int q = 0; q < 3; ++q) k[i][p][q] = at[p].covariant(rule.d[i][p], q);
      mu[i][p] = fma(M[0], k[i][p][0], fma(M[1], k[i][p][1], M[2] * k[i][p][2]));
    }
  }
  T first[places][9], second[places][9], turn[places][9];
  Vec<3, T> w[places];
  for (int j = 0; j < 12; ++j) {
    for (int p = 0; p < places; ++p) {
      const SurfacePlace<T>& s = at[p];
      const T c1 = T(rule.d[j][p][0]), c2 = T(rule.d[j][p][1]);
      w[p] = c1 * s.dual[0] + c2 * s.dual[1];
      Vec<3, T> g[6];
      for (int q = 0; q < 6; ++q) {
        const auto C = [&](int other) -> const T& { return data.point[p].C[triangle(q, other)]; };
        const T along = fma(c1, C(0), c2 * C(2)), across = fma(c2, C(1), c1 * C(2));
        const T normal = fma(k[j][p][0], C(3), fma(k[j][p][1], C(4), T(2.0) * k[j][p][2] * C(5)));
        if constexpr (damped) {
          const auto turned = [&](int pair) { return fma(c1, rates[p].turn[0][pair], c2 * rates[p].turn[1][pair]); };
          const T turn_n = fma(C(3), turned(0), fma(C(4), turned(1), T(2.0) * C(5) * turned(2)));
          for (int a = 0; a < 3; ++a)
            g[q][a] = fma(along, rates[p].along[a],
                          fma(across, rates[p].across[a], fma(normal, rates[p].normal[a], turn_n * s.n[a])));
        } else {
          for (int a = 0; a < 3; ++a) g[q][a] = fma(along, s.h[0][a], fma(across, s.h[1][a], -normal * s.n[a]));
        }
      }
      const T line1 = fma(stress[p][0], c1, stress[p][2] * c2), line2 = fma(stress[p][1], c2, stress[p][2] * c1);
      const T bend1 = bent[p] * fma(s.up[0], c1, s.up[2] * c2), bend2 = bent[p] * fma(s.up[1], c2, s.up[2] * c1);
      for (int b = 0; b < 3; ++b) {
        const T turn1 = fma(mu[j][p], s.dual[0][b], bend1 * s.n[b]);
        const T turn2 = fma(mu[j][p], s.dual[1][b], bend2 * s.n[b]);
        for (int a = 0; a < 3; ++a) {
          const T of1 = fma(s.h[0][a], g[0][b], fma(s.h[1][a], g[2][b], s.n[a] * turn1));
          const T of2 = fma(s.h[1][a], g[1][b], fma(s.h[0][a], g[2][b], s.n[a] * turn2));
          first[p][3 * a + b] = a == b ? of1 + line1 : of1;
          second[p][3 * a + b] = a == b ? of2 + line2 : of2;
        }
        turn[p][b] = -g[3][b];
        turn[p][3 + b] = -g[4][b];
        turn[p][6 + b] = T(-2.0) * g[5][b];
      }
    }
    for (int i = damped ? 0 : j; i < 12; ++i) {
      T sum[9];
      for (T& y : sum) y = T(0.0);
      for (int p = 0; p < places; ++p) {
        const T c1 = T(rule.d[i][p][0]), c2 = T(rule.d[i][p][1]);
        const T* t = turn[p];
        T u[3];
        for (int b = 0; b < 3; ++b) u[b] = fma(k[i][p][0], t[b], fma(k[i][p][1], t[3 + b], k[i][p][2] * t[6 + b]));
        for (int a = 0; a < 3; ++a) {
          const T across = mu[i][p] * w[p][a];
          for (int b = 0; b < 3; ++b) {
            T& y = sum[3 * a + b];
            y = fma(c1, first[p][3 * a + b], y);
            y = fma(c2, second[p][3 * a + b], y);
            y = fma(at[p].n[a], u[b], y);
            y = fma(across, at[p].n[b], y);
          }
        }
      }
      const T scale = data.factor[i % 3] * data.factor[j % 3];
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) K[(3 * i + a) * 36 + 3 * j + b] = scale * sum[3 * a + b];
    }
  }
}

/// With the other curvature: forces of each place differentiated by dual numbers in the 15 directions of h.
template <int side, class T>
inline void AncfThinPlateKernel::general_tangent(const Data<T>& data, const Options& o, const T* x, const T* v,
                                                 double cd, T* K) {
  using Path = Dual<T>;
  constexpr const auto& rule = thin_plate_rule<side>;
  T e[36], rate[36];
  scaled(data.factor, x, e);
  scaled(data.factor, v, rate);
  for (int i = 0; i < 36 * 36; ++i) K[i] = T(0.0);
  for (int p = 0; p < side * side; ++p) {
    Vec<3, T> h[5], hv[5];
    derivatives<side>(p, e, h);
    derivatives<side>(p, rate, hv);
    Point<Path> point;
    const auto constant = [](const T& value) { return Path(value, T(0.0)); };
    for (int i = 0; i < 21; ++i) point.C[i] = constant(data.point[p].C[i]);
    for (int i = 0; i < 3; ++i) point.A[i] = constant(data.point[p].A[i]), point.B[i] = constant(data.point[p].B[i]);
    point.square = constant(data.point[p].square);
    T H[5][5][9];  // [row][column]: ∂f_row/∂h_column
    for (int c = 0; c < 15; ++c) {
      Vec<3, Path> path[5], velocity[5], f[5];
      for (int k = 0; k < 5; ++k)
        for (int i = 0; i < 3; ++i) {
          const double one = c == 3 * k + i;
          path[k][i] = Path(h[k][i], T(one));
          velocity[k][i] = Path(hv[k][i], T(cd * one));
        }
      if (o.damped == Damped::yes) {
        force_at<true>(point, constant(data.retardation), o, path, velocity, f);
      } else {
        force_at<false>(point, constant(data.retardation), o, path, velocity, f);
      }
      for (int k = 0; k < 5; ++k)
        for (int i = 0; i < 3; ++i) H[k][c / 3][3 * i + c % 3] = f[k][i].d;
    }
    for (int j = 0; j < 12; ++j) {
      T column[5][9];
      for (int k = 0; k < 5; ++k)
        for (int i = 0; i < 9; ++i) {
          T sum = T(rule.d[j][p][0]) * H[k][0][i];
          for (int l = 1; l < 5; ++l) sum = fma(T(rule.d[j][p][l]), H[k][l][i], sum);
          column[k][i] = sum;
        }
      for (int n = 0; n < 12; ++n)
        for (int i = 0; i < 9; ++i) {
          T& y = K[(3 * n + i / 3) * 36 + 3 * j + i % 3];
          for (int k = 0; k < 5; ++k) y = fma(T(rule.d[n][p][k]), column[k][i], y);
        }
    }
  }
  for (int i = 0; i < 36; ++i)
    for (int j = 0; j < 36; ++j) K[i * 36 + j] *= data.factor[i / 3 % 3] * data.factor[j / 3 % 3];
}

}  // namespace flexura
