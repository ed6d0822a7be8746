#pragma once
// Tangent of solids of any shape. With A_ab = ∂(w P_·a)/∂F_·b, 3 × 3 blocks of a place in space,
//
//     A_ab = w [S_ab 1 + F D_(·a)(·b) Fᵀ + η (F_·b H_·aᵀ + δ_ab F Hᵀ)] + w p ∂²J/∂F_·a∂F_·b,   H = Ḟ + c_d F
//     K_ij = Σ_places Σ_ab B_ia A_ab B_jb + k Σ_modes b_i b_jᵀ
//
// row by row: Σ_a B_ia A_ab of all places for a node i, then 27 products a place for each j.

#include "flexura/element/solid_force.hpp"

namespace flexura {

/// A of a place: [a][b][3 × 3].
template <class T>
using SolidHessian = T[3][3][9];

/// ε_ijk with k = 3 − i − j; 0 where i = j.
constexpr int solid_turn(int i, int j) { return i == j ? 0 : (j - i + 3) % 3 == 1 ? 1 : -1; }

/// rate: Ḟ, read where there is damping.
template <class T, class Law>
[[gnu::noinline]] void solid_hessian(const SolidView<T, Law>& view, int place, const SolidStrain<T>& strain,
                                     const T& pressure, const T (&rate)[9], double cd, SolidHessian<T>& A) {
  const T& w = view.point[place].weight;
  const T(&F)[9] = strain.F;
  T C[6], S[6], D[21];
  strain.cauchy_green(C);
  view.law.stiffness(place, C, S, D);
  if (view.damped) add_viscous_stress(view.viscosity, F, rate, S);
  T wF[9];
  for (int i = 0; i < 9; ++i) wF[i] = w * F[i];
  T Q[3][6][3];  // w Σ_c F_ic D_(ca)q
  for (int a = 0; a < 3; ++a)
    for (int q = 0; q < 6; ++q)
      for (int i = 0; i < 3; ++i)
        Q[a][q][i] = fma(wF[3 * i], D[triangle(voigt[0][a], q)],
                         fma(wF[3 * i + 1], D[triangle(voigt[1][a], q)], wF[3 * i + 2] * D[triangle(voigt[2][a], q)]));
  const T bulk = w * view.pointwise;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b <= a; ++b) {
      const T s = w * S[voigt[a][b]];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          T sum = fma(Q[a][voigt[0][b]][i], F[3 * j],
                      fma(Q[a][voigt[1][b]][i], F[3 * j + 1], Q[a][voigt[2][b]][i] * F[3 * j + 2]));
          if (i == j) sum += s;
          const int turn = solid_turn(i, j) * solid_turn(a, b);
          if (turn != 0) sum = fma(T(double(turn)) * pressure, F[3 * (3 - i - j) + 3 - a - b], sum);
          sum = fma(bulk * strain.cof[3 * i + a], strain.cof[3 * j + b], sum);
          A[a][b][3 * i + j] = A[b][a][3 * j + i] = sum;
        }
    }
  if (!view.damped) return;
  T H[9], FH[9];
  const T eta = w * view.viscosity;
  for (int i = 0; i < 9; ++i) H[i] = fma(T(cd), F[i], rate[i]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      FH[3 * i + j] = fma(F[3 * i], H[3 * j], fma(F[3 * i + 1], H[3 * j + 1], F[3 * i + 2] * H[3 * j + 2]));
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const T sum = F[3 * i + b] * H[3 * j + a];
          A[a][b][3 * i + j] = fma(eta, a == b ? sum + FH[3 * i + j] : sum, A[a][b][3 * i + j]);
        }
}

