#include "flexura/study/identify.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "flexura/base/problem.hpp"
#include "flexura/signal/table.hpp"
#include "flexura/study/experiment_runs.hpp"
#include "flexura/study/identify_warnings.hpp"

namespace flexura {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double two_sided_95 = 1.959964;
constexpr double excess_95 = 3.841459;  ///< χ² of one degree of freedom
/// Of central differences, in scales: their own error is of the order 1e-8, that of runs whose Newton stops at 1e-9 is 1e-5.
constexpr double difference = 1e-4;

double root_mean_square(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return x.empty() ? 0 : std::sqrt(sum / static_cast<double>(x.size()));
}

/// 1.4826 median |x|: the standard deviation of what is normal, whatever a few far ones are.
double robust_deviation(std::vector<double> x) {
  for (double& value : x) value = std::abs(value);
  const auto middle = x.begin() + static_cast<long>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return 1.4826 * *middle;
}

double spread(const std::vector<double>& y) {
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
  double sum = 0;
  for (const double value : y) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(y.size()));
}

/// A measured series among the residuals.
struct SeriesAt {
  int experiment, series;
  std::size_t first, count;  ///< rows
  double noise;
};

/// The experiments of one fit as residuals of the sought numbers.
class Fit {
 public:
  Fit(const Identification& what, ExperimentRuns& runs, std::vector<int> experiments)
      : what_(what), runs_(runs), experiments_(std::move(experiments)) {
    for (const int e : experiments_) {
      const std::vector<MeasuredSeries>& all = what_.experiments[static_cast<size_t>(e)].measured;
      for (int k = 0; k < static_cast<int>(all.size()); ++k) {
        const MeasuredSeries& s = all[static_cast<size_t>(k)];
        series_.push_back({e, k, rows_, s.y.size(), s.noise > 0 ? s.noise : first_guess(s)});
        rows_ += s.y.size();
      }
    }
  }

  std::size_t rows() const { return rows_; }
  const std::vector<SeriesAt>& series() const { return series_; }
  const MeasuredSeries& measured(const SeriesAt& s) const {
    return what_.experiments[static_cast<size_t>(s.experiment)].measured[static_cast<size_t>(s.series)];
  }

  static double value_of(const SoughtNumber& n, double x) { return n.is_log ? std::exp(x) : x; }
  static double x_of(const SoughtNumber& n, double value) { return n.is_log ? std::log(value) : value; }

  ExperimentRuns::Job job(int experiment, std::span<const double> x) const {
    ExperimentRuns::Job out{experiment, {}};
    for (size_t k = 0; k < what_.sought.size(); ++k)
      if (!what_.sought[k].path.empty() && acts_in(what_.sought[k], experiment))
        out.set.push_back(fmt::format("{}={}", what_.sought[k].path, value_of(what_.sought[k], x[k])));
    return out;
  }

  /// The model at the times of a record, with the clocks as x has them.
  std::vector<double> model(const SeriesAt& s, const ExperimentReading& reading, std::span<const double> x) const {
    const ExperimentReading::Track& track = reading.tracks[static_cast<size_t>(s.series)];
    const MeasuredSeries& m = measured(s);
    if (!m.analysis.empty()) return {track.y.back()};
    double shift = 0;
    for (size_t k = 0; k < what_.sought.size(); ++k)
      if (what_.sought[k].path.empty() && acts_in(what_.sought[k], s.experiment))
        shift = value_of(what_.sought[k], x[k]);
    const TableSignal curve(track.t, track.y, Interpolation::spline);
    std::vector<double> out;
    out.reserve(m.t.size());
    for (const double t : m.t) out.push_back(curve.at(t + shift).u);
    return out;
  }

  /// (model − measured)/noise; false: a run failed.
  bool residuals(std::span<const double> x, std::span<double> r) {
    std::vector<ExperimentRuns::Job> jobs;
    for (const int e : experiments_) jobs.push_back(job(e, x));
    runs_.run(jobs);
    return fill(x, r);
  }

  /// ∂r/∂x by central differences, all runs at once; exact ones of the engine would take the place of this function.
  bool slopes(std::span<const double> x, std::span<double> J) {
    const size_t n = x.size();
    std::vector<std::vector<double>> aside;
    std::vector<ExperimentRuns::Job> jobs;
    for (size_t k = 0; k < n; ++k)
      for (const double sign : {1.0, -1.0}) {
        std::vector<double> there(x.begin(), x.end());
        there[k] = std::clamp(there[k] + sign * difference * scale(k), low(k), high(k));
        for (const int e : experiments_) jobs.push_back(job(e, there));
        aside.push_back(std::move(there));
      }
    runs_.run(jobs);
    std::vector<double> here(rows_), up(rows_), down(rows_);
    if (!fill(x, here)) return false;
    for (size_t k = 0; k < n; ++k) {
      std::vector<double>& above = aside[2 * k];
      std::vector<double>& below = aside[2 * k + 1];
      if (!fill(above, up)) above.assign(x.begin(), x.end()), up = here;
      if (!fill(below, down)) below.assign(x.begin(), x.end()), down = here;
      const double width = above[k] - below[k];
      if (!(width > 0)) return false;
      for (size_t i = 0; i < rows_; ++i) J[k * rows_ + i] = (up[i] - down[i]) / width;
    }
    return true;
  }

  double low(size_t k) const {
    const SoughtNumber& n = what_.sought[k];
    return n.is_log && !(n.low > 0) ? -std::numeric_limits<double>::infinity() : x_of(n, n.low);
  }
  double high(size_t k) const { return x_of(what_.sought[k], what_.sought[k].high); }
  double scale(size_t k) const {
    const SoughtNumber& n = what_.sought[k];
    if (n.is_log) return 1;
    const double room = (n.high - n.low) / 4;
    if (n.start != 0) return std::isfinite(room) ? std::min(std::abs(n.start), room) : std::abs(n.start);
    return std::isfinite(room) ? room : n.prior ? n.prior->deviation : 1;
  }

