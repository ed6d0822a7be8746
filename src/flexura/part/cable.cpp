// Cables: nodes of a point and the gradient r_x, elements of two nodes.

#include <fmt/format.h>

#include <numbers>

#include "flexura/element/ancf_cable_3d.hpp"
#include "flexura/element/bend_stiffening.hpp"
#include "flexura/element/stiffness_damping.hpp"
#include "flexura/model/relaxing_item.hpp"
#include "flexura/part/machine_draft.hpp"
#include "flexura/part/part_slots.hpp"

namespace flexura::detail {
namespace {

/// False after a problem.
bool check(MachineDraft& draft, const CableSpec& spec) {
  const SectionSpec& section = spec.section;
  const auto refuse = [&](std::string_view key, std::string message) {
    draft.wrong(spec.origin, key, std::move(message));
    return false;
  };
  const bool spatial = draft.dim() == 3;
  if (spatial && section.curvature == AncfCable2d::Curvature::simplified)
    return refuse("section", "curvature = \"simplified\" is for planar scenes; use \"material\" or \"geometric\"");
  if (spatial && !section.relaxation.empty())
    return refuse("section",
                  "a spatial cable cannot relax: its plane of bending is free, so that there is no strain to remember; "
                  "make it a [beam.NAME]");
  if (std::string wrong = refusal_of(section.relaxation); !wrong.empty()) return refuse("section", std::move(wrong));
  if (!(section.law.plain(0).EI > 0) && !section.bends_alike)
    return refuse("section", "a cable needs one bending stiffness \"EI\"");
  if (spatial && !section.bends_alike)
    return refuse(
        "section",
        "a spatial cable bends alike in all directions: give a round shape or \"EI\", or make it a [beam.NAME]");
  if (section.stiffness_damping > 0 &&
      (section.axial != AncfCable2d::Axial::green || section.curvature != AncfCable2d::Curvature::simplified))
    return refuse("section",
                  "stiffness_damping is for axial = \"green\" and curvature = \"simplified\"; others have "
                  "damping_stretch and damping_bend");
  if (section.stiffness_damping > 0 && !spec.path.is_straight())
    return refuse("path", "stiffness_damping is for straight cables; others have damping_stretch and damping_bend");
  // Lengths whose squares and inverse squares are numbers too.
  for (const auto& [key, curve] :
       {std::pair("path", &spec.path), {"initial", spec.initial ? &*spec.initial : &spec.path}})
    if (!(curve->length() > 1e-100 && curve->length() < 1e100))
      return refuse(spec.origin.states(key) ? key : "path",
                    fmt::format("its length is {:.3g} m; allowed: from 1e-100 m to 1e100 m", curve->length()));
  return true;
}

/// Bending stores what the curvature differs from that of the path, in whatever plane: the path may turn about its chord.
void warn_of_curved_path(MachineDraft& draft, const CableSpec& spec) {
  if (draft.dim() == 2 || spec.path.is_straight()) return;
  draft.problems.warn(
      spec.origin, "path",
      "a cable has no torsion: nothing keeps its curved stress-free shape in its plane, and it gives way "
      "across it like a mechanism; a [beam.NAME] keeps it");
}

void add_nodes(MachineDraft& draft, const CableSpec& spec, CablePart& part) {
  const PathCurve& path = spec.path;
  const PathCurve& initial = spec.initial ? *spec.initial : path;
  const Triple velocity = spec.motion.velocity.value_or(Triple{});
  const Triple spin = spec.motion.angular_velocity.value_or(Triple{});
  const Triple center = spec.motion.about.value_or(initial.at(0));
  const double stretch = initial.length() / path.length();
  const auto dim = static_cast<size_t>(draft.dim());
  for (long k = 0; k <= spec.elements; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(spec.elements);
    const Triple R = path.at(share * path.length()), T = path.tangent(share * path.length());
    const Triple r = initial.at(share * initial.length()), t = stretch * initial.tangent(share * initial.length());
    const int node = draft.builder.node();
    part.points.push_back(
        draft.builder.slot(fmt::format("{}.{}.r", spec.name, k), SlotKind::point, {R.data(), dim}, node));
    part.vectors.push_back(
        draft.builder.slot(fmt::format("{}.{}.r_x", spec.name, k), SlotKind::vector, {T.data(), dim}, node));
    draft.set_initial(part.points.back(), r, velocity + cross(spin, r - center));
    draft.set_initial(part.vectors.back(), t, Triple{} + cross(spin, t));
  }
}

template <class Cable>
void add_elements(MachineDraft& draft, const CableSpec& spec, const std::vector<SectionNumbers>& sections,
                  CablePart& part) {
  const SectionSpec& s = spec.section;
  const bool damped = s.damping_stretch > 0 || s.damping_bend > 0;
  const typename Cable::Options options{.curvature = static_cast<typename Cable::Curvature>(s.curvature),
                                        .axial = static_cast<typename Cable::Axial>(s.axial),
                                        .damped = damped ? Cable::Damped::yes : Cable::Damped::no,
                                        .integration = static_cast<typename Cable::Integration>(s.integration)};
  const double length = part.length / static_cast<double>(spec.elements);
  for (long k = 0; k < spec.elements; ++k) {
    const SectionNumbers& at = sections[k];
    const GivenParams<Cable> parameters{.EA = at.EA,
                                        .EI = at.EI,
                                        .rhoA = at.rhoA,
                                        .length = length,
                                        .stretch_retardation = s.damping_stretch,
                                        .bend_retardation = s.damping_bend};
    const std::array slots{part.points[k], part.vectors[k], part.points[k + 1], part.vectors[k + 1]};
    ElementRef element{fmt::format("cable '{}', element {}", spec.name, k + 1),
                       {slots[0], slots[1], slots[2], slots[3]},
                       numbers_of<Cable>(parameters),
                       choices_of<Cable>(options),
                       length};
    add_relaxing_item<Cable>(draft.builder, slots, parameters, options, s.relaxation, element.name, s.mass_damping,
                             spec.origin.source);
    if constexpr (Cable::dim == 2) {
      if (s.bend_stiffening > 0)
        draft.builder.item<BendStiffening2d>(slots, {.EI2 = s.bend_stiffening * at.EI, .length = length},
                                             element.name + stiffening_suffix, 0, spec.origin.source);
      if (s.stiffness_damping > 0)
        draft.builder.item<StiffnessDamping2d>(
            slots, {.EA = at.EA, .EI = at.EI, .length = length, .time = s.stiffness_damping},
            {.integration = s.integration}, element.name + ", damping", 0, spec.origin.source);
    }
    part.elements.push_back(std::move(element));
  }
}

}  // namespace

bool check_corners(MachineDraft& draft, const CableSpec& spec, const char* kind) {
  constexpr double degree = std::numbers::pi / 180, sharp = 20 * degree;
  const PathCurve::Corner corner = spec.path.sharpest_corner();
  if (corner.angle <= sharp) return true;
  const bool is_spatial_cable = draft.dim() == 3 && std::string_view(kind) == "cable";
  draft.wrong(
      spec.origin, "path",
      fmt::format("turns by {:.4g} deg at {:.6g} m, and a {} is smooth: make a {} of each piece, welded to each "
                  "other at the corner, or round it, as {{ spline = [...] }} and {{ arc = ... }} do",
                  corner.angle / degree, corner.s, kind, is_spatial_cable ? "[beam.NAME]" : kind));
  return false;
}

void build(MachineDraft& draft, const CableSpec& spec) {
  if (!check(draft, spec) || !check_corners(draft, spec, "cable")) return;
  warn_of_curved_path(draft, spec);
  const std::vector<SectionNumbers> sections =
      sections_along(spec.section.law, spec.path.length(), spec.elements, spec.origin, draft.problems);
  if (sections.empty()) return;
  CablePart part;
  part.name = spec.name;
  part.length = spec.path.length();
  part.section = std::make_shared<const SectionSpec>(spec.section);
  add_nodes(draft, spec, part);
  draft.dim() == 2 ? add_elements<AncfCable2d>(draft, spec, sections, part)
                   : add_elements<AncfCable3d>(draft, spec, sections, part);
  draft.note_motion(spec.motion, node_slots(part));
  draft.graph.add(spec.name);
  draft.machine.cables.push_back(std::move(part));
}

}  // namespace flexura::detail
