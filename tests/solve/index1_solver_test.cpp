// The Schur complement of the constraints on a mass matrix that is factored once, against the factor of the whole matrix.

#include "flexura/solve/index1_solver.hpp"

#include <gtest/gtest.h>

#include "flexura/constraint/distance.hpp"
#include "flexura/load/spring_damper.hpp"
#include "tests/support/andrews.hpp"
#include "tests/support/count_allocations.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/mechanism_chains.hpp"

namespace flexura::test {
namespace {

using std::array;

double largest(const std::vector<double>& x) {
  double out = 0;
  for (double xi : x) out = std::max(out, std::fabs(xi));
  return out;
}

/// Worst difference of accelerations and multipliers, relative to the largest of each.
void expect_the_same(const Model& model, const DriftControl& control = {}) {
  Simulation<double> a(model), b(model);
  Index1Solver schur(a.system, Index1Method::schur), whole(b.system, Index1Method::whole);
  ASSERT_TRUE(schur.uses_schur());
  ASSERT_FALSE(whole.uses_schur());
  for (size_t i = 0; i < a.state.v.size(); ++i) a.state.v[i] += 0.3 * std::sin(1.3 * static_cast<double>(i));
  b.state.v = a.state.v;
  ASSERT_TRUE(schur.accelerations(a.state, control));
  ASSERT_TRUE(whole.accelerations(b.state, control));
  const int n = model.topology->ncoord, ny = model.topology->ny;
  const double size = std::max(largest(b.state.a), 1e-6);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(a.state.a[i], b.state.a[i], 1e-10 * size) << i;
  double multipliers = 1e-6;
  for (int i = n; i < ny; ++i) multipliers = std::max(multipliers, std::fabs(b.state.q[i]));
  for (int i = n; i < ny; ++i) EXPECT_NEAR(a.state.q[i], b.state.q[i], 1e-9 * multipliers) << i;
  // Φ̈ = −U.
  const auto& m = schur.motion(a.state);
  for (int row : schur.rows()) EXPECT_NEAR(m.second[row], -control(m.phi[row], m.rate[row]), 1e-8 * size) << row;
}

TEST(Index1Solver, HasTheAccelerationsOfTheWholeMatrix) {
  expect_the_same(andrews().model);
  expect_the_same(planar_chain(7));
  expect_the_same(spatial_chain(5, SpatialJoint::spherical));
  expect_the_same(spatial_chain(5, SpatialJoint::hinge));
  expect_the_same(linkage());
  expect_the_same(linkage(), DriftControl(BaumgarteOptions{5, 12}));
  expect_the_same(linkage(), DriftControl(FuzzyOptions{}));
}

/// Driven, welded, damped, with a lag and a rod.
Model machine() {
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  signals->add("pump", SineSignal{.amplitude = 1, .frequency = 3});
  EXPECT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const Section section{.EA = 2000, .EI = 0.02, .rhoA = 0.2, .stretch_retardation = 1e-3, .bend_retardation = 2e-3};
  const Cable c = add_cable(b, 6, {.length = 0.6}, section, material_green, 0.5);
  b.prescribe(c.r[0], {{b.effective({.signal = 0}), {0, 0.02}}}, "motion");
  b.fix(c.g[0], "joint.clamp");
  add_gravity(b, 0, -9.81);
  const int inside = b.combination("inside", SlotKind::point,
                                   {2, {{c.r[1], {.5, .2, 0, .5}}, {c.r[2], {.5, 0, 0, .5}}}, {}, {}}, "place");
  add_mass(b, inside, 0.05);
  b.item<Distance2d>({c.r[0], c.r[2], b.multiplier("rod")}, {.length = 0.2}, "rod");
  return b.build();
}

TEST(Index1Solver, HasTheAccelerationsOfPartsThatAreDrivenAndWelded) { expect_the_same(machine()); }

// Where points are turned into each other x and y share mass; elsewhere they are factored in lanes of their own.
TEST(ConstantMass, IsFactoredByAxesWhereItCanBe) {
  const auto by_axes = [](const Model& m) {
    Simulation<double> s(m);
    return ConstantMass(s.system).by_axes();
  };
  EXPECT_TRUE(by_axes(planar_chain(4)));
  EXPECT_TRUE(by_axes(spatial_chain(4, SpatialJoint::spherical)));
  EXPECT_FALSE(by_axes(machine()));
}

TEST(ConstantMass, SolvesWhatTheAssemblerMultiplies) {
  for (const Model& m : {planar_chain(9), spatial_chain(6, SpatialJoint::hinge), machine(), andrews().model}) {
    Simulation<double> s(m);
    ConstantMass mass(s.system);
    ASSERT_TRUE(mass.regular());
    const int n = m.topology->ncoord;
    // f = M̃ x with dependents that move with x alone: drives stand still at t = 0 as far as accelerations go.
    std::vector<double> x(m.topology->nq, 0.0), zero(m.topology->nq, 0.0);
    for (int i = 0; i < n; ++i) x[i] = std::sin(0.7 * i + 0.2);
    std::vector<double> v = zero, q = zero, with(s.system.assembler.residual_size(), 0.0), without = with;
    std::vector<double> a = x, none = zero;
    s.system.assembler.expand(q.data(), v.data(), a.data());
    s.system.assembler.expand(q.data(), v.data(), none.data());
    s.system.assembler.subtract_mass_times(a.data(), -1.0, with.data());
    s.system.assembler.subtract_mass_times(none.data(), -1.0, without.data());
    s.system.assembler.reduce(with.data());
    s.system.assembler.reduce(without.data());
    std::vector<double> f(n);
    for (int i = 0; i < n; ++i) f[i] = with[i] - without[i];
    mass.solve(f);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(f[i], x[i], 1e-11) << i;
  }
}

TEST(ConstantMass, SaysWhereMassIsMissing) {
  ModelBuilder b(2);
  const int p = b.slot("p", SlotKind::point, array{0.0, 0.0}), q = b.slot("q", SlotKind::point, array{1.0, 0.0});
  add_mass(b, p, 1);
  b.item<SpringDamper2d>({p, q}, {.stiffness = 1.0, .free_length = 1.0}, "spring");
  Simulation<double> s(b.build());
  EXPECT_FALSE(ConstantMass(s.system).regular());
  EXPECT_FALSE(Index1Solver(s.system, Index1Method::schur).uses_schur());
}

// Two equal rods: one of them is set aside, and accelerations are those of one.
TEST(Index1Solver, SetsRedundantRowsAside) {
  const auto pendulum = [](int rods) {
    ModelBuilder b(2);
    const int ground = b.slot("ground", SlotKind::point, array{0.0, 0.0});
    const int p = b.slot("mass", SlotKind::point, array{0.6, -0.8});
    b.fix(ground, "joint.ground");
    add_mass(b, p, 1);
    for (int i = 0; i < rods; ++i)
      b.item<Distance2d>({ground, p, b.multiplier(fmt::format("rod{}", i))}, {.length = 1.0}, "joint.rod");
    add_gravity(b, 0, -9.81);
    return b.build();
  };
  Simulation<double> one(pendulum(1)), two(pendulum(2));
  Index1Solver first(one.system, Index1Method::schur), second(two.system, Index1Method::schur);
  ASSERT_TRUE(first.accelerations(one.state, {}));
  ASSERT_TRUE(second.accelerations(two.state, {}));
  EXPECT_TRUE(first.redundant().empty());
  ASSERT_EQ(second.redundant().size(), 1u);
  EXPECT_EQ(two.state.q[second.redundant()[0]], 0);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(one.state.a[i], two.state.a[i], 1e-13);
}

TEST(Index1Solver, TakesNoHeap) {
  for (const Model& m : {machine(), spatial_chain(5, SpatialJoint::spherical)})
    for (Index1Method method : {Index1Method::schur, Index1Method::whole}) {
      Simulation<double> s(m);
      Index1Solver solver(s.system, method);
      const DriftControl fuzzy(FuzzyOptions{.inference = FuzzyOptions::Inference::mamdani});
      ASSERT_TRUE(solver.accelerations(s.state, {}));
      const long before = allocations();
      ASSERT_TRUE(solver.accelerations(s.state, fuzzy));
      EXPECT_EQ(allocations() - before, 0);
    }
}

}  // namespace
}  // namespace flexura::test
