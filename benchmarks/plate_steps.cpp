/// Steps of thin plates, generalized-α with ρ = 0.9: the pendulum of ghoneimy2025 on 8 × 8 elements at 1 ms, and a trunk of 92 × 24
/// elements (19 872 free coordinates) at 2 ms, falling and curled by a moment on a ring; and what the parts of a step take.
///
/// "CPU" is per step; iterations and factors are per step, too.

#include <benchmark/benchmark.h>

#include <memory>
#include <stdexcept>

#include "benchmarks/models.hpp"
#include "flexura/load/plate_load.hpp"
#include "flexura/mesh/plate_model.hpp"
#include "flexura/mesh/surface_shapes.hpp"

namespace {

using namespace flexura;
using namespace flexura::bench;
using Rule = AncfThinPlate::Integration;

PlateSection wall(double E, double h, double rho, Rule rule) {
  const Layer layer{isotropic_stiffness(E, 0.3), h, rho, 0};
  PlateSection out;
  out.laminate = make_laminate({&layer, 1});
  out.integration = rule;
  return out;
}

enum Case { pendulum, falling, curled };
struct Motion {
  Model model;
  double h;
  int steps;
};

Motion make_pendulum(Rule rule) {
  ModelBuilder b(3);
  const PlateModel plate =
      add_plate(b, "plate", make_mesh(FlatPlate{.length = 0.3, .width = 0.3, .elements_u = 8, .elements_v = 8}),
                wall(1e5, 0.01, 7810, rule));
  b.fix(plate.nodes[0].r, "joint.pin");
  b.gravity(std::array{0.0, 0.0, -9.81}, b.constant_signal());
  return {b.build(), 1e-3, 300};
}

/// The tube of examples/trunk.toml, clamped at its wide end; curled: 20 N m about y on the ring at three quarters of its length.
Motion make_trunk(bool is_curled, Rule rule) {
  ModelBuilder b(3);
  auto signals = std::make_shared<SignalSet>();
  signals->add("muscle", RampSignal{.duration = 0.3});
  if (!signals->finish().empty()) throw std::logic_error("signal");
  b.set_signals(signals);
  const SurfaceMesh mesh =
      make_mesh(Cone{.radius_start = 0.16, .radius_end = 0.04, .length = 1.5, .along = 92, .around = 24});
  const PlateModel plate = add_plate(b, "trunk", mesh, wall(0.938e6, 0.02, 1180, rule));
  for (const int node : mesh.slice(0))
    for (const int slot : {plate.nodes[node].r, plate.nodes[node].g_u, plate.nodes[node].g_v}) b.fix(slot, "clamp");
  if (is_curled)
    for (const int node : mesh.slice(69))
      b.item<PlateMoment>({plate.nodes[node].g_u, plate.nodes[node].g_v, b.effective({.signal = 0})},
                          {.moment = {0.0, 20.0 / 24, 0.0}}, "muscle");
  b.gravity(std::array{0.0, 0.0, -9.81}, b.constant_signal());
  return {b.build(), 2e-3, 20};
}

Motion make(Case which, Rule rule) {
  return which == pendulum ? make_pendulum(rule) : make_trunk(which == curled, rule);
}
std::unique_ptr<TimedRun<double>> run_of(const Motion& motion) {
  return std::make_unique<TimedRun<double>>(motion.model, TangentPolicy::modified);
}

/// All steps from the start, each an iteration of the benchmark.
template <Case which>
void step(benchmark::State& state) {
  const Motion motion = make(which, Rule(state.range(0)));
  const auto run = run_of(motion);
  for (auto _ : state) {
    if (run->count == motion.steps) {
      state.PauseTiming();
      run->restart();
      state.ResumeTiming();
    }
    if (!run->advance(1, motion.h)) return state.SkipWithError("no convergence");
  }
  state.counters["iterations"] = static_cast<double>(run->iterations) / static_cast<double>(run->count);
  state.counters["factors"] = static_cast<double>(run->factorizations) / static_cast<double>(run->count);
  state.counters["coordinates"] = run->system.topology().ny;
}

/// Half the motion is over.
struct Halfway {
  explicit Halfway(Case which) : motion(make(which, Rule::full)), run(run_of(motion)) {
    if (!run->advance(motion.steps / 2, motion.h)) throw std::runtime_error("no convergence");
    r.resize(run->system.assembler.residual_size());
    run->system.assembler.tangent(run->state.t, run->state.q.data(), run->state.v.data(), 1 / (motion.h * motion.h), 0,
                                  run->system.values.data());
    run->system.solver.factor(run->system.values);
  }
  Motion motion;
  std::unique_ptr<TimedRun<double>> run;
  std::vector<double> r;
};
template <Case which>
void residual(benchmark::State& state) {
  Halfway half(which);
  for (auto _ : state) {
    half.run->system.assembler.residual(half.run->state.t, half.run->state.q.data(), half.run->state.v.data(),
                                        half.r.data());
    benchmark::ClobberMemory();
  }
}
template <Case which>
void tangent(benchmark::State& state) {
  Halfway half(which);
  const double cm = 1 / (half.motion.h * half.motion.h);
  for (auto _ : state) {
    half.run->system.assembler.tangent(half.run->state.t, half.run->state.q.data(), half.run->state.v.data(), cm, 0,
                                       half.run->system.values.data());
    benchmark::ClobberMemory();
  }
}
template <Case which>
void factor(benchmark::State& state) {
  Halfway half(which);
  for (auto _ : state) benchmark::DoNotOptimize(half.run->system.solver.factor(half.run->system.values));
}
template <Case which>
void solve(benchmark::State& state) {
  Halfway half(which);
  half.r.assign(half.run->system.topology().ny, 1.0);
  for (auto _ : state) {
    half.run->system.solver.solve(std::span<double>(half.r));
    benchmark::ClobberMemory();
  }
}

// Argument: 0 full (16 points), 1 reduced (9 points).
BENCHMARK_TEMPLATE(step, pendulum)->Unit(benchmark::kMillisecond)->Arg(0)->Arg(1)->Iterations(300)->Repetitions(3);
BENCHMARK_TEMPLATE(residual, pendulum)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(tangent, pendulum)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(factor, pendulum)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(solve, pendulum)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(step, falling)->Unit(benchmark::kMillisecond)->Arg(0)->Arg(1)->Iterations(20);
BENCHMARK_TEMPLATE(residual, falling)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(tangent, falling)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(factor, falling)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(solve, falling)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(step, curled)->Unit(benchmark::kMillisecond)->Arg(0)->Arg(1)->Iterations(20);
BENCHMARK_TEMPLATE(factor, curled)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(solve, curled)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
