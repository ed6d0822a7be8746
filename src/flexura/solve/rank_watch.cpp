#include "flexura/solve/rank_watch.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

constexpr int inverse_iterations = 4, most_newton_steps = 8;
constexpr double far_away = 0.3;   ///< √λ: more than this no step takes away
constexpr double singular = 1e-3;  ///< √λ at the position, at most
constexpr double drop = 3e-2;      ///< and over that at the end of the step
constexpr double location = 1e-7;  ///< of the step
constexpr double involved = 0.05;  ///< of the largest part of v
constexpr double nearby = 0.02;    ///< of the step: where slopes are taken

}  // namespace

RankWatch::RankWatch(System<double>& system) : system_(system), constraints_(system) {
  v_.assign(system.topology().ny, 0.0);
  x_ = y_ = v_;
}

double RankWatch::smallest(const State<double>& state) {
  if (!constraints_.factor(state)) return -1;
  const auto& scale = constraints_.matrix().row_scale();
  double lambda = -1;
  int k = 0;
  for (const int row : constraints_.rows()) v_[row] = std::sqrt(scale[row]) * (1 + 0.3 * std::sin(1.0 + 7.0 * k++));
  for (int pass = 0; pass < inverse_iterations; ++pass) {
    // S μ = v in scaled rows: D⁻¹ᐟ² S D⁻¹ᐟ² (D¹ᐟ² μ) = D⁻¹ᐟ² v
    double size = 0;
    for (const int row : constraints_.rows()) size += scale[row] > 0 ? v_[row] * v_[row] / scale[row] : 0;
    size = std::sqrt(size);
    if (!(size > 0) || !std::isfinite(size)) return -1;
    std::fill(y_.begin(), y_.end(), 0.0);
    for (const int row : constraints_.rows()) y_[row] = v_[row] / size;
    constraints_.solve(y_);
    double grown = 0;
    for (const int row : constraints_.rows()) grown += scale[row] * y_[row] * y_[row];
    lambda = 1 / std::sqrt(grown);
    x_ = y_;
    for (const int row : constraints_.rows()) v_[row] = -scale[row] * y_[row];
  }
  // v of the form is D⁻¹ᐟ² times the scaled one, which is D¹ᐟ² μ: μ itself.
  for (const int row : constraints_.rows()) v_[row] = -y_[row];
  return std::isfinite(lambda) ? lambda : -1;
}

void RankWatch::go_to(const State<double>& state, double tau) {
  there_ = state;
  there_.t = tau;
  const double d = tau - state.t;
  for (int i = 0; i < system_.topology().ncoord; ++i)
    there_.q[i] = state.q[i] + d * (state.v[i] + 0.5 * d * state.a[i]);
  system_.assembler.set_signals(system_.drives.at(tau, state.lags));
  system_.assembler.expand(there_.q.data(), there_.v.data(), there_.a.data());
}

double RankWatch::form(const State<double>& state) {
  constraints_.evaluate(state);
  const ConstraintMatrix<double>& matrix = constraints_.matrix();
  double sum = 0;
  for (const auto& c : matrix.couplings()) sum += v_[c.row] * matrix.value(c) * x_[c.column];
  return sum;
}

std::optional<SingularPosition> RankWatch::passed(const State<double>& state, double h) {
  if (constraints_.count() == 0 || !(h > 0)) return {};
  const auto leave = [&](std::optional<SingularPosition> found) {
    system_.assembler.set_signals(system_.drives.at(state.t, state.lags));
    return found;
  };
  leave({});
  const double here = smallest(state);
  const size_t usual = constraints_.redundant().size();
  if (here < 0 || std::sqrt(here) > far_away) return leave({});
  const double at_end = form(state);
  go_to(state, state.t - h);
  const double ratio = form(there_) / at_end;
  if (!(ratio <= 0)) return leave({});
  double t = state.t - h / (1 - ratio);
  for (int k = 0; k < most_newton_steps; ++k) {
    if (!(t >= state.t - 1.1 * h && t <= state.t + 0.1 * h)) return leave({});
    go_to(state, t);
    constraints_.project_positions(there_);
    const double lambda = smallest(there_);
    const bool set_aside = constraints_.redundant().size() > usual;
    if (lambda < 0) return leave({});
    const double left = set_aside ? 0.0 : std::sqrt(lambda);
    double step = 0;
    if (!set_aside) {
      const State<double> base = there_;
      const double at = form(base), d = (t > state.t - 0.5 * h ? -nearby : nearby) * h;
      go_to(state, t + d);
      constraints_.project_positions(there_);
      const double slope = form(there_) / at;
      step = d / (1 - slope);
      there_ = base;
    }
    if (set_aside || !(std::fabs(step) > location * h)) {
      if (left > singular || left > drop * std::sqrt(here)) return leave({});
      // Which rows: at a little distance, where none is set aside.
      go_to(state, t + nearby * h * (t > state.t - 0.5 * h ? -1 : 1));
      constraints_.project_positions(there_);
      smallest(there_);
      SingularPosition found{t, {constraints_.rows().begin(), constraints_.rows().end()}};
      const auto& scale = constraints_.matrix().row_scale();
      const auto part = [&](int row) { return std::fabs(v_[row]) * std::sqrt(scale[row]); };
      double most = 0;
      for (const int row : found.rows) most = std::max(most, part(row));
      std::erase_if(found.rows, [&](int row) { return part(row) < involved * most; });
      std::stable_sort(found.rows.begin(), found.rows.end(), [&](int a, int b) { return part(a) > part(b); });
      return leave(std::move(found));
    }
    t += step;
  }
  return leave({});
}

}  // namespace flexura
