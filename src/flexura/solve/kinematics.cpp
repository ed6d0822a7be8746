#include "flexura/solve/kinematics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

constexpr int most_halvings = 10;  ///< of a step
/// Of directions in one part of a step [rad]: two that turn against each other are followed up to half a turn.
constexpr double wanted_turn = 1, largest_turn = 1.5;

/// Slots that move most in directions that the constraints leave free. Directions are projections of unit motions of one
/// coordinate, √m times as large as its mass asks, until `wanted` independent ones are found.
std::vector<int> free_slots(Constraints& constraints, const Topology& topology, int wanted) {
  constexpr int most = 8;
  const ConstraintMatrix<double>& matrix = constraints.matrix();
  std::vector<int> out;
  std::vector<double> y(topology.ny);
  double seed = 0.5;
  for (int k = 0; k < std::min(wanted, most); ++k) {
    // f = M x₀ with pseudo-random x₀: x is x₀ projected on Φ_q x = 0.
    for (int i = 0; i < topology.ny; ++i) {
      seed = std::fmod(seed * 997.0 + 0.12345, 1.0);
      const double m = i < topology.ncoord ? std::max(matrix.mass()[i], 1e-12) : 0;
      y[i] = m * (2 * seed - 1);
    }
    constraints.solve(y);
    int best = -1;
    double size = 0;
    for (size_t s = 0; s < topology.slots.size(); ++s) {
      const Slot& slot = topology.slots[s];
      if (slot.dependent >= 0 || slot.multiplier || std::find(out.begin(), out.end(), s) != out.end()) continue;
      double moved = 0;
      for (int i = slot.offset; i < slot.offset + slot.size; ++i) moved = std::max(moved, std::fabs(y[i]));
      if (moved > size) size = moved, best = static_cast<int>(s);
    }
    if (best >= 0) out.push_back(best);
  }
  return out;
}

std::string list(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < names.size(); ++i) out += fmt::format("{}'{}'", i ? ", " : "", names[i]);
  return out;
}

}  // namespace

FreedomCount count_dof(Constraints& constraints, const Topology& topology, const State<double>& state) {
  FreedomCount out;
  for (const Slot& slot : topology.slots) {
    if (slot.multiplier) continue;
    out.coordinates += slot.size;
    if (slot.dependent >= 0) out.eliminated += slot.size;
  }
  out.multipliers = constraints.count();
  constraints.factor(state);
  out.redundant = constraints.redundant();
  out.dof = constraints.degrees_of_freedom();
  if (out.dof > 0) out.free = free_slots(constraints, topology, out.dof);
  return out;
}

std::string FreedomCount::text(const Topology& topology) const {
  std::string out =
      fmt::format("{} coordinates − {} eliminated − {} constraints", coordinates, eliminated, multipliers);
  if (!redundant.empty()) {
    std::vector<std::string> names;
    for (const RowName& name : row_names(topology, redundant)) names.push_back(name.item);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    out += fmt::format(" + {} redundant ({})", redundant.size(), list(names));
  }
  out += fmt::format(" = {} degree{} of freedom", dof, dof == 1 ? "" : "s");
  constexpr int few = 3;  // of many, as of a cable, the names say nothing
  if (!free.empty() && dof <= few) {
    std::vector<std::string> names;
    for (int slot : free) names.push_back(topology.slot_names[slot]);
    out += fmt::format("; moves freely: {}", list(names));
  }
  return out;
}

Kinematics::Kinematics(System<double>& system) : system_(system), constraints_(system) {
  reaction_.assign(system.topology().nq, 0.0);
  residual_.assign(system.assembler.residual_size(), 0.0);
}

void Kinematics::set_signals(const State<double>& state) {
  system_.assembler.set_signals(system_.drives.at(state.t, state.lags));
}

