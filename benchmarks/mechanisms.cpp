// Time per step of mechanisms in natural coordinates: generalized-α (ρ∞ = 0.9), 1 ms, gravity, a fresh tangent in each
// iteration. `ns/body/it`: time per body and iteration; `iterations`: per step. `build` is ModelBuilder, `set_up` assembler
// and solver.

#include <benchmark/benchmark.h>

#include "flexura/integrate/generalized_alpha.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/mechanism_chains.hpp"

namespace flexura {
namespace {

using Make = std::function<Model()>;

void step(benchmark::State& state, const Make& make, int bodies) {
  test::Simulation<double> s(make());
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.9),
                                      {.tangent = TangentPolicy::full});
  if (!integrator.start(s.state)) return state.SkipWithError("no initial accelerations");
  const State<double> first = s.state;
  double iterations = 0;
  int steps = 0;
  for (auto _ : state) {
    if (++steps % 200 == 0) {  // long falls whip
      s.state = first;
      integrator.reset();
    }
    const auto report = integrator.step(s.state, s.state.t + 1e-3);
    if (!report.converged) return state.SkipWithError("no convergence");
    iterations += report.iterations;
  }
  state.counters["iterations"] = iterations / static_cast<double>(state.iterations());
  state.counters["ns/body/it"] =
      benchmark::Counter(bodies * iterations * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// The tangent's factorisation and solve alone.
void factor(benchmark::State& state, const Make& make, int bodies) {
  test::Simulation<double> s(make());
  s.system.assembler.tangent(0, s.state.q.data(), s.state.v.data(), 4e6, 0, s.system.values.data());
  std::vector<double> y(s.model.topology->ny, 1.0), x;
  for (auto _ : state) {
    benchmark::DoNotOptimize(s.system.solver.factor(s.system.values));
    x = y;
    s.system.solver.solve(std::span(x));
  }
  state.counters["block"] = s.system.solver.layout().block_size;
  state.counters["ns/body"] = benchmark::Counter(
      static_cast<double>(bodies) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void build(benchmark::State& state, const Make& make, int bodies) {
  for (auto _ : state) benchmark::DoNotOptimize(make());
  state.counters["ns/body"] = benchmark::Counter(
      static_cast<double>(bodies) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void set_up(benchmark::State& state, const Make& make, int bodies) {
  const Model model = make();
  for (auto _ : state) {
    const Values* values = &model.values;
    benchmark::DoNotOptimize(std::make_unique<System<double>>(model.topology, std::span(&values, 1)));
  }
  state.counters["ns/body"] = benchmark::Counter(
      static_cast<double>(bodies) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void add(const std::string& name, int bodies, const Make& make) {
  const auto each = [&](const char* what, auto run) {
    benchmark::RegisterBenchmark((what + ("/" + name)).c_str(), [=](auto& state) {
      run(state, make, bodies);
    })->Unit(benchmark::kMicrosecond);
  };
  each("step", step);
  each("factor", factor);
  each("build", build);
  each("set_up", set_up);
}

}  // namespace
}  // namespace flexura

int main(int argc, char** argv) {
  using namespace flexura;
  using test::SpatialJoint;
  for (int n : {10, 100, 1000, 10000}) add("planar:" + std::to_string(n), n, [=] { return test::planar_chain(n); });
  for (int n : {10, 100, 1000, 10000}) {
    add("hinges:" + std::to_string(n), n, [=] { return test::spatial_chain(n, SpatialJoint::hinge); });
    add("spherical:" + std::to_string(n), n, [=] { return test::spatial_chain(n, SpatialJoint::spherical); });
  }
  add("windows:40", 81, [] { return test::windows(40); });
  add("linkage", 7, [] { return test::linkage(); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
