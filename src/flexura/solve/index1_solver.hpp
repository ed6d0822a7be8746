#pragma once
// Accelerations and multipliers of index-1 equations, and the shortest way in M back to the constraints, again and again:
//
//     [M  Φ_qᵀ] [x]   [f]       Schur complement: M is factored once (ConstantMass), its inverse kept where Φ_q has entries,
//     [Φ_q  0 ] [μ] = [g]           S = Φ_q M⁻¹ Φ_qᵀ,   S μ = Φ_q M⁻¹ f − g,   x = M⁻¹ (f − Φ_qᵀ μ)
//
//     S is dense. Where that is more work than the sparse factor of the whole matrix (long chains of bodies), or M is singular,
//     the matrix of Constraints is factored at each call.
//
// A row of S whose pivot is rounding of what it was eliminated from (1e-11) is redundant: μ = 0. Near a
// singular position, from 1e-8 on, the whole matrix is factored too: its solutions are refined against Φ_q, and a pivot of S
// is the square of what Φ_q has lost.

#include <span>
#include <vector>

#include "flexura/solve/constant_mass.hpp"
#include "flexura/solve/constraints.hpp"
#include "flexura/solve/drift_control.hpp"

namespace flexura {

enum class Index1Method { automatic, schur, whole };

class Index1Solver {
 public:
  explicit Index1Solver(System<double>& system, Index1Method method = Index1Method::automatic);

  /// Whether the Schur complement is used.
  bool uses_schur() const { return schur_; }
  int count() const { return constraints_.count(); }
  std::span<const int> rows() const { return constraints_.rows(); }
  /// Redundant rows of the last factor, as indices in y.
  const std::vector<int>& redundant() const { return schur_ && !weak_ ? redundant_rows_ : constraints_.redundant(); }

  /// a and λ that fit q, v and t, with Φ̈ = −U. As Constraints::accelerations.
  bool accelerations(State<double>& state, const DriftControl& control);
  /// At q of the state. False if the matrix holds no numbers.
  bool factor(const State<double>& state);
  /// In place, y order: [0; g] → [x; μ], with the last factor; the coordinates' part of y is not read.
  void solve_rows(std::span<double> y);
  const ConstraintMotion<double>& motion(const State<double>& state) { return constraints_.motion(state); }
  /// Φ_q of the last factor.
  const ConstraintMatrix<double>& matrix() const { return constraints_.matrix(); }

 private:
  /// An entry of Φ_q: its coordinate's place among those that are touched.
  struct RowEntry {
    int touched, column;
    std::ptrdiff_t coupling;
  };
  void find_touched();
  bool is_schur_less_work() const;
  void invert_mass();
  bool factor_schur();
  void solve_schur(std::span<double> y, bool has_force);
  double value(const RowEntry& e) const { return matrix().value(matrix().couplings()[e.coupling]); }

  System<double>& system_;
  Constraints constraints_;
  ConstantMass mass_;
  bool schur_ = false;
  bool weak_ = false;  ///< the last factor is that of the whole matrix, for want of digits
  int n_ = 0;
  std::vector<int> touched_;    ///< coordinates that constraints act on
  std::vector<int> row_start_;  ///< of each row in row_entries_
  std::vector<RowEntry> row_entries_;
  std::vector<double> inverse_;       ///< [touched²] M⁻¹ there
  std::vector<double> spread_;        ///< [rows × touched] M⁻¹ Φ_qᵀ there
  std::vector<double> schur_matrix_;  ///< [rows²] S, then its factor L D Lᵀ, lower half
  std::vector<double> pivot_, mu_, x_, residual_, before_a_, before_multipliers_;
  std::vector<int> redundant_rows_;
};

}  // namespace flexura
