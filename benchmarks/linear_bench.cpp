// Block factorisation and solve: chains of 4-blocks (a planar cable) and a 32 × 32 grid of 9-blocks (a plate).
// `ns/block` is the time per diagonal block, for lanes per block of all simulations together.

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "flexura/linear/linear_solver.hpp"

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

  System(const BlockPattern& pattern, Symmetry symmetry) {
    solver.analyse(pattern, symmetry);
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

}  // namespace
}  // namespace flexura

int main(int argc, char** argv) {
  using namespace flexura;
  register_all<double>("double");
  register_all<Lanes>("lanes");
  for (int n : {1000, 100000}) {
    benchmark::RegisterBenchmark(("analyse/chain4:" + std::to_string(n)).c_str(),
                                 [=](auto& state) { analyse(state, chain(n, 4)); });
  }
  benchmark::RegisterBenchmark("analyse/grid9:32", [](auto& state) { analyse(state, grid(32, 9)); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
