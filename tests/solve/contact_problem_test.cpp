// Linear problems with contacts: their solutions are those of least energy, by the conditions of Karush, Kuhn and Tucker.

#include "flexura/solve/contact_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/machines.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

/// Balls that fly into each other between walls: n points of some mass in space, everyone near its neighbours in a block of
/// `width` × `width` × …, all normals turned at random. There is a way out, in which half of them touch.
struct Jam {
  Jam(int n, int width, Random& random)
      : simulation(points(n, random)), overlay(simulation.system.assembler, slots(n)) {
    const auto at = [&](int k) {
      return Vec3d{double(k % width), double(k / width % width), double(k / width / width)};
    };
    std::vector<double> way_out(3 * n);
    for (double& x : way_out) x = random.uniform(-1, 1);
    const auto push = [&](PointPair pair, Vec3d normal) {
      for (int i = 0; i < 3; ++i) normal[i] += random.uniform(-0.3, 0.3);
      normal = normal / norm(normal);
      const double slack = std::max(0.0, random.uniform(-1, 1));
      rows.push_back({pair, normal, slack - overlay.along(pair, normal, way_out.data()), 0, 1, 0});
    };
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < a; ++b)
        if (const Vec3d d = at(a) - at(b); norm(d) < 1.5) push({a, b}, d / norm(d));
      for (int i = 0; i < 3; ++i) {
        Vec3d wall{};
        wall[i] = 1;
        if (at(a)[i] == 0) push({a, -1}, wall);
        if (i < 2 && at(a)[i] == width - 1) push({a, -1}, -1.0 * wall);
      }
    }
    const size_t given = rows.size();
    for (size_t k = 0; k < given; k += 7) rows.push_back(rows[k]);  // the same twice
    System<double>& system = simulation.system;
    K.assign(system.solver.layout().value_count(), 0.0);
    system.assembler.mass_matrix(K.data());
    mass.assign(system.topology().ny, 0.0);
    system.solver.diagonal(K, std::span<double>(mass));
    for (ContactProblem::Row& row : rows) row.scale = 1 / overlay.compliance(row.points, row.n, mass);
  }
  static Model points(int n, Random& random) {
    ModelBuilder builder(3);
    for (int k = 0; k < n; ++k) {
      const std::string name = "p" + std::to_string(k);
      const int slot = builder.slot(name, SlotKind::point, std::array{double(k), 0.0, 0.0});
      builder.item("point_mass_3d", std::array{slot}, std::array{random.uniform(0.1, 2)}, {}, name);
    }
    return builder.build();
  }
  static std::vector<int> slots(int n) {
    std::vector<int> out(n);
    for (int k = 0; k < n; ++k) out[k] = k;
    return out;
  }

  Simulation<double> simulation;
  Overlay overlay;
  std::vector<double> K, mass;
  std::vector<ContactProblem::Row> rows;
};

// Gaps to 1e-11 of what they are compared with, the tolerance of the solution; forces to 1e-9 of the largest: what rounding
// leaves of 1e6 times the mass.
TEST(ContactProblem, FindsWhoPushes) {
  Random random(5);
  for (const auto& [n, width] : {std::pair{2, 2}, {30, 3}, {120, 2}, {200, 4}}) {
    for (int sample = 0; sample < 4; ++sample) {
      Jam jam(n, width, random);
      ContactProblem problem(jam.overlay);
      problem.rows() = jam.rows;
      std::vector<double> b(jam.mass.size()), x(b.size());
      for (double& f : b) f = random.uniform(-1, 1);
      ASSERT_TRUE(problem.solve(jam.simulation.system.solver, jam.K, b, x)) << n << " points, sample " << sample;
      std::vector<double> rest = b;
      for (size_t i = 0; i < x.size(); ++i) rest[i] -= jam.mass[i] * x[i];
      double largest = 0;
      int pushing = 0;
      for (const ContactProblem::Row& row : problem.rows()) {
        const double gap = row.free + jam.overlay.along(row.points, row.n, x.data());
        EXPECT_GE(gap, -1e-11);
        EXPECT_TRUE(row.force == 0 || std::fabs(gap) <= 1e-11) << row.force << " at " << gap;
        largest = std::max(largest, row.force);
        pushing += row.force > 0;
        jam.overlay.add_reduced_force(row.points, row.force * row.n, rest.data());
      }
      for (const ContactProblem::Row& row : problem.rows()) EXPECT_GE(row.force, -1e-9 * largest);
      for (const double f : rest) EXPECT_NEAR(f, 0, 1e-9 * largest);
      EXPECT_GT(pushing, n / 4);
    }
  }
}

// With other loads the factor of the last solution serves wherever the same contacts push: to the bit what a fresh one gives.
TEST(ContactProblem, TakesTheLastFactorAgain) {
  Random random(8);
  Jam jam(2, 2, random);
  ContactProblem problem(jam.overlay);
  problem.rows() = {
      {{0, -1}, {{1, 0, 0}}, 0, 1, 1, 0}, {{1, -1}, {{0.6, 0.8, 0}}, -0.1, 1, 1, 0}, {{1, 0}, {{0, 0, 1}}, 2, 1, 1, 0}};
  std::vector<double> b(jam.mass.size(), -1.0), x(b.size()), fresh(b.size());
  LinearSolver<double>& solver = jam.simulation.system.solver;
  ASSERT_TRUE(problem.solve(solver, jam.K, b, x));
  for (double& f : b) f *= 1.1;
  const std::vector<ContactProblem::Row> guess = problem.rows();
  ASSERT_TRUE(problem.solve(solver, jam.K, b, x, true));
  EXPECT_EQ(problem.factorizations(), 0);
  problem.rows() = guess;
  ASSERT_TRUE(problem.solve(solver, jam.K, b, fresh));
  EXPECT_GT(problem.factorizations(), 0);
  EXPECT_EQ(x, fresh);
}

TEST(BlockPivoting, CountsOnlyWhatIsWrong) {
  BlockPivoting rule;
  for (int look = 0; look < 20; ++look) EXPECT_TRUE(rule.changes_all(0));
  EXPECT_TRUE(rule.changes_all(30));
  EXPECT_TRUE(rule.changes_all(20));
  for (int look = 0; look < 8; ++look) EXPECT_TRUE(rule.changes_all(20)) << look;
  EXPECT_FALSE(rule.changes_all(20));
  EXPECT_TRUE(rule.changes_all(19));
}

TEST(ContactProblem, IsOfNoConsequenceWhereNothingMeets) {
  Random random(6);
  Jam jam(10, 2, random);
  ContactProblem problem(jam.overlay);
  std::vector<double> b(jam.mass.size(), 1.0), x(b.size(), 7.0);
  ASSERT_TRUE(problem.solve(jam.simulation.system.solver, jam.K, b, x));
  for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], 1 / jam.mass[i], 1e-14 / jam.mass[i]);
}

}  // namespace
}  // namespace flexura::test
