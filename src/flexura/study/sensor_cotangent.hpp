#pragma once
// What a weighted sum of sensors feels of the state that it is read at: differences of sixth order coordinate by coordinate. Where it
// turns out to be linear, as of positions and velocities, once for all states. Part of flexura_ensemble.

#include "flexura/integrate/newmark_tangent.hpp"
#include "flexura/study/gradient_run.hpp"
#include "flexura/study/scene_variation.hpp"

namespace flexura {

class SensorCotangent {
 public:
  /// Reads by `copy`, whose signals and analysis are those of the state.
  explicit SensorCotangent(SensorRow row) : row_(std::move(row)), columns_(row_.columns.size()) {}

  /// Goes on from what all sensors of the scene have read: turns and signs are nearest to that.
  void go_on_from(std::span<const double> readings) { row_.go_on_from(readings); }
  /// Adds Σ weights · ∂row/∂(q, v, a, history) of free coordinates and multipliers.
  void add(SceneCopy& copy, const State<double>& state, std::span<const double> weights, Cotangent& to);
  /// The same of the effective signals.
  void add_signals(SceneCopy& copy, const State<double>& state, std::span<const double> weights, SignalCotangent& to);

  /// Whether the row is linear in the state, and reads nothing else that changes with the copies of the number's scene.
  bool is_plain(SceneCopy& copy, SceneVariation& number, const State<double>& state);
  /// What a plain row changes by, [columns].
  std::vector<double> along(const State<Tangent>& change) const;

 private:
  struct Entry {
    int which, index;  ///< q, v, a or what is remembered; coordinate, or place there
    std::vector<double> slopes;
  };
  std::vector<double> slopes(SceneCopy& copy, State<double>& state, int which, int index);
  State<double> beside(const Topology& topology, const State<double>& state, int which) const;
  void look_for_entries(SceneCopy& copy, const State<double>& state);

  SensorRow row_;
  size_t columns_;
  std::vector<Entry> entries_;
  bool known_ = false, linear_ = false;
  const AnalysisSpec* of_ = nullptr;
  int model_ = -1;
};

}  // namespace flexura
