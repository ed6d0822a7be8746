// Contacts with what moves as it is prescribed: what the drive gives, the others have, or impacts took.

#include <gtest/gtest.h>

#include <cmath>

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/integrate/stepper.hpp"
#include "flexura/material/prony.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

using std::array;

/// A ball of radius 0.1 m whose centre goes by a formula along an axis, and a free one.
struct Driven {
  Driven(const std::string& formula, int axis, array<double, 3> free_at, double mass, double restitution, double g) {
    auto signals = std::make_shared<SignalSet>();
    auto parsed = Expression::parse(formula);
    EXPECT_TRUE(parsed.ok()) << formula;
    signals->add("way", Signal(std::move(parsed.expression)));
    EXPECT_TRUE(signals->finish().empty());
    ModelBuilder b(3);
    b.set_signals(signals);
    const int driver = b.slot("driver", SlotKind::point, array{0.0, 0.0, 0.0});
    std::vector<double> direction(3, 0.0);
    direction[axis] = 1;
    b.prescribe(driver, {{b.effective({.signal = 0}), direction}}, "drive");
    ball = b.slot("ball", SlotKind::point, free_at);
    b.item("point_mass_3d", array{ball}, array{mass}, {}, "ball");
    b.gravity(array{0.0, 0.0, -g}, b.constant_signal());
    ContactModel contacts;
    contacts.spheres = {{"driver", driver, 0.1}, {"ball", ball, 0.1}};
    contacts.groups = {{"all", restitution, {0, 1}}};
    b.contacts(contacts);
    model = b.build();
  }
  Model model;
  int ball = 0;
};

struct Motion {
  explicit Motion(const Driven& driven)
      : s(driven.model),
        integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {}, {.halvings = 6}),
        at(s.system.topology().slots[driven.ball].offset) {
    EXPECT_TRUE(integrator.start(s.state));
  }
  void until(double end, double h) {
    const long steps = std::lround((end - s.state.t) / h);
    const double from = s.state.t;
    for (long k = 1; k <= steps && !testing::Test::HasFailure(); ++k)
      EXPECT_TRUE(integrator.step(s.state, from + static_cast<double>(k) * h).converged);
  }
  double energy() {
    const Assembler<double>& assembler = s.system.assembler;
    return assembler.kinetic_energy(s.state.v.data()) -
           assembler.inner(assembler.gravity_force().data(), s.state.q.data());
  }
  Simulation<double> s;
  GeneralizedAlpha<double> integrator;
  int at;
};

// Exact: a ball of mass m that something moving with U runs into leaves with (1 + e) U. The drive has given m (1 + e) U², of
// which ½ m (1 − e²) U² is lost.
TEST(ContactDrive, WhatRunsIntoABallDoesTheWork) {
  const double m = 3, U = 2;
  for (const double e : {0.0, 0.5, 1.0})
    for (const double h : {1e-2, 3e-3}) {
      Motion run(Driven("2*t", 0, {0.5, 0, 0}, m, e, 0.0));
      run.until(0.3, h);
      const State<double>& s = run.s.state;
      EXPECT_NEAR(s.v[run.at], (1 + e) * U, 1e-9) << e << ", " << h;
      EXPECT_NEAR(s.energy.prescribed, m * (1 + e) * U * U, 1e-8) << e << ", " << h;
      EXPECT_NEAR(s.energy.dissipated, 0.5 * m * (1 - e * e) * U * U, 1e-8) << e << ", " << h;
    }
}

// A ball that is carried up and down and stays on its carrier: nothing is lost. What is left is of second order (measured
// below).
TEST(ContactDrive, CarryingLosesNothing) {
  double left[2];
  for (const int fine : {0, 1}) {
    Motion run(Driven("0.1*(1 - cos(2*t))", 2, {0, 0, 0.2}, 1.5, 0.0, 9.81));
    const double first = run.energy();
    run.until(2.0, fine == 0 ? 1e-2 : 5e-3);
    const EnergyAccount<double>& account = run.s.state.energy;
    const double gained = run.energy() - first;
    EXPECT_NEAR(run.s.state.q[run.at + 2], 0.2 + 0.1 * (1 - std::cos(4.0)), 1e-10);
    EXPECT_GT(gained, 2.0);
    left[fine] = std::fabs(account.prescribed - gained - account.dissipated);
    EXPECT_LT(account.dissipated, 1e-4 * gained);
  }
  EXPECT_LT(left[0], 1e-4);
  EXPECT_LT(left[1], 0.3 * left[0] + 1e-12);
}

