#include "flexura/study/identify.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "flexura/base/problem.hpp"
#include "flexura/study/identify_fit.hpp"
#include "flexura/study/identify_warnings.hpp"

namespace flexura {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double two_sided_95 = 1.959964;
constexpr double excess_95 = 3.841459;  ///< χ² of one degree of freedom
/// Σ r rest/Σ r²: of a residual with the next.
double autocorrelation(const std::vector<double>& r) {
  if (r.size() < 20) return unknown;
  double own = 0, next = 0;
  for (size_t i = 0; i < r.size(); ++i) {
    own += r[i] * r[i];
    if (i > 0) next += r[i] * r[i - 1];
  }
  return own > 0 ? next / own : unknown;
}

class Identifier {
 public:
  Identifier(const Identification& what, const IdentifyOptions& options)
      : what_(what), options_(options), runs_(what, options) {}

  IdentifyReport run() {
    report_.title = what_.title;
    report_.loss = what_.loss;
    std::vector<double> x;
    for (const SoughtNumber& n : what_.sought) x.push_back(Fit::x_of(n, n.start));
    check_start(x);
    Fit fit(what_, runs_, fitted_experiments());
    say(fmt::format("{} numbers, {} residuals", x.size(), fit.rows()));
    const LeastSquaresReport found = fit.fit(x);
    take(fit, found);
    compare(fit, found);
    if (what_.cross_validate) cross_validate(found.x);
    if (what_.profile) profile(fit, found);
    report_.runs = runs_.runs();
    report_.recalled = runs_.recalled();
    report_.failed = runs_.failed();
    report_.differentiated = runs_.differentiated();
    report_.slopes = runs_.slopes_text();
    std::vector<double> scales;
    for (size_t k = 0; k < x.size(); ++k) scales.push_back(fit.scale(k));
    warn_of_fit(what_, found, scales, report_);
    if (runs_.failed() > 0)
      report_.warnings.push_back(fmt::format("{} of {} runs failed, and the search went round them; the first, {}",
                                             runs_.failed(), runs_.runs(), runs_.first_failure()));
    return std::move(report_);
  }

 private:
  void say(const std::string& line) const {
    if (options_.progress) options_.progress(line);
  }

  std::vector<int> fitted_experiments(int without = -1) const {
    std::vector<int> out;
    for (int e = 0; e < static_cast<int>(what_.experiments.size()); ++e)
      if (!what_.experiments[static_cast<size_t>(e)].left_out && e != without) out.push_back(e);
    return out;
  }

  void check_start(const std::vector<double>& x) {
    std::vector<int> all(what_.experiments.size());
    std::iota(all.begin(), all.end(), 0);
    const Fit fit(what_, runs_, all);
    std::vector<ExperimentRuns::Job> jobs;
    for (const int e : all) jobs.push_back(fit.job(e, x));
    runs_.run(jobs);
    std::vector<Problem> problems;
    for (size_t e = 0; e < jobs.size(); ++e)
      if (const std::string& failure = runs_.reading(jobs[e]).failure; !failure.empty())
        problems.push_back(
            {{},
             "experiment." + what_.experiments[e].name,
             fmt::format("the run from which the search begins fails ({}): {}", fmt::join(jobs[e].set, ", "), failure),
             {}});
    if (!problems.empty()) throw InputError(std::move(problems));
  }

  void take(const Fit& fit, const LeastSquaresReport& found) {
    report_.converged = found.converged;
    report_.message = found.message;
    report_.correlation = found.correlation;
    report_.known_noise = fit.known_noise();
    report_.residuals = static_cast<int>(fit.rows());
    report_.iterations = found.iterations;
    int free = 0;
    for (size_t k = 0; k < what_.sought.size(); ++k) {
      const SoughtNumber& n = what_.sought[k];
      IdentifiedNumber number{.sought = n, .value = Fit::value_of(n, found.x[k]), .profile = {}};
      const double error = found.standard_error[k];
      number.standard_error = n.is_log ? number.value * error : error;
      number.low = Fit::value_of(n, found.x[k] - two_sided_95 * error);
      number.high = Fit::value_of(n, found.x[k] + two_sided_95 * error);
      number.at_bound = found.at_bound[k];
      if (number.at_bound) number.value = found.x[k] <= fit.low(k) ? n.low : n.high;
      free += number.at_bound ? 0 : 1;
      report_.numbers.push_back(std::move(number));
    }
    const int spare = report_.residuals - free;
    report_.noise_scale = spare > 0 ? std::sqrt(found.sum_of_squares / spare) : unknown;
    s2_ = report_.known_noise && what_.loss == Loss::squares ? 1.0 : spare > 0 ? found.cost / spare : 1.0;
  }

