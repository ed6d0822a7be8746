// Consistent positions, velocities, accelerations and multipliers.

#include "flexura/solve/constraints.hpp"

#include <gtest/gtest.h>

#include "flexura/constraint/distance.hpp"
#include "flexura/load/chamber_gas.hpp"
#include "flexura/solve/constraint_matrix.hpp"
#include "flexura/solve/redundancy.hpp"
#include "mechanisms.hpp"
#include "tests/support/count_allocations.hpp"

namespace flexura::test {
namespace {

using std::array;

double distance(const Simulation<double>& s, int slot, double x, double y) {
  return std::hypot(s.q(slot, 0) - x, s.q(slot, 1) - y);
}
void set_time(Simulation<double>& s, double t) {
  s.state.t = t;
  s.system.assembler.set_signals(s.system.drives.at(t, s.state.lags));
}

// A rough guess goes to the closed form of the driven angle. Rounding: 4 ε of 3 m.
TEST(Constraints, BringARoughGuessTogether) {
  const Signal angle = constant_speed(2);
  for (double shift : {0.01, 0.1, 0.3, -0.3}) {
    const FourBar m = four_bar(&angle, 0.4, 1, shift);
    Simulation<double> s(m.model);
    set_time(s, 0.2);
    Constraints constraints(s.system);
    const ProjectionReport report = constraints.project_positions(s.state);
    ASSERT_TRUE(report.converged) << shift << ": " << report.violation;
    const auto X = FourBar::closed_form(0.4);
    EXPECT_LE(distance(s, m.p, X[0], X[1]), 4e-15) << shift;
    EXPECT_LE(distance(s, m.q, X[2], X[3]), 4e-15) << shift;
    EXPECT_GE(report.moved, 0.5 * std::fabs(shift)) << "the report tells how far";
    EXPECT_LE(report.iterations, 12);
    EXPECT_EQ(constraints.degrees_of_freedom(), 0);
  }
}

// The tip of a chain held 0.6 of its length away, from the straight guess: plain steps do not get there.
TEST(Constraints, DampWhereTheGuessIsFarAway) {
  int damped = 0;
  for (int n : {3, 6, 20}) {
    ModelBuilder b(2);
    std::vector<int> points;
    for (int i = 0; i <= n; ++i) points.push_back(b.slot(fmt::format("r{}", i), SlotKind::point, array{1.0 * i, 0.0}));
    for (int i = 1; i <= n; ++i) add_rod(b, points[i - 1], points[i], 1, fmt::format("rod{}", i));
    b.fix(points[0], "pin");
    const int target = b.slot("target", SlotKind::point, array{0.3 * n, 0.5 * n});
    b.fix(target, "ground");
    b.item<Distance2d>({target, points[n], b.multiplier("reach")}, {.length = 0.05 * n}, "joint.reach");
    Simulation<double> s(b.build());
    Constraints constraints(s.system);
    const ProjectionReport report = constraints.project_positions(s.state);
    EXPECT_TRUE(report.converged) << n << ": " << report.violation << " after " << report.iterations;
    EXPECT_NEAR(std::hypot(s.q(points[n], 0) - 0.3 * n, s.q(points[n], 1) - 0.5 * n), 0.05 * n, 1e-13 * n);
    damped += report.damped;
    for (double x : s.state.q) EXPECT_TRUE(std::isfinite(x));
  }
  RecordProperty("damped", damped);
}

// Out of reach: the report says so, names a row, and the gaps of 1 m in all are not larger than at the guess.
TEST(Constraints, ThatCannotCloseAreReported) {
  ModelBuilder b(2);
  const int a = b.slot("a", SlotKind::point, array{0.0, 0.0}), p = b.slot("p", SlotKind::point, array{1.0, 0.2}),
            c = b.slot("c", SlotKind::point, array{4.0, 0.0});
  b.fix(a, "ground"), b.fix(c, "ground");
  add_mass(b, p, 1);
  b.item<Distance2d>({a, p, b.multiplier("l0")}, {.length = 1.5}, "joint.rod0");
  b.item<Distance2d>({p, c, b.multiplier("l1")}, {.length = 1.5}, "joint.rod1");
  Simulation<double> s(b.build());
  Constraints constraints(s.system);
  const ProjectionReport report = constraints.project_positions(s.state);
  EXPECT_FALSE(report.converged);
  EXPECT_GT(report.damped, 0);
  EXPECT_NEAR(s.q(p, 0), 2, 0.5);
  EXPECT_NEAR(s.q(p, 1), 0, 0.1);
  EXPECT_LE(report.violation, 1.5);  // (3² / 1.5 − 1.5)/2 = 2.3 at the guess
  ASSERT_GE(report.worst, 0);
  EXPECT_EQ(row_name(*s.model.topology, report.worst).item.substr(0, 9), "joint.rod");
}

// Φ̇ = 0 with a moving signal, to rounding; and what moves a driven crank moves the rest by its closed form.
TEST(Constraints, GiveVelocitiesAndAccelerationsOfDrivenDependents) {
  const Signal angle = SineSignal{.amplitude = 0.5, .frequency = 1.3, .offset = 0.4};
  const FourBar m = four_bar(&angle);
  Simulation<double> s(m.model);
  Constraints constraints(s.system);
  set_time(s, 0.17);
  ASSERT_TRUE(constraints.project_positions(s.state).converged);
  const ProjectionReport velocities = constraints.project_velocities(s.state);
  EXPECT_TRUE(velocities.converged) << velocities.violation;
  ASSERT_TRUE(constraints.accelerations(s.state));
  // Central differences of the closed form, fourth order; 1e-3 s: 1e-10 of the fifth derivative.
  const auto at = [&](double t) { return FourBar::closed_form(angle.at(t).u); };
  const double h = 1e-3;
  const auto far = at(0.17 + 2 * h), near = at(0.17 + h), mid = at(0.17), before = at(0.17 - h),
             first = at(0.17 - 2 * h);
  for (int k = 0; k < 4; ++k) {
    const int slot = k < 2 ? m.p : m.q;
    const double v = (8 * (near[k] - before[k]) - (far[k] - first[k])) / (12 * h);
    const double a = (16 * (near[k] + before[k]) - (far[k] + first[k]) - 30 * mid[k]) / (12 * h * h);
    EXPECT_NEAR(s.v(slot, k % 2), v, 1e-8);
    EXPECT_NEAR(s.state.a[s.at(slot, k % 2)], a, 1e-6);
  }
  const ConstraintMotion<double>& motion = constraints.motion(s.state);
  for (int row : constraints.rows()) {
    EXPECT_NEAR(motion.rate[row], 0, 1e-14);
    EXPECT_NEAR(motion.second[row], 0, 1e-12);
  }
}

// A massless angle has no pivot of its own without a penalty; the penalty must not show in any result.
TEST(Constraints, MasslessCoordinatesNeedNoPenaltyAndPenaltiesChangeNothing) {
  std::vector<double> a, lambda;
  for (double penalty : {1.0, 0.0, 1e-4, 1e5}) {
    const FourBar m = four_bar(nullptr, 0.4, penalty, 0.02);
    Simulation<double> s(m.model);
    s.state.v[s.at(m.p, 0)] = 1;
    s.state.v[s.at(m.q, 1)] = -2;
    Constraints constraints(s.system);
    ASSERT_TRUE(constraints.project_positions(s.state).converged) << penalty;
    EXPECT_TRUE(constraints.project_velocities(s.state).converged) << penalty;
    ASSERT_TRUE(constraints.accelerations(s.state)) << penalty;
    EXPECT_EQ(constraints.degrees_of_freedom(), 1);
    EXPECT_TRUE(constraints.redundant().empty());
    EXPECT_NEAR(std::remainder(s.q(m.theta, 0) - std::atan2(s.q(m.p, 1), s.q(m.p, 0)), 6.283185307179586), 0, 1e-14);
    if (a.empty()) a = s.state.a, lambda.assign(s.state.q.begin() + m.model.topology->ncoord, s.state.q.end());
    for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(s.state.a[i], a[i], 1e-10) << penalty;
    // Nothing acts on the angle, so its multiplier is zero.
    for (size_t i = 0; i < lambda.size() && m.model.topology->ncoord + static_cast<int>(i) < m.model.topology->ny; ++i)
      EXPECT_NEAR(s.state.q[m.model.topology->ncoord + i], lambda[i], 1e-9) << penalty;
  }
}

// The same machine in mm, g, ms: iterations equal, positions and multipliers by the factors.
TEST(Constraints, DoNotDependOnUnits) {
  int iterations[2];
  std::vector<double> q[2], lambda[2];
  for (int k : {0, 1}) {
    const double L = k ? 1e3 : 1, M = k ? 1e3 : 1, T = k ? 1e3 : 1;
    ModelBuilder b(2);
    const int o = b.slot("O", SlotKind::point, array{0.0, 0.0});
    b.fix(o, "ground");
    const int p = b.slot("P", SlotKind::point, array{0.9 * L, 0.6 * L}),
              r = b.slot("R", SlotKind::point, array{2.2 * L, 0.3 * L});
    const int x = ground_vector(b, "X", {1, 0, 0}), y = ground_vector(b, "Y", {0, 1, 0});
    for (auto [from, to, name] : {std::tuple{o, p, "a"}, std::tuple{p, r, "b"}}) {
      b.item("rod_mass_2d", array{from, to}, rod_mass(M), {}, name);
      b.item<Distance2d>({from, to, b.multiplier(name)}, {.length = 1.2 * L}, name);
    }
    const int theta = add_angle(b, x, y, o, p, 1.2 * L, 0.2, 0);
    (void)theta;
    b.gravity(array{0.0, -9.81 * L / T / T}, b.constant_signal());
    Simulation<double> s(b.build());
    Constraints constraints(s.system);
    const ProjectionReport report = constraints.project_positions(s.state);
    ASSERT_TRUE(report.converged);
    iterations[k] = report.iterations;
    ASSERT_TRUE(constraints.accelerations(s.state));
    for (int slot : {p, r})
      for (int i : {0, 1}) q[k].push_back(s.q(slot, i) / L);
    for (int row : constraints.rows()) lambda[k].push_back(s.state.q[row] / (M * L / T / T));
  }
  EXPECT_EQ(iterations[0], iterations[1]);
  for (size_t i = 0; i < q[0].size(); ++i) EXPECT_NEAR(q[0][i], q[1][i], 1e-13);
  for (size_t i = 0; i + 1 < lambda[0].size(); ++i) EXPECT_NEAR(lambda[0][i], lambda[1][i], 1e-10);
}

// All bars in line: the rows lose rank. Projections hold still there and accelerations are numbers.
TEST(Constraints, PassSingularPositions) {
  for (double off : {0.0, 1e-9, 1e-6, 1e-3}) {
    ModelBuilder b(2);
    const int a = b.slot("a", SlotKind::point, array{0.0, 0.0}), c = b.slot("c", SlotKind::point, array{1.0, 0.0});
    b.fix(a, "ground"), b.fix(c, "ground");
    const double s0 = std::sin(off), c0 = std::cos(off);
    const int p = b.slot("p", SlotKind::point, array{c0, s0}), q = b.slot("q", SlotKind::point, array{1 + c0, s0});
    for (int slot : {p, q}) b.set_initial(slot, b.reference(slot), array{-2 * s0, 2 * c0});
    add_rod(b, a, p, 1, "left"), add_rod(b, c, q, 1, "right"), add_rod(b, p, q, 1, "top");
    add_gravity(b, 0, -9.81);
    Simulation<double> s(b.build());
    Constraints constraints(s.system);
    const ProjectionReport positions = constraints.project_positions(s.state),
                           velocities = constraints.project_velocities(s.state);
    EXPECT_TRUE(positions.converged);
    EXPECT_LE(positions.moved, 1e-6);
    EXPECT_LE(velocities.moved, 1e-6) << off;
    EXPECT_TRUE(velocities.converged);
    EXPECT_TRUE(constraints.accelerations(s.state));
    for (const auto* x : {&s.state.q, &s.state.v, &s.state.a})
      for (double y : *x) EXPECT_TRUE(std::isfinite(y)) << off;
    // A parallelogram: θ̈ = −(W/I) g cos θ with I = 5/3, W = 2.
    if (off >= 1e-6) {
      EXPECT_NEAR((s.state.a[s.at(p, 1)] + 4 * s0) / c0, -2 / (5.0 / 3) * 9.81 * c0, 1e-4) << off;
    }
  }
}

TEST(Constraints, TakeNoMemoryFromTheHeap) {
  const Signal angle = constant_speed(2);
  for (double penalty : {0.0, 1.0}) {
    const FourBar m = four_bar(&angle, 0.4, penalty, 0.1);
    Simulation<double> s(m.model);
    Constraints constraints(s.system);
    const long before = allocations();
    for (int k = 0; k < 3; ++k) {
      s.state.q[s.at(m.p, 0)] += 0.05;
      constraints.project_positions(s.state);
      constraints.project_velocities(s.state);
      constraints.accelerations(s.state);
    }
    EXPECT_EQ(allocations() - before, 0);
  }
}

TEST(Constraints, NanIsReportedAndStays) {
  const FourBar m = four_bar(nullptr);
  Simulation<double> s(m.model);
  Constraints constraints(s.system);
  s.state.v[s.at(m.p, 0)] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(constraints.project_velocities(s.state).converged);
  EXPECT_FALSE(constraints.accelerations(s.state));
  s.state.q[s.at(m.p, 0)] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(constraints.project_positions(s.state).converged);
}

// A room that keeps its size takes a fifth more gas: P = P₀ 1.2ⁿ. To 1e-12, what Newton's method stops at.
TEST(ConstraintMatrix, SolvesWhatHasNoInertiaByItself) {
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  signals->add("inflow", ConstantSignal{1});
  ASSERT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const int point = b.slot("point", SlotKind::point, array{0.0, 0.0});
  b.item("point_mass_2d", array{point}, array{1.0}, {}, "mass");
  const int pressure = b.multiplier("pressure");
  b.item<ChamberGas>({pressure, b.effective({.signal = 0})},
                     {.volume = 1e-4, .exponent = 1.4, .ambient = 1e5, .overpressure = 0.0, .added = 0.2}, "gas");
  Simulation<double> s(b.build());
  set_time(s, 0);
  ConstraintMatrix<double> matrix(s.system);
  std::vector<double> residual(s.system.assembler.residual_size());
  s.state.q[s.system.topology().slots[pressure].offset] = 3e4;
  matrix.solve_scalars(s.state, residual);
  const double found = s.q(pressure, 0);
  EXPECT_NEAR(found, 1e5 * (std::pow(1.2, 1.4) - 1), 1e-12 * 1e5);
  matrix.solve_scalars(s.state, residual, true);
  EXPECT_EQ(s.q(pressure, 0), found) << "what is solved stays";
}

}  // namespace
}  // namespace flexura::test
