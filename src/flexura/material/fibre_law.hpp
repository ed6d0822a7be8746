#pragma once
// Fibres in a solid: energy of their stretch alone, beside that of the matrix.
//
//     I₄ = a·C a,  x = I₄ − 1:   ψ = k₁/(2 k₂) (exp(k₂ x²) − 1)        k₂ = 0: ½ k₁ x²                [holzapfel2000]
//     S = 2 ψ′ a⊗a,   D = 4 ψ″ a⊗a⊗a⊗a,   ψ′ = k₁ x exp(k₂ x²),   ψ″ = k₁ (1 + 2 k₂ x²) exp(k₂ x²)
//
// a: direction at rest, of unit length. I₄ is of C itself: a fibre that swells with the solid is stretched. Small strains:
// modulus 4 k₁ along a. In compression (x < 0) a share of ψ, 0 of what buckles.

#include "flexura/material/convected.hpp"
#include "flexura/material/spectrum.hpp"

namespace flexura {

inline constexpr int most_fibres = 3;  ///< families

template <class T>
struct FibreLaw {
  T stiffness, exponent, compression;  ///< k₁ [Pa], k₂, share

  T energy(const T& x) const {
    const T z = exponent * x * x;
    return T(0.5) * share(x) * stiffness * x * x * sinhc(T(0.5) * z) * exp(T(0.5) * z);
  }
  T first(const T& x) const { return share(x) * stiffness * x * exp(exponent * x * x); }
  T second(const T& x) const {
    const T z = exponent * x * x;
    return share(x) * stiffness * fma(T(2.0), z, T(1.0)) * exp(z);
  }

 private:
  T share(const T& x) const { return select(x < T(0.0), compression, T(1.0)); }
};

/// a⊗a
template <class T>
void dyad(const T* a, T (&A)[6]) {
  for (int p = 0; p < 6; ++p) A[p] = a[voigt_first[p]] * a[voigt_second[p]];
}
/// I₄ − 1
template <class T>
T fibre_strain(const T (&A)[6], const T (&C)[6]) {
  T sum = fma(A[0], C[0], T(-1.0));
  for (int p = 1; p < 6; ++p) sum = fma(T(p < 3 ? 1.0 : 2.0) * A[p], C[p], sum);
  return sum;
}

/// Families at points with directions of their own, [point][family][3], or the same ones.
template <class T>
struct FibresAtPoints {
  int families;
  const FibreLaw<T>* law;
  const T* direction;
  bool alike = false;

  const T* at(int k, int family) const { return direction + 3 * (alike ? family : most_fibres * k + family); }
  T energy(int k, const T (&C)[6]) const {
    T sum(0.0);
    for (int f = 0; f < families; ++f) {
      T A[6];
      dyad(at(k, f), A);
      sum += law[f].energy(fibre_strain(A, C));
    }
    return sum;
  }
  void add_stress(int k, const T (&C)[6], T (&S)[6]) const {
    for (int f = 0; f < families; ++f) {
      T A[6];
      dyad(at(k, f), A);
      const T twice = T(2.0) * law[f].first(fibre_strain(A, C));
      for (int p = 0; p < 6; ++p) S[p] = fma(twice, A[p], S[p]);
    }
  }
  void add_stiffness(int k, const T (&C)[6], T (&S)[6], T (&D)[21]) const {
    for (int f = 0; f < families; ++f) {
      T A[6];
      dyad(at(k, f), A);
      const T x = fibre_strain(A, C), twice = T(2.0) * law[f].first(x), four = T(4.0) * law[f].second(x);
      for (int p = 0; p < 6; ++p) {
        S[p] = fma(twice, A[p], S[p]);
        const T row = four * A[p];
        for (int q = 0; q <= p; ++q) D[triangle(p, q)] = fma(row, A[q], D[triangle(p, q)]);
      }
    }
  }
};

}  // namespace flexura
