// Andrews' squeezing mechanism: a fast, nearly singular loop that the literature has to many digits.

#include "tests/support/andrews.hpp"

#include <gtest/gtest.h>

#include "flexura/integrate/runge_kutta.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

struct Result {
  AndrewsAngles angle, rate;
  RungeKuttaReport report;
  double violation, violation_rate;
  /// Largest relative difference from the table, angles modulo 2π.
  double worst() const {
    double out = 0;
    for (int i = 0; i < 7; ++i) {
      const double turns = std::remainder(angle[i] - andrews_end[i], 2 * std::numbers::pi);
      out = std::max({out, std::fabs(turns / andrews_end[i]), std::fabs(rate[i] / andrews_end_rates[i] - 1)});
    }
    return out;
  }
};

Result run(const RungeKuttaOptions& options) {
  const Andrews m = andrews();
  Simulation<double> s(m.model);
  RungeKutta integrator(s.system, options);
  EXPECT_TRUE(integrator.start(s.state));
  Result out;
  out.report = integrator.advance(s.state, 0.03);
  EXPECT_TRUE(out.report.converged);
  EXPECT_EQ(s.state.t, 0.03);
  andrews_angles(m, s.state.q, s.state.v, out.angle, out.rate);
  Constraints constraints(s.system);
  const auto& motion = constraints.motion(s.state);
  out.violation = out.violation_rate = 0;
  for (int i = s.model.topology->ncoord; i < s.model.topology->ny; ++i) {
    out.violation = std::max(out.violation, std::fabs(motion.phi[i]));
    out.violation_rate = std::max(out.violation_rate, std::fabs(motion.rate[i]));
  }
  return out;
}

TEST(Andrews, StartsOnItsConstraints) {
  const Andrews m = andrews();
  Simulation<double> s(m.model);
  EXPECT_EQ(s.model.topology->ncoord, 8);
  EXPECT_EQ(s.model.topology->ny - s.model.topology->ncoord, 7);
  AndrewsAngles angle, rate;
  andrews_angles(m, s.state.q, s.state.v, angle, rate);
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(std::remainder(angle[i] - andrews_start[i], 2 * std::numbers::pi), 0, 1e-14);
  Constraints constraints(s.system);
  EXPECT_LE(constraints.project_positions(s.state).moved, 1e-16);
}

// The test set's own error is 1.4e-9 in q, which an extrapolation in 80 bits shows: β and Θ agree with that to 3e-11.
TEST(Andrews, HasTheTableOfTheTestSet) {
  constexpr double beta = 15.810771195153704, Theta = -15.756371058411836;  // 80-bit
  for (const ButcherTableau* method : {&dormand_prince_8, &dormand_prince_5}) {
    const Result r = run({.method = method, .relative = 1e-12, .absolute_q = 1e-14, .absolute_v = 1e-12});
    for (int i = 0; i < 7; ++i) {
      EXPECT_NEAR(std::remainder(r.angle[i] - andrews_end[i], 2 * std::numbers::pi), 0, 2e-9) << i;
      EXPECT_NEAR(r.rate[i], andrews_end_rates[i], 1e-9 * 1424) << i;
    }
    const double error = std::max(std::fabs(std::remainder(r.angle[0] - beta, 2 * std::numbers::pi)),
                                  std::fabs(std::remainder(r.angle[1] - Theta, 2 * std::numbers::pi)));
    RecordProperty(fmt::format("order_{}", method->order),
                   fmt::format("{:.1e}, {} steps, {} evaluations", error, r.report.accepted, r.report.evaluations));
    EXPECT_LE(error, 6e-11);
    EXPECT_LE(r.violation, 2e-17);
    EXPECT_LE(r.violation_rate, 1e-15);
  }
}

// All seven angles and rates to 1e-6 of themselves, the least of which is a thousandth of the largest.
TEST(Andrews, TakesFewStepsToSixDigits) {
  const Result r = run({.relative = 1e-8, .absolute_q = 1e-10, .absolute_v = 1e-8});
  RecordProperty("eighth", fmt::format("{:.1e}, {} steps, {} rejected, {} evaluations", r.worst(), r.report.accepted,
                                       r.report.rejected, r.report.evaluations));
  EXPECT_LE(r.worst(), 1e-6);
  EXPECT_LE(r.report.evaluations, 1100);
}

}  // namespace
}  // namespace flexura::test
