#pragma once
// Random block-sparse systems with a dense copy, for comparison with Eigen.

#include <Eigen/Dense>
#include <algorithm>
#include <random>
#include <vector>

#include "flexura/linear/linear_solver.hpp"

namespace flexura::test {

using Dense = Eigen::MatrixXd;
using Random = std::mt19937;

inline double uniform(Random& random) { return std::uniform_real_distribution<double>(-1, 1)(random); }

inline std::vector<int> first_unknowns(const BlockPattern& pattern) {
  std::vector<int> first{0};
  for (int size : pattern.sizes) first.push_back(first.back() + size);
  return first;
}

inline BlockPattern chain(std::vector<int> sizes) {
  BlockPattern out{std::move(sizes), {}, {}};
  for (int i = 0; i + 1 < static_cast<int>(out.sizes.size()); ++i) out.pairs.emplace_back(i, i + 1);
  return out;
}

inline BlockPattern tree(std::vector<int> sizes, Random& random) {
  BlockPattern out{std::move(sizes), {}, {}};
  for (int i = 1; i < static_cast<int>(out.sizes.size()); ++i)
    out.pairs.emplace_back(static_cast<int>(random() % i), i);
  return out;
}

inline BlockPattern grid(int rows, int columns, int size) {
  BlockPattern out{std::vector<int>(rows * columns, size), {}, {}};
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      if (j + 1 < columns) out.pairs.emplace_back(i * columns + j, i * columns + j + 1);
      if (i + 1 < rows) out.pairs.emplace_back((i + 1) * columns + j, i * columns + j);
    }
  }
  return out;
}

/// Nodes of a mesh of quadrilaterals, each coupled with its eight neighbours; `closed`: a tube, its rings are the rows.
inline BlockPattern plate(int rows, int columns, bool closed, int size) {
  BlockPattern out{std::vector<int>(rows * columns, size), {}, {}};
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      for (auto [di, dj] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
        const int other = closed ? (j + dj + columns) % columns : j + dj;
        if (i + di < rows && other >= 0 && other < columns)
          out.pairs.emplace_back(i * columns + j, (i + di) * columns + other);
      }
    }
  }
  return out;
}

/// Nodes that belong to one cell are coupled.
inline BlockPattern coupled_in_cells(int nodes, int size, const std::vector<std::vector<int>>& cells) {
  BlockPattern out{std::vector<int>(nodes, size), {}, {}};
  for (const std::vector<int>& cell : cells)
    for (std::size_t a = 0; a < cell.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) out.pairs.emplace_back(cell[a], cell[b]);
  return out;
}

/// Nodes of a box of a × b × c cells, by their places.
struct BoxNodes {
  int a, b, c;
  int count() const { return (a + 1) * (b + 1) * (c + 1); }
  int at(int i, int j, int k) const { return (i * (b + 1) + j) * (c + 1) + k; }
  template <class F>
  void for_each_cell(F f) const {
    for (int i = 0; i < a; ++i)
      for (int j = 0; j < b; ++j)
        for (int k = 0; k < c; ++k) f(i, j, k);
  }
};

/// Hexahedra of 8 nodes, three unknowns each.
inline BlockPattern box(int a, int b, int c) {
  const BoxNodes nodes{a, b, c};
  std::vector<std::vector<int>> cells;
  nodes.for_each_cell([&](int i, int j, int k) {
    std::vector<int>& cell = cells.emplace_back();
    for (int x : {0, 1})
      for (int y : {0, 1})
        for (int z : {0, 1}) cell.push_back(nodes.at(i + x, j + y, k + z));
  });
  return coupled_in_cells(nodes.count(), 3, cells);
}

/// Each cube in six tetrahedra of 4 nodes, one for each way along its edges from corner to corner.
inline BlockPattern tetrahedra(int a, int b, int c) {
  const BoxNodes nodes{a, b, c};
  std::vector<std::vector<int>> cells;
  nodes.for_each_cell([&](int i, int j, int k) {
    int way[3] = {0, 1, 2};
    do {
      int at[3] = {i, j, k};
      std::vector<int>& cell = cells.emplace_back(1, nodes.at(i, j, k));
      for (int axis : way) {
        ++at[axis];
        cell.push_back(nodes.at(at[0], at[1], at[2]));
      }
    } while (std::next_permutation(way, way + 3));
  });
  return coupled_in_cells(nodes.count(), 3, cells);
}

