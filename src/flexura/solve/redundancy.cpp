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

namespace {

/// Rows that vanish at the state, and nowhere near it.
std::vector<int> vanishing_rows(System<double>& system, Constraints& constraints, const State<double>& state) {
  constexpr double nearby = 1e-3;     // of the largest coordinate
  constexpr double vanishes = 1e-11;  // of the same row nearby
  const Topology& topology = system.topology();
  double size = 0;
  for (int i = 0; i < topology.ncoord; ++i) size = std::max(size, std::fabs(state.q[i]));
  std::vector<double> here(topology.ny, 0.0), there(topology.ny, 0.0);
  State<double> at = state;
  for (const bool moved : {true, false}) {
    at.q = state.q;
    for (int i = 0; i < topology.ncoord && moved; ++i)
      at.q[i] += nearby * (size > 0 ? size : 1) * (1 + 0.5 * std::sin(2.0 + 5.0 * i));
    system.assembler.expand(at.q.data(), at.v.data(), at.a.data());
    constraints.evaluate(at);
    std::vector<double>& largest = moved ? there : here;
    for (const auto& c : constraints.matrix().couplings())
      largest[c.row] = std::max(largest[c.row], std::fabs(constraints.matrix().value(c)));
  }
  std::vector<int> out;
  for (const int row : constraints.rows())
    if (here[row] < vanishes * there[row]) out.push_back(row);
  return out;
}

}  // namespace

SingularStart singular_start(System<double>& system, Constraints& constraints, const State<double>& state) {
  const Topology& topology = system.topology();
  constexpr double rounding = 1e-6;   // of what a row's second derivative is made of
  constexpr double of_others = 1e-9;  // of the largest of all rows
  constexpr double involved = 0.05;   // of the largest part
  SingularStart out;
  const std::vector<int> vanishing = vanishing_rows(system, constraints, state);
  std::vector<int> redundant = constraints.redundant();
  for (const int row : vanishing)
    if (std::ranges::find(redundant, row) == redundant.end()) redundant.push_back(row);
  if (redundant.empty()) return out;
  // Rounding of a row that vanishes must not hold anything.
  if (!vanishing.empty()) {
    std::vector<double> released(topology.ny, 0.0);
    for (const int row : vanishing) released[row] = 1;
    constraints.factor(state, released);
  }
  const ConstraintMatrix<double>& matrix = constraints.matrix();
  const auto& scale = matrix.row_scale();
  std::vector<double> x(topology.ny, 0.0), any(topology.ny, 0.0);
  for (int i = 0; i < topology.ncoord; ++i) {
    any[i] = 1 + 0.5 * std::sin(2.0 + 5.0 * i);
    x[i] = matrix.mass()[i] * any[i];
  }
  constraints.solve(x);
  State<double> moving = state;
  std::fill(moving.a.begin(), moving.a.end(), 0.0);
  const auto curvature_along = [&](const std::vector<double>& velocity) {
    std::vector<double> sum(topology.ny, 0.0);
    for (const auto& [share, weight] : {std::pair{1.0, 0.5}, std::pair{-1.0, 0.5}, std::pair{0.0, -1.0}}) {
      std::fill(moving.v.begin(), moving.v.end(), 0.0);
      for (int i = 0; i < topology.ncoord; ++i) moving.v[i] = share * velocity[i];
      system.assembler.expand(moving.q.data(), moving.v.data(), moving.a.data());
      const double* second = constraints.motion(moving).second;
      for (const int row : constraints.rows()) sum[row] += weight * second[row];
    }
    return sum;
  };
  const std::vector<double> curvature = curvature_along(x), natural = curvature_along(any);
  std::vector<double> a(topology.ny, 0.0);
  double most = 0;
  for (const int row : constraints.rows()) {
    a[row] = -curvature[row];
    const double largest = std::max(std::fabs(curvature[row]), std::fabs(natural[row]));
    if (scale[row] > 0) most = std::max(most, largest / std::sqrt(scale[row]));
  }
  constraints.solve(a);
  std::vector<double> rest = curvature, parts(topology.ny, 0.0), null(topology.ny);
  for (const auto& c : matrix.couplings()) {
    rest[c.row] += matrix.value(c) * a[c.column];
    parts[c.row] += std::fabs(matrix.value(c) * a[c.column]);
  }
  std::vector<double> part(topology.ny, 0.0);
  for (const int r : redundant) {
    const double size = std::fabs(curvature[r]) + parts[r];
    // Where nothing moves, or moves straight on, all of it is rounding beside the curvature in other directions.
    if (!(std::fabs(rest[r]) > rounding * size + of_others * (most * std::sqrt(scale[r]) + std::fabs(natural[r]))))
      continue;
    out.set_aside.push_back(r);
    std::fill(null.begin(), null.end(), 0.0);
    for (const auto& c : matrix.couplings())
      if (c.row == r) null[c.column] = matrix.value(c);
    constraints.solve(null);
    null[r] = -1;
    double largest = 0;
    for (const int row : constraints.rows()) largest = std::max(largest, std::fabs(null[row]) * std::sqrt(scale[row]));
    part[r] = 1;
    for (const int row : constraints.rows())
      if (largest > 0) part[row] = std::max(part[row], std::fabs(null[row]) * std::sqrt(scale[row]) / largest);
  }
  for (const int row : constraints.rows())
    if (part[row] > involved) out.rows.push_back(row);
  if (!vanishing.empty()) constraints.factor(state);
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
