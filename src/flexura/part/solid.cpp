// Solids: checks of their meshes, nodes and elements.

#include <fmt/format.h>

#include <algorithm>

#include "flexura/base/nearest_name.hpp"
#include "flexura/material/fibre_law.hpp"
#include "flexura/mesh/solid_checks.hpp"
#include "flexura/mesh/solid_weights.hpp"
#include "flexura/model/relaxing_item.hpp"
#include "flexura/part/machine_draft.hpp"
#include "flexura/part/part_slots.hpp"

namespace flexura::detail {
namespace {

/// False after a problem.
bool check_solid_mesh(MachineDraft& draft, const SolidSpec& spec) {
  const size_t before = draft.problems.count();
  for (const MeshFinding& finding : findings(statistics(spec.mesh)))
    finding.error ? draft.wrong(spec.origin, "shape", finding.message)
                  : draft.problems.warn(spec.origin, "shape", finding.message);
  return draft.problems.count() == before;
}

std::vector<SolidInlay> inlays_of(MachineDraft& draft, const SolidSpec& spec, const SolidMesh& mesh) {
  std::vector<SolidInlay> out;
  std::vector<std::string> volumes;
  for (const SolidSet& set : mesh.sets)
    if (!set.elements.empty()) volumes.push_back(set.name);
  for (const InlaySpec& inlay : spec.inlays) {
    out.push_back(inlay.of);
    if (std::find(volumes.begin(), volumes.end(), inlay.of.set) != volumes.end()) continue;
    draft.problems.wrong(inlay.origin, inlay.key,
                         fmt::format("the solid has no volume named \"{}\"; it has {}", inlay.of.set,
                                     volumes.empty() ? "none" : list_of(volumes, "and")),
                         nearest_name(inlay.of.set, volumes));
  }
  return out;
}

/// False after a problem.
bool check_composite(MachineDraft& draft, const SolidSpec& spec) {
  const size_t before = draft.problems.count();
  if (std::string wrong = refusal_of(spec.section.relaxation); !wrong.empty())
    draft.wrong(spec.origin, "relaxation", std::move(wrong));
  if (spec.section.fibres.size() > size_t{most_fibres})
    draft.wrong(spec.origin, "",
                fmt::format("{} families of fibres; allowed: {}", spec.section.fibres.size(), most_fibres));
  for (const FibreFamily& family : spec.section.fibres)
    if (!(norm(family.direction) > 0))
      draft.wrong(spec.origin, "", fmt::format("the direction of the fibres '{}' is zero", family.name));
  if (!(norm(cross(spec.section.axes.axis, spec.section.axes.first)) > 0))
    draft.wrong(spec.origin, "axis", "the axis and the first direction of fibres and growth are parallel, or zero");
  return draft.problems.count() == before;
}

void set_solid_in_motion(MachineDraft& draft, const SolidSpec& spec, const SolidPart& part) {
  if (!spec.motion.velocity && !spec.motion.angular_velocity) return;
  const Triple v = spec.motion.velocity.value_or(Triple{}), w = spec.motion.angular_velocity.value_or(Triple{});
  const Triple center = spec.motion.about.value_or(spec.placed.origin);
  for (size_t k = 0; k < part.mesh.nodes.size(); ++k) {
    const Triple r = triple_of(part.mesh.nodes[k]);
    draft.builder.set_initial(part.model.nodes[k], r, v + cross(w, r - center));
  }
}

}  // namespace

void build(MachineDraft& draft, SolidSpec& spec) {
  const bool has_mesh = check_solid_mesh(draft, spec);
  if (!check_composite(draft, spec) || !has_mesh) return;
  SolidPart part{.name = spec.name, .mesh = std::move(spec.mesh), .model = {}, .placed = spec.placed, .set_means = {}};
  const auto vec = [](const Triple& x) { return Vec3{x[0], x[1], x[2]}; };
  const RigidFrame& frame = spec.placed;
  move(part.mesh, vec(frame.axes[0]), vec(frame.axes[1]), vec(frame.axes[2]), vec(frame.origin));
  const auto turned = [&](const Vec3& x) {
    return x[0] * vec(frame.axes[0]) + x[1] * vec(frame.axes[1]) + x[2] * vec(frame.axes[2]);
  };
  SolidAxes& axes = spec.section.axes;
  axes = {vec(frame.origin) + turned(axes.center), turned(axes.axis), turned(axes.first)};
  for (const SolidSet& set : part.mesh.sets) part.set_means.push_back(mean_weights(part.mesh, set));
  part.model = add_solid(draft.builder, spec.name, part.mesh, spec.section, spec.origin.source,
                         inlays_of(draft, spec, part.mesh));
  set_solid_in_motion(draft, spec, part);
  draft.note_motion(spec.motion, node_slots(part));
  draft.graph.add(spec.name);
  draft.machine.solids.push_back(std::move(part));
}

}  // namespace flexura::detail
