// Dry friction on a coordinate, against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "flexura/integrate/energy_momentum.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

using std::array;

/// In the order of the term's fields.
struct Friction {
  double coulomb = 1, static_ratio = 1, stribeck = 1e-2, viscous = 0, presliding = 1e-4, settling = 1e-3;
};

/// A block of mass m on a line that falls with `slope`: a coordinate s along it, a spring of rate k, dry friction.
struct Slider {
  double m = 2, slope = 0, k = 0, start = 0, speed = 0;
  Friction friction{};
  double belt = 0;  ///< speed of what it slides on

  Simulation<> simulation() const {
    ModelBuilder b(2);
    const double c = std::cos(slope), e = -std::sin(slope);
    const int s = b.slot("s", SlotKind::scalar, array{0.0});
    b.set_initial(s, array{start}, array{speed});
    const int p = b.slot("block", SlotKind::point, array{0.0, 0.0});
    b.equate(p, {2, {{s, {c, e}}}, {0, 0}, {}}, "rail");
    b.item("point_mass_2d", array{p}, array{m}, {}, "block");
    if (slope != 0) add_gravity(b, 0, -9.81);
    if (k > 0) b.item("coordinate_spring_2d", array{s}, array{k, 0.0, 0.0, -1e9, 1e9, 0.0, 0.0, 1e-3}, {}, "spring");
    int on = s;
    if (belt != 0) {
      auto signals = std::make_shared<SignalSet>();
      signals->add("belt", RampSignal{.from = 0, .to = 1e3 * belt, .start = 0, .duration = 1e3});
      EXPECT_TRUE(signals->finish().empty());
      b.set_signals(signals);
      on = b.slot("slip", SlotKind::scalar, array{0.0});
      b.equate(on, {1, {{s, {1}}}, {0}, {{b.effective({.signal = 0}), {-1}}}}, "belt");
    }
    const Friction& f = friction;
    b.item("joint_friction_2d", array{on},
           array{f.coulomb, f.static_ratio, f.stribeck, f.viscous, f.presliding, f.settling}, {}, "friction");
    return Simulation<>(b.build());
  }
};

/// Steps to `end` with `each` called after every one.
template <class Method>
void run(Method& method, Simulation<>& s, double end, int steps, auto&& each) {
  method.start(s.state);
  const double t0 = s.state.t;
  for (int n = 1; n <= steps; ++n) {
    ASSERT_TRUE(method.step(s.state, t0 + (end - t0) * n / steps).converged) << "step " << n;
    each(n);
  }
}
GeneralizedAlpha<double> default_method(Simulation<>& s, double rho = 0.8) {
  return GeneralizedAlpha<double>(s.system, NewmarkFamily::generalized_alpha(rho), {.tolerance = 1e-12});
}

// 2 mg sin α, which it swings up to, is below μ mg cos α: it moves by the bristle's deflection mg sin α/k and then not at all.
TEST(JointFriction, ABlockOnASlopeSticksWithoutCreep) {
  const double alpha = 0.3, mu = 0.8, m = 2, normal = m * 9.81 * std::cos(alpha);
  const Slider block{.m = m, .slope = alpha, .friction = {.coulomb = mu * normal}};
  Simulation<> s = block.simulation();
  GeneralizedAlpha<double> method = default_method(s);
  double half = 0;
  run(method, s, 10, 10000, [&](int n) {
    if (n == 5000) half = s.state.q[0];
  });
  EXPECT_NEAR(s.state.q[0], 1e-4 * std::tan(alpha) / mu, 1e-15);
  EXPECT_NEAR(s.state.q[0], half, 1e-16);
  EXPECT_NEAR(s.state.v[0], 0, 1e-14);
  EXPECT_NEAR(s.state.energy.dissipated, 0, 1e-2);
}

// From equilibrium it does not move in ten seconds, at any step.
TEST(JointFriction, AStaticAnalysisLeavesItStuck) {
  const double alpha = 0.3, m = 2, normal = m * 9.81 * std::cos(alpha);
  for (double h : {1e-4, 1e-3, 0.1}) {
    const Slider block{.m = m, .slope = alpha, .friction = {.coulomb = 0.5 * normal, .static_ratio = 1.2}};
    Simulation<> s = block.simulation();
    StaticSolver statics(s.system, {});
    ASSERT_TRUE(statics.solve(s.state, {}).converged);
    const double q0 = s.state.q[0];
    EXPECT_NEAR(q0, 1e-4 * std::tan(alpha) / 0.5 / 1.2, 1e-12);
    GeneralizedAlpha<double> method = default_method(s);
    run(method, s, 1000 * h, 1000, [](int) {});
    EXPECT_NEAR(s.state.q[0], q0, 1e-12) << h;
    EXPECT_NEAR(s.state.v[0], 0, 1e-10);
  }
}

