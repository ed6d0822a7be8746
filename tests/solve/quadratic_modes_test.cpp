// Modes under follower loads, with dampers and about states that turn, against closed forms.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/vector_length.hpp"
#include "flexura/load/follower_force.hpp"
#include "flexura/load/spring_damper.hpp"
#include "flexura/solve/constraints.hpp"
#include "flexura/solve/modes.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

// ---- Beck's column: a cantilever under a tip force P that follows its tangent -----------------------------------------

/// Of EI = L = ρA = 1: zero at the frequencies [rad/s] [beck1952].
double beck(double P, double w) {
  const double root = std::sqrt(P * P / 4 + w * w), a = std::sqrt(root + P / 2), b = std::sqrt(root - P / 2);
  return P * P + 2 * w * w * (1 + std::cos(a) * std::cosh(b)) + P * w * std::sin(a) * std::sinh(b);
}
double beck_root(double P, double low, double high) {
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (beck(P, low) * beck(P, middle) <= 0 ? high : low) = middle;
  }
  return low;
}

struct Column {
  Simulation<double> s;
  StaticReport report;
  explicit Column(double P, int elements = 16, double retardation = 0, double mass_damping = 0)
      : s(build(P, elements, retardation, mass_damping)), report(StaticSolver(s.system, {}).solve(s.state)) {}

  static Model build(double P, int elements, double retardation, double mass_damping) {
    ModelBuilder b(2);
    const Cable c = add_cable(b, elements, {}, {.EA = 1e6, .EI = 1, .rhoA = 1, .bend_retardation = retardation},
                              retardation > 0 ? material_damped : material_green, mass_damping);
    clamp(b, c);
    b.item<FollowerForce2d>({c.r.back(), c.g.back(), b.constant_signal()}, {.force = {-P, 0.0}}, "jet");
    return b.build();
  }
  Modes modes(int count = 4, bool damped = false) {
    return solve_modes(s.system, s.state, {.count = count, .damped = damped});
  }
};

// The element's own error at 16 elements is (β h)⁴/1440 < 1e-6 for the second mode; shortening by P/EA changes 2e-5.
TEST(QuadraticModes, BecksColumnHasTheFrequenciesOfItsClosedForm) {
  for (double P : {5.0, 10.0, 15.0, 19.0}) {
    Column column(P);
    ASSERT_TRUE(column.report.converged);
    EXPECT_FALSE(column.report.unstable) << P;
    const Modes modes = column.modes();
    ASSERT_TRUE(modes.converged) << modes.problem;
    ASSERT_EQ(modes.count(), 4);
    EXPECT_EQ(modes.unstable, 0);
    const double top = P < 12 ? 9.0 : 10.5;
    const double first = beck_root(P, 1.0, top), second = beck_root(P, top, 30.0);
    EXPECT_NEAR(modes.frequency[0] * two_pi, first, 2e-4 * first) << P;
    EXPECT_NEAR(modes.frequency[1] * two_pi, second, 2e-4 * second) << P;
    EXPECT_TRUE(modes.complete);
  }
}

TEST(QuadraticModes, BecksColumnFluttersBeyondTwentyAndNeverDiverges) {
  const Modes before = Column(20.0).modes();
  EXPECT_EQ(before.unstable, 0);
  Column beyond(20.1);
  EXPECT_TRUE(beyond.report.converged);
  EXPECT_FALSE(beyond.report.unstable);  // no divergence: det K > 0
  const Modes after = beyond.modes();
  ASSERT_TRUE(after.converged) << after.problem;
  EXPECT_EQ(after.unstable, 1);
  EXPECT_GT(after.growth[0], 0.1);
  EXPECT_NEAR(after.growth[1], -after.growth[0], 1e-6);
  EXPECT_NEAR(after.frequency[0] * two_pi, 11.02, 0.05);
  ASSERT_EQ(after.shapes_imaginary.size(), after.shapes.size());
}

// ---- dampers -----------------------------------------------------------------------------------------------------

