#pragma once
// Which blocks are eliminated together: the tree of fronts of a multifrontal factorisation.

#include <vector>

#include "flexura/linear/value_layout.hpp"

namespace flexura::detail {

/// Fronts in postorder.
struct FrontForest {
  std::vector<std::vector<int>> blocks;    ///< eliminated in the front, ascending
  std::vector<std::vector<int>> later;     ///< coupled with them and eliminated later, in the order of elimination
  std::vector<std::vector<int>> children;  ///< fronts
  std::vector<int> parent, depth;          ///< −1: none; 0: a root

  explicit FrontForest(const ValueLayout& layout);
  int size() const { return static_cast<int>(blocks.size()); }

 private:
  void list_later(const ValueLayout& layout, const std::vector<int>& front_of, const std::vector<int>& turn);
};

}  // namespace flexura::detail
