// No heap in a warmed-up step: alone, in lanes, with two threads, and in steps that fail.

#include <gtest/gtest.h>

#include "flexura/constraint/distance.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/load/follower_force.hpp"
#include "tests/support/count_allocations.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

using std::array;

/// Every kind of work a step can have: driven and welded slots, lag, multiplier, damping, unsymmetric loads.
Model machine(int elements, bool unsymmetric) {
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  signals->add("pump", SineSignal{.amplitude = 1, .frequency = 3});
  signals->add("valve", LagSignal{.of = "pump", .tau = 0.1});
  EXPECT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const Section section{.EA = 2000, .EI = 0.02, .rhoA = 0.2, .stretch_retardation = 1e-3, .bend_retardation = 2e-3};
  const Cable c =
      add_cable(b, elements, {.length = 0.1 * elements}, section, unsymmetric ? material_damped : material_green, 0.5);
  b.prescribe(c.r[0], {{b.effective({.signal = 0}), {0, 0.02}}}, "motion");
  b.fix(c.g[0], "joint.clamp");
  add_gravity(b, 0, -9.81);
  const int inside = b.combination("inside", SlotKind::point,
                                   {2, {{c.r[1], {.5, 0, 0, .5}}, {c.r[2], {.5, 0, 0, .5}}}, {}, {}}, "place");
  add_mass(b, inside, 0.05);
  add_moment(b, c.g.back(), 0.02, b.effective({.signal = 1}));
  const int lambda = b.multiplier("rod");
  b.item<Distance2d>({c.r[0], c.r[2], lambda}, {.length = 0.2}, "rod");
  if (unsymmetric)
    b.item<FollowerForce2d>({c.tip(), c.g.back(), b.effective({.signal = 0})}, {.force = {0.1, 0.2}}, "follower");
  return b.build();
}

template <class S>
long used_by_steps(Simulation<S>& s, TangentPolicy policy) {
  GeneralizedAlpha<S> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {.tangent = policy});
  EXPECT_TRUE(all(integrator.start(s.state)));
  for (int k = 1; k <= 3; ++k) EXPECT_TRUE(all(integrator.step(s.state, 1e-3 * k).converged));
  const long before = allocations();
  for (int k = 4; k <= 60; ++k) EXPECT_TRUE(all(integrator.step(s.state, 1e-3 * k).converged));
  const long used = allocations() - before;
  // Steps that fail, and the one after.
  const int most = integrator.newton().options().max_iterations;
  const long before_failure = allocations();
  for (int k = 0; k < 3; ++k) {
    integrator.newton().options().max_iterations = 1;
    EXPECT_FALSE(all(integrator.step(s.state, 0.06 + 0.05).converged));
    integrator.newton().options().max_iterations = most;
    integrator.reset();
    EXPECT_TRUE(all(integrator.step(s.state, 0.06 + 1e-3 * (k + 1)).converged));
  }
  EXPECT_EQ(allocations() - before_failure, 0) << "failed steps";
  return used;
}

class NoHeap : public ::testing::TestWithParam<TangentPolicy> {};

TEST_P(NoHeap, InAStepAlone) {
  for (bool unsymmetric : {false, true}) {
    Simulation<double> s(machine(6, unsymmetric));
    EXPECT_EQ(used_by_steps(s, GetParam()), 0);
  }
}

TEST_P(NoHeap, InAStepOfLanes) {
  for (bool unsymmetric : {false, true}) {
    const Model m = machine(6, unsymmetric);
    Values other = m.values;
    for (double& x : other.parameters[0]) x *= 1.05;
    const array<const Values*, 4> values{&m.values, &other, &m.values, &other};
    Simulation<Lanes> s(m.topology, values);
    EXPECT_EQ(used_by_steps(s, GetParam()), 0);
  }
}

TEST_P(NoHeap, InAStepOfTwoThreads) {
  Simulation<double> s(machine(400, true), {.threads = 2});
  ASSERT_GT(s.model.topology->chunks, 1);
  EXPECT_EQ(used_by_steps(s, GetParam()), 0);
}

INSTANTIATE_TEST_SUITE_P(Policies, NoHeap,
                         ::testing::Values(TangentPolicy::modified, TangentPolicy::once_per_step, TangentPolicy::full),
                         [](const auto& info) { return fmt::format("policy_{}", static_cast<int>(info.param)); });

TEST(NoHeap, TheCounterCounts) {
  const long before = allocations();
  const std::vector<double> x(10);
  EXPECT_EQ(allocations() - before, 1);
}

}  // namespace
}  // namespace flexura::test
