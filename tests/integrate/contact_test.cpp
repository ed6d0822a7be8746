// Frictionless contact in generalized-α: closed forms of bounces, what must never happen, and what it costs.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "flexura/integrate/generalized_alpha.hpp"
#include "tests/support/count_allocations.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

using std::array;

constexpr double gravity = 9.81;

/// Balls of points of mass, planes and who touches.
struct Heap {
  ModelBuilder builder{3};
  ContactModel contacts;

  int ball(array<double, 3> x, double radius, double m, array<double, 3> v = {0, 0, 0}) {
    const std::string name = "ball" + std::to_string(contacts.spheres.size());
    const int slot = builder.slot(name, SlotKind::point, x);
    builder.set_initial(slot, x, v);
    builder.item("point_mass_3d", array{slot}, array{m}, {}, name);
    contacts.spheres.push_back({name, slot, radius});
    return slot;
  }
  int fixed_ball(array<double, 3> x, double radius) {
    const std::string name = "stop" + std::to_string(contacts.spheres.size());
    const int slot = builder.slot(name, SlotKind::point, x);
    builder.fix(slot, name);
    contacts.spheres.push_back({name, slot, radius});
    return slot;
  }
  void plane(array<double, 3> x, array<double, 3> n) {
    const double length = std::hypot(n[0], n[1], n[2]);
    contacts.planes.push_back({"plane", {x[0], x[1], x[2]}, {n[0] / length, n[1] / length, n[2] / length}});
  }
  /// All may touch all.
  Model build(double restitution, bool weight = true) {
    ContactGroup group{"all", restitution, {}};
    for (int member = 0; member < contacts.size(); ++member) group.members.push_back(member);
    contacts.groups = {group};
    builder.contacts(contacts);
    if (weight) builder.gravity(array{0.0, 0.0, -gravity}, builder.constant_signal());
    return builder.build();
  }
};

struct Fall {
  explicit Fall(const Model& model, double rho = 0.8, int threads = 1, NewtonOptions newton = {})
      : s(model, {.threads = threads}),
        integrator(s.system, NewmarkFamily::generalized_alpha(rho), newton, {.halvings = 6}) {
    EXPECT_TRUE(integrator.start(s.state));
    first = energy();
  }
  double energy() {
    const Assembler<double>& assembler = s.system.assembler;
    return assembler.kinetic_energy(s.state.v.data()) + assembler.potential_energy(s.state.t, s.state.q.data()) -
           assembler.inner(assembler.gravity_force().data(), s.state.q.data());
  }
  SolveReport<double> step(double h) {
    const SolveReport<double> report = integrator.step(s.state, s.state.t + h);
    EXPECT_TRUE(report.converged) << "at t = " << s.state.t;
    if (!report.converged) s.state.t += h;  // the test has failed: let it end
    iterations = std::max(iterations, report.iterations);
    most = std::max(most, energy());
    return report;
  }
  const double* at(int slot, const std::vector<double>& x) { return &x[s.system.topology().slots[slot].offset]; }

  Simulation<double> s;
  GeneralizedAlpha<double> integrator;
  double first = 0, most = -1e300;
  int iterations = 0;
};

// Exact: v = √(2 g H) at the floor, e of it behind. The speed is found at the moment of touch within the step, so that it does
// not depend on the step; only when the bounce begins does.
TEST(Contact, BouncesWithNewtonsLaw) {
  for (const double e : {0.0, 0.5, 1.0})
    for (const double h : {1e-3, 2e-3, 7e-3}) {
      Heap heap;
      const int ball = heap.ball({0, 0, 1.1}, 0.1, 2.0);
      heap.plane({0, 0, 0}, {0, 0, 1});
      Fall run(heap.build(e));
      while (run.s.state.contacts.empty() && run.s.state.t < 1) run.step(h);
      ASSERT_FALSE(run.s.state.contacts.empty());
      EXPECT_NEAR(run.s.state.t, std::sqrt(2 / gravity), h);
      EXPECT_NEAR(run.at(ball, run.s.state.q)[2], 0.1, 1e-11);
      EXPECT_NEAR(run.at(ball, run.s.state.v)[2], e * std::sqrt(2 * gravity), 1e-9) << "e " << e << ", h " << h;
      EXPECT_NEAR(run.s.state.contacts[0].approach, -std::sqrt(2 * gravity), 1e-9);
    }
}

