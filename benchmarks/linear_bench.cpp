// Block factorisation and solve: chains of 4-blocks (a planar cable) and a 32 × 32 grid of 9-blocks (a plate).
// `ns/block` is the time per diagonal block, for lanes per block of all simulations together.
//
// Meshes of 9-blocks (`mesh/…`: plates of so many elements a side, a closed tube of 24 × 92): dense fronts, the
// factorisation block by block in the same order, and Eigen's SimplicialLDLT; GFLOP/s counts the multiplications and
// additions of LDLᵀ in that order, `fill` the factor's entries. Peak: `mesh/peak`, fused multiply-adds in registers.

#include <benchmark/benchmark.h>

#define EIGEN_MPL2_ONLY
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <memory>
#include <random>
#include <vector>

#include "flexura/linear/front_kernels.hpp"
#include "flexura/linear/linear_solver.hpp"
#include "flexura/math/elimination_tree.hpp"

namespace flexura {
namespace {

BlockPattern chain(int blocks, int size) {
  BlockPattern out{std::vector<int>(blocks, size), {}, {}};
  for (int i = 0; i + 1 < blocks; ++i) out.pairs.emplace_back(i, i + 1);
  return out;
}

/// Each node coupled with its eight neighbours.
BlockPattern grid(int side, int size) {
  BlockPattern out{std::vector<int>(side * side, size), {}, {}};
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      for (auto [di, dj] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
        if (i + di < side && j + dj >= 0 && j + dj < side)
          out.pairs.emplace_back(i * side + j, (i + di) * side + j + dj);
      }
    }
  }
  return out;
}

template <class V>
struct System {
  LinearSolver<V> solver;
  std::vector<V> values, y;

  System(const BlockPattern& pattern, Symmetry symmetry, int threads = 1) {
    solver.analyse(pattern, symmetry, threads);
    values.resize(solver.value_count(), V(0.0));
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    solver.layout().for_each_entry(
        [&](int row, int col, std::ptrdiff_t index) { values[index] = V(row == col ? 100.0 : uniform(random)); });
    y.resize(solver.layout().unknowns, V(1.0));
  }
};

