/// Solids of many thousand coordinates: what setting one up takes, equilibrium under its weight, and steps of a tube that is blown
/// up from inside.
///
/// Set-up and equilibrium run once; the counters are seconds of wall time by phase, and the peak memory of the process so far,
/// so that each case is best run by itself:
///     build/release/benchmarks/large_solids --benchmark_filter=hexahedra_8/2

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

#include "benchmarks/models.hpp"
#include "flexura/load/face_pressure.hpp"
#include "flexura/mesh/solid_model.hpp"
#include "flexura/mesh/solid_shapes.hpp"
#include "flexura/solve/statics.hpp"

namespace {

using namespace flexura;
using namespace flexura::bench;

/// Rubber of a shear modulus of 0.1 MPa.
const SolidSection rubber{.rho = 1000, .constants = {{1e5}, 1e7}};

class Clock {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void clamp(ModelBuilder& builder, const SolidMesh& mesh, const SolidModel& solid, const char* set) {
  for (const int node : mesh.find(set)->nodes) builder.fix(solid.nodes[node], "clamp");
}

/// A cube of 0.1 m, its left face held, that sags under its weight. Argument: threads.
void weighed(benchmark::State& state, SolidKind kind, int cells) {
  for (auto _ : state) {
    Clock clock;
    const SolidMesh mesh = make_mesh(Block{.size = {0.1, 0.1, 0.1}, .elements = {cells, cells, cells}, .kind = kind});
    state.counters["1 mesh"] = clock.lap();
    ModelBuilder builder(3);
    const SolidModel solid = add_solid(builder, "block", mesh, rubber);
    clamp(builder, mesh, solid, "left");
    builder.gravity(std::array{0.0, 0.0, -9.81}, builder.constant_signal());
    state.counters["2 items"] = clock.lap();
    const Model model = builder.build();
    state.counters["3 model"] = clock.lap();
    const Values* values[] = {&model.values};
    System<double> system(model.topology, values, {.threads = static_cast<int>(state.range(0))});
    state.counters["4 system"] = clock.lap();
    State<double> at = system.initial_state(0);
    StaticSolver solver(system, {});
    const StaticReport report = solver.solve(at);
    if (!report.converged) return state.SkipWithError("no equilibrium");
    state.counters["5 equilibrium"] = clock.lap();
    state.counters["iterations"] = report.iterations;
    state.counters["coordinates"] = model.topology->ny;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

/// A finger's wall: a curved tube of 25 000 coordinates, clamped at its bottom, 5 kPa inside within 0.1 s, generalized-α with
/// ρ = 0.9 at 2 ms. Argument: threads.
template <SolidKind kind, class Pressure>
void step(benchmark::State& state) {
  const bool quadratic = kind == SolidKind::hexahedron_20;
  ModelBuilder builder(3);
  auto signals = std::make_shared<SignalSet>();
  signals->add("pump", RampSignal{.to = 5e3, .duration = 0.1});
  if (!signals->finish().empty()) throw std::logic_error("signal");
  builder.set_signals(signals);
  const SolidMesh mesh = make_mesh(ThickTube{.inner = 0.008,
                                             .outer = 0.011,
                                             .height = 0.12,
                                             .radial = quadratic ? 2 : 3,
                                             .around = quadratic ? 20 : 32,
                                             .along = quadratic ? 44 : 65,
                                             .kind = kind});
  const SolidModel solid = add_solid(builder, "tube", mesh, rubber);
  clamp(builder, mesh, solid, "bottom");
  const int pump = builder.effective({.signal = 0});
  for (const SolidFace& face : mesh.find("inner")->faces) {
    const std::vector<int> nodes = face_nodes(mesh, face);
    std::array<int, slots_of<Pressure>> slots{};
    std::transform(nodes.begin(), nodes.end(), slots.begin(), [&](int node) { return solid.nodes[node]; });
    slots.back() = pump;
    builder.item<Pressure>(slots, {.factor = 1.0}, {}, "pressure");
  }
  const Model model = builder.build();
  TimedRun<double> run(model, TangentPolicy::modified, 1e-8, static_cast<int>(state.range(0)));
  for (auto _ : state)
    if (!run.advance(1, 2e-3)) return state.SkipWithError("no convergence");
  state.counters["iterations"] = static_cast<double>(run.iterations) / static_cast<double>(run.count);
  state.counters["factors"] = static_cast<double>(run.factorizations) / static_cast<double>(run.count);
  state.counters["coordinates"] = model.topology->ny;
}

void hexahedra_8(benchmark::State& state) { weighed(state, SolidKind::hexahedron_8, 32); }
void hexahedra_20(benchmark::State& state) { weighed(state, SolidKind::hexahedron_20, 19); }
void finger_8(benchmark::State& state) { step<SolidKind::hexahedron_8, FacePressureQ4>(state); }
void finger_20(benchmark::State& state) { step<SolidKind::hexahedron_20, FacePressureQ8>(state); }
BENCHMARK(hexahedra_8)->Unit(benchmark::kMillisecond)->Arg(1)->Arg(2)->Iterations(1)->UseRealTime();
BENCHMARK(hexahedra_20)->Unit(benchmark::kMillisecond)->Arg(1)->Arg(2)->Iterations(1)->UseRealTime();
BENCHMARK(finger_8)->Unit(benchmark::kMillisecond)->Arg(1)->Arg(2)->Iterations(20)->UseRealTime();
BENCHMARK(finger_20)->Unit(benchmark::kMillisecond)->Arg(1)->Arg(2)->Iterations(20)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
