// Loads on plates: over their surface, along edges, on nodes and on rings of nodes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/load/plate_load.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

Vec3 vector_of(const TermSpec& spec, std::string_view name) {
  const std::vector<double>* x = spec.find_numbers(name);
  return x == nullptr ? Vec3{} : Vec3{(*x)[0], (*x)[1], (*x)[2]};
}

/// The gradients h_1, h_2 of the affine map that carries a ring's nodes best,
///
///     r_i ≈ c + a_i h_1 + b_i h_2,  (a, b) coordinates in the plane of the reference     h_k = Σ w_ki r_i
///
/// Nothing if the nodes are on one line.
std::optional<std::array<LinearForm, 2>> mean_gradients(const PlatePart& plate, const std::vector<int>& nodes) {
  Vec3 center = {0, 0, 0};
  for (const int node : nodes) center += 1 / static_cast<double>(nodes.size()) * plate.mesh.nodes[node].position;
  std::vector<Vec3> arm;
  Vec3 first = {0, 0, 0}, second = {0, 0, 0};  // axes: to the farthest node, and to the one farthest off that
  for (const int node : nodes) {
    arm.push_back(plate.mesh.nodes[node].position - center);
    if (dot(arm.back(), arm.back()) > dot(first, first)) first = arm.back();
  }
  const double extent = norm(first);
  if (extent > 0) first = 1 / extent * first;
  for (const Vec3& x : arm) {
    const Vec3 across = x - dot(x, first) * first;
    if (dot(across, across) > dot(second, second)) second = across;
  }
  if (nodes.size() < 3 || !(norm(second) > 1e-6 * extent)) return {};
  second = 1 / norm(second) * second;
  double aa = 0, ab = 0, bb = 0;
  for (const Vec3& x : arm) {
    const double a = dot(x, first), b = dot(x, second);
    aa += a * a, ab += a * b, bb += b * b;
  }
  const double inverse = 1 / (aa * bb - ab * ab);
  std::array<LinearForm, 2> forms{LinearForm{3, {}, {}, {}}, LinearForm{3, {}, {}, {}}};
  for (size_t i = 0; i < nodes.size(); ++i) {
    const double a = dot(arm[i], first), b = dot(arm[i], second);
    const int slot = plate.model.nodes[nodes[i]].r;
    forms[0].terms.push_back(scaled(slot, 3, inverse * (bb * a - ab * b)));
    forms[1].terms.push_back(scaled(slot, 3, inverse * (aa * b - ab * a)));
  }
  return forms;
}

/// Where a traction that is even over the face of a full plate's edge acts, r + t²/24 r_zz: on the edge's line it would bulge the
/// fibres across the wall.
int mean_of_fibre(MachineDraft& draft, const PlatePart& plate, int node) {
  const PlateNode& slots = plate.model.nodes[node];
  if (slots.r_zz < 0) return slots.r;
  const double share = plate.thickness * plate.thickness / 24;
  return draft.combine_once(fmt::format("{}.{}.mean of fibre", plate.name, node), SlotKind::point,
                            {3, {scaled(slots.r, 3, 1), scaled(slots.r_zz, 3, share)}, {}, {}}, "plate." + plate.name);
}

}  // namespace

void spread_on_plate(MachineDraft& draft, const TermSpec& spec, const PlatePart& plate) {
  std::vector<std::string>& items = draft.machine.terms.back().items;
  const bool is_full = plate.model.nodes[0].r_z >= 0;
  using Face = PlatePressure::Face;
  const Face face = spec.options.empty() ? Face::bottom : static_cast<Face>(spec.options[0]);
  if (!is_full && face == Face::top) draft.wrong(spec.origin, "face", "is that of a plate with element = \"full\"");
  const int side = !is_full || face == Face::middle ? 0 : face == Face::bottom ? -1 : 1;
  for (size_t e = 0; e < plate.model.elements.size(); ++e) {
    const PlateElement& element = plate.model.elements[e];
    const std::array<int, 12> surface = plate_surface_slots(draft, plate, e, side);
    std::vector<int> slots(surface.begin(), surface.end());
    slots.push_back(signal_of(draft, spec, spec.term->scene.sources.back().key));
    items.push_back(fmt::format("{}, {}", spec.origin.path, element.name));
    draft.builder.item(std::string(spec.term->name), slots, std::array{element.parameters[0], element.parameters[1]},
                       spec.options, items.back(), 0, spec.origin.source);
  }
}

