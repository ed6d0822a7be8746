// The energy–momentum method: what it keeps, its order, that it runs backwards, and its energy account.

#include "flexura/integrate/energy_momentum.hpp"

#include <gtest/gtest.h>

#include "flexura/body/point_mass.hpp"
#include "flexura/constraint/distance.hpp"
#include "flexura/load/spring_damper.hpp"
#include "flexura/solve/constraints.hpp"
#include "tests/support/count_allocations.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

using std::array;

Simulation<double> ready(Model model) {
  const AssemblerOptions options = EnergyMomentum::needs(*model.topology);
  return Simulation<double>(std::move(model), options);
}

double energy(Simulation<double>& s) {
  return s.system.assembler.kinetic_energy(s.state.v.data()) +
         s.system.assembler.potential_energy(s.state.t, s.state.q.data());
}
double balance(Simulation<double>& s) {
  const EnergyAccount<double>& e = s.state.energy;
  return energy(s) - (e.gravity + e.loads + e.prescribed - e.dissipated);
}

/// (p_x, p_y, L) = Σ m_ab (v, r × v) over all coordinates; vectors have no momentum of their own but turn.
array<double, 3> momenta(Simulation<double>& s) {
  const Topology& t = *s.model.topology;
  std::vector<double> p(t.nq, 0.0);
  s.system.assembler.subtract_mass_times(s.state.v.data(), -1.0, p.data());
  array<double, 3> out{};
  for (const Slot& slot : t.slots) {
    if (slot.size != 2) continue;
    const double *q = &s.state.q[slot.offset], *f = &p[slot.offset];
    if (slot.kind == SlotKind::point) out[0] += f[0], out[1] += f[1];
    out[2] += q[0] * f[1] - q[1] * f[0];
  }
  return out;
}

/// Three masses on two rods, the last on a spring; thrown, nothing holds it.
struct Chain {
  array<int, 4> p;
  Model model;
};
Chain thrown_chain() {
  ModelBuilder b(2);
  Chain c{};
  const array<array<double, 2>, 4> at{{{0, 0}, {1, 0}, {1.6, 0.8}, {2.4, 0.8}}},
      v{{{0.3, -1}, {0.3, 1.2}, {0, 0}, {-1, 0.4}}};
  for (int i = 0; i < 4; ++i) {
    c.p[i] = b.slot(fmt::format("p{}", i), SlotKind::point, at[i]);
    b.set_initial(c.p[i], at[i], v[i]);
    add_mass(b, c.p[i], 1 + 0.3 * i);
  }
  for (int i = 0; i < 2; ++i)
    b.item<Distance2d>({c.p[i], c.p[i + 1], b.multiplier(fmt::format("rod{}", i))}, {.length = 1.0}, "rod");
  b.item<SpringDamper2d>({c.p[2], c.p[3]}, {.stiffness = 50.0, .free_length = 0.7}, "spring");
  c.model = b.build();
  return c;
}

// Newton stops at 1e-12 of the forces; random rounding over 10⁵ steps leaves less than 1e-10.
TEST(EnergyMomentum, KeepsEnergyAndMomentaOfAMechanismOverManySteps) {
  Simulation<double> s = ready(thrown_chain().model);
  Constraints(s.system).project_velocities(s.state);
  EnergyMomentum integrator(s.system);
  EXPECT_TRUE(integrator.start(s.state));
  const double before = energy(s);
  const array<double, 3> momentum = momenta(s);
  double drift = 0, change[3] = {};
  for (int k = 1; k <= 100000; ++k) {
    ASSERT_TRUE(integrator.step(s.state, 5e-3 * k).converged) << k;
    drift = std::max(drift, std::fabs(energy(s) / before - 1));
    if (k % 100 > 0) continue;
    const array<double, 3> now = momenta(s);
    for (int i = 0; i < 3; ++i) change[i] = std::max(change[i], std::fabs(now[i] - momentum[i]));
  }
  RecordProperty("drift", fmt::format("{:.1e}; momenta {:.1e} {:.1e} {:.1e}", drift, change[0], change[1], change[2]));
  EXPECT_LE(drift, 1e-10);
  for (double x : change) EXPECT_LE(x, 1e-9);
}

