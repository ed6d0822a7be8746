// Loads on sets of solids: each node has its share. As one item on the mean, all nodes of the set would be coupled in the
// tangent, and a face of 33 x 33 nodes would take twenty times as long. Pressure on surfaces: an item of each face.

#include <fmt/format.h>

#include "flexura/load/face_pressure.hpp"
#include "flexura/load/plate_load.hpp"
#include "flexura/load/point_force.hpp"
#include "flexura/part/machine_draft.hpp"
#include "flexura/part/solid_surface.hpp"

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

void press_on_solid(MachineDraft& draft, const TermSpec& spec) {
  const auto found = find_surface(draft.machine, spec.on);
  if (const auto* none = std::get_if<NoSurface>(&found)) {
    const bool missing = none->message.starts_with("there is no");  // which was said of the part
    if (!missing) draft.problems.wrong(spec.origin, "on", none->message, none->nearest);
    return;
  }
  const SurfaceOfSolid& surface = std::get<SurfaceOfSolid>(found);
  TermPart& part = draft.machine.terms.back();
  part.surface = surface;
  const SolidPart& solid = draft.machine.solids[surface.solid];
  if (!spec.options.empty() && spec.options[0] != 0)
    draft.wrong(spec.origin, "face", "is that of a plate: on a solid name the surface, as \"leg.inner\"");
  const int signal = signal_of(draft, spec, spec.term->scene.sources.back().key);
  for (SurfaceFace& face : faces_of(solid, solid.mesh.sets[surface.set])) {
    face.slots.push_back(signal);
    const double along = face.of_membrane ? -1 : 1;  // along the normal, as on plates
    part.items.push_back(fmt::format("{}, {}", spec.origin.path, face.name));
    with_solid_face(face.shape, [&]<class Shape>() {
      draft.builder.item(std::string(FacePressure<Shape>::name), face.slots, std::array{along}, {}, part.items.back(),
                         0, spec.origin.source);
    });
  }
}

}  // namespace flexura::detail
