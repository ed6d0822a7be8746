#pragma once
// Least squares within bounds, for fits and identification: an own Levenberg-Marquardt [marquardt1963].
//
//     minimise Σ rᵢ(x)²  over low ≤ x ≤ high
//     (JᵀJ + λ D²) δ = −Jᵀ r,   D: the largest lengths so far of the columns of J;   x ← x + δ, cut at the bounds
//
// by a QR factor of [J; √λ D], so that J is not squared. Parameters at a bound whose slope leads outwards stay. Derivatives by
// central differences (one-sided at bounds) if none are given.

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace flexura {

struct SoughtParameter {
  std::string name;
  double start = 0;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  double scale = 1;  ///< a change that counts; differences take 1e-5 of it
};

/// r(x) into `residuals`; false where there is none: then a step is made shorter.
using Residuals = std::function<bool(std::span<const double> x, std::span<double> residuals)>;
/// ∂r/∂x, column after column.
using ResidualSlopes = std::function<bool(std::span<const double> x, std::span<double> slopes)>;

struct LeastSquaresOptions {
  int max_iterations = 200;
  double tolerance = 1e-10;  ///< of the angle between r and each column of J, and of steps against x and its scales
};

struct LeastSquaresReport {
  bool converged = false;
  std::string message;  ///< why not, or what could not be told
  std::vector<double> x, residuals;
  double sum_of_squares = 0;
  int iterations = 0, evaluations = 0;
  std::vector<bool> at_bound;
  /// s² (JᵀJ)⁻¹ with s² = Σ r²/(m − n) of the parameters that are free; NaN of those at a bound, of those that the residuals
  /// do not determine, and where there are no more residuals than free parameters.
  std::vector<double> standard_error;
  std::vector<double> correlation;  ///< n × n
};

/// Throws InputError for bounds without room and starts outside of them.
LeastSquaresReport least_squares(const std::vector<SoughtParameter>& parameters, std::size_t residual_count,
                                 const Residuals& residuals, const LeastSquaresOptions& options = {},
                                 const ResidualSlopes& slopes = {});

}  // namespace flexura
