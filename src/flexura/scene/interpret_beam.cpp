// [beam.NAME] → nodes with a point and three directors, their constraints, and elements of three nodes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/model/relaxing_item.hpp"
#include "flexura/scene/interpreter.hpp"
#include "flexura/scene/section_shape.hpp"

namespace flexura::detail {
namespace {

constexpr const char* beam_term = "director_beam_3";

struct BeamNode {
  Triple r;
  std::array<Triple, 3> d;  ///< d₁, d₂ in the section, d₃ along the curve
};

/// The axis that stays farthest from every tangent of the curve.
Triple widest_up(const PathCurve& curve, long nodes) {
  Triple best{};
  double largest = -1;
  for (const Triple& axis : {Triple{0, 0, 1}, Triple{0, 1, 0}, Triple{1, 0, 0}}) {
    double least = 1;
    for (long k = 0; k <= nodes; ++k)
      least = std::min(
          least,
          norm(cross(axis, curve.tangent(curve.length() * static_cast<double>(k) / static_cast<double>(nodes)))));
    if (least > largest + 1e-9) best = axis, largest = least;
  }
  return best;
}

/// d₁ is `up` made perpendicular to the tangent, then turned about it by twist × share. False where they are parallel.
bool place_node(const PathCurve& curve, double share, const Triple& up, double twist, BeamNode& node) {
  node.r = curve.at(share * curve.length());
  const Triple t = curve.tangent(share * curve.length()), side = cross(t, up);
  if (norm(side) <= 1e-6 * norm(up)) return false;
  const Triple second = (1 / norm(side)) * side, first = cross(second, t);
  const double c = std::cos(twist * share), s = std::sin(twist * share);
  node.d = {c * first + s * second, c * second - s * first, t};
  return true;
}

}  // namespace

std::optional<BeamStiffness> Interpreter::beam_section(const Record& beam) {
  const std::optional<SectionValues> plain = section_of(beam);
  const Record* record = scene_.find("section", beam.text("section"));
  if (!plain || record == nullptr) return {};
  const SectionNumbers start = plain->law->plain(0), end = plain->law->plain(1);
  bool complete = true;
  const auto need = [&](const char* key, double SectionNumbers::* value) {
    if (start.*value > 0 && end.*value > 0) return;
    complete = false;
    problems.push_back(
        {record->source,
         record->path,
         fmt::format("\"{}\" is missing, which the beam \"{}\" needs: give it, or a shape and a material", key,
                     beam.name),
         {}});
  };
  using N = SectionNumbers;
  need("GA1", &N::GA1), need("GA2", &N::GA2), need("EA", &N::EA), need("EI1", &N::EI1), need("EI2", &N::EI2);
  need("GJ", &N::GJ), need("rhoA", &N::rhoA), need("rhoI1", &N::rhoI1), need("rhoI2", &N::rhoI2);
  if (!complete) return {};
  BeamStiffness s{*plain->law};
  s.damping_stretch = plain->damping_stretch;
  s.damping_bend = plain->damping_bend;
  s.damping_twist = record->number("damping_twist", s.damping_bend);
  s.mass_damping = plain->mass_damping;
  s.relaxation = plain->relaxation;
  return s;
}

void Interpreter::add_beam(const Record& record) {
  const std::optional<BeamStiffness> section = beam_section(record);
  const std::optional<PathCurve> path = curve_of(record, "path");
  const std::optional<PathCurve> initial = record.has("initial") ? curve_of(record, "initial") : path;
  if (!section || !path || !initial) return;
  if (!(path->length() > 1e-100 && path->length() < 1e100))
    return wrong(record, "path",
                 fmt::format("its length is {:.3g} m; allowed: from 1e-100 m to 1e100 m", path->length()));
  const long n = record.integer("elements"), nodes = 2 * n;
  const std::vector<SectionNumbers> sections = sections_along(record, section->law, path->length(), n);
  if (sections.empty()) return;
  const Numbers* up = record.get<Numbers>("up");
  const Triple above = up != nullptr ? triple(*up) : widest_up(*path, nodes);
  const Numbers* velocity = record.get<Numbers>("velocity");
  const Numbers* spin = record.get<Numbers>("angular_velocity");
  const Numbers* about = record.get<Numbers>("about");
  const Triple w = spin != nullptr ? triple(*spin) : Triple{},
               center = about != nullptr ? triple(*about) : initial->at(0);
  if (norm(above) == 0) return wrong(record, "up", "a direction must not be zero");
  CablePart part;
  part.name = record.name;
  part.length = path->length();
  for (long k = 0; k <= nodes; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(nodes), twist = record.number("twist");
    BeamNode at, start;
    if (!place_node(*path, share, above, twist, at) || !place_node(*initial, share, above, twist, start))
      return wrong(record, up != nullptr ? "up" : "path",
                   fmt::format("at {:.6g} m the curve runs along `up`, so the section has no direction there; give "
                               "another `up`",
                               share * path->length()));
    const int node = builder_.node();
    const Triple v = (velocity != nullptr ? triple(*velocity) : Triple{}) + cross(w, start.r - center);
    const int point = builder_.slot(fmt::format("{}.{}.r", record.name, k), SlotKind::point, at.r, node);
    builder_.set_initial(point, start.r, v);
    initial_[point] = {start.r.begin(), start.r.end()};
    std::array<int, 3> frame{};
    for (int i = 0; i < 3; ++i) {
      frame[i] = builder_.slot(fmt::format("{}.{}.d{}", record.name, k, i + 1), SlotKind::vector, at.d[i], node);
      builder_.set_initial(frame[i], start.d[i], cross(w, start.d[i]));
      initial_[frame[i]] = {start.d[i].begin(), start.d[i].end()};
    }
    part.points.push_back(point);
    part.vectors.push_back(frame[2]);
    part.frames.push_back(frame);
  }
  add_beam_elements(record, *section, sections, part);
  cable_index_[record.name] = static_cast<int>(result_.cables.size());
  parent_[record.name] = record.name;
  result_.cables.push_back(std::move(part));
}

void Interpreter::add_beam_elements(const Record& record, const BeamStiffness& s,
                                    const std::vector<SectionNumbers>& sections, CablePart& part) {
  const TermType* type = find_term(beam_term);
  if (type == nullptr) return problems.push_back({record.source, record.path, "this program has no beam element", {}});
  const long n = static_cast<long>(part.points.size()) / 2;
  const double length = part.length / static_cast<double>(n);
  // Directors stay orthonormal; those welded to the ground are.
  double stiffest = 0;
  for (const SectionNumbers& at : sections) stiffest = std::max({stiffest, at.EI1, at.EI2, at.GJ});
  const double penalty = stiffest / length;
  const auto is_held = [&](size_t k) {
    const double share = static_cast<double>(k) / static_cast<double>(part.frames.size() - 1);
    return std::any_of(scene_.tables.begin(), scene_.tables.end(), [&](const Record& joint) {
      if (joint.kind != "joint" || joint.type != "weld" || !acts(joint)) return false;
      if (joint.text("method") == "multipliers") return false;
      const std::vector<Place>& of = *joint.get<std::vector<Place>>("of");
      const Place& place = of[of[0].is_ground() ? 1 : 0];
      if (!(of[0].is_ground() || of[1].is_ground()) || place.part != record.name) return false;
      const double at = place.at == Place::At::named    ? (place.point == "end" ? 1.0 : 0.0)
                        : place.at == Place::At::length ? place.length / part.length
                                                        : place.share;
      return std::fabs(at - share) <= 1e-9;
    });
  };
  for (size_t k = 0; k < part.frames.size(); ++k) {
    if (is_held(k)) continue;
    const int rows = builder_.node();
    for (int i = 0; i < 3; ++i) {
      const int a = part.frames[k][i], b = part.frames[k][(i + 1) % 3];
      const std::string name = fmt::format("beam '{}', node {}: d{}", record.name, k, i + 1);
      const int length_row = builder_.multiplier(name + ".length", rows),
                angle_row = builder_.multiplier(name + ".angle", rows);
      for (const int row : {length_row, angle_row}) builder_.may_be_implied(row);  // a hinge fixes a direction
      builder_.item("vector_length_3d", std::array{a, length_row}, std::array{1.0, penalty}, {}, name, 0,
                    record.source);
      builder_.item("inner_product_3d", std::array{a, b, angle_row}, std::array{0.0, penalty}, {}, name, 0,
                    record.source);
      result_.constraints[name] = {"rigidity", record.name};
    }
  }
  const bool damped = s.damping_stretch > 0 || s.damping_bend > 0 || s.damping_twist > 0;
  const std::vector<int> options{damped ? 1 : 0};
  for (long e = 0; e < n; ++e) {
    const SectionNumbers& at = sections[e];
    std::vector<double> parameters{at.GA1,         at.GA2,         at.EA,    at.EI1,   at.EI2,
                                   at.GJ,          at.rhoA,        at.rhoI1, at.rhoI2, s.damping_stretch,
                                   s.damping_bend, s.damping_twist};
    std::vector<int> slots;
    for (long k = 2 * e; k <= 2 * e + 2; ++k) {
      slots.push_back(part.points[k]);
      slots.insert(slots.end(), part.frames[k].begin(), part.frames[k].end());
    }
    ElementRef element{fmt::format("beam '{}', element {}", record.name, e + 1),
                       {part.points[2 * e], part.vectors[2 * e], part.points[2 * e + 2], part.vectors[2 * e + 2]},
                       parameters,
                       options,
                       length};
    std::string term = beam_term;
    make_relaxing(s.relaxation, term, element.parameters, element.options);
    builder_.item(term, slots, element.parameters, element.options, element.name, s.mass_damping, record.source);
    part.elements.push_back(std::move(element));
  }
}

/// r(ξ) or d₃(ξ) of the parabola through the element's three nodes.
LinearForm Interpreter::inside_beam(const Location& location, bool gradient) const {
  const CablePart& beam = result_.cables[location.cable];
  const double x = location.xi;
  const double shape[] = {(1 - x) * (1 - 2 * x), 4 * x * (1 - x), x * (2 * x - 1)};
  LinearForm form{3, {}, std::vector<double>(3, 0.0), {}};
  for (int a = 0; a < 3; ++a) {
    const size_t node = static_cast<size_t>(2 * location.element + a);
    form.terms.push_back(
        {gradient ? beam.vectors[node] : beam.points[node], {shape[a], 0, 0, 0, shape[a], 0, 0, 0, shape[a]}});
  }
  return form;
}

}  // namespace flexura::detail
