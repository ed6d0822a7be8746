#include "flexura/integrate/energy_momentum.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "flexura/integrate/halves.hpp"
#include "flexura/math/entries.hpp"
#include "flexura/model/contact_model.hpp"
#include "flexura/solve/constraints.hpp"

namespace flexura {
namespace {

StageWeights weights(double h) { return {.cm = 2 / (h * h), .cd = 2 / h, .dv = 2 / h, .da = 2 / (h * h)}; }

}  // namespace

void EnergyMomentum::Signals::read(std::span<const SignalValue> values) {
  for (size_t i = 0; i < values.size(); ++i) u[i] = values[i].u, du[i] = values[i].du, ddu[i] = values[i].ddu;
}

EnergyMomentum::EnergyMomentum(System<double>& system, const NewtonOptions& newton, int halvings)
    : system_(system), newton_(system, newton, this), angles_(system.topology()), halvings_(halvings) {
  refuse_contacts(system.topology().contacts.get(), "energy-momentum");
  const Topology& t = system.topology();
  constrained_ = t.ny > t.ncoord;
  assert(!constrained_ || !system.symmetric);
  for (Signals* s : {&begin_, &mid_, &end_})
    for (auto* x : {&s->u, &s->du, &s->ddu}) x->assign(t.signals.size(), 0.0);
  for (auto* x : {&mid_q_, &mid_v_, &drive_begin_, &drive_end_, &rate_begin_, &rate_end_, &drive_scratch_})
    x->assign(t.nq, 0.0);
  force_.assign(system.assembler.residual_size(), 0.0);
  for (const Dependent& d : t.dependents) {
    if (d.drives.empty()) continue;
    for (int i = 0; i < t.slots[d.slot].size; ++i) driven_.push_back(t.slots[d.slot].offset + i);
  }
  for (const auto& batch : system.assembler.batches()) has_losses_ |= batch->has_dissipation;
}

bool EnergyMomentum::start(State<double>& state) {
  system_.drives.enter(state.t);
  system_.assembler.set_signals(system_.drives.at(state.t, state.lags));
  reset();
  system_.look_back(state);
  system_.accept_history(state);
  const bool found = Constraints(system_).accelerations(state);
  std::copy(state.a.begin(), state.a.begin() + system_.topology().ncoord, state.a_alg.begin());
  return found;
}

/// v₁ = v₀, or v₁ = −v₀ and so q₁ = q₀; multipliers as they were.
void EnergyMomentum::predict(State<double>& s, bool at_rest) const {
  const double share = at_rest ? 0 : h_, sign = at_rest ? -1 : 1, change = at_rest ? -2 / h_ : 0;
  for_entries<double>(system_.topology().ncoord, [&]<class P>(int i) {
    const P v = load_entries<P>(&before_.v[i]);
    store_entries(&s.q[i], fma(P(share), v, load_entries<P>(&before_.q[i])));
    store_entries(&s.v[i], P(sign) * v);
    store_entries(&s.a[i], P(change) * v);
  });
  std::copy(before_.q.begin() + system_.topology().ncoord, before_.q.begin() + system_.topology().ny,
            s.q.begin() + system_.topology().ncoord);
}

void EnergyMomentum::residual(State<double>& s, std::vector<double>& r, std::vector<double>& inertia,
                              std::vector<double>& drag) {
  const int nq = system_.topology().nq, ncoord = system_.topology().ncoord, ny = system_.topology().ny;
  Assembler<double>& assembler = system_.assembler;
  use(end_);
  assembler.expand(s.q.data(), s.v.data(), s.a.data());
  use(mid_);
  const double inverse = 1 / h_;
  for_entries<double>(ncoord, [&]<class P>(int i) {
    store_entries(&mid_q_[i], P(0.5) * (load_entries<P>(&s.q[i]) + load_entries<P>(&before_.q[i])));
    store_entries(&mid_v_[i], P(0.5) * (load_entries<P>(&s.v[i]) + load_entries<P>(&before_.v[i])));
  });
  std::copy(s.q.begin() + ncoord, s.q.begin() + ny, mid_q_.begin() + ncoord);
  // Where drives move dependents, their secant is what works; their velocity is only known at the ends.
  for (int i = ny; i < nq; ++i) {
    mid_q_[i] = 0.5 * (s.q[i] + before_.q[i]);
    mid_v_[i] = inverse * (s.q[i] - before_.q[i]);
    s.a[i] = inverse * (s.v[i] - before_.v[i]);
  }
  assembler.step_residual(begin(), mid(), end(s), r.data());
  assembler.add_inertia(s.a.data(), mid_v_.data(), inertia.data(), drag.data(), r.data());
}

void EnergyMomentum::tangent(const State<double>& s, const StageWeights& w, std::vector<double>& values) {
  system_.assembler.step_tangent(begin(), mid(), end(s), w.cm, w.cd, values.data());
}

SolveReport<double> EnergyMomentum::step(State<double>& s, double t1) {
  SolveReport<double> report = advance(s, t1);
  if (advance_in_halves(report, s, t1, halvings_, [this](State<double>& x, double end) { return advance(x, end); })) {
    if (!report.converged) system_.look_back(s);
    reset();
  }
  return report;
}

SolveReport<double> EnergyMomentum::advance(State<double>& s, double t1) {
  const double rounding = 2 * std::numeric_limits<double>::epsilon() * std::max(std::fabs(s.t), std::fabs(t1));
  if (std::fabs(t1 - s.t - h_) > rounding) h_ = t1 - s.t;
  before_ = s;
  mid_lags_ = s.lags;
  mid_time_ = s.t + 0.5 * h_;
  begin_.read(system_.drives.at(s.t, s.lags));
  system_.drives.advance(s.t, mid_time_, before_.lags, mid_lags_);
  mid_.read(system_.drives.at(mid_time_, mid_lags_));
  system_.drives.advance(s.t, t1, before_.lags, s.lags);
  end_.read(system_.drives.at(t1, s.lags));
  s.t = t1;
  predict(s, false);
  SolveReport<double> report = newton_.solve(s, weights(h_));
  if (!report.converged) {
    predict(s, true);
    const TangentPolicy policy = std::exchange(newton_.options().tangent, TangentPolicy::full);
    const SolveReport<double> again = newton_.solve(s, weights(h_));
    newton_.options().tangent = policy;
    const int iterations = report.iterations, factorizations = report.factorizations;
    report = again;
    report.iterations += iterations;
    report.factorizations += factorizations;
  }
  if (int row = -1; report.converged && !angles_.follow(before_.q, before_.v, s.q, s.v, h_, &row)) {
    report.converged = false;
    report.worst = row;
  }
  if (report.converged) {
    account(s, h_);
    system_.accept_history(s, mid_v_);
    std::copy(s.a.begin(), s.a.begin() + system_.topology().ncoord, s.a_alg.begin());
  } else {
    restore(s);
    system_.look_back(s);
  }
  use(end_);
  return report;
}

void EnergyMomentum::restore(State<double>& s) const {
  const auto copy = [](const std::vector<double>& from, std::vector<double>& to) {
    std::copy(from.begin(), from.end(), to.begin());
  };
  s.t = before_.t;
  copy(before_.q, s.q), copy(before_.v, s.v), copy(before_.a, s.a), copy(before_.lags, s.lags);
}

/// Each force's share of ΔT + ΔV, exact: f·Δq, and of prescribed motions Δb with reactions −R,
///     −R·Δb + (M a)·(h b̄̇ − Δb),  since inertia takes up work at h (v₀ + v₁)/2 and forces at Δq.
void EnergyMomentum::account(State<double>& s, double h) {
  Assembler<double>& assembler = system_.assembler;
  const int nq = system_.topology().nq;
  use(mid_);
  const auto moved = [&]<class P>(int i) { return load_entries<P>(&s.q[i]) - load_entries<P>(&before_.q[i]); };
  const auto work_of = [&](const std::vector<double>& force) {
    return sum_of_products<double>(nq, [&]<class P>(int i) { return load_entries<P>(&force[i]); }, moved);
  };
  system_.look_back(before_, 0.5 * h_);
  const double gravity = work_of(assembler.gravity_force());
  s.energy.gravity += gravity;
  if (assembler.has_loads()) {
    assembler.forces_of(Role::load, mid_time_, mid_q_.data(), mid_v_.data(), force_.data());
    s.energy.loads += work_of(force_) - gravity;
  }
  if (assembler.has_damping()) s.energy.dissipated -= work_of(newton_.drag());
  if (has_losses_) s.energy.dissipated += h * assembler.item_dissipation(mid_time_, mid_q_.data(), mid_v_.data());
  use(end_);  // what is remembered follows the signals of the step's end
  system_.look_back(before_, h_);
  if (assembler.has_history()) s.energy.dissipated += assembler.loss(s.t, s.q.data(), mid_v_.data());
  if (driven_.empty()) return;
  // b and ḃ: what dependents do while the free coordinates rest.
  const int ncoord = system_.topology().ncoord;
  for (auto* x : {&drive_begin_, &drive_end_, &rate_begin_, &rate_end_, &drive_scratch_})
    std::fill(x->begin(), x->begin() + ncoord, 0.0);
  use(begin_);
  assembler.expand(drive_begin_.data(), rate_begin_.data(), drive_scratch_.data());
  use(end_);
  assembler.expand(drive_end_.data(), rate_end_.data(), drive_scratch_.data());
  std::fill(force_.begin(), force_.end(), 0.0);
  assembler.subtract_mass_times(s.a.data(), -1.0, force_.data());
  double work = 0;
  for (int i : driven_) work -= newton_.full_residual()[i] * (drive_end_[i] - drive_begin_[i]);
  // The defect h b̄̇ − Δb of all dependents that move by themselves.
  for (int i : driven_)
    work += force_[i] * (0.5 * h * (rate_begin_[i] + rate_end_[i]) - (drive_end_[i] - drive_begin_[i]));
  s.energy.prescribed += work;
}

}  // namespace flexura
