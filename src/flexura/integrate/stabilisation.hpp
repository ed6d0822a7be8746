#pragma once
// What keeps the constraints of explicit methods from drifting, one row each.

#include "flexura/base/settings.hpp"
#include "flexura/integrate/index1_motion.hpp"

namespace flexura {

class Stabilisation : public Settings {
 public:
  /// Whether positions and velocities are brought back after each step.
  virtual Projection projection() const { return Projection::none; }
  /// What is added to the equations.
  virtual DriftControl drift() const { return {}; }
};

/// The first is the default.
SettingsRows stabilisations();

}  // namespace flexura
