// Newton's method: quadratic convergence, redundant rows by name, failures that leave the state alone.

#include "flexura/solve/newton.hpp"

#include <gtest/gtest.h>

#include "flexura/constraint/distance.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/load/distributed_force.hpp"
#include "flexura/load/follower_force.hpp"
#include "flexura/load/node_moment.hpp"
#include "flexura/load/spring_damper.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using std::array;

/// Largest distance from the solution after k iterations with a fresh tangent in each.
double distance_after(System<double>& system, const State<double>& start, int k, const std::vector<double>& solution) {
  Newton<double> newton(system, {.tolerance = 0, .max_iterations = k, .tangent = TangentPolicy::full});
  State<double> state = start;
  StageWeights weights;
  weights.inertia = false;
  newton.solve(state, weights);
  double out = 0;
  for (size_t i = 0; i < solution.size(); ++i) out = std::max(out, std::fabs(state.q[i] - solution[i]));
  return out;
}

// Follower force and follower wind have unsymmetric tangents; kept exact, the error squares in each iteration. A
// tangent without one of these parts would leave a fixed share of it.
TEST(Newton, ConvergesQuadraticallyUnderFollowerLoads) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, 6, {.curvature = 0.5}, {.EA = 1e3, .EI = 1, .rhoA = 1});
  clamp(b, c);
  b.item<FollowerForce2d>({c.tip(), c.g.back(), b.constant_signal()}, {.force = {1.0, 2.5}}, "follower");
  for (int i = 0; i < 6; ++i)
    b.item<DistributedForce2d>({c.r[i], c.g[i], c.r[i + 1], c.g[i + 1], b.constant_signal()},
                               {.force = {0.3, 1.5}, .length = 1.0 / 6}, {.frame = DistributedForce2d::Frame::follower},
                               "wind");
  b.item<NodeMoment2d>({c.g[3], b.constant_signal()}, {.moment = 0.6}, {.form = NodeMoment2d::Form::simplified},
                       "moment");
  Simulation<double> s(b.build());
  EXPECT_FALSE(s.system.symmetric);
  ASSERT_TRUE(StaticSolver(s.system, {.newton = {.tolerance = 1e-14}}).solve(s.state).converged);
  const std::vector<double> solution = s.state.q;
  Random random(1);
  for (int trial = 0; trial < 3; ++trial) {
    State<double> start = s.state;
    for (int i = 0; i < s.model.topology->ny; ++i) start.q[i] += random.uniform(-1e-3, 1e-3);
    double e[5];
    for (int k = 0; k < 5; ++k) e[k] = distance_after(s.system, start, k, solution);
    // The first iteration spends the random strains; from then on e_{k+1}/e_k² was 3 … 61, down to rounding: ε times
    // the condition of J, about 1e5 here.
    for (int k = 1; k < 4; ++k) EXPECT_LE(e[k + 1], std::max(100 * e[k] * e[k], 1e-11)) << k << ": " << e[k];
    EXPECT_LE(e[4], 1e-9);
    EXPECT_GT(e[1], 1e-4) << "there is something to converge from";
  }
}

// Two equal rods: one row is redundant, and named. Without it the tension is found by the other.
TEST(Newton, NamesRedundantConstraints) {
  ModelBuilder b(2);
  const int ground = b.slot("ground", SlotKind::point, array{0.0, 0.0});
  const int p = b.slot("mass", SlotKind::point, array{0.6, -0.8});
  b.fix(ground, "joint.ground");
  add_mass(b, p, 2);
  const int first = b.multiplier("joint.rod"), second = b.multiplier("joint.twin");
  b.item<Distance2d>({ground, p, first}, {.length = 1.0}, "joint.rod");
  b.item<Distance2d>({ground, p, second}, {.length = 1.0}, "joint.twin");
  add_gravity(b, 0, -9.81);
  Simulation<double> s(b.build());
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {});
  ASSERT_TRUE(integrator.start(s.state));
  for (int k = 1; k <= 100; ++k) ASSERT_TRUE(integrator.step(s.state, 1e-3 * k).converged) << k;
  const std::vector<int>& aside = integrator.newton().set_aside();
  ASSERT_EQ(aside.size(), 1u);
  const int named = aside[0];
  EXPECT_TRUE(named == s.at(first, 0) || named == s.at(second, 0));
  EXPECT_NEAR(std::hypot(s.q(p, 0), s.q(p, 1)), 1, 1e-9);
  const double tension = s.q(first, 0) + s.q(second, 0);
  EXPECT_GT(tension, 10);
  EXPECT_EQ(s.state.q[named], 0) << "a row set aside carries nothing";
}

TEST(Newton, AFailedStepReturnsAReportAndTheStateItStartedFrom) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, 4, {}, {.EA = 2000, .EI = 1e-4, .rhoA = 0.1});
  clamp(b, c);
  add_force(b, c.tip(), 0, -50);
  Simulation<double> s(b.build());
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {.max_iterations = 3});
  ASSERT_TRUE(integrator.start(s.state));
  const State<double> before = s.state;
  const SolveReport<double> report = integrator.step(s.state, 0.5);
  EXPECT_FALSE(report.converged);
  EXPECT_GE(report.worst, 0) << "the worst equation is named";
  EXPECT_GT(report.worst_force, 0);
  EXPECT_GT(report.residual, report.limit);
  EXPECT_EQ(s.state.t, before.t);
  EXPECT_EQ(s.state.q, before.q);
  EXPECT_EQ(s.state.v, before.v);
  EXPECT_EQ(s.state.a, before.a);
  EXPECT_EQ(s.state.a_alg, before.a_alg);
  // It can go on from there with a smaller step, to the same as if nothing had happened.
  integrator.newton().options().max_iterations = 25;
  integrator.reset();
  Simulation<double> other(s.model);
  GeneralizedAlpha<double> fresh(other.system, NewmarkFamily::generalized_alpha(0.8), {});
  ASSERT_TRUE(fresh.start(other.state));
  for (int k = 1; k <= 5; ++k) {
    ASSERT_TRUE(integrator.step(s.state, 1e-4 * k).converged);
    ASSERT_TRUE(fresh.step(other.state, 1e-4 * k).converged);
  }
  EXPECT_EQ(s.state.q, other.state.q);
}

TEST(Newton, NanNeverLeavesASolver) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, 2, {}, {});
  clamp(b, c);
  const int p = b.slot("p", SlotKind::point, array{0.0, 0.0});  // on the clamp: the spring has no direction
  add_mass(b, p, 1);
  b.item<SpringDamper2d>({c.r[0], p}, {.stiffness = 10.0, .damping = 1.0, .free_length = 0.1}, "spring");
  Simulation<double> s(b.build());
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {});
  const std::vector<double> q = s.state.q;
  const SolveReport<double> report = integrator.step(s.state, 1e-3);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(s.state.q, q);
}

TEST(Newton, AMatrixWithoutMassIsReportedAsWeak) {
  ModelBuilder b(2);
  b.slot("p", SlotKind::point, array{0.0, 0.0});
  add_mass(b, 0, 0);
  add_force(b, 0, 1, 0);
  Simulation<double> s(b.build());
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {});
  EXPECT_FALSE(integrator.start(s.state));
  const SolveReport<double> report = integrator.step(s.state, 1e-3);
  EXPECT_FALSE(report.converged);
  EXPECT_TRUE(report.weak);
  for (double x : s.state.q) EXPECT_EQ(x, 0);
}

}  // namespace
}  // namespace flexura::test
