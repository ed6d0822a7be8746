#pragma once
// Equilibrium by automatic load stepping; each step by Newton, where that fails by Newton with line search, and where
// that fails too by pseudo-transient continuation.
//
//     r(y, s) = 0 with loads s = s₀ + Λ (s₁ − s₀), Λ from 0 to 1: from what the state was in equilibrium with to now
//
// Pseudo-transient [kelley1998]: implicit Euler steps of M ẏ = r(y), Δτ growing as the steps get easy, then Newton. It
// follows the flow downhill, so a pendulum released horizontally finds its stable equilibrium.

#include <functional>

#include "flexura/solve/newton.hpp"

namespace flexura {

struct StaticOptions {
  NewtonOptions newton{.tolerance = 1e-9, .max_iterations = 20, .tangent = TangentPolicy::full};
  double first_step = 0.1;  ///< of the load factor
  double largest_step = 0.25;
  double smallest_step = 1e-4;
  int max_pseudo_steps = 400;
  std::function<bool()> stop = {};  ///< asked between load steps and pseudo-time steps: true ends the search
};

struct StaticReport {
  bool converged = false;
  bool stopped = false;    ///< by StaticOptions::stop
  double load_factor = 0;  ///< reached
  int load_steps = 0, iterations = 0, pseudo_steps = 0;
  bool unstable = false;  ///< the tangent has negative pivots at the end, more than its multipliers give it (System)
  /// How many: unstable directions. Each comes from a limit point or a bifurcation on the way (solve/arc_length.hpp finds
  /// where); not known where pivoting was needed.
  int unstable_directions = 0;
  SolveReport<double> last;
};

class StaticSolver {
 public:
  StaticSolver(System<double>& system, const StaticOptions& options);
  /// `accept` is called with the load factor after each converged load step (and at 0 before the first).
  StaticReport solve(State<double>& state, const std::function<void(double, const State<double>&)>& accept = {});
  const Newton<double>& newton() const { return newton_; }

 private:
  bool stopped(StaticReport& report) const;
  bool equilibrium(State<double>& state, StaticReport& report);
  bool newton_step(State<double>& state, StaticReport& report, bool must_be_stable, bool line_search = false);
  bool pseudo_transient(State<double>& state, StaticReport& report);

  System<double>& system_;
  StaticOptions options_;
  Newton<double> newton_, flow_;
  double length_ = 1;
  int multipliers_ = 0;
};

}  // namespace flexura
