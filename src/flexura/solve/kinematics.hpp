#pragma once
// Mechanisms that drives move completely: positions, velocities and accelerations without dynamics, and the forces that
// the motion asks for (inverse dynamics).
//
//     Φ(q, t) = 0      Φ_q v = −Φ_t      Φ_q a = −(Φ_q v)_q v − …      M a + Φ_qᵀ λ = Q − C v
//
// λ of redundant rows: least norm (redundancy.hpp). The force of a drive is the reaction of the dependent that it moves.

#include <string>
#include <vector>

#include "flexura/solve/redundancy.hpp"

namespace flexura {

/// Degrees of freedom, and how they come about.
struct FreedomCount {
  int coordinates = 0;         ///< of all slots
  int eliminated = 0;          ///< by linear relations: grounded, driven, combinations
  int multipliers = 0;         ///< rows of Φ
  std::vector<int> redundant;  ///< rows among them that say nothing new, indices in y
  std::vector<int> free;       ///< slots that move most in the free directions; the first dof of them, at most 8
  int dof = 0;

  /// "28 coordinates − 16 eliminated − 12 constraints + 1 redundant (joint.b) = 1 degree of freedom; moves freely: 'P'"
  std::string text(const Topology& topology) const;
};
/// At the state; its signals must be set.
FreedomCount count_dof(Constraints& constraints, const Topology& topology, const State<double>& state);

struct KinematicReport {
  bool ok = false;
  std::string problem;  ///< what is wrong, in words; empty if ok
  ProjectionReport positions, velocities;
};

class Kinematics {
 public:
  explicit Kinematics(System<double>& system);

  /// Positions, velocities, accelerations and multipliers at state.t, from the state's positions as a guess. A problem: it
  /// cannot close, or it is not driven completely. On a problem the state is what it was.
  KinematicReport solve(State<double>& state);
  /// The same at t1, from the prediction q + h v + h²/2 a; halves the way (10 times at most) where it does not arrive, or
  /// where the correction is larger than the way: another branch.
  KinematicReport step(State<double>& state, double t1);
  /// Of the last solve or step, q order: what acts on dependent slots from outside: drives and ground [N], [N m].
  const std::vector<double>& reactions() const { return reaction_; }
  Constraints& constraints() { return constraints_; }

 private:
  void set_signals(const State<double>& state);
  KinematicReport move(State<double>& state, double t1);
  double turned(const State<double>& state, double h) const;

  System<double>& system_;
  Constraints constraints_;
  std::vector<double> reaction_, residual_;
};

}  // namespace flexura
