#pragma once
// Least squares within bounds, for fits and identification: an own Levenberg-Marquardt [marquardt1963].
//
//     minimise Σ c² ρ(rᵢ(x)²/c²) + Σ ((xₖ − x̂ₖ)/σₖ)²  over low ≤ x ≤ high
//     (JᵀWJ + λ D²) δ = −JᵀW r,   W = ρ′,   D: the largest lengths so far of the columns of J;   x ← x + δ within the bounds
//
// by a QR factor of [√W J; √λ D], so that J is not squared. Without a loss ρ(z) = z, W = 1. The second sum, of parameters that
// something is known of beforehand, joins the residuals. Parameters at a bound whose slope leads outwards stay; what a step
// would take beyond one goes there, and the others are solved for again. Derivatives by central differences (one-sided at
// bounds) if none are given.

#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flexura {

/// What is known of a parameter beforehand, in units of residuals whose standard deviation is 1.
struct NormalPrior {
  double mean = 0, deviation = 1;
};

struct SoughtParameter {
  std::string name;
  double start = 0;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  double scale = 1;  ///< a change that counts; differences take 1e-5 of it
  std::optional<NormalPrior> prior = {};
};

/// ρ(z) of z = (r/c)² [huber1964]: what residuals far larger than c count for.
enum class Loss {
  squares,  ///< z
  huber,    ///< z up to 1, 2√z − 1 beyond: those count by their size, not by its square
  soft_l1,  ///< 2 (√(1 + z) − 1): the same without a kink
  cauchy,   ///< ln(1 + z): those hardly count
};
inline constexpr std::array<std::string_view, 4> loss_names{"squares", "huber", "soft_l1", "cauchy"};
/// c at which a loss still makes the most of errors that are normal: 95 % of what squares do, in standard deviations of them.
double usual_loss_scale(Loss loss);

/// r(x) into `residuals`; false where there is none: then a step is made shorter.
using Residuals = std::function<bool(std::span<const double> x, std::span<double> residuals)>;
/// ∂r/∂x, column after column.
using ResidualSlopes = std::function<bool(std::span<const double> x, std::span<double> slopes)>;

struct LeastSquaresOptions {
  int max_iterations = 200;
  double tolerance = 1e-10;  ///< of the angle between r and each column of J, and of steps against x and its scales
  /// Where residuals have a floor of rounding or of iterations: a step that promises less than this share of the sum is the last.
  double least_gain = 0;
  double first_damping = 1e-3;  ///< λ of the first step
  /// Damping follows what steps gain of what they promise: where residuals stay and bend, as of targets that are out of reach,
  /// undamped steps go twice too far.
  bool follows_gain = false;
  Loss loss = Loss::squares;
  double loss_scale = 1;     ///< c
  bool known_noise = false;  ///< residuals have the standard deviation 1: s = 1
  double least_singular =
      1e-8;  ///< of the columns of J, each of length 1, against the largest: below, they are not told apart
  double longest_step = std::numeric_limits<double>::infinity();  ///< in scales, of any parameter
  double good_enough = 0;                                         ///< root of the sum at which the search ends
  std::function<void(std::span<const double> x)> accepted = {};   ///< called with each better x, the start first
};

struct LeastSquaresReport {
  bool converged = false;
  std::string message;  ///< why not, or what could not be told
  std::vector<double> x, residuals;
  double sum_of_squares = 0;  ///< Σ r²
  double cost = 0;            ///< what was made least: the same without losses and priors
  int iterations = 0, evaluations = 0;
  std::vector<bool> at_bound;
  /// s² (JᵀJ)⁻¹ with s² = Σ r²/(m − n), or 1, of the parameters that are free; NaN of those at a bound, of those that a change which no
  /// residual notices has a part in, and where there are no more residuals than free parameters; others keep their errors. With a loss s² = Σ ψ²/(m − n)/(mean ψ′)²,
  /// ψ = ρ′ r [huber1964].
  std::vector<double> standard_error;
  std::vector<double> correlation;  ///< n × n, of those with an error
  std::vector<double> covariance;   ///< n × n, s² (JᵀJ)⁺ of all that are free: of what the residuals tell
  std::vector<double> slopes;       ///< J at x, column after column; empty where there is none
  /// Changes of the parameters, each in their scales and of length 1, that no residual notices: as many as are independent, each of as few
  /// parameters as elimination leaves; empty where there is none.
  std::vector<std::vector<double>> undetermined;
};

/// Throws InputError for bounds without room and starts outside of them.
LeastSquaresReport least_squares(const std::vector<SoughtParameter>& parameters, std::size_t residual_count,
                                 const Residuals& residuals, const LeastSquaresOptions& options = {},
                                 const ResidualSlopes& slopes = {});

}  // namespace flexura
