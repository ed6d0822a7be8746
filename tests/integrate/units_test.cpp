// The stop rule of a step knows neither units nor refinement.

#include <gtest/gtest.h>

#include "flexura/constraint/distance.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

using std::array;

struct Effort {
  int iterations = 0, most = 0;
  double tip = 0;  ///< height of the tip at the end [length of the cable]
};
/// From equilibrium 100 steps of 1 ms of the actuator under a growing moment, with a pendulum on its tip, in units of which 1 m, 1 kg and
/// 1 s are `length`, `mass` and `time`.
Effort effort(int elements, double length, double mass, double time) {
  const double force = mass * length / (time * time), L = 0.175 * length;
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  signals->add("ramp", SmoothStepSignal{.from = 0, .to = 1, .start = 0, .duration = 0.1 * time});
  EXPECT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const Cable c = add_cable(b, elements, {.length = L},
                            {.EA = 2000 * force, .EI = 0.0186 * force * length * length, .rhoA = 0.12 * mass / length});
  clamp(b, c);
  add_gravity(b, 0, -9.81 * length / (time * time));
  add_moment(b, c.g.back(), 0.05 * force * length, b.effective({.signal = 0}));
  const int bob = b.slot("bob", SlotKind::point, array{L, -0.1 * length});
  add_mass(b, bob, 0.02 * mass);
  b.item<Distance2d>({c.tip(), bob, b.multiplier("rod")}, {.length = 0.1 * length}, "rod");
  Simulation<double> s(b.build());
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8),
                                      {.tangent = TangentPolicy::full});
  // To rounding: what is left out of balance swings along.
  EXPECT_TRUE(
      StaticSolver(s.system, {.newton = {.tolerance = 1e-13, .max_iterations = 20, .tangent = TangentPolicy::full}})
          .solve(s.state)
          .converged);
  EXPECT_TRUE(integrator.start(s.state));
  Effort out;
  for (int k = 1; k <= 100; ++k) {
    const SolveReport<double> report = integrator.step(s.state, 1e-3 * time * k);
    EXPECT_TRUE(report.converged);
    out.iterations += report.iterations;
    out.most = std::max(out.most, report.iterations);
  }
  out.tip = s.q(c.tip(), 1) / L;
  return out;
}

TEST(Step, UnitsAndRefinementDoNotChangeTheIterations) {
  const Effort si = effort(8, 1, 1, 1);
  EXPECT_GT(std::fabs(si.tip), 0.02);
  for (const auto& [length, mass, time] :
       {std::tuple{1e3, 1.0, 1.0}, {1e3, 1e3, 1e3}, {1.0, 1e3, 1.0}, {1.0, 1.0, 1e3}, {1e-3, 1e-3, 1.0}}) {
    const Effort other = effort(8, length, mass, time);
    EXPECT_NEAR(other.iterations, si.iterations, 1) << "in 100 steps";
    EXPECT_NEAR(other.tip, si.tip, 1e-9);
  }
  const Effort fine = effort(800, 1, 1, 1);
  RecordProperty("iterations", fmt::format("{} {}, most {} {}", si.iterations, fine.iterations, si.most, fine.most));
  EXPECT_NEAR(fine.iterations, si.iterations, 100) << "± 1 in each of 100 steps, at 100 times the elements";
  EXPECT_LE(fine.most, 6);  // measured: 1.1 per step, at most 2; at 100 times the elements 2.0 and 6
  EXPECT_NEAR(fine.tip, si.tip, 1e-3);
}

}  // namespace
}  // namespace flexura::test
