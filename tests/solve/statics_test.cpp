// Equilibria against closed forms, third-party tables and an independent program.

#include "flexura/solve/statics.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "flexura/constraint/distance.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

using std::array;
using std::numbers::pi;

/// Soft actuator: 175 mm, EA 2000 N, EI 0.0186 N m², ρA 0.12 kg/m, horizontal, 30 g at the tip.
double payload_drop(int elements, const CableOptions& options) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, elements, {.length = 0.175}, {}, options);
  clamp(b, c);
  add_mass(b, c.tip(), 0.030);
  add_gravity(b, 0, -9.81);
  Simulation<double> s(b.build());
  const StaticReport report = StaticSolver(s.system, {}).solve(s.state);
  EXPECT_TRUE(report.converged);
  EXPECT_FALSE(report.unstable);
  return -1e3 * s.q(c.tip(), 1);
}

// validation/independent: 12 digits of a second program; 1e-6 mm is what its printed digits allow.
TEST(Statics, PayloadDropAgreesWithTheIndependentProgram) {
  EXPECT_NEAR(payload_drop(15, material_green), 34.3513858, 1e-6);
  EXPECT_NEAR(payload_drop(15, {.curvature = AncfCable2d::Curvature::geometric}), 34.3586723, 1e-6);
  EXPECT_NEAR(payload_drop(15, {.curvature = AncfCable2d::Curvature::simplified}), 34.3523928, 1e-6);
  EXPECT_NEAR(payload_drop(15, material_engineering), 34.351386, 1e-6);
  EXPECT_NEAR(payload_drop(15, simplified_chord), 34.349194, 1e-6);
  const array<std::pair<int, double>, 5> by_elements{
      {{1, 29.2129005}, {2, 34.0426489}, {4, 34.3444266}, {8, 34.3512719}, {30, 34.3513884}}};
  for (const auto& [n, drop] : by_elements) EXPECT_NEAR(payload_drop(n, material_green), drop, 1e-6) << n;
}

// Forces and moments of the clamp balance weight and payload, in the bent shape.
TEST(Statics, ReactionsOfAClampBalanceTheLoads) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, 8, {.length = 0.175}, {});
  clamp(b, c);
  add_mass(b, c.tip(), 0.030);
  add_gravity(b, 0, -9.81);
  add_force(b, c.tip(), 0.2, 0.1);
  Simulation<double> s(b.build());
  StaticSolver solver(s.system, {.newton = {.tolerance = 1e-12}});
  ASSERT_TRUE(solver.solve(s.state).converged);
  const std::vector<double>& r = solver.newton().full_residual();
  const std::vector<double>& gravity = s.system.assembler.gravity_force();
  const int r0 = s.at(c.r[0], 0), g0 = s.at(c.g[0], 0);
  EXPECT_NEAR(-r[r0], -0.2, 1e-9);
  EXPECT_NEAR(-r[r0 + 1], 9.81 * (0.030 + 0.12 * 0.175) - 0.1, 1e-9);
  double moment = s.q(c.tip(), 0) * 0.1 - s.q(c.tip(), 1) * 0.2;  // of the loads about the clamp
  for (const Slot& slot : s.model.topology->slots)
    moment += s.state.q[slot.offset] * gravity[slot.offset + 1] - s.state.q[slot.offset + 1] * gravity[slot.offset];
  EXPECT_LT(moment, -0.01);
  EXPECT_NEAR(s.state.q[g0] * -r[g0 + 1] - s.state.q[g0 + 1] * -r[g0], -moment, 1e-9);
}

// Exact elastica [shared benchmark, integrated to 9 digits]. EA L²/EI = 1e6 leaves a stretch of (1 + α)·1e-6, and 64
// elements a discretisation error of the same size: 1e-5.
TEST(Statics, CantileverUnderAnEndForceIsTheElastica) {
  struct Row {
    double alpha, angle, shortening, drop, drop_of_program;
  };
  const Row rows[] = {{1, .461351950, .056433236, .301720774, 0.301720969},
                      {4, 1.121239347, .328941242, .669964181, 0.669966797},
                      {10, 1.430285539, .554995598, .810609025, 0.810616874}};
  for (const Row& row : rows) {
    ModelBuilder b(2);
    const Cable c = add_cable(b, 64, {}, {.EA = 1e6, .EI = 1, .rhoA = 1});
    clamp(b, c);
    add_force(b, c.tip(), 0, -row.alpha);
    Simulation<double> s(b.build());
    ASSERT_TRUE(StaticSolver(s.system, {}).solve(s.state).converged);
    const int g = c.g.back();
    EXPECT_NEAR(std::atan2(-s.q(g, 1), s.q(g, 0)), row.angle, 1e-5) << row.alpha;
    EXPECT_NEAR(1 - s.q(c.tip(), 0), row.shortening, 1e-5) << row.alpha;
    EXPECT_NEAR(-s.q(c.tip(), 1), row.drop, 1e-5) << row.alpha;
    EXPECT_NEAR(-s.q(c.tip(), 1), row.drop_of_program, 1e-9) << row.alpha;
  }
}

