#pragma once
// A step of a Runge–Kutta method (runge_kutta.hpp) differentiated as it was done, forwards: stage by stage, and through the way back to the
// constraints (index1_tangent.hpp). Where the method chooses its steps they stay what they were. Part of flexura_ensemble.

#include "flexura/integrate/index1_tangent.hpp"
#include "flexura/integrate/runge_kutta.hpp"
#include "flexura/integrate/step_tangent.hpp"

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

  TangentFactor& factor_;
  RungeKuttaOptions options_;
  const ButcherTableau& method_;
  bool fixed_;
  int n_;
  RungeKutta mirror_;  ///< takes the steps of the run once more
  Index1Tangent motion_;
  std::vector<Inner> inner_;
  std::vector<double> times_;  ///< of each inner step: its stages but the first, then its end
};

}  // namespace flexura
