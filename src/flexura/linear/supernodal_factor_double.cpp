#include "flexura/linear/supernodal_factor.hpp"

namespace flexura::detail {

template <>
std::unique_ptr<AnyBlockFactor<double>> make_supernodal_factor<double, true>(const ValueLayout& layout,
                                                                             ThreadPool* pool) {
  return std::make_unique<SupernodalFactor<double, true>>(layout, pool);
}
template <>
std::unique_ptr<AnyBlockFactor<double>> make_supernodal_factor<double, false>(const ValueLayout& layout,
                                                                              ThreadPool* pool) {
  return std::make_unique<SupernodalFactor<double, false>>(layout, pool);
}

}  // namespace flexura::detail
