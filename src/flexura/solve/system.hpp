#pragma once
// A model made ready to be solved: assembler and linear solver, connected.

#include "flexura/assembly/assembler.hpp"
#include "flexura/assembly/drives.hpp"
#include "flexura/linear/linear_solver.hpp"
#include "flexura/solve/state.hpp"

namespace flexura {

template <class S>
struct System {
  using V = ValueOf<S>;

  System(std::shared_ptr<const Topology> topology, std::span<const Values* const> values,
         const AssemblerOptions& options = {});

  /// Initial state at t0: q₀, v₀ with dependent slots expanded at the signals of t0.
  State<S> initial_state(double t0);

  Assembler<S> assembler;
  LinearSolver<V> solver;
  Drives drives;
  std::vector<V> values;  ///< of the tangent
  bool symmetric = true;

  const Topology& topology() const { return assembler.topology(); }
};

extern template struct System<double>;
extern template struct System<Lanes>;
extern template struct System<Dual<double>>;

}  // namespace flexura
