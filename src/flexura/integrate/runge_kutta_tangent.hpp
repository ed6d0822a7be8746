#pragma once
// A step of a Runge–Kutta method (runge_kutta.hpp) differentiated as it was done, forwards: stage by stage, and through the way back to the
// constraints. Where the method chooses its steps they stay what they were.
//
//     K_i [da; dλ] = [dR; −dΦ̈]                                              at each stage (start_equations.hpp)
//     M (q₁ − q*) + Φ_q(q*)ᵀ m = 0, Φ(q₁) = 0;   M (v₁ − v*) + Φ_q(q*)ᵀ n = 0, Φ_q(q*) (v₁ − v*) = −Φ̇(q₁, v*)
//
// Part of flexura_ensemble.

#include <map>
#include <memory>

#include "flexura/integrate/runge_kutta.hpp"
#include "flexura/integrate/step_tangent.hpp"
#include "flexura/solve/start_equations.hpp"

namespace flexura {

class RungeKuttaTangent final : public StepTangent {
 public:
  /// `fixed`: one step to each time asked for.
  RungeKuttaTangent(TangentFactor& factor, const RungeKuttaOptions& options, bool fixed);

  void open(const State<double>& state, double end) override;
  void reset() override { mirror_.reset(); }
  std::string begin(const State<double>& before, const State<double>& after,
                    std::span<const SignalValue> signals) override;
  std::span<const double> times() const override { return times_; }
  bool forward(DualResidual& residual, const State<Tangent>& before, State<Tangent>& after,
               std::span<const TangentSignals> signals, double negligible) override;

 private:
  /// Of one of the steps that the method took: states at the stages, before the way back to the constraints, and behind it.
  struct Inner {
    double h;
    std::vector<State<double>> stages;
    State<double> free, end;
  };
  void combine(const State<double>& before, const std::vector<State<double>>& stages, double h, const double* weights,
               int count, State<double>& out) const;
  bool evaluate(State<double>& state, double t);
  StartEquations& equations(DualResidual& residual);
  /// da and dλ of a state whose q and v change.
  bool accelerate(StartEquations& equations, const State<double>& at, State<Tangent>& state);
  /// From dq*, dv* in `state`, whose values are those of the end, to dq₁, dv₁.
  bool project(StartEquations& equations, const Inner& inner, State<Tangent>& state);

  TangentFactor& factor_;
  RungeKuttaOptions options_;
  const ButcherTableau& method_;
  bool fixed_;
  int n_;
  RungeKutta mirror_;  ///< takes the steps of the run once more
  Index1Motion motion_;
  std::vector<Inner> inner_;
  std::vector<double> times_;  ///< of each inner step: its stages but the first, then its end
  std::map<DualResidual*, std::unique_ptr<StartEquations>> equations_;
};

}  // namespace flexura