// Steps twenty times longer than the period of stretching: the account closes all the same.
TEST(EnergyMomentum, KeepsEnergyAndMomentaOfAFreeCable) {
  for (const CableOptions& options : {material_green, material_engineering,
                                      CableOptions{.curvature = AncfCable2d::Curvature::geometric}, simplified_chord}) {
    ModelBuilder b(2);
    const Cable c = add_cable(b, 5, {.length = 1, .curvature = 0.8}, {.EA = 500, .EI = 0.02, .rhoA = 0.2}, options);
    for (int i = 0; i <= 5; ++i) {
      const std::vector<double> X(b.reference(c.r[i]).begin(), b.reference(c.r[i]).end());
      b.set_initial(c.r[i], X, array{-3 * X[1] + 0.4, 3 * X[0] + 0.5 * X[0] * X[0]});
    }
    Simulation<double> s = ready(b.build());
    EnergyMomentum integrator(s.system);
    EXPECT_TRUE(integrator.start(s.state));
    const double before = energy(s), stored = s.system.assembler.potential_energy(0, s.state.q.data());
    const array<double, 3> momentum = momenta(s);
    double drift = 0, most_stored = 0;
    for (int k = 1; k <= 2000; ++k) {
      ASSERT_TRUE(integrator.step(s.state, 2e-3 * k).converged) << k;
      drift = std::max(drift, std::fabs(energy(s) / before - 1));
      most_stored = std::max(most_stored, s.system.assembler.potential_energy(0, s.state.q.data()) - stored);
    }
    const array<double, 3> now = momenta(s);
    EXPECT_GT(most_stored, 0.005 * before) << "the cable bends and stretches";
    EXPECT_LE(drift, 1e-10) << static_cast<int>(options.curvature) << static_cast<int>(options.axial);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(now[i], momentum[i], 1e-10) << i;
  }
}

/// Everything that works: gravity, a load, a driven support with mass, dampers, a rod.
Model driven() {
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  signals->add("shake", SineSignal{.amplitude = 0.1, .frequency = 1.5});
  signals->add("push", SineSignal{.amplitude = 2, .frequency = 0.7});
  EXPECT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const int support = b.slot("support", SlotKind::point, array{0.0, 0.0});
  b.prescribe(support, {{b.effective({.signal = 0}), {0.3, 1}}}, "shaker");
  add_mass(b, support, 0.7);
  const Section section{.EA = 200, .EI = 0.05, .rhoA = 0.3, .stretch_retardation = 1e-3, .bend_retardation = 4e-3};
  const Cable c = add_cable(b, 3, {.length = 0.9}, section, material_damped, 0.3);
  b.equate(c.r[0], {2, {{support, {1, 0, 0, 1}}}, {}, {}}, "pin");
  const int p = b.slot("p", SlotKind::point, array{1.4, 0.2});
  b.item<PointMass2d>({p}, {.m = 0.5}, "mass", 0.2);
  b.item<SpringDamper2d>({c.tip(), p}, {.stiffness = 30.0, .damping = 0.4, .free_length = 0.5}, "spring");
  const int end = b.slot("end", SlotKind::point, array{1.4, -0.5});
  add_mass(b, end, 0.3);
  b.item<Distance2d>({p, end, b.multiplier("rod")}, {.length = 0.7}, "rod");
  add_force(b, end, 1, 0.5, b.effective({.signal = 1}));
  add_gravity(b, 0, -9.81);
  return b.build();
}

TEST(EnergyMomentum, AccountsForAllWorkExactly) {
  Simulation<double> s = ready(driven());
  EnergyMomentum integrator(s.system);
  EXPECT_TRUE(integrator.start(s.state));
  const double before = energy(s);
  for (int k = 1; k <= 400; ++k) {
    ASSERT_TRUE(integrator.step(s.state, 5e-3 * k).converged) << k;
    EXPECT_NEAR(balance(s), before, 1e-9) << k;
  }
  const EnergyAccount<double>& e = s.state.energy;
  for (double work : {e.gravity, e.loads, e.prescribed, e.dissipated}) EXPECT_GT(std::fabs(work), 0.05);
}