// Nothing could keep it out: the step fails, and says what lies in what.
TEST(ContactDrive, WhatIsDrivenIntoAPlaneFails) {
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  auto parsed = Expression::parse("-t");
  ASSERT_TRUE(parsed.ok());
  signals->add("way", Signal(std::move(parsed.expression)));
  ASSERT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const int hand = b.slot("hand", SlotKind::point, array{0.0, 0.2});
  b.prescribe(hand, {{b.effective({.signal = 0}), {0, 1}}}, "drive");
  const int bob = b.slot("bob", SlotKind::point, array{3.0, 0.0});
  b.item("point_mass_2d", array{bob}, array{1.0}, {}, "bob");
  ContactModel contacts;
  contacts.spheres = {{"ball", hand, 0.05}};
  contacts.planes = {{"table", {0, 0, 0}, {0, 1, 0}}};
  contacts.groups = {{"all", 0.0, {0, 1}}};
  b.contacts(contacts);
  const Model model = b.build();
  Simulation<double> s(model);
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {}, {.halvings = 2});
  ASSERT_TRUE(integrator.start(s.state));
  SolveReport<double> report;
  double t = 0;
  for (; t < 0.3; t += 1e-2) {
    report = integrator.step(s.state, t + 1e-2);
    if (!report.converged) break;
  }
  EXPECT_NEAR(s.state.t, 0.15, 1e-2);  // where the ball is at the table
  EXPECT_FALSE(report.converged);
  const std::string detail = report_of(report, *model.topology).detail;
  EXPECT_TRUE(detail.starts_with("ball and table lie in each other by ")) << detail;
}

// What a spring elsewhere forgets is booked by it alone, and impacts keep what is theirs: ½ m g² t² (1 − e²) at the first one.
TEST(ContactDrive, ImpactsAndMemoryAreBookedApart) {
  const double e = 0.5, mass = 1, g = 9.81, height = 0.1;
  double lost[2];
  for (const bool relaxes : {false, true}) {
    ModelBuilder b(2);
    const int ball = b.slot("ball", SlotKind::point, array{0.0, 0.05 + height});
    b.item("point_mass_2d", array{ball}, array{mass}, {}, "ball");
    const int s = b.slot("s", SlotKind::scalar, array{0.0});
    const int p = b.slot("far", SlotKind::point, array{5.0, 2.0});
    b.equate(p, {2, {{s, {0, 1}}}, {5, 2}, {}}, "line");
    b.item("point_mass_2d", array{p}, array{1000.0}, {}, "heavy");
    std::vector<double> numbers{1e4, 0.0, 0.0, -1e9, 1e9, 0.0, 0.0, 1e-3};
    for (int i = 0; i < most_branches; ++i) numbers.push_back(relaxes && i == 0 ? 0.5 : 0.0);
    for (int i = 0; i < most_branches; ++i) numbers.push_back(i == 0 ? 0.5 : 1.0);
    b.item("viscoelastic_coordinate_spring_2d", array{s}, numbers, array{0}, "rubber");
    b.gravity(array{0.0, -g}, b.constant_signal());
    ContactModel contacts;
    contacts.spheres = {{"ball", ball, 0.05}};
    contacts.planes = {{"table", {0, 0, 0}, {0, 1, 0}}};
    contacts.groups = {{"all", e, {0, 1}}};
    b.contacts(contacts);
    const Model model = b.build();
    Simulation<double> run(model);
    GeneralizedAlpha<double> integrator(run.system, NewmarkFamily::generalized_alpha(0.8), {}, {.halvings = 6});
    ASSERT_TRUE(integrator.start(run.state));
    double memory = 0;
    for (int k = 1; k <= 200; ++k) {  // one impact, at 0.143 s
      const std::vector<double> before = run.state.history;
      ASSERT_TRUE(integrator.step(run.state, k * 1e-3).converged);
      if (!run.system.assembler.has_history()) continue;
      run.system.assembler.set_history(before, 1e-3);
      memory += run.system.assembler.loss(run.state.t, run.state.q.data(), run.state.v.data());
    }
    EXPECT_EQ(memory > 0.1, relaxes);
    lost[relaxes ? 1 : 0] = run.state.energy.dissipated - memory;
  }
  EXPECT_NEAR(lost[0], mass * g * height * (1 - e * e), 1e-6);
  EXPECT_NEAR(lost[1], lost[0], 1e-4 * lost[0]);  // and what the integration loses of the heavy mass's motion
}

}  // namespace
}  // namespace flexura::test
