#include "flexura/part/beam_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "flexura/part/find_place.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

using SectionAxes = std::array<Triple, 3>;  ///< d₁, d₂, d₃

double fraction_of(size_t node, size_t nodes) { return static_cast<double>(node) / static_cast<double>(nodes - 1); }

/// x mirrored at the plane across n.
Triple mirrored(const Triple& x, const Triple& n) {
  const double length = dot(n, n);
  return length > 0 ? x - (2 * dot(n, x) / length) * n : x;
}

/// Carries the axes from one place of a curve to a near one without turning them about the tangent: two reflections, of
/// fourth order in the distance and exact along arcs and at corners [wang2008 table 1].
void carry(SectionAxes& axes, const Triple& step, const Triple& tangent) {
  const Triple between = tangent - mirrored(axes[2], step);
  const Triple side = mirrored(mirrored(axes[0], step), between);
  const Triple across = side - dot(side, tangent) * tangent;  // rounding
  axes[0] = (1 / norm(across)) * across;
  axes[1] = cross(tangent, axes[0]);
  axes[2] = tangent;
}

/// Axes at the nodes that turn about the tangent nowhere, given at one of them.
std::vector<SectionAxes> carried(const PathCurve& curve, size_t nodes, size_t from, const SectionAxes& given) {
  constexpr size_t most_places = 8192, most_of_an_interval = 64;
  const size_t pieces = std::clamp<size_t>(most_places / nodes, 2, most_of_an_interval);
  std::vector<SectionAxes> out(nodes, given);
  const auto carry_on = [&](size_t node, int direction) {
    SectionAxes axes = out[node];
    const double begin = fraction_of(node, nodes), end = fraction_of(node + direction, nodes);
    Triple r = curve.at(begin * curve.length());
    for (size_t i = 1; i <= pieces; ++i) {
      const double fraction = begin + (end - begin) * static_cast<double>(i) / static_cast<double>(pieces);
      const Triple next = curve.at(fraction * curve.length());
      carry(axes, next - r, curve.tangent(fraction * curve.length()));
      r = next;
    }
    out[node + direction] = axes;
  };
  for (size_t k = from; k + 1 < nodes; ++k) carry_on(k, 1);
  for (size_t k = from; k > 0; --k) carry_on(k, -1);
  return out;
}

/// Turned the shortest way until d₃ is the tangent; about d₁ where that is the opposite direction.
SectionAxes turned_to(const SectionAxes& axes, const Triple& tangent) {
  constexpr double opposite = 1e-9;
  if (1 + dot(axes[2], tangent) < opposite) return {axes[0], -1.0 * axes[1], -1.0 * axes[2]};
  SectionAxes out = axes;
  carry(out, axes[2] + tangent, tangent);
  return out;
}

/// Turned about d₃.
SectionAxes twisted(const SectionAxes& d, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * d[0] + s * d[1], c * d[1] - s * d[0], d[2]};
}

/// Whether a joint welds the beam to the ground at that share of its length.
bool is_held(const MachineDraft& draft, const CablePart& part, double fraction) {
  return std::ranges::any_of(draft.joints, [&](const JointSpec& joint) {
    if (joint.type != JointType::weld || !(joint.of[0].is_ground() || joint.of[1].is_ground())) return false;
    const Place& place = joint.of[joint.of[0].is_ground() ? 1 : 0];
    if (place.part != part.name) return false;
    const auto at = share_on_cable(part, place);
    return std::holds_alternative<double>(at) && std::fabs(std::get<double>(at) - fraction) <= 1e-9;
  });
}

/// Sections of the shape to start from, of those of the path.
std::vector<BeamNode> start_nodes(const BeamSpec& spec, const std::vector<BeamNode>& path, size_t held) {
  const PathCurve& curve = *spec.initial;
  const size_t nodes = path.size();
  const std::vector<SectionAxes> of_path = carried(spec.path, nodes, held, path[held].d);
  const Triple tangent = curve.tangent(fraction_of(held, nodes) * curve.length());
  const std::vector<SectionAxes> of_start = carried(curve, nodes, held, turned_to(path[held].d, tangent));
  std::vector<BeamNode> out(nodes);
  for (size_t k = 0; k < nodes; ++k) {
    const double fraction = fraction_of(k, nodes);
    const double own = std::atan2(dot(path[k].d[0], of_path[k][1]), dot(path[k].d[0], of_path[k][0]));
    out[k] = {curve.at(fraction * curve.length()),
              twisted(of_start[k], own + spec.initial_twist * (fraction - fraction_of(held, nodes)))};
  }
  return out;
}

}  // namespace

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

bool place_node(const PathCurve& curve, double share, const Triple& up, double twist, BeamNode& node) {
  node.r = curve.at(share * curve.length());
  const Triple t = curve.tangent(share * curve.length()), side = cross(t, up);
  if (norm(side) <= 1e-6 * norm(up)) return false;
  const Triple second = (1 / norm(side)) * side, first = cross(second, t);
  const double c = std::cos(twist * share), s = std::sin(twist * share);
  node.d = {c * first + s * second, c * second - s * first, t};
  return true;
}

std::optional<BeamNodes> place_nodes(MachineDraft& draft, const BeamSpec& spec, const CablePart& part, long intervals) {
  const Triple up = spec.up ? *spec.up : widest_up(spec.path, intervals);
  BeamNodes out;
  out.path.resize(static_cast<size_t>(intervals) + 1);
  for (size_t k = 0; k < out.path.size(); ++k) {
    const double fraction = fraction_of(k, out.path.size());
    if (place_node(spec.path, fraction, up, spec.twist, out.path[k])) continue;
    draft.wrong(spec.origin, spec.up ? "up" : "path",
                fmt::format("at {:.6g} m the curve runs along `up`, so the section has no direction there; give "
                            "another `up`",
                            fraction * spec.path.length()));
    return {};
  }
  const bool by_its_end = spec.initial && !is_held(draft, part, 0) && is_held(draft, part, 1);
  out.start = spec.initial ? start_nodes(spec, out.path, by_its_end ? out.path.size() - 1 : 0) : out.path;
  return out;
}

}  // namespace flexura::detail
