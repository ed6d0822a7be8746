#pragma once
// A step of an integrator differentiated as it was done. Part of flexura_ensemble.

#include <span>
#include <string>
#include <vector>

#include "flexura/solve/tangent_factor.hpp"

namespace flexura {

/// Effective signals at a time, and what they change by.
struct TangentSignals {
  std::vector<Tangent> u, du, ddu;
};

class StepTangent {
 public:
  virtual ~StepTangent() = default;

  /// A stretch of motion begins. Signals are read from the left at `end` and beyond.
  virtual void open(const State<double>&, double) {}
  /// Of the stretch that begins next: steps may look on as far as here [s].
  virtual void until(double) {}
  /// The run forgets all that is not in the state.
  virtual void reset() {}
  /// A step that was done, with the signals of its end; the matrix is factored. Why it cannot be differentiated, or "".
  virtual std::string begin(const State<double>& before, const State<double>& after,
                            std::span<const SignalValue> signals) = 0;
  /// When signals are read in it [s].
  virtual std::span<const double> times() const = 0;
  /// `after` holds the values; it gets how they change. `signals`: at those times. `negligible`: of TangentFactor::solve_tangent.
  /// False: not found.
  virtual bool forward(DualResidual& residual, const State<Tangent>& before, State<Tangent>& after,
                       std::span<const TangentSignals> signals, double negligible) = 0;
};

}  // namespace flexura
