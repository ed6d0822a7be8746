#include "flexura/solve/constant_mass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "flexura/math/block_graph.hpp"

namespace flexura {

ConstantMass::ConstantMass(const System<double>& system) : n_(system.topology().ncoord), dim_(system.topology().dim) {
  find_entries(system);
  std::vector<char> massive(n_, 0);
  for (const Entry& e : entries_)
    if (e.row == e.column && e.value > 0) massive[e.row] = 1;
  if (std::find(massive.begin(), massive.end(), 0) != massive.end()) return;
  const std::vector<Entry> axis = entries_of_an_axis(system.topology());
  by_axes_ = !axis.empty();
  if (by_axes_) {
    regular_ = axis_.factor(n_ / dim_, axis, weak_pivot);
    solve_work_ = axis_.solve_work();
  } else {
    factor_whole(system);
  }
}

void ConstantMass::find_entries(const System<double>& system) {
  std::vector<double> values(system.solver.value_count(), 0.0);
  system.assembler.mass_matrix(values.data());
  system.solver.layout().for_each_entry([&](int row, int column, std::ptrdiff_t index) {
    if (row < n_ && column <= row && values[index] != 0) entries_.push_back({row, column, values[index]});
  });
  const auto key = [](const Entry& e) { return std::pair(e.row, e.column); };
  std::ranges::sort(entries_, {}, key);
  const auto repeated = std::ranges::unique(entries_, {}, key);
  entries_.erase(repeated.begin(), repeated.end());
}

/// m of M̃ = m ⊗ I; nothing where M̃ is none such: every free slot has a coordinate for each axis, no axis shares mass with
/// another, and all have the same but for rounding.
std::vector<ConstantMass::Entry> ConstantMass::entries_of_an_axis(const Topology& t) const {
  if (dim_ > native_lanes || n_ == 0) return {};
  for (const Slot& slot : t.slots)
    if (!slot.multiplier && slot.offset < n_ && (slot.size != dim_ || slot.offset % dim_ != 0)) return {};
  std::vector<Entry> out;
  std::vector<double> own(n_, 0.0);
  for (const Entry& e : entries_) {
    if (e.row == e.column) own[e.row] = e.value;
    if (e.row % dim_ != e.column % dim_) return {};
    if (e.row % dim_ == 0) out.push_back({e.row / dim_, e.column / dim_, e.value});
  }
  if (out.size() * dim_ != entries_.size()) return {};
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();  // of sums of elements about a node
  std::vector<size_t> next(dim_, 0);  // of each axis, its entries in the same order
  for (const Entry& e : entries_) {
    const size_t k = next[e.row % dim_]++;
    if (k >= out.size()) return {};
    const Entry& first = out[k];
    if (e.row / dim_ != first.row || e.column / dim_ != first.column) return {};
    if (std::fabs(e.value - first.value) > rounding * std::sqrt(own[e.row] * own[e.column])) return {};
  }
  return out;
}

void ConstantMass::factor_whole(const System<double>& system) {
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
  for (const Entry& e : entries_) {
    const int a = block_of[e.row], b = block_of[e.column];
    if (a != b) pattern.pairs.emplace_back(std::min(a, b), std::max(a, b));
  }
  std::sort(pattern.pairs.begin(), pattern.pairs.end());
  pattern.pairs.erase(std::unique(pattern.pairs.begin(), pattern.pairs.end()), pattern.pairs.end());
  whole_.analyse(pattern, Symmetry::symmetric);

  std::vector<double> values(whole_.value_count(), 0.0);
  for (const Entry& e : entries_) {
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