TEST(QuadraticModes, AMassOnASpringAndADamper) {
  const double m = 2, k = 50;
  for (double zeta : {0.0, 0.1, 0.9, 1.5}) {
    ModelBuilder b(2);
    const int wall = b.slot("wall", SlotKind::point, std::array{0.0, 0.0});
    const int p = b.slot("p", SlotKind::point, std::array{1.0, 0.0});
    b.fix(wall, "wall");
    b.relate({1, {{p, {0, 1}}}, {0.0}, {}}, "rail");
    add_mass(b, p, m);
    b.item<SpringDamper2d>({wall, p}, {.stiffness = k, .damping = 2 * zeta * std::sqrt(k * m), .free_length = 1.0},
                           "s");
    Simulation<double> s(b.build());
    const Modes modes = solve_modes(s.system, s.state, {.damped = true});
    ASSERT_TRUE(modes.converged) << modes.problem;
    const double w = std::sqrt(k / m);
    EXPECT_EQ(modes.unstable, 0);
    EXPECT_TRUE(modes.complete);
    if (zeta < 1) {
      ASSERT_EQ(modes.count(), 1);
      EXPECT_NEAR(modes.damping[0], zeta, 1e-12);
      EXPECT_NEAR(modes.frequency[0] * two_pi, w * std::sqrt(1 - zeta * zeta), 1e-11 * w);
    } else {
      ASSERT_EQ(modes.count(), 2);
      EXPECT_NEAR(modes.growth[0], w * (-zeta + std::sqrt(zeta * zeta - 1)), 1e-11 * w);
      EXPECT_NEAR(modes.growth[1], w * (-zeta - std::sqrt(zeta * zeta - 1)), 1e-11 * w);
      EXPECT_EQ(modes.frequency[0], 0);
    }
  }
}

// Retarded bending: ζ = τ ω/2. Mass damping c: ζ = c/2ω. The larger model is not solved whole.
TEST(QuadraticModes, RetardedBendingDampsByHalfOfTimeAndFrequency) {
  for (int elements : {12, 200}) {
    for (const bool mass : {false, true}) {
      const double tau = 1e-3, c = 0.7;
      Column column(0, elements, mass ? 0 : tau, mass ? c : 0);
      const Modes plain = column.modes(4), damped = column.modes(4, true);
      ASSERT_TRUE(damped.converged) << damped.problem;
      ASSERT_EQ(damped.count(), 4);
      for (int k = 0; k < 4; ++k) {
        const double w = plain.frequency[k] * two_pi, zeta = mass ? c / (2 * w) : tau * w / 2;
        const double rounding = 10 * damped.rounding / (w * w);  // of |s|², relative
        EXPECT_NEAR(damped.damping[k], zeta, 1e-6 * zeta + rounding) << elements << ' ' << k;
        EXPECT_NEAR(damped.frequency[k] * two_pi, w * std::sqrt(1 - zeta * zeta), (1e-8 + rounding) * w);
      }
      EXPECT_EQ(damped.complete, elements == 12);
    }
  }
}

// ---- states that turn ------------------------------------------------------------------------------------------------

/// A free body of m_ab about its centre: p, u, v, w.
struct Body {
  int p, u, v, w;
};
Body add_body(ModelBuilder& b, const std::array<double, 3>& moments) {  // ∫ ρ x², y², z² [kg m²]
  const int node = b.node(), rows = b.node();
  const Body body{b.slot("p", SlotKind::point, std::array{0.0, 0.0, 0.0}, node),
                  b.slot("u", SlotKind::vector, std::array{1.0, 0.0, 0.0}, node),
                  b.slot("v", SlotKind::vector, std::array{0.0, 1.0, 0.0}, node),
                  b.slot("w", SlotKind::vector, std::array{0.0, 0.0, 1.0}, node)};
  b.item("rigid_mass_3d", std::array{body.p, body.u, body.v, body.w},
         std::array{1.0, 0.0, moments[0], 0.0, 0.0, moments[1], 0.0, 0.0, 0.0, moments[2]}, {}, "body");
  const auto row = [&] { return b.multiplier("body", rows); };
  for (int x : {body.u, body.v, body.w}) b.item<VectorLength3d>({x, row()}, {}, "body");
  b.item<InnerProduct3d>({body.u, body.v, row()}, {}, "body");
  b.item<InnerProduct3d>({body.v, body.w, row()}, {}, "body");
  b.item<InnerProduct3d>({body.w, body.u, row()}, {}, "body");
  return body;
}
void spin(Simulation<double>& s, const Eigen::Vector3d& rate) {
  const Topology& t = *s.model.topology;
  for (const Slot& slot : t.slots) {
    if (slot.multiplier || slot.size != 3) continue;
    const Eigen::Map<const Eigen::Vector3d> x(&s.state.q[slot.offset]);
    Eigen::Map<Eigen::Vector3d>(&s.state.v[slot.offset]) = rate.cross(x);
  }
  Constraints constraints(s.system);
  ASSERT_TRUE(constraints.accelerations(s.state));
}

