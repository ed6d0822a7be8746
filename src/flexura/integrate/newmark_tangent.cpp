#include "flexura/integrate/newmark_tangent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

bool all_zero(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return value == 0; });
}

}  // namespace

Cotangent::Cotangent(const Topology& topology)
    : q(topology.nq, 0.0),
      v(topology.nq, 0.0),
      a(topology.nq, 0.0),
      a_alg(topology.ncoord, 0.0),
      history(topology.history, 0.0) {}

void Cotangent::clear() {
  for (auto* x : {&q, &v, &a, &a_alg, &history}) std::fill(x->begin(), x->end(), 0.0);
}

bool Cotangent::is_zero() const {
  return all_zero(q) && all_zero(v) && all_zero(a) && all_zero(a_alg) && all_zero(history);
}

bool SignalCotangent::is_zero() const { return all_zero(u) && all_zero(du) && all_zero(ddu); }

void fold_dependents(const Topology& topology, const Values& values, Cotangent& z, SignalCotangent& signals) {
  for (const Dependent& d : topology.dependents) {
    const Slot& slot = topology.slots[d.slot];
    for (int i = 0; i < slot.size; ++i) {
      for (auto* x : {&z.q, &z.v, &z.a}) {
        const double felt = std::exchange((*x)[slot.offset + i], 0.0);
        if (felt == 0) continue;
        for (const Weight& w : d.weights) {
          const Slot& master = topology.slots[w.master];
          for (int j = 0; j < master.size; ++j)
            (*x)[master.offset + j] += values.weights[w.first + i * master.size + j] * felt;
        }
        std::vector<double>& to = x == &z.q ? signals.u : x == &z.v ? signals.du : signals.ddu;
        for (const Drive& drive : d.drives) to[drive.signal] += values.directions[drive.first + i] * felt;
      }
    }
  }
}

NewmarkTangent::NewmarkTangent(TangentFactor& factor, const NewmarkFamily& method)
    : factor_(factor),
      method_(method),
      turning_(factor.system.topology()),
      taped_turning_(factor.system.topology()),
      plain_turning_(factor.system.topology()) {}

std::string NewmarkTangent::begin(const State<double>& before, const State<double>& after,
                                  std::span<const SignalValue> signals) {
  constexpr double rounding = 1e-9;
  before_ = before;
  end_ = after.t;
  formulas_ = formulas_of(method_, after.t - before.t);
  const NewmarkFormulas& f = formulas_;
  // Whether the formulas lead from the one state to the other: a step may have been done in pieces.
  plain_turning_.begin(before, f.h);
  double off = 0, moved = 0;
  for (int i = 0; i < factor_.system.topology().ncoord; ++i) {
    const double a = plain_turning_.algorithmic()[i];
    const double a1 = f.acc_new * (after.a[i] - plain_turning_.end_acceleration()[i]) +
                      f.acc_old * plain_turning_.acceleration()[i] + f.a_old * a;
    const double q1 =
        before.q[i] + plain_turning_.way()[i] + f.h * plain_turning_.velocity()[i] + f.q_before * a + f.q_after * a1;
    off = std::max(off, std::fabs(q1 - after.q[i]));
    moved = std::max({moved, std::fabs(after.q[i] - before.q[i]), 1e-4 * std::fabs(after.q[i])});
  }
  if (off > rounding * moved)
    return fmt::format("the step that ends at t = {:.6g} s was done in pieces, or projected", after.t);
  if (!factor_.factor(after, f.weights, signals, before.history, f.h))
    return fmt::format("the equations of the step that ends at t = {:.6g} s are singular", after.t);
  return {};
}

