#pragma once

#include "flexura/material/convected.hpp"
#include "flexura/math/scalar.hpp"

namespace flexura {

/// ψ = ½ λ (tr E)² + μ E:E,  S = λ (tr E) I + 2 μ E,  in convected coordinates (I → G^αβ, see convected.hpp).
///
/// Parts of it are the same law with other constants: the deviatoric one has (−2 μ/3, μ), the volumetric (λ + 2 μ/3, 0).
template <class T>
struct StVenantKirchhoff {
  T lambda, mu;  ///< Lamé's constants [Pa]

  static StVenantKirchhoff of(const T& E, const T& nu) {
    const T mu = E / (T(2.0) * (T(1.0) + nu));
    return {T(2.0) * mu * nu / (T(1.0) - T(2.0) * nu), mu};
  }
  StVenantKirchhoff deviatoric() const { return {T(-2.0 / 3) * mu, mu}; }

  template <int N>
  void energy(const SymmetricAt<T, N>& inverse, const SymmetricAt<T, N>& strain, T (&psi)[N]) const {
    for (int k = 0; k < N; ++k) {
      const Raised e(inverse, strain, k);
      T square = T(0.0);
      for (int p = 0; p < 6; ++p) square = fma(T(p < 3 ? 1.0 : 2.0) * e.up[p], strain[p][k], square);
      psi[k] = fma(T(0.5) * lambda * e.trace, e.trace, mu * square);
    }
  }
  template <int N>
  void stress(const SymmetricAt<T, N>& inverse, const SymmetricAt<T, N>& strain, SymmetricAt<T, N>& S) const {
    const T two_mu = T(2.0) * mu;
    for (int k = 0; k < N; ++k) {
      const Raised e(inverse, strain, k);
      const T pressure = lambda * e.trace;
      for (int p = 0; p < 6; ++p) S[p][k] = fma(pressure, inverse[p][k], two_mu * e.up[p]);
    }
  }
  /// D^αγβδ = λ G^αγ G^βδ + μ (G^αβ G^γδ + G^αδ G^γβ)
  template <int N>
  void stiffness(const SymmetricAt<T, N>& inverse, const SymmetricAt<T, N>&, StiffnessAt<T, N>& D) const {
    for (int p = 0; p < 6; ++p)
      for (int q = 0; q <= p; ++q) {
        const int a = voigt_first[p], c = voigt_second[p], b = voigt_first[q], d = voigt_second[q];
        for (int k = 0; k < N; ++k) {
          const T shear =
              fma(inverse[voigt[a][b]][k], inverse[voigt[c][d]][k], inverse[voigt[a][d]][k] * inverse[voigt[c][b]][k]);
          D[triangle(p, q)][k] = fma(lambda * inverse[p][k], inverse[q][k], mu * shear);
        }
      }
  }

 private:
  /// ε^αβ = G^αγ ε_γδ G^δβ and its trace G^αβ ε_αβ.
  struct Raised {
    T up[6], trace;
    template <int N>
    Raised(const SymmetricAt<T, N>& inverse, const SymmetricAt<T, N>& strain, int k) {
      T half[3][3];
      for (int a = 0; a < 3; ++a)
        for (int d = 0; d < 3; ++d) {
          T sum = T(0.0);
          for (int c = 0; c < 3; ++c) sum = fma(inverse[voigt[a][c]][k], strain[voigt[c][d]][k], sum);
          half[a][d] = sum;
        }
      for (int p = 0; p < 6; ++p) {
        T sum = T(0.0);
        for (int d = 0; d < 3; ++d) sum = fma(half[voigt_first[p]][d], inverse[voigt[d][voigt_second[p]]][k], sum);
        up[p] = sum;
      }
      trace = half[0][0] + half[1][1] + half[2][2];
    }
  };
};

}  // namespace flexura
