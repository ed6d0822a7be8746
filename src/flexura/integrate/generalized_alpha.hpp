#pragma once
// Implicit one-step methods of the Newmark family.
//
//     q₁ = q₀ + h v₀ + h² (½ − β) a₀ + h² β a₁          a: algorithmic accelerations
//     v₁ = v₀ + h (1 − γ) a₀ + h γ a₁
//     (1 − α_m) a₁ + α_m a₀ = (1 − α_f) q̈₁ + α_f q̈₀      M q̈₁ = Tᵀ(Q(q₁, v₁, t₁) − C v₁)
//
// generalized-α [chung1993, in the form of arnold2007]: α_m = (2ρ − 1)/(ρ + 1), α_f = ρ/(ρ + 1)
// HHT [hilber1977]: α_m = 0, α_f = −α, α ∈ [−1/3, 0];   Newmark [newmark1959]: α_m = α_f = 0
// γ = ½ + α_f − α_m, β = (½ + γ)²/4 makes each second order; Newmark has β = ¼, γ = ½ by default.

#include "flexura/solve/newton.hpp"

namespace flexura {

struct NewmarkFamily {
  double alpha_m = 0, alpha_f = 0, beta = 0.25, gamma = 0.5;

  static NewmarkFamily generalized_alpha(double rho_inf);
  static NewmarkFamily hht(double alpha);
  static NewmarkFamily newmark(double beta = 0.25, double gamma = 0.5) { return {0, 0, beta, gamma}; }
};

template <class S>
class GeneralizedAlpha {
  using V = ValueOf<S>;

 public:
  GeneralizedAlpha(System<S>& system, const NewmarkFamily& method, const NewtonOptions& newton);

  /// One step from state.t to t1; on failure the state of failed lanes is what it was (and t is not advanced).
  SolveReport<S> step(State<S>& state, double t1, MaskOf<V> active = uniform_mask<V>(true));
  /// Accelerations and multipliers that fit q, v and t; starts the algorithmic accelerations. False if M is singular.
  MaskOf<V> start(State<S>& state);
  /// Forgets factors: after a checkpoint or a change of what acts.
  void reset() { newton_.reset(); }

  /// Estimate of the last step's local error, the larger of max |e|/length over points and max |e| over vectors.
  double local_error(double length) const;
  const Newton<S>& newton() const { return newton_; }
  Newton<S>& newton() { return newton_; }

 private:
  void constraint_accelerations(const State<S>& s, V c, std::vector<S>& y);
  void account(const State<S>& before, State<S>& after, double h, MaskOf<V> lanes);
  void reactions_at(const State<S>& state);
  void forces_at(const State<S>& state, std::vector<S>& gravity, std::vector<S>& loads, S& lost);

  System<S>& system_;
  NewmarkFamily method_;
  Newton<S> newton_;
  State<S> before_;
  std::vector<S> gravity_, loads_, gravity_before_, loads_before_, reaction_before_, error_;
  S lost_before_{};
  bool has_loads_ = false, has_losses_ = false, has_drives_ = false, account_started_ = false;
  double account_time_ = 0;
};

extern template class GeneralizedAlpha<double>;
extern template class GeneralizedAlpha<Lanes>;
extern template class GeneralizedAlpha<Dual<double>>;

}  // namespace flexura
