#pragma once
// Who follows a run from state to state: what it takes to differentiate it.

#include <span>

#include "flexura/scene/scene_model.hpp"
#include "flexura/solve/state.hpp"

namespace flexura {

class RunCheckpoint;
struct Modes;

/// Each state follows from the one of the call before.
class RunWatcher {
 public:
  virtual ~RunWatcher() = default;
  /// What all sensors have read last, one after the other, before each of the calls below: at the state before, or at this one. Angles
  /// count turns from there, and quaternions keep their sign.
  virtual void readings(std::span<const double>) {}
  /// The state has become one of another model, in which this analysis goes on: with the first call the consistent start.
  virtual void enter(int model, const AnalysisSpec& analysis, const State<double>& state) = 0;
  /// An equilibrium under all loads.
  virtual void rest(const State<double>& state) = 0;
  /// Steps of the stretch of motion that begins next may look on as far as here [s].
  virtual void until(double) {}
  /// A stretch of motion begins: velocities have been projected, accelerations found. Signals are read from the left at `end`
  /// and beyond.
  virtual void open(const State<double>& state, double end) = 0;
  /// The end of a step.
  virtual void step(const State<double>& state) = 0;
  /// Modes about a state.
  virtual void modes(const State<double>&, const Modes&) {}
  /// A run that goes on from here and this one stay the same, bit for bit.
  virtual void checkpoint(const RunCheckpoint&) {}
};

}  // namespace flexura
