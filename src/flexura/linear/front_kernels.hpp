#pragma once
// Arithmetic on dense fronts. A panel of s columns is stored by groups of four rows: element (i, k) at
// (i / 4) 4 s + 4 k + i % 4. Each element is a chain a − w₀ o₀ − w₁ o₁ − … in the order of the pivots, however the loops
// are cut: bits agree between double and lanes, and between shapes of tiles.

#include "flexura/linear/block_kernels.hpp"

/// For the bodies of each().
#define FLEXURA_INLINE __attribute__((always_inline))

namespace flexura::detail {

/// unroll(), with bodies that g++ 12 cannot but inline: in these long functions it gives up on its own.
template <int N, class F>
[[gnu::always_inline]] inline void each(F f) {
  [&]<int... I>(std::integer_sequence<int, I...>) FLEXURA_INLINE { (f(I), ...); }(std::make_integer_sequence<int, N>{});
}

/// How four rows are moved: as one pack of doubles, or as four values of lanes; and how many groups of four rows are
/// worked on at once, with four columns: 12 sums of doubles in 16 registers.
template <class V>
struct FrontShape {
  using Chunk = V;
  static constexpr int width = 1, chunks = 4, groups = 1;
};
template <>
struct FrontShape<double> {
  using Chunk = Pack<4>;
  static constexpr int width = 4, chunks = 1, groups = 3;
};

/// Runs of any length, inline, where std::copy calls memmove.
template <class V>
[[gnu::always_inline]] inline void copy_run(V* to, const V* from, int length) {
  using Chunk = typename FrontShape<V>::Chunk;
  constexpr int width = FrontShape<V>::width;
  int i = 0;
  for (; i + width <= length; i += width) store(to + i, load<Chunk>(from + i));
  for (; i < length; ++i) to[i] = from[i];
}
template <class V>
[[gnu::always_inline]] inline void add_run(V* to, const V* from, int length) {
  using Chunk = typename FrontShape<V>::Chunk;
  constexpr int width = FrontShape<V>::width;
  int i = 0;
  for (; i + width <= length; i += width) store(to + i, load<Chunk>(to + i) + load<Chunk>(from + i));
  for (; i < length; ++i) to[i] += from[i];
}

/// Four values as what moves them, without a way through memory.
[[gnu::always_inline]] inline void join(const double (&x)[4], Pack<4> (&out)[1]) {
  out[0] = Pack<4>(Pack<4>::Lanes{x[0], x[1], x[2], x[3]});
}
template <int W>
[[gnu::always_inline]] inline void join(const Pack<W> (&x)[4], Pack<W> (&out)[4]) {
  for (int i = 0; i < 4; ++i) out[i] = x[i];
}
/// Sum of four partial sums.
[[gnu::always_inline]] inline double total(const double* sum) {
  return PartialSums<4, double>{load<Pack<4>>(sum)}.total();
}
template <int W>
[[gnu::always_inline]] inline Pack<W> total(const Pack<W>* sum) {
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// A tile of 4 G rows and four columns.
template <int G, class V>
struct FrontTile {
  using Shape = FrontShape<V>;
  using Chunk = typename Shape::Chunk;
  static constexpr int chunks = G * Shape::chunks, width = Shape::width, rows = 4 * G;
  Chunk sum[chunks][4];

  [[gnu::always_inline]] void clear() {
    each<chunks>([&](int q) FLEXURA_INLINE { each<4>([&](int c) FLEXURA_INLINE { sum[q][c] = Chunk(0.0); }); });
  }
  /// Columns of `height` values.
  [[gnu::always_inline]] void read(const V* from, std::ptrdiff_t height) {
    each<chunks>([&](int q) FLEXURA_INLINE {
      each<4>([&](int c) FLEXURA_INLINE { sum[q][c] = load<Chunk>(from + c * height + q * width); });
    });
  }
  /// Asks for columns that are read and written next: they lie too far apart for the processor to guess.
  [[gnu::always_inline]] static void expect(const V* at, std::ptrdiff_t height) {
    each<4>([&](int c) FLEXURA_INLINE {
      __builtin_prefetch(at + c * height, 1);
      __builtin_prefetch(at + c * height + rows - 1, 1);
    });
  }
  [[gnu::always_inline]] void write(V* to, std::ptrdiff_t height) const {
    each<chunks>([&](int q) FLEXURA_INLINE {
      each<4>([&](int c) FLEXURA_INLINE { store(to + c * height + q * width, sum[q][c]); });
    });
  }
  /// sum(i, c) −= Σ_k work(i, k) other(c, k), k = 0 … n − 1: `work` by columns of the tile's rows, `other` a group of
  /// four rows of a panel.
  [[gnu::always_inline]] void subtract(const V* work, const V* other, int n) {
    Chunk a[chunks][4];
    each<chunks>([&](int q) FLEXURA_INLINE { each<4>([&](int c) FLEXURA_INLINE { a[q][c] = sum[q][c]; }); });
    for (int k = 0; k < n; ++k, work += rows, other += 4) {
      Chunk w[chunks];
      each<chunks>([&](int q) FLEXURA_INLINE { w[q] = load<Chunk>(work + q * width); });
      each<4>([&](int c) FLEXURA_INLINE {
        const Chunk o = spread<Chunk>(other[c]);
        each<chunks>([&](int q) FLEXURA_INLINE { a[q][c] = fnma(w[q], o, a[q][c]); });
      });
    }
    each<chunks>([&](int q) FLEXURA_INLINE { each<4>([&](int c) FLEXURA_INLINE { sum[q][c] = a[q][c]; }); });
  }
  /// The four columns against each other, other(c, p) being that of their own four rows; results go to `work`, and times
  /// the inverse pivots to the panel, `pivots` columns of them.
  [[gnu::always_inline]] void finish(V* work, const V* other, const V* inverse, V* panel, std::ptrdiff_t group,
                                     int pivots, int skipped = 0) {
    each<4>([&](int c) FLEXURA_INLINE {
      each<4>([&](int p) FLEXURA_INLINE {
        if (p >= c || c >= pivots) return;
        const Chunk o = spread<Chunk>(other[4 * p + c]);
        each<chunks>([&](int q) FLEXURA_INLINE { sum[q][c] = fnma(sum[q][p], o, sum[q][c]); });
      });
      each<chunks>([&](int q) FLEXURA_INLINE { store(work + c * rows + q * width, sum[q][c]); });
    });
    each<4>([&](int c) FLEXURA_INLINE {
      if (c >= pivots) return;
      const Chunk d = spread<Chunk>(inverse[c]);
      each<G>([&](int g) FLEXURA_INLINE {
        if (g < skipped) return;
        each<Shape::chunks>([&](int q) FLEXURA_INLINE {
          store(panel + g * group + 4 * c + q * width, sum[g * Shape::chunks + q][c] * d);
        });
      });
    });
  }
};

}  // namespace flexura::detail
