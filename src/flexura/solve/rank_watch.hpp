#pragma once
// Where a motion passes a position at which the constraints' rank drops: change points, dead centres of drives.
//
//     S = Φ_q M⁻¹ Φ_qᵀ, scaled to a unit diagonal:  S v = λ v, λ the smallest,  x = M⁻¹ Φ_qᵀ v
//     s(τ) = vᵀ Φ_q(τ) x / vᵀ Φ_q(t) x      1 at t; changes its sign with the smallest singular value, √λ
//
// A step from t − h to t at whose ends s has different signs is looked at: there the root is found by Newton's method with
// the pair (v, x) of each iterate, on positions that keep the constraints. It counts where little of √λ is left, so that a
// mechanism which only comes near such a position is not told.
//
// Nothing is remembered from step to step: a run that goes on from a checkpoint finds the same.

#include <optional>
#include <vector>

#include "flexura/solve/constraints.hpp"

namespace flexura {

struct SingularPosition {
  double t = 0;           ///< [s]
  std::vector<int> rows;  ///< of constraints that depend on each other there, indices in y, the most involved first
};

class RankWatch {
 public:
  explicit RankWatch(System<double>& system);

  /// In the step of h [s] that has ended at the state, accelerations known. Leaves the signals of state.t.
  std::optional<SingularPosition> passed(const State<double>& state, double h);

 private:
  /// The smallest λ and its x; v in v_. Negative where nothing can be told.
  double smallest(const State<double>& state);
  /// The state at τ by q − v δ + a δ²/2, its signals set.
  void go_to(const State<double>& state, double tau);
  /// vᵀ Φ_q x at the signals that are set.
  double form(const State<double>& state);

  System<double>& system_;
  Constraints constraints_;
  State<double> there_;
  std::vector<double> v_, x_, y_;
};

}  // namespace flexura
