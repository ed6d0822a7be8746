#include "flexura/signal/table.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

namespace flexura {
namespace {

using Numbers = std::vector<double>;

int segments(const Numbers& t) { return static_cast<int>(t.size()) - 1; }

double secant(const Numbers& t, const Numbers& u, int i) {
  return t[i + 1] > t[i] ? (u[i + 1] - u[i]) / (t[i + 1] - t[i]) : 0;
}

/// Slope where two pieces of lengths h and secants d meet: Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5 (1984)
/// 300, eq. 2.
double monotone_slope(double h0, double d0, double h1, double d1) {
  if (!(d0 * d1 > 0)) return 0;
  const double w0 = h0 + 2 * h1, w1 = 2 * h0 + h1;
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

/// Slope at an end: of the parabola through three points, limited so that the end piece stays monotone.
double monotone_end_slope(double h0, double d0, double h1, double d1) {
  const double slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (slope * d0 <= 0) return 0;
  if (d0 * d1 <= 0 && std::abs(slope) > 3 * std::abs(d0)) return 3 * d0;
  return slope;
}

Numbers monotone_slopes(const Numbers& t, const Numbers& u, bool closed) {
  const int n = segments(t);
  const auto h = [&](int i) { return t[i + 1] - t[i]; };
  const auto d = [&](int i) { return secant(t, u, i); };
  Numbers m(n + 1, d(0));
  if (n > 1 || closed) {
    for (int i = 1; i < n; ++i) m[i] = monotone_slope(h(i - 1), d(i - 1), h(i), d(i));
    m[0] = closed ? monotone_slope(h(n - 1), d(n - 1), h(0), d(0)) : monotone_end_slope(h(0), d(0), h(1), d(1));
    m[n] = closed ? m[0] : monotone_end_slope(h(n - 1), d(n - 1), h(n - 2), d(n - 2));
  }
  return m;
}

/// Slopes m of a cubic spline, from continuity of the second derivative at each inner row,
///     m_{i−1}/h_{i−1} + 2 (1/h_{i−1} + 1/h_i) m_i + m_{i+1}/h_i = 3 (d_{i−1}/h_{i−1} + d_i/h_i).
/// Natural ends: 2 m_0 + m_1 = 3 d_0, likewise at the other. Closed: m_0 = m_n and the equation holds there, too.
Numbers spline_slopes(const Numbers& t, const Numbers& u, bool closed) {
  const int n = segments(t);
  const auto g = [&](int i) { return 1 / (t[i + 1] - t[i]); };
  const auto d = [&](int i) { return secant(t, u, i); };
  if (n == 1) return Numbers(2, closed ? 0 : d(0));

  // Elimination from above gives m_i = a_i + b_i m_{i+1} + c_i m_0; natural ends need no c.
  Numbers a(n + 1), b(n + 1), c(n + 1), m(n + 1);
  if (closed) {
    c[0] = 1;
  } else {
    a[0] = 1.5 * d(0);
    b[0] = -0.5;
  }
  for (int i = 1; i < n; ++i) {
    const double pivot = 2 * (g(i - 1) + g(i)) + g(i - 1) * b[i - 1];
    a[i] = (3 * (d(i - 1) * g(i - 1) + d(i) * g(i)) - g(i - 1) * a[i - 1]) / pivot;
    b[i] = -g(i) / pivot;
    c[i] = -g(i - 1) * c[i - 1] / pivot;
  }
  if (closed) {  // m_i = p_i + q_i m_0 with p_n = 0, q_n = 1, then the equation at row 0
    Numbers p(n + 1), q(n + 1);
    q[n] = 1;
    for (int i = n - 1; i > 0; --i) {
      p[i] = a[i] + b[i] * p[i + 1];
      q[i] = c[i] + b[i] * q[i + 1];
    }
    const double right = 3 * (d(n - 1) * g(n - 1) + d(0) * g(0)) - g(n - 1) * p[n - 1] - g(0) * p[1];
    m[0] = m[n] = right / (2 * (g(n - 1) + g(0)) + g(n - 1) * q[n - 1] + g(0) * q[1]);
    for (int i = 1; i < n; ++i) m[i] = p[i] + q[i] * m[0];
  } else {
    m[n] = (3 * d(n - 1) - a[n - 1]) / (2 + b[n - 1]);
    for (int i = n - 1; i >= 0; --i) m[i] = a[i] + b[i] * m[i + 1];
  }
  return m;
}

/// The last row at or before t; −1: none. Where rows are equally far apart it is found by a division.
int row_at(const Numbers& times, double t) {
  const int n = segments(times);
  if (t >= times.front() && t < times.back()) {
    const int guess = std::min(n - 1, static_cast<int>((t - times.front()) / (times.back() - times.front()) * n));
    for (int i = std::max(0, guess - 1); i <= std::min(n - 1, guess + 1); ++i)
      if (times[i] <= t && t < times[i + 1]) return i;
  }
  return static_cast<int>(std::upper_bound(times.begin(), times.end(), t) - times.begin()) - 1;
}

}  // namespace

TableSignal::TableSignal(std::vector<double> times, std::vector<double> values, Interpolation interpolation,
                         std::optional<double> period)
    : times_(std::move(times)), values_(std::move(values)), interpolation_(interpolation), period_(period) {
  const auto wrong = [&](std::string field, std::string message) {
    problems_.push_back({.signal = {}, .field = std::move(field), .message = std::move(message), .nearest = {}});
  };
  if (times_.empty()) wrong("points", "at least one point is needed");
  if (times_.size() != values_.size()) wrong("points", "there must be as many times as values");
  for (std::size_t i = 0; i < std::min(times_.size(), values_.size()); ++i) {
    const std::string row = "point " + std::to_string(i + 1) + ": ";
    if (!std::isfinite(times_[i]) || !std::isfinite(values_[i])) wrong("points", row + "must be finite numbers");
    if (i == 0) continue;
    if (times_[i] < times_[i - 1]) wrong("points", row + "the time must not be before that of the point before");
    if (times_[i] == times_[i - 1] && interpolation_ != Interpolation::linear)
      wrong("points", row + "the time must be after that of the point before");
    if (i > 1 && times_[i] == times_[i - 2]) wrong("points", row + "at most two points may share one time");
  }
  if (!problems_.empty()) {
    times_.clear();
    values_.clear();
    return;
  }
  bool closed = false;
  if (period_) {
    const double span = times_.back() - times_.front();
    if (!(std::isfinite(*period_) && *period_ > 0 && *period_ >= span * (1 - 1e-12))) {
      wrong("period", "must be greater than 0 and not shorter than the table [s]");
      period_.reset();
    } else if (*period_ > span * (1 + 1e-12) && interpolation_ != Interpolation::hold && times_.size() > 1) {
      times_.push_back(times_.front() + *period_);
      values_.push_back(values_.front());
    }
    closed = period_ && values_.back() == values_.front();
  }
  const int n = segments(times_);
  if (n < 1 || interpolation_ == Interpolation::hold) {
    slopes_.assign(times_.size(), 0);
  } else if (interpolation_ == Interpolation::linear) {
    slopes_.assign(times_.size(), 0);
    for (int i = 0; i < n; ++i) slopes_[i] = secant(times_, values_, i);
  } else {
    slopes_ = interpolation_ == Interpolation::cubic ? monotone_slopes(times_, values_, closed)
                                                     : spline_slopes(times_, values_, closed);
  }
}

double TableSignal::wrapped(double t) const {
  const double p = *period_, s = t - times_.front();
  const double rest = s - p * std::floor(s / p);
  return times_.front() + (rest > 0 && rest < p ? rest : 0);
}

SignalValue TableSignal::at(double t) const {
  if (!usable()) return {};
  return inside(period_ ? wrapped(t) : t);
}

SignalValue TableSignal::inside(double t) const {
  const int n = segments(times_);
  int i = row_at(times_, t);
  if (i < 0) return {values_.front(), 0, 0};
  if (i == n && period_ && interpolation_ != Interpolation::hold && n > 0) --i;  // rounding at the end of a period
  if (i == n || interpolation_ == Interpolation::hold) return {values_[i], 0, 0};
  const double s = t - times_[i];
  if (interpolation_ == Interpolation::linear) return {values_[i] + slopes_[i] * s, slopes_[i], 0};

  const double h = times_[i + 1] - times_[i], d = (values_[i + 1] - values_[i]) / h;
  const double m0 = slopes_[i], m1 = slopes_[i + 1];
  const double c2 = (3 * d - 2 * m0 - m1) / h, c3 = (m0 + m1 - 2 * d) / (h * h);
  return {values_[i] + s * (m0 + s * (c2 + s * c3)), m0 + s * (2 * c2 + 3 * s * c3), 2 * c2 + 6 * s * c3};
}

/// Do value or slope jump at this row? With a period the piece before row 0 is the last one.
bool TableSignal::breaks_at(int row) const {
  const int n = segments(times_);
  if (n < 1) return false;
  const bool first = row == 0, last = row == n, outer = !period_ && (first || last);
  const int before = first ? n : row - 1;
  if (first && period_ && values_[n] != values_[0]) return true;
  switch (interpolation_) {
    case Interpolation::hold:
      return !first && values_[row] != values_[before];
    case Interpolation::linear: {
      if (!first && times_[row] == times_[before]) return values_[row] != values_[before];
      const double left = !first ? slopes_[before] : period_ ? slopes_[n - 1] : 0;
      const double right = last ? 0 : slopes_[row];
      return std::abs(right - left) > 1e-12 * std::max(std::abs(left), std::abs(right));
    }
    case Interpolation::cubic:
    case Interpolation::spline:
      return outer && slopes_[row] != 0;
  }
  return false;
}

void TableSignal::breakpoints(double t0, double t1, std::vector<double>& out) const {
  if (!usable()) return;
  const int n = segments(times_);
  const bool closing_row = period_ && times_.back() - times_.front() >= *period_ * (1 - 1e-12);
  const int rows = closing_row ? n : n + 1;
  const auto add = [&](double b) {
    if (b > t0 && b <= t1 && (out.empty() || out.back() != b)) out.push_back(b);
  };
  if (!period_) {
    for (int i = 0; i < rows; ++i)
      if (breaks_at(i)) add(times_[i]);
    return;
  }
  constexpr double most_cycles = 1e6;
  const double first = std::floor((t0 - times_.front()) / *period_) - 1;
  const double last = std::floor((t1 - times_.front()) / *period_) + 1;
  if (!(last - first < most_cycles)) return;
  for (double k = first; k <= last; ++k) {
    for (int i = 0; i < rows; ++i) {
      if (!breaks_at(i)) continue;
      double b = times_.front() + k * *period_ + (times_[i] - times_.front());
      // Rounding may leave b just before the row; a step that ends at b must see what comes after it.
      const auto at_row = [&](double t) {
        return *std::prev(std::upper_bound(times_.begin(), times_.end(), wrapped(t))) == times_[i];
      };
      for (int tries = 0; tries < 16 && !at_row(b); ++tries) b = std::nextafter(b, HUGE_VAL);
      add(b);
    }
  }
}

bool TableSignal::is_constant() const {
  return std::all_of(values_.begin(), values_.end(), [&](double u) { return u == values_.front(); });
}

std::vector<SignalProblem> TableSignal::problems() const {
  auto problems = problems_;
  if (problems.empty() && times_.empty())
    problems.push_back({.signal = {}, .field = "points", .message = "at least one point is needed", .nearest = {}});
  return problems;
}

}  // namespace flexura
