#include "flexura/run/negative_mass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "flexura/load/truss.hpp"
#include "flexura/solve/constraint_matrix.hpp"

namespace flexura {
namespace {

struct Node {
  std::string item, place;
  double mass = 0, net = 0;  ///< of the node alone, and with what else is in its coordinates [kg]
};

bool is_node(const ItemBatch& items) {
  return items.type->info.name == TrussNode2d::name || items.type->info.name == TrussNode3d::name;
}

/// Nodes of negative mass.
std::vector<Node> light_nodes(const Model& model) {
  std::vector<Node> out;
  const Topology& topology = *model.topology;
  for (size_t b = 0; b < topology.batches.size(); ++b) {
    const ItemBatch& items = topology.batches[b];
    if (!is_node(items)) continue;
    for (int i = 0; i < items.count; ++i) {
      const double m = model.values.parameters[b][static_cast<size_t>(i)];
      if (m < 0) out.push_back({topology.item_names[items.names[i]], topology.slot_names[items.slots[i]], m, 0});
    }
  }
  return out;
}

}  // namespace

bool has_light_nodes(const Topology& topology) { return std::ranges::any_of(topology.batches, is_node); }

NegativeMass find_negative_mass(ActiveModel& active) {
  std::vector<Node> nodes = light_nodes(active.scene().model);
  if (nodes.empty()) return {};
  const Topology& topology = active.topology();
  ConstraintMatrix<double> matrix(active.system());
  const State<double>& state = active.state;
  active.set_signals(state.t);
  if (!matrix.factor(state.t, state.q, state.v) || matrix.negative_directions() <= 0) return {};
  for (Node& node : nodes) {
    const Slot& slot = topology.slots[topology.find_slot(node.place)];
    std::vector<double> unit(static_cast<size_t>(topology.nq), 0.0),
        pulled(active.system().assembler.residual_size(), 0.0);
    unit[slot.offset] = 1;
    active.system().assembler.subtract_mass_times(unit.data(), 1.0, pulled.data());
    node.net = -pulled[slot.offset];
  }
  std::ranges::stable_sort(nodes, {}, &Node::net);
  const bool some_net = nodes.front().net < 0;
  std::erase_if(nodes, [&](const Node& node) { return some_net && node.net >= 0; });
  constexpr size_t most = 6;
  std::string list;
  for (size_t k = 0; k < std::min(most, nodes.size()); ++k)
    list += fmt::format("{}{}{}", k > 0 ? ", " : "", nodes[k].item,
                        some_net ? fmt::format(" ({:.4g} kg in all at '{}')", nodes[k].net, nodes[k].place) : "");
  if (nodes.size() > most) list += fmt::format(" and {} more", nodes.size() - most);
  return {nodes.front().item,
          fmt::format(
              "the mass of what moves is negative in {}: it would gain speed as it is held back; more mass is wanted "
              "at {}: a member of mass m adds m/3 to either end, a body whose matrix of mass is m_ij has m_ii - 2 "
              "times the sum of its m_ij at node i",
              matrix.negative_directions() == 1 ? "a direction"
                                                : fmt::format("{} directions", matrix.negative_directions()),
              list)};
}

}  // namespace flexura
