#include "flexura/solve/redundancy.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {

RowName row_name(const Topology& topology, int row) {
  RowName out;
  int slot = -1;
  for (size_t s = 0; s < topology.slots.size(); ++s) {
    const Slot& candidate = topology.slots[s];
    if (candidate.multiplier && row >= candidate.offset && row < candidate.offset + candidate.size)
      slot = static_cast<int>(s);
  }
  if (slot < 0) return out;
  out.multiplier = topology.slot_names[slot];
  for (const ItemBatch& batch : topology.batches) {
    const TermInfo& info = batch.type->info;
    if (info.role != Role::constraint) continue;
    const size_t width = info.slots.size();
    for (size_t k = 0; k < batch.slots.size(); ++k)
      if (info.slots[k % width] != SlotKind::signal && batch.slots[k] == slot)
        out.item = topology.item_names[batch.names[k / width]];
  }
  return out;
}

std::vector<RowName> row_names(const Topology& topology, std::span<const int> rows) {
  std::vector<RowName> out;
  for (int row : rows) out.push_back(row_name(topology, row));
  return out;
}

std::vector<NearlyRedundantRow> nearly_redundant_rows(Constraints& constraints) {
  constexpr double rounding = 1e-10;  // of places in files too, given with eleven digits
  const ConstraintMatrix<double>& matrix = constraints.matrix();
  const std::vector<double>& mass = matrix.mass();
  std::vector<NearlyRedundantRow> out;
  std::vector<double> x(mass.size());
  for (const int r : constraints.redundant()) {
    std::fill(x.begin(), x.end(), 0.0);
    for (const auto& c : matrix.couplings())
      if (c.row == r) x[c.column] = matrix.value(c);
    constraints.solve(x);
    double left = 0;
    for (size_t i = 0; i < x.size(); ++i) left += std::max(mass[i], 0.0) * x[i] * x[i];
    left = std::sqrt(left / matrix.row_scale()[r]);
    if (left > rounding && left < 1) out.push_back({r, left});
  }
  return out;
}

std::vector<double> minimum_norm_multipliers(Constraints& constraints, const Topology& topology,
                                             const State<double>& state) {
  const int ny = topology.ny;
  std::vector<double> lambda(ny, 0.0);
  for (int row : constraints.rows()) lambda[row] = state.q[row];
  if (constraints.count() == 0 || !constraints.factor(state)) return lambda;
  const auto inner = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (int row : constraints.rows()) sum += a[row] * b[row];
    return sum;
  };
  const ConstraintMatrix<double>& matrix = constraints.matrix();
  const std::vector<int> redundant = constraints.redundant();
  std::vector<std::vector<double>> null;
  for (int r : redundant) {
    std::vector<double> n(ny, 0.0);
    for (const auto& c : matrix.couplings())
      if (c.row == r) n[c.column] = matrix.value(c);
    constraints.solve(n);
    for (int row : constraints.rows()) n[row] = -n[row];
    n[r] = 1;
    for (int pass = 0; pass < 2; ++pass)  // the second makes it orthogonal to rounding
      for (const auto& other : null) {
        const double share = inner(n, other);
        for (int row : constraints.rows()) n[row] -= share * other[row];
      }
    const double length = std::sqrt(inner(n, n));
    if (!(length > 1e-12) || !std::isfinite(length)) continue;
    for (int row : constraints.rows()) n[row] /= length;
    null.push_back(std::move(n));
  }
  for (const auto& n : null) {
    const double share = inner(lambda, n);
    for (int row : constraints.rows()) lambda[row] -= share * n[row];
  }
  return lambda;
}

std::vector<double> minimum_norm_multipliers(System<double>& system, const State<double>& state) {
  Constraints constraints(system);
  return minimum_norm_multipliers(constraints, system.topology(), state);
}

}  // namespace flexura
