#pragma once
// A scene as models ready to be solved: who is where in the slots, what is recorded, and when which model holds.

#include <memory>
#include <string>
#include <vector>

#include "flexura/observe/sensor.hpp"
#include "flexura/part/machine.hpp"
#include "flexura/scene/timeline.hpp"

namespace flexura {

/// A machine with what is read from it.
struct SceneModel : Machine {
  std::vector<SensorSpec> sensors;  ///< the same, in the same order, in every model
};

struct OutputSpec {
  double interval = 0, sensor_interval = 0;  ///< [s]; 0: chosen by the run
  bool every_step = false;
};

struct SceneModels {
  std::string title;
  Timeline timeline;               ///< segments know their model
  std::vector<SceneModel> models;  ///< one per set of things that act
  OutputSpec output;
  std::vector<Problem> warnings;                        ///< what should be known before a run, ordered, each once
  std::vector<std::shared_ptr<const CalledCode>> code;  ///< of the program, that signals and loads call
};

/// Throws InputError with every problem.
SceneModels interpret_scene(const SceneDocument& scene);

/// Index of each free or dependent slot of `to` in `from` by name, −1 where there is none: how a state goes on when
/// something was let go.
std::vector<int> slots_by_name(const Topology& from, const Topology& to);

}  // namespace flexura
