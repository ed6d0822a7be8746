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
//
// Vectors of rigid bodies enter by their departure from a turning (steady_turning.hpp).
//
// Contacts act on positions and velocities apart from accelerations, which stay those of smooth motion, so that their forces
// do not ring (nonsmooth generalized-α [bruls2014], generalized_alpha_contacts.cpp).

#include <memory>

#include "flexura/integrate/impacts.hpp"
#include "flexura/integrate/steady_turning.hpp"
#include "flexura/solve/constraint_matrix.hpp"
#include "flexura/solve/joint_angles.hpp"
#include "flexura/solve/newton.hpp"

namespace flexura {

struct NewmarkFamily {
  double alpha_m = 0, alpha_f = 0, beta = 0.25, gamma = 0.5;

  static NewmarkFamily generalized_alpha(double rho_inf);
  static NewmarkFamily hht(double alpha);
  static NewmarkFamily newmark(double beta = 0.25, double gamma = 0.5) { return {0, 0, beta, gamma}; }
};

/// The formulas for one step size.
struct NewmarkFormulas {
  double h, q_v, q_before, q_after, v_before, v_after;  ///< of v₀, a₀, a₁ in q₁; of a₀, a₁ in v₁
  double a_old, acc_new, acc_old;                       ///< a₁ = acc_new q̈₁ + acc_old q̈₀ + a_old a₀
  StageWeights weights;
};
NewmarkFormulas formulas_of(const NewmarkFamily& method, double h);

struct StabilisationOptions {
  /// After each step v is moved the shortest way to where Φ_q v + Φ_t = 0, in the metric of M and of what damps in a step, which else
  /// would be loaded by a jump. Of the kinetic energy that this takes the work of constraints that are driven is booked as theirs.
  bool project_velocities = false;
  /// A step that does not converge is done in two halves, and those again, so many times at most (one simulation only).
  int halvings = 0;
};

template <class S>
class GeneralizedAlpha {
  using V = ValueOf<S>;

 public:
  GeneralizedAlpha(System<S>& system, const NewmarkFamily& method, const NewtonOptions& newton,
                   const StabilisationOptions& stabilisation = {});

  /// From now on lane i has the signals of all[i], which must outlive this, and its lags stand in the state one lane after the other; of
  /// ensembles. Without it all lanes have those of the system.
  void set_lane_drives(std::vector<Drives*> all) { lane_drives_ = std::move(all); }
  /// One step from state.t to t1; on failure the state of failed lanes is what it was (and t is not advanced). Lanes that
  /// do not converge from the predictor q̈₁ = q̈₀ are tried once more from q₁ = q₀, with a fresh tangent in each iteration,
  /// and then in pieces.
  SolveReport<S> step(State<S>& state, double t1, MaskOf<V> active = uniform_mask<V>(true));
  /// Accelerations and multipliers that fit q, v and t; starts the algorithmic accelerations. False if a force pulls
  /// at what has neither mass nor constraints, or they are no numbers: the state of such lanes is what it was.
  MaskOf<V> start(State<S>& state);
  /// The same where these and the algorithmic accelerations are known.
  void go_on(State<S>& state);
  /// Forgets factors, the step size and the choice of predictor: after a checkpoint or a change of what acts.
  void reset() {
    newton_.reset();
    h_ = 0;
    restless_ = uniform_mask<V>(false);
    rests_ = V(0.0);
    // Forces of terms that remember are those of the step's end, or of what is remembered of it: equal but for rounding.
    if (system_.assembler.has_history()) account_started_ = false;
    if (impacts_) impacts_->reset();
  }

  /// Estimate of the last step's local error, the larger of max |e|/length over points and max |e| over vectors.
  double local_error(double length) const;
  /// What contacts cost so far; null: the model has none.
  const ContactWork* contact_work() const { return contacts_ ? &contacts_->work() : nullptr; }
  const Newton<S>& newton() const { return newton_; }
  Newton<S>& newton() { return newton_; }

