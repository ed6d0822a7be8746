#pragma once
// Equilibrium by automatic load stepping; each step by Newton, where that fails by Newton with line search, where that
// fails too by a shorter step if the last equilibrium is stable, and else by pseudo-transient continuation.
//
//     r(y, s) = 0 with loads s = s₀ + Λ (s₁ − s₀), Λ from 0 to 1: from what the state was in equilibrium with to now
//
// What is prescribed goes from where it was to where it is to be with Λ, angles by at most `largest_turn` in a step: the joint's
// equation does not know whole revolutions (joint_angles.hpp). With 15° work along the path is exact to 5e-4 (run/static_work.hpp).
//
// Where the model has changed since (a mass was hung on, a spring or a joint let go), r(y, s) = (1 − Λ) r(y₀, s₀): what
// came or went does so with the load factor too.
//
// Newton's tangents are those of predicted stresses (assembly/term_batch.hpp): thin parts that turn by a quarter in a step are
// found in 5 to 8 iterations.
//
// Pseudo-transient [kelley1998]: implicit Euler steps of M ẏ = r(y), one iteration each, Δτ growing as they get easy, then
// Newton. It follows the flow downhill, so a pendulum released horizontally finds its stable equilibrium.

#include <functional>
#include <memory>

#include "flexura/solve/joint_angles.hpp"
#include "flexura/solve/newton.hpp"

namespace flexura {

struct StaticOptions {
  NewtonOptions newton{.tolerance = 1e-9, .max_iterations = 20, .tangent = TangentPolicy::full, .predict_stress = true};
  double first_step = 0.1;  ///< of the load factor
  double largest_step = 0.25;
  double smallest_step = 1e-4;
  double largest_turn =
      1.5707963267948966;           ///< of a prescribed angle in a load step: a quarter of a revolution at most [rad]
  std::vector<double> levels = {};  ///< load factors that steps end at, ascending
  bool model_changed = false;       ///< since the equilibrium that the state is
  int max_pseudo_steps = 400;
  bool must_be_stable = true;       ///< false: pivots are not asked, as by who looks at the tangent in another way
  std::function<bool()> stop = {};  ///< asked between load steps and pseudo-time steps: true ends the search
};

/// Between two load steps the number of unstable directions changes: a limit point or a bifurcation lies there.
struct StabilityChange {
  double from = 0, to = 0;                      ///< load factors of the steps
  int unstable_before = 0, unstable_after = 0;  ///< unstable directions at them
};

struct StaticReport {
  bool converged = false;
  bool stopped = false;    ///< by StaticOptions::stop
  double load_factor = 0;  ///< reached
  int load_steps = 0, iterations = 0, pseudo_steps = 0;
  bool unstable = false;  ///< the tangent has negative pivots at the end, more than its multipliers give it (System)
  /// How many: unstable directions. Each comes from a limit point or a bifurcation on the way (solve/arc_length.hpp finds
  /// where); not known where pivoting was needed.
  int unstable_directions = 0;
  std::vector<StabilityChange>
      changes;            ///< of that number from step to step; the state at the beginning counts as stable
  bool moves_on = false;  ///< where it failed: the flow downhill came to no rest
  SolveReport<double> last;
};

class StaticSolver {
 public:
  StaticSolver(System<double>& system, const StaticOptions& options);
  /// `accept` is called with the load factor after each converged load step (and at 0 before the first).
  StaticReport solve(State<double>& state, const std::function<void(double, const State<double>&)>& accept = {});
  const Newton<double>& newton() const { return newton_; }
  /// Of what came or went with a change of the model: r(y₀, s₀), of which 1 − Λ is held at load factor Λ [ny]; or empty.
  const std::vector<double>& unbalanced() const { return unbalanced_; }
  const ContactWork* contact_work() const { return contacts_ ? &contacts_->work() : nullptr; }

 private:
  double next_factor(double factor, double step) const;
  /// The longest load step in which no prescribed angle turns by more than `largest_turn`.
  double longest_step(const State<double>& state);
  void load(const State<double>& state, double factor);
  void follow(State<double>& state);
  void begin_contacts(const State<double>& state);
  bool stopped(StaticReport& report) const;
  /// Of Newton's method: an equilibrium, one that is unstable or far from where it began, or none.
  enum class Outcome { found, implausible, none };
  void find_reference(const State<double>& state);
  bool equilibrium(State<double>& state, StaticReport& report, bool shrinking);
  struct Attempt {
    bool must_be_stable = true, line_search = false, follows = false;
  };
  Outcome newton_step(State<double>& state, StaticReport& report, const Attempt& attempt);
  Outcome newton_attempt(State<double>& state, StaticReport& report, const Attempt& attempt, double mass);
  double little_mass();
  bool stands(const State<double>& state);
  void out_of_balance(State<double>& state, std::vector<double>& r);
  double largest_motion(const std::vector<double>& x) const;
  double first_pseudo_step(const std::vector<double>& r);
  bool pseudo_transient(State<double>& state, StaticReport& report);

  System<double>& system_;
  StaticOptions options_;
  Newton<double> newton_;
  JointAngles angles_;
  std::unique_ptr<Contacts> contacts_;
  std::vector<double> rate_;        ///< dq/dΛ over the last load step
  std::vector<double> own_;         ///< forces before reduction
  std::vector<double> from_;        ///< signals at load factor 0
  std::vector<double> unbalanced_;  ///< r(y₀, s₀) where the model has changed [ny]
  std::vector<double> following_;   ///< r(y₀, Λ) of a step, linear in Λ, less r(y₀, Λ₀) [ny]
  double factor_ = 0, target_ = 0;  ///< load factors of the last equilibrium, and of the one that is sought
  bool moves_places_ = false;       ///< signals prescribe places
  double length_ = 1;
  double moved_ = 0;         ///< by a point, in Newton's last solution [m]
  int unstable_before_ = 0;  ///< unstable directions of the last equilibrium: the way down from it has been tried
  int multipliers_ = 0;
};

}  // namespace flexura