  /// Fits, residuals and bands of all experiments.
  void compare(const Fit& fit, const LeastSquaresReport& found) {
    std::vector<int> all(what_.experiments.size());
    std::iota(all.begin(), all.end(), 0);
    Fit whole(what_, runs_, all);
    std::vector<double> J(whole.rows() * found.x.size());
    const bool has_slopes = whole.slopes(found.x, J);
    for (const SeriesAt& s : whole.series()) {
      const Experiment& experiment = what_.experiments[static_cast<size_t>(s.experiment)];
      FittedSeries out{.experiment = experiment.name,
                       .left_out = experiment.left_out,
                       .measured = whole.measured(s),
                       .model = {},
                       .band = {},
                       .noise = s.noise};
      for (const SeriesAt& own : fit.series())
        if (own.experiment == s.experiment && own.series == s.series) out.noise = own.noise;
      const ExperimentReading& reading = runs_.reading(whole.job(s.experiment, found.x));
      if (!reading.failure.empty()) {
        report_.warnings.push_back(
            fmt::format("{}: no comparison, its run fails: {}", experiment.name, reading.failure));
        report_.series.push_back(std::move(out));
        continue;
      }
      out.model = whole.model(s, reading, found.x);
      if (has_slopes) out.band = band(found, J, s, whole.rows());
      std::vector<double> r;
      for (size_t i = 0; i < out.model.size(); ++i) r.push_back(out.model[i] - out.measured.y[i]);
      out.rms = root_mean_square(r);
      out.autocorrelation = autocorrelation(r);
      report_.series.push_back(std::move(out));
    }
  }

  /// √(Jᵢ C Jᵢᵀ) σ; of numbers that are determined.
  static std::vector<double> band(const LeastSquaresReport& found, const std::vector<double>& J, const SeriesAt& s,
                                  size_t rows) {
    const size_t n = found.x.size();
    std::vector<double> out;
    for (size_t i = s.first; i < s.first + s.count; ++i) {
      double sum = 0;
      for (size_t a = 0; a < n; ++a)
        for (size_t b = 0; b < n; ++b)
          if (const double c = found.covariance[a * n + b]; !std::isnan(c))
            sum += J[a * rows + i] * c * J[b * rows + i];
      out.push_back(s.noise * std::sqrt(std::max(0.0, sum)));
    }
    return out;
  }

  void cross_validate(const std::vector<double>& x) {
    const std::vector<int> fitted = fitted_experiments();
    if (fitted.size() < 2) {
      report_.warnings.emplace_back("cross-validation takes two experiments that are fitted, at least");
      return;
    }
    for (const int e : fitted) {
      LeftOutFit out{.experiment = what_.experiments[static_cast<size_t>(e)].name, .values = {}, .failure = {}};
      say("without " + out.experiment);
      Fit others(what_, runs_, fitted_experiments(e));
      const LeastSquaresReport found = others.fit(x);
      if (!found.converged) out.failure = found.message;
      for (size_t k = 0; k < found.x.size(); ++k) out.values.push_back(Fit::value_of(what_.sought[k], found.x[k]));
      std::vector<double> all;
      for (const FittedSeries& known : report_.series) {
        if (known.experiment != out.experiment) continue;
        Fit own(what_, runs_, {e});
        const ExperimentReading& reading = runs_.reading(own.job(e, found.x));
        if (!reading.failure.empty()) {
          out.failure = reading.failure;
          break;
        }
        for (const SeriesAt& s : own.series()) {
          if (own.measured(s).name != known.measured.name) continue;
          const std::vector<double> y = own.model(s, reading, found.x);
          for (size_t i = 0; i < y.size(); ++i) all.push_back((y[i] - own.measured(s).y[i]) / known.noise);
        }
      }
      out.rms = root_mean_square(all);
      report_.left_out.push_back(std::move(out));
    }
  }

  /// Each number is held at values outwards from the best, a standard error apart, and all others are fitted again.
  void profile(Fit& fit, const LeastSquaresReport& found) {
    for (size_t k = 0; k < what_.sought.size(); ++k) {
      const double error = found.standard_error[k];
      if (!(error > 0)) continue;
      say("profile of " + what_.sought[k].name);
      ProfileCurve curve{{}, {}, unknown, unknown};
      std::vector<bool> held(what_.sought.size(), false);
      held[k] = true;
      std::vector<std::pair<double, double>> points{{found.x[k], 0}};
      for (const double sign : {-1.0, 1.0}) {
        std::vector<double> x = found.x;
        double last_x = found.x[k], last_root = 0;
        for (int step = 1; step <= 6; ++step) {
          x[k] = std::clamp(found.x[k] + sign * step * error, fit.low(k), fit.high(k));
          if (x[k] == last_x) break;
          const LeastSquaresReport there = fit.least(x, held);
          if (!std::isfinite(there.cost)) break;
          const double excess = std::max(0.0, (there.cost - found.cost) / s2_);
          points.emplace_back(x[k], excess);
          x = there.x;
          const double root = std::sqrt(excess), wanted = std::sqrt(excess_95);
          if (root >= wanted) {
            const double cross = last_x + (x[k] - last_x) * (wanted - last_root) / (root - last_root);
            (sign < 0 ? curve.low : curve.high) = Fit::value_of(what_.sought[k], cross);
            break;
          }
          last_x = x[k], last_root = root;
        }
      }
      std::ranges::sort(points);
      for (const auto& [at, excess] : points) {
        curve.value.push_back(Fit::value_of(what_.sought[k], at));
        curve.excess.push_back(excess);
      }
      report_.numbers[k].profile = std::move(curve);
    }
  }

  const Identification& what_;
  const IdentifyOptions& options_;
  ExperimentRuns runs_;
  IdentifyReport report_;
  double s2_ = 1;
};

}  // namespace

IdentifyReport identify(const Identification& what, const IdentifyOptions& options) {
  return Identifier(what, options).run();
}

}  // namespace flexura