bool NewmarkTangent::forward(DualResidual& residual, const State<Tangent>& before, State<Tangent>& after,
                             std::span<const TangentSignals> signals, double negligible) {
  residual.assembler.set_signals(signals[0].u, signals[0].du, signals[0].ddu);
  const NewmarkFormulas& f = formulas_;
  const Topology& topology = factor_.system.topology();
  turning_.begin(before, f.h);
  const auto remembered = [&](int i) {
    return f.acc_old * turning_.acceleration()[i].d + f.a_old * turning_.algorithmic()[i].d;
  };
  for (int i = 0; i < topology.ncoord; ++i) {
    const double a = turning_.algorithmic()[i].d, v = turning_.velocity()[i].d, acc = turning_.acceleration()[i].d;
    const double a1 = f.acc_new * acc + remembered(i);
    after.q[i].d = before.q[i].d + turning_.way()[i].d + f.h * v + f.q_before * a + f.q_after * a1;
    after.v[i].d = v + turning_.end_velocity()[i].d + f.v_before * a + f.v_after * a1;
    after.a[i].d = acc + turning_.end_acceleration()[i].d;
  }
  for (int i = topology.ncoord; i < topology.ny; ++i) after.q[i].d = before.q[i].d;
  residual.assembler.set_history(before.history, f.h);
  const bool solved = residual.assembler.has_history() ? factor_.solve_tangent(residual, after, f.weights, negligible)
                                                       : factor_.solve_linear(residual, after, f.weights);
  if (!solved) return false;
  for (int i = 0; i < topology.ncoord; ++i) {
    const double turning = turning_.end_acceleration()[i].d;
    after.a_alg[i].d = f.acc_new * (after.a[i].d - turning) + remembered(i) + turning;
  }
  if (residual.assembler.has_history())
    residual.assembler.remember(after.t, after.q.data(), after.v.data(), after.history.data());
  return true;
}

std::vector<double> NewmarkTangent::backward(const Cotangent& after, Cotangent& before) {
  const NewmarkFormulas& f = formulas_;
  const Topology& topology = factor_.system.topology();
  const int ncoord = topology.ncoord, ny = topology.ny;
  std::vector<double> mu(after.q.begin(), after.q.begin() + ny);
  for (int i = 0; i < ncoord; ++i)
    mu[i] += (f.v_after * after.v[i] + after.a[i] / f.acc_new + after.a_alg[i]) / f.q_after;
  factor_.solve_transposed(mu);
  std::vector<double> inertial = mu;
  std::fill(inertial.begin() + ncoord, inertial.end(), 0.0);
  inertial = factor_.mass_times(inertial);
  const std::vector<double> damped = factor_.damping_transposed_times(mu);

  // What is felt at fixed q₁, and of what the step carries on.
  const size_t n = static_cast<size_t>(ncoord);
  std::vector<double> velocity(n), acceleration(n), algorithmic(n), way(n), end_velocity(n), end_acceleration(n);
  for (int i = 0; i < ncoord; ++i) {
    const double v = after.v[i] - damped[i], a = after.a[i] - inertial[i];
    const double alpha = f.v_after * v + a / f.acc_new + after.a_alg[i];
    velocity[i] = v - f.h / f.q_after * alpha;
    end_velocity[i] = v;
    algorithmic[i] = f.v_before * v - f.a_old / f.acc_new * a - f.q_before / f.q_after * alpha;
    end_acceleration[i] = a + after.a_alg[i];
    acceleration[i] = -f.acc_old / f.acc_new * a;
    way[i] = -alpha / f.q_after;
    before.q[i] += way[i];
  }
  if (topology.rigid_bodies.empty() && topology.rods.empty()) {
    for (int i = 0; i < ncoord; ++i) {
      before.v[i] += velocity[i];
      before.a[i] += acceleration[i];
      before.a_alg[i] += algorithmic[i];
    }
    return mu;
  }
  const Tape<double>::Scope scope(tape_);
  State<Taped<double>> state;
  const auto unknowns = [](const std::vector<double>& x) {
    std::vector<Taped<double>> out;
    for (const double value : x) out.push_back(Taped<double>::unknown(value));
    return out;
  };
  state.t = before_.t;
  state.q = unknowns(before_.q);
  state.v = unknowns(before_.v);
  state.a = unknowns(before_.a);
  state.a_alg = unknowns(before_.a_alg);
  taped_turning_.begin(state, f.h);
  for (int i = 0; i < ncoord; ++i) {
    tape_.seed(taped_turning_.velocity()[i], velocity[i]);
    tape_.seed(taped_turning_.acceleration()[i], acceleration[i]);
    tape_.seed(taped_turning_.algorithmic()[i], algorithmic[i]);
    tape_.seed(taped_turning_.way()[i], way[i]);
    tape_.seed(taped_turning_.end_velocity()[i], end_velocity[i]);
    tape_.seed(taped_turning_.end_acceleration()[i], end_acceleration[i]);
  }
  tape_.sweep();
  const auto collect = [&](const std::vector<Taped<double>>& x, std::vector<double>& to) {
    for (size_t i = 0; i < to.size(); ++i) to[i] += tape_.gradient(x[i]);
  };
  collect(state.q, before.q);
  collect(state.v, before.v);
  collect(state.a, before.a);
  collect(state.a_alg, before.a_alg);
  return mu;
}

}  // namespace flexura
