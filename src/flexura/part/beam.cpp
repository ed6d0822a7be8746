// Beams: nodes with a point and three directors, their constraints, and elements of three nodes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/vector_length.hpp"
#include "flexura/element/director_beam.hpp"
#include "flexura/model/relaxing_item.hpp"
#include "flexura/part/beam_node.hpp"
#include "flexura/part/find_place.hpp"
#include "flexura/part/machine_draft.hpp"
#include "flexura/part/part_slots.hpp"

namespace flexura::detail {
namespace {

/// False after a problem: each number that the element needs is there at both ends.
bool check_section(MachineDraft& draft, const BeamSpec& spec) {
  using N = SectionNumbers;
  constexpr std::pair<const char*, double N::*> needed[] = {
      {"GA1", &N::GA1}, {"GA2", &N::GA2},   {"EA", &N::EA},       {"EI1", &N::EI1},    {"EI2", &N::EI2},
      {"GJ", &N::GJ},   {"rhoA", &N::rhoA}, {"rhoI1", &N::rhoI1}, {"rhoI2", &N::rhoI2}};
  const SectionNumbers start = spec.section.law.plain(0), end = spec.section.law.plain(1);
  const size_t before = draft.problems.count();
  if (std::string wrong = refusal_of(spec.section.relaxation); !wrong.empty())
    draft.wrong(spec.section.origin, "relaxation", std::move(wrong));
  for (const auto& [key, value] : needed)
    if (!(start.*value > 0 && end.*value > 0))
      draft.wrong(spec.section.origin, "",
                  fmt::format("\"{}\" is missing, which the beam \"{}\" needs: give it, or a shape and a material", key,
                              spec.name));
  return draft.problems.count() == before;
}

/// False after a problem.
bool add_nodes(MachineDraft& draft, const BeamSpec& spec, CablePart& part) {
  const std::optional<BeamNodes> nodes = place_nodes(draft, spec, part, 2 * spec.elements);
  if (!nodes) return false;
  const Triple velocity = spec.motion.velocity.value_or(Triple{});
  const Triple spin = spec.motion.angular_velocity.value_or(Triple{});
  const Triple center = spec.motion.about.value_or(nodes->start[0].r);
  for (size_t k = 0; k < nodes->path.size(); ++k) {
    const BeamNode &at = nodes->path[k], &start = nodes->start[k];
    const int node = draft.builder.node();
    const int point = draft.builder.slot(fmt::format("{}.{}.r", spec.name, k), SlotKind::point, at.r, node);
    draft.set_initial(point, start.r, velocity + cross(spin, start.r - center));
    std::array<int, 3> frame{};
    for (int i = 0; i < 3; ++i) {
      frame[i] = draft.builder.slot(fmt::format("{}.{}.d{}", spec.name, k, i + 1), SlotKind::vector, at.d[i], node);
      draft.set_initial(frame[i], start.d[i], cross(spin, start.d[i]));
    }
    part.points.push_back(point);
    part.vectors.push_back(frame[2]);
    part.frames.push_back(frame);
  }
  return true;
}

/// Whether a joint welds the beam to the ground at that share of its length.
bool is_welded_to_ground(const MachineDraft& draft, const CablePart& part, double share) {
  return std::any_of(draft.joints.begin(), draft.joints.end(), [&](const JointSpec& joint) {
    if (joint.type != JointType::weld || joint.method == JointSpec::Method::multipliers) return false;
    const Place& place = joint.of[joint.of[0].is_ground() ? 1 : 0];
    if (!(joint.of[0].is_ground() || joint.of[1].is_ground()) || place.part != part.name) return false;
    const auto at = share_on_cable(part, place);
    return std::holds_alternative<double>(at) && std::fabs(std::get<double>(at) - share) <= 1e-9;
  });
}

/// Directors stay orthonormal; those welded to the ground are.
void keep_directors(MachineDraft& draft, const BeamSpec& spec, double penalty, const CablePart& part) {
  for (size_t k = 0; k < part.frames.size(); ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(part.frames.size() - 1);
    if (is_welded_to_ground(draft, part, share)) continue;
    const int rows = draft.builder.node();
    for (int i = 0; i < 3; ++i) {
      const int a = part.frames[k][i], b = part.frames[k][(i + 1) % 3];
      const std::string name = fmt::format("beam '{}', node {}: d{}", spec.name, k, i + 1);
      const int length_row = draft.builder.multiplier(name + ".length", rows),
                angle_row = draft.builder.multiplier(name + ".angle", rows);
      for (const int row : {length_row, angle_row}) draft.builder.may_be_implied(row);  // a hinge fixes a direction
      draft.builder.item<VectorLength3d>({a, length_row}, {.length = 1.0, .penalty = penalty}, name, 0,
                                         spec.origin.source);
      draft.builder.item<InnerProduct3d>({a, b, angle_row}, {.value = 0.0, .penalty = penalty}, name, 0,
                                         spec.origin.source);
      draft.machine.constraints[name] = {"rigidity", spec.name};
    }
  }
}

void add_elements(MachineDraft& draft, const BeamSpec& spec, const std::vector<SectionNumbers>& sections, double length,
                  CablePart& part) {
  const SectionSpec& s = spec.section;
  const bool damped = s.damping_stretch > 0 || s.damping_bend > 0 || s.damping_twist > 0;
  const DirectorBeam3::Options options{.damped = damped ? DirectorBeam3::Damped::yes : DirectorBeam3::Damped::no};
  for (long e = 0; e < spec.elements; ++e) {
    const SectionNumbers& at = sections[e];
    const GivenParams<DirectorBeam3> parameters{.GA1 = at.GA1,
                                                .GA2 = at.GA2,
                                                .EA = at.EA,
                                                .EI1 = at.EI1,
                                                .EI2 = at.EI2,
                                                .GJ = at.GJ,
                                                .rhoA = at.rhoA,
                                                .rhoI1 = at.rhoI1,
                                                .rhoI2 = at.rhoI2,
                                                .stretch_retardation = s.damping_stretch,
                                                .bend_retardation = s.damping_bend,
                                                .twist_retardation = s.damping_twist};
    std::array<int, slots_of<DirectorBeam3>> slots{};
    for (int a = 0; a < 3; ++a) {
      slots[4 * a] = part.points[2 * e + a];
      std::copy_n(part.frames[2 * e + a].begin(), 3, slots.begin() + 4 * a + 1);
    }
    ElementRef element{fmt::format("beam '{}', element {}", spec.name, e + 1),
                       {part.points[2 * e], part.vectors[2 * e], part.points[2 * e + 2], part.vectors[2 * e + 2]},
                       numbers_of<DirectorBeam3>(parameters),
                       choices_of<DirectorBeam3>(options),
                       length};
    add_relaxing_item<DirectorBeam3>(draft.builder, slots, parameters, options, s.relaxation, element.name,
                                     s.mass_damping, spec.origin.source);
    part.elements.push_back(std::move(element));
  }
}

}  // namespace

void build(MachineDraft& draft, const BeamSpec& spec) {
  if (spec.full) return build_full_beam(draft, spec);
  if (!check_section(draft, spec)) return;
  const double total = spec.path.length();
  if (!(total > 1e-100 && total < 1e100))
    return draft.wrong(spec.origin, "path",
                       fmt::format("its length is {:.3g} m; allowed: from 1e-100 m to 1e100 m", total));
  if (!check_corners(draft, spec, "beam")) return;
  const std::vector<SectionNumbers> sections =
      sections_along(spec.section.law, total, spec.elements, spec.origin, draft.problems);
  if (sections.empty()) return;
  if (spec.up && norm(*spec.up) == 0) return draft.wrong(spec.origin, "up", "a direction must not be zero");
  CablePart part;
  part.name = spec.name;
  part.length = total;
  part.section = std::make_shared<const SectionSpec>(spec.section);
  if (!add_nodes(draft, spec, part)) return;
  const double length = total / static_cast<double>(spec.elements);
  double stiffest = 0;
  for (const SectionNumbers& at : sections) stiffest = std::max({stiffest, at.EI1, at.EI2, at.GJ});
  keep_directors(draft, spec, stiffest / length, part);
  add_elements(draft, spec, sections, length, part);
  draft.note_motion(spec.motion, node_slots(part));
  draft.graph.add(spec.name);
  draft.machine.cables.push_back(std::move(part));
}

}  // namespace flexura::detail
