// Modes of a stretched string of masses in space, which has closed forms, equal frequencies and near ones; complex pairs of a
// column that flutters.

#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "flexura/load/follower_force.hpp"
#include "flexura/load/spring_damper.hpp"
#include "flexura/solve/modes.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

/// n masses between two walls, springs of rate k and free length l₀ < 1 between neighbours at a distance of 1:
///     along     ω_j = 2 √(k/m) sin(jπ/2(n + 1)),            damped by ζ_j = c ω_j/2k
///     across    ω_j = 2 √(k(1 − l₀)/m) sin(jπ/2(n + 1)),    twice, undamped
struct String {
  int n;
  double k = 100, m = 2, free_length = 0.75, damping = 0;

  Model build() const {
    ModelBuilder b(3);
    std::vector<int> p;
    for (int i = 0; i <= n + 1; ++i)
      p.push_back(b.slot(fmt::format("p{}", i), SlotKind::point, std::array{static_cast<double>(i), 0.0, 0.0}));
    b.fix(p.front(), "wall");
    b.fix(p.back(), "wall");
    for (int i = 1; i <= n; ++i) b.item<PointMass3d>({p[i]}, {.m = m}, "mass");
    for (int i = 0; i <= n; ++i)
      b.item<SpringDamper3d>({p[i], p[i + 1]}, {.stiffness = k, .damping = damping, .free_length = free_length}, "s");
    return b.build();
  }
  double along(int j) const { return 2 * std::sqrt(k / m) * std::sin(j * std::numbers::pi / (2 * (n + 1))); }
  double across(int j) const { return std::sqrt(1 - free_length) * along(j); }

  struct Expected {
    double frequency, damping;  ///< [Hz], [1]
  };
  std::vector<Expected> modes(int count) const {
    std::vector<std::pair<double, double>> all;  // ω, ζ
    for (int j = 1; j <= n; ++j) {
      all.insert(all.end(), 2, {across(j), 0.0});
      all.emplace_back(along(j), damping * along(j) / (2 * k));
    }
    std::ranges::sort(all);
    std::vector<Expected> out;
    for (int i = 0; i < count; ++i)
      out.push_back({all[i].first * std::sqrt(1 - all[i].second * all[i].second) / two_pi, all[i].second});
    return out;
  }
};

void expect_modes(const Modes& modes, const String& string, int count, double tolerance) {
  ASSERT_TRUE(modes.converged) << modes.problem;
  ASSERT_EQ(modes.count(), count);
  ASSERT_EQ(modes.residual.size(), static_cast<size_t>(count));
  const std::vector<String::Expected> expected = string.modes(count);
  for (int i = 0; i < count; ++i) {
    EXPECT_NEAR(modes.frequency[i], expected[i].frequency, tolerance * expected[i].frequency) << i;
    const double damping = modes.damping.empty() ? 0.0 : modes.damping[i];
    EXPECT_NEAR(damping, expected[i].damping, tolerance) << i;
    EXPECT_LT(modes.residual[i], 1e-8) << i;
  }
}

// l₀ = 3/4: ω across is half of ω along, so that the second pair across lies 1 − cos(π/2(n + 1)) below the first mode along: 5e-5 at
// n = 150. Both methods, and the complex one with more than 200 unknowns, find each of the three. 1e-8: 100 times the measured error.
TEST(ModePairs, AStretchedStringHasEqualFrequenciesAcrossAndNearOnesAlong) {
  for (const int n : {5, 20, 150}) {
    const String string{.n = n};
    Simulation<double> s(string.build());
    const int count = std::min(12, 3 * n);
    for (const ModesMethod method : {ModesMethod::dense, ModesMethod::krylov})
      expect_modes(solve_modes(s.system, s.state, {.count = count, .method = method}), string, count, 1e-8);
    expect_modes(solve_modes(s.system, s.state, {.count = count, .damped = true}), string, count, 1e-8);
  }
}

