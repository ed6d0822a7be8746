#pragma once
// A scene with one number changed a little, which goes the way of a run beside it: what its building, its start and its
// sensors make of the change. Part of flexura_ensemble.

#include <memory>

#include "flexura/run/active_model.hpp"

namespace flexura {

class SceneCopy {
 public:
  explicit SceneCopy(SceneDocument document);

  const SceneModels& scene() const { return scene_; }
  ActiveModel& active() { return active_; }
  State<double>& state() { return active_.state; }
  System<double>& system() { return active_.system(); }
  const std::vector<double>& lags() const { return lags_; }

  /// Lags as at the start of the run.
  void begin_again() { lags_ = first_lags_; }
  /// The consistent start, or the state carried over into another model.
  void enter(int model, const AnalysisSpec& analysis);
  /// Takes over all of a state, lags too: of the scene itself.
  void follow(const State<double>& state) {
    lags_ = state.lags;
    set_state(state);
  }
  /// Takes over positions, velocities and so on; lags stay its own, and so do places that never move.
  void set_state(const State<double>& state);
  /// Signals of an equilibrium at the state's time, under all loads.
  void rest();
  /// Signals where a stretch of motion begins at the state.
  void open_signals(double end);
  /// The same, and the stretch begins: velocities are projected, accelerations found. False: there are none.
  bool open(double end);
  /// Lags one step on, and the signals at its end.
  void advance(double t0, double t1);
  /// Signals at a time within the step that begins at t0, where the lags are.
  std::vector<SignalValue> signals_within(double t0, double t);
  /// Effective signals that the state is under.
  std::span<const SignalValue> signals() const { return signals_; }
  void set_signals(std::span<const SignalValue> signals) {
    signals_.assign(signals.begin(), signals.end());
    updated_ = looked_ = false;
  }
  /// What a sensor reads at the state.
  void read(int sensor, std::span<double> out, std::span<const double> last);
  /// After set_state: what depends on others and the signals.
  void expand();

 private:
  void find_places();

  SceneDocument document_;
  SceneModels scene_;
  ActiveModel active_;
  const AnalysisSpec* analysis_ = nullptr;
  std::vector<double> lags_, first_lags_;
  std::vector<SignalValue> signals_;
  bool looked_ = false, updated_ = false;       ///< for sensors of places; for all
  std::vector<std::pair<int, double>> places_;  ///< coordinates that never move
};

/// Why two scenes are not the same but for their numbers, or "".
std::string difference_in_kind(const SceneModels& a, const SceneModels& b);

}  // namespace flexura
