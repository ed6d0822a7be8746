#include "flexura/linear/overlay_factor.hpp"

#include <algorithm>

#include "flexura/math/instantiate.hpp"

namespace flexura::detail {
namespace {

/// The whole pattern anew, by dense fronts where they are faster.
ValueLayout layout_of(const ValueLayout& base, const BlockPairs& pairs, int row_multiple) {
  const int n = base.rows();
  BlockPattern pattern;
  pattern.sizes.resize(n), pattern.constraint.resize(n), pattern.skew.resize(n);
  std::vector<int> block_at(n);
  for (int block = 0; block < n; ++block) {
    const int k = base.position[block];
    block_at[k] = block;
    pattern.sizes[block] = base.sizes[k];
    pattern.constraint[block] = base.constraint[k];
    pattern.skew[block] = base.skew[k];
  }
  pattern.pairs.assign(pairs.begin(), pairs.end());
  for (int k = 0; k < n; ++k)
    for (int b = base.start[k]; b < base.start[k + 1]; ++b)
      pattern.pairs.emplace_back(block_at[k], block_at[base.column[b]]);
  return make_value_layout(pattern, base.symmetry, row_multiple);
}

template <class V>
std::unique_ptr<AnyBlockFactor<V>> make_factor(const ValueLayout& layout, ThreadPool* pool) {
  return layout.symmetry == Symmetry::symmetric ? make_block_factor<V, true>(layout, pool)
                                                : make_block_factor<V, false>(layout, pool);
}

}  // namespace

template <class V>
void OverlayFactor<V>::rebuild(const ValueLayout& base, int row_multiple, OverlayAnalysis& analysis, ThreadPool* pool) {
  if (analysis.analyse(pairs, layout_, structure_)) {
    if (factor == nullptr || !factor->rebind(structure_)) factor = make_factor<V>(layout_, pool);
  } else {
    factor.reset();
    layout_ = layout_of(base, pairs, row_multiple);
    factor = make_factor<V>(layout_, pool);
  }
  values_.assign(layout_.value_count(), V(0.0));
  plan_moves(base);
}

template <class V>
void OverlayFactor<V>::plan_moves(const ValueLayout& base) {
  const bool symmetric = base.symmetry == Symmetry::symmetric;
  moves_.clear();
  // A block (i, j) of which `upper` holds rows i and `lower` the transpose of (j, i).
  const auto move = [&](int i, int j, std::ptrdiff_t upper, std::ptrdiff_t lower) {
    const int row = std::min(i, j), column = std::max(i, j);
    const auto first = layout_.column.begin();
    const int b =
        static_cast<int>(std::lower_bound(first + layout_.start[row], first + layout_.start[row + 1], column) - first);
    const bool turned = j < i;
    if (symmetric) {
      moves_.push_back({upper, layout_.upper_offset(row, b), turned});
    } else {
      moves_.push_back({turned ? lower : upper, layout_.upper_offset(row, b), turned});
      moves_.push_back({turned ? upper : lower, layout_.lower_offset(b), turned});
    }
  };
  now_at_.resize(base.rows());
  for (int block = 0; block < base.rows(); ++block) now_at_[base.position[block]] = layout_.position[block];
  for (int k = 0; k < base.rows(); ++k) {
    const int now = now_at_[k];
    moves_.push_back({base.diagonal_offset(k), layout_.diagonal_offset(now), false});
    for (int b = base.start[k]; b < base.start[k + 1]; ++b)
      move(now, now_at_[base.column[b]], base.upper_offset(k, b), symmetric ? -1 : base.lower_offset(b));
  }
  std::ptrdiff_t at = base.value_count();
  for (const auto& [i, j] : pairs) {
    move(layout_.position[i], layout_.position[j], at, at + base.block_values());
    at += base.block_values() * (symmetric ? 1 : 2);
  }
}

template <class V>
FactorReport<V> OverlayFactor<V>::run(const ValueLayout& base, std::span<const V> values) {
  const int rows = base.block_size, stride = base.stride;
  for (const Move& m : moves_) {
    const V* from = values.data() + m.from;
    V* to = values_.data() + m.to;
    if (!m.transposed) {
      std::copy(from, from + base.block_values(), to);
    } else {
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < rows; ++c) to[r * stride + c] = from[c * stride + r];
    }
  }
  return factor->factor(values_);
}

#define FLEXURA_INSTANTIATE(V) template class OverlayFactor<V>;
FLEXURA_FOR_EACH_VALUE(FLEXURA_INSTANTIATE)
#undef FLEXURA_INSTANTIATE

}  // namespace flexura::detail
