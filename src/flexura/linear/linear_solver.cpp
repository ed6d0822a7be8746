#include "flexura/linear/linear_solver.hpp"

#include "flexura/linear/block_kernels.hpp"

namespace flexura {

template <class V>
void LinearSolver<V>::analyse(const BlockPattern& pattern, Symmetry symmetry) {
  factor_.reset();
  layout_ =
      std::make_unique<ValueLayout>(make_value_layout(pattern, symmetry, detail::BlockShape<max_block_size, V>::width));
  factor_ = symmetry == Symmetry::symmetric ? detail::make_block_factor<V, true>(*layout_)
                                            : detail::make_block_factor<V, false>(*layout_);
}

template class LinearSolver<double>;
template class LinearSolver<Lanes>;

}  // namespace flexura
