#include "flexura/solve/unbalanced_force.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexura/solve/culprit.hpp"

namespace flexura {
namespace {

constexpr double negligible = 1e-4;  ///< of the largest force per √mass: statics with a tolerance of 1e-5 is below
constexpr double rounding = 1e3 * std::numeric_limits<double>::epsilon();

struct Balance {
  std::vector<double> residual, acting, stiffness, mass;  ///< [ny], reduced; diagonals
};

Balance balance_at(System<double>& system, const State<double>& state) {
  const Topology& t = system.topology();
  Assembler<double>& assembler = system.assembler;
  std::vector<double> q = state.q, v(q.size(), 0.0), a(q.size(), 0.0), values(system.values.size());
  system.drives.enter(state.t);
  system.look_back(state);
  assembler.set_signals(system.drives.at_rest(state.t, state.lags));
  assembler.expand(q.data(), v.data(), a.data());
  std::fill(v.begin(), v.end(), 0.0);
  Balance out;
  const auto size = static_cast<size_t>(assembler.residual_size()), ny = static_cast<size_t>(t.ny);
  out.residual.resize(size), out.acting.resize(size);
  out.stiffness.resize(ny), out.mass.resize(ny);
  assembler.residual(state.t, q.data(), v.data(), out.residual.data(), out.acting.data());
  std::fill(out.acting.begin() + t.nq, out.acting.end(), 0.0);
  assembler.reduce(out.residual.data());
  assembler.reduce(out.acting.data());
  assembler.tangent(state.t, q.data(), v.data(), 0.0, 0.0, values.data());
  system.solver.diagonal(values, std::span<double>(out.stiffness));
  assembler.mass_matrix(values.data());
  system.solver.diagonal(values, std::span<double>(out.mass));
  return out;
}

}  // namespace

UnbalancedForce unbalanced_force(System<double>& system, const State<double>& state) {
  const Topology& t = system.topology();
  const Balance balance = balance_at(system, state);
  double acting = 0, elastic = 0;
  for (int i = 0; i < t.ncoord; ++i) {
    if (balance.mass[i] > 0) acting = std::max(acting, std::fabs(balance.acting[i]) / std::sqrt(balance.mass[i]));
    elastic = std::max(elastic, std::sqrt(std::fabs(balance.stiffness[i])) * std::fabs(state.q[i]));
  }
  const auto counts = [&](int i) {
    const double size = std::fabs(balance.residual[i]);
    return balance.mass[i] > 0 && size > negligible * acting * std::sqrt(balance.mass[i]) &&
           size > rounding * elastic * std::sqrt(std::fabs(balance.stiffness[i]));
  };
  UnbalancedForce out;
  bool at_point = false;
  for (size_t s = 0; s < t.slots.size(); ++s) {
    const Slot& slot = t.slots[s];
    if (slot.dependent >= 0 || slot.offset >= t.ncoord) continue;
    const bool point = slot.kind == SlotKind::point;
    double square = 0;
    bool any = false;
    for (int i = slot.offset; i < slot.offset + slot.size; ++i) {
      any = any || counts(i);
      square += balance.residual[i] * balance.residual[i];
    }
    if (!any || (at_point && !point) || (at_point == point && !(std::sqrt(square) > out.size))) continue;
    at_point = point;
    out = {static_cast<int>(s), std::sqrt(square), residual_unit(t, slot.offset)};
  }
  return out;
}

std::string imbalance_text(const Topology& topology, const UnbalancedForce& force) {
  if (!force) return {};
  return fmt::format("the state is no equilibrium: unbalanced {} {:.3g}{} at {}; add a static analysis before it",
                     force.unit == " N m" ? "moment" : "force", force.size, force.unit,
                     topology.slot_names[static_cast<size_t>(force.slot)]);
}

}  // namespace flexura
