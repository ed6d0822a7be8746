// Elimination q = T y + b(t): whatever was imposed holds, whatever was free stays free, in any order.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/dense.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using std::array;

int add_point(ModelBuilder& b, const char* name, double x, double y) {
  return b.slot(name, SlotKind::point, array{x, y});
}
LinearForm row(std::vector<LinearTerm> terms, double constant) { return {1, std::move(terms), {constant}, {}}; }

/// q from random free coordinates.
std::vector<double> any_position(const Model& model, Assembler<double>& assembler, Random& random) {
  std::vector<double> q = assembler.initial_q(), v(q.size(), 0.0), a(q.size(), 0.0);
  for (int i = 0; i < model.topology->ny; ++i) q[i] = random.uniform(-2, 2);
  assembler.expand(q.data(), v.data(), a.data());
  return q;
}
double value(const LinearForm& form, const Model& model, const std::vector<double>& q, int i) {
  double sum = form.constant.empty() ? 0.0 : form.constant[i];
  for (const LinearTerm& term : form.terms) {
    const Slot& s = model.topology->slots[term.slot];
    for (int j = 0; j < s.size; ++j) sum += term.matrix[i * s.size + j] * q[s.offset + j];
  }
  return sum;
}
std::vector<Problem> problems_of(ModelBuilder& b) {
  try {
    b.build();
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

TEST(LinearRelations, FixedSlotsKeepTheirInitialPlaceAndLeaveTheUnknowns) {
  ModelBuilder b(2);
  const int free = add_point(b, "free", 1, 2), fixed = add_point(b, "fixed", 3, 4);
  b.fix(fixed, "joint.fix");
  const Model m = b.build();
  EXPECT_EQ(m.topology->ny, 2);
  EXPECT_EQ(m.topology->nq, 4);
  EXPECT_EQ(m.topology->slots[free].offset, 0) << "free slots come first";
  EXPECT_GE(m.topology->slots[fixed].dependent, 0);
  Dense<double> d(m);
  Random random(1);
  const std::vector<double> q = any_position(m, d.assembler, random);
  EXPECT_EQ(q[m.topology->slots[fixed].offset], 3);
  EXPECT_EQ(q[m.topology->slots[fixed].offset + 1], 4);
}

TEST(LinearRelations, PrescribedSlotsFollowTheirSignalsWithRates) {
  ModelBuilder b(2);
  const int p = add_point(b, "p", 1, 2);
  const int u = b.effective({.signal = 0}), w = b.effective({.signal = 1});
  b.prescribe(p, {{u, {1, 0}}, {w, {0.5, -2}}}, "motion.p");
  const Model m = b.build();
  Dense<double> d(m);
  const SignalValue signals[] = {{0.3, 4, 5}, {0.7, -6, 8}};
  d.assembler.set_signals(signals);
  std::vector<double> q(2), v(2), a(2);
  d.assembler.expand(q.data(), v.data(), a.data());
  EXPECT_DOUBLE_EQ(q[0], 1 + 0.3 + 0.35);
  EXPECT_DOUBLE_EQ(q[1], 2 - 1.4);
  EXPECT_DOUBLE_EQ(v[0], 4 - 3);
  EXPECT_DOUBLE_EQ(v[1], 12);
  EXPECT_DOUBLE_EQ(a[0], 5 + 4);
  EXPECT_DOUBLE_EQ(a[1], -16);
}

// A point inside an element is a weighted sum of four slots; a third point welded to it depends on them all.
TEST(LinearRelations, WeldsToAPlaceInAnElementUseItsWeights) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, 1, {.length = 0.4, .curvature = 1}, {});
  const double w[] = {0.784, 0.128 * 0.4, 0.216, -0.032 * 0.4};  // Hermite at ξ = 0.3, rounded
  LinearForm place{2, {}, {}, {}};
  const int slots[] = {c.r[0], c.g[0], c.r[1], c.g[1]};
  for (int k = 0; k < 4; ++k) place.terms.push_back({slots[k], {w[k], 0, 0, w[k]}});
  const int inside = b.combination("inside", SlotKind::point, place, "cable@0.3");
  const int other = b.slot("other", SlotKind::point, b.reference(inside));
  b.equate(other, {2, {{inside, {1, 0, 0, 1}}}, {}, {}}, "joint.weld");
  const Model m = b.build();
  EXPECT_EQ(m.topology->ny, 8);
  EXPECT_EQ(m.topology->dependents[m.topology->slots[other].dependent].weights.size(), 4u) << "the chain is flattened";
  Dense<double> d(m);
  Random random(2);
  const std::vector<double> q = any_position(m, d.assembler, random);
  for (int i = 0; i < 2; ++i) {
    double expected = 0;
    for (int k = 0; k < 4; ++k) expected += w[k] * q[m.topology->slots[slots[k]].offset + i];
    EXPECT_NEAR(q[m.topology->slots[other].offset + i], expected, 1e-15);
    EXPECT_EQ(q[m.topology->slots[other].offset + i], q[m.topology->slots[inside].offset + i]);
  }
}