// g (sin α − μ cos α), exact for constant forces; 1e-9 of Newton's tolerance.
TEST(JointFriction, ABlockOnASteeperSlopeSlidesEvenly) {
  const double alpha = 0.6, mu = 0.25, m = 2, normal = m * 9.81 * std::cos(alpha);
  const Slider block{.m = m, .slope = alpha, .friction = {.coulomb = mu * normal}};
  Simulation<> s = block.simulation();
  GeneralizedAlpha<double> method = default_method(s);
  double v1 = 0;
  run(method, s, 2, 2000, [&](int n) {
    if (n == 1000) v1 = s.state.v[0];
  });
  const double a = 9.81 * (std::sin(alpha) - mu * std::cos(alpha));
  EXPECT_NEAR(s.state.v[0] - v1, a * 1.0, 1e-9);
  EXPECT_NEAR(s.state.v[0], 2 * a, 2e-2);  // it gave way after a few milliseconds
}

// An oscillator loses 2 F/k of its amplitude in each half cycle, 4 F/k in a cycle, and ends where |x| ≤ F/k.
TEST(JointFriction, AnOscillatorLosesFourFOverKInACycle) {
  const double k = 50, F = 1;
  const Slider block{.m = 2, .k = k, .start = 0.5, .friction = {.coulomb = F, .presliding = 1e-7, .settling = 1e-4}};
  Simulation<> s = block.simulation();
  GeneralizedAlpha<double> method = default_method(s, 1.0);
  std::vector<double> peaks;
  double before = 0;
  run(method, s, 8, 80000, [&](int) {
    if (before != 0 && before * s.state.v[0] < 0 && peaks.size() < 10) peaks.push_back(std::fabs(s.state.q[0]));
    before = s.state.v[0];
  });
  ASSERT_GE(peaks.size(), 8u);
  // Steps of 1e-4 s miss the peak by ½ a h² = 6e-8 m, and the bristle turns within 2 z₀ = 2e-7 m.
  for (size_t n = 0; n < 8; ++n)
    EXPECT_NEAR(peaks[n], 0.5 - 2 * F / k * static_cast<double>(n + 1), 2e-6 * (n + 1)) << n;
  EXPECT_LE(std::fabs(s.state.q[0]), F / k + 1e-6);
  EXPECT_NEAR(s.state.v[0], 0, 1e-9);
}

// On a belt of speed V: sticks for 2 Δ/V, Δ = (F_s − F_c)/k, then slips for (2/ω)(π − atan(Δ ω/V)).
TEST(JointFriction, ABlockOnABeltSticksAndSlips) {
  const double m = 1, k = 100, Fc = 4, ratio = 1.5, V = 0.05;
  const Slider block{
      .m = m,
      .k = k,
      .friction = {.coulomb = Fc, .static_ratio = ratio, .stribeck = 1e-5, .presliding = 1e-7, .settling = 1e-4},
      .belt = V};
  Simulation<> s = block.simulation();
  GeneralizedAlpha<double> method = default_method(s);
  std::vector<double> slips;
  bool stuck = true;
  run(method, s, 6, 60000, [&](int) {
    const bool sticks = std::fabs(s.state.v[0] - V) < 1e-3 * V;
    if (stuck && !sticks && s.state.q[0] > Fc / k) slips.push_back(s.state.t);
    stuck = sticks;
  });
  const double delta = (ratio - 1) * Fc / k, w = std::sqrt(k / m);
  const double period = 2 * delta / V + 2 / w * (std::numbers::pi - std::atan(delta * w / V));
  ASSERT_GE(slips.size(), 4u);
  for (size_t n = 2; n < slips.size(); ++n) EXPECT_NEAR(slips[n] - slips[n - 1], period, 2e-3 * period);
}

