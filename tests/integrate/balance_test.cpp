// Energy accounts, drives that begin and end, lags, the actuator of the independent program.

#include <gtest/gtest.h>

#include <numbers>

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/load/follower_force.hpp"
#include "flexura/load/spring_damper.hpp"
#include "flexura/load/torsional_spring.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

using std::array;

enum class Kind { prescribed, kelvin_voigt, mass_damping, springs, follower };

Model machine(Kind kind) {
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  signals->add("root", SmoothStepSignal{.from = 0, .to = 0.08, .start = 0, .duration = 0.3});
  signals->add("load", SmoothStepSignal{.from = 0, .to = 1, .start = 0, .duration = 0.2});
  EXPECT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  Section section{.EA = 6, .EI = 0.01, .rhoA = 0.3};
  if (kind == Kind::kelvin_voigt) section.stretch_retardation = 0.01, section.bend_retardation = 0.02;
  const CableOptions options = kind == Kind::kelvin_voigt ? material_damped : material_green;
  const Cable c =
      add_cable(b, 2, {.length = 0.5, .curvature = 0.6}, section, options, kind == Kind::mass_damping ? 1.5 : 0);
  const int root = b.effective({.signal = 0}), load = b.effective({.signal = 1});
  if (kind == Kind::prescribed) {
    b.prescribe(c.r[0], {{root, {0.4, 1}}}, "motion.root");
  } else {
    b.fix(c.r[0], "joint.clamp");
  }
  b.fix(c.g[0], "joint.clamp");
  b.gravity(array{0.0, -1.0}, load);
  add_force(b, c.tip(), 0.05, -0.1, load);
  if (kind == Kind::springs) {
    b.item<SpringDamper2d>({c.r[0], c.tip()}, {.stiffness = 0.8, .damping = 0.1, .free_length = 0.4}, "spring");
    b.item<TorsionalSpring2d>({c.g[0], c.g[1]}, {.stiffness = 0.02, .damping = 0.002, .turn = 0.1}, "hinge");
  }
  if (kind == Kind::follower) b.item<FollowerForce2d>({c.tip(), c.g.back(), load}, {.force = {-0.1, 0.2}}, "follower");
  return b.build();
}

struct Balance {
  double error = 0;  ///< largest |K + U + dissipated − works − first| [J]
  double size = 0;   ///< largest of the accounts [J]
};
Balance balance(const Model& model, const NewmarkFamily& family, int steps) {
  Simulation<double> s(model);
  GeneralizedAlpha<double> integrator(s.system, family, {.tolerance = 1e-12});
  EXPECT_TRUE(integrator.start(s.state));
  const auto energy = [&] {
    return s.system.assembler.kinetic_energy(s.state.v.data()) +
           s.system.assembler.potential_energy(s.state.t, s.state.q.data());
  };
  const double first = energy();
  Balance out;
  for (int k = 1; k <= steps; ++k) {
    EXPECT_TRUE(integrator.step(s.state, 0.5 * k / steps).converged);
    const EnergyAccount<double>& e = s.state.energy;
    out.error = std::max(out.error, std::fabs(energy() + e.dissipated - e.gravity - e.loads - e.prescribed - first));
    out.size = std::max({out.size, energy(), std::fabs(e.dissipated), std::fabs(e.loads), std::fabs(e.prescribed)});
  }
  return out;
}

class EnergyBalance : public ::testing::TestWithParam<std::pair<const char*, Kind>> {};

