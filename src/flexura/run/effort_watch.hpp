#pragma once
// What the drives of prescribed joints do, against the largest effort that each joint states.

#include <optional>
#include <string>
#include <vector>

#include "flexura/observe/sensor_probe.hpp"
#include "flexura/solve/system.hpp"

namespace flexura {

class EffortWatch {
 public:
  /// The machine and the system must outlive it.
  EffortWatch(const Machine& machine, System<double>& system);

  struct Finding {
    std::string joint;  ///< "joint.elbow"
    double effort = 0, most = 0;
    bool turns = false;  ///< [N m], else [N]

    std::string text(double t) const;
  };
  /// Joints that need more than they have at a state whose signals are set, each once.
  std::vector<Finding> look(const State<double>& state);

 private:
  std::vector<SensorSpec> sensors_;
  std::vector<Finding> limits_;
  std::vector<char> told_;
  std::optional<SensorProbe> probe_;  ///< none: no joint states a limit and is prescribed
};

}  // namespace flexura
