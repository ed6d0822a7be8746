#pragma once
// A step of the energy–momentum method (energy_momentum.hpp) differentiated as it was done, forwards. Newton's matrix is not the exact one of
// its equations, which is known by its products: dR = 0 is solved by GMRES, to which Newton's matrix shows the way. Part of flexura_ensemble.

#include <array>

#include "flexura/integrate/step_tangent.hpp"

namespace flexura {

class EnergyMomentumTangent final : public StepTangent {
 public:
  /// `factor`: with a system that is unsymmetric where the method needs it.
  EnergyMomentumTangent(TangentFactor& factor, const Model& model);

  void open(const State<double>& state, double end) override;
  std::string begin(const State<double>& before, const State<double>& after,
                    std::span<const SignalValue> signals) override;
  std::span<const double> times() const override { return times_; }
  bool forward(DualResidual& residual, const State<Tangent>& before, State<Tangent>& after,
               std::span<const TangentSignals> signals, double negligible) override;

 private:
  /// Equations of the step from `before` to the free coordinates of `after`, [ny]; the rest of `after` follows.
  std::span<const Tangent> equations(DualResidual& residual, const State<Tangent>& before, State<Tangent>& after,
                                     std::span<const TangentSignals> signals);

  /// delta_, Newton's correction of what `after` changes by, becomes the whole one.
  void solve(const State<Tangent>& after, std::span<const TangentSignals> signals);

  TangentFactor& factor_;
  const Topology& topology_;
  std::array<double, 3> times_{};  ///< begin, middle, end
  double h_ = 0;
  DualResidual plain_;  ///< of numbers that do not change
  State<Tangent> before_;
  std::vector<Tangent> mid_q_, mid_v_, residual_, inertia_, drag_;
  std::vector<double> delta_;
};

}  // namespace flexura
