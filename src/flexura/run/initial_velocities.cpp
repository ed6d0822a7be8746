#include "flexura/run/initial_velocities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "flexura/math/turn_fit.hpp"
#include "flexura/observe/body_motion.hpp"
#include "flexura/part/part_slots.hpp"
#include "flexura/part/specs.hpp"
#include "flexura/solve/nearest_velocities.hpp"

namespace flexura {
namespace {

constexpr double much_lost = 0.01;      ///< of what is stated: its loss is a warning
constexpr double reported_loss = 1e-6;  ///< of what is stated, and of the fastest part

struct NamedMotion {
  std::string name;  ///< "body 'rod'"
  PartMotion motion;
};

/// The parts of a model as those who state velocities see them.
class StatedMotions {
 public:
  StatedMotions(ActiveModel& active, bool stated)
      : scene_(active.scene()), topology_(active.topology()), state_(active.state), stated_(stated) {
    for (const int slot : scene_.stated_velocities) states_.insert(slot);
    for (size_t b = 0; b < topology_.batches.size(); ++b)
      if (topology_.batches[b].type->info.has_mass)
        for (int i = 0; i < topology_.batches[b].count; ++i)
          left_.emplace(topology_.item_names[topology_.batches[b].names[i]], std::pair(static_cast<int>(b), i));
    add_bodies();
    add_lines();
    add_surfaces();
    add_points();
    add_masses();
    for (size_t k = 0; k < scene_.points.size(); ++k)  // of those without mass only what is stated counts
      if (PartMotion& motion = parts_[points_ + k].motion; motion.items.empty() && motion.states_any())
        motion.massless = scene_.points[k].slot;
  }

  std::vector<NamedMotion>& parts() { return parts_; }
  std::vector<std::pair<int, int>> rest() const {
    std::vector<std::pair<int, int>> items;
    for (const auto& [name, item] : left_) items.push_back(item);
    std::ranges::sort(items);
    return items;
  }

 private:
  void take(PartMotion& motion, const std::string& item) {
    const auto [first, end] = left_.equal_range(item);
    for (auto found = first; found != end; ++found) motion.items.push_back(found->second);
    left_.erase(first, end);
  }
  Triple value(const std::vector<double>& x, int slot) const {
    Triple out{};
    for (int i = 0; i < topology_.slots[slot].size; ++i) out[i] = x[topology_.slots[slot].offset + i];
    return out;
  }

  void add_bodies() {
    for (const BodyPart& body : scene_.bodies) {
      PartMotion& motion = parts_.emplace_back(fmt::format("body '{}'", body.name), PartMotion()).motion;
      motion.center = body_frame(body, topology_, state_.q).origin;
      if (body.spec == nullptr) continue;
      motion.states_velocity = stated_ && body.spec->velocity.has_value();
      motion.states_turning = stated_ && body.spec->angular_velocity.has_value();
      if (motion.states_velocity) motion.velocity = *body.spec->velocity;
      if (motion.states_turning) motion.turning = *body.spec->angular_velocity;
      if (topology_.dim == 2) motion.velocity[2] = motion.turning[0] = motion.turning[1] = 0;
      take(motion, body.spec->origin.path);
    }
  }

  void add_lines() {
    for (const CablePart& cable : scene_.cables) {
      PartMotion& motion = parts_.emplace_back(fmt::format("{} '{}'", cable.kind(), cable.name), PartMotion()).motion;
      read_flexible(motion, node_slots(cable));
      for (const ElementRef& element : cable.elements) take(motion, element.name);
      lines_.push_back(parts_.size() - 1);
    }
  }

  void add_surfaces() {
    for (const PlatePart& plate : scene_.plates) {
      PartMotion& motion = parts_.emplace_back(fmt::format("plate '{}'", plate.name), PartMotion()).motion;
      read_flexible(motion, node_slots(plate));
      for (const PlateElement& element : plate.model.elements) take(motion, element.name);
      plates_.push_back(parts_.size() - 1);
    }
    for (const SolidPart& solid : scene_.solids) {
      PartMotion& motion =
          parts_.emplace_back(fmt::format("{} '{}'", solid.mesh.word(), solid.name), PartMotion()).motion;
      read_flexible(motion, node_slots(solid));
      for (const std::string& item : solid.model.items) take(motion, item);
      solids_.push_back(parts_.size() - 1);
    }
  }

