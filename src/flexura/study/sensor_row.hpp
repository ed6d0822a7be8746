#pragma once
// Sensors of a scene as one row of numbers, and what the row feels of a state. Part of flexura_ensemble.

#include <algorithm>
#include <cmath>

#include "flexura/solve/dual_residual.hpp"
#include "flexura/study/scene_copy.hpp"

namespace flexura {

/// A sensor that is read, and which of its numbers are asked for.
struct ReadSensor {
  int sensor = 0;
  int size = 0;                 ///< numbers that it reads
  int first = 0;                ///< among those of all sensors of the scene, one after the other
  std::vector<int> components;  ///< of each column that it gives
  std::vector<int> columns;     ///< where they go
  std::vector<double> last;     ///< reading before, from which angles count turns
  bool checked = false;
};

/// What a column feels of one free coordinate or multiplier of q (order 0), v (1) or a (2).
struct SensorSlope {
  int column, order, index;
  double slope;
};

struct SensorRow {
  std::vector<ReadSensor> sensors;
  std::vector<std::string> columns;  ///< "tip.y"
  std::vector<std::string> units;
  std::vector<std::string> names;  ///< of the sensor of each column

  /// Of sensors, "tip", and numbers of them, "tip.y"; none: all. Names that there are not go to `problems`.
  static SensorRow find(const SceneModel& scene, const std::string& file, std::vector<std::string> wanted,
                        std::vector<Problem>& problems);

  /// What it reads at the state of the copy, [columns].
  void read(SceneCopy& copy, std::span<double> row) const;
  /// Takes what it reads there for `last` of the next reading.
  void remember(SceneCopy& copy);
  /// Goes on from what all sensors of the scene have read, one after the other.
  void go_on_from(std::span<const double> readings);
  /// What it feels of a change of the state `at`: of positions, velocities, accelerations and so on one after the other,
  /// differences of sixth order, of the largest step that is a small one for all of them; 1e-11 is left. The copy is at `at` afterwards.
  std::vector<double> along(SceneCopy& copy, const State<double>& at, const State<Tangent>& change) const;
  /// What it feels of each of them by itself, but what is not felt at all; otherwise as along().
  std::vector<SensorSlope> slopes(SceneCopy& copy, const State<double>& at) const;
  /// The same of its effective signals and of the states of lags and inputs, which change by so much.
  std::vector<double> along_signals(SceneCopy& copy, const State<double>& at, std::span<const SignalValue> change,
                                    std::span<const double> lags) const;
};

/// What the row reads at the copy's state with the last digits of its places changed; the copy has its state afterwards.
std::vector<double> reading_off_by_rounding(SceneCopy& copy, const SensorRow& row);
/// Why a sensor has no derivative with respect to a parameter that takes it across a switch.
std::string switch_text(const std::string& path, const std::string& column, double t, double step);

/// Whether the sensor adds up work over the run, and so is no function of the state of the copy.
bool adds_up(SceneCopy& copy, const ReadSensor& sensor, std::span<const double> reading);

/// f′(0) of a row of numbers by a central difference of sixth order, h f′ = Σ w_k f(k h), k = −3 … 3: `read(offset, row)` reads f there.
/// Where a step of h/16 gives another slope, f has a bend nearby, as where a sheet begins to wrinkle: then with shorter steps, as long as
/// these agree better than rounding lets them.
inline std::vector<double> row_slope(std::size_t size, double step, auto&& read) {
  constexpr double offsets[] = {-3, -2, -1, 1, 2, 3};
  constexpr double weights[] = {-1.0 / 60, 9.0 / 60, -0.75, 0.75, -9.0 / 60, 1.0 / 60};
  constexpr double shorter = 1.0 / 16, alike = 1e-6, rounding = 64 * 2.2e-16;
  constexpr int most = 4;
  std::vector<double> out(size), apart(size), slope(size), row(size), first, before(size);
  for (int level = 0; level < most; ++level) {
    std::fill(slope.begin(), slope.end(), 0.0);
    for (int k = 0; k < 6; ++k) {
      read(offsets[k] * step, row);
      if (k == 0) first = row;  // what all have leaves no rounding
      for (std::size_t c = 0; c < size; ++c) slope[c] += weights[k] / step * (row[c] - first[c]);
    }
    const double other = shorter * step;
    read(-other, before);
    read(other, row);
    bool agree = true;
    for (std::size_t c = 0; c < size; ++c) {
      const double now = std::fabs(slope[c] - (row[c] - before[c]) / (2 * other));
      if (level == 0 || now < shorter * apart[c]) out[c] = slope[c], apart[c] = now;
      agree = agree && !(apart[c] > alike * std::fabs(out[c]) + rounding * std::fabs(row[c]) / other);
    }
    if (agree) break;
    step = other;
  }
  return out;
}

}  // namespace flexura
