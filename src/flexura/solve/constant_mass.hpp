#pragma once
// The mass matrix of the free coordinates, M̃ = Tᵀ M T, factored once: it is constant as long as the model stays.
//
//     M̃ = m ⊗ I wherever points and vectors are not turned into each other: then x, y and z are three matrices of a third of
//     the size, and they are factored and solved side by side, one in each lane. Otherwise one sparse factor of all.
//
// Only coordinates that share mass are coupled, which leaves out what elements and constraints would couple in a tangent.

#include <span>
#include <vector>

#include "flexura/solve/system.hpp"

namespace flexura {

class ConstantMass {
 public:
  explicit ConstantMass(const System<double>& system);

  /// False if a coordinate has no mass, or M̃ is nearly singular: nothing may be solved then.
  bool regular() const { return regular_; }
  /// Whether the axes of space are solved in lanes.
  bool by_axes() const { return by_axes_; }
  /// x ← M̃⁻¹ x, of the free coordinates. Takes nothing from the heap.
  void solve(std::span<double> x);
  /// Multiplications of one solve; those in lanes count once.
  double solve_work() const { return solve_work_; }

 private:
  struct MassEntry {
    int row, column;
    double value;
  };
  void find_entries(const System<double>& system);
  bool find_axes(const System<double>& system);
  template <class V>
  void factor(LinearSolver<V>& solver, const std::vector<int>& sizes, const std::vector<int>& block_of);

  int n_ = 0;
  bool by_axes_ = false, regular_ = false;
  double solve_work_ = 0;
  std::vector<MassEntry> entries_;  ///< row ≥ column
  std::vector<int> axis_, place_;   ///< of each coordinate: its lane, and its unknown there
  LinearSolver<double> whole_;
  LinearSolver<Lanes> axes_;
  std::vector<Lanes> lanes_;
};

}  // namespace flexura
