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
#include <limits>
#include <span>
#include <vector>

#include "flexura/linear/block_factor_base.hpp"
#include "flexura/linear/block_kernels.hpp"

namespace flexura::detail {

/// A multiplier's pivot this much smaller than what it was eliminated from belongs to a redundant constraint.
inline constexpr double redundant_ratio = 1e-11;
/// Below this ratio a pivot holds nothing but rounding errors.
inline constexpr double worthless_ratio = 16 * std::numeric_limits<double>::epsilon();

template <int B, class V, bool symmetric>
class BlockFactor final : public AnyBlockFactor<V> {
 public:
  explicit BlockFactor(const ValueLayout& layout);
  FactorReport<V> factor(std::span<const V> values) override;
  void solve(V* y, int step, bool transposed) override;

 private:
  using Shape = BlockShape<B, V>;
  static constexpr int stride = Shape::stride, size = Shape::size;

  void copy_row(int k, const V* values);
  template <bool constraint>
  void eliminate_diagonal(int k, const V* values);
  void name_redundant(int k, const MaskOf<V>* aside);
  void eliminate_row(int k);
  void update_from_row(int k);
  void forward(V* y, const V* half) const;
  void backward(V* y, const V* half) const;

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
  std::vector<SetAside<V>> set_aside_;
  V growth_, poison_, negative_;
};

template <int B, class V, bool symmetric>
BlockFactor<B, V, symmetric>::BlockFactor(const ValueLayout& layout) : layout_(layout), structure_(layout.graph()) {
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
  set_aside_.reserve(multipliers);
}

template <int B, class V, bool symmetric>
FactorReport<V> BlockFactor<B, V, symmetric>::factor(std::span<const V> values) {
  growth_ = V(1.0);
  poison_ = negative_ = V(0.0);
  set_aside_.clear();
  std::fill(scale_.begin(), scale_.end(), V(0.0));
  int copied = 0;
  for (int k = 0; k < layout_.rows(); ++k) {
    const auto end = structure_.start[k + 1];
    const int last = structure_.start[k] == end ? k : structure_.column[end - 1];
    while (copied <= last)
      copy_row(copied++, values.data());  // just before its first update, so that it stays in cache
    if (scale_row_[k] >= 0) {
      eliminate_diagonal<true>(k, values.data());
    } else {
      eliminate_diagonal<false>(k, values.data());
    }
    eliminate_row(k);
    update_from_row(k);
  }
  const MaskOf<V> finite = poison_ == V(0.0), strong = growth_ < V(1.0 / worthless_ratio);
  return {MaskOf<V>(finite & strong), V(1.0) / growth_, negative_, set_aside_};
}

template <int B, class V, bool symmetric>
void BlockFactor<B, V, symmetric>::copy_row(int k, const V* values) {
  const auto copy = [](V* to, const V* from) { std::copy(from, from + size, to); };
  V* upper = upper_.data() + diagonal(k);
  V* lower = symmetric ? nullptr : lower_.data() + diagonal(k);
  copy(upper, values + layout_.diagonal_offset(k));
  for (int r = layout_.sizes[k]; r < B; ++r) upper[r * (stride + 1)] = V(1.0);
  int a = layout_.start[k];
  for (auto b = structure_.start[k]; b < structure_.start[k + 1]; ++b) {
    upper += size;
    if constexpr (!symmetric) lower += size;
    if (a < layout_.start[k + 1] && layout_.column[a] == structure_.column[b]) {
      copy(upper, values + layout_.upper_offset(k, a));
      if constexpr (!symmetric) copy(lower, values + layout_.lower_offset(a));
      ++a;
    } else {
      std::fill(upper, upper + size, V(0.0));
      if constexpr (!symmetric) std::fill(lower, lower + size, V(0.0));
    }
  }
}

template <int B, class V, bool symmetric>
template <bool constraint>
void BlockFactor<B, V, symmetric>::eliminate_diagonal(int k, const V* values) {
  V* upper = upper_.data() + diagonal(k);
  V* lower = symmetric ? nullptr : lower_.data() + diagonal(k);
  V* inverses = inverse_.data() + static_cast<std::ptrdiff_t>(k) * B;
  const V* original = values + layout_.diagonal_offset(k);
  [[maybe_unused]] V* scale = constraint ? scale_.data() + static_cast<std::ptrdiff_t>(scale_row_[k]) * B : nullptr;
  [[maybe_unused]] MaskOf<V> aside[B];

  V a[B][B], reference[B];
  repeat<B>([&](int r) {
    for (int c = symmetric ? r : 0; c < B; ++c) a[r][c] = upper[r * stride + c];
    reference[r] = max(abs(a[r][r]), abs(original[r * (stride + 1)]));
  });
  repeat<B>([&](int p) {
    const V pivot = a[p][p];
    V inverse = V(1.0) / pivot;
    if constexpr (constraint) {
      scale[p] = max(scale[p], reference[p]);
      aside[p] = abs(pivot) <= V(redundant_ratio) * scale[p];
      inverse = select(aside[p], V(0.0), inverse);
      growth_ = max(abs(inverse) * scale[p], growth_);
      poison_ = fma(pivot, V(0.0), fma(inverse, V(0.0), poison_));
      negative_ += select(inverse < V(0.0), V(1.0), V(0.0));
    } else {
      growth_ = max(abs(inverse) * reference[p], growth_);
      poison_ = fma(pivot, V(0.0), fma(inverse, V(0.0), poison_));
      negative_ += select(pivot < V(0.0), V(1.0), V(0.0));
    }
    inverses[p] = inverse;
    V scaled[B];
    for (int c = p + 1; c < B; ++c) {
      scaled[c] = a[p][c] * inverse;
      upper[p * stride + c] = scaled[c];
    }
    for (int r = p + 1; r < B; ++r) {
      const V left = symmetric ? a[p][r] : a[r][p];
      if constexpr (!symmetric) lower[p * stride + r] = left * inverse;
      if constexpr (constraint) scale[r] += abs(left * scaled[r]);
      for (int c = symmetric ? r : p + 1; c < B; ++c) a[r][c] = fma(-left, scaled[c], a[r][c]);
    }
  });
  if constexpr (constraint) name_redundant(k, aside);
}

template <int B, class V, bool symmetric>
void BlockFactor<B, V, symmetric>::name_redundant(int k, const MaskOf<V>* aside) {
  for (int m = 0; m < layout_.sizes[k]; ++m) {
    if (any(aside[m])) set_aside_.push_back({layout_.first[k] + m, aside[m]});
  }
}

template <int B, class V, bool symmetric>
void BlockFactor<B, V, symmetric>::eliminate_row(int k) {
  const std::ptrdiff_t row = diagonal(k);
  const V* inverse = inverse_.data() + static_cast<std::ptrdiff_t>(k) * B;
  const auto count = structure_.start[k + 1] - structure_.start[k];
  for (std::int64_t b = 0; b < count; ++b) {
    const std::ptrdiff_t block = row + (b + 1) * size;
    eliminate_panel<B>(upper_.data() + block, upper_work_.data() + b * size, lower() + row, inverse);
    if constexpr (!symmetric) {
      eliminate_panel<B>(lower_.data() + block, lower_work_.data() + b * size, upper_.data() + row, inverse);
    }
  }
}

template <int B, class V, bool symmetric>
void BlockFactor<B, V, symmetric>::update_from_row(int k) {
  const auto first = structure_.start[k];
  const auto count = structure_.start[k + 1] - first;
  const V* upper_k = upper_.data() + diagonal(k) + size;
  const V* lower_k = symmetric ? nullptr : lower_.data() + diagonal(k) + size;
  for (std::int64_t bi = 0; bi < count; ++bi) {
    const int i = structure_.column[first + bi];
    const std::ptrdiff_t row = diagonal(i);
    const V* left = lower_work() + bi * size;
    subtract_product<B, V, symmetric>(upper_.data() + row, left, upper_k + bi * size);
    if (scale_row_[i] >= 0) add_sizes<B>(scale_.data() + std::ptrdiff_t{scale_row_[i]} * B, left, upper_k + bi * size);
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
    for (int m = 0; m < layout_.sizes[k]; ++m) work_[k * std::ptrdiff_t{stride} + m] = y[(layout_.first[k] + m) * step];
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
    repeat<B>([&](int m) { z[m] = own[m]; });
    repeat<B>([&](int p) {
      for (int m = p + 1; m < B; ++m) z[m] = fma(-block[p * stride + m], z[p], z[m]);
    });
    repeat<B>([&](int m) { own[m] = z[m]; });
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
    repeat<B>([&](int m) { x[m] = own[m] * inverse[m]; });
    const V* block = triangle;
    for (auto b = structure_.start[k]; b < structure_.start[k + 1]; ++b) {
      block += size;
      const V* other = y + std::ptrdiff_t{structure_.column[b]} * stride;
      // Descending: the elements of the block solved last come last, which shortens the chain of dependences.
      repeat<B>([&](int i) {
        const int c = B - 1 - i;
        for (int m = 0; m < B; ++m) x[m] = fma(-block[m * stride + c], other[c], x[m]);
      });
    }
    repeat<B>([&](int i) {
      const int m = B - 1 - i;
      for (int p = m - 1; p >= 0; --p) x[p] = fma(-triangle[p * stride + m], x[m], x[p]);
    });
    repeat<B>([&](int m) { own[m] = x[m]; });
  }
}

}  // namespace flexura::detail
