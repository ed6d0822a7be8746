#pragma once
// A woven sheet in plane stress: S = Q E, six moduli 11, 12, 22, 16, 26, 66 on (E₁₁, E₂₂, 2 E₁₂) as of laminate.hpp. Of a change of thickness it says nothing.

#include "flexura/math/scalar.hpp"

namespace flexura {

inline constexpr int sheet_moduli = 6;

/// As ShapeLaw of relaxing_law.hpp; tensors as there, of which 33, 23 and 13 are left out.
template <class T>
struct OrthotropicSheet {
  const T* Q;

  const T& modulus(int p, int q) const {
    constexpr int place[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
    return Q[place[p][q]];
  }
  T energy(const T (&C)[6]) const {
    T S[6], e[6];
    stress(C, S);
    strain(C, e);
    return fma(T(0.5) * S[0], e[0], fma(T(0.5) * S[1], e[1], S[5] * e[5]));
  }
  void strain(const T (&C)[6], T (&e)[6]) const {
    for (T& x : e) x = T(0.0);
    e[0] = T(0.5) * (C[0] - T(1.0)), e[1] = T(0.5) * (C[1] - T(1.0)), e[5] = T(0.5) * C[5];
  }
  void stress(const T (&C)[6], T (&S)[6]) const {
    T e[6];
    strain(C, e);
    const T plane[3] = {e[0], e[1], T(2.0) * e[5]};
    for (T& s : S) s = T(0.0);
    constexpr int at[3] = {0, 1, 5};
    for (int p = 0; p < 3; ++p)
      S[at[p]] = fma(modulus(p, 0), plane[0], fma(modulus(p, 1), plane[1], modulus(p, 2) * plane[2]));
  }
};

}  // namespace flexura