  /// The least from x, with numbers that are held where `held` has them; noises are those of the series.
  LeastSquaresReport least(const std::vector<double>& x, const std::vector<bool>& held = {}) {
    std::vector<size_t> free;
    std::vector<SoughtParameter> parameters;
    for (size_t k = 0; k < what_.sought.size(); ++k) {
      if (!held.empty() && held[k]) continue;
      free.push_back(k);
      parameters.push_back({.name = what_.sought[k].name,
                            .start = std::clamp(x[k], low(k), high(k)),
                            .low = low(k),
                            .high = high(k),
                            .scale = scale(k),
                            .prior = what_.sought[k].prior});
    }
    std::vector<double> full = x;
    const auto all = [&](std::span<const double> part) -> std::span<const double> {
      for (size_t j = 0; j < free.size(); ++j) full[free[j]] = part[j];
      return full;
    };
    if (free.empty()) {
      LeastSquaresReport out;
      out.residuals.resize(rows_);
      out.converged = residuals(full, out.residuals);
      out.cost = out.converged ? cost(full, out.residuals) : std::numeric_limits<double>::infinity();
      out.x = full;
      return out;
    }
    LeastSquaresReport out = least_squares(
        parameters, rows_, [&](std::span<const double> p, std::span<double> r) { return residuals(all(p), r); },
        {.max_iterations = what_.max_iterations,
         .tolerance = 1e-6,
         .least_gain = 1e-7,
         .loss = what_.loss,
         .loss_scale = what_.loss_scale > 0 ? what_.loss_scale : usual_loss_scale(what_.loss),
         .known_noise = known_noise(),
         .least_singular = 1e-6},
        [&](std::span<const double> p, std::span<double> J) {
          if (free.size() == what_.sought.size()) return slopes(all(p), J);
          std::vector<double> whole(what_.sought.size() * rows_);
          if (!slopes(all(p), whole)) return false;
          for (size_t j = 0; j < free.size(); ++j)
            std::copy_n(whole.begin() + static_cast<long>(free[j] * rows_), rows_,
                        J.begin() + static_cast<long>(j * rows_));
          return true;
        });
    const auto best = all(out.x);
    out.x.assign(best.begin(), best.end());
    for (size_t k = 0; k < x.size(); ++k)
      if (!held.empty() && held[k]) out.cost += prior_cost(k, x[k]);
    return out;
  }

  double cost(std::span<const double> x, std::span<const double> r) const {
    double out = 0;
    for (const double value : r) out += value * value;  // losses aside: only where nothing is free
    for (size_t k = 0; k < x.size(); ++k) out += prior_cost(k, x[k]);
    return out;
  }
  double prior_cost(size_t k, double x) const {
    const auto& prior = what_.sought[k].prior;
    return prior ? std::pow((x - prior->mean) / prior->deviation, 2) : 0;
  }

  bool known_noise() const {
    return std::ranges::all_of(series_, [&](const SeriesAt& s) { return measured(s).noise > 0; });
  }

  /// Fits until the noises that are estimated stay.
  LeastSquaresReport fit(std::vector<double> x) {
    LeastSquaresReport out;
    for (int round = 0; round < 20; ++round) {
      const int before = out.iterations;
      out = least(x);
      out.iterations += before;
      if (!std::isfinite(out.cost) || known_noise() || !update_noise(out)) return out;
      x = out.x;
    }
    return out;
  }

 private:
  static bool acts_in(const SoughtNumber& n, int experiment) {
    return n.experiments.empty() || std::ranges::find(n.experiments, experiment) != n.experiments.end();
  }

  /// A twentieth of what moves; of a single value, of the value.
  static double first_guess(const MeasuredSeries& s) {
    const double moves = s.y.size() > 1 ? spread(s.y) : 0;
    const double size = moves > 0 ? moves : root_mean_square(s.y);
    return size > 0 ? 0.05 * size : 1;
  }

  bool fill(std::span<const double> x, std::span<double> r) {
    for (const SeriesAt& s : series_) {
      const ExperimentReading& reading = runs_.reading(job(s.experiment, x));
      if (!reading.failure.empty()) return false;
      const MeasuredSeries& m = measured(s);
      const std::vector<double> y = model(s, reading, x);
      for (size_t i = 0; i < s.count; ++i) r[s.first + i] = m.weight * (y[i] - m.y[i]) / s.noise;
    }
    return true;
  }

  /// True if one has changed by more than a hundredth. A series of few values keeps its guess.
  bool update_noise(const LeastSquaresReport& fit) {
    bool changed = false;
    for (SeriesAt& s : series_) {
      const MeasuredSeries& m = measured(s);
      if (m.noise > 0 || s.count < 10) continue;
      const auto r = std::span(fit.residuals).subspan(s.first, s.count);
      const double share =
          (what_.loss == Loss::squares ? root_mean_square(r) : robust_deviation({r.begin(), r.end()})) / m.weight;
      const double least = 1e-12 * root_mean_square(m.y) / s.noise;  // a record that the model fits to the last digit
      if (!(share > least)) continue;
      changed = changed || std::abs(share - 1) > 0.01;
      s.noise *= share;
    }
    return changed;
  }

  const Identification& what_;
  ExperimentRuns& runs_;
  std::vector<int> experiments_;
  std::vector<SeriesAt> series_;
  std::size_t rows_ = 0;
};

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
