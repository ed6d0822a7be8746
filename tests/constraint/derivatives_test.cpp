// Forces, λ-weighted Hessians, Φ̇ and Φ̈ of every constraint against Φ on nested duals.

#include <gtest/gtest.h>

#include "flexura/assembly/make_batch.hpp"
#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/offset.hpp"
#include "tests/constraint/constraint_cases.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/term_setting.hpp"

namespace flexura::test {
namespace {

class EveryConstraint : public ::testing::TestWithParam<ConstraintCase> {
 protected:
  const ConstraintCase& constraint() const { return GetParam(); }
  TermCase term() const { return {&GetParam().type(), GetParam().options}; }
  Random random{20260102};
};

/// Φ and its derivatives by all coordinates but λ, which is the last.
struct Oracle {
  double phi = 0;
  std::vector<double> slope, curvature;  ///< n, n × n
  Oracle(const ConstraintCase& c, const std::vector<double>& x, const std::vector<double>& p,
         const std::vector<double>& X = {}, double signal = 0) {
    const int n = static_cast<int>(x.size()) - 1;
    slope.resize(n);
    curvature.resize(static_cast<size_t>(n) * n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        std::vector<DD> y;
        for (int k = 0; k <= n; ++k) y.push_back(nested(x[k], k == i, k == j));
        const DD value = c.with_reference(y.data(), p, X, nested(signal, 0, 0));
        phi = value.v.v;
        slope[i] = value.d.v;
        curvature[i * n + j] = value.d.d;
      }
  }
};

TEST(Constraints, AreAllInTheTableOfThisTest) {
  std::vector<std::string> known;
  for (const ConstraintCase& c : constraint_cases()) known.push_back(c.name);
  for (const TermType* type : registered_terms())
    if (type->info.role == Role::constraint) {
      EXPECT_NE(std::find(known.begin(), known.end(), type->info.name), known.end()) << type->info.name;
    }
}

// r = −(λ + p Φ) Φ_q, r_λ = −Φ; K = (λ + p Φ) Φ_qq + p Φ_q Φ_qᵀ, K_λq = Φ_q. Rounding only.
TEST_P(EveryConstraint, HasTheForcesAndTheTangentOfItsAugmentedLagrangian) {
  for (int sample = 0; sample < 8; ++sample) {
    const std::vector<ItemNumbers> items = random_items(term(), 1, random);
    const Setting s = setting(term(), items, random, 0.6);
    const std::vector<int> at = local_places(s.model, 0);
    std::vector<double> x;
    for (int i : at) x.push_back(s.q[i]);
    const double signal = s.signals.empty() ? 0 : s.signals[0].u;
    const Oracle exact(constraint(), x, items[0].parameters, items[0].reference, signal);
    const int n = static_cast<int>(exact.slope.size());
    const double p = constraint().penalty(items[0].parameters), mu = x[n] + p * exact.phi;
    Dense<double> d(s.model);
    put(d, s);
    const std::vector<double> r = d.residual(s.q, s.v), k = d.tangent(s.q, s.v, 0, 0.8);
    EXPECT_NEAR(r[at[n]], -exact.phi, 1e-14);
    EXPECT_EQ(k[at[n] * d.n + at[n]], 0);
    EXPECT_GT(largest(exact.curvature), 0.1);
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(r[at[i]], -mu * exact.slope[i], 1e-13) << i;
      EXPECT_NEAR(k[at[n] * d.n + at[i]], exact.slope[i], 1e-14) << i;
      EXPECT_NEAR(k[at[i] * d.n + at[n]], exact.slope[i], 1e-14) << i;
      for (int j = 0; j < n; ++j)
        EXPECT_NEAR(k[at[i] * d.n + at[j]], mu * exact.curvature[i * n + j] + p * exact.slope[i] * exact.slope[j],
                    1e-13)
            << i << " " << j;
    }
  }
}

/// Moves x along Φ_q until Φ vanishes.
void fulfil(const ConstraintCase& c, std::vector<double>& x, const std::vector<double>& p) {
  for (int k = 0; k < 50; ++k) {
    const Oracle at(c, x, p);
    double square = 0;
    for (double g : at.slope) square += g * g;
    for (size_t i = 0; i < at.slope.size(); ++i) x[i] -= at.phi / square * at.slope[i];
  }
}

// On the constraint |Φ| is rounding, 1e-16, and p up to 1e3 times it; tangentially nothing changes either.
TEST_P(EveryConstraint, IsNotChangedByItsPenaltyWhereItHolds) {
  if (!constraint().has_penalty) GTEST_SKIP() << "no penalty";
  for (int sample = 0; sample < 8; ++sample) {
    std::vector<ItemNumbers> plain = random_items(term(), 1, random);
    plain[0].parameters.back() = 0;
    std::vector<ItemNumbers> augmented = plain;
    augmented[0].parameters.back() = 1e3;
    Setting s = setting(term(), plain, random, 0.3);
    const std::vector<int> at = local_places(s.model, 0);
    s.q[at.back()] = 0.7;
    std::vector<double> x;
    for (int i : at) x.push_back(s.q[i]);
    fulfil(constraint(), x, plain[0].parameters);
    for (size_t i = 0; i < at.size(); ++i) s.q[at[i]] = x[i];
    const Model other = model_of(term(), augmented);
    Dense<double> a(s.model), b(other);
    const std::vector<double> ra = a.residual(s.q, s.v), rb = b.residual(s.q, s.v);
    ASSERT_LT(std::fabs(ra[at.back()]), 1e-15);
    ASSERT_GT(largest(ra), 1e-3);
    for (int i = 0; i < a.nq; ++i) EXPECT_NEAR(ra[i], rb[i], 1e-12);
    // What p adds to the tangent is p Φ_q Φ_qᵀ: nothing along directions that keep Φ.
    const std::vector<double> ka = a.tangent(s.q, s.v, 0, 0), kb = b.tangent(s.q, s.v, 0, 0);
    std::vector<double> along(at.size(), 0.0), slope(at.size(), 0.0);
    double product = 0, square = 0;
    for (size_t i = 0; i + 1 < at.size(); ++i) {
      slope[i] = ka[at.back() * a.n + at[i]];
      along[i] = random.uniform(-1, 1);
      product += slope[i] * along[i];
      square += slope[i] * slope[i];
    }
    for (size_t i = 0; i < at.size(); ++i) along[i] -= product / square * slope[i];
    for (size_t i = 0; i < at.size(); ++i) {
      double change = 0;
      for (size_t j = 0; j < at.size(); ++j) change += (kb[at[i] * a.n + at[j]] - ka[at[i] * a.n + at[j]]) * along[j];
      EXPECT_NEAR(change, 0, 1e-11) << i;
    }
  }
}

// ── Motion ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/// An item of the type on slots that are all combinations of the same few free ones and of two signals.
struct Driven {
  Model model;
  std::vector<double> parameters;
  std::vector<std::string> local;  ///< slots of the item, by name
  int ratio = -1;                  ///< signal of the item
};
Driven driven_item(const ConstraintCase& c, Random& random) {
  const TermInfo& info = c.type().info;
  const int D = info.dim;
  ModelBuilder b(D);
  auto signals = std::make_shared<SignalSet>();
  signals->add("pump", SineSignal{.amplitude = 1, .frequency = 3});
  signals->add("valve", SineSignal{.amplitude = 0.5, .frequency = 1});
  EXPECT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const int pump = b.effective({.signal = 0}), valve = b.effective({.signal = 1});
  const auto some = [&](int n, double size) {
    std::vector<double> x(n);
    for (double& xi : x) xi = random.uniform(-size, size);
    return x;
  };
  const int masters[2] = {b.slot("a", SlotKind::point, some(D, 1)), b.slot("b", SlotKind::vector, some(D, 1))};
  const int scalar = b.slot("c", SlotKind::scalar, some(1, 1));
  Driven out;
  std::vector<int> slots;
  for (size_t k = 0; k < info.slots.size(); ++k) {
    if (info.slots[k] == SlotKind::signal) {
      slots.push_back(out.ratio = b.effective({.signal = 0, .from = 0.5}));
      continue;
    }
    const bool last =
        info.slots[k] == SlotKind::scalar && (k + 1 == info.slots.size() || info.slots[k + 1] == SlotKind::signal);
    const std::string name = "local " + std::to_string(k);
    const int n = slot_size(info.slots[k], D);
    if (last) {
      slots.push_back(b.multiplier(name));
    } else if (k == 0) {
      slots.push_back(masters[0]);  // one free slot, which the others depend on as well
    } else {
      const int s = b.slot(name, info.slots[k], some(n, 1));
      LinearForm form{n, {}, some(n, 1), {{pump, some(n, 0.5)}, {valve, some(n, 0.5)}}};
      for (int m : masters) form.terms.push_back({m, some(n * D, 0.8)});
      form.terms.push_back({scalar, some(n, 0.8)});
      b.equate(s, form, "relation");
      slots.push_back(s);
    }
    out.local.push_back(b.slot_name(slots.back()));
  }
  out.parameters = random_item(c.type(), random).parameters;
  b.item(c.name, slots, out.parameters, c.options, "item");
  out.model = b.build();
  return out;
}

/// State with dependents expanded.
struct Motion {
  std::vector<double> q, v, a;
  std::vector<SignalValue> signals;
  Motion(const Topology& t, Dense<double>& d, Random& random) : q(t.nq), v(t.nq), a(t.nq) {
    for (auto* x : {&q, &v, &a})
      for (int i = 0; i < t.ny; ++i) (*x)[i] = random.uniform(-1, 1);
    for (size_t k = 0; k < t.signals.size(); ++k)
      signals.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    d.assembler.set_signals(signals);
    d.assembler.expand(q.data(), v.data(), a.data());
  }
};

// Φ_q v + Φ_t and its next derivative, Φ_tt, Φ_qq v v and 2 Φ_qt v in it, for dependents that signals drive. Rounding only.
TEST_P(EveryConstraint, HasExactRatesAndAccelerationsAlongDrivenMotions) {
  for (int sample = 0; sample < 8; ++sample) {
    const Driven item = driven_item(constraint(), random);
    const Topology& t = *item.model.topology;
    Dense<double> d(item.model);
    const Motion m(t, d, random);
    // The path of a free coordinate is q + v s + a s²/2, that of a dependent one follows from W, b₀ and the signals.
    std::vector<DD> path(t.nq);
    for (int i = 0; i < t.ny; ++i) path[i] = nested(m.q[i], m.v[i], m.v[i], m.a[i]);
    for (const Dependent& dependent : t.dependents) {
      const Slot& slot = t.slots[dependent.slot];
      for (int i = 0; i < slot.size; ++i) {
        DD x = item.model.values.bases[dependent.base + i];
        for (const Weight& w : dependent.weights) {
          const Slot& master = t.slots[w.master];
          for (int j = 0; j < master.size; ++j)
            x += DD(item.model.values.weights[w.first + i * master.size + j]) * path[master.offset + j];
        }
        for (const Drive& drive : dependent.drives) {
          const SignalValue& u = m.signals[drive.signal];
          x += DD(item.model.values.directions[drive.first + i]) * nested(u.u, u.du, u.du, u.ddu);
        }
        path[slot.offset + i] = x;
      }
    }
    std::vector<DD> local;
    for (const std::string& name : item.local) {
      const Slot& slot = t.slots[t.find_slot(name)];
      for (int i = 0; i < slot.size; ++i) local.push_back(path[slot.offset + i]);
    }
    std::vector<double> X;
    for (const std::string& name : item.local) {
      const Slot& slot = t.slots[t.find_slot(name)];
      for (int i = 0; i < slot.size; ++i) X.push_back(item.model.values.reference[slot.offset + i]);
    }
    const SignalValue u = item.ratio < 0 ? SignalValue{} : m.signals[item.ratio];
    const DD exact = constraint().with_reference(local.data(), item.parameters, X, nested(u.u, u.du, u.du, u.ddu));
    std::vector<double> phi(t.ny, 7.0), rate(t.ny, 7.0), second(t.ny, 7.0);
    d.assembler.constraint_motion(0, m.q.data(), m.v.data(), m.a.data(), {phi.data(), rate.data(), second.data()});
    const double size = 1 + std::fabs(exact.d.d);
    EXPECT_NEAR(phi[t.ny - 1], exact.v.v, 1e-14 * size);
    EXPECT_NEAR(rate[t.ny - 1], exact.d.v, 1e-14 * size);
    EXPECT_NEAR(second[t.ny - 1], exact.d.d, 1e-13 * size);
    for (int i = 0; i < t.ncoord; ++i) EXPECT_TRUE(phi[i] == 7 && rate[i] == 7 && second[i] == 7) << "coordinates";
  }
}

// Every slot is a combination of the same masters: blocks of the item fall on each other, in both layouts.
TEST_P(EveryConstraint, ScattersItsTangentThroughDependentSlots) {
  for (int sample = 0; sample < 4; ++sample) {
    const Driven item = driven_item(constraint(), random);
    const int n = item.model.topology->ny;
    for (bool lower : {false, true}) {
      Dense<double> d(item.model, {}, lower);
      const Motion m(*item.model.topology, d, random);
      Dense<Dual<double>> dual(item.model);
      dual.assembler.set_signals(m.signals);
      const std::vector<double> k = d.tangent(m.q, m.v, 0, 0);
      for (int j = 0; j < n; ++j) {
        std::vector<Dual<double>> q = to_dual(m.q);
        q[j].d = 1;
        const auto r = dual.reduced_residual(q, to_dual(m.v));
        for (int i = lower ? j : 0; i < n; ++i) EXPECT_NEAR(k[i * n + j], -r[i].d, 2e-12) << i << " " << j << lower;
      }
    }
  }
}

// Several items in lanes, the last block not full: the bits of one at a time.
TEST_P(EveryConstraint, HasTheSameMotionInLanes) {
  for (int count : {1, 3, 4, 6, 9}) {
    const Setting s = setting(term(), random_items(term(), count, random), random);
    const int ny = s.model.topology->ny;
    std::vector<double> a(s.q.size());
    for (double& x : a) x = random.uniform(-1, 1);
    std::vector<double> all[2];
    for (bool alone : {true, false}) {
      Dense<double> d(s.model, {.make_batch = alone ? make_batch_alone : nullptr});
      std::vector<double>& out = all[alone];
      out.assign(3 * static_cast<size_t>(ny), 0.0);
      d.assembler.constraint_motion(0, s.q.data(), s.v.data(), a.data(),
                                    {out.data(), out.data() + ny, out.data() + 2 * ny});
    }
    EXPECT_EQ(all[0], all[1]) << count;
    EXPECT_GT(largest(all[0]), 1e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(Terms, EveryConstraint, ::testing::ValuesIn(constraint_cases()),
                         [](const auto& info) { return info.param.name + info.param.label; });

// The same slot at both places: a·a − c has the slope 2a and the curvature 2 I.
TEST(InnerProduct, OfASlotWithItselfIsItsSquare) {
  for (bool lower : {false, true}) {
    ModelBuilder b(3);
    const double X[] = {0.5, -0.3, 0.8};
    const int a = b.slot("a", SlotKind::vector, X), lambda = b.multiplier("lambda");
    b.item<InnerProduct3d>({a, a, lambda}, {.value = 0.7, .penalty = 0.4}, "length");
    const Model m = b.build();
    Dense<double> d(m, {}, lower);
    const std::vector<double> q{0.5, -0.3, 0.8, 1.5}, v(4, 0.0);
    const double phi = 0.25 + 0.09 + 0.64 - 0.7, mu = 1.5 + 0.4 * phi;
    const std::vector<double> r = d.reduced_residual(q, v), k = d.tangent(q, v, 0, 0);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(r[i], -2 * mu * q[i], 1e-15);
      EXPECT_NEAR(k[3 * 4 + i], 2 * q[i], 1e-15) << lower;
      for (int j = 0; j <= i; ++j)
        EXPECT_NEAR(k[i * 4 + j], (i == j ? 2 * mu : 0) + 4 * 0.4 * q[i] * q[j], 1e-15) << i << j << lower;
    }
  }
}

// A vector that is both the normal's and a body's: offset on (p, q, n) with n shared by another item adds up.
TEST(Offset, OfAPointFromItselfLeavesItsCoordinate) {
  ModelBuilder b(2);
  const double X[] = {0.5, -0.3}, zero = 0;
  const int p = b.slot("p", SlotKind::point, X), n = b.slot("n", SlotKind::vector, X);
  const int s = b.slot("s", SlotKind::scalar, {&zero, 1}), lambda = b.multiplier("lambda");
  b.item<OffsetCoordinate2d>({p, p, n, s, lambda}, {.value = 0.25}, "offset");
  const Model m = b.build();
  Dense<double> d(m);
  const std::vector<double> q{0.5, -0.3, 0.4, 0.9, 0.1, 2.0}, v(6, 0.0);
  const std::vector<double> r = d.reduced_residual(q, v);
  const double expected[] = {0, 0, 0, 0, 2.0, 0.35};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(r[i], expected[i], 1e-15) << i;
}

}  // namespace
}  // namespace flexura::test
