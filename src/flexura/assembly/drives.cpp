#include "flexura/assembly/drives.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flexura {
namespace {

/// Rounding of t = k h must not decide whether a load still acts.
double slack(double t) { return 1e-12 + 1e-12 * std::fabs(t); }

/// A time from which a signal is seen as it was before it jumps at t.
double left_of(double t) { return t - slack(t); }

}  // namespace

Drives::Drives(const Topology& topology) : topology_(topology), set_(topology.signal_set.get()) {
  raw_.resize(set_ ? set_->size() : 0);
  effective_.resize(topology.signals.size());
  acts_.assign(topology.signals.size(), 1);
}

void Drives::initial_lags(double t, std::vector<double>& lags) const {
  lags.resize(lag_count());
  if (!lags.empty()) set_->initial_state(t, lags);
}

void Drives::restart_lags(double t, std::vector<double>& lags) const {
  if (!lags.empty()) set_->restart_lags(t, lags);
}

void Drives::advance(double t0, double t1, const std::vector<double>& from, std::vector<double>& to) const {
  if (!from.empty()) set_->advance(t0, t1, from, to, breaks_);
}

void Drives::enter(double t) {
  for (size_t i = 0; i < acts_.size(); ++i) {
    const EffectiveSignal& s = topology_.signals[i];
    acts_[i] = s.from <= t + slack(t) && s.until > t + slack(t);
  }
}

std::vector<double> Drives::gates(double t0, double t1) const {
  std::vector<double> out;
  for (const EffectiveSignal& s : topology_.signals)
    for (double t : {s.from, s.until})
      if (t > t0 + slack(t0) && t < t1 - slack(t1)) out.push_back(t);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<double> Drives::jumps(double t0, double t1) {
  std::vector<double> out;
  if (set_ == nullptr) return out;
  breaks_.clear();
  set_->breakpoints(t0, t1, breaks_);
  // A lag does not jump, whatever it follows, nor an input. Of no special value: no factor hides what jumps beside them.
  const std::vector<double> lags(lag_count(), std::numbers::phi);
  std::vector<SignalValue> before(set_->size()), near(set_->size()), after(set_->size());
  for (double t : breaks_) {
    set_->values(left_of(t), lags, near);
    set_->values(t, lags, after);
    const auto acts = [&](const EffectiveSignal& s) { return s.signal >= 0 && t > s.from && t < s.until; };
    const auto step_of = [&](int signal) { return std::fabs(after[signal].u - near[signal].u); };
    const auto noticeable = [&](int signal) {
      return 1e-9 * std::max(std::fabs(after[signal].u), std::fabs(near[signal].u));
    };
    // Most rows of a table are no jumps: what follows is for those that may be.
    if (std::ranges::none_of(topology_.signals, [&](const EffectiveSignal& s) {
          return acts(s) && step_of(s.signal) > noticeable(s.signal);
        }))
      continue;
    set_->values(t - 2 * slack(t), lags, before);
    const bool jump = std::ranges::any_of(topology_.signals, [&](const EffectiveSignal& s) {
      return acts(s) &&
             step_of(s.signal) > 10 * std::fabs(near[s.signal].u - before[s.signal].u) + noticeable(s.signal);
    });
    if (jump) out.push_back(t);
  }
  return out;
}

std::span<const SignalValue> Drives::at(double t, const std::vector<double>& lags) {
  if (set_) set_->values(t < end_ ? t : left_of(end_), lags, raw_);
  for (size_t i = 0; i < effective_.size(); ++i) {
    const int signal = topology_.signals[i].signal;
    effective_[i] = !acts_[i] ? SignalValue{0, 0, 0} : signal < 0 ? SignalValue{1, 0, 0} : raw_[signal];
  }
  return effective_;
}

std::span<const SignalValue> Drives::at_rest(double t, const std::vector<double>& lags) {
  at(t, lags);
  for (SignalValue& s : effective_) s.du = s.ddu = 0;
  return effective_;
}

std::span<const SignalValue> Drives::blend(double t, const std::vector<double>& lags, const std::vector<double>& from,
                                           double factor) {
  at(t, lags);
  for (size_t i = 0; i < effective_.size(); ++i)
    effective_[i] = {factor == 1 ? effective_[i].u : from[i] + factor * (effective_[i].u - from[i]), 0, 0};
  return effective_;
}

std::vector<double> Drives::slopes(double t, const std::vector<double>& lags, int k) const {
  const std::vector<double> raw = set_->slopes(t < end_ ? t : left_of(end_), lags, k);
  std::vector<double> out(acts_.size(), 0.0);
  for (size_t i = 0; i < out.size(); ++i)
    if (acts_[i] && topology_.signals[i].signal >= 0) out[i] = raw[topology_.signals[i].signal];
  return out;
}

void Drives::values(std::vector<double>& out) const {
  out.resize(effective_.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = effective_[i].u;
}

}  // namespace flexura
