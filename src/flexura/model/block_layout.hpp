#pragma once
// Which unknowns share a block of the linear solver.
//
// The solver pads all blocks of a model to one size. Slots of a node share blocks, in order, as long as they fit; how much
// fits is the size that the factorisation is predicted to be fastest with: block operations, counted by the elimination
// of the model's graph, times what one takes. A model whose blocks are full already is left as its nodes have it.

#include <span>
#include <utility>
#include <vector>

#include "flexura/model/model.hpp"

namespace flexura {

/// Sets block and block_offset of the free slots. `nodes`: of each slot; slots must have their offsets, items and
/// dependents theirs.
void assign_blocks(Topology& topology, std::span<const int> nodes);

/// Pairs of blocks (i < j) that an item or a dependent slot couples, sorted, each once.
std::vector<std::pair<int, int>> coupled_blocks(const Topology& topology);

}  // namespace flexura
