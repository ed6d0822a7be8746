#pragma once
// What explicit methods integrate: q̇ = v, and accelerations that fit (index 1), with the work done along the way.
//
//     [M Φ_qᵀ; Φ_q 0] [v̇; λ] = [Q − C v; −Φ̈(a = 0) − U(Φ, Φ̇)]

#include <array>
#include <vector>

#include "flexura/solve/index1_solver.hpp"

namespace flexura {

enum class Projection { both, none };

/// Errors that are allowed, by kind of coordinate: absolute + relative |x|, slot by slot.
struct ErrorScale {
  double relative = 1e-8;
  double absolute_q = 1e-10;    ///< [m]
  double absolute_v = 1e-8;     ///< [m/s]
  double absolute_vector = -1;  ///< vectors and scalars [1]; negative: as absolute_q; their rates in the same ratio
};

class Index1Motion {
 public:
  Index1Motion(System<double>& system, const DriftControl& control, Index1Method method = Index1Method::automatic);

  /// Free coordinates.
  int size() const { return n_; }
  /// State at t with the accelerations that fit. False if there are none.
  bool evaluate(State<double>& state, double t);
  void set_signals(const State<double>& state) {
    system_.assembler.set_signals(system_.drives.at(state.t, state.lags));
  }
  /// Positions and velocities to Φ = 0 and Φ̇ = 0, the shortest way in M.
  bool project(State<double>& state);
  /// Work done on the system per time [W]: by gravity, loads, prescribed motions; lost in dampers.
  std::array<double, 4> power(const State<double>& state);
  /// Root of the mean over slots of the squares of |e| in units of what is allowed; sizes from the larger of two states.
  double scaled(const ErrorScale& scale, const double* qa, const double* va, const double* qb, const double* vb,
                const double* eq, const double* ev) const;
  const Index1Solver& solver() const { return solver_; }

 private:
  System<double>& system_;
  Index1Solver solver_;
  DriftControl control_;
  int n_ = 0;
  std::vector<double> y_, rounding_, force_, drive_q_, drive_v_, drive_a_;
  std::vector<int> driven_;  ///< coordinates with a drive
  bool has_losses_ = false;
};

}  // namespace flexura
