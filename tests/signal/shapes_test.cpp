#include "flexura/signal/shapes.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "differences.hpp"
#include "flexura/signal/signal.hpp"

namespace flexura {
namespace {

constexpr double pi = std::numbers::pi;

std::vector<double> breakpoints(const Signal& signal, double t0, double t1) {
  std::vector<double> out;
  signal.breakpoints(t0, t1, out);
  return out;
}

TEST(ConstantSignal, IsThatNumberAtAllTimes) {
  const Signal s = 3.5;
  EXPECT_TRUE(s.is_constant());
  EXPECT_EQ(s.at(-7).u, 3.5);
  EXPECT_EQ(s.at(7).du, 0);
  EXPECT_EQ(s.value(1e9), 3.5);
  EXPECT_TRUE(breakpoints(s, -10, 10).empty());
}

TEST(RampSignal, IsHeldBeforeAndAfterAndLinearBetween) {
  const RampSignal s{.from = 2, .to = -4, .start = 1, .duration = 3};
  EXPECT_EQ(s.at(0.999).u, 2);
  EXPECT_EQ(s.at(1).u, 2);
  EXPECT_EQ(s.at(1).du, -2);
  EXPECT_DOUBLE_EQ(s.at(2).u, 0);
  EXPECT_EQ(s.at(4).u, -4);
  EXPECT_EQ(s.at(4).du, 0);
  EXPECT_EQ(s.at(100).u, -4);
  EXPECT_EQ(breakpoints(s, 0, 10), (std::vector<double>{1, 4}));
}

TEST(RampSignal, OfNoDurationIsAJumpWhoseNewValueHoldsAtTheJump) {
  const RampSignal s{.from = 0, .to = 5, .start = 0.3, .duration = 0};
  EXPECT_EQ(s.at(std::nextafter(0.3, 0)).u, 0);
  EXPECT_EQ(s.at(0.3).u, 5);
  EXPECT_EQ(breakpoints(s, 0, 1), (std::vector<double>{0.3}));
}

TEST(Breakpoints, OfNeighbouringIntervalsNeitherRepeatNorMissOne) {
  const RampSignal s{.from = 0, .to = 1, .start = 1, .duration = 1};
  EXPECT_EQ(breakpoints(s, 0, 1), (std::vector<double>{1}));
  EXPECT_EQ(breakpoints(s, 1, 2), (std::vector<double>{2}));
  EXPECT_TRUE(breakpoints(s, 2, 3).empty());
}

TEST(SmoothStepSignal, IsTheQuinticAndTwiceContinuouslyDifferentiable) {
  const SmoothStepSignal s{.from = 1, .to = 3, .start = 2, .duration = 4};
  for (double x : {0.1, 0.25, 0.5, 0.9}) {
    const double q = 10 * x * x * x - 15 * x * x * x * x + 6 * x * x * x * x * x;
    EXPECT_NEAR(s.at(2 + 4 * x).u, 1 + 2 * q, 1e-14);  // rounding
  }
  for (double end : {2.0, 6.0}) {
    for (double t : {std::nextafter(end, 0), end}) {
      EXPECT_NEAR(s.at(t).u, end == 2 ? 1 : 3, 1e-14);
      EXPECT_NEAR(s.at(t).du, 0, 1e-14);
      EXPECT_NEAR(s.at(t).ddu, 0, 1e-13);
    }
  }
}

TEST(SineSignal, IsTheClosedFormAfterStartAndHeldBefore) {
  const SineSignal s{.amplitude = 2, .frequency = 1.5, .phase = 0.4, .offset = 7, .start = 0.25};
  EXPECT_DOUBLE_EQ(s.at(1).u, 7 + 2 * std::sin(2 * pi * 1.5 * 0.75 + 0.4));
  EXPECT_DOUBLE_EQ(s.at(1).du, 2 * 2 * pi * 1.5 * std::cos(2 * pi * 1.5 * 0.75 + 0.4));
  EXPECT_EQ(s.at(-3).u, s.at(0.25).u);
  EXPECT_EQ(s.at(-3).du, 0);
}

TEST(SineSignal, ExpressesAPressureOfOneMinusCosine) {
  const SineSignal s{.amplitude = 20e3, .frequency = 0.5, .phase = -pi / 2, .offset = 20e3};
  for (double t : {0.0, 0.1, 0.7, 1.0, 5.3})
    EXPECT_NEAR(s.at(t).u, 20e3 * (1 - std::cos(2 * pi * 0.5 * t)), 1e-10);  // rounding of 2e4
}

TEST(ChirpSignal, SweepsLinearlyAndThenKeepsItsFrequencyWithContinuousPhase) {
  const ChirpSignal s{.amplitude = 3, .f0 = 0.5, .f1 = 4, .duration = 2, .offset = 1, .phase = 0.2};
  for (double t : {0.0, 0.3, 1.1, 1.99})
    EXPECT_NEAR(s.at(t).u, 1 + 3 * std::sin(2 * pi * (0.5 * t + (4 - 0.5) * t * t / (2 * 2)) + 0.2),
                1e-13);  // rounding
  const double phase_at_end = 2 * pi * (0.5 * 2 + (4 - 0.5) * 2 / 2);
  for (double t : {2.0, 2.7, 11.0})
    EXPECT_NEAR(s.at(t).u, 1 + 3 * std::sin(phase_at_end + 2 * pi * 4 * (t - 2) + 0.2),
                1e-12);  // rounding of the phase
  EXPECT_NEAR(s.at(std::nextafter(2, 0)).u, s.at(2).u, 1e-13);
  EXPECT_NEAR(s.at(std::nextafter(2, 0)).du, s.at(2).du, 1e-11);
  EXPECT_EQ(breakpoints(s, -1, 10), (std::vector<double>{0, 2}));
}

TEST(Shapes, DerivativesAgreeWithCentralDifferencesAtRandomTimes) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-2, 2), positive(0.3, 3);
  for (int k = 0; k < 300; ++k) {
    const double start = any(random), duration = positive(random);
    const double inside = start + duration * std::uniform_real_distribution<double>(0.01, 0.99)(random);
    const double beyond = start + duration * std::uniform_real_distribution<double>(1.01, 3)(random);
    const double from = any(random), to = any(random), f0 = positive(random), f1 = positive(random),
                 phase = any(random);
    const Signal ramp = RampSignal{from, to, start, duration};
    const Signal smooth = SmoothStepSignal{from, to, start, duration};
    const Signal sine = SineSignal{from, f0, phase, to, start};
    const Signal chirp = ChirpSignal{from, f0, f1, duration, to, phase, start};
    for (const Signal* s : {&ramp, &smooth, &sine, &chirp}) {
      const double scale = s == &smooth ? duration : s == &ramp ? 1 : 0.1;
      for (double t : {inside, beyond, start - 0.5})
        expect_derivatives_match([&](double time) { return s->at(time); }, t, scale, 1e-6);
    }
    EXPECT_NE(smooth.at(inside).ddu, 0);
    EXPECT_NE(chirp.at(inside).du, 0);
  }
}

TEST(Shapes, NameTheParameterThatIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Signal(RampSignal{.duration = -1}).problems().at(0).field, "duration");
  EXPECT_EQ(Signal(SmoothStepSignal{.from = nan}).problems().at(0).field, "from");
  EXPECT_EQ(Signal(ChirpSignal{.duration = 0}).problems().at(0).field, "duration");
  EXPECT_EQ(Signal(SineSignal{.amplitude = nan, .phase = HUGE_VAL}).problems().size(), 2U);
  EXPECT_EQ(Signal(nan).problems().size(), 1U);
  EXPECT_TRUE(Signal(ChirpSignal{}).problems().empty());
}

}  // namespace
}  // namespace flexura
