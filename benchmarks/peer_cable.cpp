/// Flexura's figures for the two cables of benchmarks/peers/exudyn_cable.py, as the JSON that it reads:
///
///     peer_cable > flexura.json && benchmarks/peers/run.sh cable flexura.json
///
/// Both at 1 ms; the least processor time over policies of Newton's tangent counts, as there. Tip error: largest distance to this
/// program's own tip at 1/32 ms, every 0.1 s; of 4 elements (damped, with the chamber's moment) from 5 s on.

#include <fmt/format.h>

#include <cmath>
#include <ctime>

#include "benchmarks/models.hpp"

namespace {

using namespace flexura;
using namespace flexura::bench;

/// Tips every 0.1 s from `since` to `end` [s].
std::vector<std::array<double, 2>> tips(const CableModel& cable, double h, double since, double end) {
  TimedRun<double> run(cable.model, TangentPolicy::modified);
  std::vector<std::array<double, 2>> out;
  const int per_sample = static_cast<int>(std::lround(0.1 / h));
  for (int k = 1; k <= std::lround(end / 0.1); ++k) {
    if (!run.advance(per_sample, h)) std::abort();
    if (k >= std::lround(since / 0.1)) out.push_back({run.state.q[cable.tip], run.state.q[cable.tip + 1]});
  }
  return out;
}

double tip_error(const CableModel& cable, double since, double end) {
  const auto coarse = tips(cable, 1e-3, since, end), fine = tips(cable, 1e-3 / 32, since, end);
  double worst = 0;
  for (size_t k = 0; k < fine.size(); ++k)
    worst = std::max(worst, std::hypot(coarse[k][0] - fine[k][0], coarse[k][1] - fine[k][1]));
  return worst;
}

/// Of this process.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Cost {
  double us_per_step = 1e9, us_per_element_iteration = 1e9;
};
Cost cost(const CableModel& cable, int elements, int steps) {
  Cost least;
  for (const TangentPolicy tangent : {TangentPolicy::full, TangentPolicy::once_per_step, TangentPolicy::modified}) {
    TimedRun<double> run(cable.model, tangent);
    for (int k = 0; k < 7; ++k) {
      run.restart();
      const double start = processor_seconds();
      if (!run.advance(steps, 1e-3)) std::abort();
      const double us = (processor_seconds() - start) * 1e6;
      least.us_per_step = std::min(least.us_per_step, us / steps);
      least.us_per_element_iteration =
          std::min(least.us_per_element_iteration, us / static_cast<double>(run.iterations) / elements);
    }
  }
  return least;
}

}  // namespace

int main() {
  CableOptions few = actuator(), many = horizontal(200, 2);
  few.engineering = many.engineering = true;
  const CableModel cable4 = cable_model(few), cable200 = cable_model(many);
  const Cost cost4 = cost(cable4, 4, 10000), cost200 = cost(cable200, 200, 1000);
  fmt::print(
      "{{\"us_per_step_4\": {:.4f}, \"tip_error_4\": {:.6e}, \"us_per_step_200\": {:.3f}, "
      "\"us_per_element_iteration_200\": {:.5f}, \"tip_error_200\": {:.6e}, \"step\": 1e-3}}\n",
      cost4.us_per_step, tip_error(cable4, 5, 10), cost200.us_per_step, cost200.us_per_element_iteration,
      tip_error(cable200, 0.1, 1));
  return 0;
}
