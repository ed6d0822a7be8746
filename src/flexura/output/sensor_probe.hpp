#pragma once
// Reads the sensors of a scene's model from a state.

#include <span>
#include <vector>

#include "flexura/scene/scene_model.hpp"
#include "flexura/solve/system.hpp"

namespace flexura {

/// Energies of the whole model at a moment [J].
struct Energies {
  double kinetic = 0, strain = 0;
  double gravity = 0;     ///< potential energy of weight, −f·q
  double dissipated = 0;  ///< in dampers, since the start
  double work = 0;        ///< of loads and prescribed motions, since the start
  double numerical = 0;   ///< lost (> 0) or gained by the integration since the start
};

class SensorProbe {
 public:
  SensorProbe(const SceneModel& scene, System<double>& system);

  /// Numbers of sensor `index`: 1, or the dimension.
  int size(int index) const { return sizes_[index]; }
  /// Names of its numbers; empty for a scalar.
  std::vector<std::string> components(int index) const;

  /// Prepares to read sensors at this state: the signals of state.t must be set. `inertia`: reactions include it.
  void update(const State<double>& state, bool inertia, const Energies& energies);
  /// `turns` [sensors]: angles so far, for unwrapping.
  void read(int index, std::span<double> out, std::vector<double>& turns) const;

  /// Q − C v − M a in q order.
  const std::vector<double>& full_residual() const { return residual_; }
  /// Largest |Φ| over the rows of constraints.
  double violation() const;

 private:
  void at_place(const SensorSpec& s, const std::vector<double>& from, bool gradient, double* out) const;
  double probe(const SensorSpec& s, int which) const;

  const SceneModel& scene_;
  System<double>& system_;
  const State<double>* state_ = nullptr;
  Energies energies_;
  bool needs_elastic_ = false;
  std::vector<int> sizes_;
  std::vector<double> residual_, elastic_;
  std::vector<std::pair<int, int>> items_;  ///< batch and item of sensors inside cables
};

}  // namespace flexura