// What the oscillator had is stored, or lost: exactly with energy-momentum, to the order of the steps otherwise.
TEST(JointFriction, TheBalanceOfEnergyCloses) {
  const Slider block{.m = 2, .k = 50, .start = 0.5, .friction = {.coulomb = 2, .viscous = 0.3, .presliding = 1e-3}};
  const auto error = [&](Simulation<>& s) {
    const double now = s.system.assembler.kinetic_energy(s.state.v.data()) +
                       s.system.assembler.potential_energy(s.state.t, s.state.q.data()) + s.state.energy.dissipated;
    return std::fabs(now - 0.5 * 50 * 0.25);
  };
  Simulation<> exact = block.simulation();
  EnergyMomentum conserving(exact.system);
  run(conserving, exact, 2, 2000, [](int) {});
  Simulation<> s = block.simulation();
  GeneralizedAlpha<double> method = default_method(s, 1.0);
  run(method, s, 2, 2000, [](int) {});
  std::printf("energy-momentum %.2e J, generalized-alpha %.2e J of 6.25 J; q %.8f %.8f\n", error(exact), error(s),
              exact.state.q[0], s.state.q[0]);
  EXPECT_LT(error(s), 2e-3);
  EXPECT_LT(error(exact), 2e-3);
}

// Sliding on, friction is smooth: second order.
TEST(JointFriction, IsOfSecondOrderWhileItSlides) {
  const Slider block{
      .m = 2, .k = 5, .speed = 3, .friction = {.coulomb = 1, .static_ratio = 1.5, .stribeck = 0.5, .viscous = 0.3}};
  const auto end = [&](int steps) {
    Simulation<> s = block.simulation();
    GeneralizedAlpha<double> method = default_method(s);
    run(method, s, 0.1, 1000, [](int) {});  // it gives way
    run(method, s, 0.5, steps, [](int) {});
    return s.state.q[0];
  };
  const double exact = end(1280), coarse = std::fabs(end(20) - exact), fine = std::fabs(end(40) - exact);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

// A step that is refused, and the pieces of one that is cut, see the past of its beginning.
TEST(JointFriction, AFailedStepLeavesThePastAsItWas) {
  const Slider block{.m = 2, .k = 50, .start = 0.5, .friction = {.coulomb = 2}};
  Simulation<> s = block.simulation();
  GeneralizedAlpha<double> method(s.system, NewmarkFamily::generalized_alpha(0.8), {.tolerance = 1e-12});
  run(method, s, 0.1, 100, [](int) {});
  const State<double> before = s.state;
  GeneralizedAlpha<double> hasty(s.system, NewmarkFamily::generalized_alpha(0.8),
                                 {.tolerance = 1e-30, .max_iterations = 0});
  EXPECT_FALSE(hasty.step(s.state, 5.0).converged);
  EXPECT_EQ(s.state.history, before.history);
  EXPECT_EQ(s.state.q, before.q);
  Simulation<> other = block.simulation();
  GeneralizedAlpha<double> same(other.system, NewmarkFamily::generalized_alpha(0.8), {.tolerance = 1e-12});
  run(same, other, 0.1, 100, [](int) {});
  method.reset(), same.reset();
  ASSERT_TRUE(method.step(s.state, 0.101).converged);
  ASSERT_TRUE(same.step(other.state, 0.101).converged);
  EXPECT_EQ(s.state.q, other.state.q);
  EXPECT_EQ(s.state.history, other.state.history);
}

// A step that is cut leaves what the same pieces leave when they are asked for: each sees the past of its own beginning.
TEST(JointFriction, AStepThatIsCutRemembersLikeItsPieces) {
  const Slider block{.m = 2, .k = 50, .start = 0.5, .friction = {.coulomb = 2, .static_ratio = 1.5, .stribeck = 0.1}};
  const NewtonOptions hasty{.tolerance = 1e-12, .max_iterations = 3, .tangent = TangentPolicy::full};
  const NewmarkFamily family = NewmarkFamily::generalized_alpha(0.8);
  Simulation<> s = block.simulation();
  GeneralizedAlpha<double> method(s.system, family, hasty, {.halvings = 6});
  ASSERT_TRUE(method.start(s.state));
  int cut = 0;
  for (int n = 1; n <= 100; ++n) {
    const double t1 = 0.1 * n;
    Simulation<> other = block.simulation();
    other.state = s.state;
    GeneralizedAlpha<double> plain(other.system, family, hasty);
    method.reset();
    ASSERT_TRUE(method.step(s.state, t1).converged) << n;
    if (plain.step(other.state, t1).converged) {
      EXPECT_EQ(s.state.history, other.state.history) << n;
      continue;
    }
    ++cut;
    const auto pieces = [&](auto&& self, double to, int depth) -> bool {
      for (const double end : {0.5 * (other.state.t + to), to})
        if (!plain.step(other.state, end).converged && (depth == 0 || !self(self, end, depth - 1))) return false;
      return true;
    };
    ASSERT_TRUE(pieces(pieces, t1, 5)) << n;
    for (size_t i = 0; i < s.state.history.size(); ++i) EXPECT_EQ(s.state.history[i], other.state.history[i]) << n;
    EXPECT_EQ(s.state.q, other.state.q) << n;
    EXPECT_EQ(s.state.energy.dissipated, other.state.energy.dissipated) << n;
  }
  EXPECT_GT(cut, 3) << "steps that are not cut prove nothing";
}

// ── Lanes and derivatives ───────────────────────────────────────────────────────────────────────────────────────────

// Each sticks and slides at times of its own.
TEST(JointFriction, FourSlidersInLanesHaveTheBitsOfFourAlone) {
  std::vector<std::unique_ptr<Simulation<>>> alone;
  std::vector<const Values*> values;
  for (int lane = 0; lane < native_lanes; ++lane)
    alone.push_back(std::make_unique<Simulation<>>(
        Slider{.m = 2,
               .k = 50,
               .start = 0.3 + 0.1 * lane,
               .friction = {.coulomb = 1 + 3.0 * lane, .static_ratio = 1.5, .stribeck = 0.1}}
            .simulation()
            .model));
  for (const auto& s : alone) values.push_back(&s->model.values);
  Simulation<Lanes> together(alone[0]->model.topology, values);
  GeneralizedAlpha<Lanes> lanes(together.system, NewmarkFamily::generalized_alpha(0.8), {.tolerance = 1e-10});
  ASSERT_TRUE(all(lanes.start(together.state)));
  std::vector<std::unique_ptr<GeneralizedAlpha<double>>> methods;
  for (const auto& s : alone) {
    methods.push_back(std::make_unique<GeneralizedAlpha<double>>(s->system, NewmarkFamily::generalized_alpha(0.8),
                                                                 NewtonOptions{.tolerance = 1e-10}));
    ASSERT_TRUE(methods.back()->start(s->state));
  }
  for (int n = 1; n <= 2000; ++n) {
    ASSERT_TRUE(all(lanes.step(together.state, 1e-3 * n).converged)) << n;
    for (int lane = 0; lane < native_lanes; ++lane) {
      State<double>& s = alone[lane]->state;
      ASSERT_TRUE(methods[lane]->step(s, 1e-3 * n).converged);
      ASSERT_EQ(together.state.q[0][lane], s.q[0]) << n << " " << lane;
      for (size_t i = 0; i < s.history.size(); ++i) ASSERT_EQ(together.state.history[i][lane], s.history[i]) << n;
      ASSERT_EQ(together.state.energy.dissipated[lane], s.energy.dissipated) << n;
    }
  }
  EXPECT_LT(std::fabs(alone[3]->state.v[0]), 1e-6) << "one sticks";
}

// d/dF of the way v² m/(2 F) on which a block stops: −v² m/(2 F²); the bristle and the last step leave 1e-3.
TEST(JointFriction, DerivativesGoThroughSlidingAndSticking) {
  const double m = 2, F = 4, v = 1.5;
  const Model model = Slider{.m = m, .speed = v, .friction = {.coulomb = F, .presliding = 1e-6}}.simulation().model;
  Values direction = model.values;
  for (auto* x : {&direction.reference, &direction.q0, &direction.v0, &direction.weights, &direction.bases,
                  &direction.directions})
    std::fill(x->begin(), x->end(), 0.0);
  for (auto& p : direction.parameters) std::fill(p.begin(), p.end(), 0.0);
  for (auto& p : direction.mass_damping) std::fill(p.begin(), p.end(), 0.0);
  for (GravityField& g : direction.gravity) g.g[0] = g.g[1] = g.g[2] = 0;
  for (size_t b = 0; b < model.topology->batches.size(); ++b)
    if (model.topology->batches[b].type->info.name == "joint_friction_2d") direction.parameters[b][0] = 1;
  const array<const Values*, 2> values{&model.values, &direction};
  Simulation<Dual<double>> s(model.topology, values);
  GeneralizedAlpha<Dual<double>> method(s.system, NewmarkFamily::generalized_alpha(0.8), {.tolerance = 1e-12});
  ASSERT_TRUE(method.start(s.state));
  for (int n = 1; n <= 2000; ++n) ASSERT_TRUE(method.step(s.state, 1e-3 * n).converged) << n;
  EXPECT_NEAR(s.state.v[0].v, 0, 1e-9) << "it sticks";
  EXPECT_NEAR(s.state.q[0].v, m * v * v / (2 * F), 1e-3 * m * v * v / (2 * F));
  EXPECT_NEAR(s.state.q[0].d, -m * v * v / (2 * F * F), 3e-3 * m * v * v / (2 * F * F));
}

}  // namespace
}  // namespace flexura::test
