// Constraints that follow from others: found by their polynomials, left out of the model, contradictions named.

#include "flexura/model/redundancy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "flexura/constraint/distance.hpp"
#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/vector_length.hpp"
#include "flexura/model/model_builder.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using std::array;
using Row = std::vector<double>;  ///< constant, then the coefficients of x₁², x₂², …

QuadraticConstraint polynomial(const Row& row) {
  QuadraticConstraint out;
  for (size_t i = 0; i < row.size(); ++i)
    if (row[i] != 0 || i == 0)
      out.terms.push_back(
          {i == 0 ? 0 : (static_cast<std::uint64_t>(i) << 32 | i), row[i], std::fabs(row[i]) + (i == 0)});
  return out;
}
Redundancy redundancy(const std::vector<Row>& rows) {
  std::vector<QuadraticConstraint> all;
  for (const Row& row : rows) all.push_back(polynomial(row));
  return find_redundancy(all);
}

TEST(Redundancy, IndependentEquationsAreKept) {
  const Redundancy found = redundancy({{-1, 1, 0, 0}, {-1, 1, 1, 0}, {-1, 0, 1, 1}});
  EXPECT_TRUE(found.implied.empty());
  EXPECT_TRUE(found.contradictions.empty());
}

TEST(Redundancy, TheLaterOfTwoThatAreMultiplesIsImplied) {
  EXPECT_EQ(redundancy({{-1, 1, 2, 0}, {-3, 0, 1, 1}, {0.5, -0.5, -1, 0}}).implied, std::vector{2});
}

// x² + 10⁻⁶ y², x² and y²: the first two say nearly the same, so one of them is left out, and not y². Kept, they would leave y² to a
// difference of 10⁻⁶, whose square counts as redundant in the factorisation.
TEST(Redundancy, OfEquationsThatNearlyAgreeOneIsLeftOut) {
  EXPECT_EQ(redundancy({{-1, 1, 1e-6}, {-1, 1, 0}, {0, 0, 1}}).implied, std::vector{1});
  EXPECT_EQ(redundancy({{0, 0, 1}, {-1, 1, 0}, {-1, 1, 1e-6}}).implied, std::vector{2});
}

// Directions in files have ten digits or so: what they leave of a row is rounding, and as an equation would lock a mechanism.
TEST(Redundancy, WhatRoundingLeavesOfARowIsNone) {
  for (const double left : {2e-12, 2e-8})
    EXPECT_EQ(redundancy({{-1, 1, 0, 0}, {-2, 1, 1, 0}, {-1, 0, 1, left}, {0, 0, 0, 1}}).implied.size(), 1u) << left;
  EXPECT_TRUE(redundancy({{-1, 1, 0, 0}, {-2, 1, 1, 0}, {-1, 0, 1, 2e-5}}).implied.empty());
}

// The third is the sum of the first two; none is a multiple of another.
TEST(Redundancy, SumsOfSeveralAreFound) {
  EXPECT_EQ(redundancy({{-1, 1, 1, 0}, {-2, 0, -1, 1}, {-3, 1, 0, 1}}).implied, std::vector{2});
}

TEST(Redundancy, ConstantsThatDisagreeAreContradictions) {
  const Redundancy found = redundancy({{-1, 1, 1, 0}, {-2, 0, -1, 1}, {-5, 1, 2, 3}, {-3.1, 1, 0, 1}});
  EXPECT_TRUE(found.implied.empty());
  ASSERT_EQ(found.contradictions.size(), 1u);
  EXPECT_EQ(found.contradictions[0].constraint, 3);
  EXPECT_EQ(found.contradictions[0].with, (std::vector{0, 1}));
  EXPECT_NEAR(found.contradictions[0].mismatch, 0.1, 1e-12);
}

