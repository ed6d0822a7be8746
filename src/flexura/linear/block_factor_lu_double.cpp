#include "flexura/linear/make_block_factor.hpp"

namespace flexura::detail {

template std::unique_ptr<AnyBlockFactor<double>> make_block_factor<double, false>(const ValueLayout&, ThreadPool*);

}  // namespace flexura::detail
