#pragma once
// What is read out of time series: means, root mean squares, harmonics, crossings, peaks.

#include <complex>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace flexura {

inline constexpr double degree = std::numbers::pi / 180;  ///< [rad]

/// Samples of a sensor. `t` is the load factor in statics.
struct Series {
  std::string name, unit;
  std::vector<double> t;
  std::vector<std::vector<double>> x;  ///< [component][sample]

  double last(int component = 0) const { return x[component].back(); }
  /// Linear between samples, held outside.
  double at(double time, int component = 0) const;
};

double mean(const std::vector<double>& x);
/// Mean of the samples with lo < t ≤ hi (a rounding of 1e-9 s aside).
double mean_within(const Series& s, int component, double lo, double hi);
double root_mean_square(const std::vector<double>& x);
/// Root mean square of the distance of the first two components at the samples of `a`, which `b` must share.
double distance_rms(const Series& a, const Series& b);
double peak_to_peak(const std::vector<double>& x);

/// First harmonic 2/N Σ x e^{−2πi f t} over the last whole periods within `window` [s]; samples at equal intervals.
std::complex<double> first_harmonic(const std::vector<double>& t, const std::vector<double>& x, double frequency,
                                    double window);

/// Times at which x crosses zero, linear between samples.
std::vector<double> zero_crossings(const std::vector<double>& t, const std::vector<double>& x);
/// Indices of the local maxima above zero, one per stretch of positive x.
std::vector<size_t> positive_peaks(const std::vector<double>& x);

/// A vector function on [low, high] through its values at `count` Chebyshev points (barycentric).
class Interpolant {
 public:
  Interpolant(double low, double high, int count, const std::function<std::vector<double>(double)>& f);
  std::vector<double> operator()(double x) const;

 private:
  std::vector<double> points_, weights_;
  std::vector<std::vector<double>> values_;  ///< [point][component]
};

/// x where f changes sign between low and high, by bisection to `tolerance`. f(low) and f(high) must differ in sign;
/// otherwise NaN.
double bisect(double low, double high, double tolerance, const std::function<double(double)>& f);

/// Noise that is the same on every machine: SplitMix64, and the sum of twelve uniform numbers for the normal ones.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : state_(seed) {}
  double uniform();  ///< in [0, 1)
  double normal();   ///< mean 0, variance 1, within ±6

 private:
  std::uint64_t state_;
};

}  // namespace flexura
