// A mass on a rod: third-party figures, order, constraint, and multipliers that do not oscillate behind good positions.

#include "tests/support/pendulum.hpp"

#include <gtest/gtest.h>

#include "flexura/integrate/generalized_alpha.hpp"

namespace flexura::test {
namespace {

using std::array;

struct Swing {
  double x1, y1, x10, y10;   ///< at 1 s and 10 s [m]
  double tension1;           ///< at 1 s [N]
  double second_difference;  ///< largest of the multiplier over 10 s [N]
  double constraint;         ///< largest |‖r‖ − 1| [m]
  double energy;             ///< largest change [J]
};
Swing swing(const NewmarkFamily& family, double h, double end = 10) {
  Pendulum m = pendulum();
  Simulation<double> s(m.model);
  GeneralizedAlpha<double> integrator(s.system, family, {.tolerance = 1e-11});
  EXPECT_TRUE(integrator.start(s.state));
  Swing out{};
  double before = s.q(m.lambda, 0), last = before;
  EXPECT_NEAR(before, 0, 1e-12) << "released without tension";
  const int steps = static_cast<int>(std::lround(end / h)), at_1 = static_cast<int>(std::lround(1 / h));
  for (int k = 1; k <= steps; ++k) {
    EXPECT_TRUE(integrator.step(s.state, h * k).converged) << k;
    const double x = s.q(m.p, 0), y = s.q(m.p, 1), lambda = s.q(m.lambda, 0);
    if (k == at_1) out.x1 = x, out.y1 = y, out.tension1 = lambda;
    out.second_difference = std::max(out.second_difference, std::fabs(lambda - 2 * last + before));
    before = last, last = lambda;
    out.constraint = std::max(out.constraint, std::fabs(std::hypot(x, y) - 1));
    const double v2 = s.v(m.p, 0) * s.v(m.p, 0) + s.v(m.p, 1) * s.v(m.p, 1);
    out.energy = std::max(out.energy, std::fabs(0.5 * v2 + 9.81 * y));
  }
  out.x10 = s.q(m.p, 0), out.y10 = s.q(m.p, 1);
  return out;
}

constexpr double x1 = .9862917511, y1 = -.1650108531, x10 = -.2750874626, y10 = -.9614192051;  // IFToMM A01

// Tolerances: twice what second order leaves at 1 ms (5.9e-6 m at 1 s).
TEST(Pendulum, HasTheThirdPartyFigures) {
  const Swing r = swing(NewmarkFamily::generalized_alpha(0.9), 1e-3);
  RecordProperty("errors",
                 fmt::format("{:.2e} {:.2e}", std::hypot(r.x1 - x1, r.y1 - y1), std::hypot(r.x10 - x10, r.y10 - y10)));
  EXPECT_LE(std::hypot(r.x1 - x1, r.y1 - y1), 1.2e-5);
  EXPECT_LE(std::hypot(r.x10 - x10, r.y10 - y10), 2e-4);
  EXPECT_LE(r.constraint, 1e-9) << "positions satisfy the constraint at every step";
}

TEST(Pendulum, PositionsAndTensionAreSecondOrder) {
  for (const auto& family :
       {NewmarkFamily::generalized_alpha(0.9), NewmarkFamily::generalized_alpha(0.5), NewmarkFamily::hht(-0.2)}) {
    const Swing a = swing(family, 2e-3), b = swing(family, 1e-3);
    const double order_1 = std::log2(std::hypot(a.x1 - x1, a.y1 - y1) / std::hypot(b.x1 - x1, b.y1 - y1));
    const double order_10 = std::log2(std::hypot(a.x10 - x10, a.y10 - y10) / std::hypot(b.x10 - x10, b.y10 - y10));
    EXPECT_NEAR(order_1, 2, 0.15);
    EXPECT_NEAR(order_10, 2, 0.15);
    // Tension m v²/L + m g cos = 3 m g |y| from a horizontal release.
    const double exact = 3 * 9.81 * -y1;
    EXPECT_NEAR(std::log2(std::fabs(a.tension1 - exact) / std::fabs(b.tension1 - exact)), 2, 0.25);
  }
}

// A smooth tension has second differences h² λ″ ≈ 4e-4 N at 1 ms. Undamped Newmark lets an alternating part grow until
// it swamps the tension itself, behind positions that look right: the reason for refusing it with multipliers.
TEST(Pendulum, MultipliersStaySmoothOverTenSeconds) {
  for (double rho : {0.9, 0.5, 0.0}) {
    const Swing r = swing(NewmarkFamily::generalized_alpha(rho), 1e-3);
    RecordProperty(fmt::format("second_difference_{}", rho), fmt::format("{:.2e}", r.second_difference));
    EXPECT_LE(r.second_difference, 2e-3) << rho;
  }
  EXPECT_LE(swing(NewmarkFamily::hht(-0.2), 1e-3).second_difference, 2e-3);
  const Swing newmark = swing(NewmarkFamily::newmark(), 1e-3, 5);
  EXPECT_GE(newmark.second_difference, 10) << "the check sees what it is for";
  EXPECT_LE(newmark.constraint, 1e-9) << "while positions look right";
}

}  // namespace
}  // namespace flexura::test
