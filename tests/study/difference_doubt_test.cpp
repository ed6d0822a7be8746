// Differences that cross a switch: shortened until they agree, or refused.

#include "flexura/study/difference_doubt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace flexura {
namespace {

/// d/dx of f at x by central differences over h and 2h, as many times as with_shorter_steps() has them made; the doubt is the difference
/// of the two, relative to the derivative.
struct Differences {
  std::function<double(double)> f;
  double x = 1;
  int attempts = 0;
  double last_step = 0;

  double operator()(const GradientQuestion& question, DifferenceDoubt& doubt) {
    const double h = question.relative_step * std::fabs(x);
    const auto over = [&](double step) { return (f(x + step) - f(x - step)) / (2 * step); };
    ++attempts;
    last_step = question.relative_step;
    doubt.note(std::fabs(over(h) - over(2 * h)) / std::fabs(over(h)), [&] { return fmt::format("step {:g}", h); });
    return over(h);
  }
};

double derivative(Differences& differences) {
  GradientQuestion question;
  question.relative_step = 1e-3;
  return with_shorter_steps(question, std::ref(differences));
}

// Of a line differences are exact but for rounding, below the 1e-8 that end the attempts.
TEST(DifferenceDoubt, WithoutDoubtOneAttemptIsEnough) {
  Differences line{[](double x) { return 3 * x; }};
  EXPECT_NEAR(derivative(line), 3, 1e-11);
  EXPECT_EQ(line.attempts, 1);
}

// f = x + 2 max(x − 1 − d, 0), whose derivative at 1 is 1: a step crosses the bend where 2h > d, the third, 1e-3/256, is the first
// that does not for d = 1e-5.
TEST(DifferenceDoubt, StepsShortenUntilTheyDoNotCrossABend) {
  for (const auto& [distance, attempts] : {std::pair{5e-3, 1}, {2.5e-4, 2}, {1e-5, 3}, {6e-7, 4}})
    for (const double side : {1.0, -1.0}) {
      Differences bent{[distance, side](double x) { return x + 2 * std::max(side * (x - 1) - distance, 0.0); }};
      EXPECT_NEAR(derivative(bent), 1, 1e-8) << distance;
      EXPECT_EQ(bent.attempts, attempts) << distance;
      EXPECT_DOUBLE_EQ(bent.last_step, 1e-3 / std::pow(16, attempts - 1));
    }
}

// A jump beside x is seen by every step that crosses it: h = 2.4e-7 is the shortest.
TEST(DifferenceDoubt, AJumpWithinTheShortestStepIsRefusedWithTheLeastDoubtsText) {
  Differences jump{[](double x) { return x + (x > 1 + 1e-9 ? 1e-3 : 0); }};
  try {
    derivative(jump);
    FAIL() << "no refusal";
  } catch (const GradientError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("step 0.001"));  // the jump weighs least in the longest step
  }
  EXPECT_EQ(jump.attempts, 4);
}

// A curved function: the doubt (f'''/2) h² = 3 h²/x² of x³ falls by 256 an attempt, and the attempts end below 1e-8.
TEST(DifferenceDoubt, AttemptsEndWhereTheDoubtIsNegligible) {
  Differences cube{[](double x) { return x * x * x; }};
  EXPECT_NEAR(derivative(cube), 3, 3e-8);
  EXPECT_EQ(cube.attempts, 2);
}

// Between the negligible and the tolerable doubt the best attempt counts, not the last: noise of 1e-9 is 1e-6 of the derivative over
// the longest step and 4e-3 over the shortest.
TEST(DifferenceDoubt, OfNoisyFunctionsTheBestAttemptCounts) {
  Differences noisy{[](double x) { return x + 1e-9 * std::sin(1e9 * x); }};
  EXPECT_NEAR(derivative(noisy), 1, 2e-5);
  EXPECT_EQ(noisy.attempts, 4);
}

TEST(DifferenceDoubt, KeepsTheLargestAndDescribesNoOther) {
  DifferenceDoubt doubt;
  int described = 0;
  const auto note = [&](double size, const char* text) {
    doubt.note(size, [&] { return ++described, std::string(text); });
  };
  note(0, "none");
  note(1e-3, "first");
  note(1e-4, "smaller");
  note(1e-2, "larger");
  EXPECT_EQ(doubt.size, 1e-2);
  EXPECT_EQ(doubt.text, "larger");
  EXPECT_EQ(described, 2);
}

// What is no number is the largest doubt there is: it must not pass as none.
TEST(DifferenceDoubt, NoNumberIsADoubt) {
  DifferenceDoubt doubt;
  doubt.note(std::nan(""), [] { return std::string("no number"); });
  doubt.note(1e-3, [] { return std::string("smaller"); });
  EXPECT_EQ(doubt.text, "no number");
  EXPECT_GT(doubt.size, 1e300);
}

}  // namespace
}  // namespace flexura
