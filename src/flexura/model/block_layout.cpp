#include "flexura/model/block_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "flexura/math/block_graph.hpp"

namespace flexura {
namespace {

struct BlockSize {
  int unknowns;
  /// One block operation [ns]: a third of the factorisation and solve of a chain, per block (benchmarks/linear_bench).
  double time;
};
constexpr BlockSize sizes[] = {{1, 6}, {2, 14}, {3, 18}, {4, 22}, {6, 61}, {9, 127}, {12, 167}};
constexpr int largest_block = 12;

const BlockSize& padded(int unknowns) {
  return *std::find_if(std::begin(sizes), std::end(sizes), [&](const BlockSize& b) { return unknowns <= b.unknowns; });
}

/// Blocks of at most `limit` unknowns; a slot is never cut.
void group(Topology& topology, std::span<const int> nodes, std::span<const int> order, int limit) {
  int block = -1, filled = 0, last = -1;
  for (int s : order) {
    Slot& slot = topology.slots[s];
    const bool fits = last >= 0 && nodes[s] == nodes[last] && slot.multiplier == topology.slots[last].multiplier &&
                      filled + slot.size <= limit;
    if (!fits) {
      ++block;
      filled = 0;
    }
    slot.block = block;
    slot.block_offset = filled;
    filled += slot.size;
    last = s;
  }
  topology.block_count = block + 1;
}

std::vector<int> block_sizes(const Topology& topology, std::span<const int> order) {
  std::vector<int> out(topology.block_count, 0);
  for (int s : order) out[topology.slots[s].block] += topology.slots[s].size;
  return out;
}

/// Predicted time of a factorisation and a solve [ns].
double cost(const Topology& topology, std::span<const int> order, int padded_size) {
  std::vector<char> constraint(topology.block_count, 0);
  for (int s : order) constraint[topology.slots[s].block] = topology.slots[s].multiplier;
  const BlockGraph graph(topology.block_count, coupled_blocks(topology));
  const FactorStructure factor(graph.renumbered(elimination_order(graph, constraint)));
  double operations = 0;
  for (int k = 0; k < topology.block_count; ++k) {
    const double right = static_cast<double>(factor.start[k + 1] - factor.start[k]);
    operations += 1 + right + right * (right + 1) / 2;
  }
  return operations * padded(padded_size).time;
}

}  // namespace

std::vector<std::pair<int, int>> coupled_blocks(const Topology& topology) {
  std::vector<std::pair<int, int>> pairs;
  std::vector<int> blocks;
  const auto add = [&](int slot) {
    const Slot& s = topology.slots[slot];
    if (s.dependent < 0) {
      blocks.push_back(s.block);
    } else {
      for (const Weight& w : topology.dependents[s.dependent].weights) blocks.push_back(topology.slots[w.master].block);
    }
  };
  for (const ItemBatch& batch : topology.batches) {
    const std::vector<SlotKind>& kinds = batch.type->info.slots;
    const size_t ns = kinds.size();
    for (size_t first = 0; first < batch.slots.size(); first += ns) {
      blocks.clear();
      for (size_t a = 0; a < ns; ++a)
        if (kinds[a] != SlotKind::signal) add(batch.slots[first + a]);
      std::sort(blocks.begin(), blocks.end());
      blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
      for (size_t a = 0; a < blocks.size(); ++a)
        for (size_t b = 0; b < a; ++b) pairs.emplace_back(blocks[b], blocks[a]);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

void assign_blocks(Topology& topology, std::span<const int> nodes) {
  std::vector<int> order;  // free slots by their place in y
  int largest_slot = 1;
  for (int s = 0; s < static_cast<int>(topology.slots.size()); ++s) {
    if (topology.slots[s].dependent >= 0) continue;
    order.push_back(s);
    largest_slot = std::max(largest_slot, topology.slots[s].size);
  }
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return topology.slots[a].offset < topology.slots[b].offset; });
  group(topology, nodes, order, largest_block);
  std::vector<int> blocks = block_sizes(topology, order);
  if (blocks.empty()) return;
  int size = padded(*std::max_element(blocks.begin(), blocks.end())).unknowns;
  const double used = std::accumulate(blocks.begin(), blocks.end(), 0.0, [](double a, int b) { return a + b * b; });
  constexpr double full = 0.8, gain = 0.9;  ///< neither small losses nor small gains are worth another layout
  if (used >= full * size * size * static_cast<double>(blocks.size())) return;
  int best = size;
  double least = gain * cost(topology, order, size);
  for (const BlockSize& smaller : sizes) {
    if (smaller.unknowns < largest_slot || smaller.unknowns >= size) continue;
    group(topology, nodes, order, smaller.unknowns);
    const double predicted = cost(topology, order, smaller.unknowns);
    if (predicted < least) least = predicted, best = smaller.unknowns;
  }
  group(topology, nodes, order, best == size ? largest_block : best);
}

}  // namespace flexura
