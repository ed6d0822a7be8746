/// Four simulations of the actuator in the lanes of one, with different parameters; best of 20.

#include <fmt/format.h>

#include "benchmarks/models.hpp"

using namespace flexura;
using namespace flexura::bench;

int main() {
  constexpr int steps = 10000, repeats = 20;
  std::vector<Model> models;
  for (int lane = 0; lane < native_lanes; ++lane) {
    CableOptions options = actuator();
    options.EI *= 1 + 0.05 * lane;
    options.pressure *= 1 - 0.05 * lane;
    models.push_back(cable_model(options).model);
  }
  std::vector<const Values*> values;
  for (const Model& m : models) values.push_back(&m.values);
  for (const TangentPolicy tangent : {TangentPolicy::full, TangentPolicy::once_per_step, TangentPolicy::modified}) {
    TimedRun<Lanes> run(models[0], tangent, values);
    double best = 1e9;
    for (int k = 0; k < repeats; ++k) {
      run.restart();
      const double start = seconds();
      if (!run.advance(steps, 1e-3)) return 1;
      best = std::min(best, seconds() - start);
    }
    fmt::print("{} simulations in lanes, {:13}: {:.3f} us per step and simulation, {:.3f} iterations, {:.3f} factors\n",
               native_lanes, name(tangent), best / steps / native_lanes * 1e6,
               static_cast<double>(run.iterations) / steps, static_cast<double>(run.factorizations) / steps);
  }
  return 0;
}
