#include "flexura/signal/external_signal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "flexura/signal/signal_set.hpp"

namespace flexura {
namespace {

constexpr double w = 2 * std::numbers::pi;

ExternalSignal sine_from_code() {
  ExternalSignal signal;
  signal.value = [](void*, double t) { return std::sin(w * t); };
  return signal;
}

Signal from_code(ExternalSignal signal) {
  return CodeSignal{"code", std::make_shared<SignalCode>("code", std::move(signal))};
}

TEST(ExternalSignal, HasTheBitsOfTheFunction) {
  const Signal sine = from_code(sine_from_code());
  for (double t = 0; t < 2; t += 0.0173) {
    EXPECT_EQ(sine.value(t), std::sin(w * t));
    EXPECT_EQ(sine.at(t).u, sine.value(t));
  }
  EXPECT_FALSE(sine.is_constant());
}

// Central differences with 1e-5 s: h² w³/6 = 4e-9 of the rate; rounding 4 ε/h² = 9e-6 of the acceleration.
TEST(ExternalSignal, RatesAreCentralDifferencesWhereNoneAreGiven) {
  ExternalSignal with_rate = sine_from_code(), with_both = sine_from_code();
  with_rate.rate = with_both.rate = [](void*, double t) { return w * std::cos(w * t); };
  with_both.acceleration = [](void*, double t) { return -w * w * std::sin(w * t); };
  const Signal bare = from_code(sine_from_code()), half = from_code(with_rate), full = from_code(with_both);
  for (double t = 0; t < 2; t += 0.0173) {
    const double du = w * std::cos(w * t), ddu = -w * w * std::sin(w * t);
    EXPECT_NEAR(bare.at(t).du, du, 1e-8);
    EXPECT_NEAR(bare.at(t).ddu, ddu, 2e-5);
    EXPECT_EQ(half.at(t).du, du);
    EXPECT_NEAR(half.at(t).ddu, ddu, 1e-6);  // h² w⁴/6 = 3e-8, rounding 4 w ε/h = 1e-9
    EXPECT_EQ(full.at(t).du, du);
    EXPECT_EQ(full.at(t).ddu, ddu);
  }
}

// Steps end at a breakpoint and see the signal from before, the next ones from after.
TEST(ExternalSignal, DifferencesDoNotReachAcrossBreakpoints) {
  ExternalSignal signal;
  signal.value = [](void*, double t) { return t < 0.5 ? t * t : t < 0.7 ? 5 - 3 * t : 0; };
  signal.breakpoints = {0.5, 0.7};
  const Signal bare = from_code(signal);
  signal.rate = [](void*, double t) { return t < 0.5 ? 2 * t : t < 0.7 ? -3.0 : 0; };
  const Signal half = from_code(signal);
  for (const double away : {1e-12, 5e-6, 1e-5, 2e-5}) {  // rounding: 4 u ε/h = 4e-10, twice that over h more
    EXPECT_NEAR(bare.at(0.5 - away).du, 1 - 2 * away, 2e-9) << away;
    EXPECT_NEAR(bare.at(0.5 + away).du, -3, 2e-9) << away;
    EXPECT_NEAR(bare.at(0.7 - away).du, -3, 2e-9) << away;
    EXPECT_NEAR(bare.at(0.5 - away).ddu, 2, 1e-4) << away;
    EXPECT_NEAR(bare.at(0.5 + away).ddu, 0, 1e-4) << away;
    EXPECT_NEAR(half.at(0.5 - away).ddu, 2, 1e-9) << away;
    EXPECT_NEAR(half.at(0.5 + away).ddu, 0, 1e-9) << away;
  }
  EXPECT_NEAR(bare.at(0.5).du, -3, 2e-9) << "the breakpoint itself belongs to what follows";
  EXPECT_EQ(bare.at(0.7).du, 0);
}

TEST(ExternalSignal, BreakpointsAreThoseThatItLists) {
  ExternalSignal signal = sine_from_code();
  signal.breakpoints = {0.5, 1, 2};
  SignalSet set;
  set.add("code", from_code(signal));
  ASSERT_TRUE(set.finish().empty());
  std::vector<double> times;
  set.breakpoints(0.5, 1.5, times);
  EXPECT_EQ(times, std::vector<double>{1});
}

TEST(ExternalSignal, ANumberThatIsNotFiniteIsAFailureThatIsRemembered) {
  ExternalSignal signal;
  signal.value = [](void*, double t) { return t < 1 ? 2.0 : std::numeric_limits<double>::infinity(); };
  const auto code = std::make_shared<SignalCode>("pump", signal);
  EXPECT_EQ(code->what(), "the signal function 'pump'");
  EXPECT_EQ(code->value(0.5), 2);
  EXPECT_FALSE(code->has_failed());
  EXPECT_TRUE(std::isnan(code->value(1.5)));
  EXPECT_TRUE(code->has_failed());
  EXPECT_EQ(code->failed_at(), 1.5);
  code->forget_failure();
  EXPECT_FALSE(code->has_failed());
}

TEST(ExternalSignal, ReadsItsContextAndKeepsItAlive) {
  auto number = std::make_shared<double>(3);
  ExternalSignal signal;
  signal.value = [](void* context, double t) { return *static_cast<double*>(context) * t; };
  signal.context = number;
  const Signal line = from_code(signal);
  signal.context.reset();
  EXPECT_EQ(line.value(2), 6);
  EXPECT_EQ(number.use_count(), 2);
}

TEST(ExternalSignal, MustHaveAValueAndDifferencesThatCanBeFormed) {
  ExternalSignal signal;
  signal.difference = 0;
  signal.breakpoints = {2, 1};
  const auto problems = CodeSignal{"code", std::make_shared<SignalCode>("code", signal)}.problems();
  ASSERT_EQ(problems.size(), 3u);
  for (const SignalProblem& problem : problems) EXPECT_EQ(problem.field, "function");
}

}  // namespace
}  // namespace flexura