  void add_points() {
    points_ = parts_.size();
    for (const PointPart& point : scene_.points) {
      PartMotion& motion = parts_.emplace_back(fmt::format("point '{}'", point.name), PartMotion()).motion;
      motion.is_point = true;
      motion.center = value(state_.q, point.slot);
      motion.states_velocity = stated_ && states_.contains(point.slot);
      if (motion.states_velocity) motion.velocity = value(scene_.model.values.v0, point.slot);
      take(motion, "sphere." + point.name);
    }
  }

  /// Masses move as the part that they are on.
  void add_masses() {
    for (const TermPart& term : scene_.terms) {
      if (term.spec == nullptr || !term.spec->term->has_mass || term.places.size() != 1 || term.places[0].size() != 1)
        continue;
      if (const int part = part_of(term.places[0][0]); part >= 0) take(parts_[part].motion, term.spec->origin.path);
    }
  }

  int part_of(const MaterialPlace& at) const {
    using On = MaterialPlace::On;
    const auto index = static_cast<size_t>(at.part);
    switch (at.on) {
      case On::ground:
        return -1;
      case On::body:
        return at.part;
      case On::cable:
        return static_cast<int>(lines_[index]);
      case On::plate:
        return static_cast<int>(plates_[index]);
      case On::solid:
        return static_cast<int>(solids_[index]);
      case On::point:
        return static_cast<int>(points_ + index);
    }
    return -1;
  }

  /// A part of which all slots are among stated_velocities states its motion, one of which only some are its rotation
  /// alone.
  void read_flexible(PartMotion& motion, const std::vector<int>& slots) {
    motion.is_rigid = false;
    const auto count = std::ranges::count_if(slots, [&](int slot) { return states_.contains(slot); });
    motion.states_turning = stated_ && count > 0;
    motion.states_velocity = motion.states_turning && count == static_cast<long>(slots.size());
    int points = 0;
    const Values& values = scene_.model.values;
    const auto is_point = [&](int slot) { return topology_.slots[slot].kind == SlotKind::point; };
    for (const int slot : slots)
      if (is_point(slot)) motion.center = motion.center + value(values.q0, slot), ++points;
    motion.center = (1.0 / std::max(points, 1)) * motion.center;
    if (!motion.states_turning) return;
    Triple velocity{};
    TurnFit<3, double> fit;
    Vec<3, double> moment{};
    for (const int slot : slots) {
      const Triple v = value(values.v0, slot);
      Triple arm = value(values.q0, slot);
      if (is_point(slot)) arm = arm - motion.center, velocity = velocity + v;
      fit.add(Vec<3, double>::load(arm.data()));
      moment += TurnFit<3, double>::moment(Vec<3, double>::load(arm.data()), Vec<3, double>::load(v.data()));
    }
    const Vec<3, double> turning = fit(moment);
    for (int i = 0; i < 3; ++i) motion.turning[i] = turning[i];
    motion.velocity = (1.0 / std::max(points, 1)) * velocity;
  }