TEST(LinearRelations, ChainsGiveTheSameInEveryOrder) {
  array<int, 4> order{0, 1, 2, 3};
  do {
    ModelBuilder b(2);
    int p[5];
    for (int i = 0; i < 5; ++i) p[i] = add_point(b, fmt::format("p{}", i).c_str(), i, -i);
    for (int k : order) {  // p[k+1] = p[k] + (1, −1); the first of all is fixed
      if (k == 3) {
        b.fix(p[0], "joint.ground");
      } else {
        b.equate(p[k + 1], {2, {{p[k], {1, 0, 0, 1}}}, {1, -1}, {}}, fmt::format("joint.{}", k));
      }
    }
    const Model m = b.build();
    EXPECT_EQ(m.topology->ny, 2) << "only p4 is free";
    Dense<double> d(m);
    Random random(3);
    const std::vector<double> q = any_position(m, d.assembler, random);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(q[m.topology->slots[p[i]].offset], i);
      EXPECT_EQ(q[m.topology->slots[p[i]].offset + 1], -i);
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

// Random relations through a common solution, imposed in random orders: all hold, the rank does not depend on order.
TEST(LinearRelations, RandomSystemsHoldInEveryOrderWithTheSameFreedom) {
  for (int trial = 0; trial < 40; ++trial) {
    Random random(100 + trial);
    const int points = 6, relations = 2 + trial % 6;
    std::vector<array<double, 2>> X(points);
    for (auto& x : X) x = {random.uniform(-1, 1), random.uniform(-1, 1)};
    std::vector<LinearForm> forms;
    for (int k = 0; k < relations; ++k) {
      LinearForm f{k % 2 + 1, {}, {}, {}};
      f.constant.assign(f.rows, 0.0);
      const int count = 1 + static_cast<int>(random.uniform(0, 3));
      for (int t = 0; t < count; ++t) {
        const int slot = static_cast<int>(random.uniform(0, points));
        LinearTerm term{slot, std::vector<double>(2 * f.rows)};
        for (double& x : term.matrix) x = random.uniform(-1, 1);
        for (int i = 0; i < f.rows; ++i)
          for (int j = 0; j < 2; ++j) f.constant[i] -= term.matrix[2 * i + j] * X[slot][j];
        f.terms.push_back(term);
      }
      forms.push_back(f);
    }
    int freedom = -1;
    std::vector<int> order(relations);
    std::iota(order.begin(), order.end(), 0);
    for (int shuffle = 0; shuffle < 5; ++shuffle) {
      ModelBuilder b(2);
      for (int i = 0; i < points; ++i) add_point(b, fmt::format("p{}", i).c_str(), X[i][0], X[i][1]);
      for (int k : order) b.relate(forms[k], fmt::format("joint.{}", k));
      ASSERT_TRUE(b.problems().empty()) << trial << ": " << b.problems()[0].message;
      const Model m = b.build();
      if (freedom < 0) freedom = m.topology->ny;
      EXPECT_EQ(m.topology->ny, freedom);
      Dense<double> d(m);
      const std::vector<double> q = any_position(m, d.assembler, random);
      double size = 1;
      for (double x : q) size = std::max(size, std::fabs(x));
      for (const LinearForm& f : forms)
        for (int i = 0; i < f.rows; ++i) EXPECT_NEAR(value(f, m, q, i), 0, 1e-10 * size) << "trial " << trial;
      for (int i = relations - 1; i > 0; --i) std::swap(order[i], order[static_cast<int>(random.uniform(0, i + 1))]);
    }
  }
}

// The residual's reduction is the transpose of the expansion: (Tᵀ r)·δy = r·(T δy) for all r and δy.
TEST(LinearRelations, ReductionIsTheTransposeOfExpansion) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, 3, {.length = 1, .angle = 0.3, .curvature = 0.8}, {});
  b.fix(c.r[0], "joint.pin");
  const double z = 1;
  const int stretch = b.slot("stretch", SlotKind::scalar, {&z, 1});
  b.equate(c.g[0], {2, {{stretch, {std::cos(0.3), std::sin(0.3)}}}, {}, {}}, "joint.clamp_direction");
  const auto X = b.reference(c.r[3]);
  b.relate(row({{c.r[3], {0.6, 0.8}}}, -0.6 * X[0] - 0.8 * X[1]), "joint.roller");
  const int inside = b.combination(
      "inside", SlotKind::point,
      {2, {{c.r[1], {.5, 0, 0, .5}}, {c.g[1], {.1, 0, 0, .1}}, {c.r[2], {.5, 0, 0, .5}}}, {}, {}}, "cable@0.5");
  const int welded = b.slot("welded", SlotKind::point, b.reference(inside));
  b.equate(welded, {2, {{inside, {1, 0, 0, 1}}}, {}, {}}, "joint.weld");
  const Model m = b.build();
  Dense<double> d(m);
  Random random(4);
  const int ny = m.topology->ny, nq = m.topology->nq;
  std::vector<double> zero(nq, 0.0), q0 = d.assembler.initial_q(), v(nq, 0.0), a(nq, 0.0);
  d.assembler.expand(q0.data(), v.data(), a.data());
  for (int trial = 0; trial < 5; ++trial) {
    std::vector<double> q = d.assembler.initial_q(), delta(nq, 0.0);
    for (int i = 0; i < ny; ++i) q[i] += random.uniform(-1, 1);
    v = zero, a = zero;
    d.assembler.expand(q.data(), v.data(), a.data());
    std::vector<double> r(d.assembler.residual_size(), 0.0);
    for (int i = 0; i < nq; ++i) r[i] = random.uniform(-1, 1);
    double full = 0, reduced = 0;
    for (int i = 0; i < nq; ++i) full += r[i] * (q[i] - q0[i]);
    d.assembler.reduce(r.data());
    for (int i = 0; i < ny; ++i) reduced += r[i] * (q[i] - q0[i]);
    EXPECT_NEAR(full, reduced, 1e-13);
  }
}

