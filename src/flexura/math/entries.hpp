#pragma once
// Loops over arrays of a scalar S: four doubles at a time, or one pack or dual. An entry's bits do not depend on which.

#include <type_traits>

#include "flexura/math/dual.hpp"

namespace flexura {

/// P from x[0 …]: Pack<4> from four doubles, S from one S.
template <class P, class S>
[[gnu::always_inline]] inline P load_entries(const S* x) {
  if constexpr (std::is_same_v<P, S>) {
    return *x;
  } else {
    return P(typename P::Lanes(_mm256_loadu_pd(x)));
  }
}
template <class P, class S>
[[gnu::always_inline]] inline void store_entries(S* x, const P& entries) {
  if constexpr (std::is_same_v<P, S>) {
    *x = entries;
  } else {
    _mm256_storeu_pd(x, entries.lanes);
  }
}

/// f.operator()<P>(i) for i = 0 … n − 1: P = Pack<4> takes four entries of doubles.
template <class S, class F>
[[gnu::always_inline]] inline void for_entries(int n, F f) {
  int i = 0;
  if constexpr (std::is_same_v<S, double>)
    for (; i + 4 <= n; i += 4) f.template operator()<Pack<4>>(i);
  for (; i < n; ++i) f.template operator()<S>(i);
}

/// Swaps rows and columns of four packs.
[[gnu::always_inline]] inline void transpose(Pack<4>* x) {
  const __m256d a = _mm256_unpacklo_pd(x[0].lanes, x[1].lanes), b = _mm256_unpackhi_pd(x[0].lanes, x[1].lanes);
  const __m256d c = _mm256_unpacklo_pd(x[2].lanes, x[3].lanes), d = _mm256_unpackhi_pd(x[2].lanes, x[3].lanes);
  x[0].lanes = _mm256_permute2f128_pd(a, c, 0x20);
  x[1].lanes = _mm256_permute2f128_pd(b, d, 0x20);
  x[2].lanes = _mm256_permute2f128_pd(a, c, 0x31);
  x[3].lanes = _mm256_permute2f128_pd(b, d, 0x31);
}

/// Largest of an accumulator and its four parts; NaN stays visible.
inline double largest(Pack<4> four, double one) { return max(max(max(four[0], four[1]), max(four[2], four[3])), one); }

/// Σ a b as the sum of four sums, over i = 0, 1, 2, 3 modulo 4.
template <class S, class A, class B>
[[gnu::always_inline]] inline S sum_of_products(int n, A a, B b) {
  S part[4] = {S(0.0), S(0.0), S(0.0), S(0.0)};
  int i = 0;
  if constexpr (std::is_same_v<S, double>) {
    Pack<4> four(0.0);
    for (; i + 4 <= n; i += 4) four = fma(a.template operator()<Pack<4>>(i), b.template operator()<Pack<4>>(i), four);
    for (int k = 0; k < 4; ++k) part[k] = four[k];
  } else {
    for (; i + 4 <= n; i += 4)
      for (int k = 0; k < 4; ++k)
        part[k] = fma(a.template operator()<S>(i + k), b.template operator()<S>(i + k), part[k]);
  }
  for (int k = 0; i < n; ++i, ++k) part[k] = fma(a.template operator()<S>(i), b.template operator()<S>(i), part[k]);
  return (part[0] + part[1]) + (part[2] + part[3]);
}

template <class T>
struct IsDual : std::false_type {};
template <class V>
struct IsDual<Dual<V>> : std::true_type {};

/// |value| of the entries at x.
template <class P, class S>
[[gnu::always_inline]] inline P size_of(const S* x) {
  if constexpr (std::is_same_v<P, ValueOf<S>>) {
    return abs(value_of(*x));
  } else {
    return abs(load_entries<P>(x));
  }
}
/// |value of a − b|.
template <class P, class S>
[[gnu::always_inline]] inline P size_of_difference(const S* a, const S* b) {
  if constexpr (std::is_same_v<P, ValueOf<S>>) {
    return abs(value_of(*a) - value_of(*b));
  } else {
    return abs(load_entries<P>(a) - load_entries<P>(b));
  }
}
/// for_entries over the values of entries: of a dual one by one.
template <class S, class F>
[[gnu::always_inline]] inline void for_values(int n, F f) {
  if constexpr (IsDual<S>::value) {
    for (int i = 0; i < n; ++i) f.template operator()<ValueOf<S>>(i);
  } else {
    for_entries<S>(n, f);
  }
}

/// Largest of what was added; NaN stays visible.
template <class V>
struct Largest {
  V one{0.0};
  Pack<4> four{0.0};
  void add(const V& x) { one = max(x, one); }
  void add(const Pack<4>& x)
    requires(!std::is_same_v<V, Pack<4>>)
  {
    four = max(x, four);
  }
  V value() const {
    if constexpr (std::is_same_v<V, double>) {
      return largest(four, one);
    } else {
      return one;
    }
  }
};

}  // namespace flexura
