// The standard suite over every registered term, second half: rigid motions, resultants, dissipation, mass.

#include <gtest/gtest.h>

#include "tests/support/term_setting.hpp"

namespace flexura::test {
namespace {

class EveryTermAsMechanics : public EveryTerm {};

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

// Zero up to rounding of the strains: their squares in the energy, themselves in the force.
TEST_P(EveryTermAsMechanics, RigidMotionOfTheReferenceStoresNothing) {
  if (!info().has_energy) GTEST_SKIP() << "no energy";
  if (!is_free_at_rest(term())) GTEST_SKIP() << "has a force of its own at rest";
  bool strained = false;  // a cable that is shorter stores nothing
  for (int sample = 0; sample < 6; ++sample) {
    ItemNumbers item = random_item(*term().type, random);
    make_stress_free(info(), item);
    const Setting s = setting(term(), {item}, random);
    const Topology& t = *s.model.topology;
    Dense<double> d(s.model);
    const std::vector<double> at_rest(d.nq, 0.0);
    const double strained_force = largest(d.residual(s.q, at_rest));
    const double strained_energy = d.assembler.potential_energy(0, s.q.data());
    strained |= strained_energy > 1e-6;
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
  EXPECT_TRUE(strained);
}

TEST_P(EveryTermAsMechanics, RigidMotionTurnsTheForcesAndKeepsTheEnergy) {
  if (!is_internal(info())) GTEST_SKIP() << "not an internal force";
  for (int sample = 0; sample < 6; ++sample) {
    const Setting s = setting(term(), random_items(term(), 1, random), random);
    const Topology& t = *s.model.topology;
    const Rotation turn = random_rotation(info().dim, random);
    const double shift[3] = {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
    const double still[3] = {0, 0, 0};
    Dense<double> d(s.model);
    put(d, s);
    const std::vector<double> f = d.residual(s.q, s.v);
    const std::vector<double> x = moved(t, s.q, turn, shift), v = moved(t, s.v, turn, still);
    const std::vector<double> turned = d.residual(x, v), expected = moved(t, f, turn, still);
    for (int i = 0; i < d.nq; ++i) EXPECT_NEAR(turned[i], expected[i], 1e-12 * std::max(1.0, largest(f)));
    const double energy = d.assembler.potential_energy(0, s.q.data());
    EXPECT_NEAR(d.assembler.potential_energy(0, x.data()), energy,
                1e-12 * cancellation(info()) * std::max(1.0, std::fabs(energy)));
  }
}

TEST_P(EveryTermAsMechanics, InternalForcesHaveNoResultant) {
  if (!is_internal(info())) GTEST_SKIP() << "not an internal force";
  for (int sample = 0; sample < 6; ++sample) {
    const Setting s = setting(term(), random_items(term(), 1, random), random);
    Dense<double> d(s.model);
    put(d, s);
    const std::vector<double> f = d.residual(s.q, s.v);
    const Resultant sum = resultant(*s.model.topology, s.q, f);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(sum.force[i], 0, 1e-14 * largest(f) * 10);
      EXPECT_NEAR(sum.moment[i], 0, 1e-14 * largest(f) * 10);
    }
  }
}

TEST_P(EveryTermAsMechanics, DissipationIsThePowerOfTheForcesOfVelocity) {
  if (info().role != Role::conservative || !info().has_residual) GTEST_SKIP() << "loads do work";
  bool lossy = false;
  for (int sample = 0; sample < 6; ++sample) {
    const Setting s = setting(term(), random_items(term(), 1, random), random);
    Dense<double> d(s.model);
    put(d, s);
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
  // One coordinate is symmetric in any case, and so is what is linear.
  if (info().dofs() > 1 && !info().name.ends_with("_tie")) {
    EXPECT_EQ(lossy, !term().type->symmetric(term().options)) << "of these terms the damped ones are unsymmetric";
  }
}

// v = w × x + u: strain rates are zero to rounding, so the loss is zero to its square.
TEST_P(EveryTermAsMechanics, RigidSpinIsNotDamped) {
  if (!is_internal(info())) GTEST_SKIP() << "not an internal force";
  for (int sample = 0; sample < 6; ++sample) {
    const Setting s = setting(term(), random_items(term(), 1, random), random);
    double w[3] = {0, 0, random.uniform(1, 5)};
    if (info().dim == 3) w[0] = random.uniform(-5, 5), w[1] = random.uniform(-5, 5);
    const double u[3] = {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)};
    const std::vector<double> spin = rigid_velocity(*s.model.topology, s.q, w, u), at_rest(s.q.size(), 0.0);
    Dense<double> d(s.model);
    put(d, s);
    const std::vector<double> f = d.residual(s.q, spin), f0 = d.residual(s.q, at_rest);
    const double moving = largest(d.residual(s.q, s.v));
    for (int i = 0; i < d.nq; ++i) EXPECT_NEAR(f[i], f0[i], 1e-13 * std::max({1.0, largest(f0), moving}));
    EXPECT_LE(d.assembler.dissipation(0, s.q.data(), spin.data()), 1e-24);
  }
}

TEST_P(EveryTermAsMechanics, DoesSomething) {
  const Setting s = setting(term(), random_items(term(), 1, random), random);
  Dense<double> d(s.model);
  put(d, s);
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
TEST_P(EveryTermAsMechanics, MassCarriesTranslationAndEntersTheTangent) {
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

INSTANTIATE_TEST_SUITE_P(Suite, EveryTermAsMechanics, ::testing::ValuesIn(all_term_cases()), case_name);

}  // namespace
}  // namespace flexura::test