// Exact: e = 0.5 from 1 m, first impact at 0.4515236 s, at rest at 1.3545709 s. Each bounce begins up to h late.
TEST(Contact, BallComesToRest) {
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    Heap heap;
    const int ball = heap.ball({0, 0, 1.1}, 0.1, 2.0);
    heap.plane({0, 0, 0}, {0, 0, 1});
    Fall run(heap.build(0.5));
    double rest = 0;
    while (run.s.state.t < 2) {
      run.step(h);
      if (std::fabs(run.at(ball, run.s.state.v)[2]) > 1e-9) rest = run.s.state.t;
    }
    EXPECT_NEAR(rest, 1.3545709229572, 12 * h);
    EXPECT_NEAR(run.at(ball, run.s.state.q)[2], 0.1, 1e-12);
    ASSERT_EQ(run.s.state.contacts.size(), 1u);
    EXPECT_NEAR(run.s.state.contacts[0].force, 2.0 * gravity, 1e-9);
    EXPECT_LE(run.most, run.first * (1 + 1e-9));
    EXPECT_LE(run.iterations, 4);
  }
}

/// Balls of different sizes above a trough.
Model trough(int balls, double restitution) {
  Heap heap;
  for (int i = 0; i < balls; ++i)
    heap.ball({0.11 * (i % 3) + 0.01 * std::sin(i), 0.12 * (i / 3 % 3) + 0.01 * std::cos(3 * i), 0.2 + 0.14 * (i / 9)},
              0.03 + 0.02 * std::fabs(std::sin(7 * i)), 0.1 + 0.05 * (i % 4));
  heap.plane({0, 0, 0}, {0, 0, 1});
  heap.plane({0.3, 0, 0}, {-1, 0, 1});
  heap.plane({-0.1, 0, 0}, {1, 0, 1});
  heap.plane({0, 0.35, 0}, {0, -1, 0});
  heap.plane({0, -0.15, 0}, {0, 1, 0});
  return heap.build(restitution);
}

TEST(Contact, EnergyNeverRises) {
  for (const double rho : {0.8, 1.0})
    for (const double h : {1e-3, 3e-3, 1e-2})
      for (const double e : {0.0, 0.6, 1.0}) {
        Fall run(trough(30, e), rho);
        const int steps = static_cast<int>(std::lround(0.6 / h));
        for (int k = 0; k < steps && !testing::Test::HasFailure(); ++k) run.step(h);
        EXPECT_LE(run.most, run.first * (1 + 1e-9)) << "rho " << rho << ", h " << h << ", e " << e;
        // The balance closes: what impacts took is booked; what the integration put in is not, and shows.
        const EnergyAccount<double>& account = run.s.state.energy;
        const double gained = run.energy() + account.dissipated - run.first;
        EXPECT_GE(gained, -1e-9 * run.first);
        EXPECT_LE(gained, 5e-5 * run.first) << "measured: 3.3e-5 with e = 0, 4.7e-8 and less otherwise";
        EXPECT_GE(account.dissipated, 0);
      }
}