// Euler: small motions about a spin Ω around axis 3 swing with Ω √((C − A)(C − B)/(A B)); about the middle axis they grow.
TEST(QuadraticModes, ATurningBodyNutatesAsEulersEquationsSay) {
  const std::array<double, 3> moments{0.3, 0.5, 0.9};
  const double sum = moments[0] + moments[1] + moments[2], rate = 7;
  for (int axis : {0, 1, 2}) {
    ModelBuilder b(3);
    add_body(b, moments);
    Simulation<double> s(b.build());
    Eigen::Vector3d omega = Eigen::Vector3d::Zero();
    omega[axis] = rate;
    spin(s, omega);
    const Modes modes = solve_modes(s.system, s.state, {.count = 20});
    ASSERT_TRUE(modes.converged) << modes.problem;
    EXPECT_EQ(modes.warning, "");
    EXPECT_NEAR(modes.spin, rate, 1e-12);
    const double C = sum - moments[axis], A = sum - moments[(axis + 1) % 3], B = sum - moments[(axis + 2) % 3];
    const double square = rate * rate * (C - A) * (C - B) / (A * B);
    double nearest = 1e300;
    for (int k = 0; k < modes.count(); ++k)
      nearest = std::min(nearest, std::abs(std::complex(modes.growth[k], std::max(0.0, modes.frequency[k]) * two_pi) -
                                           std::sqrt(std::complex(-square, 0.0))));
    EXPECT_LT(nearest, 1e-6 * rate) << axis;
    EXPECT_EQ(modes.unstable, axis == 1 ? 1 : 0);
  }
}

/// Mass on a massless spring from the axis: in the turning frame s⁴ + … with stiffness k − Ω², Coriolis 2Ω.
TEST(QuadraticModes, AMassOnASpringThatTurnsSwingsAlongAndAcross) {
  const double m = 1.5, k = 600, rate = 5, free_length = 1;
  ModelBuilder b(2);
  const int centre = b.slot("centre", SlotKind::point, std::array{0.0, 0.0});
  b.fix(centre, "axle");
  const double r = free_length * k / (k - m * rate * rate);  // k (r − l) = m Ω² r
  const int p = b.slot("p", SlotKind::point, std::array{r, 0.0});
  add_mass(b, p, m);
  b.item<SpringDamper2d>({centre, p}, {.stiffness = k, .damping = 0.0, .free_length = free_length}, "s");
  Simulation<double> s(b.build());
  s.state.v[s.at(p, 1)] = rate * r;
  const Modes modes = solve_modes(s.system, s.state);
  ASSERT_TRUE(modes.converged) << modes.problem;
  EXPECT_EQ(modes.warning, "");
  // Radial: k/m − Ω² + 4 Ω² (angular momentum kept); turning on: 0.
  const double expected = std::sqrt(k / m - rate * rate + 4 * rate * rate);
  EXPECT_NEAR(modes.frequency[modes.count() - 1] * two_pi, expected, 1e-9 * expected);
  EXPECT_EQ(modes.unstable, 0);
}

TEST(QuadraticModes, AStateThatMovesOtherwiseSaysThatItsVelocitiesAreLeftOut) {
  Column column(0);
  for (int i = 1; i < 5; ++i) column.s.state.v[4 * i + 1] = 3.0 * i;
  for (const bool damped : {false, true}) {
    const Modes modes = column.modes(4, damped);
    ASSERT_TRUE(modes.converged);
    EXPECT_NE(modes.warning.find("' by 12 m/s"), std::string::npos) << modes.warning;
    EXPECT_NE(modes.warning.find("its velocities are left out"), std::string::npos) << modes.warning;
  }
}

TEST(QuadraticModes, RigidMotionsNeitherGrowNorFade) {
  ModelBuilder b(2);
  add_cable(b, 8, {}, {.EA = 1e6, .EI = 1, .rhoA = 1});
  Simulation<double> s(b.build());
  const Modes modes = solve_modes(s.system, s.state, {.count = 5});
  ASSERT_TRUE(modes.converged) << modes.problem;
  EXPECT_EQ(modes.unstable, 0);
  for (int k = 0; k < 3; ++k) {
    EXPECT_LT(std::fabs(modes.eigenvalue[k]), modes.rounding) << k;
    EXPECT_EQ(modes.growth[k], 0) << k;
    EXPECT_EQ(modes.damping[k], 0) << k;
    EXPECT_GE(modes.frequency[k], 0) << k;
  }
  EXPECT_GT(modes.frequency[3], 0.1);
}

}  // namespace
}  // namespace flexura::test