TEST(Redundancy, AnEquationWithoutUnknownsHoldsOrContradicts) {
  EXPECT_EQ(redundancy({{1e-12}, {-1, 1}}).implied, std::vector{0});
  const Redundancy found = redundancy({{0.3}});
  ASSERT_EQ(found.contradictions.size(), 1u);
  EXPECT_TRUE(found.contradictions[0].with.empty());
}

// Random combinations of random rows, with scales over four decades: exactly the dependent ones are found.
TEST(Redundancy, OfRandomSystemsIsTheRankDeficiency) {
  Random random(5);
  for (int sample = 0; sample < 200; ++sample) {
    const int independent = 2 + sample % 6, dependent = sample % 4, columns = independent + 3;
    std::vector<Row> rows;
    for (int i = 0; i < independent; ++i) {
      Row row(columns + 1, 0.0);
      for (double& x : row) x = random.uniform(0, 1) < 0.6 ? random.spread(1e-2, 1e2) : 0.0;
      row[1 + i] += 1e2;
      rows.push_back(row);
    }
    for (int i = 0; i < dependent; ++i) {
      Row row(columns + 1, 0.0);
      for (int k = 0; k < independent; ++k) {
        const double factor = random.uniform(-2, 2);
        for (int c = 0; c <= columns; ++c) row[c] += factor * rows[k][c];
      }
      rows.push_back(row);
    }
    const Redundancy found = redundancy(rows);
    EXPECT_EQ(static_cast<int>(found.implied.size()), dependent) << sample;
    EXPECT_TRUE(found.contradictions.empty()) << sample;
  }
}

// Each row is reduced by all before it, which were reduced by all before them: n³/6 constraints are read where each is noted once, beside
// 2 n³/3 coefficients; 2ⁿ where again with each row that has been reduced by it. The last is the sum of all but for its constant.
TEST(Redundancy, OfDenseSystemsIsFoundInTheCubeOfTheirSize) {
  Random random(3);
  constexpr int count = 24;
  std::vector<Row> rows(count, Row(count + 1));
  Row last(count + 1, 0.0);
  for (Row& row : rows)
    for (int c = 0; c <= count; ++c) last[c] += row[c] = random.uniform(-1, 1);
  last[0] += 1;
  rows.push_back(last);
  const Redundancy found = redundancy(rows);
  ASSERT_EQ(found.contradictions.size(), 1u);
  EXPECT_EQ(found.contradictions[0].with.size(), 24u);
  EXPECT_TRUE(std::ranges::is_sorted(found.contradictions[0].with));
  EXPECT_LE(found.work, count * count * count);
}

// ── Models ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/// Bodies of two points and two vectors in space, with their six equations each.
struct Body {
  int p, q, v, w;  ///< start, end, hinge axis at the end, third direction
};
LinearForm sum(int rows, const std::vector<std::pair<int, double>>& parts) {
  LinearForm form{rows, {}, {}, {}};
  for (const auto& [slot, factor] : parts) {
    std::vector<double> m(static_cast<size_t>(rows) * rows, 0.0);
    for (int i = 0; i < rows; ++i) m[i * rows + i] = factor;
    form.terms.push_back({slot, m});
  }
  return form;
}
void add_rigidity(ModelBuilder& b, const Body& x, double length, const std::string& name) {
  const int edge = b.combination(name + ".edge", SlotKind::vector, sum(3, {{x.p, -1}, {x.q, 1}}), name);
  const auto lambda = [&](const char* what) {
    const int multiplier = b.multiplier(name + "." + what + ".lambda");
    b.may_be_implied(multiplier);
    return multiplier;
  };
  const auto inner = [&](int a, int c, const char* what) {
    b.item<InnerProduct3d>({a, c, lambda(what)}, {}, name + "." + what);
  };
  b.item<Distance3d>({x.p, x.q, lambda("length")}, {.length = length}, name + ".length");
  b.item<VectorLength3d>({x.v, lambda("v")}, {}, name + ".v");
  b.item<VectorLength3d>({x.w, lambda("w")}, {}, name + ".w");
  inner(edge, x.v, "edge_v");
  inner(edge, x.w, "edge_w");
  inner(x.v, x.w, "v_w");
}
/// A chain along x with hinges about z: neighbours share the point and the axis.
Model chain(int bodies) {
  ModelBuilder b(3);
  const auto point = [&](int i) { return b.slot("p" + std::to_string(i), SlotKind::point, array{0.25 * i, 0.0, 0.0}); };
  const auto axis = [&](int i) { return b.slot("a" + std::to_string(i), SlotKind::vector, array{0.0, 0.0, 1.0}); };
  int p = point(0), v = axis(0);
  for (int i = 0; i < bodies; ++i) {
    const std::string name = "body" + std::to_string(i);
    const int q = point(i + 1);
    const int w = b.slot(name + ".w", SlotKind::vector, array{0.0, 1.0, 0.0});
    add_rigidity(b, {p, q, v, w}, 0.25, name);
    p = q;
  }
  return b.build();
}

