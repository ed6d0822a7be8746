// Plates: checks of their meshes, nodes and elements.

#include <fmt/format.h>

#include "flexura/material/fibre_law.hpp"
#include "flexura/mesh/surface_checks.hpp"
#include "flexura/mesh/surface_shapes.hpp"
#include "flexura/model/relaxing_item.hpp"
#include "flexura/part/machine_draft.hpp"
#include "flexura/part/part_slots.hpp"

namespace flexura::detail {
namespace {

Vec3 vec(const Triple& x) { return {x[0], x[1], x[2]}; }

/// Koiter's theory takes fibres across the wall to be as long as in the middle: what is left out grows with h/R.
void check_bend(MachineDraft& draft, const PlateSpec& spec, const ElementExtreme& bend) {
  constexpr double thin = 0.5;
  const double thickness = spec.section.thickness(), ratio = thickness * bend.value;
  const char* key = spec.origin.states("thickness") ? "thickness" : "shape";
  if (ratio >= 2) {
    draft.wrong(spec.origin, key,
                fmt::format("the wall is folded into itself: it is {:.3g} m thick where its middle has a radius of "
                            "curvature of {:.3g} m, at element {}",
                            thickness, 1 / bend.value, bend.element + 1));
  } else if (ratio > thin && !spec.section.full) {
    draft.problems.warn(spec.origin, key,
                        fmt::format("the wall is no thin shell at element {}: thickness over radius of curvature is "
                                    "{:.2g}, and the theory leaves out what is of that order",
                                    bend.element + 1, ratio));
  }
}

/// False after a problem.
bool check_mesh(MachineDraft& draft, const PlateSpec& spec) {
  const size_t before = draft.problems.count();
  SurfaceStatistics about = statistics(spec.mesh);
  if (spec.is_slit) about.coincident.clear();
  for (const MeshFinding& finding : findings(about))
    finding.error ? draft.wrong(spec.origin, "shape", finding.message)
                  : draft.problems.warn(spec.origin, "shape", finding.message);
  if (draft.problems.count() == before) check_bend(draft, spec, about.largest_bend);
  return draft.problems.count() == before;
}

/// False after a problem.
bool check_fibres(MachineDraft& draft, const PlateSpec& spec) {
  if (!spec.section.full) return true;
  const size_t before = draft.problems.count();
  const std::vector<FibreFamily>& fibres = spec.section.full->fibres;
  if (fibres.size() > size_t{most_fibres})
    draft.wrong(spec.origin, "", fmt::format("{} families of fibres; allowed: {}", fibres.size(), most_fibres));
  for (const FibreFamily& family : fibres) {
    if (!(norm(family.direction) > 0))
      draft.wrong(spec.origin, "", fmt::format("the direction of the fibres '{}' is zero", family.name));
    if (family.about_axis)
      draft.wrong(spec.origin, "", fmt::format("the fibres '{}' are about an axis: that is for solids", family.name));
  }
  return draft.problems.count() == before;
}

void set_in_motion(MachineDraft& draft, const PlateSpec& spec, const PlatePart& part) {
  if (!spec.motion.velocity && !spec.motion.angular_velocity) return;
  const Triple v = spec.motion.velocity.value_or(Triple{}), w = spec.motion.angular_velocity.value_or(Triple{});
  const Triple center = spec.motion.about.value_or(spec.placed.origin);
  for (size_t k = 0; k < part.mesh.nodes.size(); ++k) {
    const SurfaceNode& node = part.mesh.nodes[k];
    const PlateNode& slots = part.model.nodes[k];
    draft.builder.set_initial(slots.r, node.position.c, v + cross(w, triple_of(node.position) - center));
    draft.builder.set_initial(slots.g_u, node.gradient_u.c, cross(w, triple_of(node.gradient_u)));
    draft.builder.set_initial(slots.g_v, node.gradient_v.c, cross(w, triple_of(node.gradient_v)));
    if (const Vec3 n = director(node); slots.r_z >= 0)
      draft.builder.set_initial(slots.r_z, n.c, cross(w, triple_of(n)));
  }
}

}  // namespace

void build(MachineDraft& draft, PlateSpec& spec) {
  if (!check_mesh(draft, spec)) return;
  if (std::string wrong = refusal_of(spec.section.relaxation); !wrong.empty())
    return draft.wrong(spec.origin, "relaxation", std::move(wrong));
  if (!check_fibres(draft, spec)) return;
  PlatePart part{spec.name, std::move(spec.mesh), {}, spec.section.thickness(), spec.section.full.has_value()};
  const RigidFrame& frame = spec.placed;
  move(part.mesh, vec(frame.axes[0]), vec(frame.axes[1]), vec(frame.axes[2]), vec(frame.origin));
  part.model = add_plate(draft.builder, spec.name, part.mesh, spec.section, spec.origin.source);
  set_in_motion(draft, spec, part);
  draft.note_motion(spec.motion, node_slots(part));
  draft.graph.add(spec.name);
  draft.machine.plates.push_back(std::move(part));
}

}  // namespace flexura::detail
