#pragma once
// How small motions about an equilibrium follow inputs that swing, by the factor of the sparse complex matrix of all unknowns:
//
//     (K + iω D − ω² M) δy = (B₀ + iω B₁ − ω² B₂) u             K, D, M: tangents of the state, multipliers among y
//
// Part of flexura_ensemble.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "flexura/solve/dual_residual.hpp"

namespace flexura {

class FrequencyResponse {
 public:
  /// As linearise_motion; the state is at rest.
  FrequencyResponse(System<double>& system, DualResidual& residual, const State<double>& state,
                    std::span<const SignalValue> signals, const std::vector<std::vector<double>>& inputs);
  ~FrequencyResponse();

  /// δy [ny × inputs] at ω [rad/s]. False: singular there, as at a resonance without damping.
  bool solve(double omega, Eigen::MatrixXcd& out);
  /// The largest |ṁ|/m of a chamber at the state [1/s], and a gas line that leads to it.
  std::pair<double, std::string> flow() const;

 private:
  struct Matrices;
  std::unique_ptr<Matrices> matrices_;
};

}  // namespace flexura