TEST(LinearRelations, RollersAddUpOnAPoint) {
  const auto freedom = [](std::vector<array<double, 3>> rollers) {  // n, n·X
    ModelBuilder b(2);
    const int p = add_point(b, "p", 1, 1);
    for (const auto& n : rollers) b.relate(row({{p, {n[0], n[1]}}}, -n[2]), "joint.roller");
    EXPECT_TRUE(b.problems().empty());
    const Model m = b.build();
    Dense<double> d(m);
    Random random(5);
    const std::vector<double> q = any_position(m, d.assembler, random);
    for (const auto& n : rollers)
      EXPECT_NEAR(n[0] * q[m.topology->slots[p].offset] + n[1] * q[m.topology->slots[p].offset + 1], n[2], 1e-14);
    return m.topology->ny;
  };
  EXPECT_EQ(freedom({{0, 1, 1}}), 1);
  EXPECT_EQ(freedom({{0.6, 0.8, 1.4}}), 1);
  EXPECT_EQ(freedom({{0.6, 0.8, 1.4}, {0.8, -0.6, 0.2}}), 0) << "two rollers are a pin";
  EXPECT_EQ(freedom({{0.6, 0.8, 1.4}, {0.6, 0.8, 1.4}}), 1) << "the same roller twice is redundant, not wrong";
  EXPECT_EQ(freedom({{0.6, 0.8, 1.4}, {-6, -8, -14}}), 1);
  EXPECT_EQ(freedom({{1, 0, 1}, {0, 1, 1}, {0.6, 0.8, 1.4}}), 0) << "a third roller is redundant";
}

TEST(LinearRelations, ARollerAfterAndBeforeAFixIsRedundant) {
  for (bool first : {true, false}) {
    ModelBuilder b(2);
    const int p = add_point(b, "p", 1, 1);
    if (first) b.fix(p, "joint.fix");
    b.relate(row({{p, {0.6, 0.8}}}, -1.4), "joint.roller");
    if (!first) b.fix(p, "joint.fix");
    EXPECT_TRUE(b.problems().empty());
    EXPECT_EQ(b.build().topology->ny, 0);
  }
}

