#include "flexura/integrate/runge_kutta_tangent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flexura {

RungeKuttaTangent::RungeKuttaTangent(TangentFactor& factor, const RungeKuttaOptions& options, bool fixed)
    : factor_(factor),
      options_(options),
      method_(*options.method),
      fixed_(fixed),
      n_(factor.system.topology().ncoord),
      mirror_(factor.system, options),
      motion_(factor.system, options.drift, options.accelerations) {
  mirror_.keep_taken();
}

void RungeKuttaTangent::open(const State<double>& state, double end) {
  factor_.system.drives.end_at(end);
  State<double> copy = state;
  mirror_.start(copy);
}

void RungeKuttaTangent::combine(const State<double>& before, const std::vector<State<double>>& stages, double h,
                                const double* weights, int count, State<double>& out) const {
  for (int i = 0; i < n_; ++i) {
    double q = 0, v = 0;
    for (int j = 0; j < count; ++j) {
      q += weights[j] * stages[j].v[i];
      v += weights[j] * stages[j].a[i];
    }
    out.q[i] = before.q[i] + h * q;
    out.v[i] = before.v[i] + h * v;
  }
}

bool RungeKuttaTangent::evaluate(State<double>& state, double t) { return motion_.evaluate(state, t); }

std::string RungeKuttaTangent::begin(const State<double>& before, const State<double>& after,
                                     std::span<const SignalValue>) {
  const std::string ends = fmt::format("the step that ends at t = {:.6g} s", after.t);
  State<double> state = before;
  const RungeKuttaReport report = fixed_ ? mirror_.step(state, after.t) : mirror_.advance(state, after.t);
  if (!report.converged) return ends + " cannot be done again";
  double off = 0, size = 0;
  for (int i = 0; i < n_; ++i) {
    off = std::max(off, std::fabs(state.q[i] - after.q[i]));
    size = std::max(size, std::fabs(after.q[i]));
  }
  if (off > 1e-9 * size) return ends + " came out otherwise when done again";
  inner_.clear();
  times_.clear();
  State<double> begin = before;
  const Drives& drives = factor_.system.drives;
  for (const double t1 : mirror_.taken()) {
    Inner inner{t1 - begin.t, {begin}, begin, begin};
    for (int i = 1; i < method_.stages; ++i) {
      State<double> stage = begin;
      const double t = begin.t + method_.c[i] * inner.h;
      combine(begin, inner.stages, inner.h, method_.a[i], i, stage);
      drives.advance(begin.t, t, begin.lags, stage.lags);
      if (!evaluate(stage, t)) return ends + " has no accelerations";
      times_.push_back(t);
      inner.stages.push_back(std::move(stage));
    }
    combine(begin, inner.stages, inner.h, method_.b, method_.stages, inner.free);
    inner.free.t = t1;
    drives.advance(begin.t, t1, begin.lags, inner.free.lags);
    motion_.set_signals(inner.free);
    factor_.system.assembler.expand(inner.free.q.data(), inner.free.v.data(), inner.free.a.data());
    inner.end = inner.free;
    if (options_.projection == Projection::both && !motion_.project(inner.end)) return ends + " leaves its constraints";
    if (!evaluate(inner.end, t1)) return ends + " has no accelerations";
    times_.push_back(t1);
    begin = inner.end;
    inner_.push_back(std::move(inner));
  }
  return {};
}

StartEquations& RungeKuttaTangent::equations(DualResidual& residual) {
  std::unique_ptr<StartEquations>& own = equations_[&residual];
  if (own == nullptr) own = std::make_unique<StartEquations>(factor_, residual);
  return *own;
}

bool RungeKuttaTangent::accelerate(StartEquations& equations, const State<double>& at, State<Tangent>& state) {
  motion_.set_signals(at);
  if (!equations.factor(at).empty()) return false;
  for (Tangent& a : state.a) a.d = 0;
  const int ny = factor_.system.topology().ny;
  for (int i = n_; i < ny; ++i) state.q[i].d = 0;
  const std::vector<double> y = equations.changes(state);
  for (int i = 0; i < n_; ++i) state.a[i].d = y[i];
  for (int i = n_; i < ny; ++i) state.q[i].d = y[i];
  return std::ranges::all_of(y, [](double x) { return std::isfinite(x); });
}

