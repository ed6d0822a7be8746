// The standard suite: claims that hold for every registered term and all of its options. A term joins by being listed
// in terms.def; nothing here knows one by name except where it says why. This half: derivatives, lanes, descriptors.

#include <gtest/gtest.h>

#include <cstring>

#include "tests/support/term_setting.hpp"

namespace flexura::test {
namespace {

using D = Dual<double>;

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

/// Forces that do not depend on the coordinates: their tangent is zero, and only theirs may be.
bool has_constant_force(const TermCase& c) {
  const std::string name = c.name();
  return c.type->info.name.starts_with("motor_") || name == "point_force_2d" || name == "point_force_3d" ||
         name == "distributed_force_2d_frame_fixed" || name == "edge_force_3d";
}

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
  const auto q = pack([](const Setting& s) { return s.q; }), v = pack([](const Setting& s) { return s.v; });
  const auto part = [&](double SignalValue::* member) {
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

INSTANTIATE_TEST_SUITE_P(Suite, EveryTerm, ::testing::ValuesIn(all_term_cases()), case_name);

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