// Way past in one step: 1 m by 0.1 m and by a pin of 1 mm.
TEST(Contact, NothingPassesThrough) {
  Heap heap;
  const int ball = heap.ball({0, 0, 0.5}, 0.05, 1.0, {0, 0, -100});
  const int other = heap.ball({3, 0, 0.5}, 0.05, 1.0, {0, 0, -100});
  heap.fixed_ball({0, 0, 0}, 0.001);
  heap.fixed_ball({3, 0.03, 0}, 0.001);
  Fall run(heap.build(0.0, false));
  for (int k = 0; k < 20; ++k) run.step(0.01);
  EXPECT_GT(run.at(ball, run.s.state.q)[2], 0.0);
  EXPECT_NEAR(run.at(ball, run.s.state.q)[2], 0.051, 1e-9);
  // Off its middle the ball slides past on its own side.
  const double* x = run.at(other, run.s.state.q);
  EXPECT_LT(x[1], 0.03);
  EXPECT_LE(run.most, run.first * (1 + 1e-12));

  Heap floor;
  const int fast = floor.ball({0, 0, 0.5}, 0.05, 1.0, {30, 0, -100});
  floor.plane({0, 0, 0}, {0, 0, 1});
  Fall down(floor.build(0.5));
  for (int k = 0; k < 3; ++k) {
    down.step(0.01);
    EXPECT_GE(down.at(fast, down.s.state.q)[2], 0.05 - 1e-10);
  }
  EXPECT_NEAR(down.at(fast, down.s.state.v)[0], 30, 1e-9);  // what slides is left alone
}

// Exact: equal masses exchange velocities with e = 1, share them with e = 0.
TEST(Contact, TwoBallsMeet) {
  for (const double e : {0.0, 0.5, 1.0}) {
    Heap heap;
    const int a = heap.ball({0, 0, 0}, 0.1, 1.0, {2, 0, 0}), b = heap.ball({1, 0, 0}, 0.2, 3.0);
    Fall run(heap.build(e, false));
    while (run.s.state.contacts.empty() && run.s.state.t < 1) run.step(1e-2);
    const double common = 2.0 / 4, push = (1 + e) * 2 * 3 / 4;
    EXPECT_NEAR(run.at(a, run.s.state.v)[0], 2 - push, 1e-9);
    EXPECT_NEAR(run.at(b, run.s.state.v)[0], push / 3, 1e-9);
    if (e == 0) {
      EXPECT_NEAR(run.at(a, run.s.state.v)[0], common, 1e-9);
    }
  }
}

// One step a ball sliding down a slope takes one iteration, wherever it is (stop rule on multipliers, not on penalties).
TEST(Contact, SlidesFarFromTheOrigin) {
  for (const double far : {1.0, 1000.0}) {
    Heap heap;
    const double slope = 0.4;
    const int ball = heap.ball({far + 0.1 * std::sin(slope), far, far + 0.1 * std::cos(slope)}, 0.1, 1.0);
    heap.plane({far, far, far}, {std::sin(slope), 0, std::cos(slope)});
    Fall run(heap.build(0.5));
    for (int k = 0; k < 100; ++k) {
      const SolveReport<double> report = run.step(1e-2);
      EXPECT_LE(report.iterations, k == 0 ? 2 : 1) << far << " m, step " << k;
    }
    EXPECT_NEAR(run.at(ball, run.s.state.v)[0], gravity * std::sin(slope) * std::cos(slope), 1e-8);
  }
}

TEST(Contact, StepsThatAreNotSolvedAreNotTaken) {
  Heap heap;
  for (int i = 0; i < 5; ++i) heap.ball({0.02 * i, 0.01 * i, 0.11 + 0.21 * i}, 0.1, 1.0);
  heap.plane({0, 0, 0}, {0, 0, 1});
  const Model model = heap.build(0.0);
  Simulation<double> s(model);
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {.max_iterations = 0});
  ASSERT_TRUE(integrator.start(s.state));
  const State<double> before = s.state;
  bool failed = false;
  for (int k = 0; k < 100 && !failed; ++k) {
    const State<double> last = s.state;
    failed = !integrator.step(s.state, s.state.t + 1e-2).converged;
    if (failed) {
      EXPECT_TRUE(s.state.q == last.q && s.state.v == last.v && s.state.t == last.t);
    }
  }
  EXPECT_TRUE(failed);
}

