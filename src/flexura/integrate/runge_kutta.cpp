#include "flexura/integrate/runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexura/base/stop_request.hpp"
#include "flexura/math/entries.hpp"
#include "flexura/model/contact_model.hpp"

namespace flexura {
namespace {

constexpr double safety = 0.9, most_growth = 6, most_shrinking = 0.2;
/// α and β of the controller, times the order of the error [hairer1993, IV.2].
constexpr double alpha = 0.85, beta = 0.2;

}  // namespace

RungeKutta::RungeKutta(System<double>& system, const RungeKuttaOptions& options)
    : system_(system),
      options_(options),
      scale_{options.relative, options.absolute_q, options.absolute_v, options.absolute_vector},
      method_(*options.method),
      motion_(system, options.drift, options.accelerations),
      n_(motion_.size()) {
  refuse_contacts(system.topology().contacts.get(), "runge-kutta");
  dq_.assign(static_cast<size_t>(method_.stages) * n_, 0.0);
  dv_ = dq_;
  for (auto* x : {&eq_, &ev_}) x->assign(n_, 0.0);
}

bool RungeKutta::start(State<double>& state) {
  system_.drives.enter(state.t);
  motion_.set_signals(state);
  reset();
  system_.look_back(state);
  RungeKuttaReport report;
  if (!prepare(state, report)) return false;
  system_.accept_history(state);
  return true;
}

/// The first stage: what the end of the last step left, unless something has changed.
bool RungeKutta::prepare(State<double>& state, RungeKuttaReport& report) {
  if (ready_ && ready_time_ == state.t && ready_lags_ == state.lags) return true;
  before_ = state;
  if (!evaluate(state, state.t, report)) {
    restore(state);
    return false;
  }
  std::copy(state.a.begin(), state.a.begin() + n_, state.a_alg.begin());
  ready_ = true;
  ready_time_ = state.t;
  ready_lags_ = state.lags;
  return true;
}

bool RungeKutta::evaluate(State<double>& state, double t, RungeKuttaReport& report) {
  ++report.evaluations;
  return motion_.evaluate(state, t);
}

/// q, v = those before + h Σ weight (dq, dv).
void RungeKutta::combine(State<double>& state, double h, const double* weights, int stages) const {
  for_entries<double>(n_, [&]<class P>(int i) {
    P q(0.0), v(0.0);
    for (int j = 0; j < stages; ++j) {
      if (weights[j] == 0) continue;
      q = fma(P(weights[j]), load_entries<P>(&dq_[j * n_ + i]), q);
      v = fma(P(weights[j]), load_entries<P>(&dv_[j * n_ + i]), v);
    }
    store_entries(&state.q[i], fma(P(h), q, load_entries<P>(&before_.q[i])));
    store_entries(&state.v[i], fma(P(h), v, load_entries<P>(&before_.v[i])));
  });
}

double RungeKutta::scaled(const State<double>& a, const State<double>& b, const double* eq, const double* ev) const {
  return motion_.scaled(scale_, a.q.data(), a.v.data(), b.q.data(), b.v.data(), eq, ev);
}

/// With two estimates: err = |e| |e|/√(|e|² + 0.01 |e_coarse|²) [hairer1993, II.10].
double RungeKutta::error(const State<double>& state, double h) const {
  const auto estimate = [&](const double* weights, double weight_end) {
    for_entries<double>(n_, [&]<class P>(int i) {
      P q = P(weight_end) * load_entries<P>(&state.v[i]), v = P(weight_end) * load_entries<P>(&state.a[i]);
      for (int j = 0; j < method_.stages; ++j) {
        if (weights[j] == 0) continue;
        q = fma(P(weights[j]), load_entries<P>(&dq_[j * n_ + i]), q);
        v = fma(P(weights[j]), load_entries<P>(&dv_[j * n_ + i]), v);
      }
      store_entries(&eq_[i], P(h) * q);
      store_entries(&ev_[i], P(h) * v);
    });
    return scaled(before_, state, eq_.data(), ev_.data());
  };
  const double fine = estimate(method_.error, method_.error_end);
  if (method_.coarse[0] == 0 || fine == 0) return fine;
  const double coarse = estimate(method_.coarse, 0);
  return fine * fine / std::sqrt(fine * fine + 0.01 * coarse * coarse);
}

/// Leaves before_ and, if it succeeds, the state at the end. The first stage is in v and a.
bool RungeKutta::attempt(State<double>& state, double h, RungeKuttaReport& report) {
  const double t0 = before_.t;
  report.h = h;
  report.singular = true;
  std::array<double, 4> work{};
  for (int i = 0; i < method_.stages; ++i) {
    if (i > 0) {
      combine(state, h, method_.a[i], i);
      const double t = t0 + method_.c[i] * h;
      system_.drives.advance(t0, t, before_.lags, state.lags);
      if (!evaluate(state, t, report)) return false;
    }
    std::copy(state.v.begin(), state.v.begin() + n_, dq_.begin() + i * n_);
    std::copy(state.a.begin(), state.a.begin() + n_, dv_.begin() + i * n_);
    if (method_.b[i] == 0) continue;
    if (i == 0) motion_.set_signals(state);
    const std::array<double, 4> p = motion_.power(state);
    for (int k = 0; k < 4; ++k) work[k] = fma(h * method_.b[i], p[k], work[k]);
  }
  combine(state, h, method_.b, method_.stages);
  state.t = t0 + h;
  system_.drives.advance(t0, state.t, before_.lags, state.lags);
  motion_.set_signals(state);
  if (options_.projection == Projection::both && !motion_.project(state)) return false;
  if (!evaluate(state, state.t, report)) return false;
  report.error = error(state, h);
  report.singular = false;
  if (!std::isfinite(report.error)) return false;
  state.energy.gravity += work[0];
  state.energy.loads += work[1];
  state.energy.prescribed += work[2];
  state.energy.dissipated += work[3];
  return true;
}

void RungeKutta::restore(State<double>& state) const {
  state.t = before_.t;
  state.energy = before_.energy;
  const auto copy = [](const std::vector<double>& from, std::vector<double>& to) {
    std::copy(from.begin(), from.end(), to.begin());
  };
  copy(before_.q, state.q), copy(before_.v, state.v), copy(before_.a, state.a), copy(before_.lags, state.lags);
}

RungeKuttaReport RungeKutta::step(State<double>& state, double t1) {
  RungeKuttaReport report;
  taken_.clear();
  system_.look_back(state);
  if (!prepare(state, report)) {
    report.converged = false;
    report.singular = true;
    return report;
  }
  before_ = state;
  if (attempt(state, t1 - state.t, report)) {
    state.t = ready_time_ = t1;
    ready_lags_ = state.lags;
    std::copy(state.a.begin(), state.a.begin() + n_, state.a_alg.begin());
    system_.accept_history(state);
    report.accepted = 1;
    if (keeps_taken_) taken_.push_back(state.t);
  } else {
    restore(state);
    report.converged = false;
    report.rejected = 1;
  }
  return report;
}

/// A step whose error is about a hundredth of what is allowed, from the sizes of the first two derivatives
/// [hairer1993, II.4].
double RungeKutta::first_step(State<double>& state, RungeKuttaReport& report) {
  before_ = state;
  const double size = scaled(state, state, state.q.data(), state.v.data());
  const double slope = scaled(state, state, state.v.data(), state.a.data());
  double h = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope;
  h = std::min(h, options_.h_max);
  std::copy(state.v.begin(), state.v.begin() + n_, dq_.begin());
  std::copy(state.a.begin(), state.a.begin() + n_, dv_.begin());
  constexpr double whole[] = {1};
  combine(state, h, whole, 1);
  double bend = 0;
  if (evaluate(state, before_.t + h, report)) {
    for (int i = 0; i < n_; ++i) eq_[i] = state.v[i] - before_.v[i], ev_[i] = state.a[i] - before_.a[i];
    bend = scaled(before_, before_, eq_.data(), ev_.data()) / h;
  }
  restore(state);
  const double larger = max(slope, bend);
  const double next = larger > 1e-15 ? std::pow(0.01 / larger, 1.0 / method_.order) : 1e-3;
  return std::isfinite(larger) ? std::min(100 * h, next) : h;
}

RungeKuttaReport RungeKutta::advance(State<double>& state, double t1) {
  RungeKuttaReport report;
  taken_.clear();
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::max(std::fabs(state.t), std::fabs(t1));
  const auto fail = [&] {
    report.converged = false;
    return report;
  };
  system_.look_back(state);
  if (!prepare(state, report)) {
    report.singular = true;
    return fail();
  }
  if (h_ == 0 && state.t < t1) h_ = first_step(state, report);
  const double power = 1.0 / method_.order;
  bool rejected = false;
  while (t1 - state.t > rounding) {
    if (report.accepted + report.rejected >= options_.max_steps || stop_requested()) return fail();
    const double left = t1 - state.t;
    const double wanted = std::clamp(h_, options_.h_min, std::max(options_.h_min, options_.h_max));
    const bool last = wanted >= left * (1 - 1e-6);
    // Two equal steps rather than one and a remainder.
    const double h = last ? left : wanted > 0.5 * left ? 0.5 * left : wanted;
    before_ = state;
    if (attempt(state, h, report) && report.error <= 1) {
      if (last) state.t = t1;
      system_.accept_history(state);
      ready_time_ = state.t;
      ready_lags_ = state.lags;
      std::copy(state.a.begin(), state.a.begin() + n_, state.a_alg.begin());
      ++report.accepted;
      if (keeps_taken_) taken_.push_back(state.t);
      const double error = std::max(report.error, 1e-10);
      const double factor = safety * std::pow(error, -alpha * power) * std::pow(last_error_, beta * power);
      // A step cut short to end at t1 says little about longer ones.
      const double next = h * std::clamp(factor, most_shrinking, rejected ? 1.0 : most_growth);
      rejected = false;
      h_ = h < wanted ? std::max(next, wanted) : next;
      last_error_ = error;
    } else {
      ++report.rejected;
      rejected = true;
      const bool failed = report.singular || !std::isfinite(report.error);
      restore(state);
      if (h <= options_.h_min || h <= rounding) return fail();
      h_ = h * (failed ? 0.25 : std::clamp(safety * std::pow(report.error, -power), most_shrinking, 1.0));
      last_error_ = 1;
    }
  }
  return report;
}

}  // namespace flexura