TEST(ModePairs, DampersAlongTheStringLeaveItsMotionAcrossUndamped) {
  for (const int n : {5, 20, 150})
    for (const double damping : {0.1, 2.0}) {
      const String string{.n = n, .damping = damping};
      Simulation<double> s(string.build());
      const Modes modes = solve_modes(s.system, s.state, {.count = 12, .damped = true});
      expect_modes(modes, string, 12, 1e-8);
      EXPECT_EQ(modes.unstable, 0);
    }
}

// Shapes of equal modes are independent: φᵀ M φ of the two is far from ±1 once each is 1.
TEST(ModePairs, ShapesOfEqualModesAreOrthogonal) {
  const String string{.n = 60};
  Simulation<double> s(string.build());
  for (const ModesMethod method : {ModesMethod::dense, ModesMethod::krylov}) {
    const Modes modes = solve_modes(s.system, s.state, {.count = 9, .method = method});
    ASSERT_TRUE(modes.converged);
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j <= i; ++j) {
        double product = 0;
        for (int c = 0; c < s.model.topology->ncoord; ++c) product += string.m * modes.shape(i)[c] * modes.shape(j)[c];
        EXPECT_NEAR(product, i == j ? 1 : 0, 1e-9) << i << ' ' << j;
      }
  }
}

/// Of EI = L = ρA = 1 under a tip force P that follows its tangent: zero at the frequencies ω [beck1952].
std::complex<double> beck(double P, std::complex<double> w) {
  const std::complex<double> root = std::sqrt(P * P / 4 + w * w), a = std::sqrt(root + P / 2),
                             b = std::sqrt(root - P / 2);
  return P * P + 2.0 * w * w * (1.0 + std::cos(a) * std::cosh(b)) + P * w * std::sin(a) * std::sinh(b);
}

// Beyond 20.05 the first two frequencies are a complex pair: exp(±γ t) with one frequency. 16 and 64 elements: few unknowns, which are
// solved whole, and more than 200. Shortening by P/EA and the element's own error leave 2e-4 of |ω|.
TEST(ModePairs, AFlutteringColumnHasThePairOfItsClosedForm) {
  for (const double P : {21.0, 25.0, 40.0})
    for (const int elements : {16, 64}) {
      ModelBuilder b(2);
      const Cable c = add_cable(b, elements, {}, {.EA = 1e6, .EI = 1, .rhoA = 1});
      clamp(b, c);
      b.item<FollowerForce2d>({c.r.back(), c.g.back(), b.constant_signal()}, {.force = {-P, 0.0}}, "jet");
      Simulation<double> s(b.build());
      ASSERT_TRUE(StaticSolver(s.system, {}).solve(s.state).converged);
      const Modes modes = solve_modes(s.system, s.state, {.count = 2});
      ASSERT_TRUE(modes.converged) << modes.problem;
      EXPECT_EQ(modes.unstable, 1);
      std::complex<double> w(two_pi * modes.frequency[0], std::fabs(modes.growth[0]));
      const std::complex<double> found = w;
      for (int i = 0; i < 30; ++i) {  // Newton's method on the closed form
        const std::complex<double> h = 1e-6 * w;
        w -= beck(P, w) * 2.0 * h / (beck(P, w + h) - beck(P, w - h));
      }
      EXPECT_LT(std::abs(beck(P, w)), 1e-6 * P * P);
      EXPECT_GT(std::fabs(w.imag()), 1);
      EXPECT_LT(std::abs(found - w), 2e-4 * std::abs(w)) << P << ' ' << elements;
      EXPECT_NEAR(modes.growth[0], -modes.growth[1], 1e-6 * std::abs(w));
      EXPECT_NEAR(modes.frequency[0], modes.frequency[1], 1e-6 * std::abs(w));
      for (const double residual : modes.residual) EXPECT_LT(residual, 1e-8);
    }
}

}  // namespace
}  // namespace flexura::test
