/// A cable of 1000 elements, 10 m, EA 2000 N, EI 0.0186 N m², ρA 0.12 kg/m, clamped horizontally and released under
/// gravity: 1 s in steps of 1 ms.

#include <fmt/format.h>

#include <cmath>

#include "benchmarks/models.hpp"

using namespace flexura;
using namespace flexura::bench;

int main() {
  constexpr int elements = 1000, steps = 1000, repeats = 5;
  const CableModel cable = cable_model(horizontal(elements, 10));
  for (const TangentPolicy tangent : {TangentPolicy::full, TangentPolicy::once_per_step, TangentPolicy::modified}) {
    TimedRun<double> run(cable.model, tangent);
    double best = 1e9;
    for (int k = 0; k < repeats; ++k) {
      run.restart();
      const double start = seconds();
      if (!run.advance(steps, 1e-3)) {
        fmt::print("no convergence in step {}\n", run.count);
        return 1;
      }
      best = std::min(best, seconds() - start);
    }
    const Assembler<double>& a = run.system.assembler;
    const double kinetic = a.kinetic_energy(run.state.v.data());
    const double strain = a.potential_energy(run.state.t, run.state.q.data()), work = run.state.energy.gravity;
    fmt::print(
        "{:13}: {:.3f} iterations per step, at most {}; {:.3f} factors per step; {:.1f} us per step, {:.4f} us per "
        "element and iteration\n",
        name(tangent), static_cast<double>(run.iterations) / steps, run.worst,
        static_cast<double>(run.factorizations) / steps, best / steps * 1e6,
        best / static_cast<double>(run.iterations) / elements * 1e6);
    fmt::print(
        "               kinetic {:.6f} + strain {:.6f} - work of gravity {:.6f} = {:.2e} J ({:.1e} of the work, "
        "numerical damping)\n",
        kinetic, strain, work, kinetic + strain - work, (kinetic + strain - work) / work);
  }
  return 0;
}
