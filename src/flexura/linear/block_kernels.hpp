#pragma once
// Arithmetic on padded B × B blocks, stored by rows. Each element's operations and their order are those of the formula
// with its sum ascending, whatever is vectorised: bits agree between double, where a row is cut into packs, and lanes.

#include <cstring>
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
requires(B >= 3) struct BlockShape<B, double> {
  using Chunk = Pack<4>;
  static constexpr int width = 4, chunks = (B + 3) / 4, stride = 4 * chunks, size = B * stride;
};

template <class Chunk, class V>
[[gnu::always_inline]] inline Chunk load(const V* from) {
  Chunk out;
  std::memcpy(&out, from, sizeof(Chunk));
  return out;
}
template <class Chunk, class V>
[[gnu::always_inline]] inline void store(V* to, const Chunk& chunk) {
  std::memcpy(to, &chunk, sizeof(Chunk));
}

/// f(0) … f(N−1); small N as straight-line code, so that small blocks live in registers.
template <int N, class F>
[[gnu::always_inline]] inline void repeat(F f) {
  if constexpr (N <= 4) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (f(I), ...); }
    (std::make_integer_sequence<int, N>{});
  } else {
    for (int i = 0; i < N; ++i) f(i);
  }
}

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
    for (int i = 0; i < rows; ++i) {
      for (int q = first; q < n; ++q) sum[i][q] = load<Chunk>(target + (r + i) * s + q * Shape::width);
    }
    for (int m = 0; m < B; ++m) {
      Chunk factor[rows];
      for (int i = 0; i < rows; ++i) factor[i] = -Chunk(left[m * s + r + i]);
      for (int q = first; q < n; ++q) {
        const Chunk row = load<Chunk>(right + m * s + q * Shape::width);
        for (int i = 0; i < rows; ++i) sum[i][q] = fma(factor[i], row, sum[i][q]);
      }
    }
    for (int i = 0; i < rows; ++i) {
      for (int q = first; q < n; ++q) store(target + (r + i) * s + q * Shape::width, sum[i][q]);
    }
  };
  if constexpr (upper) {
    [&]<int... P>(std::integer_sequence<int, P...>) {
      (pass(P * rows, std::integral_constant<int, P * rows / Shape::width>{}), ...);
    }
    (std::make_integer_sequence<int, B / rows>{});
  } else {
    for (int r = 0; r < B; r += rows) pass(r, std::integral_constant<int, 0>{});
  }
}

/// Rows of a block right of (or, transposed, below) a diagonal block with unit triangle R(p, m), p < m:
/// work(m, ·) = block(m, ·) − Σ_{p<m} R(p, m) work(p, ·),   block(m, ·) ← work(m, ·) inverse(m).
template <int B, class V>
[[gnu::always_inline]] inline void eliminate_panel(V* block, V* work, const V* triangle, const V* inverse) {
  using Shape = BlockShape<B, V>;
  using Chunk = typename Shape::Chunk;
  constexpr int n = Shape::chunks, s = Shape::stride;
  for (int q = 0; q < n; ++q) {
    Chunk done[B];
    for (int m = 0; m < B; ++m) {
      Chunk sum = load<Chunk>(block + m * s + q * Shape::width);
      for (int p = 0; p < m; ++p) sum = fma(-Chunk(triangle[p * s + m]), done[p], sum);
      done[m] = sum;
      store(work + m * s + q * Shape::width, sum);
      store(block + m * s + q * Shape::width, sum * Chunk(inverse[m]));
    }
  }
}

/// target(c) −= Σ_m block(m, c) z(m).
template <int B, class V>
[[gnu::always_inline]] inline void subtract_transposed(V* target, const V* block, const V* z) {
  using Shape = BlockShape<B, V>;
  using Chunk = typename Shape::Chunk;
  constexpr int n = Shape::chunks, s = Shape::stride;
  Chunk sum[n];
  for (int q = 0; q < n; ++q) sum[q] = load<Chunk>(target + q * Shape::width);
  for (int m = 0; m < B; ++m) {
    const Chunk factor = -Chunk(z[m]);
    for (int q = 0; q < n; ++q) sum[q] = fma(factor, load<Chunk>(block + m * s + q * Shape::width), sum[q]);
  }
  for (int q = 0; q < n; ++q) store(target + q * Shape::width, sum[q]);
}

/// sum(m) += |left(·, m)|·|right(·, m)|: the size of what a diagonal element has been eliminated from.
template <int B, class V>
inline void add_sizes(V* sum, const V* left, const V* right) {
  constexpr int s = BlockShape<B, V>::stride;
  for (int m = 0; m < B; ++m) {
    for (int p = 0; p < B; ++p) sum[m] += abs(left[p * s + m] * right[p * s + m]);
  }
}

}  // namespace flexura::detail
