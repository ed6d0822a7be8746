// Sums over items: reactions, chunks, threads, mass and weight.

#include "flexura/assembly/assembler.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "flexura/assembly/make_batch.hpp"
#include "flexura/constraint/distance.hpp"
#include "flexura/load/spring_damper.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using std::array;

struct Numbers {
  std::vector<double> r, k;
};
/// Residual and tangent through the solver's own layout.
Numbers numbers(const Model& m, const AssemblerOptions& options) {
  Simulation<double> s(m, options);
  Random random(7);
  for (int i = 0; i < m.topology->ny; ++i) s.state.q[i] += random.uniform(-0.01, 0.01);
  for (int i = 0; i < m.topology->ncoord; ++i) s.state.v[i] = random.uniform(-1, 1);
  Assembler<double>& a = s.system.assembler;
  a.expand(s.state.q.data(), s.state.v.data(), s.state.a.data());
  Numbers out{std::vector<double>(a.residual_size()), std::vector<double>(s.system.solver.value_count())};
  for (int repeat = 0; repeat < 3; ++repeat) {  // private cells must be cleared in between
    a.residual(0, s.state.q.data(), s.state.v.data(), out.r.data());
    a.reduce(out.r.data());
    a.tangent(0, s.state.q.data(), s.state.v.data(), 0.8, 1.1, out.k.data());
  }
  out.r.resize(m.topology->nq);
  return out;
}
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Hundreds of elements with masses, forces, rods, dampers and a place inside an element: many chunks and batches.
Model large_machine(int elements, bool unsymmetric) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, elements, {.length = elements * 0.01, .curvature = 0.05}, {});
  const Cable d =
      add_cable(b, elements / 2, {.length = elements * 0.01, .curvature = 0.05, .y = 0.5}, {}, simplified_chord);
  clamp(b, c);
  add_gravity(b, 0, -9.81);
  for (int i = 3; i < elements; i += 5) {
    add_mass(b, c.r[i], 1e-3 * i);
    add_force(b, c.r[i], 0.1 * i, -0.2);
    if (unsymmetric)
      b.item<SpringDamper2d>({c.r[i], d.r[i / 2]}, {.stiffness = 50.0 + i, .damping = 0.3, .free_length = 0.4},
                             "spring");
  }
  for (int i = 0; i + 7 < elements; i += 40) {
    const int lambda = b.multiplier("rod");
    b.item<Distance2d>({c.r[i], c.r[i + 7], lambda}, {.length = 0.07}, "rod");
  }
  b.equate(d.r[0], {2, {{c.r[1], {0.5, 0, 0, 0.5}}, {c.r[2], {0.5, 0, 0, 0.5}}}, {0, 0.5}, {}}, "joint.weld");
  return b.build();
}

TEST(Assembler, BitsDoNotDependOnThreadsOrLanes) {
  for (bool unsymmetric : {false, true}) {
    const Model m = large_machine(700, unsymmetric);
    ASSERT_GT(m.topology->chunks, 4) << "the model is cut into pieces";
    const Numbers one = numbers(m, {.threads = 1});
    for (int threads : {1, 2, 3})
      for (bool alone : {true, false}) {
        const Numbers other = numbers(m, {.threads = threads, .make_batch = alone ? make_batch_alone : nullptr});
        EXPECT_TRUE(same_bits(one.r, other.r)) << threads << " threads, " << (alone ? "alone" : "in lanes");
        EXPECT_TRUE(same_bits(one.k, other.k)) << threads << " threads, " << (alone ? "alone" : "in lanes");
      }
  }
}

// The same machine in one chunk: the order of sums differs, so rounding may; nothing else.
TEST(Assembler, ChunksAddUpToTheWhole) {
  const Model cut = large_machine(700, true);
  auto whole = std::make_shared<Topology>(*cut.topology);
  whole->chunks = 1;
  const Numbers a = numbers(cut, {}), b = numbers({whole, cut.values}, {});
  double r = 0, k = 0;
  for (double x : a.r) r = std::max(r, std::fabs(x));
  for (double x : a.k) k = std::max(k, std::fabs(x));
  for (size_t i = 0; i < a.r.size(); ++i) EXPECT_NEAR(a.r[i], b.r[i], 1e-13 * r);
  for (size_t i = 0; i < a.k.size(); ++i) EXPECT_NEAR(a.k[i], b.k[i], 1e-13 * k);
}

TEST(Assembler, TangentOfAChunkedModelIsThatOfItsParts) {
  const Model cut = large_machine(200, true);
  auto pieces = std::make_shared<Topology>(*cut.topology);
  pieces->chunks = 13;
  Dense<double> one(cut), many({pieces, cut.values});
  Random random(8);
  std::vector<double> q = one.assembler.initial_q(), v(q.size(), 0.0), a(q.size(), 0.0);
  for (double& x : q) x += random.uniform(-0.01, 0.01);
  one.assembler.expand(q.data(), v.data(), a.data());
  const std::vector<double> k1 = one.tangent(q, v, 1, 1), k2 = many.tangent(q, v, 1, 1);
  double size = 0;
  for (double x : k1) size = std::max(size, std::fabs(x));
  for (size_t i = 0; i < k1.size(); ++i) ASSERT_NEAR(k1[i], k2[i], 1e-13 * size);
}

