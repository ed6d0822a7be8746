// Beams of full elements: nodes with a point and the three gradients r_x, r_y, r_z, elements of two nodes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/element/composite_beam.hpp"
#include "flexura/material/elastic_laws.hpp"
#include "flexura/model/relaxing_item.hpp"
#include "flexura/part/beam_node.hpp"
#include "flexura/part/machine_draft.hpp"
#include "flexura/part/part_slots.hpp"

namespace flexura::detail {
namespace {

/// False after a problem.
bool check_full_beam(MachineDraft& draft, const BeamSpec& spec) {
  const SectionSpec& section = spec.section;
  const size_t before = draft.problems.count();
  const auto refuse = [&](std::string_view key, std::string message) {
    draft.wrong(spec.origin, key, std::move(message));
  };
  if (!section.outline)
    refuse("section",
           "a beam of full elements is integrated over its section: give the section a shape and a material, not its "
           "stiffnesses");
  if (section.damping_bend != 0 && section.damping_bend != section.damping_stretch)
    refuse("section", "a beam of full elements has one retardation time, that of its material: damping_stretch");
  if (section.damping_twist != 0 && section.damping_twist != section.damping_stretch)
    refuse("section", "a beam of full elements has one retardation time, that of its material: damping_stretch");
  if (std::string wrong = refusal_of(section.relaxation); !wrong.empty()) refuse("section", std::move(wrong));
  if (const double total = spec.path.length(); !(total > 1e-100 && total < 1e100))
    refuse("path", fmt::format("its length is {:.3g} m; allowed: from 1e-100 m to 1e100 m", total));
  if (spec.up && norm(*spec.up) == 0) refuse("up", "a direction must not be zero");
  return draft.problems.count() == before && check_corners(draft, spec, "beam");
}

/// False after a problem.
bool add_full_nodes(MachineDraft& draft, const BeamSpec& spec, CablePart& part) {
  const std::optional<BeamNodes> nodes = place_nodes(draft, spec, part, spec.elements);
  if (!nodes) return false;
  const Triple velocity = spec.motion.velocity.value_or(Triple{});
  const Triple spin = spec.motion.angular_velocity.value_or(Triple{});
  const Triple center = spec.motion.about.value_or(nodes->start[0].r);
  const double stretch = spec.initial ? spec.initial->length() / spec.path.length() : 1.0;
  const double thin =
      std::pow(stretch, -moduli_at_rest(spec.full->law, spec.full->constants).poisson());  // pulled evenly
  for (size_t k = 0; k < nodes->path.size(); ++k) {
    const BeamNode &at = nodes->path[k], &start = nodes->start[k];
    const int node = draft.builder.node();
    const int point = draft.builder.slot(fmt::format("{}.{}.r", spec.name, k), SlotKind::point, at.r, node);
    draft.set_initial(point, start.r, velocity + cross(spin, start.r - center));
    const auto vector = [&](const char* name, const Triple& X, const Triple& x) {
      const int slot = draft.builder.slot(fmt::format("{}.{}.{}", spec.name, k, name), SlotKind::vector, X, node);
      draft.set_initial(slot, x, cross(spin, x));
      return slot;
    };
    part.points.push_back(point);
    part.vectors.push_back(vector("r_x", at.d[2], stretch * start.d[2]));
    part.fibres.push_back({vector("r_y", at.d[0], thin * start.d[0]), vector("r_z", at.d[1], thin * start.d[1])});
  }
  return true;
}

/// Numbers of the element whose middle is at that share.
GivenParams<AncfBeam24> full_parameters(const BeamSpec& spec, double share) {
  const FullBeam& full = *spec.full;
  const SectionOutline& outline = *spec.section.outline;
  const double factor = spec.section.law.factor(share * spec.path.length());
  const ElasticModuli moduli = moduli_at_rest(full.law, full.constants);
  const double nu = moduli.poisson();
  const SectionGeometry s = outline.at(share, nu);
  const bool is_rectangle = outline.type == SectionOutline::Type::rectangle;
  const double radius = outline.radius.at(share);
  const double hole =
      outline.type == SectionOutline::Type::tube ? std::max(0.0, 1 - outline.wall.at(share) / radius) : 0;
  return {.length = spec.path.length() / static_cast<double>(spec.elements),
          .size_1 = factor * (is_rectangle ? outline.height.at(share) : 2 * radius),
          .size_2 = factor * (is_rectangle ? outline.width.at(share) : 2 * radius),
          .hole = hole,
          .rho = full.rho,
          .constants = given(Vec<most_elastic_constants, double>::load(full.constants.c)),
          .bulk = full.constants.bulk,
          .viscosity = spec.section.damping_stretch * moduli.shear,
          .shear_1 = s.shear1,
          .shear_2 = s.shear2,
          .torsion = std::min(1.0, s.J * (s.I1 + s.I2) / (4 * s.I1 * s.I2)),
          .contraction_1 = full.keeps_width ? nu / (1 - nu) : nu,
          .contraction_2 = full.keeps_width ? 0.0 : nu};
}

void add_full_elements(MachineDraft& draft, const BeamSpec& spec, CablePart& part) {
  const FullBeam& full = *spec.full;
  const SectionSpec& section = spec.section;
  const bool round = section.outline->type != SectionOutline::Type::rectangle;
  const AncfBeam24::Options options{
      .law = full.law.law,
      .form = full.law.form,
      .strains = full.strains,
      .section = round ? AncfBeam24::Section::ellipse : AncfBeam24::Section::rectangle,
      .points = full.points,
      .damped = section.damping_stretch > 0 ? AncfBeam24::Damped::yes : AncfBeam24::Damped::no};
  for (long e = 0; e < spec.elements; ++e) {
    const double share = (static_cast<double>(e) + 0.5) / static_cast<double>(spec.elements);
    const GivenParams<AncfBeam24> parameters = full_parameters(spec, share);
    std::array<int, slots_of<AncfBeam24>> slots{};
    for (int a = 0; a < 2; ++a) {
      const size_t node = static_cast<size_t>(e + a);
      const int own[4] = {part.points[node], part.vectors[node], part.fibres[node][0], part.fibres[node][1]};
      std::copy_n(own, 4, slots.begin() + 4 * a);
    }
    ElementRef element{fmt::format("beam '{}', element {}", spec.name, e + 1),
                       {slots[0], slots[1], slots[4], slots[5]},
                       numbers_of<AncfBeam24>(parameters),
                       choices_of<AncfBeam24>(options),
                       parameters.length.value};
    if (section.relaxation.empty()) {
      draft.builder.item<AncfBeam24>(slots, parameters, options, element.name, section.mass_damping,
                                     spec.origin.source);
    } else {
      GivenParams<CompositeBeam> relaxing{.elastic = parameters};
      for (size_t i = 0; i < section.relaxation.size(); ++i) {
        relaxing.share[static_cast<int>(i)] = section.relaxation[i].share;
        relaxing.time[static_cast<int>(i)] = section.relaxation[i].time;
      }
      draft.builder.item<CompositeBeam>(
          slots, relaxing, {.elastic = options, .branches = static_cast<PronyBranches>(section.relaxation.size())},
          element.name, section.mass_damping, spec.origin.source);
    }
    part.elements.push_back(std::move(element));
  }
}

}  // namespace

void build_full_beam(MachineDraft& draft, const BeamSpec& spec) {
  if (!check_full_beam(draft, spec)) return;
  CablePart part;
  part.name = spec.name;
  part.length = spec.path.length();
  part.section = std::make_shared<const SectionSpec>(spec.section);
  if (!add_full_nodes(draft, spec, part)) return;
  add_full_elements(draft, spec, part);
  draft.note_motion(spec.motion, node_slots(part));
  draft.graph.add(spec.name);
  draft.machine.cables.push_back(std::move(part));
}

}  // namespace flexura::detail
