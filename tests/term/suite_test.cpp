// The standard suite: claims that hold for every registered term and all of its options. A term joins by being listed
// in terms.def; nothing here knows one by name except where it says why. This half: derivatives, lanes, descriptors.

#include <gtest/gtest.h>

#include <cstring>

#include "flexura/assembly/make_batch.hpp"
#include "flexura/load/winding.hpp"
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
  put(d, s);
  std::vector<double> out = d.residual(s.q, s.v);
  const std::vector<double> k = d.tangent(s.q, s.v, 0.7, 1.3);
  out.insert(out.end(), k.begin(), k.end());
  std::vector<double> mv(d.nq, 0.0);
  d.assembler.subtract_mass_times(s.v.data(), 1.0, mv.data());
  out.insert(out.end(), mv.begin(), mv.end());
  out.push_back(d.assembler.potential_energy(0, s.q.data()));
  out.push_back(d.assembler.dissipation(0, s.q.data(), s.v.data()));
  out.push_back(d.assembler.kinetic_energy(s.v.data()));
  out.push_back(d.assembler.loss(0, s.q.data(), s.v.data()));
  std::vector<double> history(s.history.size());
  d.assembler.remember(0, s.q.data(), s.v.data(), history.data());
  out.insert(out.end(), history.begin(), history.end());
  return out;
}

/// Forces that do not depend on the coordinates: their tangent is zero, and only theirs may be.
bool has_constant_force(const TermCase& c) {
  const std::string name = c.name();
  return c.type->info.name.starts_with("motor_") || name == "point_force_2d" || name == "point_force_3d" ||
         name == "distributed_force_2d_frame_fixed" || name == "distributed_force_3d_frame_fixed" ||
         name == "distributed_force_beam_3d_frame_fixed" || name == "edge_force_3d";
}

// ── Derivatives ──────────────────────────────────────────────────────────────────────────────────────────────────────

// 1e-10 of the largest entry: rounding of the longest kernel leaves 1e-14, a missing geometric term 1e-3.
TEST_P(EveryTerm, TangentIsTheDerivativeOfTheResidual) {
  if (!info().has_residual) GTEST_SKIP() << "no residual";
  bool tested = false;
  for (int sample = 0; sample < 6; ++sample) {
    const Setting s = setting(term(), random_items(term(), 1, random), random);
    const double cd = sample % 2 == 0 ? 0.0 : random.spread(0.1, 10);
    Dense<double> d(s.model);
    put(d, s);
    const std::vector<double> k = d.tangent(s.q, s.v, 0.0, cd);
    Dense<D> dual(s.model);
    put(dual, s);
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
    } else if (info().has_history) {  // what slides may pull evenly
      tested |= size > 1e-3;
    } else {
      EXPECT_GT(size, 1e-3) << "the derivative does not test anything";
    }
    for (size_t i = 0; i < k.size(); ++i)
      EXPECT_NEAR(k[i], exact[i], 1e-10 * size) << "row " << i / d.n << " column " << i % d.n;
  }
  EXPECT_TRUE(tested || !info().has_history) << "the derivative does not test anything";
}

