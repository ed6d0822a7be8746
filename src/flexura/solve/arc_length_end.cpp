// Ends of paths of equilibria where a function of the state is zero.

#include <algorithm>
#include <cmath>

#include "flexura/solve/arc_length.hpp"

namespace flexura {
namespace {

/// Where the cubic through g₀, g₀', g₁, g₁' over [0, h] has its extremum, as a fraction of h: g₀' and g₁' have opposite signs.
double extremum(double g0, double rate0, double g1, double rate1, double h) {
  const double a = rate0 * h, b = rate1 * h, c = 3 * (g1 - g0) - 2 * a - b, d = a + b - 2 * (g1 - g0);
  const double root = std::sqrt(std::max(c * c - 3 * a * d, 0.0));
  const double x = -a / (a < 0 ? c + root : c - root);
  return std::isfinite(x) && x > 0.02 && x < 0.98 ? x : 0.5;
}

}  // namespace

/// The state at the point, at rest under its loads.
void ArcLength::go_to(const Point& point, State<double>& state) {
  apply_loads(point.factor);
  state.q = point.q;
  system_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
  std::fill(state.v.begin(), state.v.end(), 0.0);
  std::fill(state.a.begin(), state.a.end(), 0.0);
  system_.drives.values(state.loads);
}

/// ArcLengthOptions::until of the point, as if the path had come to it.
double ArcLength::until_at(const Point& point) {
  State<double> state = *path_;
  go_to(point, state);
  system_.accept_history(state);
  const double value = options_.until(state);
  system_.look_back(*path_, forever);
  return value;
}

/// Its derivative along the path.
double ArcLength::until_rate(const Point& point) {
  constexpr double width = 1e-4;
  const auto beside = [&](double step) {
    Point other = point;
    for (size_t i = 0; i < point.direction.size(); ++i) other.q[i] += step * point.direction[i];
    other.factor += step * point.direction_factor;
    return until_at(other);
  };
  return (beside(width) - beside(-width)) / (2 * width);
}

/// The first end within the step of length `step` to `to`: where `until` changes its sign, or touches zero on the way.
ArcLength::End ArcLength::find_end(const Point& from, Point& to, double& step) {
  const double after = until_at(to);
  if (!std::isfinite(after)) return End::none;
  note_nearest(after, to.factor);
  const bool crossed = (until_ > 0 && after <= 0) || (until_ < 0 && after >= 0);
  if (crossed) return close_in(from, 0.0, until_, step, after, to, step);
  until_next_ = after;
  if (until_ == 0 || !std::isfinite(until_)) return End::none;
  // It may come near zero and go away again within the step.
  double low = 0, high = step, g0 = until_, g1 = after, rate0 = until_rate(from), rate1 = until_rate(to);
  for (int k = 0; k < 12 && rate0 * g0 < 0 && rate1 * g1 > 0; ++k) {
    Point middle;
    const double at = low + extremum(g0, rate0, g1, rate1, high - low) * (high - low);
    if (!correct_step(from, at, middle) || !tangent_at(middle, &from)) return End::unsure;
    const double g = until_at(middle);
    if (!std::isfinite(g)) return End::none;
    note_nearest(g, middle.factor);
    if (g0 * g <= 0) {
      if (close_in(from, low, g0, at, g, to, step) != End::found) return End::unsure;
      return End::found;
    }
    const double rate = until_rate(middle), nearest = std::min({std::fabs(g0), std::fabs(g1), std::fabs(g)});
    if (std::fabs(g) - 0.5 * std::fabs(rate) * (high - low) > 0.5 * nearest) break;  // it stays away
    if (rate * g < 0) {
      low = at, g0 = g, rate0 = rate;
    } else {
      high = at, g1 = g, rate1 = rate;
    }
  }
  return End::none;
}

/// The root between two lengths on the path by regula falsi of Illinois.
ArcLength::End ArcLength::close_in(const Point& from, double low, double g0, double high, double g1, Point& to,
                                   double& step) {
  const double limit = options_.tolerance * until_scale_;
  int side = 0;
  double at = high, g = g1;
  Point point = to;
  for (int k = 0; k < 100; ++k) {
    at = (low * g1 - high * g0) / (g1 - g0);
    if (!(at > low && at < high)) at = 0.5 * (low + high);
    if (!correct_step(from, at, point) || !tangent_at(point, &from)) return End::unsure;
    g = until_at(point);
    if (!std::isfinite(g)) return End::unsure;
    if (std::fabs(g) <= limit || high - low <= 4 * epsilon * high) break;
    if ((g > 0) == (g0 > 0)) {
      low = at, g0 = g;
      if (side == -1) g1 *= 0.5;
      side = -1;
    } else {
      high = at, g1 = g;
      if (side == 1) g0 *= 0.5;
      side = 1;
    }
  }
  to = std::move(point);
  step = at;
  report_.nearest = g;
  report_.nearest_factor = to.factor;
  return End::found;
}

void ArcLength::note_nearest(double value, double factor) {
  until_scale_ = std::max(until_scale_, std::fabs(value));
  if (std::fabs(value) >= std::fabs(report_.nearest)) return;
  report_.nearest = value;
  report_.nearest_factor = factor;
}

}  // namespace flexura
