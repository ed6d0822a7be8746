/// The soft actuator of rong2024/realtime (4 elements, 1 ms, 10 s): the engine beside the hand-written yardstick, in one
/// process and taking turns, best of 20.
///
///     actuator               a table
///     actuator --json        the same as JSON

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "benchmarks/models.hpp"
#include "benchmarks/yardstick_actuator.hpp"

namespace {

using namespace flexura;
using namespace flexura::bench;

struct Row {
  std::string name;
  double us_per_step = 1e9, iterations = 0, factorizations = 0;
};

constexpr int steps = 10000, repeats = 20;

template <class Yardstick>
void time_yardstick(Row& row, double tolerance) {
  typename Yardstick::Options options;
  options.tolerance = tolerance;
  Yardstick yardstick(options);
  long iterations = 0;
  const double start = seconds();
  for (int i = 0; i < steps; ++i) iterations += yardstick.step();
  row.us_per_step = std::min(row.us_per_step, (seconds() - start) / steps * 1e6);
  row.iterations = row.factorizations = static_cast<double>(iterations) / steps;
}

void time_engine(Row& row, TimedRun<double>& run) {
  run.restart();
  const double start = seconds();
  if (!run.advance(steps, 1e-3)) std::abort();
  row.us_per_step = std::min(row.us_per_step, (seconds() - start) / steps * 1e6);
  row.iterations = static_cast<double>(run.iterations) / steps;
  row.factorizations = static_cast<double>(run.factorizations) / steps;
}

}  // namespace

int main(int argc, char** argv) {
  const bool json = argc > 1 && std::string_view(argv[1]) == "--json";
  const Model model = cable_model(actuator()).model;
  // At these tolerances yardstick and engine take the same iterations.
  constexpr double tolerance = 1e-8, engine_tolerance = 5e-8;
  std::vector<Row> rows{{"yardstick"}, {"yardstick, elements side by side"}};
  std::vector<std::unique_ptr<TimedRun<double>>> runs;
  for (const double t : {engine_tolerance, 1e-8})
    for (const TangentPolicy tangent : {TangentPolicy::full, TangentPolicy::once_per_step, TangentPolicy::modified}) {
      rows.push_back({fmt::format("engine, {}, tolerance {:.0e}", name(tangent), t)});
      runs.push_back(std::make_unique<TimedRun<double>>(model, tangent, t));
    }
  for (int k = 0; k < repeats; ++k) {
    time_yardstick<YardstickActuator>(rows[0], tolerance);
    time_yardstick<YardstickActuatorLanes>(rows[1], tolerance);
    for (size_t i = 0; i < runs.size(); ++i) time_engine(rows[2 + i], *runs[i]);
  }
  if (json) fmt::print("[\n");
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row& r = rows[i];
    const double ratio = r.us_per_step / rows[0].us_per_step;
    if (json)
      fmt::print(
          R"(  {{"name": "{}", "us_per_step": {:.4f}, "iterations": {:.3f}, "factorizations": {:.3f}, "ratio": {:.3f}}}{})"
          "\n",
          r.name, r.us_per_step, r.iterations, r.factorizations, ratio, i + 1 < rows.size() ? "," : "");
    else
      fmt::print("{:42} {:7.3f} us/step {:6.3f} iterations {:6.3f} factorizations {:6.3f} x yardstick\n", r.name,
                 r.us_per_step, r.iterations, r.factorizations, ratio);
  }
  if (json) fmt::print("]\n");
  return 0;
}
