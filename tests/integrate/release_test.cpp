// A load let go: accelerations jump, and positions predicted from them are far outside of what Newton can mend.

#include <gtest/gtest.h>

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

/// The horizontal soft actuator under gravity with `force` at its end.
Model actuator(int elements, double force) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, elements, {.length = 0.175}, {});
  clamp(b, c);
  add_gravity(b, 0, -9.81);
  add_force(b, c.tip(), 0, -force);
  return b.build();
}

// Hanging under 100 g that go. From q̈₁ = q̈₀ the first step does not converge in 25 iterations, from q₁ = q₀ it does in
// 3; the steps after it begin at q₁ = q₀ and take 8. Energy is not gained: generalized-α with ρ = 0.9 takes some.
TEST(Release, ASuddenReleaseOfManyElementsConverges) {
  for (const int elements : {4, 15, 40}) {
    Simulation<double> loaded(actuator(elements, 0.981)), free(actuator(elements, 0));
    ASSERT_TRUE(StaticSolver(loaded.system, {}).solve(loaded.state).converged);
    free.state.q = loaded.state.q;
    GeneralizedAlpha<double> integrator(free.system, NewmarkFamily::generalized_alpha(0.9), {});
    ASSERT_TRUE(integrator.start(free.state));
    const Assembler<double>& a = free.system.assembler;
    const double strain = a.potential_energy(0, free.state.q.data());
    for (int step = 1; step <= 100; ++step) {
      const SolveReport<double> report = integrator.step(free.state, 1e-3 * step);
      ASSERT_TRUE(report.converged) << elements << " elements, step " << step;
      const double energy = a.kinetic_energy(free.state.v.data()) + a.potential_energy(0, free.state.q.data());
      EXPECT_LE(energy - free.state.energy.gravity, 1.001 * strain) << elements << " elements, step " << step;
    }
  }
}

}  // namespace
}  // namespace flexura::test