// The gradient may stretch but not turn: one unknown of the two is left.
TEST(LinearRelations, ClampDirectionLeavesTheLengthFree) {
  ModelBuilder b(2);
  const int g = b.slot("g", SlotKind::vector, array{0.6, 0.8});
  const double one = 1;
  const int length = b.slot("length", SlotKind::scalar, {&one, 1});
  b.equate(g, {2, {{length, {0.6, 0.8}}}, {}, {}}, "joint.clamp");
  const Model m = b.build();
  EXPECT_EQ(m.topology->ny, 1);
  Dense<double> d(m);
  Random random(6);
  const std::vector<double> q = any_position(m, d.assembler, random);
  const int at = m.topology->slots[g].offset;
  EXPECT_NEAR(0.8 * q[at] - 0.6 * q[at + 1], 0, 1e-15);
  EXPECT_GT(std::hypot(q[at], q[at + 1]), 0.01);
}

TEST(LinearRelations, ClosedChainsOfWeldsAreRedundant) {
  ModelBuilder b(2);
  const int p[] = {add_point(b, "a", 0, 0), add_point(b, "b", 1, 0), add_point(b, "c", 1, 1)};
  const double offset[3][2] = {{-1, 0}, {0, -1}, {1, 1}};
  for (int k = 0; k < 3; ++k)
    b.equate(p[k], {2, {{p[(k + 1) % 3], {1, 0, 0, 1}}}, {offset[k][0], offset[k][1]}, {}}, "joint.weld");
  EXPECT_EQ(b.build().topology->ny, 2);
}

TEST(LinearRelations, ContradictionsNameBothSides) {
  ModelBuilder b(2);
  const int p = add_point(b, "p", 0, 0), r = add_point(b, "r", 0.25, 0);
  b.fix(p, "joint.left");
  b.fix(r, "joint.right");
  b.equate(p, {2, {{r, {1, 0, 0, 1}}}, {}, {}}, "joint.pin", {"a.toml", 7, 3});
  const std::vector<Problem> problems = problems_of(b);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "joint.pin");
  EXPECT_EQ(problems[0].source.line, 7);
  EXPECT_NE(problems[0].message.find("joint.left"), std::string::npos) << problems[0].message;
  EXPECT_NE(problems[0].message.find("joint.right"), std::string::npos) << problems[0].message;
  EXPECT_NE(problems[0].message.find("0.25"), std::string::npos) << problems[0].message;
}

TEST(LinearRelations, AContradictionThroughAChainNamesItsOrigin) {
  ModelBuilder b(2);
  const int p = add_point(b, "p", 0, 0), r = add_point(b, "r", 0, 0), s = add_point(b, "s", 2, 0);
  b.equate(p, {2, {{r, {1, 0, 0, 1}}}, {}, {}}, "joint.first");
  b.equate(r, {2, {{s, {1, 0, 0, 1}}}, {-2, 0}, {}}, "joint.second");
  b.fix(s, "joint.ground");
  b.relate(row({{p, {1, 0}}}, -0.5), "joint.roller");
  const std::vector<Problem> problems = problems_of(b);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "joint.roller");
  EXPECT_NE(problems[0].message.find("joint.ground"), std::string::npos) << problems[0].message;
}

// Two motions of one point agree today and part tomorrow.
TEST(LinearRelations, TwoMotionsOfOnePointContradict) {
  ModelBuilder b(2);
  const int p = add_point(b, "p", 0, 0);
  b.prescribe(p, {{b.effective({.signal = 0}), {1, 0}}}, "motion.one");
  b.prescribe(p, {{b.effective({.signal = 1}), {1, 0}}}, "motion.two");
  const std::vector<Problem> problems = problems_of(b);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].message.find("motion.one"), std::string::npos) << problems[0].message;
  ModelBuilder same(2);
  const int s = add_point(same, "s", 0, 0), u = same.effective({.signal = 0});
  same.prescribe(s, {{u, {1, 0}}}, "motion.one");
  same.prescribe(s, {{u, {1, 0}}}, "motion.again");
  EXPECT_TRUE(problems_of(same).empty());
}

