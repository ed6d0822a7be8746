// Adams PECE: orders, closed forms, tolerances, the past in the state, drift under each stabilisation, heap.

#include "flexura/integrate/adams.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "flexura/body/point_mass.hpp"
#include "flexura/constraint/distance.hpp"
#include "flexura/integrate/runge_kutta.hpp"
#include "flexura/load/spring_damper.hpp"
#include "tests/support/andrews.hpp"
#include "tests/support/count_allocations.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/mechanism_chains.hpp"
#include "tests/support/pendulum.hpp"

namespace flexura::test {
namespace {

using std::array;

constexpr double x1 = .9862917511, y1 = -.1650108531, x10 = -.2750874626, y10 = -.9614192051;

/// A mass on a spring of no length: x = cos(ω t), y = sin(ω t)/ω with ω = 2 rad/s.
struct Oscillator {
  static constexpr double omega = 2;
  int p;
  Simulation<double> s;
  Oscillator() : s(make(p)) { s.state.v[s.at(p, 1)] = 1; }
  double error() const {
    return std::hypot(s.q(p, 0) - std::cos(omega * s.state.t), s.q(p, 1) - std::sin(omega * s.state.t) / omega);
  }

 private:
  static Model make(int& p) {
    ModelBuilder b(2);
    const int ground = b.slot("ground", SlotKind::point, array{0.0, 0.0});
    p = b.slot("mass", SlotKind::point, array{1.0, 0.0});
    b.fix(ground, "ground");
    add_mass(b, p, 1);
    b.item<SpringDamper2d>({ground, p}, {.stiffness = omega * omega, .free_length = 0.0}, "spring");
    return b.build();
  }
};

// Error c h^{k+1}: the corrector is one order above the predictor. Steps of 1/40 … 1/160 s leave 1e-12 or more to see.
TEST(Adams, HasItsOrderWithConstantSteps) {
  for (int order = 1; order <= 8; ++order) {
    double error[2];
    const double coarse = order < 5 ? 1.0 / 80 : 1.0 / 20;
    for (int i = 0; i < 2; ++i) {
      Oscillator o;
      Adams adams(o.s.system, {.max_order = order, .fixed_step = coarse / (1 << i)});
      ASSERT_TRUE(adams.start(o.s.state));
      ASSERT_TRUE(adams.advance(o.s.state, 2, 3).converged);
      error[i] = o.error();
    }
    const double measured = std::log2(error[0] / error[1]);
    RecordProperty(fmt::format("order_{}", order), fmt::format("{:.2f}, {:.1e}", measured, error[1]));
    EXPECT_NEAR(measured, order + 1, 0.45) << order;
  }
}

// A force that grows with time: q = t³.
TEST(Adams, IntegratesPolynomialsOfItsOrderExactly) {
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  signals->add("push", RampSignal{.from = 0, .to = 10, .start = 0, .duration = 10});
  EXPECT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const int p = b.slot("mass", SlotKind::point, array{0.0, 0.0});
  add_mass(b, p, 1);
  add_force(b, p, 6, 0, b.effective({.signal = 0}));
  Simulation<double> s(b.build());
  Adams adams(s.system, {.relative = 1e-9, .absolute_q = 1e-9, .absolute_v = 1e-9});
  ASSERT_TRUE(adams.start(s.state));
  const AdamsReport report = adams.advance(s.state, 2);  // v = 3 t², q = t³
  ASSERT_TRUE(report.converged);
  EXPECT_NEAR(s.q(p, 0), 8, 1e-8);
  EXPECT_NEAR(s.v(p, 0), 12, 1e-8);
  EXPECT_NEAR(s.state.energy.loads, 72, 1e-7) << "½ v²";
  EXPECT_LE(report.accepted, 60);
}

TEST(Adams, HasTheThirdPartyFiguresOfThePendulum) {
  Pendulum m = pendulum();
  Simulation<double> s(m.model);
  Adams adams(s.system, {.relative = 1e-12, .absolute_q = 1e-13, .absolute_v = 1e-12});
  ASSERT_TRUE(adams.start(s.state));
  ASSERT_TRUE(adams.advance(s.state, 1, 10).converged);
  EXPECT_NEAR(s.q(m.p, 0), x1, 2e-10);
  EXPECT_NEAR(s.q(m.p, 1), y1, 2e-10);
  EXPECT_NEAR(s.q(m.lambda, 0), 3 * 9.81 * -s.q(m.p, 1), 1e-8) << "tension 3 m g |y|";
  EXPECT_NEAR(std::hypot(s.q(m.p, 0), s.q(m.p, 1)), 1, 4e-16) << "states in between are on the constraint too";
  ASSERT_TRUE(adams.advance(s.state, 10).converged);
  EXPECT_NEAR(s.q(m.p, 0), x10, 4e-10);
  EXPECT_NEAR(s.q(m.p, 1), y10, 4e-10);
  const double kinetic = s.system.assembler.kinetic_energy(s.state.v.data());
  EXPECT_NEAR(kinetic, s.state.energy.gravity, 1e-9) << "work of gravity";
}

double andrews_error(const Andrews& m, const State<double>& state) {
  AndrewsAngles angle, rate;
  andrews_angles(m, state.q, state.v, angle, rate);
  double out = 0;
  for (int i = 0; i < 7; ++i) {
    const double turns = std::remainder(angle[i] - andrews_end[i], 2 * std::numbers::pi);
    out = std::max({out, std::fabs(turns / andrews_end[i]), std::fabs(rate[i] / andrews_end_rates[i] - 1)});
  }
  return out;
}

TEST(Adams, HasTheTableOfAndrewsMechanism) {
  const Andrews m = andrews();
  for (const auto& [tolerance, error, evaluations] :
       {std::tuple(1e-8, 5e-5, 2500), {1e-10, 5e-7, 3500}, {1e-12, 1e-7, 5000}}) {
    Simulation<double> s(m.model);
    Adams adams(s.system, {.relative = tolerance, .absolute_q = 1e-2 * tolerance, .absolute_v = tolerance});
    ASSERT_TRUE(adams.start(s.state));
    const AdamsReport report = adams.advance(s.state, 0.03);
    ASSERT_TRUE(report.converged);
    RecordProperty(fmt::format("tolerance_{:.0e}", tolerance),
                   fmt::format("{:.1e}, {} steps, {} rejected, {} evaluations", andrews_error(m, s.state),
                               report.accepted, report.rejected, report.evaluations));
    EXPECT_LE(andrews_error(m, s.state), error);
    EXPECT_LE(report.evaluations, evaluations);
  }
}

// Errors follow the tolerance over eight digits.
TEST(Adams, ControlsItsError) {
  double last = 1;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    Oscillator o;
    Adams adams(o.s.system, {.relative = tolerance, .absolute_q = tolerance, .absolute_v = tolerance});
    ASSERT_TRUE(adams.start(o.s.state));
    const AdamsReport report = adams.advance(o.s.state, 10);
    ASSERT_TRUE(report.converged);
    RecordProperty(fmt::format("tolerance_{:.0e}", tolerance),
                   fmt::format("{:.1e}, {} steps, {} rejected, {} evaluations, order {}", o.error(), report.accepted,
                               report.rejected, report.evaluations, report.order));
    EXPECT_LE(o.error(), 100 * tolerance);
    EXPECT_GE(o.error(), 1e-4 * tolerance) << "no wasted accuracy";
    EXPECT_LT(o.error(), last);
    EXPECT_LE(report.rejected, 3 + report.accepted / 4);
    last = o.error();
  }
}

// Times asked for do not change the steps: with many of them, the end is the same to the bit.
TEST(Adams, StepsDoNotDependOnTheTimesAskedFor) {
  std::vector<double> end[2];
  long steps[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    Oscillator o;
    Adams adams(o.s.system, {});
    ASSERT_TRUE(adams.start(o.s.state));
    const int times = i == 0 ? 1 : 997;
    for (int k = 1; k <= times; ++k) {
      const AdamsReport report = adams.advance(o.s.state, 3.0 * k / times, 3);
      ASSERT_TRUE(report.converged);
      ASSERT_LE(o.error(), 1e-5) << "of states in between";
      steps[i] += report.accepted;
    }
    end[i] = o.s.state.q;
  }
  EXPECT_EQ(end[0], end[1]);
  EXPECT_EQ(steps[0], steps[1]);
}

/// A chain of masses with springs, dampers, a lag, loads, a drive and a rod.
Model machine() {
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  signals->add("sine", SineSignal{.amplitude = 1, .frequency = 1.5});
  signals->add("late", LagSignal{.of = "sine", .tau = 0.1});
  EXPECT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const int support = b.slot("support", SlotKind::point, array{0.0, 0.0});
  b.prescribe(support, {{b.effective({.signal = 0}), {0.1, 0.05}}}, "motion");
  int last = support, first = -1;
  for (int i = 1; i <= 4; ++i) {
    const int p = b.slot(fmt::format("p{}", i), SlotKind::point, array{1.0 * i, 0.1 * (i % 2)});
    b.item<PointMass2d>({p}, {.m = 0.5}, "mass", 0.2);
    b.item<SpringDamper2d>({last, p}, {.stiffness = 80.0, .damping = 0.3, .free_length = 0.9}, "spring");
    if (first < 0) first = p;
    last = p;
  }
  b.item<Distance2d>({first, last, b.multiplier("rod")}, {.length = std::hypot(3.0, 0.1)}, "rod");
  add_mass(b, support, 0.7);
  add_force(b, last, 1, 0.5, b.effective({.signal = 1}));
  add_gravity(b, 0, -9.81);
  return b.build();
}

TEST(Adams, AccountsForAllWork) {
  Simulation<double> s(machine());
  Adams adams(s.system, {.relative = 1e-11, .absolute_q = 1e-12, .absolute_v = 1e-11});
  ASSERT_TRUE(adams.start(s.state));
  const auto energy = [&] {
    return s.system.assembler.kinetic_energy(s.state.v.data()) +
           s.system.assembler.potential_energy(s.state.t, s.state.q.data());
  };
  const double before = energy();
  ASSERT_TRUE(adams.advance(s.state, 1.237, 2).converged);
  const EnergyAccount<double>& e = s.state.energy;
  for (double work : {e.gravity, e.loads, e.prescribed, e.dissipated}) EXPECT_GT(std::fabs(work), 0.01);
  EXPECT_NEAR(energy() - before, e.gravity + e.loads + e.prescribed - e.dissipated, 1e-7);
}

// The past is in the state: a copy goes on in another integrator with the same bits, and nothing has to be forgotten.
TEST(Adams, ResumesWithTheSameBitsAtAnyTime) {
  const Model model = machine();
  Simulation<double> s(model);
  Adams adams(s.system, {});
  ASSERT_TRUE(adams.start(s.state));
  std::vector<State<double>> saved;
  for (int k = 1; k <= 12; ++k) {
    ASSERT_TRUE(adams.advance(s.state, 0.05 * k, 0.6).converged);
    saved.push_back(s.state);
  }
  for (int from = 0; from < 11; ++from) {
    Simulation<double> resumed(model);
    Adams other(resumed.system, {});
    resumed.state = saved[from];
    resumed.system.drives.enter(resumed.state.t);
    for (int k = from + 2; k <= 12; ++k) {
      const AdamsReport report = other.advance(resumed.state, 0.05 * k, 0.6);
      ASSERT_TRUE(report.converged);
      ASSERT_LE(report.accepted, 30) << "went on, did not begin anew";
    }
    EXPECT_EQ(resumed.state.q, s.state.q);
    EXPECT_EQ(resumed.state.v, s.state.v);
    EXPECT_EQ(resumed.state.a, s.state.a);
    EXPECT_EQ(resumed.state.history, s.state.history);
    EXPECT_EQ(resumed.state.energy.dissipated, s.state.energy.dissipated);
  }
}

TEST(Adams, BeginsAnewWhereTheStateWasChanged) {
  Oscillator o;
  Adams adams(o.s.system, {.relative = 1e-9, .absolute_q = 1e-10, .absolute_v = 1e-10});
  ASSERT_TRUE(adams.start(o.s.state));
  ASSERT_TRUE(adams.advance(o.s.state, 1, 2).converged);
  for (double* x : {&o.s.state.q[o.s.at(o.p, 0)], &o.s.state.v[o.s.at(o.p, 0)]}) *x += 0.5;
  const double q0 = o.s.q(o.p, 0), v0 = o.s.v(o.p, 0);
  ASSERT_TRUE(adams.advance(o.s.state, 2).converged);
  EXPECT_NEAR(o.s.q(o.p, 0), q0 * std::cos(2.0) + v0 / 2 * std::sin(2.0), 1e-7);
}

TEST(Adams, TakesNoHeapInSteps) {
  for (int constrained = 0; constrained < 2; ++constrained) {
    Simulation<double> s(constrained ? pendulum().model : machine());
    Adams adams(s.system, {});
    ASSERT_TRUE(adams.start(s.state));
    ASSERT_TRUE(adams.advance(s.state, 0.1, 1).converged);
    const long before = allocations();
    for (int k = 2; k <= 8; ++k) ASSERT_TRUE(adams.advance(s.state, 0.1 * k, 1).converged);
    s.state.v[0] += 1e-3;
    ASSERT_TRUE(adams.advance(s.state, 0.85, 1).converged);
    EXPECT_EQ(allocations() - before, 0);
  }
}

TEST(Adams, LeavesTheStateWhereItFails) {
  Simulation<double> s(pendulum().model);
  Adams adams(s.system, {.relative = 1e-10, .h_min = 0.2, .max_steps = 100});
  ASSERT_TRUE(adams.start(s.state));
  const State<double> before = s.state;
  const AdamsReport report = adams.advance(s.state, 5);
  EXPECT_FALSE(report.converged);
  EXPECT_GT(report.error, 1);
  EXPECT_EQ(s.state.q, before.q);
  EXPECT_EQ(s.state.v, before.v);
  EXPECT_EQ(s.state.t, 0);
}

TEST(Adams, HasTheSameBitsWithTwoThreads) {
  std::vector<double> end[2];
  const Model model = spatial_chain(40, SpatialJoint::spherical);
  for (int threads : {1, 2}) {
    Simulation<double> s(model, {.threads = threads});
    Adams adams(s.system, {.relative = 1e-6, .absolute_q = 1e-7, .absolute_v = 1e-6});
    ASSERT_TRUE(adams.start(s.state));
    ASSERT_TRUE(adams.advance(s.state, 0.05).converged);
    end[threads - 1] = s.state.q;
  }
  EXPECT_EQ(end[0], end[1]);
}

// At a tolerance of 1e-6, largest |L − 1| in 10 s: drift without a remedy, bounded with one, rounding with projection. With
// φ_max = 1 mm the stages of Runge–Kutta steps, which are off by more than their ends, would saturate: 4.5e-6 in place of 3e-7.
TEST(Stabilisation, BoundsTheDrift) {
  struct Case {
    const char* name;
    Projection projection;
    DriftControl drift;
  };
  const Case cases[] = {
      {"none", Projection::none, {}},
      {"baumgarte", Projection::none, DriftControl(BaumgarteOptions{20 * 0.7, 20})},
      {"fuzzy", Projection::none, DriftControl(FuzzyOptions{.phi_max = 1e-2, .omega = 20, .zeta = 0.7})},
      {"projection", Projection::both, {}}};
  for (bool adams : {false, true}) {
    double worst[4] = {};
    for (int c = 0; c < 4; ++c) {
      Pendulum m = pendulum();
      Simulation<double> s(m.model);
      Adams pece(s.system, {.projection = cases[c].projection,
                            .relative = 1e-6,
                            .absolute_q = 1e-8,
                            .absolute_v = 1e-6,
                            .drift = cases[c].drift});
      RungeKutta rk(s.system, {.method = &dormand_prince_5,
                               .projection = cases[c].projection,
                               .relative = 1e-6,
                               .absolute_q = 1e-8,
                               .absolute_v = 1e-6,
                               .drift = cases[c].drift});
      ASSERT_TRUE(adams ? pece.start(s.state) : rk.start(s.state));
      for (int k = 1; k <= 100; ++k) {
        ASSERT_TRUE(adams ? pece.advance(s.state, 0.1 * k, 10).converged : rk.advance(s.state, 0.1 * k).converged);
        worst[c] = std::max(worst[c], std::fabs(std::hypot(s.q(m.p, 0), s.q(m.p, 1)) - 1));
      }
      RecordProperty(fmt::format("{}_{}", adams ? "adams" : "rk45", cases[c].name), fmt::format("{:.1e}", worst[c]));
    }
    EXPECT_GT(worst[0], 1e-6);
    EXPECT_LT(worst[1], 0.1 * worst[0]);
    EXPECT_LT(worst[2], 0.1 * worst[0]);
    EXPECT_LT(worst[2], 3 * worst[1]) << "small violations: about the same";
    EXPECT_LT(worst[3], 1e-15);
  }
}

// Started 1 mm off, Baumgarte's Φ decays as its equation has it: Φ̈ + 2 α Φ̇ + β² Φ = 0, critically damped here.
TEST(Stabilisation, BaumgarteDecaysAsItsEquation) {
  Pendulum m = pendulum();
  Simulation<double> s(m.model);
  s.state.q[s.at(m.p, 0)] = -1.001;
  RungeKutta rk(s.system, {.projection = Projection::none,
                           .relative = 1e-11,
                           .absolute_q = 1e-13,
                           .absolute_v = 1e-12,
                           .drift = DriftControl(BaumgarteOptions{10, 10})});
  ASSERT_TRUE(rk.start(s.state));
  for (double t : {0.05, 0.1, 0.3, 0.5}) {
    ASSERT_TRUE(rk.advance(s.state, t).converged);
    Constraints constraints(s.system);
    const double phi = constraints.motion(s.state).phi[m.model.topology->ncoord];
    static const double phi0 = [&] {
      Simulation<double> first(pendulum().model);
      first.state.q[first.at(m.p, 0)] = -1.001;
      Constraints c(first.system);
      return c.motion(first.state).phi[first.model.topology->ncoord];
    }();
    EXPECT_NEAR(phi, phi0 * (1 + 10 * t) * std::exp(-10 * t), 1e-8) << t;
  }
}

TEST(RungeKutta4, HasItsOrder) {
  double error[2];
  for (int i = 0; i < 2; ++i) {
    Oscillator o;
    RungeKutta rk(o.s.system, {.method = &classical_4});
    ASSERT_TRUE(rk.start(o.s.state));
    const int steps = 40 << i;
    for (int k = 1; k <= steps; ++k) ASSERT_TRUE(rk.step(o.s.state, 2.0 * k / steps).converged);
    error[i] = o.error();
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 4, 0.2);
}

}  // namespace
}  // namespace flexura::test
