/// Time per element and iteration of chains of 10 … 100 000 elements of 10 mm, released horizontally: it must not grow.

#include <fmt/format.h>

#include <cmath>

#include "benchmarks/models.hpp"

using namespace flexura;
using namespace flexura::bench;

int main() {
  for (int elements = 10; elements <= 100000; elements *= 10) {
    const Model model = cable_model(horizontal(elements, 0.01 * elements)).model;
    const int steps = std::clamp(2000000 / elements, 5, 2000);
    for (const TangentPolicy tangent : {TangentPolicy::full, TangentPolicy::modified}) {
      TimedRun<double> run(model, tangent);
      double best = 1e9;
      for (int k = 0; k < 5; ++k) {
        run.restart();
        const double start = seconds();
        if (!run.advance(steps, 1e-3)) return 1;
        best = std::min(best, (seconds() - start) / steps);
      }
      const double iterations = static_cast<double>(run.iterations) / steps;
      fmt::print("{:6} elements, {:8}: {:11.2f} us per step, {:.3f} iterations, {:.4f} us per element and iteration\n",
                 elements, name(tangent), best * 1e6, iterations, best * 1e6 / elements / iterations);
    }
  }
  return 0;
}