bool RungeKuttaTangent::project(StartEquations& equations, const Inner& inner, State<Tangent>& state) {
  constexpr int most_passes = 20;
  constexpr double settled = 1e-13;
  const Topology& topology = factor_.system.topology();
  const int ny = topology.ny;
  Assembler<Tangent>& assembler = equations.residual().assembler;
  motion_.set_signals(inner.free);
  if (!equations.factor(inner.free).empty()) return false;
  std::vector<double> way(n_), turn(n_);
  for (int i = 0; i < n_; ++i) way[i] = inner.end.q[i] - inner.free.q[i], turn[i] = inner.end.v[i] - inner.free.v[i];
  const std::vector<double> m = equations.multipliers_of(way), n = equations.multipliers_of(turn);

  State<Tangent> free = unchanging(inner.free);
  for (int i = 0; i < n_; ++i) free.q[i].d = state.q[i].d, free.v[i].d = state.v[i].d;
  std::vector<Tangent> phi(ny, Tangent(0.0)), rate(phi), second(phi), force(assembler.residual_size(), Tangent(0.0)),
      penalty(force);
  const auto motion_of = [&](State<Tangent>& s, const std::vector<Tangent>& v) {
    assembler.constraint_motion(s.t, s.q.data(), v.data(), s.a.data(), {phi.data(), rate.data(), second.data()});
  };
  /// d(−Φ_qᵀ m − M x) of x = b − a, [n].
  const auto balance = [&](const std::vector<double>& multipliers, const std::vector<Tangent>& a,
                           const std::vector<Tangent>& b) {
    State<Tangent> at = free;
    for (int i = n_; i < ny; ++i) at.q[i] = Tangent(multipliers[static_cast<size_t>(i - n_)]);
    assembler.forces_of(Role::constraint, at.t, at.q.data(), at.v.data(), force.data());
    for (int i = n_; i < ny; ++i) at.q[i] = Tangent(0.0);
    assembler.forces_of(Role::constraint, at.t, at.q.data(), at.v.data(), penalty.data());
    for (size_t i = 0; i < force.size(); ++i) force[i] -= penalty[i];
    std::vector<Tangent> x = b;
    for (size_t i = 0; i < x.size(); ++i) x[i] -= a[i];
    assembler.subtract_mass_times(x.data(), Tangent(1.0), force.data());
    assembler.reduce(force.data());
    std::vector<double> out(n_);
    for (int i = 0; i < n_; ++i) out[i] = force[i].d;
    return out;
  };
  const auto rows_of = [&](auto&& value) {
    std::vector<double> out(ny - n_, 0.0);
    for (const int row : equations.matrix().rows()) out[row - n_] = value(row);
    return out;
  };
  equations.residual().expand(free);
  // q₁, and what m changes by on the way.
  std::vector<double> dm(ny - n_, 0.0);
  for (int pass = 0; pass < most_passes; ++pass) {
    equations.residual().expand(state);
    std::vector<double> r = balance(m, free.q, state.q);
    for (const auto& c : equations.matrix().couplings()) r[c.column] -= equations.matrix().value(c) * dm[c.row - n_];
    motion_of(state, state.v);
    const std::vector<double> y = equations.solve(r, rows_of([&](int row) { return -phi[row].d; }));
    double moved = 0, size = 0;
    for (int i = 0; i < n_; ++i) {
      state.q[i].d += y[i];
      moved = std::max(moved, std::fabs(y[i]));
      size = std::max(size, std::fabs(state.q[i].d));
    }
    for (int i = n_; i < ny; ++i) dm[i - n_] += y[i];
    if (!std::isfinite(moved)) return false;
    if (moved <= settled * size) break;
  }
  equations.residual().expand(state);
  // v₁ = v* + δ.
  std::vector<Tangent> star = state.v, still(state.v.size(), Tangent(0.0)), delta(still);
  for (int i = 0; i < n_; ++i) star[i] = free.v[i], delta[i] = Tangent(turn[i]);
  State<Tangent> late = state;
  late.v = star;
  equations.residual().expand(late);
  motion_of(late, late.v);
  std::vector<double> rows = rows_of([&](int row) { return -rate[row].d; });
  motion_of(free, delta);
  for (const int row : equations.matrix().rows()) rows[row - n_] -= rate[row].d;
  motion_of(free, still);
  for (const int row : equations.matrix().rows()) rows[row - n_] += rate[row].d;
  std::vector<Tangent> moved_v = free.v;
  for (int i = 0; i < n_; ++i) moved_v[i] = free.v[i] + delta[i];
  State<Tangent> shifted = free;
  shifted.v = moved_v;
  equations.residual().expand(shifted);
  const std::vector<double> y = equations.solve(balance(n, free.v, shifted.v), rows);
  for (int i = 0; i < n_; ++i) state.v[i].d = free.v[i].d + y[i];
  equations.residual().expand(state);
  return std::ranges::all_of(y, [](double x) { return std::isfinite(x); });
}

bool RungeKuttaTangent::forward(DualResidual& residual, const State<Tangent>& before, State<Tangent>& after,
                                std::span<const TangentSignals> signals, double) {
  StartEquations& own = equations(residual);
  const int ny = factor_.system.topology().ny;
  const auto use = [&](const TangentSignals& s) { residual.assembler.set_signals(s.u, s.du, s.ddu); };
  State<Tangent> begin = before;
  size_t read = 0;
  for (const Inner& inner : inner_) {
    std::vector<State<Tangent>> stages{begin};
    const auto combined = [&](const double* weights, int count, State<Tangent>& out) {
      for (int i = 0; i < n_; ++i) {
        double q = 0, v = 0;
        for (int j = 0; j < count; ++j) {
          q += weights[j] * stages[j].v[i].d;
          v += weights[j] * stages[j].a[i].d;
        }
        out.q[i].d = begin.q[i].d + inner.h * q;
        out.v[i].d = begin.v[i].d + inner.h * v;
      }
    };
    for (int i = 1; i < method_.stages; ++i) {
      State<Tangent> stage = unchanging(inner.stages[i]);
      combined(method_.a[i], i, stage);
      use(signals[read++]);
      if (!accelerate(own, inner.stages[i], stage)) return false;
      stages.push_back(std::move(stage));
    }
    State<Tangent> end = unchanging(inner.end);
    combined(method_.b, method_.stages, end);
    use(signals[read++]);
    if (options_.projection == Projection::both && own.has_rows() && !project(own, inner, end)) return false;
    if (!accelerate(own, inner.end, end)) return false;
    begin = std::move(end);
  }
  for (int i = 0; i < ny; ++i) after.q[i].d = begin.q[i].d;
  for (int i = 0; i < n_; ++i) {
    after.v[i].d = begin.v[i].d;
    after.a[i].d = after.a_alg[i].d = begin.a[i].d;
  }
  residual.expand(after);
  return true;
}

}  // namespace flexura