// Rounding of the places is not a contradiction: 1e-9 of the coordinates' size is the line.
TEST(LinearRelations, PlacesThatDifferByRoundingAgree) {
  for (const auto& [gap, count] : {std::pair{1e-11, 0u}, std::pair{1e-6, 1u}}) {
    ModelBuilder b(2);
    const int p = add_point(b, "p", 1, 0), r = add_point(b, "r", 1 + gap, 0);
    b.fix(p, "joint.left");
    b.fix(r, "joint.right");
    b.equate(p, {2, {{r, {1, 0, 0, 1}}}, {}, {}}, "joint.pin");
    EXPECT_EQ(problems_of(b).size(), count) << gap;
  }
}

TEST(ModelBuilder, ReportsAllProblemsAtOnce) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, 1, {}, {});
  const double p[] = {2000, 0.02, 0.1, 1, 0, 0}, bad[] = {-1, 0.02, std::nan(""), 1, 0, 0};
  const array slots{c.r[0], c.g[0], c.r[1], c.g[1]};
  const array options{0, 0, 0, 0};
  b.item("ancf_cabel_2d", slots, p, options, "cable.wrong");
  b.item("ancf_cable_2d", slots, bad, options, "cable.bad");
  b.item("ancf_cable_2d", std::span(slots).first(3), p, options, "cable.short");
  b.item("ancf_cable_2d", slots, std::span(p).first(5), options, "cable.few");
  b.item("ancf_cable_2d", slots, p, std::span(options).first(1), "cable.options");
  b.item("point_mass_2d", array{99}, array{1.0}, {}, "mass.lost");
  b.fix(c.r[0], "joint.a");
  b.equate(c.r[0], {2, {}, {5, 5}, {}}, "joint.b");
  const std::vector<Problem> problems = problems_of(b);
  EXPECT_EQ(problems.size(), 8u);
  const auto about = [&](const char* path, const char* text) {
    return std::any_of(problems.begin(), problems.end(),
                       [&](const Problem& x) { return x.path == path && describe(x).find(text) != std::string::npos; });
  };
  EXPECT_TRUE(about("cable.wrong", "nearest: \"ancf_cable_2d\""));
  EXPECT_TRUE(about("cable.bad", "EA = -1 N"));
  EXPECT_TRUE(about("cable.bad", "rhoA (mass per length) is missing, or comes out as no number"));
  EXPECT_TRUE(about("cable.short", "touches 4 slots, 3 were given"));
  EXPECT_TRUE(about("cable.few", "6 parameters, 5 were given"));
  EXPECT_TRUE(about("cable.options", "4 options, 1 were given"));
  EXPECT_TRUE(about("mass.lost", "slot 0 does not exist"));
  EXPECT_TRUE(about("joint.b", "contradicts joint.a"));
}

TEST(ModelBuilder, RefusesRelationsOfMultipliers) {
  ModelBuilder b(2);
  add_point(b, "p", 0, 0);
  const int lambda = b.multiplier("joint.rod");
  b.fix(lambda, "joint.fix");
  ASSERT_EQ(problems_of(b).size(), 1u);
  EXPECT_EQ(problems_of(b)[0].path, "joint.rod");
}

TEST(ModelBuilder, NumbersCoordinatesThenMultipliersThenDependents) {
  ModelBuilder b(2);
  const int lambda = b.multiplier("rod");
  const int p = add_point(b, "p", 0, 0), fixed = add_point(b, "fixed", 1, 0);
  b.fix(fixed, "joint.fix");
  b.item("distance_2d", array{p, fixed, lambda}, array{1.0}, {}, "joint.rod");
  const Model m = b.build();
  EXPECT_EQ(m.topology->ncoord, 2);
  EXPECT_EQ(m.topology->ny, 3);
  EXPECT_EQ(m.topology->nq, 5);
  EXPECT_EQ(m.topology->slots[p].offset, 0);
  EXPECT_EQ(m.topology->slots[lambda].offset, 2);
  EXPECT_EQ(m.topology->slots[fixed].offset, 3);
  EXPECT_EQ(m.topology->find_slot("p"), p);
  EXPECT_EQ(m.topology->find_slot("q"), -1);
}

TEST(ModelBuilder, ItemsOfOneTypeAndOptionsShareABatch) {
  ModelBuilder b(2);
  add_cable(b, 3, {}, {});
  add_cable(b, 2, {.y = 1}, {}, material_engineering);
  add_cable(b, 4, {.y = 2}, {});
  const Model m = b.build();
  ASSERT_EQ(m.topology->batches.size(), 2u);
  EXPECT_EQ(m.topology->batches[0].count, 7);
  EXPECT_EQ(m.topology->batches[1].count, 2);
}

}  // namespace
}  // namespace flexura::test
