#include "flexura/study/identify_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "flexura/signal/table.hpp"

namespace flexura {
namespace {

/// Of central differences, in scales: their own error is of the order 1e-8, that of runs whose Newton stops at 1e-9 is 1e-5.
constexpr double difference = 1e-4;

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

/// A twentieth of what moves; of a single value, of the value.
double first_guess(const MeasuredSeries& s) {
  const double moves = s.y.size() > 1 ? spread(s.y) : 0;
  const double size = moves > 0 ? moves : root_mean_square(s.y);
  return size > 0 ? 0.05 * size : 1;
}

}  // namespace

double root_mean_square(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return x.empty() ? 0 : std::sqrt(sum / static_cast<double>(x.size()));
}

Fit::Fit(const Identification& what, ExperimentRuns& runs, std::vector<int> experiments)
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

double Fit::value_of(const SoughtNumber& n, double x) { return n.is_log ? std::exp(x) : x; }
double Fit::x_of(const SoughtNumber& n, double value) { return n.is_log ? std::log(value) : value; }

double Fit::low(size_t k) const {
  const SoughtNumber& n = what_.sought[k];
  return n.is_log && !(n.low > 0) ? -std::numeric_limits<double>::infinity() : x_of(n, n.low);
}

double Fit::high(size_t k) const { return x_of(what_.sought[k], what_.sought[k].high); }

double Fit::scale(size_t k) const {
  const SoughtNumber& n = what_.sought[k];
  if (n.is_log) return 1;
  const double room = (n.high - n.low) / 4;
  if (n.start != 0) return std::isfinite(room) ? std::min(std::abs(n.start), room) : std::abs(n.start);
  return std::isfinite(room) ? room : n.prior ? n.prior->deviation : 1;
}

bool Fit::acts_in(const SoughtNumber& n, int experiment) const {
  return n.experiments.empty() || std::ranges::find(n.experiments, experiment) != n.experiments.end();
}

double Fit::shift(int experiment, std::span<const double> x) const {
  double out = 0;
  for (size_t k = 0; k < what_.sought.size(); ++k)
    if (what_.sought[k].path.empty() && acts_in(what_.sought[k], experiment)) out = value_of(what_.sought[k], x[k]);
  return out;
}

ExperimentRuns::Job Fit::job(int experiment, std::span<const double> x) const {
  ExperimentRuns::Job out{experiment, {}, {}};
  for (size_t k = 0; k < what_.sought.size(); ++k)
    if (!what_.sought[k].path.empty() && acts_in(what_.sought[k], experiment))
      out.set.push_back(fmt::format("{}={}", what_.sought[k].path, value_of(what_.sought[k], x[k])));
  return out;
}

ExperimentRuns::Job Fit::differentiated(int experiment, std::span<const double> x) const {
  ExperimentRuns::Job out = job(experiment, x);
  for (const SoughtNumber& n : what_.sought)
    if (!n.path.empty() && acts_in(n, experiment)) out.by.push_back(n.path);
  return out;
}

std::vector<double> Fit::model(const SeriesAt& s, const ExperimentReading& reading, std::span<const double> x) const {
  const ExperimentReading::Track& track = reading.tracks[static_cast<size_t>(s.series)];
  const MeasuredSeries& m = measured(s);
  if (!m.analysis.empty()) return {track.y.back()};
  const double late = shift(s.experiment, x);
  const TableSignal curve(track.t, track.y, Interpolation::spline);
  std::vector<double> out;
  out.reserve(m.t.size());
  for (const double t : m.t) out.push_back(curve.at(t + late).u);
  return out;
}

bool Fit::residuals(std::span<const double> x, std::span<double> r) {
  std::vector<ExperimentRuns::Job> jobs;
  for (const int e : experiments_) jobs.push_back(job(e, x));
  runs_.run(jobs);
  return fill(x, r, experiments_);
}

bool Fit::fill(std::span<const double> x, std::span<double> r, const std::vector<int>& experiments) {
  for (const SeriesAt& s : series_) {
    if (std::ranges::find(experiments, s.experiment) == experiments.end()) continue;
    const ExperimentReading& reading = runs_.reading(job(s.experiment, x));
    if (!reading.failure.empty()) return false;
    const MeasuredSeries& m = measured(s);
    const std::vector<double> y = model(s, reading, x);
    for (size_t i = 0; i < s.count; ++i) r[s.first + i] = m.weight * (y[i] - m.y[i]) / s.noise;
  }
  return true;
}

/// The spline through what a sensor reads is linear in that, so its derivative is the spline through the derivatives.
bool Fit::exact_slopes(int experiment, std::span<const double> x, std::span<double> J) const {
  const ExperimentReading& here = runs_.reading(differentiated(experiment, x));
  if (!here.failure.empty()) return false;
  for (const SeriesAt& s : series_) {
    if (s.experiment != experiment) continue;
    const MeasuredSeries& m = measured(s);
    const ExperimentReading::Track& track = here.tracks[static_cast<size_t>(s.series)];
    size_t place = 0;
    for (size_t k = 0; k < what_.sought.size(); ++k) {
      const SoughtNumber& n = what_.sought[k];
      const std::span<double> column = J.subspan(k * rows_ + s.first, s.count);
      std::ranges::fill(column, 0.0);
      if (!acts_in(n, experiment)) continue;
      const double factor = m.weight / s.noise * (n.is_log ? value_of(n, x[k]) : 1);
      if (n.path.empty()) {
        if (!m.analysis.empty()) continue;
        const TableSignal curve(track.t, track.y, Interpolation::spline);
        for (size_t i = 0; i < s.count; ++i) column[i] = factor * curve.at(m.t[i] + shift(experiment, x)).du;
        continue;
      }
      const std::vector<double>& slope = track.slopes[place++];
      if (!m.analysis.empty()) {
        column[0] = factor * slope.back();
        continue;
      }
      const TableSignal curve(track.t, slope, Interpolation::spline);
      for (size_t i = 0; i < s.count; ++i) column[i] = factor * curve.at(m.t[i] + shift(experiment, x)).u;
    }
  }
  return true;
}

bool Fit::slopes(std::span<const double> x, std::span<double> J) {
  const size_t n = x.size();
  std::vector<int> exact, others;
  std::vector<ExperimentRuns::Job> jobs;
  for (const int e : experiments_)
    if (runs_.has_derivatives(e)) jobs.push_back(differentiated(e, x));
  runs_.run(jobs);
  for (const int e : experiments_) (runs_.has_derivatives(e) && exact_slopes(e, x, J) ? exact : others).push_back(e);
  if (others.empty()) return true;

  std::vector<std::vector<double>> aside;
  jobs.clear();
  for (size_t k = 0; k < n; ++k)
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> there(x.begin(), x.end());
      there[k] = std::clamp(there[k] + sign * difference * scale(k), low(k), high(k));
      for (const int e : others) jobs.push_back(job(e, there));
      aside.push_back(std::move(there));
    }
  runs_.run(jobs);
  std::vector<double> here(rows_), up(rows_), down(rows_);
  if (!fill(x, here, others)) return false;
  for (size_t k = 0; k < n; ++k) {
    std::vector<double>& above = aside[2 * k];
    std::vector<double>& below = aside[2 * k + 1];
    if (!fill(above, up, others)) above.assign(x.begin(), x.end()), up = here;
    if (!fill(below, down, others)) below.assign(x.begin(), x.end()), down = here;
    const double width = above[k] - below[k];
    if (!(width > 0)) return false;
    for (const SeriesAt& s : series_)
      if (std::ranges::find(others, s.experiment) != others.end())
        for (size_t i = s.first; i < s.first + s.count; ++i) J[k * rows_ + i] = (up[i] - down[i]) / width;
  }
  return true;
}

LeastSquaresReport Fit::least(const std::vector<double>& x, const std::vector<bool>& held) {
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

double Fit::cost(std::span<const double> x, std::span<const double> r) const {
  double out = 0;
  for (const double value : r) out += value * value;  // losses aside: only where nothing is free
  for (size_t k = 0; k < x.size(); ++k) out += prior_cost(k, x[k]);
  return out;
}

double Fit::prior_cost(size_t k, double x) const {
  const auto& prior = what_.sought[k].prior;
  return prior ? std::pow((x - prior->mean) / prior->deviation, 2) : 0;
}

bool Fit::known_noise() const {
  return std::ranges::all_of(series_, [&](const SeriesAt& s) { return measured(s).noise > 0; });
}

LeastSquaresReport Fit::fit(std::vector<double> x) {
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

/// True if one has changed by more than a hundredth. A series of few values keeps its guess.
bool Fit::update_noise(const LeastSquaresReport& fit) {
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

}  // namespace flexura