// Exact: M = 2π EI/L closes the circle at any EA with the material curvature. Order 4 in the tip position.
TEST(Statics, EndMomentRollsTheCableUpToACircleWithOrderFour) {
  const array<double, 3> program{0.00152906795, 9.56727121e-05, 6.05303865e-06};  // validation/independent
  array<double, 3> error{};
  for (int k = 0; k < 3; ++k) {
    const int n = 8 << k;
    ModelBuilder b(2);
    const Cable c = add_cable(b, n, {}, {.EA = 1e4, .EI = 1, .rhoA = 1});
    clamp(b, c);
    add_moment(b, c.g.back(), 2 * pi);
    Simulation<double> s(b.build());
    ASSERT_TRUE(StaticSolver(s.system, {}).solve(s.state).converged);
    error[k] = std::hypot(s.q(c.tip(), 0), s.q(c.tip(), 1));
    EXPECT_NEAR(error[k], program[k], 1e-9);
    EXPECT_NEAR(s.q(c.g.back(), 0), 1, 0.01);
  }
  EXPECT_GE(std::log2(error[0] / error[1]), 3.9);
  EXPECT_GE(std::log2(error[1] / error[2]), 3.9);
}

// Third-party figures [shared benchmark: Exudyn], 9 digits.
TEST(Statics, CantileverHasTheThirdPartyFigures) {
  struct Row {
    int elements;
    double ux, uy;
  };
  for (const Row& row : {Row{1, -.362244730, -.994144759}, Row{16, -.508536580, -1.207238895}}) {
    const double E = 2.07e11, h = 0.1, A = h * h, I = h * h * h * h / 12, L = 2;
    ModelBuilder b(2);
    const Cable c =
        add_cable(b, row.elements, {.length = L}, {.EA = E * A, .EI = E * I, .rhoA = 7850 * A}, material_engineering);
    b.fix(c.r[0], "joint.clamp");
    const double one = 1;
    const int length = b.slot("length", SlotKind::scalar, {&one, 1});
    b.equate(c.g[0], {2, {{length, {1, 0}}}, {}, {}}, "joint.clamp");
    add_force(b, c.tip(), 0, -3 * E * I / (L * L));
    Simulation<double> s(b.build());
    StaticOptions options;
    options.newton.tolerance = 1e-12;
    ASSERT_TRUE(StaticSolver(s.system, options).solve(s.state).converged);
    EXPECT_NEAR(s.q(c.tip(), 0) - L, row.ux, 1e-9);
    EXPECT_NEAR(s.q(c.tip(), 1), row.uy, 1e-9);
  }
}

TEST(Statics, APendulumReleasedHorizontallyHangsDown) {
  for (double angle : {0.0, pi, pi / 2, 0.7, -2.0}) {
    ModelBuilder b(2);
    const Cable c = add_cable(b, 4, {.length = 1, .angle = angle}, {});
    b.fix(c.r[0], "joint.pin");
    add_gravity(b, 0, -9.81);
    Simulation<double> s(b.build());
    const StaticReport report = StaticSolver(s.system, {}).solve(s.state);
    ASSERT_TRUE(report.converged) << angle;
    // Stretch by its own weight: ρA g L²/2EA = 2.9e-4; upright (angle π/2) is an equilibrium without a way to go.
    EXPECT_NEAR(s.q(c.tip(), 0), 0, 1e-6) << angle;
    if (angle == pi / 2) {
      EXPECT_TRUE(report.unstable || s.q(c.tip(), 1) < 0) << "upright is reported as unstable";
    } else {
      EXPECT_NEAR(s.q(c.tip(), 1), -1 - 0.12 * 9.81 / (2 * 2000), 1e-6) << angle;
      EXPECT_FALSE(report.unstable);
    }
  }
}