// A straight horizontal cable at rest: each fixed slot carries its share of the weight, together all of it.
TEST(Assembler, ForcesOfFixedSlotsAreMinusTheReactions) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, 4, {.length = 2}, {.rhoA = 0.5});
  add_mass(b, c.tip(), 0.3);
  add_gravity(b, 0, -10);
  for (int i = 0; i < 5; ++i) b.fix(c.r[i], "joint.hold"), b.fix(c.g[i], "joint.hold");
  const Model m = b.build();
  EXPECT_EQ(m.topology->ny, 0);
  Dense<double> d(m);
  d.assembler.set_signals(std::vector<SignalValue>(m.topology->signals.size(), {1, 0, 0}));
  const std::vector<double> q = d.assembler.initial_q(), v(q.size(), 0.0), r = d.residual(q, v);
  double sum = 0;
  for (int slot : c.r) sum += r[m.topology->slots[slot].offset + 1];
  EXPECT_NEAR(sum, -10 * (0.5 * 2 + 0.3), 1e-12);
  EXPECT_NEAR(d.assembler.total_mass(), 1.3, 1e-14);
  // A beam with both gradients held: l/2 of the load at each end, ± ρA g l²/12 on the gradients [consistent loads].
  EXPECT_NEAR(r[m.topology->slots[c.r[0]].offset + 1], -10 * 0.5 * 0.25, 1e-13);
  EXPECT_NEAR(r[m.topology->slots[c.g[0]].offset + 1], -10 * 0.5 * 0.25 / 12, 1e-13);
}

TEST(Assembler, GravityOnADependentPointReachesItsMasters) {
  ModelBuilder b(2);
  const int p = b.slot("p", SlotKind::point, array{0.0, 0.0}), r = b.slot("r", SlotKind::point, array{1.0, 0.0});
  const int between = b.combination("between", SlotKind::point,
                                    {2, {{p, {0.25, 0, 0, 0.25}}, {r, {0.75, 0, 0, 0.75}}}, {}, {}}, "place");
  add_mass(b, between, 4);
  add_gravity(b, 0, -10);
  const Model m = b.build();
  Dense<double> d(m);
  d.assembler.set_signals(std::vector<SignalValue>(m.topology->signals.size(), {1, 0, 0}));
  const std::vector<double> q = d.assembler.initial_q(), v(q.size(), 0.0);
  const std::vector<double> f = d.reduced_residual(q, v);
  EXPECT_EQ(f[m.topology->slots[p].offset + 1], -10);
  EXPECT_EQ(f[m.topology->slots[r].offset + 1], -30);
}

// Gravity follows its signal, and fields add up.
TEST(Assembler, GravityFollowsSignals) {
  ModelBuilder b(2);
  const int p = b.slot("p", SlotKind::point, array{0.0, 0.0});
  add_mass(b, p, 2);
  b.gravity(array{0.0, -10.0}, b.effective({.signal = 0}));
  b.gravity(array{1.0, 0.0}, b.effective({.signal = 1}));
  const Model m = b.build();
  Dense<double> d(m);
  const SignalValue signals[] = {{0.5, 0, 0}, {3, 0, 0}};
  d.assembler.set_signals(signals);
  const std::vector<double> r = d.residual({0, 0}, {0, 0});
  EXPECT_EQ(r[0], 6);
  EXPECT_EQ(r[1], -10);
}

TEST(Assembler, RolesAddUpToTheResidual) {
  const Model m = large_machine(50, true);
  Dense<double> d(m);
  d.assembler.set_signals(std::vector<SignalValue>(m.topology->signals.size(), {1, 0, 0}));
  Random random(9);
  std::vector<double> q = d.assembler.initial_q(), v(q.size());
  for (double& x : q) x += random.uniform(-0.01, 0.01);
  for (double& x : v) x = random.uniform(-1, 1);
  const std::vector<double> r = d.residual(q, v);
  std::vector<double> sum(d.nq, 0.0), part(d.assembler.residual_size());
  double size = 0;
  for (Role role : {Role::conservative, Role::load, Role::dissipative, Role::constraint}) {
    d.assembler.forces_of(role, 0, q.data(), v.data(), part.data());
    for (int i = 0; i < d.nq; ++i) sum[i] += part[i], size = std::max(size, std::fabs(part[i]));
  }
  for (int i = 0; i < d.nq; ++i) EXPECT_NEAR(sum[i], r[i], 1e-13 * size);
}

// ½ vᵀ C v·2 with C = α M: mass-proportional damping loses 2 α times the kinetic energy per second.
TEST(Assembler, MassProportionalDampingLosesTwiceAlphaTimesTheKineticEnergy) {
  ModelBuilder b(2);
  add_cable(b, 3, {}, {}, material_green, 2.4);
  const Model m = b.build();
  Dense<double> d(m);
  Random random(10);
  std::vector<double> q = d.assembler.initial_q(), v(q.size());
  for (double& x : v) x = random.uniform(-1, 1);
  const double kinetic = d.assembler.kinetic_energy(v.data());
  EXPECT_GT(kinetic, 0.01);
  EXPECT_NEAR(d.assembler.dissipation(0, q.data(), v.data()), 2.4 * 2 * kinetic, 1e-14);
}

TEST(Assembler, AnUnsymmetricModelRefusesOneTriangle) {
  const Model m = large_machine(8, true);
  EXPECT_THROW(Dense<double>(m, {}, true), std::logic_error);
}

}  // namespace
}  // namespace flexura::test
