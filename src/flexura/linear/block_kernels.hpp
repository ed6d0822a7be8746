#pragma once
// Arithmetic on padded B × B blocks, stored by rows. Each element's operations and their order are those of the formula
// with its sum ascending, whatever is vectorised: bits agree between double, where a row is cut into packs, and lanes.

#include <type_traits>
#include <utility>

#include "flexura/math/scalar.hpp"

namespace flexura::detail {

/// How a row of B values is moved: one value at a time (lanes; tiny blocks) or four doubles at a time.
template <int B, class V>
struct BlockShape {
  using Chunk = V;
  static constexpr int width = 1, chunks = B, stride = B, size = B * B;
};
template <int B>
  requires(B >= 3)
struct BlockShape<B, double> {
  using Chunk = Pack<4>;
  static constexpr int width = 4, chunks = (B + 3) / 4, stride = 4 * chunks, size = B * stride;
};

// Rows of doubles start at any multiple of 8 bytes in the caller's array. (Through memcpy g++ 12 moves a row in halves.)
template <class Chunk, class V>
[[gnu::always_inline]] inline Chunk load(const V* from) {
  if constexpr (std::is_same_v<Chunk, V>) {
    return *from;
  } else {
    return Chunk(typename Chunk::Lanes(_mm256_loadu_pd(from)));
  }
}
template <class Chunk, class V>
[[gnu::always_inline]] inline void store(V* to, const Chunk& chunk) {
  if constexpr (std::is_same_v<Chunk, V>) {
    *to = chunk;
  } else {
    _mm256_storeu_pd(to, chunk.lanes);
  }
}
/// A row of equal values.
template <class Chunk, class V>
[[gnu::always_inline]] inline Chunk spread(const V& x) {
  if constexpr (std::is_same_v<Chunk, V>) {
    return x;
  } else {
    return Chunk(typename Chunk::Lanes(_mm256_set1_pd(x)));
  }
}

/// c − a b, rounded once.
[[gnu::always_inline]] inline double fnma(double a, double b, double c) { return __builtin_fma(-a, b, c); }
template <int W>
[[gnu::always_inline]] inline Pack<W> fnma(Pack<W> a, Pack<W> b, Pack<W> c) {
  if constexpr (W == 4) {
    return Pack<W>(typename Pack<W>::Lanes(_mm256_fnmadd_pd(a.lanes, b.lanes, c.lanes)));
  } else {
    return fma(-a, b, c);
  }
}

/// f(0) … f(N−1) as straight-line code, so that local arrays become registers.
template <int N, class F>
[[gnu::always_inline]] inline void unroll(F f) {
  [&]<int... I>(std::integer_sequence<int, I...>) { (f(I), ...); }(std::make_integer_sequence<int, N>{});
}
/// The same for small N only.
template <int N, class F>
[[gnu::always_inline]] inline void repeat(F f) {
  if constexpr (N <= 4) {
    unroll<N>(f);
  } else {
    for (int i = 0; i < N; ++i) f(i);
  }
}

/// Inline, where std::copy calls memmove.
template <int B, class V>
[[gnu::always_inline]] inline void copy_block(V* to, const V* from) {
  using Chunk = typename BlockShape<B, V>::Chunk;
  unroll<(B <= 4 ? B : 1)>([&](int r) {
    constexpr int rows = B <= 4 ? 1 : B, width = BlockShape<B, V>::width;
    for (int i = r * BlockShape<B, V>::stride; i < (r + rows) * BlockShape<B, V>::stride; i += width) {
      store(to + i, load<Chunk>(from + i));
    }
  });
}

/// Larger of two; a NaN may be lost.
template <class V>
[[gnu::always_inline]] inline V larger(V a, V b) {
  return select(a > b, a, b);
}

/// Keeps the compiler from packing doubles that are links of one chain of dependences: moving them between vector
/// elements costs more than is saved.
[[gnu::always_inline]] inline void keep_apart(double& x) { asm("" : "+x"(x)); }
template <int W>
[[gnu::always_inline]] inline void keep_apart(Pack<W>&) {}

/// target(r, c) −= Σ_m left(m, r) right(m, c); with `upper`, at least where c ≥ r.
template <int B, class V, bool upper>
[[gnu::always_inline]] inline void subtract_product(V* target, const V* left, const V* right) {
  using Shape = BlockShape<B, V>;
  using Chunk = typename Shape::Chunk;
  constexpr int n = Shape::chunks, s = Shape::stride;
  // Rows per pass: as many as keep their sums in 16 registers.
  constexpr int rows = n == 1 ? B : n == 2 ? (B % 3 == 0 ? 3 : B) : n == 3 ? 3 : n == 4 ? 2 : 1;
  static_assert(B % rows == 0);
  const auto pass = [&](int r, auto start) {
    constexpr int first = start;
    Chunk sum[rows][n];
    unroll<rows>([&](int i) {
      unroll<n - first>([&](int q) { sum[i][q] = load<Chunk>(target + (r + i) * s + (first + q) * Shape::width); });
    });
    for (int m = 0; m < B; ++m) {
      Chunk factor[rows];
      unroll<rows>([&](int i) { factor[i] = spread<Chunk>(left[m * s + r + i]); });
      unroll<n - first>([&](int q) {
        const Chunk row = load<Chunk>(right + m * s + (first + q) * Shape::width);
        unroll<rows>([&](int i) { sum[i][q] = fnma(factor[i], row, sum[i][q]); });
      });
    }
    unroll<rows>([&](int i) {
      unroll<n - first>([&](int q) { store(target + (r + i) * s + (first + q) * Shape::width, sum[i][q]); });
    });
  };
  if constexpr (upper) {
    [&]<int... P>(std::integer_sequence<int, P...>) {
      (pass(P * rows, std::integral_constant<int, P * rows / Shape::width>{}), ...);
    }(std::make_integer_sequence<int, B / rows>{});
  } else {
    for (int r = 0; r < B; r += rows) pass(r, std::integral_constant<int, 0>{});
  }
}

/// Rows of a block right of (or, transposed, below) a diagonal block with unit triangle R(p, m), p < m:
/// work(m, ·) = block(m, ·) − Σ_{p<m} R(p, m) work(p, ·),   block(m, ·) ← work(m, ·) inverse(m).
template <int B, class V>
[[gnu::always_inline]] inline void eliminate_panel(V* block, V* work, const V* triangle, const V (&inverse)[B]) {
  using Shape = BlockShape<B, V>;
  using Chunk = typename Shape::Chunk;
  constexpr int n = Shape::chunks, s = Shape::stride;
  for (int q = 0; q < n; ++q) {
    Chunk done[B];
    repeat<B>([&](int m) {
      Chunk sum = load<Chunk>(block + m * s + q * Shape::width);
      for (int p = 0; p < m; ++p) sum = fnma(spread<Chunk>(triangle[p * s + m]), done[p], sum);
      done[m] = sum;
      store(work + m * s + q * Shape::width, sum);
      store(block + m * s + q * Shape::width, sum * spread<Chunk>(inverse[m]));
    });
  }
}

/// eliminate_panel and then subtract_product<upper>(target, work, block): a row of one chunk stays in registers between,
/// which is on the critical path of a chain.
template <int B, class V>
[[gnu::always_inline]] inline void eliminate_panel_and_update(V* block, V* work, const V* triangle,
                                                              const V (&inverse)[B], V* target) {
  using Shape = BlockShape<B, V>;
  using Chunk = typename Shape::Chunk;
  if constexpr (Shape::chunks == 1) {
    constexpr int s = Shape::stride;
    Chunk done[B], scaled[B];
    repeat<B>([&](int m) {
      Chunk sum = load<Chunk>(block + m * s);
      for (int p = 0; p < m; ++p) sum = fnma(spread<Chunk>(triangle[p * s + m]), done[p], sum);
      done[m] = sum;
      scaled[m] = sum * spread<Chunk>(inverse[m]);
      store(work + m * s, done[m]);
      store(block + m * s, scaled[m]);
    });
    Chunk sum[B];
    repeat<B>([&](int r) { sum[r] = load<Chunk>(target + r * s); });
    repeat<B>([&](int m) {
      for (int r = 0; r < B; ++r) sum[r] = fnma(spread<Chunk>(work[m * s + r]), scaled[m], sum[r]);
    });
    repeat<B>([&](int r) { store(target + r * s, sum[r]); });
  } else {
    eliminate_panel<B>(block, work, triangle, inverse);
    subtract_product<B, V, true>(target, work, block);
  }
}

/// target(c) −= Σ_m block(m, c) z(m).
template <int B, class V>
[[gnu::always_inline]] inline void subtract_transposed(V* target, const V* block, const V* z) {
  using Shape = BlockShape<B, V>;
  using Chunk = typename Shape::Chunk;
  constexpr int n = Shape::chunks, s = Shape::stride;
  Chunk sum[n];
  unroll<n>([&](int q) { sum[q] = load<Chunk>(target + q * Shape::width); });
  repeat<B>([&](int m) {
    const Chunk factor = spread<Chunk>(z[m]);
    unroll<n>([&](int q) { sum[q] = fnma(factor, load<Chunk>(block + m * s + q * Shape::width), sum[q]); });
  });
  unroll<n>([&](int q) { store(target + q * Shape::width, sum[q]); });
}

/// Σ_c a(c) b(c) as four sums, of c = 0, 1, 2, 3 modulo 4.
template <int B, class V>
struct PartialSums {
  V part[4];
  /// Adds the terms c = 4q … 4q + 3.
  [[gnu::always_inline]] void add_products(int q, const V* a, const V* b) {
    unroll<4>([&](int l) {
      if (4 * q + l < B) part[l] = fma(a[4 * q + l], b[4 * q + l], part[l]);
    });
  }
  V total() const { return (part[0] + part[1]) + (part[2] + part[3]); }
};
template <int B>
struct PartialSums<B, double> {
  Pack<4> part;
  [[gnu::always_inline]] void add_products(int q, const double* a, const double* b) {
    part = fma(load<Pack<4>>(a + 4 * q), load<Pack<4>>(b + 4 * q), part);
  }
  double total() const {
    const __m256d pairs = _mm256_hadd_pd(part.lanes, part.lanes);  // 0+1, 0+1, 2+3, 2+3
    return _mm_cvtsd_f64(_mm_add_sd(_mm256_castpd256_pd128(pairs), _mm256_extractf128_pd(pairs, 1)));
  }
};

/// sum(m) += |left(·, m)|·|right(·, m)|: the size of what a diagonal element has been eliminated from.
template <int B, class V>
inline void add_sizes(V* sum, const V* left, const V* right) {
  constexpr int s = BlockShape<B, V>::stride;
  for (int m = 0; m < B; ++m) {
    for (int p = 0; p < B; ++p) sum[m] += abs(left[p * s + m] * right[p * s + m]);
  }
}

}  // namespace flexura::detail
