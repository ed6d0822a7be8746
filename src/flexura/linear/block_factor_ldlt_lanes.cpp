#include "flexura/linear/make_block_factor.hpp"

namespace flexura::detail {

template std::unique_ptr<AnyBlockFactor<Lanes>> make_block_factor<Lanes, true>(const ValueLayout&, ThreadPool*);

}  // namespace flexura::detail
