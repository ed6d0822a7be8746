#pragma once
// What a run asks of whatever goes from one time to the next.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "flexura/solve/newton.hpp"

namespace flexura {

/// How a step went.
struct StepReport {
  bool done = false;                       ///< false: the state is what it was
  long steps = 1;                          ///< of the method's own choice, if it chooses
  int iterations = 0, factorizations = 0;  ///< of Newton's method; evaluations of explicit ones
  double residual = 0;                     ///< over what it had to reach
  double error = 0;                        ///< estimate of the local error over the tolerance; > 1: too large
  std::string problem, detail;             ///< why it is not done: "newton: no convergence"; |r| and the culprit
};

/// How far parts may turn in a step [rad]. Beyond `noted` the method is off by some 1 % in speed or angle after ten turns,
/// beyond `refused` by 10 % and more (measured: docs/scene-format.md).
struct TurnLimits {
  struct Pair {
    double noted = std::numeric_limits<double>::infinity(), refused = std::numeric_limits<double>::infinity();
  };
  Pair rigid, elastic;  ///< bodies; cables, beams and plates
  Pair change;          ///< of bodies: by which the turn of a step differs from that of the step before
  bool any() const { return std::isfinite(std::min({rigid.noted, elastic.noted, change.noted})); }
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Accelerations and multipliers that fit the state. Returns what is wrong, or "".
  virtual std::string start(State<double>& state) = 0;
  /// Whether State::a_alg is the method's own: then go_on() may take the place of start().
  virtual bool remembers_accelerations() const { return false; }
  /// Goes on with accelerations and multipliers that fit the state already. Returns what is wrong, or "".
  virtual std::string go_on(State<double>& state) { return start(state); }
  virtual StepReport step(State<double>& state, double t1) = 0;
  /// Up to there nothing begins, ends or jumps: a method whose steps go beyond the times asked for may go so far.
  virtual void until(double) {}
  /// Forgets all that is not in the state.
  virtual void reset() = 0;
  /// The local error is O(h^order).
  virtual int error_order() const = 0;
  /// What else could be tried where it does not converge: "integrator = ...".
  virtual std::string advice() const = 0;
  /// None: it chooses its steps by their error, or integrates nothing.
  virtual TurnLimits turn_limits() const { return {}; }
  /// What contacts cost so far; null: the model has none.
  virtual const ContactWork* contact_work() const { return nullptr; }
};

/// What start() says where it found no accelerations, else "".
std::string singular_unless(bool fine);
/// A step of Newton's method.
StepReport report_of(const SolveReport<double>& solved, const Topology& topology);

}  // namespace flexura
