#pragma once
// What a scene states of the velocities of its parts, and with which a motion begins (solve/nearest_velocities.hpp).

#include <string>
#include <vector>

#include "flexura/run/active_model.hpp"

namespace flexura {

struct VelocityReport {
  bool solved = true;  ///< false: velocities are what they were
  std::vector<std::string>
      warnings;  ///< more than 1 % of what is stated is lost, or a flexible part is bent by its joints
  std::vector<std::string> notes;  ///< what else of that is more than rounding
};

/// Velocities of the state for a motion that begins there. Reads the signals that are set. `stated`: with what the
/// scene states of the
/// parts; else as if nothing were stated.
VelocityReport set_initial_velocities(ActiveModel& active, bool stated);

/// Whether a velocity of any part is stated.
bool states_velocities(const SceneModel& scene);

/// A warning where the scene states velocities and nothing ever moves, or "".
std::string unused_velocities(const SceneModels& scene);

}  // namespace flexura
