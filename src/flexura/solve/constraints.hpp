#pragma once
// What the constraints of a model ask of positions, velocities and accelerations, all by one matrix:
//
//     [M  Φ_qᵀ] [x]   [f]        M is the metric of the projections: the shortest way weighted by mass
//     [Φ_q  0 ] [μ] = [g]
//
//     positions:      f = 0, g = −Φ, repeated            velocities: f = 0, g = −Φ̇        (x: corrections)
//     accelerations:  f = Q(q, v, t) − C v, g = −Φ̈(q, v, a = 0)                          (x = a, μ = λ)
//
// Redundant rows are set aside by the factor and do not move anything; they are named in the reports.

#include <string>
#include <vector>

#include "flexura/linear/sparse_fallback.hpp"
#include "flexura/solve/system.hpp"

namespace flexura {

struct ProjectionReport {
  bool converged = false;
  int iterations = 0;
  double moved = 0;      ///< largest change of a coordinate of a point [m] (velocities: [m/s])
  double turned = 0;     ///< of a vector [1] ([1/s])
  int moved_most = -1;   ///< slot that moved or turned most
  double violation = 0;  ///< largest |Φ| (|Φ̇|) at the end
  int worst = -1;        ///< its row, an index in y; −1 without constraints
};

class Constraints {
 public:
  explicit Constraints(System<double>& system);

  /// Rows of Φ.
  int count() const { return rows_; }
  /// Rows that the last factor found redundant, as indices in y.
  const std::vector<int>& redundant() const { return redundant_; }
  /// Coordinates less independent constraints, at the state of the last factor.
  int degrees_of_freedom() const;

  /// All three read the signals that the assembler holds, expand the dependents and keep what they do not solve for.
  ProjectionReport project_positions(State<double>& state, int max_iterations = 50);
  ProjectionReport project_velocities(State<double>& state);
  /// a and λ that fit q, v and t. False if the matrix is singular or the result is no number: the state is what it was.
  bool accelerations(State<double>& state);

  /// Φ, Φ̇ and Φ̈ of all rows at the state, indexed as y.
  const ConstraintMotion<double>& motion(const State<double>& state);
  /// Factors the matrix at q (of the state; λ is not used). False if it is singular beyond redundant rows.
  bool factor(const State<double>& state);
  /// In place, y order: [f; g] → [x; μ], with the last factor.
  void solve(std::span<double> y) const;

 private:
  System<double>& system_;
  int rows_ = 0;
  std::vector<double> q_, driven_, residual_, y_, phi_, rate_, second_;
  ConstraintMotion<double> motion_{};
  std::vector<int> redundant_;
  std::unique_ptr<SparseFallback> pivoting_;
  bool use_pivoting_ = false;
};

}  // namespace flexura