/// Points strewn into a cube, coupled where they are closer than `reach`.
inline BlockPattern cloud(int count, double reach) {
  Random random(5);
  std::vector<double> x(3 * static_cast<std::size_t>(count));
  for (double& value : x) value = static_cast<double>(random()) / 4294967296.0;
  BlockPattern out{std::vector<int>(count, 3), {}, {}};
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < i; ++j) {
      double square = 0;
      for (int k = 0; k < 3; ++k) square += (x[3 * i + k] - x[3 * j + k]) * (x[3 * i + k] - x[3 * j + k]);
      if (square < reach * reach) out.pairs.emplace_back(i, j);
    }
  return out;
}

/// Both, without anything between them.
inline BlockPattern beside(BlockPattern a, const BlockPattern& b) {
  const int first = static_cast<int>(a.sizes.size());
  a.sizes.insert(a.sizes.end(), b.sizes.begin(), b.sizes.end());
  for (auto [i, j] : b.pairs) a.pairs.emplace_back(first + i, first + j);
  return a;
}

inline std::vector<int> mixed_sizes(int blocks, int largest, Random& random) {
  std::vector<int> sizes(blocks);
  for (int& size : sizes) size = 1 + static_cast<int>(random() % largest);
  sizes[blocks / 2] = largest;
  return sizes;
}

/// Symmetric positive definite on the primal blocks: a sum of random squares, one per pair, plus a small diagonal.
/// Constraint rows are random, with a zero diagonal block.
inline Dense random_matrix(const BlockPattern& pattern, Random& random) {
  const std::vector<int> first = first_unknowns(pattern);
  const auto constrained = [&](int i) { return !pattern.constraint.empty() && pattern.constraint[i]; };
  Dense a = Dense::Zero(first.back(), first.back());
  for (std::size_t i = 0; i < pattern.sizes.size(); ++i) {
    if (constrained(i)) continue;
    for (int r = 0; r < pattern.sizes[i]; ++r) a(first[i] + r, first[i] + r) = 0.01;
  }
  for (auto [i, j] : pattern.pairs) {
    const int m = pattern.sizes[i], n = pattern.sizes[j];
    Dense g = Dense::NullaryExpr(m + n, m + n, [&] { return uniform(random); });
    if (!constrained(i) && !constrained(j)) {
      const Dense square = g * g.transpose();
      a.block(first[i], first[i], m, m) += square.topLeftCorner(m, m);
      a.block(first[j], first[j], n, n) += square.bottomRightCorner(n, n);
      a.block(first[i], first[j], m, n) += square.topRightCorner(m, n);
      a.block(first[j], first[i], n, m) += square.bottomLeftCorner(n, m);
    } else {
      a.block(first[i], first[j], m, n) += g.topRightCorner(m, n);
      a.block(first[j], first[i], n, m) += g.topRightCorner(m, n).transpose();
    }
  }
  return a;
}

inline void perturb(Dense& a, Random& random, double size = 0.1) {
  for (double& x : a.reshaped()) {
    if (x != 0) x *= 1 + size * uniform(random);
  }
}

/// Writes `a` through entry(), as an assembler would.
template <class V>
void assemble(const LinearSolver<V>& solver, const BlockPattern& pattern, Symmetry symmetry, const Dense& a,
              std::vector<V>& values, int lane = 0) {
  const std::vector<int> first = first_unknowns(pattern);
  values.resize(solver.value_count(), V(0.0));
  const auto write = [&](int i, int j) {
    const Entry entry = solver.entry(i, j);
    for (int r = 0; r < pattern.sizes[i]; ++r) {
      for (int c = 0; c < pattern.sizes[j]; ++c) {
        if (i == j && symmetry == Symmetry::symmetric && r < c) continue;
        V& value = values[entry.offset + r * entry.row_stride + c * entry.col_stride];
        ScalarTraits<V>::set_lane(value, lane, a(first[i] + r, first[j] + c));
      }
    }
  };
  for (std::size_t i = 0; i < pattern.sizes.size(); ++i) write(i, i);
  for (auto [i, j] : pattern.pairs) {
    write(i, j);
    if (symmetry == Symmetry::unsymmetric) write(j, i);
  }
}

inline std::vector<double> random_vector(int size, Random& random) {
  std::vector<double> out(size);
  for (double& x : out) x = uniform(random);
  return out;
}

inline Eigen::VectorXd as_eigen(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

/// |A x − b| relative to |A| |x| + |b|, rows by rows: some ε times the growth of the elimination for a stable solver.
inline double backward_error(const Dense& a, const std::vector<double>& x, const std::vector<double>& b) {
  const Eigen::VectorXd size = a.cwiseAbs() * as_eigen(x).cwiseAbs() + as_eigen(b).cwiseAbs();
  return ((a * as_eigen(x) - as_eigen(b)).cwiseAbs().array() / size.array()).maxCoeff();
}

}  // namespace flexura::test
