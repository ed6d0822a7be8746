// Loads in space on cables and beams: a cable has a tangent only and needs a direction of space beside it; beams and bodies
// have directions of their own, and terms of their own.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/load/distributed_force_3d.hpp"
#include "flexura/load/follower_force_3d.hpp"
#include "flexura/load/pneumatic_moment_3d.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

Triple numbers_of(const TermSpec& spec, std::string_view name) {
  const std::vector<double>* x = spec.find_numbers(name);
  return x == nullptr ? Triple{} : Triple{(*x)[0], (*x)[1], (*x)[2]};
}
Vec3 given_force(const TermSpec& spec) {
  const Triple f = numbers_of(spec, "force");
  return {f[0], f[1], f[2]};
}

bool is_beam(const MachineDraft& draft, const Location& at) {
  return at.cable() >= 0 && !draft.machine.cables[at.cable()].frames.empty();
}

/// Whether a cable's load knows across which direction the cable bends.
bool check_normal(MachineDraft& draft, const TermSpec& spec, const Triple& tangent, bool is_full) {
  const Triple e = numbers_of(spec, "normal");
  const char* key = spec.origin.states("normal") ? "normal" : "";
  std::string message;
  if (!(norm(e) > 0) && is_full)
    message =
        "the section of a beam of full elements deforms and cannot say which way is across it: give \"normal\", the "
        "direction of space across which it bends";
  else if (!(norm(e) > 0))
    message =
        "a cable has no torsion and cannot say which way is across it: give \"normal\", the direction of space across "
        "which "
        "it bends, or make it a [beam.NAME]";
  else if (norm(cross(e, tangent)) <= 1e-6 * norm(e) * norm(tangent))
    message = "lies along the cable: what bends there has no direction across it";
  if (message.empty()) return true;
  draft.wrong(spec.origin, key, std::move(message));
  return false;
}

bool refuse_normal(MachineDraft& draft, const TermSpec& spec) {
  if (spec.find_numbers("normal") == nullptr) return false;
  draft.wrong(spec.origin, "normal", "is that of a cable; a body or beam has directions of its own");
  return true;
}

/// The load in the directions of a body or of a beam's node.
void add_follower(MachineDraft& draft, const TermSpec& spec, Location& at) {
  if (refuse_normal(draft, spec)) return;
  std::array<int, 3> axes{};
  if (at.body() >= 0) {
    for (int k = 0; k < 3; ++k) axes[k] = axis_slot(draft, at.body(), k);
  } else if (is_on_frame(draft, at)) {
    const std::array<int, 3>& d = draft.machine.cables[at.cable()].frames[at.at.node];
    axes = {d[2], d[0], d[1]};
  } else {
    return draft.wrong(spec.origin, "at", "a force that turns with a beam acts at one of its nodes");
  }
  const int point = point_slot(draft, at);
  if (point < 0 || axes[0] < 0 || axes[1] < 0 || axes[2] < 0) return;
  draft.builder.item<FollowerForceFrame3d>({point, axes[0], axes[1], axes[2], signal_of(draft, spec, "signal")},
                                           {.force = given(given_force(spec))}, spec.origin.path, 0,
                                           spec.origin.source);
}

/// Items on the elements of a beam from one node to another. The first has the load's own name, so that who asks for its
/// pressure finds it.
void add_chamber(MachineDraft& draft, const TermSpec& spec, const Location& from, const Location& to) {
  if (refuse_normal(draft, spec)) return;
  const CablePart& beam = draft.machine.cables[from.cable()];
  int first = from.at.node, last = to.at.node;
  if (first < 0 || last < 0 || first % 2 != 0 || last % 2 != 0)
    return draft.wrong(spec.origin, "between", "a chamber begins and ends where elements of the beam do");
  if (first > last) std::swap(first, last);
  const GivenParams<PneumaticMomentBeam3d> parameters{
      .radius = spec.number("radius"), .arm = spec.number("arm"), .angle = spec.number("angle")};
  for (int e = first / 2; e < last / 2; ++e) {
    std::array<int, slots_of<PneumaticMomentBeam3d>> slots{signal_of(draft, spec, "pressure")};
    for (int a = 0; a < 3; ++a) std::copy_n(beam.frames[2 * e + a].begin(), 3, slots.begin() + 1 + 3 * a);
    const std::string& path = spec.origin.path;
    draft.builder.item<PneumaticMomentBeam3d>(
        slots, parameters, 2 * e == first ? path : fmt::format("{}, {}", path, beam.elements[e].name), 0,
        spec.origin.source);
  }
}

}  // namespace

LineLoad line_load(MachineDraft& draft, const TermSpec& spec, std::span<Location> at) {
  const bool follows = spec.term->name == FollowerForce3d::name,
             is_chamber = spec.term->name == PneumaticMoment3d::name;
  if (!follows && !is_chamber) return LineLoad::none;
  if (follows && (at[0].body() >= 0 || is_beam(draft, at[0]))) {
    add_follower(draft, spec, at[0]);
    return LineLoad::made;
  }
  if (is_chamber && is_beam(draft, at[0]) && at[1].cable() == at[0].cable()) {
    add_chamber(draft, spec, at[0], at[1]);
    return LineLoad::made;
  }
  const auto refuse = [&](std::string_view key, std::string message) {
    draft.wrong(spec.origin, key, std::move(message));
    return LineLoad::made;
  };
  for (const Location& place : at)
    if (place.cable() < 0 || is_beam(draft, place))
      return refuse(follows ? "at" : "between", follows ? "acts on a body, a cable, or a node of a beam"
                                                        : "a chamber lies between two places of one cable or beam");
  if (is_chamber && spec.find_numbers("angle") != nullptr)
    return refuse("angle", "is that of a beam's section; on a cable \"normal\" says where the chamber lies");
  for (const Location& place : at)
    if (!check_normal(draft, spec, reference_direction(draft, place), draft.machine.cables[place.cable()].is_full()))
      return LineLoad::made;
  return LineLoad::none;
}

bool spread_along_line(MachineDraft& draft, const TermSpec& spec, const CablePart& line) {
  if (spec.term->name != DistributedForce3d::name) return false;
  using Frame = DistributedForce3d::Frame;
  const bool follows = !spec.options.empty() && static_cast<Frame>(spec.options[0]) == Frame::follower;
  if (line.frames.empty()) {
    if (!follows) {
      if (spec.find_numbers("normal") == nullptr) return false;
      draft.wrong(spec.origin, "normal", "is that of frame = \"follower\"; a force that is fixed in space needs none");
      return true;
    }
    for (const int vector : line.vectors) {
      const std::span<const double> g = draft.builder.reference(vector);
      if (!check_normal(draft, spec, {g[0], g[1], g[2]}, line.is_full())) return true;
    }
    return false;
  }
  if (refuse_normal(draft, spec)) return true;
  for (size_t e = 0; e < line.elements.size(); ++e) {
    std::array<int, slots_of<DistributedForceBeam3d>> slots{};
    for (int a = 0; a < 3; ++a) {
      slots[4 * a] = line.points[2 * e + a];
      std::copy_n(line.frames[2 * e + a].begin(), 3, slots.begin() + 4 * a + 1);
    }
    slots.back() = signal_of(draft, spec, "signal");
    draft.builder.item<DistributedForceBeam3d>(
        slots, {.force = given(given_force(spec))}, {.frame = follows ? Frame::follower : Frame::fixed},
        fmt::format("{}, {}", spec.origin.path, line.elements[e].name), 0, spec.origin.source);
  }
  return true;
}

}  // namespace flexura::detail