 private:
  ConstraintMatrix<S>& constraints();
  /// Takes back the convergence of lanes in which a joint's angle left the revolution of its frame.
  void check_angles(const State<S>& s, double h, SolveReport<S>& report) const;
  /// One step of the formulas, from t to t1.
  SolveReport<S> advance(State<S>& state, double t1, MaskOf<V> active);
  void project_velocities(State<S>& s, MaskOf<V> lanes);
  using Formulas = NewmarkFormulas;
  double step_size(double t0, double t1);
  void predict(State<S>& s, const Formulas& f);
  void predict_at_rest(State<S>& s, const Formulas& f, MaskOf<V> lanes);
  void judge_predictor(const State<S>& s, const Formulas& f, MaskOf<V> lanes);
  void set_algorithmic(State<S>& s, const Formulas& f);
  /// `same`: positions, and with them the matrix, are those of the last call.
  MaskOf<V> find_accelerations(State<S>& s, bool same = false);
  /// Of a force over a step: ½ (f₀ + f₁)·Δq, what the average-acceleration method balances exactly, twice.
  struct Work {
    S gravity{}, loads{}, prescribed{};
  };
  Work work_of_step(const State<S>& after);
  void account(State<S>& after, double h, MaskOf<V> lanes);
  // generalized_alpha_contacts.cpp
  void make_contacts();
  void begin_contacts(State<S>& s);
  bool close_contacts(State<S>& s, const Formulas& f);
  void book_impacts(State<S>& s, S dissipated_before);
  /// Forces at the end of a step with contacts, without those: Newton's are those that ν corrects positions with.
  void evaluate_end(const State<S>& s);
  const std::vector<S>& end_residual() const { return in_contact_ ? end_residual_ : newton_.full_residual(); }
  const std::vector<S>& end_acting() const { return in_contact_ ? end_acting_ : newton_.acting_force(); }
  void start_account(const State<S>& s);
  void find_drives(std::vector<S>& drive);
  // Signals of all lanes: the assembler's become those of t; lags go one step on.
  void set_signals(double t, const std::vector<double>& lags);
  void advance_lags(double t0, double t1, const std::vector<double>& from, std::vector<double>& to);
  const std::vector<double>& lags_of(const std::vector<double>& all, std::size_t lane);
  S power_lost(const State<S>& s, const std::vector<S>& drag) const;
  S energy_lost(const State<S>& after, double h);
  void book_signals(State<S>& after, MaskOf<V> lanes);
  void for_driven(auto f) const {
    for (int i : driven_) f(i);
  }

  System<S>& system_;
  std::vector<Drives*> lane_drives_;          ///< empty: all lanes have those of the system
  std::vector<S> u_, du_, ddu_;               ///< of lanes with their own
  std::vector<double> own_lags_, next_lags_;  ///< of one lane
  NewmarkFamily method_;
  StabilisationOptions stabilisation_;
  std::unique_ptr<ConstraintMatrix<S>> constraints_;  ///< made when first needed
  std::vector<S> phi_, rate_, second_, y_;            ///< of constraints
  SteadyTurning<S> turning_;
  JointAngles angles_;
  Newton<S> newton_;
  State<S> before_;
  std::vector<S> acting_before_, reaction_before_, gravity_before_, predicted_, error_;
  std::vector<S> residual_, inertia_, drag_, mid_q_, mid_v_;
  std::vector<int> driven_;  ///< coordinates with a drive
  /// b(t) of those, what they do while the free coordinates rest, at both ends of a step; and their rates.
  std::vector<S> drive_before_, drive_after_, drive_rate_, drive_second_;
  S lost_before_{};
  MaskOf<V> restless_ = uniform_mask<V>(false);  ///< lanes whose next step begins at q₁ = q₀
  V rests_{0.0};                                 ///< so many more do, after one that had to
  double h_ = 0;                                 ///< of the last step
  Formulas formulas_;                            ///< for h_
  double error_scale_ = 0;
  bool drives_constraints_ = false;
  bool has_losses_ = false, losses_follow_signals_ = false, account_started_ = false;
  double account_time_ = 0;
  std::vector<double> account_lags_;  ///< an input may be set between steps
  std::vector<double> mid_lags_;
  std::unique_ptr<Contacts> contacts_;  ///< null: the model has none
  std::unique_ptr<Impacts> impacts_;
  std::vector<S> guess_;  ///< velocities that forces were evaluated with
  std::vector<S> end_residual_, end_acting_;
  bool in_contact_ = false;  ///< the last step closed some
  double available_ = 0;     ///< kinetic energy that it left at most [J]
};

extern template class GeneralizedAlpha<double>;
extern template class GeneralizedAlpha<Lanes>;
extern template class GeneralizedAlpha<Dual<double>>;

}  // namespace flexura
