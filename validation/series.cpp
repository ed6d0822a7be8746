#include "validation/series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace flexura {

double Series::at(double time, int component) const {
  const std::vector<double>& values = x[component];
  const auto next = std::upper_bound(t.begin(), t.end(), time);
  if (next == t.begin()) return values.front();
  if (next == t.end()) return values.back();
  const size_t i = static_cast<size_t>(next - t.begin());
  const double s = (time - t[i - 1]) / (t[i] - t[i - 1]);
  return values[i - 1] + s * (values[i] - values[i - 1]);
}

double mean(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

double mean_within(const Series& s, int component, double lo, double hi) {
  double sum = 0;
  int count = 0;
  for (size_t i = 0; i < s.t.size(); ++i) {
    if (s.t[i] <= lo + 1e-9 || s.t[i] > hi + 1e-9) continue;
    sum += std::fabs(s.x[component][i]);
    ++count;
  }
  return sum / count;
}

double root_mean_square(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum / static_cast<double>(x.size()));
}

double distance_rms(const Series& a, const Series& b) {
  std::vector<double> distance(a.t.size());
  for (size_t i = 0; i < a.t.size(); ++i)
    distance[i] = std::hypot(a.x[0][i] - b.at(a.t[i], 0), a.x[1][i] - b.at(a.t[i], 1));
  return root_mean_square(distance);
}

double peak_to_peak(const std::vector<double>& x) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  return *high - *low;
}

std::complex<double> first_harmonic(const std::vector<double>& t, const std::vector<double>& x, double frequency,
                                    double window) {
  const double interval = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
  const double periods = std::floor(window * frequency + 1e-9);
  const size_t count = std::min(t.size(), static_cast<size_t>(std::lround(periods / frequency / interval)));
  std::complex<double> sum = 0;
  for (size_t i = t.size() - count; i < t.size(); ++i)
    sum += x[i] * std::polar(1.0, -2 * std::numbers::pi * frequency * t[i]);
  return 2.0 / static_cast<double>(count) * sum;
}

std::vector<double> zero_crossings(const std::vector<double>& t, const std::vector<double>& x) {
  std::vector<double> out;
  for (size_t i = 0; i + 1 < t.size(); ++i)
    if (x[i] * x[i + 1] < 0) out.push_back(t[i] - x[i] * (t[i + 1] - t[i]) / (x[i + 1] - x[i]));
  return out;
}

std::vector<size_t> positive_peaks(const std::vector<double>& x) {
  std::vector<size_t> peaks;
  bool above = false;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i] > 0 && !above)
      peaks.push_back(i);
    else if (x[i] > 0 && x[i] > x[peaks.back()])
      peaks.back() = i;
    above = x[i] > 0;
  }
  return peaks;
}

Interpolant::Interpolant(double low, double high, int count, const std::function<std::vector<double>(double)>& f) {
  for (int k = 0; k < count; ++k) {
    const double angle = std::numbers::pi * k / (count - 1);
    points_.push_back(0.5 * (low + high) - 0.5 * (high - low) * std::cos(angle));
    weights_.push_back((k % 2 == 0 ? 1.0 : -1.0) * (k == 0 || k == count - 1 ? 0.5 : 1.0));
    values_.push_back(f(points_.back()));
  }
}

std::vector<double> Interpolant::operator()(double x) const {
  std::vector<double> above(values_.front().size(), 0.0);
  double below = 0;
  for (size_t k = 0; k < points_.size(); ++k) {
    if (x == points_[k]) return values_[k];
    const double w = weights_[k] / (x - points_[k]);
    below += w;
    for (size_t i = 0; i < above.size(); ++i) above[i] += w * values_[k][i];
  }
  for (double& value : above) value /= below;
  return above;
}

double bisect(double low, double high, double tolerance, const std::function<double(double)>& f) {
  double at_low = f(low);
  const double at_high = f(high);
  if (!(at_low * at_high <= 0)) return std::numeric_limits<double>::quiet_NaN();
  while (high - low > tolerance) {
    const double middle = 0.5 * (low + high), value = f(middle);
    if (at_low * value <= 0) {
      high = middle;
    } else {
      low = middle;
      at_low = value;
    }
  }
  return 0.5 * (low + high);
}

double Noise::uniform() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
}

double Noise::normal() {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform();
  return sum;
}

}  // namespace flexura
