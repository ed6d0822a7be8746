#pragma once
// A step of the Newmark family (generalized_alpha.hpp) differentiated as it was done: forwards a change of its beginning and of the
// model's numbers to its end, backwards what a result feels of its end to what it feels of its beginning.
//
//     dR(q₁, v₁(q₁), q̈₁(q₁)) = 0             J dq₁ = (∂R/∂v₁) dv̂ + (∂R/∂q̈₁) dâ + ∂R/∂p dp       v̂, â: at fixed q₁
//     Jᵀ μ = q̄₁ + what v̄₁ and ā₁ feel through q₁,        p̄ += μᵀ ∂R/∂p
//
// Part of flexura_ensemble.

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/integrate/step_tangent.hpp"
#include "flexura/math/taped.hpp"

namespace flexura {

extern template class SteadyTurning<Taped<double>>;

/// What one number that is made of a state feels of it: ∂y/∂state, in the order of q (a_alg: of y; history: of State::history).
struct Cotangent {
  std::vector<double> q, v, a, a_alg, history;

  Cotangent() = default;
  explicit Cotangent(const Topology& topology);
  void clear();
  bool is_zero() const;
};

/// The same of effective signals.
struct SignalCotangent {
  std::vector<double> u, du, ddu;

  bool is_zero() const;
  explicit SignalCotangent(size_t signals) : u(signals, 0.0), du(signals, 0.0), ddu(signals, 0.0) {}
};

/// Hands what dependent slots feel to their masters and signals: afterwards it is 0 at dependents.
void fold_dependents(const Topology& topology, const Values& values, Cotangent& z, SignalCotangent& signals);

class NewmarkTangent final : public StepTangent {
 public:
  NewmarkTangent(TangentFactor& factor, const NewmarkFamily& method);

  /// A step that was done, with the signals of its end; the matrix is factored. Why it cannot be differentiated, or "".
  std::string begin(const State<double>& before, const State<double>& after,
                    std::span<const SignalValue> signals) override;
  std::span<const double> times() const override { return {&end_, 1}; }
  bool forward(DualResidual& residual, const State<Tangent>& before, State<Tangent>& after,
               std::span<const TangentSignals> signals, double negligible) override;
  /// μ [ny], and adds to `before`, whose dependents are not yet folded. Those of `after` are. What is remembered is left to the caller.
  std::vector<double> backward(const Cotangent& after, Cotangent& before);

 private:
  TangentFactor& factor_;
  NewmarkFamily method_;
  NewmarkFormulas formulas_{};
  State<double> before_;
  double end_ = 0;
  SteadyTurning<Tangent> turning_;
  SteadyTurning<Taped<double>> taped_turning_;
  SteadyTurning<double> plain_turning_;
  Tape<double> tape_;
};

}  // namespace flexura
