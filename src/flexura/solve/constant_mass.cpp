#include "flexura/solve/constant_mass.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "flexura/math/block_graph.hpp"

namespace flexura {
namespace {}  // namespace

ConstantMass::ConstantMass(const System<double>& system) : n_(system.topology().ncoord) {
  find_entries(system);
  std::vector<char> massive(n_, 0);
  for (const MassEntry& e : entries_)
    if (e.row == e.column && e.value > 0) massive[e.row] = 1;
  if (std::find(massive.begin(), massive.end(), 0) != massive.end()) return;

  // Blocks of y are contiguous and hold whole slots.
  const CouplingPattern& pattern = system.assembler.pattern();
  std::vector<int> sizes, block_of(n_, 0);
  int unknowns = 0;
  for (size_t b = 0; b < pattern.sizes.size() && unknowns < n_; ++b) {
    for (int i = 0; i < pattern.sizes[b]; ++i) block_of[unknowns++] = static_cast<int>(sizes.size());
    sizes.push_back(pattern.sizes[b]);
  }
  by_axes_ = find_axes(system);
  if (by_axes_) {
    const int dim = system.topology().dim;
    for (int& size : sizes) size /= dim;
    std::vector<int> block_of_place(n_ / dim, 0);
    for (int i = 0; i < n_; ++i) block_of_place[place_[i]] = block_of[i];
    lanes_.assign(n_ / dim, Lanes(0.0));
    factor(axes_, sizes, block_of_place);
  } else {
    for (int i = 0; i < n_; ++i) place_[i] = i, axis_[i] = 0;
    factor(whole_, sizes, block_of);
  }
}

void ConstantMass::find_entries(const System<double>& system) {
  std::vector<double> values(system.solver.value_count(), 0.0);
  system.assembler.mass_matrix(values.data());
  system.solver.layout().for_each_entry([&](int row, int column, std::ptrdiff_t index) {
    if (row < n_ && column <= row && values[index] != 0) entries_.push_back({row, column, values[index]});
  });
  std::sort(entries_.begin(), entries_.end(), [](const MassEntry& a, const MassEntry& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  const auto same = [](const MassEntry& a, const MassEntry& b) { return a.row == b.row && a.column == b.column; };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
}

/// True if every free slot has an entry for each axis and no axis has mass with another.
bool ConstantMass::find_axes(const System<double>& system) {
  const Topology& t = system.topology();
  axis_.assign(n_, 0);
  place_.assign(n_, 0);
  if (t.dim > native_lanes || n_ == 0) return false;
  for (const Slot& slot : t.slots) {
    if (slot.multiplier || slot.offset >= n_) continue;
    if (slot.size != t.dim || slot.offset % t.dim != 0) return false;
    for (int i = 0; i < slot.size; ++i) {
      axis_[slot.offset + i] = i;
      place_[slot.offset + i] = slot.offset / t.dim;
    }
  }
  return std::all_of(entries_.begin(), entries_.end(),
                     [&](const MassEntry& e) { return axis_[e.row] == axis_[e.column]; });
}

template <class V>
void ConstantMass::factor(LinearSolver<V>& solver, const std::vector<int>& sizes, const std::vector<int>& block_of) {
  BlockPattern pattern;
  pattern.sizes = sizes;
  std::vector<int> first(sizes.size(), 0);
  for (size_t b = 1; b < sizes.size(); ++b) first[b] = first[b - 1] + sizes[b - 1];
  for (const MassEntry& e : entries_) {
    const int a = block_of[place_[e.row]], b = block_of[place_[e.column]];
    if (a != b) pattern.pairs.emplace_back(std::min(a, b), std::max(a, b));
  }
  std::sort(pattern.pairs.begin(), pattern.pairs.end());
  pattern.pairs.erase(std::unique(pattern.pairs.begin(), pattern.pairs.end()), pattern.pairs.end());
  solver.analyse(pattern, Symmetry::symmetric);

  std::vector<V> values(solver.value_count(), V(0.0));
  const int dim = by_axes_ ? 1 + *std::max_element(axis_.begin(), axis_.end()) : 1;
  const auto add = [&](int row, int column, int axis, double m) {
    const int a = block_of[row], b = block_of[column], r = row - first[a], c = column - first[b];
    const Entry entry = solver.entry(a, b);
    const auto put = [&](int i, int j) {
      V& value = values[entry.offset + static_cast<std::ptrdiff_t>(i) * entry.row_stride +
                        static_cast<std::ptrdiff_t>(j) * entry.col_stride];
      if constexpr (std::is_same_v<V, double>) {
        value = m;
      } else {
        value.set(axis, m);
      }
    };
    put(r, c);
    if (a == b && r != c) put(c, r);
  };
  if constexpr (!std::is_same_v<V, double>) {  // lanes without an axis: the unit matrix
    for (int axis = dim; axis < native_lanes; ++axis)
      for (size_t i = 0; i < block_of.size(); ++i) add(static_cast<int>(i), static_cast<int>(i), axis, 1.0);
  }
  for (const MassEntry& e : entries_) add(place_[e.row], place_[e.column], axis_[e.row], e.value);
  const FactorReport<V> report = solver.factor(std::span<const V>(values));
  regular_ = all(MaskOf<V>(report.ok & (report.weakest_pivot > V(weak_pivot))));
  const FactorStructure structure(solver.layout().graph());
  const double size = solver.layout().block_size;
  solve_work_ = size * size * (static_cast<double>(sizes.size()) + 2.0 * static_cast<double>(structure.column.size()));
}

void ConstantMass::solve(std::span<double> x) {
  if (!by_axes_) return whole_.solve(x);
  for (int i = 0; i < n_; ++i) lanes_[place_[i]].set(axis_[i], x[i]);
  axes_.solve(std::span<Lanes>(lanes_));
  for (int i = 0; i < n_; ++i) x[i] = lanes_[place_[i]][axis_[i]];
}

}  // namespace flexura