KinematicReport Kinematics::solve(State<double>& state) {
  const Topology& topology = system_.topology();
  Assembler<double>& assembler = system_.assembler;
  KinematicReport report;
  const State<double> before = state;
  set_signals(state);
  report.positions = constraints_.project_positions(state);
  const auto fail = [&](std::string problem) {
    report.problem = std::move(problem);
    state = before;
    return report;
  };
  if (!report.positions.converged) {
    const RowName worst = row_name(topology, report.positions.worst);
    std::string what = fmt::format("cannot close at t = {:g} s: '{}' is off by {:.3g}", state.t, worst.item,
                                   report.positions.violation);
    if (!constraints_.redundant().empty()) {
      std::vector<std::string> names;
      for (const RowName& name : row_names(topology, constraints_.redundant())) names.push_back(name.item);
      what += fmt::format("; driven or held more than once: {}", list(names));
    }
    return fail(what);
  }
  if (constraints_.factor(state); constraints_.degrees_of_freedom() > 0)
    return fail("not driven completely: " + count_dof(constraints_, topology, state).text(topology));
  std::fill(state.v.begin(), state.v.begin() + topology.ncoord, 0.0);
  report.velocities = constraints_.project_velocities(state);
  if (!report.velocities.converged)
    return fail(fmt::format("no velocity at t = {:g} s fits '{}': a dead centre", state.t,
                            row_name(topology, report.velocities.worst).item));
  if (!constraints_.accelerations(state))
    return fail(fmt::format("no acceleration at t = {:g} s: a singular position", state.t));
  if (!constraints_.redundant().empty()) {
    const std::vector<double> lambda = minimum_norm_multipliers(constraints_, topology, state);
    for (int row : constraints_.rows()) state.q[row] = lambda[row];
  }
  assembler.residual(state.t, state.q.data(), state.v.data(), residual_.data());
  assembler.subtract_mass_times(state.a.data(), 1.0, residual_.data());
  assembler.subtract_damping(state.v.data(), residual_.data());
  for (int i = 0; i < topology.nq; ++i) reaction_[i] = i < topology.ny ? 0.0 : -residual_[i];
  report.ok = true;
  return report;
}

KinematicReport Kinematics::move(State<double>& state, double t1) {
  const State<double> before = state;
  const double h = t1 - state.t;
  double way = 0;
  for (int i = 0; i < system_.topology().ncoord; ++i) {
    const double step = h * (state.v[i] + 0.5 * h * state.a[i]);
    way = std::max(way, std::fabs(step));
    state.q[i] += step;
  }
  state.t = t1;
  system_.drives.advance(before.t, t1, before.lags, state.lags);
  const std::vector<double> predicted = state.q;
  system_.look_back(before, h);
  KinematicReport report = solve(state);
  if (report.ok) {
    double corrected = 0;
    for (int i = 0; i < system_.topology().ncoord; ++i)
      corrected = std::max(corrected, std::fabs(state.q[i] - predicted[i]));
    if (corrected > 0.5 * way && corrected > 1e-9) {
      report.ok = false;
      report.problem = fmt::format("the motion jumps at t = {:g} s: a dead centre or another branch", t1);
    }
  }
  if (report.ok) {
    system_.accept_history(state);
  } else {
    state = before;
    system_.look_back(state);
  }
  return report;
}

/// By how much anything turns in a step of h at the rates of the state [rad].
double Kinematics::turned(const State<double>& state, double h) const {
  return std::fabs(h) * system_.angles.fastest(state.angles);
}

KinematicReport Kinematics::step(State<double>& state, double t1) {
  const State<double> before = state;
  const double h = t1 - state.t;
  const double turn = turned(state, h);
  const int first = turn > wanted_turn ? static_cast<int>(std::ceil(std::log2(turn / wanted_turn))) : 0;
  KinematicReport report;
  for (int halvings = std::min(first, most_halvings); halvings <= most_halvings; ++halvings) {
    const int steps = 1 << halvings;
    bool followed = true;
    for (int k = 1; k <= steps && followed; ++k) {
      report = move(state, k == steps ? t1 : before.t + k * h / steps);
      if (!report.ok) break;
      followed = halvings == most_halvings || turned(state, h / steps) < largest_turn;
    }
    if (report.ok && followed) return report;
    state = before;
    system_.look_back(state);
  }
  return report;
}

}  // namespace flexura
