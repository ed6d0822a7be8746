#include "flexura/run/effort_watch.hpp"

#include <fmt/format.h>

#include <cmath>

#include "flexura/part/specs.hpp"

namespace flexura {

EffortWatch::EffortWatch(const Machine& machine, System<double>& system) {
  for (const JointPart& joint : machine.joints) {
    if (joint.driven.empty()) continue;
    const bool turns = joint.spec->angle.has_value();
    SensorSpec& sensor = sensors_.emplace_back();
    sensor.name = joint.name;
    sensor.quantity = find_quantity(turns ? "drive_torque" : "drive_force");
    sensor.driven = joint.driven;
    limits_.push_back({"joint." + joint.name, 0, *joint.spec->max_effort, turns});
  }
  told_.resize(limits_.size());
  if (!sensors_.empty()) probe_.emplace(machine, sensors_, system);
}

std::vector<EffortWatch::Finding> EffortWatch::look(const State<double>& state) {
  std::vector<Finding> found;
  if (!probe_) return found;
  probe_->update_sensors(state, true, {});
  for (size_t k = 0; k < limits_.size(); ++k) {
    double effort = 0;
    probe_->read(static_cast<int>(k), {&effort, 1}, {});
    if (told_[k] != 0 || std::fabs(effort) <= limits_[k].most) continue;
    told_[k] = 1;
    found.push_back(limits_[k]);
    found.back().effort = effort;
  }
  return found;
}

std::string EffortWatch::Finding::text(double t) const {
  const char* unit = turns ? "N m" : "N";
  return fmt::format("{}: its prescribed motion needs {:.4g} {} at t = {:.6g} s, more than its max_effort of {:.4g} {}",
                     joint, effort, unit, t, most, unit);
}

}  // namespace flexura
