#include "flexura/integrate/generalized_alpha.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {

NewmarkFamily NewmarkFamily::generalized_alpha(double rho) {
  NewmarkFamily m;
  m.alpha_m = (2 * rho - 1) / (rho + 1);
  m.alpha_f = rho / (rho + 1);
  m.gamma = 0.5 + m.alpha_f - m.alpha_m;
  m.beta = 0.25 * (0.5 + m.gamma) * (0.5 + m.gamma);
  return m;
}

NewmarkFamily NewmarkFamily::hht(double alpha) {
  NewmarkFamily m;
  m.alpha_f = -alpha;
  m.gamma = 0.5 + m.alpha_f;
  m.beta = 0.25 * (0.5 + m.gamma) * (0.5 + m.gamma);
  return m;
}

template <class S>
GeneralizedAlpha<S>::GeneralizedAlpha(System<S>& system, const NewmarkFamily& method, const NewtonOptions& newton)
    : system_(system), method_(method), newton_(system, newton) {
  const Topology& t = system.topology();
  const size_t size = system.assembler.residual_size();
  for (auto* x : {&gravity_, &loads_, &gravity_before_, &loads_before_, &reaction_before_}) x->assign(size, S(0.0));
  error_.assign(t.ncoord, S(0.0));
  for (const auto& batch : system.assembler.batches()) {
    has_loads_ |= batch->role == Role::load;
    has_losses_ |= batch->has_dissipation;
  }
  has_losses_ |= system.assembler.has_damping();
  for (const Dependent& d : t.dependents) has_drives_ |= !d.drives.empty();
}

template <class S>
SolveReport<S> GeneralizedAlpha<S>::step(State<S>& s, double t1, MaskOf<V> active) {
  const int ncoord = system_.topology().ncoord;
  const double h = t1 - s.t;
  const auto [am, af, beta, gamma] = method_;
  before_ = s;
  if (!account_started_ || account_time_ != s.t) {
    system_.assembler.set_signals(system_.drives.at(s.t, s.lags));  // a failed step left those of its end
    if (has_drives_) reactions_at(s);
    forces_at(s, gravity_before_, loads_before_, lost_before_);
    account_started_ = true;
  }
  s.t = t1;
  system_.drives.advance(before_.t, t1, before_.lags, s.lags);
  system_.assembler.set_signals(system_.drives.at(t1, s.lags));

  // Predictor: q̈₁ = q̈₀.
  const S a_old(-am / (1 - am)), acc_new((1 - af) / (1 - am)), acc_old(af / (1 - am));
  const S h_(h), hh_before(h * h * (0.5 - beta)), hh_after(h * h * beta), h_before(h * (1 - gamma)), h_after(h * gamma);
  const auto algorithmic = [&](int i) {
    return fma(acc_new, s.a[i], fma(acc_old, before_.a[i], a_old * before_.a_alg[i]));
  };
  for (int i = 0; i < ncoord; ++i) {
    const S a1 = algorithmic(i);
    s.q[i] = fma(hh_after, a1, fma(hh_before, before_.a_alg[i], fma(h_, before_.v[i], before_.q[i])));
    s.v[i] = fma(h_after, a1, fma(h_before, before_.a_alg[i], before_.v[i]));
  }
  StageWeights w;
  w.da = (1 - am) / ((1 - af) * beta * h * h);
  w.dv = gamma / (beta * h);
  w.cm = w.da;
  w.cd = w.dv;
  const SolveReport<S> report = newton_.solve(s, w, active);
  for (int i = 0; i < ncoord; ++i) s.a_alg[i] = algorithmic(i);
  const double scale = h * h * std::fabs(beta - 1.0 / 6.0 + 0.5 * (af - am));
  for (int i = 0; i < ncoord; ++i) error_[i] = S(scale) * (s.a_alg[i] - before_.a_alg[i]);
  if (all(report.converged)) {
    account(before_, s, h, report.converged);
    return report;
  }
  if (!any(report.converged)) {
    std::swap(s, before_);
    account_started_ = false;
    return report;
  }
  const auto restore = [&](std::vector<S>& to, const std::vector<S>& from) {
    for (size_t i = 0; i < to.size(); ++i)
      for (int lane = 0; lane < ScalarTraits<V>::lanes; ++lane)
        if (!lane_of(report.converged, lane))
          ScalarTraits<S>::set_lane(to[i], lane, ScalarTraits<S>::lane(from[i], lane));
  };
  restore(s.q, before_.q);
  restore(s.v, before_.v);
  restore(s.a, before_.a);
  restore(s.a_alg, before_.a_alg);
  account(before_, s, h, report.converged);
  return report;
}

