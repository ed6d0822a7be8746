#include "flexura/integrate/adams_tangent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flexura {

AdamsTangent::AdamsTangent(TangentFactor& factor, const AdamsOptions& options)
    : factor_(factor),
      options_(options),
      n_(factor.system.topology().ncoord),
      mirror_(factor.system, options),
      motion_(factor, options.drift, options.accelerations) {
  mirror_.keep_taken();
}

void AdamsTangent::open(const State<double>& state, double end) {
  factor_.system.drives.end_at(end);
  factor_.system.drives.enter(state.t);
  past_.clear();
}

std::string AdamsTangent::begin(const State<double>& before, const State<double>& after, std::span<const SignalValue>) {
  const std::string ends = fmt::format("the step that ends at t = {:.6g} s", after.t);
  State<double> state = before;
  if (!mirror_.advance(state, after.t, std::max(after.t, until_)).converged) return ends + " cannot be done again";
  double off = 0, size = 0;
  for (int i = 0; i < n_; ++i) {
    off = std::max(off, std::fabs(state.q[i] - after.q[i]));
    size = std::max(size, std::fabs(after.q[i]));
  }
  if (off > 1e-9 * size) return ends + " came out otherwise when done again";
  if (mirror_.began()) past_.clear();
  times_.clear();
  for (const Adams::Taken& taken : mirror_.taken()) times_.push_back(taken.end.t);
  times_.push_back(after.t);
  return {};
}

AdamsTangent::Past AdamsTangent::past_of(const State<Tangent>& state) const {
  Past past;
  past.front.resize(2 * static_cast<size_t>(n_));
  past.differences.assign(static_cast<size_t>(options_.max_order) + 3, past.front);
  for (int i = 0; i < n_; ++i) {
    past.front[i] = state.q[i].d;
    past.front[n_ + i] = past.differences[0][i] = state.v[i].d;
    past.differences[0][n_ + i] = state.a[i].d;
  }
  return past;
}

bool AdamsTangent::forward(DualResidual& residual, const State<Tangent>& before, State<Tangent>& after,
                           std::span<const TangentSignals> signals, double) {
  StartEquations& own = motion_.equations(residual);
  const auto [found, fresh] = past_.try_emplace(&residual);
  Past& past = found->second;
  if (fresh) past = past_of(before);
  const auto use = [&](const TangentSignals& s) { residual.assembler.set_signals(s.u, s.du, s.ddu); };
  const auto place = [&](const std::vector<double>& y, State<Tangent>& to) {
    for (int i = 0; i < n_; ++i) to.q[i].d = y[i], to.v[i].d = y[n_ + i];
  };
  const auto add = [](double factor, const std::vector<double>& x, std::vector<double>& y) {
    for (size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
  };
  /// q̇ and v̇ of a state on its way.
  const auto slopes = [&](const State<double>& at, State<Tangent>& state, std::vector<double>& f) {
    if (!motion_.accelerate(own, at, state)) return false;
    for (int i = 0; i < n_; ++i) f[i] = state.v[i].d, f[n_ + i] = state.a[i].d;
    return true;
  };
  const bool projects = options_.projection == Projection::both && own.has_rows();
  std::vector<double> y, there(past.front.size()), f(past.front.size());
  size_t read = 0;
  for (const Adams::Taken& taken : mirror_.taken()) {
    use(signals[read++]);
    y = past.front;
    std::ranges::fill(there, 0.0);
    for (int j = 0; j < taken.order; ++j) {
      add(taken.c[j] * taken.beta[j], past.differences[j], y);
      add(taken.beta[j], past.differences[j], there);
    }
    State<Tangent> predicted = unchanging(taken.predicted);
    place(y, predicted);
    if (!slopes(taken.predicted, predicted, f)) return false;
    add(-1, there, f);
    add(taken.c[taken.order], f, y);
    State<Tangent> end = unchanging(taken.end);
    place(y, end);
    if (projects && !motion_.project(own, taken.free, taken.end, end)) return false;
    if (!slopes(taken.end, end, f)) return false;
    for (int i = 0; i < n_; ++i) past.front[i] = end.q[i].d, past.front[n_ + i] = end.v[i].d;
    for (int j = 0; j < taken.kept; ++j) {
      std::swap(past.differences[j], f);  // f: Φ_j of before, and the new one is its successor's beginning
      for (size_t i = 0; i < f.size(); ++i) f[i] = past.differences[j][i] - taken.beta[j] * f[i];
    }
  }
  use(signals[read]);
  const Adams::Delivered& delivered = mirror_.delivered();
  y = past.front;
  if (delivered.between)
    for (int j = 0; j < delivered.terms; ++j) add(delivered.w[j], past.differences[j], y);
  State<Tangent> end = unchanging(delivered.end);
  place(y, end);
  if (delivered.between && projects && !motion_.project(own, delivered.free, delivered.end, end)) return false;
  if (!motion_.accelerate(own, delivered.end, end)) return false;
  for (int i = 0; i < factor_.system.topology().ny; ++i) after.q[i].d = end.q[i].d;
  for (int i = 0; i < n_; ++i) {
    after.v[i].d = end.v[i].d;
    after.a[i].d = after.a_alg[i].d = end.a[i].d;
  }
  residual.expand(after);
  return true;
}

}  // namespace flexura