void per_block(benchmark::State& state, int blocks) {
  state.counters["ns/block"] = benchmark::Counter(
      static_cast<double>(blocks) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class V>
void factor(benchmark::State& state, const BlockPattern& pattern, Symmetry symmetry) {
  System<V> system(pattern, symmetry);
  for (auto _ : state) benchmark::DoNotOptimize(system.solver.factor(system.values));
  per_block(state, static_cast<int>(pattern.sizes.size()));
}

template <class V>
void solve(benchmark::State& state, const BlockPattern& pattern, Symmetry symmetry) {
  System<V> system(pattern, symmetry);
  system.solver.factor(system.values);
  std::vector<V> y(system.y);
  for (auto _ : state) {
    y = system.y;
    system.solver.solve(y);
    benchmark::ClobberMemory();
  }
  per_block(state, static_cast<int>(pattern.sizes.size()));
}

void analyse(benchmark::State& state, const BlockPattern& pattern) {
  LinearSolver<double> solver;
  for (auto _ : state) solver.analyse(pattern, Symmetry::symmetric);
  per_block(state, static_cast<int>(pattern.sizes.size()));
}

template <class V>
void register_all(const std::string& type) {
  for (auto [symmetry, name] : {std::pair{Symmetry::symmetric, "ldlt"}, {Symmetry::unsymmetric, "lu"}}) {
    const auto add = [&](const std::string& shape, const BlockPattern& pattern) {
      benchmark::RegisterBenchmark((name + ("_factor/" + type) + "/" + shape).c_str(),
                                   [=, s = symmetry](auto& state) { factor<V>(state, pattern, s); });
      benchmark::RegisterBenchmark((name + ("_solve/" + type) + "/" + shape).c_str(),
                                   [=, s = symmetry](auto& state) { solve<V>(state, pattern, s); });
    };
    for (int n : {4, 1000, 100000}) add("chain4:" + std::to_string(n), chain(n, 4));
    for (int size : {1, 2, 3, 6, 9, 12}) add("chain" + std::to_string(size) + ":1000", chain(1000, size));
    add("grid9:32", grid(32, 9));
    add("grid4:32", grid(32, 4));
  }
}

/// Nodes of quadrilaterals, 9 unknowns each; `closed`: a tube, its rings are the rows.
BlockPattern mesh(int rows, int columns, bool closed) {
  BlockPattern out{std::vector<int>(rows * columns, 9), {}, {}};
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

/// Nodes of a cube of hexahedra, 3 unknowns each.
BlockPattern cube(int side) {
  const int n = side + 1;
  BlockPattern out{std::vector<int>(n * n * n, 3), {}, {}};
  const auto at = [&](int i, int j, int k) { return (i * n + j) * n + k; };
  const auto inside = [&](int i) { return i >= 0 && i < n; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        for (int x : {-1, 0, 1})
          for (int y : {-1, 0, 1})
            for (int z : {-1, 0, 1})
              if (inside(i + x) && inside(j + y) && inside(k + z) && at(i + x, j + y, k + z) < at(i, j, k))
                out.pairs.emplace_back(at(i + x, j + y, k + z), at(i, j, k));
  return out;
}

void report_rate(benchmark::State& state, const ValueLayout& layout, bool factor) {
  const BlockGraph graph = layout.graph();
  const std::vector<std::int64_t> below = weights_below(graph, EliminationTree(graph), layout.sizes);
  double flops = 0, fill = 0;
  for (int k = 0; k < layout.rows(); ++k) {
    const double s = layout.sizes[k], r = static_cast<double>(below[k]);
    flops += s * (s * s / 3 + s * r + r * r);
    fill += s * (s + 1) / 2 + s * r;
  }
  state.counters["fill"] = fill;
  if (factor)
    state.counters["GFLOP/s"] = benchmark::Counter(flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

enum class Part { factor, solve };

void fronts(benchmark::State& state, const BlockPattern& pattern, Symmetry symmetry, Part part, int threads = 1) {
  System<double> system(pattern, symmetry, threads);
  system.solver.factor(system.values);
  std::vector<double> y;
  for (auto _ : state) {
    if (part == Part::factor) {
      benchmark::DoNotOptimize(system.solver.factor(system.values));
    } else {
      y = system.y;
      system.solver.solve(std::span(y));
      benchmark::ClobberMemory();
    }
  }
  report_rate(state, system.solver.layout(), part == Part::factor && symmetry == Symmetry::symmetric);
}

void by_blocks(benchmark::State& state, const BlockPattern& pattern, Part part) {
  System<double> system(pattern, Symmetry::symmetric);
  ValueLayout layout = system.solver.layout();
  layout.fronts = false;
  const auto factor = detail::make_block_factor<double, true>(layout);
  factor->factor(system.values);
  std::vector<double> y;
  for (auto _ : state) {
    if (part == Part::factor) {
      benchmark::DoNotOptimize(factor->factor(system.values));
    } else {
      y = system.y;
      factor->solve(y.data(), 1, false);
      benchmark::ClobberMemory();
    }
  }
  report_rate(state, layout, part == Part::factor);
}

void eigen(benchmark::State& state, const BlockPattern& pattern, Part part) {
  const System<double> system(pattern, Symmetry::symmetric);
  std::vector<Eigen::Triplet<double>> entries;
  system.solver.layout().for_each_entry(
      [&](int row, int col, std::ptrdiff_t index) { entries.emplace_back(row, col, system.values[index]); });
  const Eigen::Index n = system.solver.layout().unknowns;
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(matrix);
  const Eigen::VectorXd y = Eigen::VectorXd::Ones(n);
  Eigen::VectorXd x(n);
  for (auto _ : state) {
    if (part == Part::factor) {
      solver.factorize(matrix);
    } else {
      x = solver.solve(y);
    }
    benchmark::ClobberMemory();
  }
  state.counters["fill"] = static_cast<double>(solver.matrixL().nestedExpression().nonZeros());
}

void peak(benchmark::State& state) {
  constexpr int sums = 12, rounds = 1000;
  Pack<4> sum[sums];
  for (Pack<4>& s : sum) s = 1.0;
  const Pack<4> b(0.999999), c(1e-9);
  for (auto _ : state) {
    Pack<4> own[sums];
    detail::each<sums>([&](int i) FLEXURA_INLINE { own[i] = sum[i]; });
    for (int k = 0; k < rounds; ++k) detail::each<sums>([&](int i) FLEXURA_INLINE { own[i] = fma(own[i], b, c); });
    detail::each<sums>([&](int i) FLEXURA_INLINE { sum[i] = own[i]; });
    benchmark::ClobberMemory();
  }
  benchmark::DoNotOptimize(sum);
  state.counters["GFLOP/s"] = benchmark::Counter(sums * rounds * 8e-9, benchmark::Counter::kIsIterationInvariantRate);
}

void register_meshes() {
  const auto add = [](const std::string& name, auto run) {
    benchmark::RegisterBenchmark(("mesh/" + name).c_str(), run)->Unit(benchmark::kMillisecond);
  };
  add("peak", peak);
  for (const int side : {16, 24, 32}) {
    const BlockPattern pattern = cube(side);
    const std::string shape = "cube" + std::to_string(side);
    add("analyse/" + shape, [=](auto& state) { analyse(state, pattern); });
    add("solve/fronts/" + shape, [=](auto& state) { fronts(state, pattern, Symmetry::symmetric, Part::solve); });
    for (const int threads : {1, 2})
      benchmark::RegisterBenchmark(
          ("mesh/factor/fronts/" + shape + "/threads:" + std::to_string(threads)).c_str(),
          [=](auto& state) { fronts(state, pattern, Symmetry::symmetric, Part::factor, threads); })
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
  }
  for (const auto& [shape, pattern] : {std::pair{std::string("plate8"), mesh(9, 9, false)},
                                       {std::string("plate16"), mesh(17, 17, false)},
                                       {std::string("plate32"), mesh(33, 33, false)},
                                       {std::string("tube24x92"), mesh(93, 24, true)}}) {
    add("analyse/" + shape, [=](auto& state) { analyse(state, pattern); });
    for (auto [part, name] : {std::pair{Part::factor, std::string("factor/")}, {Part::solve, std::string("solve/")}}) {
      const auto of = [&](const std::string& method) { return name + method + "/" + shape; };
      add(of("fronts"), [=, p = part](auto& state) { fronts(state, pattern, Symmetry::symmetric, p); });
      add(of("fronts_lu"), [=, p = part](auto& state) { fronts(state, pattern, Symmetry::unsymmetric, p); });
      add(of("blocks"), [=, p = part](auto& state) { by_blocks(state, pattern, p); });
      add(of("eigen"), [=, p = part](auto& state) { eigen(state, pattern, p); });
    }
  }
}

}  // namespace
}  // namespace flexura

int main(int argc, char** argv) {
  using namespace flexura;
  register_all<double>("double");
  register_all<Lanes>("lanes");
  register_meshes();
  for (int n : {1000, 100000}) {
    benchmark::RegisterBenchmark(("analyse/chain4:" + std::to_string(n)).c_str(),
                                 [=](auto& state) { analyse(state, chain(n, 4)); });
  }
  benchmark::RegisterBenchmark("analyse/grid9:32", [](auto& state) { analyse(state, grid(32, 9)); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