// |a|² = 1 of the axis that all bodies share is said once.
TEST(Redundancy, ASharedHingeAxisHasOneLength) {
  const Model m = chain(3);
  EXPECT_EQ(m.topology->implied, (std::vector<std::string>{"body1.v", "body2.v"}));
  EXPECT_EQ(m.topology->ny - m.topology->ncoord, 16);
  const int dropped = m.topology->find_slot("body1.v.lambda");
  EXPECT_GE(m.topology->slots[dropped].offset, m.topology->ny);
  EXPECT_FALSE(m.topology->slots[dropped].multiplier);
}

// Four bars with parallel hinges: coordinates 4 × 3 + 3 + 4 × 3 less the ground's point and axis. The ground bar has no
// freedom but the choice of w; what is left in space of the planar loop's closure is 3 redundant equations, all exact.
TEST(Redundancy, APlanarLoopInSpaceClosesOnce) {
  ModelBuilder b(3);
  const double corners[4][3] = {{0, 0, 0}, {0.3, 0.4, 0}, {0.9, 0.5, 0}, {1, 0, 0}};
  int p[4];
  for (int i = 0; i < 4; ++i) p[i] = b.slot("p" + std::to_string(i), SlotKind::point, corners[i]);
  const int axis = b.slot("axis", SlotKind::vector, array{0.0, 0.0, 1.0});
  b.fix(p[0], "ground");
  b.fix(p[3], "ground");
  b.fix(axis, "ground");
  for (int i = 0; i < 3; ++i) {
    const double x = corners[i + 1][0] - corners[i][0], y = corners[i + 1][1] - corners[i][1];
    const double l = std::hypot(x, y);
    const std::string name = "bar" + std::to_string(i);
    const int w = b.slot(name + ".w", SlotKind::vector, array{-y / l, x / l, 0.0});
    add_rigidity(b, {p[i], p[i + 1], axis, w}, l, name);
  }
  const Model m = b.build();
  // Implied: |axis| three times, and one of the three (p_{i+1} − p_i)·axis = 0, since p₀ and p₃ are fixed.
  EXPECT_EQ(m.topology->implied.size(), 4u);
  EXPECT_EQ(m.topology->ncoord - (m.topology->ny - m.topology->ncoord), 1) << "a four-bar has one degree of freedom";
}

TEST(Redundancy, AContradictionNamesBothConstraints) {
  ModelBuilder b(3);
  const int p = b.slot("p", SlotKind::point, array{0.0, 0.0, 0.0}),
            q = b.slot("q", SlotKind::point, array{1.0, 0.0, 0.0});
  b.item<Distance3d>({p, q, b.multiplier("l1")}, {.length = 1.0}, "rod.one");
  b.item<Distance3d>({q, p, b.multiplier("l2")}, {.length = 1.1}, "rod.two");
  try {
    b.build();
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 1u);
    EXPECT_EQ(error.problems()[0].path, "rod.two");
    EXPECT_NE(error.problems()[0].message.find("contradicts rod.one"), std::string::npos) << error.what();
  }
}

