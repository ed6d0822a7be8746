#include "flexura/integrate/energy_momentum_tangent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/math/gmres.hpp"

namespace flexura {
namespace {

/// Coordinates in the middle of a step, and rates: of dependents those of their secant, where drives move them.
template <class S>
void middle(const Topology& topology, const State<S>& before, const State<S>& after, double h, std::vector<S>& q,
            std::vector<S>& v) {
  for (int i = 0; i < topology.ncoord; ++i) {
    q[i] = S(0.5) * (after.q[i] + before.q[i]);
    v[i] = S(0.5) * (after.v[i] + before.v[i]);
  }
  for (int i = topology.ncoord; i < topology.ny; ++i) q[i] = after.q[i];
  for (int i = topology.ny; i < topology.nq; ++i) {
    q[i] = S(0.5) * (after.q[i] + before.q[i]);
    v[i] = S(1 / h) * (after.q[i] - before.q[i]);
  }
}

}  // namespace

EnergyMomentumTangent::EnergyMomentumTangent(TangentFactor& factor, const Model& model)
    : factor_(factor),
      topology_(factor.system.topology()),
      plain_(model.topology, model.values, no_direction(model.values)) {
  for (auto* x : {&mid_q_, &mid_v_, &inertia_, &drag_}) x->assign(topology_.nq, Tangent(0.0));
}

void EnergyMomentumTangent::open(const State<double>& state, double end) {
  factor_.system.drives.end_at(end);
  factor_.system.drives.enter(state.t);
}

std::string EnergyMomentumTangent::begin(const State<double>& before, const State<double>& after,
                                         std::span<const SignalValue> signals) {
  constexpr double rounding = 1e-9;
  before_ = unchanging(before);
  h_ = after.t - before.t;
  times_ = {before.t, before.t + 0.5 * h_, after.t};
  double off = 0, moved = 0;
  for (int i = 0; i < topology_.ncoord; ++i) {
    const double q1 = before.q[i] + 0.5 * h_ * (before.v[i] + after.v[i]);
    off = std::max(off, std::fabs(q1 - after.q[i]));
    moved = std::max({moved, std::fabs(after.q[i] - before.q[i]), 1e-4 * std::fabs(after.q[i])});
  }
  if (off > rounding * moved) return fmt::format("the step that ends at t = {:.6g} s was done in pieces", after.t);

  struct Signals {
    std::vector<double> u, du, ddu;
  };
  const auto read = [&](std::span<const SignalValue> values) {
    Signals out;
    for (const SignalValue& s : values) out.u.push_back(s.u), out.du.push_back(s.du), out.ddu.push_back(s.ddu);
    return out;
  };
  Drives& drives = factor_.system.drives;
  std::vector<double> lags = before.lags;
  drives.advance(times_[0], times_[1], before.lags, lags);
  const Signals at_begin = read(drives.at(times_[0], before.lags)), at_middle = read(drives.at(times_[1], lags)),
                at_end = read(signals);
  Assembler<double>& assembler = factor_.system.assembler;
  std::vector<double> q(topology_.nq, 0.0), v(topology_.nq, 0.0);
  middle(topology_, before, after, h_, q, v);
  const auto input = [&](double t, const std::vector<double>& x, const std::vector<double>& rate, const Signals& s,
                         double h) {
    return In<double>{t,       x.data(),     rate.data(),           s.u.data(), s.du.data(),
                      nullptr, s.ddu.data(), before.history.data(), h};
  };
  assembler.set_signals(at_middle.u, at_middle.du, at_middle.ddu);
  assembler.step_tangent(input(times_[0], before.q, before.v, at_begin, 0), input(times_[1], q, v, at_middle, 0.5 * h_),
                         input(times_[2], after.q, v, at_end, h_), 2 / (h_ * h_), 2 / h_, factor_.system.values.data());
  if (!factor_.factor_values())
    return fmt::format("the equations of the step that ends at t = {:.6g} s are singular", after.t);
  return {};
}

std::span<const Tangent> EnergyMomentumTangent::equations(DualResidual& residual, const State<Tangent>& before,
                                                          State<Tangent>& after,
                                                          std::span<const TangentSignals> signals) {
  Assembler<Tangent>& assembler = residual.assembler;
  const auto use = [&](const TangentSignals& s) { assembler.set_signals(s.u, s.du, s.ddu); };
  const auto input = [&](double t, const std::vector<Tangent>& x, const std::vector<Tangent>& rate,
                         const TangentSignals& s, double h) {
    return In<Tangent>{t,       x.data(),     rate.data(),           s.u.data(), s.du.data(),
                       nullptr, s.ddu.data(), before.history.data(), h};
  };
  const double inverse = 1 / h_;
  for (int i = 0; i < topology_.ncoord; ++i) {
    after.v[i].d = 2 * inverse * (after.q[i].d - before.q[i].d) - before.v[i].d;
    after.a[i].d = inverse * (after.v[i].d - before.v[i].d);
  }
  use(signals[2]);
  residual.expand(after);
  use(signals[1]);
  middle(topology_, before, after, h_, mid_q_, mid_v_);
  for (int i = topology_.ny; i < topology_.nq; ++i) after.a[i] = Tangent(inverse) * (after.v[i] - before.v[i]);
  assembler.step_residual(input(times_[0], before.q, before.v, signals[0], 0),
                          input(times_[1], mid_q_, mid_v_, signals[1], 0.5 * h_),
                          input(times_[2], after.q, mid_v_, signals[2], h_), residual_.data());
  assembler.add_inertia(after.a.data(), mid_v_.data(), inertia_.data(), drag_.data(), residual_.data());
  assembler.reduce(residual_.data());
  return std::span<const Tangent>(residual_).first(topology_.ny);
}

/// With w = P⁻¹ r: P⁻¹ J δ = w, where P is Newton's matrix and J known by its products. Multipliers are measured by what they are at first.
void EnergyMomentumTangent::solve(const State<Tangent>& after, std::span<const TangentSignals> signals) {
  constexpr double settled = 1e-13;
  constexpr int most_products = 60;
  const int n = topology_.ncoord, ny = topology_.ny;
  std::vector<TangentSignals> values(signals.begin(), signals.end());
  for (TangentSignals& s : values)
    for (auto* x : {&s.u, &s.du, &s.ddu})
      for (Tangent& value : *x) value.d = 0;
  plain_.assembler.set_history(before_.history, h_);
  double moved = 0, pulled = 0;
  for (int i = 0; i < ny; ++i) (i < n ? moved : pulled) = std::max(i < n ? moved : pulled, std::fabs(delta_[i]));
  const double scale = moved > 0 && pulled > 0 ? moved / pulled : 1;
  State<Tangent> state = after;
  std::vector<double> b(delta_);
  for (int i = n; i < ny; ++i) b[i] *= scale;
  gmres(b, delta_, settled, most_products, [&](std::span<const double> v, std::span<double> to) {
    for (int i = 0; i < ny; ++i) state.q[i].d = i < n ? v[i] : v[i] / scale;
    const std::span<const Tangent> r = equations(plain_, before_, state, values);
    for (int i = 0; i < ny; ++i) to[i] = -r[i].d;
    factor_.solve(to);
    for (int i = n; i < ny; ++i) to[i] *= scale;
  });
  for (int i = n; i < ny; ++i) delta_[i] /= scale;
}

bool EnergyMomentumTangent::forward(DualResidual& residual, const State<Tangent>& before, State<Tangent>& after,
                                    std::span<const TangentSignals> signals, double negligible) {
  constexpr double settled = 1e-12, tiny = 1e-10;
  constexpr int most_passes = 8;
  Assembler<Tangent>& assembler = residual.assembler;
  residual_.assign(assembler.residual_size(), Tangent(0.0));
  delta_.resize(topology_.ny);
  assembler.set_history(before.history, h_);
  for (int i = 0; i < topology_.ncoord; ++i) after.q[i].d = before.q[i].d + h_ * before.v[i].d;
  for (int i = topology_.ncoord; i < topology_.ny; ++i) after.q[i].d = before.q[i].d;
  double first = 0, last = 0;
  bool done = false;
  for (int pass = 0; pass < most_passes && !done; ++pass) {
    const std::span<const Tangent> r = equations(residual, before, after, signals);
    for (int i = 0; i < topology_.ny; ++i) delta_[i] = r[i].d;
    factor_.solve(delta_);
    solve(after, signals);
    double size = 0, moved = 0;
    for (int i = 0; i < topology_.ny; ++i) {
      after.q[i].d += delta_[i];
      if (i >= topology_.ncoord) continue;
      size = std::max(size, std::fabs(delta_[i]));
      moved = std::max(moved, std::fabs(after.q[i].d));
    }
    if (!std::isfinite(size)) return false;
    if (pass == 0) first = size;
    done = size <= settled * moved || (pass > 0 && (size <= tiny * first || size <= negligible));
    if (pass > 1 && size > 0.5 * last) return false;  // it comes no nearer
    last = size;
  }
  if (!done) return false;
  equations(residual, before, after, signals);  // rates and dependents of the last change
  if (assembler.has_history()) assembler.remember(after.t, after.q.data(), mid_v_.data(), after.history.data());
  const TangentSignals& end = signals[2];
  assembler.set_signals(end.u, end.du, end.ddu);
  residual.expand(after);
  for (int i = 0; i < topology_.ncoord; ++i) after.a_alg[i].d = after.a[i].d;
  return true;
}

}  // namespace flexura
