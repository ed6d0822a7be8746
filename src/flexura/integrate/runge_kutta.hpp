#pragma once
// Explicit Runge–Kutta methods with step size control, for motions without stiff parts.
//
// Of index-1 equations (index1_motion.hpp). Positions and velocities are brought back to Φ = 0 and Φ̇ = 0 by the shortest way
// in M after each step, or a control of the drift acts in the equations (drift_control.hpp), or neither. A step's error is
// measured slot by slot, |e| against absolute + relative |q| (|v|), so it does not depend on how the axes are turned:
//
//     err² = mean over slots of (|e_q|/(a_q + r |q|))² and (|e_v|/(a_v + r |v|))²,  a step is taken if err ≤ 1
//     h ← h s err_n^−α err_{n−1}^β, s = 0.9                                         [gustafsson1991]

#include "flexura/integrate/butcher_tableau.hpp"
#include "flexura/integrate/index1_motion.hpp"

namespace flexura {

struct RungeKuttaOptions {
  const ButcherTableau* method = &dormand_prince_8;
  Projection projection = Projection::both;
  double relative = 1e-8;
  double absolute_q = 1e-10;        ///< [m]; vectors: [1]
  double absolute_v = 1e-8;         ///< [m/s]; vectors: [1/s]
  double h_min = 0, h_max = 1e300;  ///< [s]; a step that ends at a given time may be shorter
  long max_steps = 10'000'000;      ///< in one call
  double absolute_vector = -1;      ///< of ErrorScale
  DriftControl drift = {};          ///< in the equations; with Projection::none
  Index1Method accelerations = Index1Method::automatic;
};

struct RungeKuttaReport {
  bool converged = true;
  long accepted = 0, rejected = 0, evaluations = 0;
  double h = 0;           ///< of the last step tried [s]
  double error = 0;       ///< of the last step, in units of what is allowed
  bool singular = false;  ///< the last step was given up because no accelerations or no projection were found
};

class RungeKutta {
 public:
  RungeKutta(System<double>& system, const RungeKuttaOptions& options);

  /// Accelerations and multipliers that fit q, v and t. False if there are none: the state is what it was.
  bool start(State<double>& state);
  /// Steps of its own choice until t1. If they fail, the state is that of the last step taken.
  RungeKuttaReport advance(State<double>& state, double t1);
  /// One step of h = t1 − t whatever its error. If it fails, the state is what it was.
  RungeKuttaReport step(State<double>& state, double t1);
  /// Forgets step size and errors: after a checkpoint or a change of what acts.
  void reset() {
    h_ = 0;
    last_error_ = 1;
    ready_ = false;
  }
  const RungeKuttaOptions& options() const { return options_; }
  /// From now on the ends of the steps that each call takes are kept, which may use the heap [s].
  void keep_taken() { keeps_taken_ = true; }
  const std::vector<double>& taken() const { return taken_; }

 private:
  bool prepare(State<double>& state, RungeKuttaReport& report);
  bool attempt(State<double>& state, double h, RungeKuttaReport& report);
  bool evaluate(State<double>& state, double t, RungeKuttaReport& report);
  void combine(State<double>& state, double h, const double* weights, int stages) const;
  double error(const State<double>& state, double h) const;
  double first_step(State<double>& state, RungeKuttaReport& report);
  double scaled(const State<double>& a, const State<double>& b, const double* eq, const double* ev) const;
  void restore(State<double>& state) const;

  System<double>& system_;
  RungeKuttaOptions options_;
  ErrorScale scale_;
  const ButcherTableau& method_;
  Index1Motion motion_;
  State<double> before_;
  int n_ = 0;                            ///< free coordinates
  std::vector<double> dq_, dv_;          ///< [stages × n_] derivatives at the stages
  mutable std::vector<double> eq_, ev_;  ///< [n_]
  double h_ = 0, last_error_ = 1;
  std::vector<double> taken_;
  bool keeps_taken_ = false;
  bool ready_ = false;
  double ready_time_ = 0;
  std::vector<double> ready_lags_;  ///< an input may be set between steps
};

}  // namespace flexura