template <class S>
void GeneralizedAlpha<S>::forces_at(const State<S>& s, std::vector<S>& gravity, std::vector<S>& loads, S& lost) {
  Assembler<S>& assembler = system_.assembler;
  std::copy(assembler.gravity_force().begin(), assembler.gravity_force().end(), gravity.begin());
  if (has_loads_) assembler.forces_of(Role::load, s.t, s.q.data(), s.v.data(), loads.data());
  lost = has_losses_ ? assembler.dissipation(s.t, s.q.data(), s.v.data()) : S(0.0);
}

/// Reactions of driven slots, the same bits as Newton's last evaluation gives.
template <class S>
void GeneralizedAlpha<S>::reactions_at(const State<S>& s) {
  const Assembler<S>& assembler = system_.assembler;
  const int nq = system_.topology().nq;
  assembler.residual(s.t, s.q.data(), s.v.data(), loads_.data());
  std::fill(gravity_.begin(), gravity_.end(), S(0.0));
  assembler.subtract_mass_times(s.a.data(), S(1.0), gravity_.data());
  for (int i = 0; i < nq; ++i) loads_[i] += gravity_[i];
  assembler.subtract_damping(s.v.data(), loads_.data());
  for (const Dependent& d : system_.topology().dependents) {
    if (d.drives.empty()) continue;
    const Slot& slot = system_.topology().slots[d.slot];
    for (int i = slot.offset; i < slot.offset + slot.size; ++i) reaction_before_[i] = -loads_[i];
  }
}

/// Work of a force over a step: ½ (f₀ + f₁)·Δq, what the average-acceleration method balances exactly.
template <class S>
void GeneralizedAlpha<S>::account(const State<S>& before, State<S>& after, double h, MaskOf<V> lanes) {
  S lost{};
  forces_at(after, gravity_, loads_, lost);
  const int nq = system_.topology().nq;
  S gravity(0.0), loads(0.0), prescribed(0.0);
  for (int i = 0; i < nq; ++i) gravity = fma(gravity_before_[i] + gravity_[i], after.q[i] - before.q[i], gravity);
  if (has_loads_) {
    for (int i = 0; i < nq; ++i) loads = fma(loads_before_[i] + loads_[i], after.q[i] - before.q[i], loads);
    loads -= gravity;  // forces_of(load) includes gravity
  }
  const std::vector<S>& residual = newton_.full_residual();
  for (const Dependent& d : system_.topology().dependents) {
    if (d.drives.empty()) continue;
    const Slot& slot = system_.topology().slots[d.slot];
    for (int i = slot.offset; i < slot.offset + slot.size; ++i) {
      prescribed = fma(reaction_before_[i] - residual[i], after.q[i] - before.q[i], prescribed);
      reaction_before_[i] = -residual[i];
    }
  }
  const auto add = [&](S& to, const S& x) {
    for (int lane = 0; lane < ScalarTraits<V>::lanes; ++lane)
      if (lane_of(lanes, lane))
        ScalarTraits<S>::set_lane(to, lane, ScalarTraits<S>::lane(to, lane) + ScalarTraits<S>::lane(x, lane));
  };
  add(after.energy.gravity, S(0.5) * gravity);
  add(after.energy.loads, S(0.5) * loads);
  add(after.energy.prescribed, S(0.5) * prescribed);
  add(after.energy.dissipated, S(0.5 * h) * (lost + lost_before_));
  gravity_before_.swap(gravity_);
  loads_before_.swap(loads_);
  lost_before_ = lost;
  account_time_ = after.t;
}

