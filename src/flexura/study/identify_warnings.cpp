#include "flexura/study/identify_warnings.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

/// Least eigenvalue of the correlations below which numbers are hardly told apart: of two, a correlation of 0.98.
constexpr double close = 0.02;
constexpr double follows = 0.2;       ///< autocorrelation of residuals that are no noise
constexpr double much_noise = 1.2;    ///< residuals over the noise that is stated
constexpr double hardly_known = 0.5;  ///< standard error over the number

/// "EI +10 %, delay -0.0021 s": a change of the parameters of the fit, of size 1 where its largest part is a tenth of the number, or of its
/// start where that is larger. Percent are of the number itself; of those that are small beside their start it says the change.
std::string change_text(const IdentifyReport& report, const std::vector<double>& change) {
  std::vector<double> relative(change.size());
  double largest = 0, sign = 0;
  for (size_t k = 0; k < change.size(); ++k) {
    const IdentifiedNumber& n = report.numbers[k];
    relative[k] =
        n.sought.is_log ? change[k] : change[k] / std::max({std::abs(n.value), std::abs(n.sought.start), 1e-300});
    largest = std::max(largest, std::abs(relative[k]));
    if (sign == 0 && relative[k] != 0) sign = relative[k] < 0 ? -1 : 1;
  }
  std::string out;
  for (size_t k = 0; k < change.size(); ++k) {
    if (relative[k] == 0) continue;
    const SoughtNumber& n = report.numbers[k].sought;
    const double size = sign * 0.1 / largest;
    out += fmt::format("{}{} ", out.empty() ? "" : ", ", n.name);
    const bool has_size = n.is_log || std::abs(report.numbers[k].value) >= 0.1 * std::abs(n.start);
    if (has_size && !n.is_log) relative[k] = change[k] / std::abs(report.numbers[k].value);
    out += has_size && std::abs(relative[k]) > 0.01 * largest
               ? fmt::format("{:+.2g} %", 100 * size * relative[k])
               : fmt::format("{:+.2g}{}", size * change[k], n.unit == "1" ? "" : " " + n.unit);
  }
  return out;
}

void warn_of_numbers(IdentifyReport& report) {
  for (size_t k = 0; k < report.numbers.size(); ++k) {
    const IdentifiedNumber& n = report.numbers[k];
    if (n.at_bound)
      report.warnings.push_back(
          fmt::format("{} = {:.6g} is its {} bound: the records would have it further out, and its error is not known",
                      n.sought.name, n.value, n.value <= n.sought.low ? "lower" : "upper"));
    else if (n.standard_error > hardly_known * std::abs(n.value) && n.sought.start != 0)
      report.warnings.push_back(
          fmt::format("the records hardly determine {}: {:.3g} ± {:.2g}", n.sought.name, n.value, n.standard_error));
  }
}

/// Names the combination along which the fit is flat.
void warn_of_combinations(const LeastSquaresReport& fit, const std::vector<double>& scales, IdentifyReport& report) {
  const size_t n = report.numbers.size();
  for (const std::vector<double>& undetermined : fit.undetermined) {
    std::vector<double> change;
    for (size_t k = 0; k < n; ++k) change.push_back(undetermined[k] * scales[k]);
    const std::string text = change_text(report, change);
    report.warnings.push_back(
        text.find(',') == std::string::npos
            ? fmt::format("the records say nothing of {}", text.substr(0, text.find(' ')))
            : fmt::format("the records cannot tell these apart: changed together, {}, they leave every residual as it "
                          "is; hold one of them, give a prior, or measure something else",
                          text));
  }
  std::vector<size_t> free;
  for (size_t k = 0; k < n; ++k)
    if (fit.standard_error[k] > 0) free.push_back(k);
  if (free.size() < 2) return;
  const auto count = static_cast<Eigen::Index>(free.size());
  Eigen::MatrixXd correlation(count, count);
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = 0; j < count; ++j)
      correlation(i, j) = fit.correlation[free[static_cast<size_t>(i)] * n + free[static_cast<size_t>(j)]];
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(correlation);
  if (modes.info() != Eigen::Success || modes.eigenvalues()[0] > close) return;
  const Eigen::VectorXd told = modes.eigenvectors().col(0);  // the well-known direction, in standard errors
  std::vector<double> change(n, 0.0);
  // Along the flat direction the parts of what is told move together by their own standard errors.
  const Eigen::VectorXd flat = modes.eigenvectors().col(count - 1);
  for (Eigen::Index i = 0; i < count; ++i)
    if (std::abs(told[i]) > 0.2)
      change[free[static_cast<size_t>(i)]] = flat[i] * fit.standard_error[free[static_cast<size_t>(i)]];
  report.warnings.push_back(
      fmt::format("the records hardly tell these apart: changed together, {}, they leave the residuals nearly as they "
                  "are (correlations up to {:.4f})",
                  change_text(report, change), [&] {
                    double most = 0;
                    for (Eigen::Index i = 0; i < count; ++i)
                      for (Eigen::Index j = 0; j < i; ++j) most = std::max(most, std::abs(correlation(i, j)));
                    return most;
                  }()));
}

void warn_of_series(IdentifyReport& report) {
  for (const FittedSeries& s : report.series) {
    const std::string name = s.experiment + "." + s.measured.name;
    if (s.measured.missing > 0)
      report.warnings.push_back(fmt::format("{}: {} samples without a number", name, s.measured.missing));
    if (s.measured.outside > 0)
      report.warnings.push_back(
          fmt::format("{}: {} samples lie outside of the time that is simulated and of its window, and do not count",
                      name, s.measured.outside));
    const double by_chance = 4 / std::sqrt(std::max<double>(1, static_cast<double>(s.measured.y.size())));
    const double follow = s.autocorrelation;
    if (s.left_out || !(std::abs(follow) > std::max(follows, by_chance))) continue;
    report.warnings.push_back(
        follow > 0
            ? fmt::format("{}: residuals follow each other (autocorrelation {:.2f}): the model does not explain the "
                          "record to its noise, and standard errors are too small by a factor of about {:.2g}",
                          name, follow, std::sqrt((1 + follow) / (1 - std::min(follow, 0.999))))
            : fmt::format("{}: residuals alternate (autocorrelation {:.2f}): the model lacks something fast that the "
                          "record has, or has it at another frequency; standard errors do not cover that",
                          name, follow));
  }
}

}  // namespace

void warn_of_fit(const Identification& what, const LeastSquaresReport& fit, const std::vector<double>& scales,
                 IdentifyReport& report) {
  for (const Problem& warning : what.warnings) report.warnings.push_back(warning.path + ": " + warning.message);
  if (!report.converged) report.warnings.push_back("the search did not converge: " + report.message);
  warn_of_numbers(report);
  warn_of_combinations(fit, scales, report);
  warn_of_series(report);
  const double spare = report.residuals - static_cast<double>(report.numbers.size());
  if (report.known_noise && spare > 0) {
    const double surely = 3 / std::sqrt(2 * spare);  // three standard deviations of the root of χ²/m
    if (report.noise_scale > std::max(much_noise, 1 + surely))
      report.warnings.push_back(fmt::format(
          "residuals are {:.2g} times the noise that is stated: the model does not explain the records to it, "
          "and standard errors are too small by as much at least",
          report.noise_scale));
    else if (report.noise_scale < std::min(1 / much_noise, 1 - surely))
      report.warnings.push_back(fmt::format(
          "residuals are {:.2g} times the noise that is stated: it is too large, and so are standard errors",
          report.noise_scale));
  }
}

}  // namespace flexura
