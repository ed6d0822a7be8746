#pragma once
// The pencil of the modes with its multipliers: A x = μ B x, A = [K Φ_qᵀ; Φ_q 0], B = [M 0; 0 0].

#include <span>
#include <vector>

#include "flexura/solve/system.hpp"

namespace flexura {

class ModalPencil {
 public:
  /// Tangent at q of the state, at rest and with the signals of its time standing still, which the system has afterwards; symmetrised.
  /// Leaves the system's factor alone.
  ModalPencil(System<double>& system, const State<double>& state);

  int size() const { return size_; }
  int coordinates() const { return coordinates_; }
  /// max |A_ij − A_ji| / max |A_ij| before it was symmetrised.
  double asymmetry() const { return asymmetry_; }
  /// max |K_ii| / M_ii [1/s²]: of the size of the largest eigenvalue; 0 without mass.
  double scale() const { return scale_; }
  std::span<const double> mass_diagonal() const { return mass_diagonal_; }

  /// Factors A − σ B. False if a pivot is no better than rounding.
  bool factor(double shift);
  /// Finite eigenvalues below the shift of the last factor: Sylvester's law of inertia, against that of σ → −∞.
  int below() const { return below_; }
  /// With one step of iterative refinement: stiff parts beside soft ones leave the factor a large error.
  void solve(std::span<double> x) const;
  void times_stiffness(std::span<const double> x, std::span<double> out) const {
    solver_.multiply<double>(stiffness_, x, out);
  }
  void times_mass(std::span<const double> x, std::span<double> out) const { solver_.multiply<double>(mass_, x, out); }
  /// Calls f(i, j, A_ij, B_ij) for all stored entries.
  template <class F>
  void for_each_entry(F f) const {
    solver_.layout().for_each_entry([&](int i, int j, std::ptrdiff_t at) { f(i, j, stiffness_[at], mass_[at]); });
  }

 private:
  void symmetrise(const ValueLayout& from, std::span<const double> values, std::vector<double>& to);

  int size_ = 0, coordinates_ = 0, below_ = 0, far_below_ = 0;
  double asymmetry_ = 0, scale_ = 0;
  LinearSolver<double> solver_;
  std::vector<double> stiffness_, mass_, shifted_, mass_diagonal_;
};

}  // namespace flexura