// What was put in, is there, or was lost in dampers; what is missing is of second order in the step.
TEST_P(EnergyBalance, ClosesWithSecondOrder) {
  const Model model = machine(GetParam().second);
  for (const auto& [name, family] : {std::pair{"generalized_alpha", NewmarkFamily::generalized_alpha(0.9)},
                                     std::pair{"newmark", NewmarkFamily::newmark()}}) {
    const Balance coarse = balance(model, family, 1000), fine = balance(model, family, 2000);
    const double order = std::log2(coarse.error / fine.error);
    RecordProperty(name, fmt::format("{:.2e} of {:.2e} J, order {:.2f}", fine.error, fine.size, order));
    EXPECT_LE(fine.error, 1e-3 * fine.size) << name;
    EXPECT_GE(order, 1.8) << name << " " << coarse.error << " " << fine.error;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EnergyBalance,
                         ::testing::Values(std::pair{"prescribed", Kind::prescribed},
                                           std::pair{"kelvin_voigt", Kind::kelvin_voigt},
                                           std::pair{"mass_damping", Kind::mass_damping},
                                           std::pair{"springs", Kind::springs}, std::pair{"follower", Kind::follower}),
                         [](const auto& info) { return std::string(info.param.first); });

TEST(EnergyAccount, DampersLoseEnergy) {
  for (Kind kind : {Kind::kelvin_voigt, Kind::mass_damping, Kind::springs}) {
    Simulation<double> s(machine(kind));
    GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.9), {});
    ASSERT_TRUE(integrator.start(s.state));
    double last = 0;
    for (int k = 1; k <= 200; ++k) {
      ASSERT_TRUE(integrator.step(s.state, 2.5e-3 * k).converged);
      EXPECT_GE(s.state.energy.dissipated, last);
      last = s.state.energy.dissipated;
    }
    EXPECT_GT(last, 1e-5);
  }
}

// The work of a prescribed motion is ∫ reaction · velocity. A mass on a moved slot: W = ½ m u̇² at every time.
TEST(EnergyAccount, WorkOfAPrescribedMotionIsTheKineticEnergyOfWhatItCarries) {
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  signals->add("u", SineSignal{.amplitude = 0.1, .frequency = 1});
  ASSERT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const int p = b.slot("p", SlotKind::point, array{0.0, 0.0}), free = b.slot("free", SlotKind::point, array{1.0, 0.0});
  b.prescribe(p, {{b.effective({.signal = 0}), {1, 0}}}, "motion");
  add_mass(b, p, 2);
  add_mass(b, free, 1);
  Simulation<double> s(b.build());
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.9), {});
  ASSERT_TRUE(integrator.start(s.state));
  const double before = s.system.assembler.kinetic_energy(s.state.v.data());
  EXPECT_NEAR(before, 0.5 * 2 * std::pow(0.2 * std::numbers::pi, 2), 1e-12);
  for (int k = 1; k <= 1000; ++k) {
    ASSERT_TRUE(integrator.step(s.state, 1e-3 * k).converged);
    EXPECT_NEAR(s.state.energy.prescribed, s.system.assembler.kinetic_energy(s.state.v.data()) - before, 1e-4);
  }
}

// A force that ends at 0.3 s: constant acceleration is exact for the family, so positions are exact to rounding if and
// only if the force acts in exactly the steps before its end.
TEST(Drives, ALoadActsUntilItsEndAndNotLonger) {
  ModelBuilder b(2);
  const int p = b.slot("p", SlotKind::point, array{0.0, 0.0});
  add_mass(b, p, 2);
  add_force(b, p, 3, 0, b.effective({.signal = -1, .from = -1e300, .until = 0.3}));
  add_force(b, p, 0, 4, b.effective({.signal = -1, .from = 0.5}));
  Simulation<double> s(b.build());
  EXPECT_EQ(s.system.drives.gates(0, 1), (std::vector<double>{0.3, 0.5}));
  EXPECT_TRUE(s.system.drives.gates(0, 0.3).empty()) << "a step may end on a gate";
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {});
  ASSERT_TRUE(integrator.start(s.state));
  int step = 0;
  const auto until = [&](int last) {
    while (step < last) {
      ++step;
      ASSERT_TRUE(integrator.step(s.state, 0.01 * step).converged);
    }
  };
  until(30);
  ASSERT_TRUE(integrator.start(s.state));
  until(50);
  ASSERT_TRUE(integrator.start(s.state));
  until(100);
  EXPECT_NEAR(s.q(p, 0), 0.5 * 1.5 * 0.09 + 1.5 * 0.3 * 0.7, 1e-13);
  EXPECT_NEAR(s.q(p, 1), 0.5 * 2 * 0.25, 1e-13);
  EXPECT_NEAR(s.state.energy.loads, 3 * 0.5 * 1.5 * 0.09 + 4 * 0.5 * 2 * 0.25, 1e-12) << "work of the forces";
}

