#include "flexura/linear/value_layout.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "flexura/math/dual.hpp"

namespace flexura {

int padded_block_size(int size) {
  for (int menu : {1, 2, 3, 4, 6, 9, 12}) {
    if (size <= menu) return menu;
  }
  throw std::invalid_argument("a block of a matrix has more than 12 unknowns");
}

namespace {

/// Whether dense fronts are faster than the factorisation block by block (docs/architecture.md). A mesh has two edges a
/// node and more; chains and trees, with one, are not even counted.
bool has_much_fill(const BlockGraph& graph, const std::vector<int>& order) {
  if (2 * graph.edges() < 3 * graph.size()) return false;
  return elimination_work(graph, order).updates >= 32 * std::int64_t{graph.size()};
}

}  // namespace

ValueLayout make_value_layout(const BlockPattern& pattern, Symmetry symmetry, int row_multiple) {
  const int n = static_cast<int>(pattern.sizes.size());
  std::vector<char> constraint = pattern.constraint;
  constraint.resize(n, 0);
  std::vector<char> skew = pattern.skew;
  skew.resize(n, pattern.skew.empty() && symmetry == Symmetry::unsymmetric);
  const BlockGraph graph(n, pattern.pairs);
  std::vector<int> order = elimination_order(graph, constraint);

  ValueLayout out;
  if (has_much_fill(graph, order)) {
    out.fronts = true;
    order = dissected_order(graph, constraint, pattern.sizes, order);
  }
  out.symmetry = symmetry;
  out.unknowns = std::accumulate(pattern.sizes.begin(), pattern.sizes.end(), 0);
  out.block_size = padded_block_size(n == 0 ? 1 : *std::max_element(pattern.sizes.begin(), pattern.sizes.end()));
  const int multiple = out.block_size >= 3 ? row_multiple : 1;
  out.stride = (out.block_size + multiple - 1) / multiple * multiple;
  out.sizes.resize(n);
  out.first.resize(n);
  out.constraint.resize(n);
  out.skew.resize(n);
  out.position.resize(n);
  for (int k = 0; k < n; ++k) out.position[order[k]] = k;
  for (int block = 0, y = 0; block < n; y += pattern.sizes[block++]) {
    const int k = out.position[block];
    out.sizes[k] = pattern.sizes[block];
    out.first[k] = y;
    out.constraint[k] = constraint[block];
    out.skew[k] = symmetry == Symmetry::unsymmetric && skew[block];
  }
  const BlockGraph ordered = graph.renumbered(order);
  out.start.reserve(n + 1);
  out.start.push_back(0);
  out.column.reserve(ordered.edges());
  for (int k = 0; k < n; ++k) {
    for (int e = ordered.start[k]; e < ordered.start[k + 1]; ++e) {
      if (ordered.neighbour[e] > k) out.column.push_back(ordered.neighbour[e]);
    }
    out.start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

std::ptrdiff_t ValueLayout::value_count() const {
  const auto upper = static_cast<std::ptrdiff_t>(column.size());
  return (rows() + upper * (symmetry == Symmetry::symmetric ? 1 : 2)) * block_values();
}

int ValueLayout::place_of(int i, int j) const {
  const int k = std::min(position[i], position[j]), other = std::max(position[i], position[j]);
  const auto last = column.begin() + start[k + 1];
  const auto found = std::lower_bound(column.begin() + start[k], last, other);
  return found == last || *found != other ? -1 : static_cast<int>(found - column.begin());
}

Entry ValueLayout::entry(int i, int j) const {
  const bool symmetric = symmetry == Symmetry::symmetric;
  const int row = position[i], col = position[j];
  if (row == col) return symmetric ? Entry{diagonal_offset(row), 1, stride} : Entry{diagonal_offset(row), stride, 1};
  const int k = std::min(row, col), b = place_of(i, j);
  if (b < 0) throw std::out_of_range("the pair of blocks is not coupled");
  if (row < col) return {upper_offset(k, b), stride, 1};
  return {symmetric ? upper_offset(k, b) : lower_offset(b), 1, stride};
}

BlockGraph ValueLayout::graph() const {
  BlockGraph out;
  out.start.assign(rows() + 1, 0);
  for (int k = 0; k < rows(); ++k) {
    out.start[k + 1] += start[k + 1] - start[k];
    for (int b = start[k]; b < start[k + 1]; ++b) ++out.start[column[b] + 1];
  }
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  out.neighbour.resize(out.start.back());
  std::vector<int> next(out.start.begin(), out.start.end() - 1);
  for (int k = 0; k < rows(); ++k) {  // rows above k have written theirs: all are ascending
    for (int b = start[k]; b < start[k + 1]; ++b) {
      out.neighbour[next[k]++] = column[b];
      out.neighbour[next[column[b]]++] = k;
    }
  }
  return out;
}

namespace {

template <class V>
V times_plus(V a, V x, V sum) {
  return fma(a, x, sum);
}
template <class V>
Dual<V> times_plus(V a, Dual<V> x, Dual<V> sum) {
  return {fma(a, x.v, sum.v), fma(a, x.d, sum.d)};
}

}  // namespace

template <class V, class X>
void ValueLayout::multiply(std::span<const V> values, std::span<const X> x, std::span<X> out) const {
  std::fill(out.begin(), out.end(), X(0.0));
  for_each_entry(
      [&](int row, int col, std::ptrdiff_t index) { out[row] = times_plus(values[index], x[col], out[row]); });
}

double ValueLayout::asymmetry(std::span<const double> values) const {
  if (symmetry == Symmetry::symmetric) return 0;
  const auto each_pair = [&](const auto& visit) {  // i, j and the two values of the pair
    for (int k = 0; k < rows(); ++k) {
      for (int r = 0; r < sizes[k]; ++r)
        for (int c = 0; c < r; ++c) {
          const std::ptrdiff_t at = diagonal_offset(k);
          visit(first[k] + r, first[k] + c, values[at + r * stride + c], values[at + c * stride + r]);
        }
      for (int b = start[k]; b < start[k + 1]; ++b)
        for (int r = 0; r < sizes[k]; ++r)
          for (int c = 0; c < sizes[column[b]]; ++c)
            visit(first[k] + r, first[column[b]] + c, values[upper_offset(k, b) + r * stride + c],
                  values[lower_offset(b) + r * stride + c]);
    }
  };
  std::vector<double> own(unknowns);
  diagonal(values, std::span<double>(own));
  std::vector<double> size = own;  // of each row, in the unit of its diagonal
  each_pair([&](int i, int j, double upper, double lower) {
    const double product = upper * lower;
    if (own[i] == 0 && own[j] > 0) size[i] = std::max(size[i], std::fabs(product) / own[j]);
    if (own[j] == 0 && own[i] > 0) size[j] = std::max(size[j], std::fabs(product) / own[i]);
  });
  double asymmetry = 0;
  each_pair([&](int i, int j, double upper, double lower) {
    const double difference = std::fabs(upper - lower);
    if (difference == 0) return;
    double scale = std::sqrt(size[i] * size[j]);
    if (scale == 0) scale = std::max(std::fabs(upper), std::fabs(lower));
    asymmetry = std::max(asymmetry, difference / scale);
  });
  return asymmetry;
}

template <class V>
void ValueLayout::diagonal(std::span<const V> values, std::span<V> out) const {
  for (int k = 0; k < rows(); ++k) {
    for (int r = 0; r < sizes[k]; ++r) out[first[k] + r] = abs(values[diagonal_offset(k) + r * (stride + 1)]);
  }
}

#define FLEXURA_INSTANTIATE(V)                                                                                 \
  template void ValueLayout::multiply(std::span<const V>, std::span<const V>, std::span<V>) const;             \
  template void ValueLayout::multiply(std::span<const V>, std::span<const Dual<V>>, std::span<Dual<V>>) const; \
  template void ValueLayout::diagonal(std::span<const V>, std::span<V>) const;
FLEXURA_INSTANTIATE(double)
FLEXURA_INSTANTIATE(Lanes)
#undef FLEXURA_INSTANTIATE

}  // namespace flexura
