#include "flexura/linear/linear_solver.hpp"

#include <algorithm>

#include "flexura/linear/block_kernels.hpp"
#include "flexura/math/instantiate.hpp"

namespace flexura {
namespace {

/// Sets of further pairs that are kept: those of positions and of velocities of a step, and what they alternate with.
constexpr size_t most_overlays = 4;
/// A kept set serves one of its parts if it is not larger than this: fill costs less than another analysis.
constexpr size_t loose(size_t pairs) { return 2 * pairs + 8; }

}  // namespace

template <class V>
void LinearSolver<V>::analyse(const BlockPattern& pattern, Symmetry symmetry, int threads) {
  factor_.reset();
  overlay_ = nullptr;
  overlays_.clear();
  analysis_.reset();
  asked_ = overlays_analysed_ = blocks_analysed_ = 0;
  layout_ =
      std::make_unique<ValueLayout>(make_value_layout(pattern, symmetry, detail::BlockShape<max_block_size, V>::width));
  pool_ = threads > 1 && layout_->fronts ? std::make_unique<ThreadPool>(threads) : nullptr;
  factor_ = symmetry == Symmetry::symmetric ? detail::make_block_factor<V, true>(*layout_, pool_.get())
                                            : detail::make_block_factor<V, false>(*layout_, pool_.get());
}

template <class V>
void LinearSolver<V>::set_overlay(std::span<const std::pair<int, int>> pairs) {
  wanted_.clear();
  for (const auto& [i, j] : pairs)
    if (i != j && !layout_->couples(i, j)) wanted_.emplace_back(std::max(i, j), std::min(i, j));
  std::sort(wanted_.begin(), wanted_.end());
  wanted_.erase(std::unique(wanted_.begin(), wanted_.end()), wanted_.end());
  overlay_ = wanted_.empty() ? nullptr : kept_overlay();
  if (wanted_.empty()) return;
  ++asked_;
  if (overlay_ == nullptr) {
    if (analysis_ == nullptr) analysis_ = std::make_unique<detail::OverlayAnalysis>(*layout_);
    if (overlays_.size() < most_overlays) {
      overlays_.push_back(std::make_unique<detail::OverlayFactor<V>>());
      overlay_ = overlays_.back().get();
    } else {
      overlay_ = std::min_element(overlays_.begin(), overlays_.end(), [](const auto& a, const auto& b) {
                   return a->used < b->used;
                 })->get();
    }
    overlay_->pairs = wanted_;
    overlay_->rebuild(*layout_, detail::BlockShape<max_block_size, V>::width, *analysis_, pool_.get());
    ++overlays_analysed_;
    blocks_analysed_ += analysis_->analysed();
  }
  overlay_->used = asked_;
}

/// The smallest kept set that holds all wanted pairs and not many more.
template <class V>
detail::OverlayFactor<V>* LinearSolver<V>::kept_overlay() const {
  detail::OverlayFactor<V>* found = nullptr;
  for (const auto& kept : overlays_) {
    const detail::BlockPairs& pairs = kept->pairs;
    if (pairs.size() > loose(wanted_.size()) || (found != nullptr && pairs.size() >= found->pairs.size())) continue;
    if (std::includes(pairs.begin(), pairs.end(), wanted_.begin(), wanted_.end())) found = kept.get();
  }
  return found;
}

template <class V>
void LinearSolver<V>::reset_overlays() {
  overlay_ = nullptr;
  for (const auto& kept : overlays_) kept->pairs.clear(), kept->used = 0;
  asked_ = 0;
}

template <class V>
Entry LinearSolver<V>::entry(int i, int j) const {
  if (overlay_ == nullptr || layout_->couples(i, j)) return layout_->entry(i, j);
  const std::pair wanted(std::max(i, j), std::min(i, j));
  const auto found = std::lower_bound(overlay_->pairs.begin(), overlay_->pairs.end(), wanted);
  if (found == overlay_->pairs.end() || *found != wanted) return layout_->entry(i, j);  // says so
  const std::ptrdiff_t offset = layout_->value_count() + (found - overlay_->pairs.begin()) * overlay_block_values();
  if (i > j) return {offset, layout_->stride, 1};
  const bool symmetric = layout_->symmetry == Symmetry::symmetric;
  return {symmetric ? offset : offset + layout_->block_values(), 1, layout_->stride};
}

#define FLEXURA_INSTANTIATE(V) template class LinearSolver<V>;
FLEXURA_FOR_EACH_VALUE(FLEXURA_INSTANTIATE)
#undef FLEXURA_INSTANTIATE

}  // namespace flexura
