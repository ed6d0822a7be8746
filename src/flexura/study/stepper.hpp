#pragma once
// What a run asks of a time integrator, whichever it is.

#include <memory>
#include <string>

#include "flexura/scene/timeline.hpp"
#include "flexura/solve/newton.hpp"

namespace flexura {

/// How a step went.
struct StepReport {
  bool done = false;                       ///< false: the state is what it was
  int iterations = 0, factorizations = 0;  ///< of Newton's method
  double residual = 0;                     ///< over what it had to reach
  double error = 0;                        ///< estimate of the local error over the tolerance; > 1: too large
  std::string problem, detail;             ///< why it is not done: "newton: no convergence"; |r| and the culprit
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Accelerations and multipliers that fit the state. False: the mass matrix is singular.
  virtual bool start(State<double>& state) = 0;
  virtual StepReport step(State<double>& state, double t1) = 0;
  /// Forgets all that is not in the state.
  virtual void reset() = 0;
  /// The local error is O(h^order).
  virtual int error_order() const = 0;
  /// What else could be tried where it does not converge: "integrator = ...".
  virtual std::string advice() const = 0;
};

/// `extent` [m]: what errors of positions are compared with.
std::unique_ptr<Stepper> make_stepper(System<double>& system, const AnalysisSpec& analysis, double extent);

}  // namespace flexura
