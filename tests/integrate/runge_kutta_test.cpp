// Embedded Runge–Kutta methods: their tableaux, measured orders, step size control, drift, resumption.

#include "flexura/integrate/runge_kutta.hpp"

#include <gtest/gtest.h>

#include "flexura/body/point_mass.hpp"
#include "flexura/load/spring_damper.hpp"
#include "tests/support/count_allocations.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/pendulum.hpp"

namespace flexura::test {
namespace {

using std::array;

// ── Tableaux ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/// All rooted trees by number of nodes: the sum over stages of weight times product of children is 1/density.
struct Tree {
  int nodes = 1;
  double density = 1;
  std::vector<double> stage;  ///< per stage
};

/// Multisets of trees (in their order, from `first`) with `nodes` nodes in all.
void forests(const std::vector<Tree>& trees, size_t first, int nodes, const Tree& sofar, std::vector<Tree>& out,
             const ButcherTableau& m) {
  if (nodes == 0) {
    out.push_back(sofar);
    return;
  }
  for (size_t k = first; k < trees.size() && trees[k].nodes <= nodes; ++k) {
    Tree next = sofar;
    next.nodes += trees[k].nodes;
    next.density *= trees[k].density;
    for (int i = 0; i < m.stages; ++i) {
      double sum = 0;
      for (int j = 0; j < i; ++j) sum += m.a[i][j] * trees[k].stage[j];
      next.stage[i] *= sum;
    }
    forests(trees, k, nodes - trees[k].nodes, next, out, m);
  }
}

std::vector<Tree> trees_to(int order, const ButcherTableau& m) {
  std::vector<Tree> trees;
  for (int n = 1; n <= order; ++n) {
    std::vector<Tree> fresh;
    forests(trees, 0, n - 1, {1, 1, std::vector<double>(m.stages, 1.0)}, fresh, m);
    for (Tree& t : fresh) {
      t.density *= n;
      trees.push_back(t);
    }
  }
  return trees;
}

double worst_condition(const ButcherTableau& m, const double* weights, int order, const std::vector<Tree>& trees) {
  double worst = 0;
  for (const Tree& t : trees) {
    if (t.nodes > order) continue;
    double sum = 0;
    for (int i = 0; i < m.stages; ++i) sum += weights[i] * t.stage[i];
    worst = std::max(worst, std::fabs(sum - 1 / t.density));
  }
  return worst;
}

// Rounding of 16-digit coefficients up to 43 leaves 1e-14; a wrong digit shows.
TEST(ButcherTableau, SatisfiesAllConditionsOfItsOrder) {
  for (const ButcherTableau* m : {&dormand_prince_5, &dormand_prince_8}) {
    const std::vector<Tree> trees = trees_to(m->order + 1, *m);
    EXPECT_EQ(trees.size(), m->order == 5 ? 37u : 486u);  // 1 1 2 4 9 20 48 115 286
    for (int i = 0; i < m->stages; ++i) {
      double sum = 0;
      for (int j = 0; j < i; ++j) sum += m->a[i][j];
      EXPECT_NEAR(sum, m->c[i], 2e-14);
    }
    EXPECT_LE(worst_condition(*m, m->b, m->order, trees), 5e-14);
    EXPECT_GE(worst_condition(*m, m->b, m->order + 1, trees), 1e-8) << "the check sees what it is for";
    if (m->error_end == 0) {
      double embedded[12], coarse[12];
      for (int i = 0; i < 12; ++i) embedded[i] = m->b[i] - m->error[i], coarse[i] = m->b[i] - m->coarse[i];
      EXPECT_LE(worst_condition(*m, embedded, m->embedded, trees), 5e-14);
      EXPECT_LE(worst_condition(*m, coarse, 3, trees), 5e-14);
    }
  }
}

// ── Machines ─────────────────────────────────────────────────────────────────────────────────────────────────────────

constexpr double x1 = .9862917511, y1 = -.1650108531, x10 = -.2750874626, y10 = -.9614192051;

double swing_error(const RungeKuttaOptions& options, int steps, Projection projection) {
  Pendulum m = pendulum();
  Simulation<double> s(m.model);
  RungeKuttaOptions o = options;
  o.projection = projection;
  RungeKutta integrator(s.system, o);
  EXPECT_TRUE(integrator.start(s.state));
  for (int k = 1; k <= steps; ++k) EXPECT_TRUE(integrator.step(s.state, static_cast<double>(k) / steps).converged);
  static const array<double, 2> exact = [] {
    Pendulum fine = pendulum();
    Simulation<double> t(fine.model);
    RungeKutta reference(t.system, {.relative = 1e-14, .absolute_q = 1e-14, .absolute_v = 1e-14});
    EXPECT_TRUE(reference.start(t.state));
    EXPECT_TRUE(reference.advance(t.state, 1).converged);
    EXPECT_NEAR(t.q(fine.p, 0), x1, 1e-10);
    EXPECT_NEAR(t.q(fine.p, 1), y1, 1e-10);
    return array{t.q(fine.p, 0), t.q(fine.p, 1)};
  }();
  return std::hypot(s.q(m.p, 0) - exact[0], s.q(m.p, 1) - exact[1]);
}

TEST(RungeKutta, HasItsOrderOnAConstrainedMotion) {
  for (const Projection projection : {Projection::both, Projection::none}) {
    const double five = std::log2(swing_error({.method = &dormand_prince_5}, 80, projection) /
                                  swing_error({.method = &dormand_prince_5}, 160, projection));
    EXPECT_NEAR(five, 5, 0.5);
    const double eight = std::log2(swing_error({.method = &dormand_prince_8}, 20, projection) /
                                   swing_error({.method = &dormand_prince_8}, 40, projection));
    EXPECT_NEAR(eight, 8, 0.9);
    RecordProperty(projection == Projection::both ? "projected" : "free", fmt::format("{:.2f} {:.2f}", five, eight));
  }
}

TEST(RungeKutta, HasTheThirdPartyFigures) {
  Pendulum m = pendulum();
  Simulation<double> s(m.model);
  RungeKutta integrator(s.system, {.relative = 1e-12, .absolute_q = 1e-13, .absolute_v = 1e-12});
  ASSERT_TRUE(integrator.start(s.state));
  EXPECT_NEAR(s.q(m.lambda, 0), 0, 1e-13) << "released without tension";
  ASSERT_TRUE(integrator.advance(s.state, 1).converged);
  EXPECT_NEAR(s.q(m.p, 0), x1, 1e-10);
  EXPECT_NEAR(s.q(m.lambda, 0), 3 * 9.81 * -s.q(m.p, 1), 1e-9) << "tension 3 m g |y|";
  ASSERT_TRUE(integrator.advance(s.state, 10).converged);
  EXPECT_NEAR(s.q(m.p, 0), x10, 2e-10);
  EXPECT_NEAR(s.q(m.p, 1), y10, 2e-10);
  const double kinetic = s.system.assembler.kinetic_energy(s.state.v.data());
  EXPECT_NEAR(kinetic, s.state.energy.gravity, 1e-10) << "work of gravity";
}

// Without projection Φ drifts with the local errors: at 1e-6 over 10 s.
TEST(RungeKutta, ProjectionStopsTheDrift) {
  double drift[2];
  for (const Projection projection : {Projection::both, Projection::none}) {
    Pendulum m = pendulum();
    Simulation<double> s(m.model);
    RungeKutta integrator(s.system, {.projection = projection, .relative = 1e-6, .absolute_q = 1e-8});
    ASSERT_TRUE(integrator.start(s.state));
    ASSERT_TRUE(integrator.advance(s.state, 10).converged);
    drift[projection == Projection::none] = std::fabs(std::hypot(s.q(m.p, 0), s.q(m.p, 1)) - 1);
    if (projection == Projection::both) {
      EXPECT_NEAR(s.q(m.p, 0) * s.v(m.p, 0) + s.q(m.p, 1) * s.v(m.p, 1), 0, 1e-14);
    }
  }
  RecordProperty("drift", fmt::format("{:.1e} {:.1e}", drift[0], drift[1]));
  EXPECT_LE(drift[0], 4e-16);
  EXPECT_GE(drift[1], 1e-9);
}

/// Masses on springs and a damper, driven by a moving support: no constraints, every share of the energy account.
Model springs() {
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  signals->add("shake", SineSignal{.amplitude = 0.1, .frequency = 1.5});
  signals->add("push", SineSignal{.amplitude = 2, .frequency = 0.7});
  EXPECT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const int support = b.slot("support", SlotKind::point, array{0.0, 0.0});
  b.prescribe(support, {{b.effective({.signal = 0}), {0.3, 1}}}, "shaker");
  int last = support;
  for (int k = 0; k < 3; ++k) {
    const int p = b.slot(fmt::format("p{}", k), SlotKind::point, array{1.0 + k, 0.1 * k});
    b.item<PointMass2d>({p}, {.m = 0.5}, "mass", 0.2);
    b.item<SpringDamper2d>({last, p}, {.stiffness = 80.0, .damping = 0.3, .free_length = 0.9}, "spring");
    last = p;
  }
  add_mass(b, support, 0.7);
  add_force(b, last, 1, 0.5, b.effective({.signal = 1}));
  add_gravity(b, 0, -9.81);
  return b.build();
}

TEST(RungeKutta, AccountsForAllWork) {
  Simulation<double> s(springs());
  RungeKutta integrator(s.system, {.relative = 1e-11, .absolute_q = 1e-12, .absolute_v = 1e-11});
  ASSERT_TRUE(integrator.start(s.state));
  const auto energy = [&] {
    return s.system.assembler.kinetic_energy(s.state.v.data()) +
           s.system.assembler.potential_energy(s.state.t, s.state.q.data());
  };
  const double before = energy();
  ASSERT_TRUE(integrator.advance(s.state, 2).converged);
  const EnergyAccount<double>& e = s.state.energy;
  for (double work : {e.gravity, e.loads, e.prescribed, e.dissipated}) EXPECT_GT(std::fabs(work), 0.05);
  EXPECT_NEAR(energy() - before, e.gravity + e.loads + e.prescribed - e.dissipated, 1e-8);
}

TEST(RungeKutta, ControlsItsError) {
  const auto end = [](double tolerance, const ButcherTableau& method, RungeKuttaReport& report) {
    Simulation<double> s(springs());
    RungeKutta integrator(s.system,
                          {.method = &method, .relative = tolerance, .absolute_q = tolerance, .absolute_v = tolerance});
    EXPECT_TRUE(integrator.start(s.state));
    report = integrator.advance(s.state, 2);
    EXPECT_TRUE(report.converged);
    return s.state.q;
  };
  RungeKuttaReport report;
  const std::vector<double> exact = end(1e-13, dormand_prince_8, report);
  for (const ButcherTableau* method : {&dormand_prince_5, &dormand_prince_8})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const std::vector<double> q = end(tolerance, *method, report);
      double worst = 0;
      for (size_t i = 0; i < q.size(); ++i) worst = std::max(worst, std::fabs(q[i] - exact[i]));
      EXPECT_LE(worst, 30 * tolerance) << method->order << " " << tolerance;
      EXPECT_GE(worst, 1e-4 * tolerance) << "no wasted accuracy";
      EXPECT_LE(report.rejected, 3 + report.accepted / 4);
    }
}

// The algorithm's memory is forgotten at checkpoints, so a copy of the state goes on with the same bits.
TEST(RungeKutta, ResumesWithTheSameBits) {
  const Model model = springs();
  std::vector<State<double>> saved;
  Simulation<double> s(model);
  RungeKutta integrator(s.system, {});
  ASSERT_TRUE(integrator.start(s.state));
  for (int k = 1; k <= 8; ++k) {
    ASSERT_TRUE(integrator.advance(s.state, 0.05 * k).converged);
    integrator.reset();
    saved.push_back(s.state);
  }
  for (int from = 0; from < 7; ++from) {
    Simulation<double> resumed(model);
    RungeKutta other(resumed.system, {});
    resumed.state = saved[from];
    for (int k = from + 2; k <= 8; ++k) {
      ASSERT_TRUE(other.advance(resumed.state, 0.05 * k).converged);
      other.reset();
    }
    EXPECT_EQ(resumed.state.q, s.state.q);
    EXPECT_EQ(resumed.state.v, s.state.v);
    EXPECT_EQ(resumed.state.a, s.state.a);
    EXPECT_EQ(resumed.state.energy.dissipated, s.state.energy.dissipated);
  }
}

TEST(RungeKutta, TakesNoHeapInSteps) {
  for (int constrained = 0; constrained < 2; ++constrained) {
    Simulation<double> s(constrained ? pendulum().model : springs());
    RungeKutta integrator(s.system, {});
    ASSERT_TRUE(integrator.start(s.state));
    ASSERT_TRUE(integrator.advance(s.state, 0.1).converged);
    const long before = allocations();
    ASSERT_TRUE(integrator.advance(s.state, 0.5).converged);
    integrator.reset();
    ASSERT_TRUE(integrator.step(s.state, 0.501).converged);
    EXPECT_FALSE(integrator.step(s.state, 1e200).converged);
    EXPECT_EQ(allocations() - before, 0);
  }
}

TEST(RungeKutta, LeavesTheStateOfTheLastGoodStepWhenItFails) {
  Simulation<double> s(pendulum().model);
  RungeKutta integrator(s.system, {.relative = 1e-10, .h_min = 0.2, .max_steps = 100});
  ASSERT_TRUE(integrator.start(s.state));
  const State<double> before = s.state;
  const RungeKuttaReport report = integrator.advance(s.state, 5);
  EXPECT_FALSE(report.converged);
  EXPECT_GT(report.error, 1);
  EXPECT_EQ(s.state.q, before.q);
  EXPECT_EQ(s.state.v, before.v);
  EXPECT_EQ(s.state.t, 0);
}

}  // namespace
}  // namespace flexura::test
