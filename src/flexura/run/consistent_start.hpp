#pragma once
// Before a run moves anything: positions that fit the joints, velocities too, and what the constraints leave free.

#include <span>
#include <string>
#include <vector>

#include "flexura/run/active_model.hpp"
#include "flexura/solve/kinematics.hpp"

namespace flexura {

struct StartReport {
  FreedomCount freedom;
  std::string count_text;  ///< the count in words
  double moved = 0;        ///< largest move of a point [m]
  double turned = 0;       ///< largest rotation of a direction or joint angle [rad]
  std::string
      moves;  ///< "moved by 0.012 m and turned by 0.1 rad (5.73 degrees) at most, body 'rod'"; empty: nothing moved
  std::vector<std::string>
      velocities;  ///< what is stated of parts and not kept, where that is too little for a warning
  std::vector<std::string> warnings;

  bool has_joints() const { return freedom.multipliers > 0 || freedom.eliminated > 0; }
  /// "initial positions moved by 0.012 m at most, body 'rod'", and the velocities, or "" where nothing moved.
  std::string moved_text() const;
};

/// Projects the active model's positions and velocities on the constraints. Positions that are not open by more than 10⁻⁶
/// of the extent are closed without a word, others only where the scene says `assemble`. Throws InputError, which names the
/// joints, where they are open and may not be closed, cannot be, or ask for velocities that contradict each other; and where
/// `first` is kinematic and something is free.
StartReport make_consistent(ActiveModel& active, const SceneDocument& document, const AnalysisSpec& first);

/// The same for the first model of a scene, before anything runs.
StartReport check_start(const SceneModels& scene, const SceneDocument& document);

/// What of the contacts that act now lies in each other, in a sentence, or "". `who`: the one to be moved.
std::string overlap_text(ActiveModel& active, std::string* who = nullptr);

/// Who a slot belongs to: "body 'rod'", "cable 'hose'", or the slot's name.
std::string part_at(const SceneModel& scene, int slot);

/// The joints, bodies and trusses of some rows of Φ, each once: "joint.a, body.rod, and 2 more".
std::string authors_of(const SceneModel& scene, std::span<const int> rows);

/// Coordinates, constraints and what is free, at the state.
StartReport count_freedom(ActiveModel& active);

}  // namespace flexura