TEST_P(EveryTerm, TangentIsSymmetricWhereItIsDeclaredSo) {
  if (!info().has_residual) GTEST_SKIP() << "no residual";
  bool seen_unsymmetric = false;
  for (int sample = 0; sample < 6; ++sample) {
    const Setting s = setting(term(), random_items(term(), 1, random), random);
    Dense<D> dual(s.model);
    put(dual, s);
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
  put(full, s);
  put(lower, s);
  const std::vector<double> a = full.tangent(s.q, s.v, 0.5, 0.0), b = lower.tangent(s.q, s.v, 0.5, 0.0);
  for (int i = 0; i < full.n; ++i)
    for (int j = 0; j <= i; ++j) EXPECT_EQ(a[i * full.n + j], b[i * full.n + j]) << i << " " << j;
}

// Exact derivatives on both sides; what is left is rounding. Of terms that remember the energy with what is lost, at once.
TEST_P(EveryTerm, ForceIsMinusTheGradientOfItsEnergy) {
  if (!info().has_energy) GTEST_SKIP() << "no energy";
  for (int sample = 0; sample < 4; ++sample) {
    Setting s = setting(term(), random_items(term(), 1, random), random);
    s.h = 0;
    const std::vector<double> at_rest(s.q.size(), 0.0);
    const std::vector<D> no_rate(s.q.size(), D(0.0));
    Dense<double> d(s.model);
    put(d, s);
    const std::vector<double> r = d.residual(s.q, at_rest);
    EXPECT_GT(largest(r), 1e-3);
    Dense<D> dual(s.model);
    put(dual, s);
    for (int j = 0; j < d.n; ++j) {
      std::vector<D> q = to_dual(s.q);
      q[j].d = 1;
      const D energy = dual.assembler.potential_energy(0, q.data());
      const D lost = dual.assembler.loss(0, q.data(), no_rate.data());
      EXPECT_NEAR(r[j], -energy.d - lost.d, 1e-13 * cancellation(info()) * largest(r)) << j;
      EXPECT_EQ(energy.v, d.assembler.potential_energy(0, s.q.data()));
    }
  }
}

// ── Memory ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/// What the item remembers after the setting.
std::vector<double> remembered(const Setting& s, double h) {
  Dense<double> d(s.model);
  put(d, s);
  d.assembler.set_history(s.history, h);
  std::vector<double> next(s.history.size());
  d.assembler.remember(0, s.q.data(), s.v.data(), next.data());
  return next;
}

// Without motion nothing does work: what is not stored any more is lost. 1e-13 of the energy: rounding.
TEST_P(EveryTerm, LosesAtRestWhatItStoredBefore) {
  if (!info().has_history || !info().has_energy) GTEST_SKIP() << "no memory";
  for (int sample = 0; sample < 6; ++sample) {
    Setting s = setting(term(), random_items(term(), 1, random), random);
    s.history = remembered(s, s.h);
    Dense<double> d(s.model);
    put(d, s);
    d.assembler.set_history(s.history, 0);
    const double stored = d.assembler.potential_energy(0, s.q.data());
    if (term().name().find("law_yeoh_paper") != std::string::npos)
      GTEST_SKIP() << "not free of stress at rest: of less than nothing nothing can be lost";
    EXPECT_GT(stored, 1e-6);
    for (double h : {1e-4, 0.02, 0.3, 5.0, 400.0, forever}) {
      d.assembler.set_history(s.history, h);
      const double left = d.assembler.potential_energy(0, s.q.data());
      const double lost = d.assembler.loss(0, s.q.data(), s.v.data());
      EXPECT_GE(lost, -1e-14 * stored);
      if (has_free_thickness(term())) continue;  // which takes the rest: tests/element/composite_membrane_test.cpp
      EXPECT_NEAR(left + lost, stored, 1e-13 * stored) << "h = " << h;
    }
  }
}

/// Numbers of the memory that are rates over the last step, the last ones of each item: what the damper of a drive does.
int rates_remembered(std::string_view name) { return name.find("drive_") != std::string_view::npos ? 1 : 0; }

// Two steps at rest are one: relaxation does not depend on how time is cut. At once nothing is forgotten.
TEST_P(EveryTerm, ForgetsWithTimeAloneWhereItRests) {
  if (!info().has_history) GTEST_SKIP() << "no memory";
  if (has_free_thickness(term())) GTEST_SKIP() << "its thickness does not rest";
  for (int sample = 0; sample < 6; ++sample) {
    Setting s = setting(term(), random_items(term(), 1, random), random);
    s.history = remembered(s, s.h);
    const std::vector<double> at_once = remembered(s, 0), whole = remembered(s, 0.5);
    s.history = remembered(s, 0.2);
    const std::vector<double> parts = remembered(s, 0.3);
    Setting begun = s;
    const size_t states = whole.size() - static_cast<size_t>(rates_remembered(info().name));  // of one item
    for (size_t k = 0; k < states; ++k) EXPECT_NEAR(parts[k], whole[k], 1e-14 * std::max(1.0, largest(whole)));
    begun.history = at_once;
    const std::vector<double> again = remembered(begun, 0.5);
    for (size_t k = 0; k < whole.size(); ++k) EXPECT_NEAR(again[k], whole[k], 1e-14 * std::max(1.0, largest(whole)));
  }
}

TEST_P(EveryTerm, LosesEnergyAndNeverGainsIt) {
  if (!info().has_history || info().role == Role::load) GTEST_SKIP() << "no memory, or the work of a load";
  if (counts_turns_only(info().name)) GTEST_SKIP() << "remembers only how often it has turned";
  bool lossy = false;
  for (int sample = 0; sample < 20; ++sample) {
    const Setting s = setting(term(), random_items(term(), 1, random), random);
    Dense<double> d(s.model);
    put(d, s);
    const double lost = d.assembler.loss(0, s.q.data(), s.v.data());
    EXPECT_GE(lost, 0);
    lossy |= lost > 1e-3 || s.history.empty();
  }
  EXPECT_TRUE(lossy);
}

// ── Lanes ────────────────────────────────────────────────────────────────────────────────────────────────────────────

TEST_P(EveryTerm, ItemsInLanesHaveTheBitsOfItemsAlone) {
  for (int count = 1; count <= 9; ++count) {
    const std::vector<ItemNumbers> items = random_items(term(), count, random);
    const Setting s = setting(term(), items, random);
    const std::vector<double> in_lanes = everything(s, {}), alone = everything(s, {.make_batch = make_batch_alone});
    EXPECT_TRUE(same_bits(in_lanes, alone)) << count << " items";
    for (double x : alone) ASSERT_TRUE(std::isfinite(x));
    // Each item in a model of its own.
    const int n = static_cast<int>(local_places(s.model, 0).size());
    Dense<double> all(s.model);
    put(all, s);
    const std::vector<double> r = all.residual(s.q, s.v), k = all.tangent(s.q, s.v, 0, 1.3);
    const int nsig = static_cast<int>(s.signals.size()) / count;
    for (int item = 0; item < count; ++item) {
      Random unused(1);
      Setting one = setting(term(), {items[item]}, unused);
      const std::vector<int> from = local_places(s.model, item), to = local_places(one.model, 0);
      for (int i = 0; i < n; ++i) one.q[to[i]] = s.q[from[i]], one.v[to[i]] = s.v[from[i]];
      const int memory = s.model.topology->history / count;
      one.history.assign(s.history.begin() + item * memory, s.history.begin() + (item + 1) * memory);
      one.h = s.h;
      if (nsig > 0) one.signals.assign(s.signals.begin() + item * nsig, s.signals.begin() + (item + 1) * nsig);
      if (!info().has_residual) continue;
      Dense<double> single(one.model);
      put(single, one);
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
  for (Setting& s : alone) s.h = alone[0].h;  // time is common
  lanes.assembler.set_history(pack([](const Setting& s) { return s.history; }), alone[0].h);
  std::vector<Lanes> next(alone[0].history.size());
  lanes.assembler.remember(0, q.data(), v.data(), next.data());
  const Lanes spent = lanes.assembler.loss(0, q.data(), v.data());
  const std::vector<Lanes> r = lanes.residual(q, v), k = lanes.tangent(q, v, 0.7, 1.3);
  const Lanes energy = lanes.assembler.potential_energy(0, q.data());
  const Lanes lost = lanes.assembler.dissipation(0, q.data(), v.data());
  const Lanes kinetic = lanes.assembler.kinetic_energy(v.data());
  for (int lane = 0; lane < native_lanes; ++lane) {
    const Setting& s = alone[lane];
    Dense<double> d(s.model);
    put(d, s);
    const std::vector<double> r1 = d.residual(s.q, s.v), k1 = d.tangent(s.q, s.v, 0.7, 1.3);
    for (size_t i = 0; i < r1.size(); ++i) EXPECT_EQ(r[i][lane], r1[i]) << "lane " << lane;
    for (size_t i = 0; i < k1.size(); ++i) EXPECT_EQ(k[i][lane], k1[i]) << "lane " << lane;
    EXPECT_EQ(energy[lane], d.assembler.potential_energy(0, s.q.data()));
    EXPECT_EQ(lost[lane], d.assembler.dissipation(0, s.q.data(), s.v.data()));
    EXPECT_EQ(kinetic[lane], d.assembler.kinetic_energy(s.v.data()));
    EXPECT_EQ(spent[lane], d.assembler.loss(0, s.q.data(), s.v.data()));
    std::vector<double> history(s.history.size());
    d.assembler.remember(0, s.q.data(), s.v.data(), history.data());
    for (size_t k = 0; k < history.size(); ++k) EXPECT_EQ(next[k][lane], history[k]);
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
