#pragma once
// The mass matrix of the free coordinates, M̃ = Tᵀ M T, factored once: it is constant as long as the model stays.
//
//     M̃ = m ⊗ I wherever points and vectors are not turned into each other: then m, of a third of the size, is factored, and
//     x, y and z are solved for side by side, one in each lane. Otherwise one sparse factor of all.
//
// Only coordinates that share mass are coupled, which leaves out what elements and constraints would couple in a tangent.

#include <span>
#include <vector>

#include "flexura/linear/scalar_factor.hpp"
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
  void factor_whole(const System<double>& system, const std::vector<ScalarFactor::Entry>& entries);

  int n_ = 0, dim_ = 1;
  bool by_axes_ = false, regular_ = false;
  double solve_work_ = 0;
  LinearSolver<double> whole_;
  ScalarFactor axis_;
};

}  // namespace flexura