// Redundant: twelve supports of one ball whose forces are shared alike.
TEST(Contact, RedundantSupportsShareTheLoad) {
  Heap heap;
  heap.ball({0, 0, 0.1}, 0.1, 1.2);
  for (int k = 0; k < 12; ++k) heap.plane({0, 0, 0}, {0, 0, 1});
  Fall run(heap.build(0.0));
  for (int k = 0; k < 5; ++k) run.step(1e-3);
  ASSERT_EQ(run.s.state.contacts.size(), 12u);
  for (const ContactRecord& record : run.s.state.contacts) EXPECT_NEAR(record.force, 1.2 * gravity / 12, 1e-6);
}

// Work in proportion to contacts: ten times the balls, ten times the comparisons, within a logarithm; one that flies off with
// 1e4 m/s costs nothing.
TEST(Contact, WorkGrowsWithContacts) {
  const auto work = [](int n, bool outlier) {
    Heap heap;
    const int side = static_cast<int>(std::ceil(std::sqrt(n)));
    for (int i = 0; i < n; ++i) heap.ball({0.25 * (i % side), 0.25 * (i / side), 0.1}, 0.1, 1.0);
    if (outlier) heap.ball({-1, -1, 5}, 0.1, 1.0, {-1e4, 0, 0});
    heap.plane({0, 0, 0}, {0, 0, 1});
    Fall run(heap.build(0.0));
    for (int k = 0; k < 3; ++k) run.step(1e-3);
    return *run.integrator.contact_work();
  };
  const ContactWork small = work(100, false), large = work(2000, false), fast = work(2000, true);
  EXPECT_LT(large.comparisons, 30 * small.comparisons);
  EXPECT_LT(fast.comparisons, 1.1 * large.comparisons);
  EXPECT_EQ(large.candidates, 20 * small.candidates);
  EXPECT_EQ(large.active, 20 * small.active);
}

bool same(const State<double>& a, const State<double>& b) {
  const auto bits = [](const std::vector<double>& x, const std::vector<double>& y) {
    return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0);
  };
  const ContactArrays c(a.contacts), d(b.contacts);
  return bits(a.q, b.q) && bits(a.v, b.v) && bits(a.a, b.a) && bits(a.a_alg, b.a_alg) && c.keys == d.keys &&
         bits(c.numbers, d.numbers) && a.energy.dissipated == b.energy.dissipated;
}

TEST(Contact, ThreadsDoNotShowInTheBits) {
  const Model model = trough(20, 0.3);
  Fall one(model), two(model, 0.8, 2), three(model, 0.8, 3);
  for (int k = 0; k < 150; ++k) {
    for (Fall* run : {&one, &two, &three}) run->step(3e-3);
    ASSERT_TRUE(same(one.s.state, two.s.state) && same(one.s.state, three.s.state)) << "step " << k;
  }
}

// A checkpoint at every seventh step: the run that forgets there and one that begins there with the saved state.
TEST(Contact, GoesOnFromASavedStateWithTheSameBits) {
  const Model model = trough(20, 0.3);
  Fall whole(model);
  for (int k = 0; k < 28; ++k) {
    whole.integrator.reset();
    Fall again(model);
    again.s.state = whole.s.state;
    const ContactArrays saved(whole.s.state.contacts);
    again.s.state.contacts = contact_history(saved.keys, saved.numbers);
    again.integrator.reset();
    for (int step = 0; step < 7; ++step) {
      whole.step(3e-3);
      again.step(3e-3);
      ASSERT_TRUE(same(whole.s.state, again.s.state)) << "step " << 7 * k + step;
    }
  }
}

// The second time through the same fall everything has been as large before.
TEST(Contact, TakesNoMemoryOnceWarm) {
  Fall run(trough(20, 0.3));
  const State<double> first = run.s.state;
  for (int k = 0; k < 150; ++k) run.step(3e-3);
  run.s.state = first;
  run.integrator.reset();
  const long before = allocations();
  for (int k = 0; k < 150; ++k) run.integrator.step(run.s.state, run.s.state.t + 3e-3);
  EXPECT_EQ(allocations() - before, 0);
}

}  // namespace
}  // namespace flexura::test
