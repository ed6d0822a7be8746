#include "flexura/run/geared_starts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "flexura/constraint/joint_angle.hpp"
#include "flexura/math/whole_turns.hpp"
#include "flexura/model/term_type.hpp"
#include "flexura/part/specs.hpp"
#include "flexura/solve/joint_angles.hpp"

namespace flexura {
namespace {

constexpr double typed_angle = 1e-6;  ///< of angles that are typed [rad]
constexpr int max_geared_revolutions = 20;

/// Slots of the coordinates of joints' angles.
std::set<int> angle_slots(const Topology& topology) {
  constexpr std::size_t slots = JointAngle<2>::slots.size();
  std::set<int> out;
  for (const ItemBatch& batch : topology.batches) {
    if (batch.type->info.name != JointAngle<2>::name && batch.type->info.name != JointAngle<3>::name) continue;
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch.count); ++i) out.insert(batch.slots[i * slots + 3]);
  }
  return out;
}

/// One that gears tie to the free coordinate f.
struct GearedCoordinate {
  double ratio, offset, start;
  bool is_angle, is_stated;
};

struct Fit {
  int at_poses = 0, kept = 0;
  auto operator<=>(const Fit&) const = default;
};

Fit fit_of(const std::vector<GearedCoordinate>& group, double f) {
  Fit out;
  for (const GearedCoordinate& c : group) {
    const double off = c.ratio * f + c.offset - c.start;
    const double from_pose = c.is_angle ? std::remainder(off, 2 * std::numbers::pi) : off;
    out.at_poses += std::fabs(from_pose) < typed_angle;
    out.kept += c.is_stated && std::fabs(off) < typed_angle;
  }
  return out;
}

double best_revolution(const std::vector<GearedCoordinate>& group, double f) {
  double best = f;
  Fit most = fit_of(group, f);
  const auto consider = [&](double candidate) {
    const Fit fit = fit_of(group, candidate);
    if (fit > most) most = fit, best = candidate;
  };
  for (int n = 1; n <= max_geared_revolutions; ++n)
    for (const int sign : {1, -1}) consider(f + sign * 2 * n * std::numbers::pi);
  for (const GearedCoordinate& c : group) consider(nearest_turn(f, (c.start - c.offset) / c.ratio));
  return best;
}

}  // namespace

void choose_geared_revolutions(const Machine& machine, std::vector<double>& q) {
  const Topology& topology = *machine.model.topology;
  const Values& values = machine.model.values;
  std::set<int> stated;
  for (const JointPart& joint : machine.joints)
    if (joint.spec && joint.spec->initial_angle) stated.insert(joint.angle);
  const auto is_stated = [&](int slot) {
    return stated.contains(slot) || std::fabs(values.q0[topology.slots[slot].offset]) > std::numbers::pi;
  };
  const std::set<int> angles = angle_slots(topology);
  std::map<int, std::vector<GearedCoordinate>> groups;
  for (const Dependent& dependent : topology.dependents) {
    const Slot& slot = topology.slots[dependent.slot];
    if (slot.kind != SlotKind::scalar || !dependent.drives.empty() || dependent.weights.size() != 1) continue;
    const Weight& weight = dependent.weights.front();
    const double ratio = values.weights[weight.first];
    if (!angles.contains(weight.master) || ratio == 0) continue;
    groups[weight.master].push_back({ratio, values.bases[dependent.base], values.q0[slot.offset],
                                     angles.contains(dependent.slot), is_stated(dependent.slot)});
  }
  for (auto& [master, group] : groups) {
    const double start = values.q0[topology.slots[master].offset];
    group.push_back({1, 0, start, true, is_stated(master)});
    q[topology.slots[master].offset] = best_revolution(group, start);
  }
}

std::vector<double> stated_revolutions(const Model& model, const std::vector<double>& q) {
  std::vector<double> stated = q;
  std::set<int> geared;
  for (const Dependent& dependent : model.topology->dependents)
    if (dependent.drives.empty()) geared.insert(dependent.slot);
  for (const int s : angle_slots(*model.topology)) {
    const int at = model.topology->slots[s].offset;
    if (!geared.contains(s)) stated[at] = model.values.q0[at];
  }
  std::vector<double> out = JointAngles(*model.topology).open_angles(stated, model.topology->ny);
  for (double& angle : out) angle = whole_turns(angle);
  return out;
}

}  // namespace flexura