/// (K + c M) δ + Φ_qᵀ μ = r,  Φ_q δ = −γ/c with c so large that K does not matter: a = c δ.
template <class S>
MaskOf<ValueOf<S>> GeneralizedAlpha<S>::start(State<S>& s) {
  const Topology& topology = system_.topology();
  Assembler<S>& assembler = system_.assembler;
  LinearSolver<V>& solver = system_.solver;
  system_.drives.enter(s.t);
  assembler.set_signals(system_.drives.at(s.t, s.lags));
  assembler.expand(s.q.data(), s.v.data(), s.a.data());
  std::vector<S> r(assembler.residual_size()), y(topology.ny);
  std::vector<V> k(topology.ny), m(topology.ny), stiffness(system_.values.size()), mass(system_.values.size());
  assembler.tangent(s.t, s.q.data(), s.v.data(), 0.0, 0.0, stiffness.data());
  solver.diagonal(stiffness, std::span<V>(k));
  assembler.mass_matrix(mass.data());
  solver.diagonal(mass, std::span<V>(m));
  V c(1.0);  // each lane its own, so that it has the bits of a simulation alone
  for (int i = 0; i < topology.ncoord; ++i) c = select(m[i] > V(0.0), max(c, V(1e10) * k[i] / m[i]), c);
  for (int i = 0; i < topology.ncoord; ++i) s.a[i] = S(0.0);
  MaskOf<V> ok = uniform_mask<V>(true);
  // The second pass removes what K left of the first.
  for (int pass = 0; pass < 2; ++pass) {
    assembler.expand(s.q.data(), s.v.data(), s.a.data());
    assembler.residual(s.t, s.q.data(), s.v.data(), r.data());
    assembler.subtract_mass_times(s.a.data(), S(1.0), r.data());
    assembler.subtract_damping(s.v.data(), r.data());
    assembler.reduce(r.data());
    if (pass == 0) {
      for (size_t i = 0; i < mass.size(); ++i) system_.values[i] = stiffness[i] + c * mass[i];
      ok = solver.factor(system_.values).ok;
    }
    std::copy(r.begin(), r.begin() + topology.ny, y.begin());
    if (topology.ny > topology.ncoord) constraint_accelerations(s, c, y);
    solver.solve(std::span<S>(y));
    for (int i = 0; i < topology.ncoord; ++i) s.a[i] += S(c) * y[i];
    for (int i = topology.ncoord; i < topology.ny; ++i) s.q[i] += y[i];
  }
  assembler.expand(s.q.data(), s.v.data(), s.a.data());
  for (int i = 0; i < topology.ncoord; ++i) s.a_alg[i] = s.a[i];
  account_started_ = false;
  reset();
  return ok;
}

/// Rows of constraints: what is missing of Φ̈ = (Φ_q v)_q v + Φ_q a = 0, by central differences of Φ along v and along
/// a, each exact for quadratic Φ (along a parabola they would mix: ‖a‖² τ²/4).
template <class S>
void GeneralizedAlpha<S>::constraint_accelerations(const State<S>& s, V c, std::vector<S>& y) {
  const Topology& topology = system_.topology();
  Assembler<S>& assembler = system_.assembler;
  const int nq = topology.nq, ncoord = topology.ncoord, ny = topology.ny;
  const auto largest = [&](const std::vector<S>& x, double least) {
    V size(least);
    for (int i = 0; i < nq; ++i)
      if (i < ncoord || i >= ny) size = max(size, abs(value_of(x[i])));
    return size;
  };
  const V reach = V(1e-2) * largest(s.q, 1e-3);
  const auto step_along = [&](const std::vector<S>& direction) {
    const V size = largest(direction, 0.0);
    return select(size > V(0.0), reach / size, V(1.0));
  };
  std::vector<S> sum(ny, S(0.0)), r(assembler.residual_size()), q(s.q);
  const auto add = [&](const std::vector<S>& along, V step, V factor) {
    for (int i = 0; i < nq; ++i)
      if (i < ncoord || i >= ny) q[i] = s.q[i] + S(step) * along[i];
    assembler.residual(s.t, q.data(), s.v.data(), r.data());
    for (int i = ncoord; i < ny; ++i) sum[i] += S(factor) * r[i];
  };
  const V tau = step_along(s.v), curve = V(1.0) / (tau * tau);
  add(s.v, -tau, curve);
  add(s.v, V(0.0), V(-2.0) * curve);
  add(s.v, tau, curve);
  const V sigma = step_along(s.a), slope = V(0.5) / sigma;
  add(s.a, -sigma, -slope);
  add(s.a, sigma, slope);
  for (int i = ncoord; i < ny; ++i) y[i] = sum[i] / S(c);
}

template <class S>
double GeneralizedAlpha<S>::local_error(double length) const {
  double worst = 0;
  for (const Slot& slot : system_.topology().slots) {
    if (slot.block < 0 || slot.multiplier) continue;
    for (int i = slot.offset; i < slot.offset + slot.size; ++i)
      for (int lane = 0; lane < ScalarTraits<V>::lanes; ++lane)
        worst = std::max(
            worst, std::fabs(ScalarTraits<S>::lane(error_[i], lane)) / (slot.kind == SlotKind::point ? length : 1.0));
  }
  return worst;
}

template class GeneralizedAlpha<double>;
template class GeneralizedAlpha<Lanes>;
template class GeneralizedAlpha<Dual<double>>;

}  // namespace flexura