TEST(EnergyMomentum, IsSecondOrder) {
  const auto end = [](int steps) {
    Simulation<double> s = ready(driven());
    EnergyMomentum integrator(s.system);
    EXPECT_TRUE(integrator.start(s.state));
    for (int k = 1; k <= steps; ++k) EXPECT_TRUE(integrator.step(s.state, 0.4 * k / steps).converged);
    return s.state;
  };
  const State<double> coarse = end(200), middle = end(400), fine = end(800);
  double q[2] = {}, v[2] = {};
  for (size_t i = 0; i < fine.q.size(); ++i) {
    if (fine.v[i] == 0) continue;  // multipliers
    q[0] = std::max(q[0], std::fabs(coarse.q[i] - middle.q[i])),
    q[1] = std::max(q[1], std::fabs(middle.q[i] - fine.q[i]));
    v[0] = std::max(v[0], std::fabs(coarse.v[i] - middle.v[i])),
    v[1] = std::max(v[1], std::fabs(middle.v[i] - fine.v[i]));
  }
  RecordProperty("order", fmt::format("{:.2f} {:.2f}", std::log2(q[0] / q[1]), std::log2(v[0] / v[1])));
  EXPECT_NEAR(std::log2(q[0] / q[1]), 2, 0.2);
  EXPECT_NEAR(std::log2(v[0] / v[1]), 2, 0.2);
}

TEST(EnergyMomentum, RunsBackwards) {
  Simulation<double> s = ready(thrown_chain().model);
  Constraints(s.system).project_velocities(s.state);
  EnergyMomentum integrator(s.system);
  EXPECT_TRUE(integrator.start(s.state));
  const State<double> before = s.state;
  const auto run = [&] {
    const double from = s.state.t;
    for (int k = 1; k <= 200; ++k) ASSERT_TRUE(integrator.step(s.state, from + 0.01 * k).converged);
  };
  run();
  for (double& v : s.state.v) v = -v;
  run();
  for (int i = 0; i < s.model.topology->ncoord; ++i) {
    EXPECT_NEAR(s.state.q[i], before.q[i], 1e-9);
    EXPECT_NEAR(s.state.v[i], -before.v[i], 1e-9);
  }
}

TEST(EnergyMomentum, ResumesWithTheSameBits) {
  const Model model = driven();
  std::vector<State<double>> saved;
  State<double> last;
  for (int from = -1; from < 5; ++from) {
    Simulation<double> s = ready(model);
    EnergyMomentum integrator(s.system);
    EXPECT_TRUE(integrator.start(s.state));
    if (from >= 0) s.state = saved[from];
    for (int k = from + 2; k <= 6; ++k) {
      ASSERT_TRUE(integrator.step(s.state, 5e-3 * k).converged);
      integrator.reset();
      if (from < 0) saved.push_back(s.state);
    }
    if (from < 0) last = s.state;
    EXPECT_EQ(s.state.q, last.q);
    EXPECT_EQ(s.state.v, last.v);
    EXPECT_EQ(s.state.energy.prescribed, last.energy.prescribed);
  }
}

TEST(EnergyMomentum, TakesNoHeapAndRestoresTheStateWhenItFails) {
  Simulation<double> s = ready(driven());
  EnergyMomentum integrator(s.system);
  EXPECT_TRUE(integrator.start(s.state));
  for (int k = 1; k <= 3; ++k) ASSERT_TRUE(integrator.step(s.state, 5e-3 * k).converged);
  const State<double> before = s.state;
  const long used = allocations();
  integrator.newton().options().max_iterations = 1;
  EXPECT_FALSE(integrator.step(s.state, 0.3).converged);
  EXPECT_EQ(s.state.t, before.t);
  integrator.newton().options().max_iterations = 25;
  EXPECT_EQ(allocations() - used, 0);
  EXPECT_EQ(s.state.q, before.q);
  EXPECT_EQ(s.state.v, before.v);
  EXPECT_EQ(s.state.a, before.a);
  const long again = allocations();
  for (int k = 4; k <= 60; ++k) ASSERT_TRUE(integrator.step(s.state, 5e-3 * k).converged);
  EXPECT_EQ(allocations() - again, 0);
}

}  // namespace
}  // namespace flexura::test
