#pragma once
// Which directions of a machine count revolutions: planar bodies, and what sensors of angles look along.

#include <span>
#include <vector>

#include "flexura/observe/sensor.hpp"
#include "flexura/solve/angle_counts.hpp"
#include "flexura/solve/state.hpp"

namespace flexura {

class CountedAngles {
 public:
  CountedAngles(const Machine& machine, std::span<const SensorSpec> sensors);

  const AngleCounts& counts() const { return counts_; }
  /// Angles of a state at its start. `before`: of another model, whose directions of the same name go on.
  void begin(State<double>& state, const CountedAngles* before = nullptr,
             const std::vector<double>& angles_before = {}) const;
  /// What springs between directions that are counted remember of revolutions, where they begin: `fresh` by item of
  /// Topology::history, all where it is empty.
  void wind_springs(const Machine& machine, State<double>& state, std::span<const char> fresh = {}) const;

  /// The angle of a planar body; of one that a sensor reads.
  bool counts_body(int body) const { return bodies_[body] >= 0; }
  double of_body(const State<double>& state, int body) const { return angle(state, bodies_[body]); }
  bool counts_sensor(int sensor) const { return sensors_[sensor] >= 0; }
  double of_sensor(const State<double>& state, int sensor) const { return angle(state, sensors_[sensor]); }
  /// Which of the numbers that the sensor reads it is.
  static int place(const SensorSpec& sensor);

  /// "body 'rotor'": directions of which a step turned by so much more or less than expected that their revolutions are in doubt.
  std::vector<int> doubtful(const State<double>& state) const;

 private:
  double angle(const State<double>& state, int k) const {
    return counts_.angle(state.angles, k, state.t, state.q, state.v);
  }

  AngleCounts counts_;
  std::vector<int> bodies_, sensors_;  ///< their directions; −1: none
};

}  // namespace flexura
