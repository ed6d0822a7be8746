#pragma once
// Motion that drives decide (solve/kinematics.hpp), differentiated. Each time follows from the signals there alone:
//
//     Φ_q dq = −dΦ,   Φ_q dv = −dΦ̇,   K [da; dλ] = [dR; −dΦ̈]      (start_equations.hpp)
//
// Part of flexura_ensemble.

#include <map>
#include <memory>

#include "flexura/integrate/step_tangent.hpp"
#include "flexura/solve/start_equations.hpp"

namespace flexura {

class KinematicTangent final : public StepTangent {
 public:
  /// `forces`: multipliers change too, which must be unique; without, nothing reads them.
  KinematicTangent(TangentFactor& factor, bool forces) : factor_(factor), forces_(forces), matrix_(factor.system) {}

  std::string begin(const State<double>& before, const State<double>& after,
                    std::span<const SignalValue> signals) override;
  bool with_forces() const { return forces_; }
  std::span<const double> times() const override { return {&after_.t, 1}; }
  bool forward(DualResidual& residual, const State<Tangent>& before, State<Tangent>& after,
               std::span<const TangentSignals> signals, double negligible) override;

 private:
  TangentFactor& factor_;
  bool forces_;
  double h_ = 0;
  State<double> after_;
  ConstraintMatrix<double> matrix_;  ///< where multipliers have to be unique
  std::map<DualResidual*, std::unique_ptr<StartEquations>>
      equations_;  ///< made when a residual comes for the first time
};

}  // namespace flexura