/// Side by side along a set of the mesh: corners k and k + 1 of an element, with the gradient that runs between them.
void add_on_edge(MachineDraft& draft, const TermSpec& spec, const Location& at) {
  const MeshSet* set = at.on_plate() ? draft.machine.plates[at.at.part].mesh.find(at.place.point) : nullptr;
  if (set == nullptr || set->sides.empty())
    return draft.wrong(spec.origin, "at", fmt::format("\"{}\" is not an edge of a plate", at.place.text));
  const Vec3 force = vector_of(spec, "force");
  const PlatePart& plate = draft.machine.plates[at.at.part];
  for (const ElementSide& side : set->sides) {
    const PlateElement& element = plate.model.elements[side.element];
    const std::array<int, 4>& corners = plate.mesh.elements[side.element].nodes;
    const bool along_u = side.side % 2 == 0;
    // Against the element's direction where the side runs back: from its end.
    const int first = side.side < 2 ? side.side : (side.side + 1) % 4,
              second = side.side < 2 ? side.side + 1 : side.side;
    const int gradient = along_u ? 1 : 2;
    draft.builder.item<EdgeForce3d>({mean_of_fibre(draft, plate, corners[first]), element.slots[3 * first + gradient],
                                     mean_of_fibre(draft, plate, corners[second]), element.slots[3 * second + gradient],
                                     signal_of(draft, spec, "signal")},
                                    {.force = given(force), .length = element.parameters[along_u ? 0 : 1]},
                                    fmt::format("{}, {}", spec.origin.path, element.name), 0, spec.origin.source);
  }
}

/// A moment enters a set of nodes in equal shares.
void add_on_nodes(MachineDraft& draft, const TermSpec& spec, const Location& at) {
  if (at.at.nodes.empty())
    return draft.wrong(spec.origin, "at",
                       "a moment acts on nodes of a plate: an edge, a corner, or shares that are those of a node");
  const Vec3 moment = 1 / static_cast<double>(at.at.nodes.size()) * vector_of(spec, "moment");
  for (const int node : at.at.nodes) {
    const PlateNode& slots = draft.machine.plates[at.at.part].model.nodes[node];
    draft.builder.item<PlateMoment>({slots.g_u, slots.g_v, signal_of(draft, spec, "signal")}, {.moment = given(moment)},
                                    fmt::format("{}, node {}", spec.origin.path, node), 0, spec.origin.source);
  }
}

/// A moment on the mean rotation of a ring, so that its forces on the nodes are linear in the coordinates of its plane, as
/// the stresses of bending and twist are.
void add_on_ring(MachineDraft& draft, const TermSpec& spec, const Location& at) {
  if (!at.on_plate())
    return draft.wrong(spec.origin, "at", "a ring moment acts on a ring of nodes of a plate, as \"trunk@0.75\"");
  const auto gradients = mean_gradients(draft.machine.plates[at.at.part], at.at.nodes);
  if (!gradients)
    return draft.wrong(spec.origin, "at",
                       "a ring moment needs three nodes or more that are not on one line: a ring of a tube");
  const std::string& path = spec.origin.path;
  int slots[2];
  for (int k = 0; k < 2; ++k)
    slots[k] = draft.builder.combination(fmt::format("{}.h_{}", path, k + 1), SlotKind::vector, (*gradients)[k], path);
  draft.builder.item<PlateMoment>({slots[0], slots[1], signal_of(draft, spec, "signal")},
                                  {.moment = given(vector_of(spec, "moment"))}, path, 0, spec.origin.source);
}

}  // namespace flexura::detail
