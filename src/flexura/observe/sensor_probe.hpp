#pragma once
// Reads the sensors of a machine from a state.

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "flexura/observe/moment.hpp"
#include "flexura/solve/constraints.hpp"
#include "flexura/solve/system.hpp"

namespace flexura {

class SensorProbe {
 public:
  /// The sensors must outlive it, and know their items.
  SensorProbe(const Machine& machine, std::span<const SensorSpec> sensors, System<double>& system);
  SensorProbe(const SensorProbe&) = delete;
  SensorProbe& operator=(const SensorProbe&) = delete;

  /// Prepares to read sensors at this state: the signals of state.t must be set. `inertia`: reactions include it.
  void update(const State<double>& state, bool inertia, const Energies& energies) {
    prepare(state, inertia, energies, needs_ | needs::violations);
  }
  /// The same for sensors alone: energies and violations only where one asks for them.
  void update_sensors(const State<double>& state, bool inertia, const Energies& energies) {
    prepare(state, inertia, energies, needs_);
  }
  /// Quantity::needs of all sensors.
  unsigned all_needs() const { return needs_; }
  /// Enough for sensors of places, directions, coordinates and strains, and much cheaper.
  void look_at(const State<double>& state) {
    now_.state = &state;
    system_.look_back(state);
  }
  bool needs_forces(int index) const { return sensors_[index].quantity->needs != 0; }
  /// Whether it depends on multipliers or on forces that drives take.
  bool reads_reactions(int index) const { return reads_reactions_[static_cast<size_t>(index)] != 0; }
  /// `last`: what the sensor read before, from which angles count turns and quaternions keep their sign.
  void read(int index, std::span<double> out, std::span<const double> last) const;

  /// The state with the multipliers of least size where rows are redundant, whatever sensors ask for; itself where none are.
  const State<double>& shared(const State<double>& state);
  const State<double>& shared(const State<double>&& state) = delete;

  /// The state read last, its multipliers those of least size where rows are redundant and a sensor asks for forces.
  const State<double>& state() const { return *now_.state; }
  const ViolationProbe& violations() const { return violations_; }
  /// Joints whose reactions did not balance the loads so far, as their equations nearly say the same; by path, null:
  /// none is read.
  const std::set<std::string>* unbalanced() const { return relations_ ? &relations_->unbalanced() : nullptr; }

 private:
  void prepare(const State<double>& state, bool inertia, const Energies& energies, unsigned needed);
  bool has_redundant(const State<double>& state);

  System<double>& system_;
  ViolationProbe violations_;
  Moment now_;
  std::vector<BoundSensor> sensors_;
  std::vector<char> reads_reactions_;          ///< by sensor
  unsigned needs_ = 0;                         ///< of all sensors; multipliers: and rows are redundant
  std::optional<bool> redundant_;              ///< rows are; looked for once
  std::unique_ptr<Constraints> constraints_;   ///< for the multipliers of least size
  State<double> least_;                        ///< the state with those
  std::unique_ptr<RelationForces> relations_;  ///< where a reaction is read
};

}  // namespace flexura