// τ x′ = u − x with u = t: x = t − τ (1 − e^(−t/τ)), exact at any step since u is linear over each.
TEST(Drives, LagsAdvanceOncePerStepWhateverNewtonDoes) {
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  signals->add("u", RampSignal{.from = 0, .to = 10, .start = 0, .duration = 10});
  signals->add("x", LagSignal{.of = "u", .tau = 0.2});
  ASSERT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const Cable c = add_cable(b, 2, {}, {.EA = 100, .EI = 1, .rhoA = 1});
  clamp(b, c);
  add_force(b, c.tip(), 0, 5, b.effective({.signal = 1}));
  Simulation<double> s(b.build());
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {.max_iterations = 25});
  ASSERT_TRUE(integrator.start(s.state));
  for (int k = 1; k <= 100; ++k) {
    if (k == 50) {  // a failing step leaves the lag where it was
      integrator.newton().options().max_iterations = 0;
      const std::vector<double> lags = s.state.lags;
      EXPECT_FALSE(integrator.step(s.state, 0.5).converged);
      EXPECT_EQ(s.state.lags, lags);
      integrator.newton().options().max_iterations = 25;
    }
    const double t = 0.01 * k;
    ASSERT_TRUE(integrator.step(s.state, t).converged);
    EXPECT_NEAR(s.state.lags[0], t - 0.2 * (1 - std::exp(-t / 0.2)), 1e-13);
    EXPECT_EQ(s.system.assembler.signals()[0], s.state.lags[0]);
  }
}

/// Soft actuator of the reproductions: 4 elements, hanging, M = 1.0179e-6 m³ · 20 kPa (1 − cos 2πt) on the tip.
Model actuator(Cable& c) {
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  signals->add("p", SineSignal{.amplitude = 20e3, .frequency = 1, .phase = -std::numbers::pi / 2, .offset = 20e3});
  EXPECT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  c = add_cable(b, 4, {.length = 0.175, .angle = -std::numbers::pi / 2}, {}, material_green, 2.4);
  clamp(b, c);
  add_gravity(b, 0, -9.81);
  add_moment(b, c.g.back(), 1.0179e-6, b.effective({.signal = 0}));
  return b.build();
}

// validation/independent, 12 digits. A tight tolerance repeats them; the default one moves the tip by less than 1e-9 m.
TEST(Actuator, TipAgreesWithTheIndependentProgram) {
  struct Row {
    NewmarkFamily family;
    bool from_equilibrium;
    double x[3], y[3];
  };
  const Row rows[] = {
      {NewmarkFamily::generalized_alpha(0.9),
       false,
       {-0.000312488174742, -0.000269888462335, -0.000269839684803},
       {-0.175007356709, -0.175008179681, -0.175008238149}},
      {NewmarkFamily::generalized_alpha(0.9),
       true,
       {-0.000312486848697, -0.000269888438767, -0.00026983968462},
       {-0.175008155868, -0.1750082384, -0.175008238489}},
      {NewmarkFamily::newmark(),
       true,
       {-0.000312487072353, -0.000269888029835, -0.000269839650088},
       {-0.17500815587, -0.1750082384, -0.175008238489}},
  };
  for (const Row& row : rows)
    for (const auto& [tolerance, allowed] : {std::pair{1e-13, 1e-11}, std::pair{1e-8, 1e-8}}) {
      Cable c;
      Simulation<double> s(actuator(c));
      if (row.from_equilibrium) {
        ASSERT_TRUE(StaticSolver(s.system, {}).solve(s.state).converged);
      }
      GeneralizedAlpha<double> integrator(s.system, row.family, {.tolerance = tolerance});
      ASSERT_TRUE(integrator.start(s.state));
      double worst = 0;
      for (int k = 1; k <= 10000; ++k) {
        ASSERT_TRUE(integrator.step(s.state, 1e-3 * k).converged) << k;
        const int at = k == 1000 ? 0 : k == 5000 ? 1 : k == 10000 ? 2 : -1;
        if (at < 0) continue;
        worst = std::max({worst, std::fabs(s.q(c.tip(), 0) - row.x[at]), std::fabs(s.q(c.tip(), 1) - row.y[at])});
      }
      RecordProperty(fmt::format("worst_{}_{:.0e}", &row - rows, tolerance), fmt::format("{:.1e}", worst));
      EXPECT_LE(worst, allowed) << "tolerance " << tolerance;
    }
}

}  // namespace
}  // namespace flexura::test