// Either follows from the other; only what may be left out is.
TEST(Redundancy, OfARodBetweenPlacesOfABarOneIsLeftOutIfItMayBe) {
  for (int sample = 0; sample < 9; ++sample) {
    const double size = std::pow(1e3, sample / 3 - 1);  // a machine of millimetres, of kilometres
    const int which = sample % 3;                       // none, the first or the second may be left out
    ModelBuilder b(2);
    const int p = b.slot("p", SlotKind::point, array{0.2 * size, 0.1 * size});
    const int q = b.slot("q", SlotKind::point, array{1.0 * size, 0.7 * size});
    const int u = b.combination("u", SlotKind::point, sum(2, {{p, 0.7}, {q, 0.3}}), "bar");
    const int v = b.combination("v", SlotKind::point, sum(2, {{p, -0.1}, {q, 1.1}}), "bar");
    const int first = b.multiplier("l0"), second = b.multiplier("l1");
    b.item<Distance2d>({p, q, first}, {.length = size}, "bar");
    b.item<Distance2d>({u, v, second}, {.length = 0.8 * size}, "rod");
    if (which != 0) b.may_be_implied(which == 1 ? first : second);
    const std::vector<std::string> expected[] = {{}, {"bar"}, {"rod"}};
    EXPECT_EQ(b.build().topology->implied, expected[which]) << size;
  }
}

// Slots driven by signals keep their equations: what signals do is not known here.
TEST(Redundancy, OfDrivenDirectionsNothingIsAssumed) {
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  signals->add("c", SineSignal{.amplitude = 1, .frequency = 1});
  EXPECT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const int a = b.slot("a", SlotKind::vector, array{1.0, 0.0});
  b.prescribe(a, {{b.effective({.signal = 0}), {0.0, 1.0}}}, "motion");
  const int lambda = b.multiplier("l");
  b.may_be_implied(lambda);
  b.item<VectorLength2d>({a, lambda}, {}, "length");
  EXPECT_TRUE(b.build().topology->implied.empty());
}

// 1000 against 250 bodies: 4 times the work.
TEST(Redundancy, OfAChainTakesWorkInProportionToIt) {
  const auto work = [](int bodies) {
    std::vector<QuadraticConstraint> rows;
    std::vector<double> y(1000000, 0.3);
    for (int i = 0; i < bodies; ++i) {  // p_i, p_{i+1}, w_i of their own; a shared axis
      const auto vector = [](int first) {
        AffineVector a;
        for (int k = 0; k < 3; ++k) a.parts.push_back({{first + k, 1.0}});
        a.constant.assign(3, 0.0);
        a.size.assign(3, 0.0);
        return a;
      };
      const AffineVector p = vector(3 + 6 * i), w = vector(6 + 6 * i), q = vector(9 + 6 * i), axis = vector(0);
      const array length{0.25, 0.0}, one{1.0, 0.0}, none{0.0, 0.0};
      rows.push_back(quadratic_constraint("distance_3d", array{p, q}, length, y));
      rows.push_back(quadratic_constraint("vector_length_3d", array{axis}, one, y));
      rows.push_back(quadratic_constraint("vector_length_3d", array{w}, one, y));
      rows.push_back(quadratic_constraint("offset_3d", array{p, q, axis}, none, y));
      rows.push_back(quadratic_constraint("offset_3d", array{p, q, w}, none, y));
      rows.push_back(quadratic_constraint("inner_product_3d", array{axis, w}, none, y));
    }
    const Redundancy found = find_redundancy(rows);
    EXPECT_EQ(found.implied.size(), static_cast<size_t>(bodies - 1));
    return found.work;
  };
  EXPECT_LE(work(1000), 4.1 * work(250));
}

}  // namespace
}  // namespace flexura::test
