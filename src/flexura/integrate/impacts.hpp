#pragma once
// Velocities behind closed contacts: Newton's law of impact, by the metric of M.
//
//     min ½ |v − ṽ|²_M      u_N = n·G v + e min(0, u_N⁻) ≥ 0 ⊥ Λ_N ≥ 0      Φ_q v + Φ_t = 0
//
// over all contacts that are closed at the step's end; ṽ is the velocity without contact. u_N⁻ is that of the moment of touch,
//
//     u_N⁻² = u_N(t_n)² − 2 ã g(t_n),   ã = (ũ_N − u_N(t_n))/h,
//
// so that a bounce with e = 1 keeps its energy. e counts where the contact was open at t_n and closes faster than gravity makes
// in two steps: so bounces end. The set of contacts that push is found as that of positions is (solve/contacts.hpp).
//
// Where restitution would give more energy than there is (several impacts at once), only so much of it is taken as keeps it.
//
// Forces that depend on velocities change with the impulses: with κ of their rate, M + κ C, C = −∂f/∂v, stands in M's place, and
// ṽ gives way to v* = v_k + (M + κ C)⁻¹ M (ṽ(v_k) − v_k), Newton's method for v = ṽ(v) + M⁻¹ Gᵀ Λ. Repetition alone fails where c h ≳ m.
//
// Prescribed motions do not give way: what momentum balance lacks on their coordinates, P = M (v − ṽ) + Φ_qᵀ μ − Gᵀ Λ, is the
// impulse that drives give, and P·v their work: at impacts with the velocity of the step's end, which they have before and
// after, exactly; of contacts that were closed at t_n with the mean over the step, as their impulse is spread over it.

#include "flexura/solve/constraint_matrix.hpp"
#include "flexura/solve/contact_problem.hpp"
#include "flexura/solve/contacts.hpp"

namespace flexura {

class Impacts {
 public:
  Impacts(System<double>& system, Contacts& contacts, ConstraintMatrix<double>& constraints);

  /// v of the state, which holds ṽ, becomes that behind the impacts; its q are those at the step's end, `before` is the state
  /// at its beginning. `available`: kinetic energy that the step leaves at most, but for drive_work() [J]. False: not found.
  /// `same`: positions and contacts are those of the last solution; the matrices of that one serve again.
  bool solve(State<double>& state, const State<double>& before, double h, double available, bool same = false);
  /// Before it: ṽ was found with forces at the velocities `at`, and changes by κ M⁻¹ ∂f/∂v with them. κ = 0: it does not.
  void follow_velocities(double share, const std::vector<double>& at) {
    share_ = share;
    guess_.assign(at.begin(), at.end());
  }
  /// Work that prescribed motions have done against the impulses of the last solution [J].
  double drive_work() const { return drive_work_; }
  /// After a checkpoint.
  void reset() { solver_.reset_overlays(); }

 private:
  struct Closed {
    Contact* contact;
    double free;    ///< ũ_N
    double target;  ///< −e u_N⁻
    double scale;   ///< the mass that it feels [kg]
    double guess;   ///< what it pushed with a step ago [N s]
    double impulse = 0;
  };
  void analyse(LinearSolver<double>& solver) const;
  void balance_penalties(const State<double>& state);
  void add_joint_forces(const State<double>& state, const std::vector<double>& multipliers);
  bool factor_damped(const State<double>& state);
  void give_way(State<double>& state);
  void collect(const State<double>& state, const State<double>& before, double h);
  void note_drives(const State<double>& state, const State<double>& before);
  double restitution(const Contact& c) const { return contacts_.model().groups[c.group].restitution; }
  /// change_ and impulses for targets times `share` (0 or 1). `same`: as of solve().
  bool find(double share, bool same);
  void limit(State<double>& state, double available);
  double kinetic(const State<double>& state, const std::vector<double>& change);
  /// Of the prescribed motions for a change of velocities and the impulses that make it; linear in both.
  double work_of_drives(const State<double>& state, const std::vector<double>& change,
                        std::span<const double> impulses);
  std::span<const double> impulses();

  System<double>& system_;
  Contacts& contacts_;
  LinearSolver<double> solver_;
  LinearSolver<double> damped_solver_;  ///< of M + κ C without contacts
  ContactProblem problem_;
  std::vector<double> q_, matrix_;  ///< K = [M Φ_qᵀ; Φ_q 0]
  /// v − ṽ and multipliers, y order: the solution, that with restitution, halfway.
  std::vector<double> change_, full_, half_;
  std::vector<double> loads_, phi_, rate_, second_;  ///< −Φ̇ of ṽ in rows of multipliers, y order; scratch
  std::vector<double> trial_, still_, full_q_;
  std::vector<double> impulses_, all_impulses_;  ///< of closed_; those of full_
  std::vector<double> driven_, mean_driven_;  ///< velocity that drives alone give, at the step's end and over the step
  std::vector<double> lacking_, forces_;      ///< P but for Gᵀ Λ; full residuals
  std::vector<Closed> closed_;
  double speed_scale_ = 0, drive_work_ = 0;
  double share_ = 0;           ///< κ [s]
  std::vector<double> guess_;  ///< v_k, q order
  std::vector<double> ahead_;  ///< v* − ṽ, q order; empty: 0
  std::vector<double> damped_, undamped_, rest_;
  std::vector<double> penalties_;  ///< p of rows, y order; empty without drives
  std::vector<double> penalised_;  ///< −p Φ̇, y order
  bool has_drives_ = false, has_penalties_ = false;
};

}  // namespace flexura
