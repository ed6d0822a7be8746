#pragma once
// A = L D U by blocks, without pivoting, in the order of a ValueLayout; L and U have unit diagonals. For a symmetric
// matrix U = Lᵀ and only U is kept.
//
// Row k:  diagonal block      A_kk = L_kk D_k U_kk,  element by element
//         panels, j > k       W_kj = L_kk⁻¹ A_kj,       U_kj = D_k⁻¹ W_kj
//                             V_kj = U_kk⁻ᵀ A_jkᵀ,      L_jkᵀ = D_k⁻¹ V_kj     (symmetric: V = W)
//         updates, i, j > k   A_ij −= V_kiᵀ U_kj,       for a block below the diagonal  A_jiᵀ −= W_kiᵀ L_jkᵀ
//
// Lower blocks are stored transposed, so both halves run through the same kernels, and a transposed solve only swaps
// them.

#include <algorithm>
#include <span>
#include <vector>

#include "flexura/linear/block_factor_base.hpp"
#include "flexura/linear/block_kernels.hpp"
#include "flexura/linear/pivots.hpp"

namespace flexura::detail {

template <int B, class V, bool symmetric>
class BlockFactor final : public AnyBlockFactor<V> {
 public:
  explicit BlockFactor(const ValueLayout& layout) : layout_(layout) {
    BlockFactor::rebind(FactorStructure(layout.graph()));
  }
  FactorReport<V> factor(std::span<const V> values) override;
  void solve(V* y, int step, bool transposed) override;
  void multiplier_pivots(V* out) const override;
  bool rebind(const FactorStructure& structure) override;

 private:
  using Shape = BlockShape<B, V>;
  static constexpr int stride = Shape::stride, size = Shape::size;

  void copy_row(int k, const V* values);
  template <bool constraint>
  void eliminate_diagonal(int k, const V* values, V (&inverse)[B], Pivots<V>& pivots);
  void name_redundant(int k, const MaskOf<V>* redundant);
  void eliminate_panels(int k, const V (&inverse)[B]);
  void update_off_diagonal(int k);
  void forward(V* y, const V* half) const;
  void backward(V* y, const V* half) const;
  void subtract_row(V (&x)[B], const V* y, const V* block, std::int64_t first, std::int64_t last) const;

  // Row k of either half: diagonal block, then the blocks of structure_.column[start[k] .. start[k+1]].
  std::ptrdiff_t diagonal(int k) const { return (k + structure_.start[k]) * size; }
  V* lower() { return symmetric ? upper_.data() : lower_.data(); }
  V* lower_work() { return symmetric ? upper_work_.data() : lower_work_.data(); }

