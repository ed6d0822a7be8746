/// Simulations of the actuator with different parameters: one by one, and in the lanes of one. How much lanes win depends on how full the packs
/// are that a simulation by itself makes of its elements: 1 element leaves all but one lane empty, 4 fill four. Processor time, best of 20.

#include <fmt/format.h>

#include <ctime>

#include "benchmarks/models.hpp"

using namespace flexura;
using namespace flexura::bench;

namespace {

constexpr int steps = 2000, repeats = 20;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Cost {
  double time = 1e9;                   ///< [s] per step and simulation
  double iterations = 0, factors = 0;  ///< per step
};

template <class S>
Cost cost_of(const Model& model, TangentPolicy tangent, const std::vector<const Values*>& values) {
  TimedRun<S> run(model, tangent, values);
  Cost cost;
  for (int k = 0; k < repeats; ++k) {
    run.restart();
    const double start = processor_seconds();
    if (!run.advance(steps, 1e-3)) std::abort();
    cost.time = std::min(cost.time, (processor_seconds() - start) / steps / ScalarTraits<S>::lanes);
  }
  cost.iterations = static_cast<double>(run.iterations) / steps;
  cost.factors = static_cast<double>(run.factorizations) / steps;
  return cost;
}

}  // namespace

int main() {
  for (const int elements : {1, 2, 4, 8, 16}) {
    std::vector<Model> models;
    for (int lane = 0; lane < native_lanes; ++lane) {
      CableOptions options = actuator();
      options.elements = elements;
      options.EI *= 1 + 0.05 * lane;
      options.pressure *= 1 - 0.05 * lane;
      models.push_back(cable_model(options).model);
    }
    std::vector<const Values*> values;
    for (const Model& m : models) values.push_back(&m.values);
    for (const TangentPolicy tangent : {TangentPolicy::full, TangentPolicy::once_per_step, TangentPolicy::modified}) {
      const Cost alone = cost_of<double>(models[0], tangent, {values[0]});
      const Cost lanes = cost_of<Lanes>(models[0], tangent, values);
      fmt::print(
          "{:2} elements, {:13}: {:.3f} us per step alone ({:.2f} iterations, {:.2f} factors), {:.3f} in {} lanes "
          "({:.2f}, {:.2f}): {:.2f} times\n",
          elements, name(tangent), alone.time * 1e6, alone.iterations, alone.factors, lanes.time * 1e6, native_lanes,
          lanes.iterations, lanes.factors, alone.time / lanes.time);
    }
  }
  return 0;
}
