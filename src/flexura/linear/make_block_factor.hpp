#pragma once

#include "flexura/linear/block_factor.hpp"

namespace flexura::detail {

template <class V, bool symmetric>
std::unique_ptr<AnyBlockFactor<V>> make_block_factor(const ValueLayout& layout, ThreadPool* pool) {
  if (layout.fronts) return make_supernodal_factor<V, symmetric>(layout, pool);
  switch (layout.block_size) {
    case 1:
      return std::make_unique<BlockFactor<1, V, symmetric>>(layout);
    case 2:
      return std::make_unique<BlockFactor<2, V, symmetric>>(layout);
    case 3:
      return std::make_unique<BlockFactor<3, V, symmetric>>(layout);
    case 4:
      return std::make_unique<BlockFactor<4, V, symmetric>>(layout);
    case 6:
      return std::make_unique<BlockFactor<6, V, symmetric>>(layout);
    case 9:
      return std::make_unique<BlockFactor<9, V, symmetric>>(layout);
    default:
      return std::make_unique<BlockFactor<12, V, symmetric>>(layout);
  }
}

}  // namespace flexura::detail
