#pragma once
// Velocities behind closed contacts: Newton's law of impact, by the metric of M.
//
//     min ½ |v − ṽ|²_M      u_N = n·G v + e min(0, u_N⁻) ≥ 0 ⊥ Λ_N ≥ 0      Φ_q (v − ṽ) = 0
//
// over all contacts that are closed at the step's end; ṽ is the velocity without contact. u_N⁻ is that of the moment of touch,
//
//     u_N⁻² = u_N(t_n)² − 2 ã g(t_n),   ã = (ũ_N − u_N(t_n))/h,
//
// so that a bounce with e = 1 keeps its energy. e counts where the contact was open at t_n and closes faster than gravity makes
// in two steps: so bounces end. The set of contacts that push is found as that of positions is (solve/contacts.hpp).
//
// Where restitution would give more energy than there is (several impacts at once), only so much of it is taken as keeps it.

#include "flexura/solve/contacts.hpp"

namespace flexura {

class Impacts {
 public:
  Impacts(System<double>& system, Contacts& contacts);

  /// v of the state, which holds ṽ, becomes that behind the impacts; its q are those at the step's end, `before` is the state
  /// at its beginning. `available`: kinetic energy that the step leaves at most [J]. False: not found, v is what it was.
  bool solve(State<double>& state, const State<double>& before, double h, double available);
  /// After a checkpoint.
  void reset() { solver_.reset_overlays(); }

 private:
  struct Closed {
    Contact* contact;
    double free;    ///< ũ_N
    double target;  ///< −e u_N⁻
    double scale, stiffness;
    double impulse;
    bool pushes;
  };
  void collect(const State<double>& state, const State<double>& before, double h);
  double restitution(const Contact& c) const { return contacts_.model().groups[c.group].restitution; }
  /// change_ and impulses for targets times `share` (0 or 1).
  bool find(double share);
  bool decide(double share, bool one_at_a_time);
  void factor();
  double speed(const Closed& c) const {
    return c.free + contacts_.overlay().along(c.contact->points, c.contact->n, change_.data());
  }
  bool is_solved(double share) const;
  void limit(State<double>& state, double available);
  double kinetic(const State<double>& state, const std::vector<double>& change);

  System<double>& system_;
  Contacts& contacts_;
  LinearSolver<double> solver_;
  std::vector<double> q_, matrix_, values_;      ///< K₀ = [M Φ_qᵀ; Φ_q 0]; with contacts
  std::vector<double> change_, rest_, product_;  ///< v − ṽ and multipliers, y order
  std::vector<double> full_, trial_, still_;
  std::vector<double> impulses_;
  std::vector<Closed> closed_;
  std::vector<std::pair<int, int>> couplings_;
  double speed_scale_ = 0;
  bool factored_ = false;
};

}  // namespace flexura