  const ValueLayout& layout_;
  FactorStructure structure_;
  bool in_place_;  ///< y has the layout of work_: natural order, full blocks
  std::vector<V> upper_, lower_, inverse_, upper_work_, lower_work_, work_;
  std::vector<int> scale_row_;  ///< by position, −1 unless a constraint
  std::vector<V> scale_;        ///< Σ|l c| of each multiplier's pivot
  std::vector<RedundantRow<V>> redundant_rows_;
};

template <int B, class V, bool symmetric>
bool BlockFactor<B, V, symmetric>::rebind(const FactorStructure& structure) {
  structure_ = structure;
  const ValueLayout& layout = layout_;
  const int n = layout.rows();
  const std::size_t blocks = n + structure_.column.size();
  std::int64_t longest = 0;
  for (int k = 0; k < n; ++k) longest = std::max(longest, structure_.start[k + 1] - structure_.start[k]);
  upper_.resize(blocks * size);
  upper_work_.resize(longest * size);
  if (!symmetric) {
    lower_.resize(blocks * size);
    lower_work_.resize(longest * size);
  }
  inverse_.resize(static_cast<std::size_t>(n) * B);
  work_.resize(static_cast<std::size_t>(n) * stride, V(0.0));
  in_place_ = stride == B;
  int constraints = 0, multipliers = 0;
  scale_row_.assign(n, -1);
  for (int k = 0; k < n; ++k) {
    in_place_ = in_place_ && layout.first[k] == k * B && layout.sizes[k] == B;
    if (!layout.constraint[k]) continue;
    scale_row_[k] = constraints++;
    multipliers += layout.sizes[k];
  }
  scale_.resize(static_cast<std::size_t>(constraints) * B);
  redundant_rows_.reserve(multipliers);
  return true;
}

template <int B, class V, bool symmetric>
FactorReport<V> BlockFactor<B, V, symmetric>::factor(std::span<const V> values) {
  Pivots<V> pivots;
  redundant_rows_.clear();
  std::fill(scale_.begin(), scale_.end(), V(0.0));
  int copied = 0;
  for (int k = 0; k < layout_.rows(); ++k) {
    const auto end = structure_.start[k + 1];
    const int last = structure_.start[k] == end ? k : structure_.column[end - 1];
    while (copied <= last)
      copy_row(copied++, values.data());  // just before its first update, so that it stays in cache
    V inverse[B];
    if (scale_row_[k] >= 0) [[unlikely]] {
      eliminate_diagonal<true>(k, values.data(), inverse, pivots);
    } else {
      eliminate_diagonal<false>(k, values.data(), inverse, pivots);
    }
    eliminate_panels(k, inverse);
    if (structure_.start[k] + 1 < end) update_off_diagonal(k);
  }
  return {pivots.ok(), V(1.0) / pivots.growth, pivots.negative, redundant_rows_};
}

template <int B, class V, bool symmetric>
void BlockFactor<B, V, symmetric>::copy_row(int k, const V* values) {
  V* upper = upper_.data() + diagonal(k);
  V* lower = symmetric ? nullptr : lower_.data() + diagonal(k);
  copy_block<B>(upper, values + layout_.diagonal_offset(k));
  for (int r = layout_.sizes[k]; r < B; ++r) upper[r * (stride + 1)] = V(1.0);
  int a = layout_.start[k];
  for (auto b = structure_.start[k]; b < structure_.start[k + 1]; ++b) {
    upper += size;
    if constexpr (!symmetric) lower += size;
    if (a < layout_.start[k + 1] && layout_.column[a] == structure_.column[b]) {
      copy_block<B>(upper, values + layout_.upper_offset(k, a));
      if constexpr (!symmetric) copy_block<B>(lower, values + layout_.lower_offset(a));
      ++a;
    } else {
      std::fill(upper, upper + size, V(0.0));
      if constexpr (!symmetric) std::fill(lower, lower + size, V(0.0));
    }
  }
}

template <int B, class V, bool symmetric>
template <bool constraint>
[[gnu::always_inline]] inline void BlockFactor<B, V, symmetric>::eliminate_diagonal(int k, const V* values,
                                                                                    V (&inverse)[B],
                                                                                    Pivots<V>& pivots) {
  V* upper = upper_.data() + diagonal(k);
  V* lower = symmetric ? nullptr : lower_.data() + diagonal(k);
  const V* original = values + layout_.diagonal_offset(k);
  [[maybe_unused]] V* scale = constraint ? scale_.data() + static_cast<std::ptrdiff_t>(scale_row_[k]) * B : nullptr;
  V* kept = inverse_.data() + static_cast<std::ptrdiff_t>(k) * B;
  MaskOf<V> redundant[B];

  V reference[B];
  const auto refer = [&](int r, V start) __attribute__((always_inline)) {
    reference[r] = larger(abs(start), abs(original[r * (stride + 1)]));
  };
  const auto invert = [&](int p, V pivot) __attribute__((always_inline)) {
    const V eliminated = constraint ? larger(scale[p], reference[p]) : reference[p];
    return kept[p] = inverse[p] = pivots.template invert<constraint>(pivot, eliminated, redundant[p]);
  };
  if constexpr (B <= 4) {  // all elements in registers
    V a[B][B];
    repeat<B>([&](int r) {
      for (int c = symmetric ? r : 0; c < B; ++c) {
        a[r][c] = upper[r * stride + c];
        keep_apart(a[r][c]);
      }
      refer(r, a[r][r]);
    });
    repeat<B>([&](int p) {
      const V quotient = invert(p, a[p][p]);
      V scaled[B];
      for (int c = p + 1; c < B; ++c) {
        scaled[c] = a[p][c] * quotient;
        keep_apart(scaled[c]);
        upper[p * stride + c] = scaled[c];
      }
      for (int r = p + 1; r < B; ++r) {
        const V left = symmetric ? a[p][r] : a[r][p];
        if constexpr (!symmetric) lower[p * stride + r] = left * quotient;
        if constexpr (constraint) scale[r] += abs(left * scaled[r]);
        for (int c = symmetric ? r : p + 1; c < B; ++c) {
          a[r][c] = fnma(left * a[p][c], quotient, a[r][c]);  // the product is ready before the quotient
          keep_apart(a[r][c]);
        }
      }
    });
  } else {  // row by row in place
    using Chunk = typename Shape::Chunk;
    constexpr int width = Shape::width;
    for (int r = 0; r < B; ++r) refer(r, upper[r * (stride + 1)]);
    for (int p = 0; p < B; ++p) {
      const V quotient = invert(p, upper[p * stride + p]);
      Chunk scaled[Shape::chunks];
      V left[B];
      for (int r = p + 1; r < B; ++r) left[r] = symmetric ? upper[p * stride + r] : upper[r * stride + p];
      for (int q = p / width; q < Shape::chunks; ++q) {
        scaled[q] = load<Chunk>(upper + p * stride + q * width) * spread<Chunk>(quotient);
        store(upper + p * stride + q * width, scaled[q]);
      }
      for (int r = p + 1; r < B; ++r) {
        if constexpr (!symmetric) lower[p * stride + r] = left[r] * quotient;
        if constexpr (constraint) scale[r] += abs(left[r] * upper[p * stride + r]);
        for (int q = (symmetric ? r : p + 1) / width; q < Shape::chunks; ++q) {
          V* row = upper + r * stride + q * width;
          store(row, fnma(spread<Chunk>(left[r]), scaled[q], load<Chunk>(row)));
        }
      }
    }
  }
  if constexpr (constraint) name_redundant(k, redundant);
}

template <int B, class V, bool symmetric>
void BlockFactor<B, V, symmetric>::name_redundant(int k, const MaskOf<V>* redundant) {
  for (int m = 0; m < layout_.sizes[k]; ++m) {
    if (any(redundant[m])) redundant_rows_.push_back({layout_.first[k] + m, redundant[m]});
  }
}

template <int B, class V, bool symmetric>
void BlockFactor<B, V, symmetric>::multiplier_pivots(V* out) const {
  for (int k = 0; k < layout_.rows(); ++k) {
    if (scale_row_[k] < 0) continue;
    for (int m = 0; m < layout_.sizes[k]; ++m) {
      const V inverse = abs(inverse_[static_cast<std::ptrdiff_t>(k) * B + m]);
      out[layout_.first[k] + m] = select(inverse > V(0.0), V(1.0) / max(inverse, V(1e-300)), V(0.0));
    }
  }
}

/// The panels of row k, and what each subtracts from the diagonal block in its column.
template <int B, class V, bool symmetric>
[[gnu::always_inline]] inline void BlockFactor<B, V, symmetric>::eliminate_panels(int k, const V (&inverse)[B]) {
  const auto first = structure_.start[k];
  const auto count = structure_.start[k + 1] - first;
  V* upper_k = upper_.data() + diagonal(k);
  V* lower_k = lower() + diagonal(k);
  for (std::int64_t b = 0; b < count; ++b) {
    const int i = structure_.column[first + b];
    V* target = upper_.data() + diagonal(i);
    V* left = lower_work() + b * size;
    V* block = upper_k + (b + 1) * size;
    if constexpr (symmetric) {
      eliminate_panel_and_update<B>(block, left, upper_k, inverse, target);
    } else {
      eliminate_panel<B>(lower_k + (b + 1) * size, left, upper_k, inverse);
      eliminate_panel<B>(block, upper_work_.data() + b * size, lower_k, inverse);
      subtract_product<B, V, false>(target, left, block);
    }
    if (scale_row_[i] >= 0) [[unlikely]]
      add_sizes<B>(scale_.data() + std::ptrdiff_t{scale_row_[i]} * B, left, block);
  }
}

template <int B, class V, bool symmetric>
void BlockFactor<B, V, symmetric>::update_off_diagonal(int k) {
  const auto first = structure_.start[k];
  const auto count = structure_.start[k + 1] - first;
  const V* upper_k = upper_.data() + diagonal(k) + size;
  const V* lower_k = symmetric ? nullptr : lower_.data() + diagonal(k) + size;
  for (std::int64_t bi = 0; bi + 1 < count; ++bi) {
    const int i = structure_.column[first + bi];
    const std::ptrdiff_t row = diagonal(i);
    const V* left = lower_work() + bi * size;
    // Columns of row k right of i are among the columns of row i.
    auto t = structure_.start[i];
    for (std::int64_t bj = bi + 1; bj < count; ++bj, ++t) {
      while (structure_.column[t] != structure_.column[first + bj]) ++t;
      const std::ptrdiff_t target = row + (1 + t - structure_.start[i]) * size;
      subtract_product<B, V, false>(upper_.data() + target, left, upper_k + bj * size);
      if constexpr (!symmetric) {
        subtract_product<B, V, false>(lower_.data() + target, upper_work_.data() + bi * size, lower_k + bj * size);
      }
    }
  }
}

template <int B, class V, bool symmetric>
void BlockFactor<B, V, symmetric>::solve(V* y, int step, bool transposed) {
  const V* first = (transposed || symmetric ? upper_ : lower_).data();
  const V* second = (transposed && !symmetric ? lower_ : upper_).data();
  if (in_place_ && step == 1) {
    forward(y, first);
    backward(y, second);
    return;
  }
  const int n = layout_.rows();
  for (int k = 0; k < n; ++k) {
    V* own = work_.data() + k * std::ptrdiff_t{stride};
    for (int m = 0; m < layout_.sizes[k]; ++m) own[m] = y[(layout_.first[k] + m) * step];
    for (int m = layout_.sizes[k]; m < stride; ++m) own[m] = V(0.0);  // a solution with NaN leaves NaN here
  }
  forward(work_.data(), first);
  backward(work_.data(), second);
  for (int k = 0; k < n; ++k) {
    for (int m = 0; m < layout_.sizes[k]; ++m) y[(layout_.first[k] + m) * step] = work_[k * std::ptrdiff_t{stride} + m];
  }
}

/// y ← L⁻¹ y.
template <int B, class V, bool symmetric>
void BlockFactor<B, V, symmetric>::forward(V* y, const V* half) const {
  const int n = layout_.rows();
  for (int k = 0; k < n; ++k) {
    V* own = y + std::ptrdiff_t{k} * stride;
    const V* block = half + diagonal(k);
    V z[B];
    unroll<B>([&](int m) { z[m] = own[m]; });
    unroll<B>([&](int p) {
      for (int m = p + 1; m < B; ++m) {
        z[m] = fnma(block[p * stride + m], z[p], z[m]);
        if (B > 4) keep_apart(z[m]);
      }
    });
    unroll<B>([&](int m) { own[m] = z[m]; });
    for (auto b = structure_.start[k]; b < structure_.start[k + 1]; ++b) {
      block += size;
      subtract_transposed<B>(y + std::ptrdiff_t{structure_.column[b]} * stride, block, z);
    }
  }
}

/// y ← U⁻¹ D⁻¹ y.
template <int B, class V, bool symmetric>
void BlockFactor<B, V, symmetric>::backward(V* y, const V* half) const {
  for (int k = layout_.rows() - 1; k >= 0; --k) {
    V* own = y + std::ptrdiff_t{k} * stride;
    const V* triangle = half + diagonal(k);
    const V* inverse = inverse_.data() + std::ptrdiff_t{k} * B;
    V x[B];
    unroll<B>([&](int m) { x[m] = own[m] * inverse[m]; });
    subtract_row(x, y, triangle + size, structure_.start[k], structure_.start[k + 1]);
    unroll<B>([&](int i) {
      const int m = B - 1 - i;
      for (int p = m - 1; p >= 0; --p) {
        x[p] = fnma(triangle[p * stride + m], x[m], x[p]);
        if (B > 4) keep_apart(x[p]);
      }
    });
    unroll<B>([&](int m) { own[m] = x[m]; });
  }
}

/// x −= Σ_b block_b y(column of b), b = first … last − 1.
template <int B, class V, bool symmetric>
[[gnu::always_inline]] inline void BlockFactor<B, V, symmetric>::subtract_row(V (&x)[B], const V* y, const V* block,
                                                                              std::int64_t first,
                                                                              std::int64_t last) const {
  const auto other = [&](std::int64_t b) { return y + std::ptrdiff_t{structure_.column[b]} * stride; };
  if constexpr (B <= 4) {
    for (auto b = first; b < last; ++b, block += size) {
      const V* solved = other(b);
      // Descending: the elements of a block that are solved last come last, for a short chain of dependences.
      unroll<B>([&](int i) {
        const int c = B - 1 - i;
        for (int m = 0; m < B; ++m) x[m] = fnma(block[m * stride + c], solved[c], x[m]);
      });
    }
  } else if (first < last) {
    // Four partial sums per row, of the columns c = 0, 1, 2, 3 modulo 4: for doubles the elements of one pack.
    constexpr int rows = std::is_same_v<typename Shape::Chunk, V> ? 3 : B;
    for (int top = 0; top < B; top += rows) {
      PartialSums<B, V> sum[rows] = {};
      const V* from = block + top * stride;
      for (auto b = first; b < last; ++b, from += size) {
        const V* solved = other(b);
        unroll<(B + 3) / 4>(
            [&](int q) { unroll<rows>([&](int m) { sum[m].add_products(q, from + m * stride, solved); }); });
      }
      unroll<rows>([&](int m) { x[top + m] = x[top + m] - sum[m].total(); });
    }
  }
}

}  // namespace flexura::detail