  const SceneModel& scene_;
  const Topology& topology_;
  const State<double>& state_;
  bool stated_;
  std::set<int> states_;
  std::vector<NamedMotion> parts_;
  std::vector<size_t> lines_, plates_, solids_;           ///< places in parts_
  size_t points_ = 0;                                     ///< the first of them
  std::multimap<std::string, std::pair<int, int>> left_;  ///< items with mass that no part has taken, by name
};

/// Nothing moves, is stated to move, or is driven.
bool is_at_rest(ActiveModel& active) {
  if (states_velocities(active.scene())) return false;
  State<double>& state = active.state;
  active.system().assembler.expand(state.q.data(), state.v.data(), state.a.data());
  if (!std::ranges::all_of(state.v, [](double v) { return v == 0; })) return false;
  if (!active.has_constraints()) return true;
  const double* rate = active.constraints().motion(state).rate;
  return std::ranges::all_of(active.constraints().rows(), [&](int row) { return rate[row] == 0; });
}

/// What is rounding beside `scale` or the largest component is 0.
double without_rounding(double x, double scale) {
  constexpr double rounding = 1e-9;
  return std::fabs(x) <= rounding * scale ? 0.0 : x;
}
double size_of(const Triple& x) { return std::max({std::fabs(x[0]), std::fabs(x[1]), std::fabs(x[2])}); }

std::string numbers_of(const Triple& x, int dim, double scale) {
  const double beside = std::max(scale, size_of(x));
  std::string text = fmt::format("({:.4g}, {:.4g}", without_rounding(x[0], beside), without_rounding(x[1], beside));
  if (dim == 3) text += fmt::format(", {:.4g}", without_rounding(x[2], beside));
  return text + ")";
}

/// "body 'rod': velocity (0, 0, 1) m/s stated, (0, 0, 0.4) kept": of both where both are stated and either is lost.
std::string lost_text(const NamedMotion& part, const NearestVelocities::Fit& fit, int dim) {
  const PartMotion& motion = part.motion;
  std::string text = part.name + ":";
  if (motion.states_velocity)
    text += fmt::format(" velocity {} m/s stated, {} kept", numbers_of(motion.velocity, dim, 0),
                        numbers_of(fit.velocity, dim, size_of(motion.velocity)));
  if (!motion.states_turning) return text;
  if (motion.states_velocity) text += ";";
  if (dim == 2)
    return text + fmt::format(" angular velocity {:.4g} rad/s stated, {:.4g} kept", motion.turning[2],
                              without_rounding(fit.turning[2], std::fabs(motion.turning[2])));
  return text + fmt::format(" angular velocity {} rad/s stated, {} kept", numbers_of(motion.turning, dim, 0),
                            numbers_of(fit.turning, dim, size_of(motion.turning)));
}

}  // namespace

bool states_velocities(const SceneModel& scene) {
  return !scene.stated_velocities.empty() || std::ranges::any_of(scene.bodies, [](const BodyPart& body) {
    return body.spec != nullptr && (body.spec->velocity || body.spec->angular_velocity);
  });
}

std::string unused_velocities(const SceneModels& scene) {
  for (const AnalysisSpec& analysis : scene.timeline.analyses) {  // modes about what moves know how it does
    if (analysis.motion() != nullptr || analysis.finds_modes()) return {};
    if (analysis.finds_equilibria()) break;
  }
  if (std::ranges::any_of(scene.timeline.analyses, [](const AnalysisSpec& a) { return a.motion() != nullptr; }))
    return {};
  return states_velocities(scene.models.front()) ? "initial velocities have no effect: no analysis is dynamic" : "";
}

VelocityReport set_initial_velocities(ActiveModel& active, bool stated) {
  VelocityReport report;
  if (is_at_rest(active)) return report;
  const Topology& topology = active.topology();
  StatedMotions motions(active, stated);
  std::vector<PartMotion> parts;
  for (const NamedMotion& part : motions.parts()) parts.push_back(part.motion);
  const std::vector<std::pair<int, int>> rest = motions.rest();
  NearestVelocities nearest(active.system(), active.constraints(), parts, rest);
  report.solved = nearest.solve(active.state);
  if (!report.solved) return report;
  double fastest = 0;
  for (size_t p = 0; p < parts.size(); ++p) fastest = std::max({fastest, nearest.fit(p).speed, nearest.fit(p).stated});
  for (size_t p = 0; p < parts.size(); ++p) {
    const NearestVelocities::Fit& fit = nearest.fit(p);
    const double share = fit.missed / std::max({fit.stated, fit.speed, 1e-300});
    if (share <= reported_loss || fit.missed <= reported_loss * fastest) continue;
    const NamedMotion& part = motions.parts()[p];
    if (part.motion.states_any())
      (share > much_lost ? report.warnings : report.notes)
          .push_back("initial velocities that the joints do not allow: " + lost_text(part, fit, topology.dim));
    else if (share > much_lost)
      report.warnings.push_back(
          fmt::format("the joints of {} start it with velocities that no rigid motion has: they differ by {:.3g} m/s "
                      "(root mean square) from the nearest, of {:.3g} m/s: expect a shock",
                      part.name, fit.missed, fit.stated));
  }
  return report;
}

}  // namespace flexura
