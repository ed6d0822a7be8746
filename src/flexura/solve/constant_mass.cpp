#include "flexura/solve/constant_mass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "flexura/math/block_graph.hpp"

namespace flexura {

namespace {

using MassEntry = ScalarFactor::Entry;

/// Those of the lower half that are not zero, by rows.
std::vector<MassEntry> mass_entries(const System<double>& system) {
  const int n = system.topology().ncoord;
  std::vector<double> values(system.solver.value_count(), 0.0);
  system.assembler.mass_matrix(values.data());
  std::vector<MassEntry> out;
  system.solver.layout().for_each_entry([&](int row, int column, std::ptrdiff_t index) {
    if (row < n && column <= row && values[index] != 0) out.push_back({row, column, values[index]});
  });
  const auto key = [](const MassEntry& e) { return std::pair(e.row, e.column); };
  std::ranges::sort(out, {}, key);
  const auto repeated = std::ranges::unique(out, {}, key);
  out.erase(repeated.begin(), repeated.end());
  return out;
}

/// m of M̃ = m ⊗ I; nothing where M̃ is none such: every free slot has a coordinate for each axis, no axis shares mass with
/// another, and all have the same but for rounding.
std::vector<MassEntry> entries_of_axis(const Topology& t, const std::vector<MassEntry>& entries) {
  const int n = t.ncoord, dim = t.dim;
  if (dim > native_lanes || n == 0) return {};
  for (const Slot& slot : t.slots)
    if (!slot.multiplier && slot.offset < n && (slot.size != dim || slot.offset % dim != 0)) return {};
  std::vector<MassEntry> out;
  std::vector<double> own(n, 0.0);
  for (const MassEntry& e : entries) {
    if (e.row == e.column) own[e.row] = e.value;
    if (e.row % dim != e.column % dim) return {};
    if (e.row % dim == 0) out.push_back({e.row / dim, e.column / dim, e.value});
  }
  if (out.size() * dim != entries.size()) return {};
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();  // of sums of elements about a node
  std::vector<size_t> next(dim, 0);  // of each axis, its entries in the same order
  for (const MassEntry& e : entries) {
    const size_t k = next[e.row % dim]++;
    if (k >= out.size()) return {};
    const MassEntry& first = out[k];
    if (e.row / dim != first.row || e.column / dim != first.column) return {};
    if (std::fabs(e.value - first.value) > rounding * std::sqrt(own[e.row] * own[e.column])) return {};
  }
  return out;
}

}  // namespace

ConstantMass::ConstantMass(const System<double>& system) : n_(system.topology().ncoord), dim_(system.topology().dim) {
  const std::vector<MassEntry> entries = mass_entries(system);
  std::vector<char> massive(n_, 0);
  for (const MassEntry& e : entries)
    if (e.row == e.column && e.value > 0) massive[e.row] = 1;
  if (std::find(massive.begin(), massive.end(), 0) != massive.end()) return;
  const std::vector<MassEntry> axis = entries_of_axis(system.topology(), entries);
  by_axes_ = !axis.empty();
  if (by_axes_) {
    regular_ = axis_.factor(n_ / dim_, axis, weak_pivot);
    solve_work_ = axis_.solve_work();
  } else {
    factor_whole(system, entries);
  }
}

void ConstantMass::factor_whole(const System<double>& system, const std::vector<MassEntry>& entries) {
  // Blocks of y are contiguous and hold whole slots.
  const CouplingPattern& coupling = system.assembler.pattern();
  BlockPattern pattern;
  std::vector<int> block_of(n_, 0), first;
  int unknowns = 0;
  for (size_t b = 0; b < coupling.sizes.size() && unknowns < n_; ++b) {
    first.push_back(unknowns);
    for (int i = 0; i < coupling.sizes[b]; ++i) block_of[unknowns++] = static_cast<int>(b);
    pattern.sizes.push_back(coupling.sizes[b]);
  }
  for (const MassEntry& e : entries) {
    const int a = block_of[e.row], b = block_of[e.column];
    if (a != b) pattern.pairs.emplace_back(std::min(a, b), std::max(a, b));
  }
  std::sort(pattern.pairs.begin(), pattern.pairs.end());
  pattern.pairs.erase(std::unique(pattern.pairs.begin(), pattern.pairs.end()), pattern.pairs.end());
  whole_.analyse(pattern, Symmetry::symmetric);

  std::vector<double> values(whole_.value_count(), 0.0);
  for (const MassEntry& e : entries) {
    const int a = block_of[e.row], b = block_of[e.column], r = e.row - first[a], c = e.column - first[b];
    const auto entry = whole_.entry(a, b);
    const auto put = [&](std::ptrdiff_t i, std::ptrdiff_t j) {
      values[entry.offset + i * entry.row_stride + j * entry.col_stride] = e.value;
    };
    put(r, c);
    if (a == b && r != c) put(c, r);
  }
  const FactorReport<double> report = whole_.factor(values);
  regular_ = report.ok && report.weakest_pivot > weak_pivot;
  const FactorStructure structure(whole_.layout().graph());
  const double size = whole_.layout().block_size;
  solve_work_ =
      size * size * (static_cast<double>(pattern.sizes.size()) + 2.0 * static_cast<double>(structure.column.size()));
}

void ConstantMass::solve(std::span<double> x) {
  if (by_axes_)
    axis_.solve(x, dim_);
  else
    whole_.solve(x);
}

}  // namespace flexura
