#pragma once
// Rubber: stored energy of a solid at a point, in Cartesian coordinates of the reference.
//
//     C = FᵀF,  J = √det C      ψ(C) = W(C) + U(J),  U = k/2 (J − 1)²      S = 2 ∂ψ/∂C,  D = 4 ∂²ψ/∂C∂C
//
//     isochoric   W = Ŵ(C̄),  C̄ = J^(−2/3) C                      no stress of its own against a change of volume
//     coupled     W = Ŵ(C) − n ln J                               n: the stress of Ŵ at C = 1, so that C = 1 is free of stress
//
// with Ŵ of an incompressible body: the laws of elastic_laws.hpp. W and U stand side by side, so that a mixed element takes U at a
// J̄ of its own and W point by point. St. Venant–Kirchhoff has all in W. Components in the order of convected.hpp.
//
// The functions are compiled once for double, Lanes, Dual<double> and Dual<Lanes> (duals in flexura_ensemble).

#include "flexura/material/convected.hpp"
#include "flexura/math/dual.hpp"

namespace flexura {

enum class ElasticLaw { st_venant_kirchhoff, neo_hooke, mooney_rivlin, yeoh, ogden, gent, arruda_boyce, yeoh_paper };
enum class VolumeForm { isochoric, coupled };

inline constexpr int most_elastic_constants = 6;

/// Those of Ŵ in the order of the law's fields (elastic_laws.hpp), and k [Pa].
template <class T>
struct ElasticConstants {
  T c[most_elastic_constants];
  T bulk;
};

/// The same for all points that are evaluated together.
struct LawChoice {
  ElasticLaw law = ElasticLaw::neo_hooke;
  VolumeForm form = VolumeForm::isochoric;
  bool operator==(const LawChoice&) const = default;
};

/// W at a point.
template <class T>
T elastic_energy(LawChoice choice, const ElasticConstants<T>& constants, const T (&C)[6]);
/// S of W at a point.
template <class T>
void elastic_stress(LawChoice choice, const ElasticConstants<T>& constants, const T (&C)[6], T (&S)[6]);
/// S and D of W at a point.
template <class T>
void elastic_stiffness(LawChoice choice, const ElasticConstants<T>& constants, const T (&C)[6], T (&S)[6], T (&D)[21]);

/// J and C⁻¹ with the derivatives of J:  2 ∂J/∂C = J C⁻¹,   4 ∂²J/∂C∂C = J (C⁻¹⊗C⁻¹ − 2 I),  I_abcd = ½ (C⁻¹_ac C⁻¹_bd + C⁻¹_ad C⁻¹_bc).
template <class T>
struct VolumeChange {
  T J, inverse[6];

  explicit VolumeChange(const T (&C)[6]) {
    const T adjugate[6] = {minor(C, 1, 2, 3),
                           minor(C, 0, 2, 4),
                           minor(C, 0, 1, 5),
                           fma(C[4], C[5], -(C[0] * C[3])),
                           fma(C[5], C[3], -(C[1] * C[4])),
                           fma(C[4], C[3], -(C[2] * C[5]))};
    const T det = fma(C[0], adjugate[0], fma(C[5], adjugate[5], C[4] * adjugate[4]));
    J = sqrt(det);
    for (int p = 0; p < 6; ++p) inverse[p] = adjugate[p] / det;
  }
  T first(int p) const { return J * inverse[p]; }
  T second(int p, int q) const { return J * fma(inverse[p], inverse[q], T(-2.0) * product(p, q)); }
  /// I_pq
  T product(int p, int q) const {
    const int a = voigt_first[p], b = voigt_second[p], c = voigt_first[q], d = voigt_second[q];
    return T(0.5) * fma(inverse[voigt[a][c]], inverse[voigt[b][d]], inverse[voigt[a][d]] * inverse[voigt[b][c]]);
  }

 private:
  static T minor(const T (&C)[6], int a, int b, int c) { return fma(C[a], C[b], -(C[c] * C[c])); }
};

/// U, U′ and U″ = k.
template <class T>
T volume_energy(const ElasticConstants<T>& constants, const T& J) {
  return T(0.5) * constants.bulk * (J - T(1.0)) * (J - T(1.0));
}
template <class T>
T volume_pressure(const ElasticConstants<T>& constants, const T& J) {
  return constants.bulk * (J - T(1.0));
}

/// Adds S and D of U(J) at the point's own J, for elements without a field of pressure.
template <class T>
void add_volume_stress(const ElasticConstants<T>& constants, const VolumeChange<T>& change, T (&S)[6]) {
  const T pressure = volume_pressure(constants, change.J);
  for (int p = 0; p < 6; ++p) S[p] = fma(pressure, change.first(p), S[p]);
}
template <class T>
void add_volume_stiffness(const ElasticConstants<T>& constants, const VolumeChange<T>& change, T (&D)[21]) {
  const T pressure = volume_pressure(constants, change.J);
  for (int p = 0; p < 6; ++p)
    for (int q = 0; q <= p; ++q) {
      const T slope = constants.bulk * change.first(p) * change.first(q);
      D[triangle(p, q)] += fma(pressure, change.second(p, q), slope);
    }
}

// ── N points side by side ──────────────────────────────────────────────────────────────────────────────────────────────
template <int N, class T>
void elastic_energy(LawChoice choice, const ElasticConstants<T>& constants, const SymmetricAt<T, N>& C, T (&psi)[N]) {
  for (int k = 0; k < N; ++k) {
    const T c[6] = {C[0][k], C[1][k], C[2][k], C[3][k], C[4][k], C[5][k]};
    psi[k] = elastic_energy(choice, constants, c);
  }
}
template <int N, class T>
void elastic_stress(LawChoice choice, const ElasticConstants<T>& constants, const SymmetricAt<T, N>& C,
                    SymmetricAt<T, N>& S) {
  for (int k = 0; k < N; ++k) {
    const T c[6] = {C[0][k], C[1][k], C[2][k], C[3][k], C[4][k], C[5][k]};
    T s[6];
    elastic_stress(choice, constants, c, s);
    for (int p = 0; p < 6; ++p) S[p][k] = s[p];
  }
}
template <int N, class T>
void elastic_stiffness(LawChoice choice, const ElasticConstants<T>& constants, const SymmetricAt<T, N>& C,
                       SymmetricAt<T, N>& S, StiffnessAt<T, N>& D) {
  for (int k = 0; k < N; ++k) {
    const T c[6] = {C[0][k], C[1][k], C[2][k], C[3][k], C[4][k], C[5][k]};
    T s[6], d[21];
    elastic_stiffness(choice, constants, c, s, d);
    for (int p = 0; p < 6; ++p) S[p][k] = s[p];
    for (int p = 0; p < 21; ++p) D[p][k] = d[p];
  }
}

}  // namespace flexura
