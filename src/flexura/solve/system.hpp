#pragma once
// A model made ready to be solved: assembler and linear solver, connected.

#include "flexura/assembly/assembler.hpp"
#include "flexura/assembly/drives.hpp"
#include "flexura/linear/linear_solver.hpp"
#include "flexura/solve/angle_counts.hpp"
#include "flexura/solve/state.hpp"

namespace flexura {

template <class S>
struct System {
  using V = ValueOf<S>;

  System(std::shared_ptr<const Topology> topology, std::span<const Values* const> values,
         const AssemblerOptions& options = {});

  /// Initial state at t0: q₀, v₀ with dependent slots expanded at the signals of t0.
  State<S> initial_state(double t0);

  // What terms remember (State::history) is read as it was when a step began, and changed where the step is accepted.

  /// What follows is evaluated h after the state, or at the state itself.
  void look_back(const State<S>& state, double h = 0) { assembler.set_history(state.history, h); }
  /// The state is the end of the step: in these lanes its history becomes that of its q and v, and angles are counted.
  void accept_history(State<S>& state, MaskOf<V> lanes = uniform_mask<V>(true)) {
    accept_history(state, state.v, lanes);
  }
  /// The same at the rates that the step was solved with, where those of its end are others.
  void accept_history(State<S>& state, const std::vector<S>& rates, MaskOf<V> lanes = uniform_mask<V>(true));
  /// Terms forget how the state came to be: friction begins unbent, what relaxes as if just brought there.
  void begin_history(State<S>& state);

  /// Angles of a state that is the end of a step.
  void count_angles(State<S>& state) const;

  /// Unstable directions of the tangent in `values`, whose factor had that many pivots below zero beyond those of its
  /// constraints. Where it is not symmetric (follower loads), only the sign of its determinant counts: 1 or 0. A state
  /// that flutters is not seen (solve/modes.hpp sees it).
  int unstable_directions(int negative_pivots) const;
  /// What coordinates are out of balance by at the state, with the signals that are set: r reduced [ny], 0 for multipliers.
  std::vector<S> unbalanced(State<S>& state);

  Assembler<S> assembler;
  LinearSolver<V> solver;
  Drives drives;
  std::vector<V> values;  ///< of the tangent
  bool symmetric = true;
  AngleCounts
      angles;  ///< directions whose revolutions states count; in lanes of simulations each one's own system does

  const Topology& topology() const { return assembler.topology(); }

 private:
  std::vector<S> next_history_;
};

extern template struct System<double>;
extern template struct System<Lanes>;
extern template struct System<Dual<double>>;

}  // namespace flexura
