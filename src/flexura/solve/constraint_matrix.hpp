#pragma once
// The matrix of all that constraints ask for (constraints.hpp), made so that it can always be solved.
//
//     [M + W  Φ_qᵀ] [x]   [f]      W = 10⁻⁶ of a mass, where M has none; what it changes is removed by refinement
//     [Φ_q    −D  ] [μ] = [g]      D only where asked for: damps (Levenberg–Marquardt)
//
// Of a coordinate without mass, W is a share of the mass that has to move with it: of φ²/Σ_j(φ_j²/m_j) in its row, so
// units do not matter. If M is singular where it has entries, W is a share of its diagonal too. Where p Φ_qᵀ Φ_q, which some constraints add,
// drowns light masses, it is [s M  Φ_qᵀ] [x; s μ] = [s f; g] that is solved.
//
// Where an assembly may not depend on masses, a diagonal metric takes the place of M (`measure_by`).
//
// It has a solver of its own: Newton's factor survives.

#include <span>
#include <vector>

#include "flexura/solve/system.hpp"

namespace flexura {

template <class S>
class ConstraintMatrix {
 public:
  using V = ValueOf<S>;

  explicit ConstraintMatrix(System<S>& system);

  /// Multipliers of constraints, as indices in y, ascending. Other unknowns without inertia are not among them.
  std::span<const int> rows() const { return rows_; }
  /// At q and the current signals, multipliers of constraints taken as zero. False where it cannot be solved. `damping`: D
  /// by index in y, empty for none.
  MaskOf<V> factor(double t, const std::vector<S>& q, const std::vector<S>& v, std::span<const double> damping = {});
  /// The same with M + h ∂(−Q)/∂v + h C in place of M: how velocities change together in a step of h, damped as they are then.
  MaskOf<V> factor_damped(double t, const std::vector<S>& q, const std::vector<S>& v, double h);
  /// Φ_q alone at q and the current signals, for value(); the last factor is left as it is.
  void evaluate(double t, const std::vector<S>& q, const std::vector<S>& v);
  /// Free coordinates that projections leave as they are where others can give way; until told otherwise.
  void hold(std::span<const int> coordinates) { held_.assign(coordinates.begin(), coordinates.end()); }
  /// Factors have this positive diagonal in place of M, by free coordinate [ncoord]; empty: M again. Not for `factor_damped`.
  void measure_by(std::span<const double> metric);
  /// In place, y order, with the last factor. Entries of unknowns that are not solved for become zero.
  void solve(std::span<S> y);
  /// Unknowns without inertia that are no multipliers (a pressure), from their own rows at fixed positions: Newton on the
  /// diagonal. `residual`: scratch of the assembler's residual_size. `nearby`: since the last call only velocities have changed,
  /// so that its slopes tell what is solved already. The last factor stays.
  void solve_scalars(State<S>& state, std::vector<S>& residual, bool nearby = false);
  /// Redundant rows of constraints in the last factor.
  std::span<const RedundantRow<V>> redundant() const { return redundant_; }
  /// Whether the last factor is of the matrix itself: nothing added to M, no row weak.
  bool exact() const { return exact_; }
  /// Of the last factor of a model in no lanes: directions that the constraints allow in which M, with W, is negative.
  int negative_directions() const { return negative_directions_; }
  /// Whether p Φ_qᵀ Φ_q of some constraints is in it, which nothing feels where Φ_q x = 0.
  bool is_augmented() const { return !augmented_.empty(); }
  /// Massless degrees of freedom (in some lane) that no constraint touches: nothing determines their acceleration.
  std::span<const int> free_massless() const { return free_massless_; }
  /// diag(Φ_q M⁻¹ Φ_qᵀ) of the last factor (with M's diagonal), by y; and M's reduced diagonal.
  const std::vector<V>& row_scale() const { return row_scale_; }
  const std::vector<V>& mass() const { return mass_; }
  /// Whether some coordinate has no mass, in some lane.
  bool has_massless() const { return has_massless_; }
  /// p of each constraint row whose forces are −(λ + p Φ) Φ_q, in the unit of λ/Φ; [ny], 0 where there is none.
  std::vector<V> penalties();
  /// Multiplications of one factorisation.
  double factor_work() const;

  /// Entries of Φ_q, in any order: of row `row` (in y), coordinate `column`.
  struct Coupling {
    int row, column;
    std::ptrdiff_t index;
  };
  std::span<const Coupling> couplings() const { return couplings_; }
  const V& value(const Coupling& c) const { return values_[c.index]; }

 private:
  struct Augmented {
    int batch, item, row;
  };
  /// q_ becomes a place where no Φ is 0.
  void leave_constraints();
  void find_augmented();
  /// Local forces at q_ and λ = 0, 1 of the item's row.
  void forces_at_zero_and_one(const Augmented& a, double t, const std::vector<S>& v);
  /// p Φ as those forces have it, r = −(λ + p Φ) Φ_q; `phi`: Φ.
  V penalty_force(const Augmented& a, V& phi) const;
  void without_curvature(double t, const std::vector<S>& q, const std::vector<S>& v);
  void weigh();
  MaskOf<V> factor_values();
  V mass_scale() const;

  System<S>& system_;
  LinearSolver<V> solver_;
  std::vector<int> rows_, scalars_, free_massless_, held_;
  std::vector<char> is_row_;              ///< [ny]
  std::vector<Coupling> couplings_;       ///< Φ_q, lower half
  std::vector<std::ptrdiff_t> diagonal_;  ///< [ny] places in the value array
  std::vector<Augmented> augmented_;      ///< items with a penalty
  std::vector<int> massless_;             ///< slots with a coordinate without mass in some lane, and without a pivot
  std::vector<int> stiffened_;            ///< coordinates without mass that have one
  bool has_massless_ = false;
  std::vector<V> mass_, weight_, row_scale_, values_;
  std::vector<V> mass_of_model_;    ///< M's reduced diagonal while a metric stands in its place, else empty
  std::vector<V> slopes_;           ///< tangent of the last solve_scalars
  std::vector<V> drag_, undamped_;  ///< of factor_damped
  V reference_mass_{1.0}, weakest_{1.0};
  V scale_{1.0};  ///< s
  bool is_scaled_ = false;
  std::vector<V> masses_;  ///< M, where something is augmented
  std::vector<S> q_, rhs_, rest_, product_, at_zero_, at_one_;
  std::vector<RedundantRow<V>> redundant_;
  MaskOf<V> weighted_ = uniform_mask<V>(false);  ///< lanes with W on the diagonal of M
  bool exact_ = true;
  int negative_directions_ = 0;
};

extern template class ConstraintMatrix<double>;
extern template class ConstraintMatrix<Lanes>;
extern template class ConstraintMatrix<Dual<double>>;

}  // namespace flexura
