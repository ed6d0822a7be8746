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
      motion_(factor, options.drift, options.accelerations) {
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
    factor_.system.look_back(begin);
    for (int i = 1; i < method_.stages; ++i) {
      State<double> stage = begin;
      const double t = begin.t + method_.c[i] * inner.h;
      combine(begin, inner.stages, inner.h, method_.a[i], i, stage);
      drives.advance(begin.t, t, begin.lags, stage.lags);
      if (!motion_.evaluate(stage, t)) return ends + " has no accelerations";
      times_.push_back(t);
      inner.stages.push_back(std::move(stage));
    }
    combine(begin, inner.stages, inner.h, method_.b, method_.stages, inner.free);
    inner.free.t = t1;
    drives.advance(begin.t, t1, begin.lags, inner.free.lags);
    motion_.expand(inner.free);
    inner.end = inner.free;
    if (options_.projection == Projection::both && !motion_.project(inner.end)) return ends + " leaves its constraints";
    if (!motion_.evaluate(inner.end, t1)) return ends + " has no accelerations";
    factor_.system.accept_history(inner.end);
    times_.push_back(t1);
    begin = inner.end;
    inner_.push_back(std::move(inner));
  }
  return {};
}

bool RungeKuttaTangent::forward(DualResidual& residual, const State<Tangent>& before, State<Tangent>& after,
                                std::span<const TangentSignals> signals, double) {
  StartEquations& own = motion_.equations(residual);
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
      if (!motion_.accelerate(own, inner.stages[i], stage)) return false;
      stages.push_back(std::move(stage));
    }
    State<Tangent> end = unchanging(inner.end);
    combined(method_.b, method_.stages, end);
    use(signals[read++]);
    if (options_.projection == Projection::both && own.has_rows() && !motion_.project(own, inner.free, inner.end, end))
      return false;
    if (!motion_.accelerate(own, inner.end, end)) return false;
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
