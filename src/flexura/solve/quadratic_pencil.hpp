#pragma once
// What decides small motions z = e^{st} x about a state: s² M x + s C x + K x = 0, of any symmetry, multipliers included.
//
// Where the state turns steadily with the spin Ω, the motion is that seen by who turns along. Coordinates are Cartesian, so
// with q = R(t) y and the matrix Ω̂ of v = Ω × x in every point and vector
//
//     M (ÿ + 2 Ω̂ ẏ + Ω̂² y) = Q(y, ẏ)        C: damping and 2 Ω̂ M (gyroscopic), K: tangent and Ω̂² M (centrifugal)

#include <span>
#include <vector>

#include "flexura/linear/sparse_fallback.hpp"
#include "flexura/solve/steady_rotation.hpp"
#include "flexura/solve/system.hpp"

namespace flexura {

class QuadraticPencil {
 public:
  /// Tangents at q of the state, at rest in the frame of `rotation`, with the signals that the assembler holds. Dampers
  /// are left out unless `damped`. Leaves the system's factor alone.
  QuadraticPencil(System<double>& system, const State<double>& state, const SteadyRotation& rotation, bool damped);

  int size() const { return size_; }
  int coordinates() const { return coordinates_; }
  /// False: C = 0.
  bool has_rates() const { return has_rates_; }
  /// max |K_ii| / M_ii [1/s²]: of the size of the largest |s|²; 0 without mass, NaN where something is not finite.
  double scale() const { return scale_; }
  std::span<const double> mass_diagonal() const { return mass_diagonal_; }
  std::span<const double> stiffness_diagonal() const { return stiffness_diagonal_; }  ///< |K_ii|

  /// Factors K + rate C + square M, with pivoting where it is not safe without. False: it is singular.
  bool factor(double rate, double square);
  /// With one step of iterative refinement: stiff parts beside soft ones leave the factor a large error.
  void solve(std::span<double> x) const;
  void times_mass(std::span<const double> x, std::span<double> out) const { times(mass_, x, out); }
  void times_stiffness(std::span<const double> x, std::span<double> out) const { times(stiffness_, x, out); }
  void times_rates(std::span<const double> x, std::span<double> out) const { times(rates_, x, out); }

  /// Calls f(i, j, K_ij, C_ij, M_ij) for all stored entries.
  template <class F>
  void for_each_entry(F f) const {
    solver_.layout().for_each_entry(
        [&](int i, int j, std::ptrdiff_t at) { f(i, j, stiffness_[at], rates_[at], mass_[at]); });
  }

 private:
  void times(const std::vector<double>& a, std::span<const double> x, std::span<double> out) const {
    solver_.multiply<double>(a, x, out);
  }
  void number_blocks(const Topology& topology);
  /// to += values of the system.
  void add(const System<double>& system, std::span<const double> values, double factor, std::vector<double>& to) const;
  std::ptrdiff_t place(int i, int j) const;
  /// to += factor · Ω̂ a.
  void add_turned(const std::vector<double>& a, double factor, const Topology& topology, const SteadyRotation& rotation,
                  std::vector<double>& to) const;

  int size_ = 0, coordinates_ = 0;
  bool has_rates_ = false, pivoted_ = false, analysed_ = false;
  double scale_ = 0;
  LinearSolver<double> solver_;
  SparseFallback pivoting_;
  std::vector<int> block_, within_;  ///< of each unknown
  std::vector<double> stiffness_, rates_, mass_, shifted_, mass_diagonal_, stiffness_diagonal_;
};

}  // namespace flexura