/// B of all nodes: [node][place][3]; and b of the modes: [mode][node][3].
template <class T, class Law>
[[gnu::noinline]] void solid_slopes(const SolidView<T, Law>& view, const SolidStrain<T>* strain, T* B, T* b) {
  const int nodes = view.rule.nodes, places = view.rule.places, modes = view.mixed ? view.rule.modes : 0;
  for (int i = 0; i < 3 * nodes * modes; ++i) b[i] = T(0.0);
  for (int k = 0; k < places; ++k) {
    const double* slope = view.rule.slopes(k);
    const T(&inverse)[9] = view.point[k].inverse;
    const T(&cof)[9] = strain[k].cof;
    for (int n = 0; n < nodes; ++n) {
      T* to = B + 3 * (n * places + k);
      for (int a = 0; a < 3; ++a)
        to[a] = fma(T(slope[3 * n]), inverse[a],
                    fma(T(slope[3 * n + 1]), inverse[3 + a], T(slope[3 * n + 2]) * inverse[6 + a]));
      for (int i = 0; i < 3 && modes > 0; ++i) {
        const T area = fma(cof[3 * i], to[0], fma(cof[3 * i + 1], to[1], cof[3 * i + 2] * to[2]));
        for (int m = 0; m < modes; ++m) {
          T& sum = b[3 * (m * nodes + n) + i];
          sum = fma(view.mode[k * modes + m], area, sum);
        }
      }
    }
  }
}

/// row: Σ_a B_a A_ab as [place][b][3 × 3].
template <class T>
[[gnu::noinline]] void solid_row(int places, const T* B, const SolidHessian<T>* A, T* row) {
  for (int k = 0; k < places; ++k, B += 3, row += 27)
    for (int b = 0; b < 3; ++b)
      for (int i = 0; i < 9; ++i)
        row[9 * b + i] = fma(B[0], A[k][0][b][i], fma(B[1], A[k][1][b][i], B[2] * A[k][2][b][i]));
}
/// block += Σ_places Σ_b row_b B_b
template <class T>
[[gnu::noinline]] void solid_block(int places, const T* row, const T* B, T (&block)[9]) {
  T sum[9];
  for (int i = 0; i < 9; ++i) sum[i] = block[i];
  for (int k = 0; k < places; ++k, B += 3, row += 27)
    for (int b = 0; b < 3; ++b)
      for (int i = 0; i < 9; ++i) sum[i] = fma(row[9 * b + i], B[b], sum[i]);
  for (int i = 0; i < 9; ++i) block[i] = sum[i];
}

template <class T, class Law>
[[gnu::noinline]] void solid_tangent(const SolidView<T, Law>& view, const T* x, const T* v, double cd, T* K) {
  const int nodes = view.rule.nodes, places = view.rule.places, modes = view.mixed ? view.rule.modes : 0, n = 3 * nodes;
  SolidStrain<T> strain[most_solid_places];
  SolidHessian<T> A[most_solid_places];
  T pressure[most_solid_places], B[3 * most_solid_nodes * most_solid_places],
      b[3 * most_solid_nodes * most_volume_modes], row[27 * most_solid_places];
  solid_strains(view, x, strain);
  solid_pressure(view, strain, true, pressure);
  for (int k = 0; k < places; ++k) {
    T rate[9];
    if (view.damped) solid_deformation(view, k, v, rate);
    solid_hessian(view, k, strain[k], pressure[k], rate, cd, A[k]);
  }
  solid_slopes(view, strain, B, b);
  for (int i = 0; i < nodes; ++i) {
    solid_row(places, B + 3 * places * i, A, row);
    for (int j = 0; j < (view.damped ? nodes : i + 1); ++j) {
      T block[9];
      for (T& entry : block) entry = T(0.0);
      for (int m = 0; m < modes; ++m) {
        const T *bi = b + 3 * (m * nodes + i), *bj = b + 3 * (m * nodes + j);
        for (int c = 0; c < 9; ++c) block[c] = fma(view.modal * bi[c / 3], bj[c % 3], block[c]);
      }
      solid_block(places, row, B + 3 * places * j, block);
      for (int c = 0; c < 9; ++c) K[(3 * i + c / 3) * n + 3 * j + c % 3] = block[c];
    }
  }
}

}  // namespace flexura
