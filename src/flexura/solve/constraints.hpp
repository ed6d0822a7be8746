#pragma once
// What the constraints of a model ask of positions, velocities and accelerations, all by one matrix:
//
//     [M  Φ_qᵀ] [x]   [f]        M is the metric of the projections: the shortest way weighted by mass
//     [Φ_q  0 ] [μ] = [g]        (coordinates without mass move for free)
//
//     positions:      f = 0, g = −Φ, repeated            velocities: f = 0, g = −Φ̇        (x: corrections)
//     accelerations:  f = Q(q, v, t) − C v, g = −Φ̈(q, v, a = 0)                          (x = a, μ = λ)
//
// Redundant rows are found by the factor and do not move anything; they are named in the reports. Positions far from
// the constraints are brought there by damped least squares (Levenberg–Marquardt in the same metric) where plain steps
// lead away. Angles that are far from where they are to be are turned there in stages. Nothing here takes memory from the heap after the constructor.

#include <span>
#include <vector>

#include "flexura/solve/constraint_matrix.hpp"
#include "flexura/solve/drift_control.hpp"
#include "flexura/solve/joint_angles.hpp"

namespace flexura {

struct ProjectionReport {
  bool converged = false;
  int iterations = 0;
  int damped = 0;     ///< iterations that had to be damped: the guess was far away
  double moved = 0;   ///< largest change of a coordinate that is a length, see Slot::is_length [m] (velocities: [m/s])
  double turned = 0;  ///< of a component of a direction or an angle [rad] ([rad/s])
  int moved_most = -1;   ///< slot that moved or turned most
  double violation = 0;  ///< largest |Φ| (|Φ̇|) at the end
  int worst = -1;        ///< its row, an index in y; −1 without constraints
};

class Constraints {
 public:
  explicit Constraints(System<double>& system);

  /// Rows of Φ.
  int count() const { return static_cast<int>(matrix_.rows().size()); }
  /// The rows, as indices in y.
  std::span<const int> rows() const { return matrix_.rows(); }
  /// Rows that the last factor found redundant, as indices in y.
  const std::vector<int>& redundant() const { return redundant_; }
  /// Coordinates less independent constraints, at the state of the last factor.
  int degrees_of_freedom() const;

  /// All three read the signals that the assembler holds, expand the dependents and keep what they do not solve for.
  /// Positions that cannot be closed are left where the violation is least. Converged: each |Φ| is at most what gaps of
  /// 1e-8 of the extent and angles of 1e-8 rad make of it. Places in files have some nine digits, and redundant
  /// constraints close no further.
  ProjectionReport project_positions(State<double>& state, int max_iterations = 50);
  /// The same from where angles of joints are open by `open` [ny], whole revolutions included: others that go along count theirs.
  ProjectionReport turn_to_positions(State<double>& state, std::span<const double> open);
  ProjectionReport project_velocities(State<double>& state);
  /// a and λ that fit q, v and t. False if a coordinate without mass is not held by constraints and forces act on it, or
  /// the result is no number: the state is what it was.
  /// With a control Φ̈ = −U in place of 0.
  bool accelerations(State<double>& state, const DriftControl& control = {});

  /// Φ, Φ̇ and Φ̈ of all rows at the state, indexed as y.
  const ConstraintMotion<double>& motion(const State<double>& state);
  /// Factors the matrix at q (of the state; λ is not used). False if it holds no numbers. `damping`: of
  /// ConstraintMatrix::factor.
  bool factor(const State<double>& state, std::span<const double> damping = {});
  /// The same of ConstraintMatrix::factor_damped.
  bool factor_damped(const State<double>& state, double h);
  /// Φ_q at the state for matrix().value(), without a factor.
  void evaluate(const State<double>& state) { matrix_.evaluate(state.t, state.q, state.v); }
  /// Unknowns without inertia that are no multipliers.
  void solve_scalars(State<double>& state) { matrix_.solve_scalars(state, residual_); }
  /// In place, y order: [f; g] → [x; μ], with the last factor.
  void solve(std::span<double> y) { matrix_.solve(y); }
  const ConstraintMatrix<double>& matrix() const { return matrix_; }
  /// Free coordinates that projections leave as they are where others can give way; until told otherwise.
  void hold(std::span<const int> coordinates) { matrix_.hold(coordinates); }
  /// Positions are projected the shortest distance in this diagonal metric, by free coordinate; empty: in that of M again.
  void measure_by(std::span<const double> metric) { matrix_.measure_by(metric); }

 private:
  ProjectionReport close(State<double>& state, int max_iterations);
  void turn_in_stages(State<double>& state, std::span<const double> open, int max_iterations);
  double violation(State<double>& state, ProjectionReport& report);
  void weigh_rows();
  void allow_gaps(const State<double>& state, double rounding);
  bool is_closed() const;

  System<double>& system_;
  ConstraintMatrix<double> matrix_;
  JointAngles angles_;
  State<double> before_;
  std::vector<double> from_, residual_, y_, phi_, rate_, second_, row_scale_, damping_;
  std::vector<double> allowed_;     ///< largest |Φ| of closed rows [ny]
  std::vector<double> aim_, open_;  ///< Φ that is aimed at, and that of angles where a projection began [ny]
  ConstraintMotion<double> motion_{};
  std::vector<int> redundant_;
};

}  // namespace flexura
