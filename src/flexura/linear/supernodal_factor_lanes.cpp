#include "flexura/linear/supernodal_factor.hpp"

namespace flexura::detail {

template <>
std::unique_ptr<AnyBlockFactor<Lanes>> make_supernodal_factor<Lanes, true>(const ValueLayout& layout,
                                                                           ThreadPool* pool) {
  return std::make_unique<SupernodalFactor<Lanes, true>>(layout, pool);
}
template <>
std::unique_ptr<AnyBlockFactor<Lanes>> make_supernodal_factor<Lanes, false>(const ValueLayout& layout,
                                                                            ThreadPool* pool) {
  return std::make_unique<SupernodalFactor<Lanes, false>>(layout, pool);
}

}  // namespace flexura::detail
