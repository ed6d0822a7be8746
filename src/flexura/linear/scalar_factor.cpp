#include "flexura/linear/scalar_factor.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "flexura/linear/block_kernels.hpp"

namespace flexura {
namespace {

/// Graphs whose factor has more entries than this per unknown are worth a look at nested dissection.
constexpr std::int64_t much_fill = 16;

std::vector<int> order_of(const BlockGraph& graph) {
  const auto n = static_cast<size_t>(graph.size());
  const std::vector<char> constraint(n, 0);
  std::vector<int> order = elimination_order(graph, constraint);
  if (elimination_work(graph, order).blocks < much_fill * graph.size()) return order;
  return dissected_order(graph, constraint, std::vector<int>(n, 1), order);
}

}  // namespace

bool ScalarFactor::factor(int n, std::span<const Entry> entries, double weakest) {
  std::vector<std::pair<int, int>> pairs;
  for (const Entry& e : entries)
    if (e.row != e.column) pairs.emplace_back(e.column, e.row);
  const BlockGraph graph(n, pairs);
  order_ = order_of(graph);
  rows_ = FactorStructure(graph.renumbered(order_));
  factor_.assign(rows_.column.size(), 0.0);
  inverse_.assign(n, 0.0);
  work_.assign(n, Lanes(0.0));

  std::vector<int> position(n, 0);
  for (int k = 0; k < n; ++k) position[order_[k]] = k;
  const auto place = [&](int row, int column) {
    const auto first = rows_.column.begin() + rows_.start[row], last = rows_.column.begin() + rows_.start[row + 1];
    return std::lower_bound(first, last, column) - rows_.column.begin();
  };
  std::vector<double> pivot(n, 0.0);
  for (const Entry& e : entries) {
    const auto [a, b] = std::minmax(position[e.row], position[e.column]);
    (a == b ? pivot[a] : factor_[place(a, b)]) = e.value;
  }

  const std::vector<double> size = pivot;
  for (int k = 0; k < n; ++k) {
    if (!(pivot[k] > weakest * size[k])) return false;
    inverse_[k] = 1 / pivot[k];
    const std::int64_t last = rows_.start[k + 1];
    for (std::int64_t i = rows_.start[k]; i < last; ++i) {
      const double value = factor_[i], share = value * inverse_[k];
      const int row = rows_.column[i];
      pivot[row] -= share * value;
      // Columns of row k right of this one are among those of its row.
      for (std::int64_t j = i + 1, t = rows_.start[row]; j < last; ++j, ++t) {
        while (rows_.column[t] != rows_.column[j]) ++t;
        factor_[t] -= share * factor_[j];
      }
      factor_[i] = share;
    }
  }
  return true;
}

void ScalarFactor::solve(std::span<double> x, int dim) {
  if (dim == 2) return solve_axes<2>(x.data());
  if (dim == 3) return solve_axes<3>(x.data());
  solve_axes<1>(x.data());
}

template <int dim>
void ScalarFactor::solve_axes(double* x) {
  const int n = static_cast<int>(order_.size());
  Lanes* const work = work_.data();
  const double* const factor = factor_.data();
  const int* const column = rows_.column.data();
  for (int k = 0; k < n; ++k) {
    const double* from = x + std::ptrdiff_t{order_[k]} * dim;
    Lanes at(0.0);
    for (int i = 0; i < dim; ++i) at.set(i, from[i]);
    work[k] = at;
  }
  for (int k = 0; k < n; ++k) {
    const Lanes z = work[k];
    const std::int64_t last = rows_.start[k + 1];
    for (std::int64_t i = rows_.start[k]; i < last; ++i)
      work[column[i]] = detail::fnma(Lanes(factor[i]), z, work[column[i]]);
    work[k] = z * Lanes(inverse_[k]);
  }
  for (int k = n - 1; k >= 0; --k) {
    Lanes y = work[k];
    // Descending: what was solved for last comes last, for a short chain of dependences.
    const std::int64_t first = rows_.start[k];
    for (std::int64_t i = rows_.start[k + 1] - 1; i >= first; --i)
      y = detail::fnma(Lanes(factor[i]), work[column[i]], y);
    work[k] = y;
    double* to = x + std::ptrdiff_t{order_[k]} * dim;
    for (int i = 0; i < dim; ++i) to[i] = y[i];
  }
}

}  // namespace flexura
