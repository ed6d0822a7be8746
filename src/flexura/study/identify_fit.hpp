#pragma once
// The experiments of one fit as residuals of the sought numbers, and the search for the least of them.

#include <map>

#include "flexura/study/experiment_runs.hpp"

namespace flexura {

/// A measured series among the residuals.
struct SeriesAt {
  int experiment, series;
  std::size_t first, count;  ///< rows
  double noise;
};

double root_mean_square(std::span<const double> x);

class Fit {
 public:
  Fit(const Identification& what, ExperimentRuns& runs, std::vector<int> experiments);

  std::size_t rows() const { return rows_; }
  const std::vector<SeriesAt>& series() const { return series_; }
  const MeasuredSeries& measured(const SeriesAt& s) const {
    return what_.experiments[static_cast<size_t>(s.experiment)].measured[static_cast<size_t>(s.series)];
  }

  static double value_of(const SoughtNumber& n, double x);
  static double x_of(const SoughtNumber& n, double value);
  /// Bounds and scale of what is sought in place of number k: of its logarithm, where that is.
  double low(size_t k) const;
  double high(size_t k) const;
  double scale(size_t k) const;

  ExperimentRuns::Job job(int experiment, std::span<const double> x) const;
  /// The model at the times of a record, with the clocks as x has them.
  std::vector<double> model(const SeriesAt& s, const ExperimentReading& reading, std::span<const double> x) const;

  /// (model − measured)/noise; false: a run failed.
  bool residuals(std::span<const double> x, std::span<double> r);
  /// ∂r/∂x, all runs at once: exact where an experiment has derivatives, by central differences elsewhere. False: a run failed.
  bool slopes(std::span<const double> x, std::span<double> J);

  /// The least from x, with numbers that are held where `held` has them; noises are those of the series.
  LeastSquaresReport least(const std::vector<double>& x, const std::vector<bool>& held = {});
  /// Fits until the noises that are estimated stay.
  LeastSquaresReport fit(std::vector<double> x);
  bool known_noise() const;

 private:
  bool acts_in(const SoughtNumber& n, int experiment) const;
  double shift(int experiment, std::span<const double> x) const;
  /// The run at x, with the derivatives of all numbers that act in the experiment.
  ExperimentRuns::Job differentiated(int experiment, std::span<const double> x) const;
  /// Of the rows of an experiment; false: its derivatives are not to be had.
  bool exact_slopes(int experiment, std::span<const double> x, std::span<double> J) const;
  bool fill(std::span<const double> x, std::span<double> r, const std::vector<int>& experiments);
  double cost(std::span<const double> x, std::span<const double> r) const;
  double prior_cost(size_t k, double x) const;
  bool update_noise(const LeastSquaresReport& fit);

  const Identification& what_;
  ExperimentRuns& runs_;
  std::vector<int> experiments_;
  std::vector<SeriesAt> series_;
  std::size_t rows_ = 0;
};

}  // namespace flexura
