// What a step of generalized-α does to the account of energy.

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/integrate/lanes.hpp"
#include "flexura/integrate/signal_work.hpp"
#include "flexura/math/entries.hpp"
#include "flexura/math/instantiate.hpp"

namespace flexura {

/// b(t) of dependents as the signals are now.
template <class S>
void GeneralizedAlpha<S>::find_drives(std::vector<S>& drive) {
  if (!driven_.empty()) system_.assembler.expand(drive.data(), drive_rate_.data(), drive_second_.data());
}

/// Forces at s, the same bits as Newton's last evaluation gives.
template <class S>
void GeneralizedAlpha<S>::start_account(const State<S>& s) {
  Assembler<S>& assembler = system_.assembler;
  set_signals(s.t, s.lags);  // a failed step left those of its end
  system_.look_back(s);
  gravity_before_ = assembler.gravity_force();
  assembler.residual(s.t, s.q.data(), s.v.data(), residual_.data(), acting_before_.data());
  assembler.add_inertia(s.a.data(), s.v.data(), inertia_.data(), drag_.data(), residual_.data());
  lost_before_ = power_lost(s, drag_);
  for_driven([&](int i) { reaction_before_[i] = -residual_[i]; });
  find_drives(drive_before_);
  account_started_ = true;
}

template <class S>
S GeneralizedAlpha<S>::power_lost(const State<S>& s, const std::vector<S>& drag) const {
  const Assembler<S>& assembler = system_.assembler;
  S lost(0.0);
  if (assembler.has_damping())
    lost -= sum_of_products<S>(
        system_.topology().nq, [&]<class P>(int i) { return load_entries<P>(&drag[i]); },
        [&]<class P>(int i) { return load_entries<P>(&s.v[i]); });
  if (has_losses_) lost += assembler.item_dissipation(s.t, s.q.data(), s.v.data());
  return lost;
}

/// What dampers take over Δq, by the mean of their forces where these are known by themselves, else at the mean velocity Δq/h: behind a jump of a load
/// the velocities of what is damped much swing about it from step to step, and so their squares would add up to what was never lost.
template <class S>
S GeneralizedAlpha<S>::energy_lost(const State<S>& after, double h) {
  const Assembler<S>& assembler = system_.assembler;
  S lost(0.0);
  if (assembler.has_damping()) {
    const std::vector<S>& drag = newton_.drag();
    lost = S(-0.5) * sum_of_products<S>(
                         system_.topology().nq,
                         [&]<class P>(int i) { return load_entries<P>(&drag_[i]) + load_entries<P>(&drag[i]); },
                         [&]<class P>(int i) { return load_entries<P>(&after.q[i]) - load_entries<P>(&before_.q[i]); });
    std::copy(drag.begin(), drag.begin() + system_.topology().nq, drag_.begin());
  }
  if (!has_losses_) return lost;
  const S rate(1 / h);
  for (size_t i = 0; i < mid_v_.size(); ++i) {
    mid_q_[i] = S(0.5) * (before_.q[i] + after.q[i]);
    mid_v_[i] = rate * (after.q[i] - before_.q[i]);
  }
  const auto power = [&] { return assembler.item_dissipation(after.t, mid_q_.data(), mid_v_.data()); };
  S items = power();
  if (losses_follow_signals_) {
    set_signals(before_.t, before_.lags);
    items = S(0.5) * (items + power());
    set_signals(after.t, after.lags);
  }
  return fma(S(h), items, lost);
}

/// What signals change of what is stored, ∫ ∂V/∂t dt of V(q, g(t)), by the trapezoidal rule for its rate at either end, each from three times δ apart
/// within the step. Of V at other places than those nothing is asked: what grows freely resists by its bulk modulus between them, and what
/// turns has strains on the straight way.
template <class S>
void GeneralizedAlpha<S>::book_signals(State<S>& after, MaskOf<V> lanes) {
  constexpr double delta = 0.01;  ///< of the step
  const Assembler<S>& assembler = system_.assembler;
  mid_lags_ = after.lags;
  const auto stored = [&](double share, const State<S>& at) {
    for (size_t i = 0; i < mid_lags_.size(); ++i) mid_lags_[i] = (1 - share) * before_.lags[i] + share * after.lags[i];
    set_signals(before_.t + share * (after.t - before_.t), mid_lags_);
    return assembler.potential_energy(after.t, at.q.data());
  };
  const auto rate = [&](const State<S>& at, double from, double step) {
    const S here = stored(from, at), near = stored(from + step, at), far = stored(from + 2 * step, at);
    return (S(4.0) * near - S(3.0) * here - far) / S(2 * step);
  };
  const S begin = rate(before_, 0, delta), end = rate(after, 1, -delta);
  set_signals(after.t, after.lags);
  add_in(lanes, after.energy.loads, S(0.5) * (begin + end));
}

/// The forces are those of Newton's last evaluation. Of q = T y + b(t) the reactions do work along b alone: along T y they are in balance
/// with the forces on y.
template <class S>
typename GeneralizedAlpha<S>::Work GeneralizedAlpha<S>::work_of_step(const State<S>& after) {
  const int nq = system_.topology().nq;
  const auto sum_of = [](const std::vector<S>& x, const std::vector<S>& y) {
    return [&]<class P>(int i) { return load_entries<P>(&x[i]) + load_entries<P>(&y[i]); };
  };
  const auto moved = [&]<class P>(int i) { return load_entries<P>(&after.q[i]) - load_entries<P>(&before_.q[i]); };
  const std::vector<S>& residual = end_residual();
  Work work;
  work.gravity = sum_of_products<S>(nq, sum_of(gravity_before_, system_.assembler.gravity_force()), moved);
  if (system_.assembler.has_loads())
    work.loads = sum_of_products<S>(nq, sum_of(acting_before_, end_acting()), moved) - work.gravity;
  find_drives(drive_after_);
  for_driven([&](int i) {
    work.prescribed = fma(reaction_before_[i] - residual[i], drive_after_[i] - drive_before_[i], work.prescribed);
  });
  return work;
}

template <class S>
void GeneralizedAlpha<S>::account(State<S>& after, double h, MaskOf<V> lanes) {
  const Assembler<S>& assembler = system_.assembler;
  const Work work = work_of_step(after);
  const std::vector<S>&weight = system_.assembler.gravity_force(), &acting = end_acting();
  if (system_.assembler.has_loads()) std::copy(acting.begin(), acting.end(), acting_before_.begin());
  std::copy(weight.begin(), weight.end(), gravity_before_.begin());
  for_driven([&](int i) { reaction_before_[i] = -end_residual()[i]; });
  std::swap(drive_before_, drive_after_);
  add_in(lanes, after.energy.gravity, S(0.5) * work.gravity);
  add_in(lanes, after.energy.loads, S(0.5) * work.loads);
  add_in(lanes, after.energy.prescribed, S(0.5) * work.prescribed);
  if (is_driven_by_signals(system_.topology())) book_signals(after, lanes);
  if (in_contact_) add_in(lanes, after.energy.prescribed, S(impacts_->drive_work()));
  if (contacts_ == nullptr) {
    add_in(lanes, after.energy.dissipated, energy_lost(after, h));
  } else {
    const S lost = power_lost(after, in_contact_ ? drag_ : newton_.drag());
    add_in(lanes, after.energy.dissipated, S(0.5 * h) * (lost + lost_before_));
    lost_before_ = lost;
  }
  if (assembler.has_history())
    add_in(lanes, after.energy.dissipated, assembler.loss(after.t, after.q.data(), after.v.data()));
  account_time_ = after.t;
  account_lags_ = after.lags;
}

#define FLEXURA_INSTANTIATE(S)                                                              \
  template void GeneralizedAlpha<S>::start_account(const State<S>&);                        \
  template S GeneralizedAlpha<S>::power_lost(const State<S>&, const std::vector<S>&) const; \
  template S GeneralizedAlpha<S>::energy_lost(const State<S>&, double);                     \
  template void GeneralizedAlpha<S>::book_signals(State<S>&, MaskOf<V>);                    \
  template void GeneralizedAlpha<S>::find_drives(std::vector<S>&);                          \
  template GeneralizedAlpha<S>::Work GeneralizedAlpha<S>::work_of_step(const State<S>&);    \
  template void GeneralizedAlpha<S>::account(State<S>&, double, MaskOf<V>);
FLEXURA_FOR_EACH_SCALAR(FLEXURA_INSTANTIATE)
#undef FLEXURA_INSTANTIATE

}  // namespace flexura