TEST(Statics, ARodOnAMassFindsItsStableEquilibrium) {
  ModelBuilder b(2);
  const int ground = b.slot("ground", SlotKind::point, array{0.0, 0.0});
  const int p = b.slot("mass", SlotKind::point, array{1.0, 0.0});
  b.fix(ground, "joint.ground");
  add_mass(b, p, 2);
  const int lambda = b.multiplier("rod");
  b.item<Distance2d>({ground, p, lambda}, {.length = 1.0}, "joint.rod");
  add_gravity(b, 0, -9.81);
  Simulation<double> s(b.build());
  const StaticReport report = StaticSolver(s.system, {}).solve(s.state);
  ASSERT_TRUE(report.converged);
  EXPECT_FALSE(report.unstable);
  EXPECT_NEAR(s.q(p, 0), 0, 1e-8);
  EXPECT_NEAR(s.q(p, 1), -1, 1e-8);
  EXPECT_NEAR(s.q(lambda, 0), 2 * 9.81, 1e-7) << "the tension of the rod";
}

struct Effort {
  int iterations = 0, load_steps = 0;
  double drop = 0;
};
/// The actuator with a tip force, in units of which 1 m, 1 kg and 1 s are `length`, `mass` and `time`.
Effort effort(int elements, double length, double mass, double time) {
  const double force = mass * length / (time * time);
  ModelBuilder b(2);
  const Cable c = add_cable(b, elements, {.length = 0.175 * length},
                            {.EA = 2000 * force, .EI = 0.0186 * force * length * length, .rhoA = 0.12 * mass / length});
  clamp(b, c);
  add_mass(b, c.tip(), 0.03 * mass);
  add_force(b, c.tip(), 0.1 * force, -0.5 * force);
  add_gravity(b, 0, -9.81 * length / (time * time));
  Simulation<double> s(b.build());
  const StaticReport report = StaticSolver(s.system, {}).solve(s.state);
  EXPECT_TRUE(report.converged);
  return {report.iterations, report.load_steps, -s.q(c.tip(), 1) / length};
}

// A stop rule in √J knows neither units nor refinement. The same work ± 1 iteration; for 100 times the elements, whose
// rounding is above the tolerance (1.6e-11 against 4e-13), ± 1 in each load step.
TEST(Statics, UnitsAndRefinementDoNotChangeTheIterations) {
  const Effort si = effort(8, 1, 1, 1);
  for (const auto& [length, mass, time] :
       {std::tuple{1e3, 1.0, 1.0}, {1e3, 1e3, 1e3}, {1.0, 1e3, 1.0}, {1.0, 1.0, 1e3}, {1e-3, 1e-3, 1.0}}) {
    const Effort other = effort(8, length, mass, time);
    EXPECT_NEAR(other.iterations, si.iterations, 1);
    EXPECT_EQ(other.load_steps, si.load_steps);
    EXPECT_NEAR(other.drop, si.drop, 1e-10);
  }
  const Effort fine = effort(800, 1, 1, 1);
  EXPECT_NEAR(fine.iterations, si.iterations, si.load_steps) << "at 100 times the elements";
  EXPECT_EQ(fine.load_steps, si.load_steps);
  EXPECT_NEAR(fine.drop, si.drop, 1e-5);
}

// Work of the last load step is not wasted: what the state was in equilibrium with is where loads start from.
TEST(Statics, ASecondSolveFromEquilibriumNeedsNoIterations) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, 8, {.length = 0.175}, {});
  clamp(b, c);
  add_gravity(b, 0, -9.81);
  Simulation<double> s(b.build());
  StaticSolver solver(s.system, {});
  ASSERT_TRUE(solver.solve(s.state).converged);
  const std::vector<double> q = s.state.q;
  const StaticReport again = solver.solve(s.state);
  EXPECT_TRUE(again.converged);
  EXPECT_LE(again.iterations, again.load_steps);
  for (size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(s.state.q[i], q[i], 1e-12);
}

TEST(Statics, AFailedSolveSaysSoAndLeavesAFiniteStateAtTheLastLoadFactor) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, 4, {}, {});
  add_force(b, c.tip(), 1, 2);  // nothing holds it
  Simulation<double> s(b.build());
  const std::vector<double> q = s.state.q;
  StaticOptions options;
  options.max_pseudo_steps = 30;
  const StaticReport report = StaticSolver(s.system, options).solve(s.state);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.load_factor, 0);
  EXPECT_EQ(s.state.q, q);
}

}  // namespace
}  // namespace flexura::test
