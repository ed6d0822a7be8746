#include "flexura/solve/angle_counts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "flexura/math/whole_turns.hpp"

namespace flexura {

AngleCounts::AngleCounts(std::vector<CountedDirection> directions) : directions_(std::move(directions)) {
  std::vector<char> placed(directions_.size(), 0);
  const auto is_placed = [&](int k) { return k < 0 || placed[k]; };
  for (bool again = true; again;) {
    again = false;
    for (int k = 0; k < size(); ++k) {
      if (placed[k] || !is_placed(directions_[k].base) || !is_placed(directions_[k].carrier)) continue;
      order_.push_back(k);
      placed[k] = again = 1;
    }
  }
}

AngleCounts::Turn AngleCounts::turn(const CountedDirection& d, std::span<const double> q,
                                    std::span<const double> v) const {
  double x = 0, y = 0, dx = 0, dy = 0;
  for (const auto& [at, weight] : d.terms) {
    x += weight * q[at], y += weight * q[at + 1];
    dx += weight * v[at], dy += weight * v[at + 1];
  }
  const double square = x * x + y * y;
  return {std::atan2(y, x), square > 0 ? (x * dy - y * dx) / square : 0.0};
}

double AngleCounts::expected(const CountedDirection& d, std::span<const double> q, const std::vector<double>& angles,
                             double turn, double other) const {
  if (d.base == CountedDirection::no_base) return other;
  const double base = d.base == CountedDirection::fixed_axes ? 0.0 : angle(angles, d.base);
  const double by_base = base + d.ahead + (d.coordinate < 0 ? 0.0 : d.sign * q[d.coordinate]);
  // A coordinate that is not where its direction is says nothing.
  constexpr double quarter_turn = std::numbers::pi / 2;
  return std::fabs(nearest_turn(turn, by_base) - by_base) < quarter_turn ? by_base : other;
}

void AngleCounts::begin(double t, std::span<const double> q, std::span<const double> v, std::vector<double>& angles,
                        const std::vector<char>& known) const {
  angles.resize(1 + directions_.size() * numbers);
  angles[0] = t;
  for (const int k : order_) {
    const CountedDirection& d = directions_[k];
    const Turn now = turn(d, q, v);
    double* out = &angles[1 + k * numbers];
    double near = d.start;
    if (d.carrier >= 0) near = d.reference + angle(angles, d.carrier) - directions_[d.carrier].reference;
    if (!known.empty() && known[k]) {
      out[0] = nearest_turn(now.angle, out[0]);
    } else {
      out[0] = nearest_turn(now.angle, expected(d, q, angles, now.angle, near));
      out[2] = 0;
    }
    out[1] = now.rate;
  }
}

void AngleCounts::count(double t, std::span<const double> q, std::span<const double> v,
                        std::vector<double>& angles) const {
  const double h = t - angles[0];
  angles[0] = t;
  for (const int k : order_) {
    const CountedDirection& d = directions_[k];
    const Turn now = turn(d, q, v);
    double* out = &angles[1 + k * numbers];
    const double near = expected(d, q, angles, now.angle, out[0] + 0.5 * h * (out[1] + now.rate));
    out[0] = nearest_turn(now.angle, near);
    out[1] = now.rate;
    out[2] = std::max(out[2], std::fabs(out[0] - near));
  }
}

double AngleCounts::angle(const std::vector<double>& angles, int k, double t, std::span<const double> q,
                          std::span<const double> v) const {
  const Turn now = turn(directions_[k], q, v);
  const double* then = &angles[1 + k * numbers];
  return nearest_turn(now.angle, then[0] + 0.5 * (t - angles[0]) * (then[1] + now.rate));
}

double AngleCounts::fastest(const std::vector<double>& angles) const {
  double most = 0;
  for (int k = 0; k < size() && fit(angles); ++k) most = std::max(most, std::fabs(angles[2 + k * numbers]));
  return most;
}

}  // namespace flexura
