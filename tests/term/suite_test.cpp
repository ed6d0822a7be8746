// The standard suite: claims that hold for every registered term and all of its options. A term joins by being listed
// in terms.def; nothing here knows one by name except where it says why.

#include <gtest/gtest.h>

#include <cstring>

#include "tests/support/dense.hpp"
#include "tests/support/term_sample.hpp"

namespace flexura::test {
namespace {

using D = Dual<double>;

/// One or more items of a case with a configuration: coordinates, velocities and signals.
struct Setting {
  Model model;
  std::vector<double> q, v;
  std::vector<SignalValue> signals;
};

Setting setting(const TermCase& c, const std::vector<ItemNumbers>& items, Random& random, double size = 0.25) {
  Setting s{model_of(c, items), {}, {}, {}};
  s.q.assign(s.model.topology->nq, 0.0);
  s.v.assign(s.model.topology->nq, 0.0);
  for (size_t n = 0; n < items.size(); ++n) {
    const std::vector<double> x = near_reference(items[n], size, random);
    const std::vector<int> at = local_places(s.model, static_cast<int>(n));
    for (size_t i = 0; i < at.size(); ++i) {
      s.q[at[i]] = x[i];
      s.v[at[i]] = random.uniform(-2, 2);
    }
  }
  for (size_t k = 0; k < s.model.topology->signals.size(); ++k)
    s.signals.push_back({random.uniform(0.5, 2), random.uniform(-1, 1), random.uniform(-1, 1)});
  return s;
}

std::vector<ItemNumbers> random_items(const TermCase& c, int count, Random& random) {
  std::vector<ItemNumbers> items;
  for (int n = 0; n < count; ++n) items.push_back(random_item(*c.type, random));
  return items;
}

template <class S>
Dense<S> dense(const Setting& s, const AssemblerOptions& options = {}, bool symmetric = false) {
  return Dense<S>(s.model, options, symmetric);
}

double largest(const std::vector<double>& x) {
  double out = 0;
  for (double xi : x) out = std::max(out, std::fabs(xi));
  return out;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// All numbers that a model of one batch can produce, one after the other.
std::vector<double> everything(const Setting& s, const AssemblerOptions& options) {
  Dense<double> d(s.model, options);
  d.assembler.set_signals(s.signals);
  std::vector<double> out = d.residual(s.q, s.v);
  const std::vector<double> k = d.tangent(s.q, s.v, 0.7, 1.3);
  out.insert(out.end(), k.begin(), k.end());
  std::vector<double> mv(d.nq, 0.0);
  d.assembler.subtract_mass_times(s.v.data(), 1.0, mv.data());
  out.insert(out.end(), mv.begin(), mv.end());
  out.push_back(d.assembler.potential_energy(0, s.q.data()));
  out.push_back(d.assembler.dissipation(0, s.q.data(), s.v.data()));
  out.push_back(d.assembler.kinetic_energy(s.v.data()));
  return out;
}

// ── Rigid motions ────────────────────────────────────────────────────────────────────────────────────────────────────

struct Rotation {
  double r[3][3];
};
Rotation random_rotation(int dim, Random& random) {
  double axis[3] = {0, 0, 1};
  if (dim == 3)
    for (double& x : axis) x = random.uniform(-1, 1);
  const double n = std::hypot(axis[0], axis[1], axis[2]), angle = random.uniform(0.5, 5.5);
  const double c = std::cos(angle), s = std::sin(angle);
  Rotation out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double e = i == j ? 0.0 : ((j - i + 3) % 3 == 1 ? -1.0 : 1.0) * axis[3 - i - j] / n;
      out.r[i][j] = c * (i == j) + (1 - c) * axis[i] * axis[j] / (n * n) + s * e;
    }
  return out;
}

/// x turned, and its points moved.
std::vector<double> moved(const Topology& t, const std::vector<double>& x, const Rotation& r, const double* shift) {
  std::vector<double> out = x;
  for (const Slot& slot : t.slots) {
    if (slot.kind == SlotKind::scalar) continue;
    for (int i = 0; i < t.dim; ++i) {
      out[slot.offset + i] = slot.kind == SlotKind::point ? shift[i] : 0.0;
      for (int j = 0; j < t.dim; ++j) out[slot.offset + i] += r.r[i][j] * x[slot.offset + j];
    }
  }
  return out;
}

/// Velocity of a rigid motion about the origin with angular velocity w and translation u.
std::vector<double> rigid_velocity(const Topology& t, const std::vector<double>& x, const double* w, const double* u) {
  std::vector<double> v(x.size(), 0.0);
  for (const Slot& slot : t.slots) {
    if (slot.kind == SlotKind::scalar) continue;
    double r[3] = {0, 0, 0};
    for (int i = 0; i < t.dim; ++i) r[i] = x[slot.offset + i];
    const double spin[3] = {w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2], w[0] * r[1] - w[1] * r[0]};
    for (int i = 0; i < t.dim; ++i) v[slot.offset + i] = spin[i] + (slot.kind == SlotKind::point ? u[i] : 0.0);
  }
  return v;
}

struct Resultant {
  double force[3] = {0, 0, 0}, moment[3] = {0, 0, 0};
};
/// Sum of the forces on points, and of the moments of all.
Resultant resultant(const Topology& t, const std::vector<double>& x, const std::vector<double>& f) {
  Resultant out;
  for (const Slot& slot : t.slots) {
    if (slot.kind == SlotKind::scalar) continue;
    double r[3] = {0, 0, 0}, p[3] = {0, 0, 0};
    for (int i = 0; i < t.dim; ++i) {
      r[i] = x[slot.offset + i];
      p[i] = f[slot.offset + i];
      if (slot.kind == SlotKind::point) out.force[i] += p[i];
    }
    for (int i = 0; i < 3; ++i) out.moment[i] += r[(i + 1) % 3] * p[(i + 2) % 3] - r[(i + 2) % 3] * p[(i + 1) % 3];
  }
  return out;
}

bool is_internal(const TermInfo& info) {
  return info.has_residual && (info.role == Role::conservative || info.role == Role::constraint);
}

/// Forces that do not depend on the coordinates: their tangent is zero, and only theirs may be.
bool has_constant_force(const TermCase& c) {
  const std::string name = c.name();
  return name == "point_force_2d" || name == "point_force_3d" || name == "distributed_force_2d_frame_fixed";
}

class EveryTerm : public ::testing::TestWithParam<TermCase> {
 protected:
  const TermCase& term() const { return GetParam(); }
  const TermInfo& info() const { return GetParam().type->info; }
  Random random{20260101};
};

// ── Derivatives ──────────────────────────────────────────────────────────────────────────────────────────────────────

// 1e-10 of the largest entry: rounding of the longest kernel leaves 1e-14, a missing geometric term 1e-3.
TEST_P(EveryTerm, TangentIsTheDerivativeOfTheResidual) {
  if (!info().has_residual) GTEST_SKIP() << "no residual";
  for (int sample = 0; sample < 6; ++sample) {
    const Setting s = setting(term(), random_items(term(), 1, random), random);
    const double cd = sample % 2 == 0 ? 0.0 : random.spread(0.1, 10);
    Dense<double> d(s.model);
    d.assembler.set_signals(s.signals);
    const std::vector<double> k = d.tangent(s.q, s.v, 0.0, cd);
    Dense<D> dual(s.model);
    dual.assembler.set_signals(s.signals);
    std::vector<double> exact(k.size());
    for (int j = 0; j < d.n; ++j) {
      std::vector<D> q = to_dual(s.q), v = to_dual(s.v);
      q[j].d = 1;
      v[j].d = cd;
      const std::vector<D> r = dual.residual(q, v);
      for (int i = 0; i < d.n; ++i) exact[i * d.n + j] = -r[i].d;
    }
    const double size = largest(exact);
    if (has_constant_force(term())) {
      EXPECT_EQ(size, 0);
    } else {
      EXPECT_GT(size, 1e-3) << "the derivative does not test anything";
    }
    for (size_t i = 0; i < k.size(); ++i)
      EXPECT_NEAR(k[i], exact[i], 1e-10 * size) << "row " << i / d.n << " column " << i % d.n;
  }
}

TEST_P(EveryTerm, TangentIsSymmetricWhereItIsDeclaredSo) {
  if (!info().has_residual) GTEST_SKIP() << "no residual";
  bool seen_unsymmetric = false;
  for (int sample = 0; sample < 6; ++sample) {
    const Setting s = setting(term(), random_items(term(), 1, random), random);
    Dense<D> dual(s.model);
    dual.assembler.set_signals(s.signals);
    std::vector<double> k(static_cast<size_t>(dual.n) * dual.n);
    for (int j = 0; j < dual.n; ++j) {
      std::vector<D> q = to_dual(s.q), v = to_dual(s.v);
      q[j].d = 1;
      v[j].d = 1.5;
      const std::vector<D> r = dual.residual(q, v);
      for (int i = 0; i < dual.n; ++i) k[i * dual.n + j] = -r[i].d;
    }
    double difference = 0;
    for (int i = 0; i < dual.n; ++i)
      for (int j = 0; j < i; ++j) difference = std::max(difference, std::fabs(k[i * dual.n + j] - k[j * dual.n + i]));
    if (term().type->symmetric(term().options)) {
      EXPECT_LE(difference, 1e-12 * largest(k));
    } else {
      seen_unsymmetric |= difference > 1e-6 * largest(k);
    }
  }
  EXPECT_TRUE(seen_unsymmetric || term().type->symmetric(term().options)) << "declared unsymmetric without need";
}

// A symmetric layout holds the lower triangle of the same matrix.
TEST_P(EveryTerm, SymmetricLayoutHoldsTheSameMatrix) {
  if (!info().has_residual || !term().type->symmetric(term().options)) GTEST_SKIP() << "not symmetric";
  const Setting s = setting(term(), random_items(term(), 3, random), random);
  Dense<double> full(s.model), lower(s.model, {}, true);
  full.assembler.set_signals(s.signals);
  lower.assembler.set_signals(s.signals);
  const std::vector<double> a = full.tangent(s.q, s.v, 0.5, 0.0), b = lower.tangent(s.q, s.v, 0.5, 0.0);
  for (int i = 0; i < full.n; ++i)
    for (int j = 0; j <= i; ++j) EXPECT_EQ(a[i * full.n + j], b[i * full.n + j]) << i << " " << j;
}

// Exact derivatives on both sides; what is left is rounding.
TEST_P(EveryTerm, ForceIsMinusTheGradientOfItsEnergy) {
  if (!info().has_energy) GTEST_SKIP() << "no energy";
  for (int sample = 0; sample < 4; ++sample) {
    const Setting s = setting(term(), random_items(term(), 1, random), random);
    const std::vector<double> at_rest(s.q.size(), 0.0);
    Dense<double> d(s.model);
    const std::vector<double> r = d.residual(s.q, at_rest);
    EXPECT_GT(largest(r), 1e-3);
    Dense<D> dual(s.model);
    for (int j = 0; j < d.n; ++j) {
      std::vector<D> q = to_dual(s.q);
      q[j].d = 1;
      const D energy = dual.assembler.potential_energy(0, q.data());
      EXPECT_NEAR(r[j], -energy.d, 1e-13 * largest(r)) << j;
      EXPECT_EQ(energy.v, d.assembler.potential_energy(0, s.q.data()));
    }
  }
}

// ── Lanes ────────────────────────────────────────────────────────────────────────────────────────────────────────────

TEST_P(EveryTerm, ItemsInLanesHaveTheBitsOfItemsAlone) {
  for (int count = 1; count <= 9; ++count) {
    const std::vector<ItemNumbers> items = random_items(term(), count, random);
    const Setting s = setting(term(), items, random);
    const std::vector<double> in_lanes = everything(s, {.lanes = native_lanes}), alone = everything(s, {.lanes = 1});
    EXPECT_TRUE(same_bits(in_lanes, alone)) << count << " items";
    for (double x : alone) ASSERT_TRUE(std::isfinite(x));
    // Each item in a model of its own.
    const int n = static_cast<int>(local_places(s.model, 0).size());
    Dense<double> all(s.model);
    all.assembler.set_signals(s.signals);
    const std::vector<double> r = all.residual(s.q, s.v), k = all.tangent(s.q, s.v, 0, 1.3);
    const int nsig = static_cast<int>(s.signals.size()) / count;
    for (int item = 0; item < count; ++item) {
      Random unused(1);
      Setting one = setting(term(), {items[item]}, unused);
      const std::vector<int> from = local_places(s.model, item), to = local_places(one.model, 0);
      for (int i = 0; i < n; ++i) one.q[to[i]] = s.q[from[i]], one.v[to[i]] = s.v[from[i]];
      if (nsig > 0) one.signals.assign(s.signals.begin() + item * nsig, s.signals.begin() + (item + 1) * nsig);
      if (!info().has_residual) continue;
      Dense<double> single(one.model);
      single.assembler.set_signals(one.signals);
      const std::vector<double> r1 = single.residual(one.q, one.v), k1 = single.tangent(one.q, one.v, 0, 1.3);
      for (int i = 0; i < n; ++i) {
        EXPECT_EQ(r[from[i]], r1[to[i]]) << count << " items, item " << item;
        for (int j = 0; j < n; ++j)
          EXPECT_EQ(k[from[i] * all.n + from[j]], k1[to[i] * single.n + to[j]]) << count << " items, item " << item;
      }
    }
  }
}

TEST_P(EveryTerm, SimulationsInLanesHaveTheBitsOfSimulationsAlone) {
  std::vector<Setting> alone;
  for (int lane = 0; lane < native_lanes; ++lane)
    alone.push_back(setting(term(), random_items(term(), 2, random), random));
  std::vector<const Values*> values;
  for (const Setting& s : alone) values.push_back(&s.model.values);
  Dense<Lanes> lanes(*alone[0].model.topology, values);
  const auto pack = [&](auto&& number) {
    std::vector<Lanes> out(number(alone[0]).size());
    for (size_t i = 0; i < out.size(); ++i)
      for (int lane = 0; lane < native_lanes; ++lane) out[i].set(lane, number(alone[lane])[i]);
    return out;
  };
  const auto q = pack([](const Setting&s) { return s.q; }), v = pack([](const Setting&s) { return s.v; });
  const auto part = [&](double SignalValue::*member) {
    return pack([member](const Setting& s) {
      std::vector<double> out;
      for (const SignalValue& x : s.signals) out.push_back(x.*member);
      return out;
    });
  };
  const auto u = part(&SignalValue::u), du = part(&SignalValue::du), ddu = part(&SignalValue::ddu);
  lanes.assembler.set_signals(u, du, ddu);
  const std::vector<Lanes> r = lanes.residual(q, v), k = lanes.tangent(q, v, 0.7, 1.3);
  const Lanes energy = lanes.assembler.potential_energy(0, q.data());
  const Lanes lost = lanes.assembler.dissipation(0, q.data(), v.data());
  const Lanes kinetic = lanes.assembler.kinetic_energy(v.data());
  for (int lane = 0; lane < native_lanes; ++lane) {
    const Setting& s = alone[lane];
    Dense<double> d(s.model);
    d.assembler.set_signals(s.signals);
    const std::vector<double> r1 = d.residual(s.q, s.v), k1 = d.tangent(s.q, s.v, 0.7, 1.3);
    for (size_t i = 0; i < r1.size(); ++i) EXPECT_EQ(r[i][lane], r1[i]) << "lane " << lane;
    for (size_t i = 0; i < k1.size(); ++i) EXPECT_EQ(k[i][lane], k1[i]) << "lane " << lane;
    EXPECT_EQ(energy[lane], d.assembler.potential_energy(0, s.q.data()));
    EXPECT_EQ(lost[lane], d.assembler.dissipation(0, s.q.data(), s.v.data()));
    EXPECT_EQ(kinetic[lane], d.assembler.kinetic_energy(s.v.data()));
  }
}

// ── Mechanics ────────────────────────────────────────────────────────────────────────────────────────────────────────

// Zero up to rounding of the strains: their squares in the energy, themselves in the force.
TEST_P(EveryTerm, RigidMotionOfTheReferenceStoresNothing) {
  if (!info().has_energy) GTEST_SKIP() << "no energy";
  for (int sample = 0; sample < 6; ++sample) {
    ItemNumbers item = random_item(*term().type, random);
    make_stress_free(info(), item);
    const Setting s = setting(term(), {item}, random);
    const Topology& t = *s.model.topology;
    Dense<double> d(s.model);
    const std::vector<double> at_rest(d.nq, 0.0);
    const double strained_force = largest(d.residual(s.q, at_rest));
    const double strained_energy = d.assembler.potential_energy(0, s.q.data());
    ASSERT_GT(strained_energy, 1e-6);
    std::vector<double> reference(d.nq);
    const std::vector<int> at = local_places(s.model, 0);
    for (size_t i = 0; i < at.size(); ++i) reference[at[i]] = item.reference[i];
    const Rotation turn = random_rotation(info().dim, random);
    const double shift[3] = {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
    const std::vector<double> x = moved(t, reference, turn, shift);
    EXPECT_LE(largest(d.residual(x, at_rest)), 1e-13 * std::max(1.0, strained_force) * 100);
    EXPECT_LE(d.assembler.potential_energy(0, x.data()), 1e-26 * std::max(1.0, strained_energy));
    EXPECT_LE(largest(d.residual(reference, at_rest)), 1e-14 * std::max(1.0, strained_force) * 100);
  }
}

TEST_P(EveryTerm, RigidMotionTurnsTheForcesAndKeepsTheEnergy) {
  if (!is_internal(info())) GTEST_SKIP() << "not an internal force";
  for (int sample = 0; sample < 6; ++sample) {
    const Setting s = setting(term(), random_items(term(), 1, random), random);
    const Topology& t = *s.model.topology;
    const Rotation turn = random_rotation(info().dim, random);
    const double shift[3] = {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
    const double still[3] = {0, 0, 0};
    Dense<double> d(s.model);
    const std::vector<double> f = d.residual(s.q, s.v);
    const std::vector<double> x = moved(t, s.q, turn, shift), v = moved(t, s.v, turn, still);
    const std::vector<double> turned = d.residual(x, v), expected = moved(t, f, turn, still);
    for (int i = 0; i < d.nq; ++i) EXPECT_NEAR(turned[i], expected[i], 1e-12 * std::max(1.0, largest(f)));
    const double energy = d.assembler.potential_energy(0, s.q.data());
    EXPECT_NEAR(d.assembler.potential_energy(0, x.data()), energy, 1e-12 * std::max(1.0, energy));
  }
}

TEST_P(EveryTerm, InternalForcesHaveNoResultant) {
  if (!is_internal(info())) GTEST_SKIP() << "not an internal force";
  for (int sample = 0; sample < 6; ++sample) {
    const Setting s = setting(term(), random_items(term(), 1, random), random);
    Dense<double> d(s.model);
    const std::vector<double> f = d.residual(s.q, s.v);
    const Resultant sum = resultant(*s.model.topology, s.q, f);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(sum.force[i], 0, 1e-14 * largest(f) * 10);
      EXPECT_NEAR(sum.moment[i], 0, 1e-14 * largest(f) * 10);
    }
  }
}

TEST_P(EveryTerm, DissipationIsThePowerOfTheForcesOfVelocity) {
  if (info().role != Role::conservative || !info().has_residual) GTEST_SKIP() << "loads do work";
  bool lossy = false;
  for (int sample = 0; sample < 6; ++sample) {
    const Setting s = setting(term(), random_items(term(), 1, random), random);
    Dense<double> d(s.model);
    const std::vector<double> at_rest(d.nq, 0.0);
    const std::vector<double> f = d.residual(s.q, s.v), f0 = d.residual(s.q, at_rest);
    double power = 0, size = 0;
    for (int i = 0; i < d.nq; ++i) {
      power += (f[i] - f0[i]) * s.v[i];
      size += std::fabs(f[i] * s.v[i]) + std::fabs(f0[i] * s.v[i]);
    }
    const double lost = d.assembler.dissipation(0, s.q.data(), s.v.data());
    EXPECT_GE(lost, 0);
    EXPECT_NEAR(lost, -power, 1e-13 * size);
    lossy |= lost > 1e-3;
  }
  EXPECT_EQ(lossy, !term().type->symmetric(term().options)) << "of these terms the damped ones are unsymmetric";
}

// v = w × x + u: strain rates are zero to rounding, so the loss is zero to its square.
TEST_P(EveryTerm, RigidSpinIsNotDamped) {
  if (!is_internal(info())) GTEST_SKIP() << "not an internal force";
  for (int sample = 0; sample < 6; ++sample) {
    const Setting s = setting(term(), random_items(term(), 1, random), random);
    double w[3] = {0, 0, random.uniform(1, 5)};
    if (info().dim == 3) w[0] = random.uniform(-5, 5), w[1] = random.uniform(-5, 5);
    const double u[3] = {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)};
    const std::vector<double> spin = rigid_velocity(*s.model.topology, s.q, w, u), at_rest(s.q.size(), 0.0);
    Dense<double> d(s.model);
    const std::vector<double> f = d.residual(s.q, spin), f0 = d.residual(s.q, at_rest);
    const double moving = largest(d.residual(s.q, s.v));
    for (int i = 0; i < d.nq; ++i) EXPECT_NEAR(f[i], f0[i], 1e-13 * std::max({1.0, largest(f0), moving}));
    EXPECT_LE(d.assembler.dissipation(0, s.q.data(), spin.data()), 1e-24);
  }
}

TEST_P(EveryTerm, DoesSomething) {
  const Setting s = setting(term(), random_items(term(), 1, random), random);
  Dense<double> d(s.model);
  d.assembler.set_signals(s.signals);
  if (info().has_residual) {
    EXPECT_GT(largest(d.residual(s.q, s.v)), 1e-3);
  }
  if (info().has_mass) {
    EXPECT_GT(d.assembler.kinetic_energy(s.v.data()), 1e-3);
    EXPECT_GT(d.assembler.total_mass(), 1e-3);
  }
  EXPECT_TRUE(info().has_residual || info().has_mass);
}

// ½ m |u|² for a uniform velocity of the points, and the tangent holds the same mass.
TEST_P(EveryTerm, MassCarriesTranslationAndEntersTheTangent) {
  if (!info().has_mass) GTEST_SKIP() << "no mass";
  const Setting s = setting(term(), random_items(term(), 1, random), random);
  Dense<double> d(s.model);
  const double w[3] = {0, 0, 0}, u[3] = {0.3, -0.4, 0};
  const std::vector<double> v = rigid_velocity(*s.model.topology, s.q, w, u);
  EXPECT_NEAR(d.assembler.kinetic_energy(v.data()), 0.5 * d.assembler.total_mass() * 0.25,
              1e-14 * d.assembler.total_mass());
  const std::vector<double> k = d.tangent(s.q, s.v, 0.0, 0.0), km = d.tangent(s.q, s.v, 2.0, 0.0);
  std::vector<double> mv(d.nq, 0.0);
  d.assembler.subtract_mass_times(s.v.data(), -1.0, mv.data());
  for (int i = 0; i < d.n; ++i) {
    double sum = 0;
    for (int j = 0; j < d.n; ++j) sum += (km[i * d.n + j] - k[i * d.n + j]) / 2.0 * s.v[j];
    EXPECT_NEAR(sum, mv[i], 1e-13 * std::max({1.0, largest(mv), largest(k)}));
  }
}

INSTANTIATE_TEST_SUITE_P(Suite, EveryTerm, ::testing::ValuesIn(all_term_cases()),
                         [](const auto& info) { return info.param.name(); });

TEST(RegisteredTerms, HaveUniqueNamesAndCompleteDescriptors) {
  std::vector<std::string_view> names;
  for (const TermType* type : registered_terms()) {
    EXPECT_EQ(find_term(type->info.name), type);
    names.push_back(type->info.name);
    EXPECT_FALSE(type->info.slots.empty());
    for (const Field& field : type->info.fields) {
      EXPECT_FALSE(field.name.empty() || field.unit.empty() || field.doc.empty()) << type->info.name;
      EXPECT_TRUE(field.required() || field.allows(field.value)) << type->info.name << "." << field.name;
      EXPECT_FALSE(field.allows(std::nan("")));
    }
    for (const Option& option : type->info.options) EXPECT_GE(option.choices.size(), 2u);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  EXPECT_EQ(find_term("no such term"), nullptr);
}

}  // namespace
}  // namespace flexura::test
