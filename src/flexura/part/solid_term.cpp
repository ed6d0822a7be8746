// Loads on sets of solids: each node has its share. As one item on the mean, all nodes of the set would be coupled in the
// tangent, and a face of 33 x 33 nodes would take twenty times as long.

#include <fmt/format.h>

#include "flexura/load/point_force.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {

bool spread_on_solid(MachineDraft& draft, const TermSpec& spec, const Location& at) {
  const std::vector<double>* force = spec.find_numbers("force");
  if (spec.term->name != PointForce3d::name || !at.on_solid() || at.at.set < 0 || force == nullptr) return false;
  const SolidPart& solid = draft.machine.solids[at.at.part];
  const int signal = signal_of(draft, spec, "signal");
  for (const auto& [node, weight] : solid.set_means[at.at.set])
    draft.builder.item<PointForce3d>({solid.model.nodes[node], signal},
                                     {.force = given(weight * Vec3::load(force->data()))},
                                     fmt::format("{}, node {}", spec.origin.path, node), 0, spec.origin.source);
  return true;
}

}  // namespace flexura::detail
