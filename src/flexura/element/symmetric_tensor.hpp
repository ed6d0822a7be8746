#pragma once
// Invariants of symmetric tensors (11, 22, 33, 23, 13, 12) that probes read.

#include "flexura/math/scalar.hpp"

namespace flexura {

/// Eigenvalues of a symmetric matrix (11, 22, 33, 23, 13, 12) from the largest: Jacobi's rotations, whose errors fall with the
/// square; five rounds leave rounding.
template <class T>
void principal_values(const T (&C)[6], T (&values)[3]) {
  T a[6];
  for (int p = 0; p < 6; ++p) a[p] = C[p];
  for (int turn = 0; turn < 15; ++turn) {
    const int r = turn % 3, p = (r + 1) % 3, q = (r + 2) % 3;  // a[3 + r] is a_pq
    const T off = a[3 + r], size = abs(off);
    const auto is_small = size < T(1e-150);
    const T half = T(0.5) * (a[q] - a[p]) / select(is_small, T(1.0), off);
    const T root = abs(half) + sqrt(fma(half, half, T(1.0)));
    const T t = select(is_small, T(0.0), select(half < T(0.0), T(-1.0), T(1.0)) / root);
    const T cosine = T(1.0) / sqrt(fma(t, t, T(1.0))), sine = t * cosine;
    const T rp = a[3 + q], rq = a[3 + p];
    a[p] -= t * off, a[q] += t * off, a[3 + r] = T(0.0);
    a[3 + q] = fma(cosine, rp, -(sine * rq));
    a[3 + p] = fma(sine, rp, cosine * rq);
  }
  const T high = max(a[0], a[1]), low = min(a[0], a[1]);
  values[0] = max(high, a[2]);
  values[1] = max(low, min(high, a[2]));
  values[2] = min(low, a[2]);
}

template <class T>
T von_mises_of(const T (&sigma)[6]) {
  const T mean = T(1.0 / 3) * (sigma[0] + sigma[1] + sigma[2]);
  T square(0.0);
  for (int p = 0; p < 6; ++p) {
    const T deviator = p < 3 ? sigma[p] - mean : sigma[p];
    square = fma(T(p < 3 ? 1.5 : 3.0) * deviator, deviator, square);
  }
  return sqrt(square);
}

}  // namespace flexura
