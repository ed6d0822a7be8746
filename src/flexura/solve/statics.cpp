#include "flexura/solve/statics.hpp"

#include <algorithm>
#include <cmath>

#include "flexura/model/contact_model.hpp"
#include "flexura/solve/extent.hpp"

namespace flexura {
StaticSolver::StaticSolver(System<double>& system, const StaticOptions& options)
    : system_(system), options_(options), newton_(system, options.newton), flow_(system, options.newton) {
  refuse_contacts(system.topology().contacts.get(), "statics");
  multipliers_ = system.topology().ny - system.topology().ncoord;
  flow_.options().tolerance = 1e-6;
  flow_.options().max_iterations = 12;
}

bool StaticSolver::newton_step(State<double>& state, StaticReport& report, bool must_be_stable, bool line_search) {
  newton_.options().line_search = line_search;
  const State<double> before = state;
  StageWeights w;
  w.inertia = false;
  newton_.reset();
  report.last = newton_.solve(state, w);
  report.iterations += report.last.iterations;
  double moved = 0;
  for (const Slot& slot : system_.topology().slots)
    if (slot.kind == SlotKind::point)
      for (int i = 0; i < slot.size; ++i)
        moved = std::max(moved, std::fabs(state.q[slot.offset + i] - before.q[slot.offset + i]));
  report.unstable_directions = system_.unstable_directions(static_cast<int>(newton_.negative_pivots()) - multipliers_ +
                                                           static_cast<int>(newton_.redundant_rows().size()));
  report.unstable = report.unstable_directions > 0;
  const bool plausible = moved <= 0.5 * length_ && !report.unstable;
  if (report.last.converged && (plausible || !must_be_stable)) return true;
  state = before;
  return false;
}

bool StaticSolver::pseudo_transient(State<double>& state, StaticReport& report) {
  const int ncoord = system_.topology().ncoord;
  double dtau = 0;
  {  // a first step that moves the system by about a tenth of its size
    std::vector<double> r(system_.assembler.residual_size());
    system_.assembler.residual(state.t, state.q.data(), state.v.data(), r.data());
    system_.assembler.reduce(r.data());
    std::vector<double> m(system_.topology().ny);
    system_.assembler.mass_matrix(system_.values.data());
    system_.solver.diagonal(system_.values, std::span<double>(m));
    double fastest = 0;
    for (const Slot& slot : system_.topology().slots)
      if (slot.kind == SlotKind::point && slot.block >= 0)
        for (int i = slot.offset; i < slot.offset + slot.size; ++i)
          if (m[i] > 0) fastest = std::max(fastest, std::fabs(r[i]) / m[i]);
    dtau = fastest > 0 ? 0.02 * length_ / fastest : 1.0;
  }
  for (int step = 0; step < options_.max_pseudo_steps && !stopped(report); ++step) {
    const State<double> before = state;
    std::fill(state.a.begin(), state.a.end(), 0.0);
    StageWeights w;
    w.cm = w.da = 1 / dtau;
    flow_.reset();
    report.last = flow_.solve(state, w);
    report.iterations += report.last.iterations;
    ++report.pseudo_steps;
    double moved = 0;
    for (const Slot& slot : system_.topology().slots)
      if (slot.kind == SlotKind::point)
        for (int i = slot.offset; i < slot.offset + slot.size; ++i)
          moved = std::max(moved, std::fabs(state.q[i] - before.q[i]));
    if (!report.last.converged || moved > 0.3 * length_) {
      state = before;
      dtau *= 0.25;
      if (!(dtau > 1e-15)) return false;
      continue;
    }
    for (int i = 0; i < ncoord; ++i) state.a[i] = 0;
    if (moved < 1e-3 * length_) {
      if (newton_step(state, report, true)) return true;
      dtau *= 4;
      if (moved < 1e-9 * length_) return newton_step(state, report, false);
    } else {
      dtau *= moved < 0.1 * length_ ? 2.0 : 1.0;
    }
  }
  return false;
}

bool StaticSolver::stopped(StaticReport& report) const {
  return report.stopped = report.stopped || (options_.stop && options_.stop());
}

bool StaticSolver::equilibrium(State<double>& state, StaticReport& report) {
  system_.assembler.forces_of(Role::load, state.t, state.q.data(), state.v.data(), newton_.reference_force().data());
  flow_.reference_force() = newton_.reference_force();
  return newton_step(state, report, true) || newton_step(state, report, true, true) || pseudo_transient(state, report);
}

StaticReport StaticSolver::solve(State<double>& state,
                                 const std::function<void(double, const State<double>&)>& accept) {
  StaticReport report;
  std::fill(state.v.begin(), state.v.end(), 0.0);
  std::fill(state.a.begin(), state.a.end(), 0.0);
  std::fill(state.a_alg.begin(), state.a_alg.end(), 0.0);
  const std::vector<double> from = state.loads;
  system_.drives.enter(state.t);
  system_.drives.restart_lags(state.t, state.lags);
  length_ = extent(system_.topology(), state.q);
  double factor = 0, step = options_.first_step;
  const auto leave = [&] {
    system_.look_back(state);
    return report;
  };
  system_.look_back(state);
  if (accept) accept(0.0, state);
  while (factor < 1) {
    if (stopped(report)) return leave();
    system_.look_back(state, forever);
    const double target = factor + step >= 1 - 1e-12 ? 1.0 : factor + step;
    const State<double> before = state;
    const int iterations = report.iterations;
    system_.assembler.set_signals(system_.drives.blend(state.t, state.lags, from, target));
    if (!equilibrium(state, report)) {
      state = before;
      step *= 0.5;
      if (step < options_.smallest_step) return leave();
      continue;
    }
    system_.accept_history(state);
    factor = report.load_factor = target;
    ++report.load_steps;
    if (accept) accept(factor, state);
    if (report.iterations - iterations <= 6) step = std::min(2 * step, options_.largest_step);
  }
  system_.drives.values(state.loads);
  report.converged = true;
  return report;
}

}  // namespace flexura
