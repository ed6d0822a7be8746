#include "flexura/signal/expression.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "differences.hpp"

namespace flexura {
namespace {

double value(std::string_view text, double t = 0, const Parameters& parameters = {}) {
  const ParsedExpression parsed = Expression::parse(text, parameters);
  EXPECT_TRUE(parsed.ok()) << text << ": " << (parsed.ok() ? "" : to_string(parsed.errors[0]));
  return parsed.expression.value(t);
}

std::string errors(std::string_view text, const Parameters& parameters = {},
                   ExpressionScope scope = ExpressionScope::time) {
  std::string all;
  for (const ExpressionError& error : Expression::parse(text, parameters, scope).errors) {
    EXPECT_GE(error.column, 1);
    EXPECT_GE(error.length, 1);
    all += fmt::format("{}{}", all.empty() ? "" : "\n", to_string(error));
  }
  return all;
}

std::vector<double> breakpoints(std::string_view text, double t0, double t1) {
  std::vector<double> out;
  Expression::parse(text).expression.breakpoints(t0, t1, out);
  return out;
}

TEST(Expression, FollowsThePrecedenceOfArithmetic) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("8 - 4 - 2"), 2);
  EXPECT_EQ(value("8 / 4 / 2"), 1);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("--2"), 2);
  EXPECT_EQ(value("-+-3*-2"), -6);
  EXPECT_EQ(value("1 + 1 < 3"), 1);
  EXPECT_EQ(value("= .5e1 + 1."), 6);
  EXPECT_EQ(value("2 == 2") + value("2 != 2") + value("1>=1") + value("1 <= 0"), 2);
}

TEST(Expression, KnowsItsFunctionsAndConstants) {
  const double t = 0.37;
  EXPECT_EQ(value("sqrt(t) + exp(t) - log(t)", t), std::sqrt(t) + std::exp(t) - std::log(t));
  EXPECT_EQ(value("sin(t)+cos(t)+tan(t)", t), std::sin(t) + std::cos(t) + std::tan(t));
  EXPECT_EQ(value("asin(t)+acos(t)+atan(t)+atan2(t, -2)", t),
            std::asin(t) + std::acos(t) + std::atan(t) + std::atan2(t, -2));
  EXPECT_EQ(value("sinh(t)+cosh(t)+tanh(t)", t), std::sinh(t) + std::cosh(t) + std::tanh(t));
  EXPECT_EQ(value("min(3, t, 2) + max(1, 2, t, -1)", t), t + 2);
  EXPECT_EQ(value("abs(-3) + floor(-1.5) + sign(-4) + sign(0)"), 3 - 2 - 1);
  EXPECT_EQ(value("mod(-1, 3)"), 2);
  EXPECT_EQ(value("step(t - 1)", 1) + value("step(t - 1)", 0.999), 1);
  EXPECT_EQ(value("smoothstep(t)", 0.5) + value("smoothstep(t)", 7) + value("smoothstep(t)", -7), 1.5);
  EXPECT_EQ(value("if(t < 1, 10, 20)", 0.5), 10);
  EXPECT_EQ(value("if(t < 1, 10, 20)", 1), 20);
  EXPECT_EQ(value("pi - e"), std::numbers::pi - std::numbers::e);
}

TEST(Expression, TakesParametersWhichWinOverPiAndE) {
  const Parameters parameters{{"L", 0.175}, {"section.wall.EI", 2}, {"e", 0.1}};
  EXPECT_EQ(value("= L / 2", 0, parameters), 0.0875);
  EXPECT_EQ(value("section.wall.EI * e", 0, parameters), 0.2);
}

TEST(Expression, IsConstantUnlessItUsesTimeOrSignals) {
  EXPECT_TRUE(Expression::parse("2 * L", {{"L", 1}}).expression.is_constant());
  EXPECT_FALSE(Expression::parse("2 * t").expression.is_constant());
  EXPECT_FALSE(Expression::parse("signal(a)", {}, ExpressionScope::signals).expression.is_constant());
}

TEST(Expression, SaysWhereAndWhatWasExpected) {
  EXPECT_EQ(errors(""), "column 1: expected a number, a name or '(', found the end");
  EXPECT_EQ(errors("1 +"), "column 4: expected a number, a name or '(', found the end");
  EXPECT_EQ(errors("1 + * 2"), "column 5: expected a number, a name or '(', found '*'");
  EXPECT_EQ(errors("(1 + 2"), "column 7: expected ')' or an operator, found the end");
  EXPECT_EQ(errors("1 + 2)"), "column 6: there is no '(' to this ')'");
  EXPECT_EQ(errors("2 3"), "column 3: expected an operator or the end, found '3'");
  EXPECT_EQ(errors("2pi"), "column 2: expected an operator, found 'pi'; products are written with '*'");
  EXPECT_EQ(errors("1.2.3"), "column 4: expected an operator, found '.'; products are written with '*'");
  EXPECT_EQ(errors("2 ** 3"), "column 3: expected a value, found '**'; powers are written '^'");
  EXPECT_EQ(errors("if(t = 1, 2, 3)"), "column 6: expected an operator, found '='; equality is written '=='");
  EXPECT_EQ(errors("0 < t < 1"), "column 7: comparisons cannot follow each other; multiply them: (a < b) * (b < c)");
  EXPECT_EQ(errors("1e999"), "column 1: the number is outside the range of numbers");
  EXPECT_EQ(errors("2 * µ"), "column 5: expected a number, a name or '(', found 'µ'");
  EXPECT_EQ(errors("sin"), "column 1: 'sin' is a function, expected '(' after it");
  EXPECT_EQ(errors("pi(2)"), "column 1: 'pi' is a value, not a function; products are written with '*'");
  EXPECT_EQ(errors("sin(1, 2)"), "column 1: sin takes 1 value, not 2");
  EXPECT_EQ(errors("if(1, 2)"), "column 1: if takes 3 values, not 2");
  EXPECT_EQ(errors("min(1)"), "column 1: min takes at least 2 values, not 1");
  EXPECT_EQ(errors("sin(1"), "column 6: expected ',' or ')' or an operator, found the end");
  EXPECT_EQ(errors("signal(a)"), "column 1: signals cannot be used here");
  EXPECT_EQ(errors("t", {}, ExpressionScope::constants),
            "column 1: the time t is not known here: the value must be constant");
  EXPECT_EQ(errors("2 * t", {{"t", 1}}), "column 5: 't' is the time here and also a parameter; rename the parameter");
}

TEST(Expression, NamesTheNearestKnownName) {
  EXPECT_EQ(errors("2 * lenght", {{"length", 1}, {"width", 2}}),
            "column 5: unknown name 'lenght', expected a parameter, pi, e or t; nearest: 'length'");
  EXPECT_EQ(errors("2 * l", {{"L", 1}}), "column 5: unknown name 'l', expected a parameter, pi, e or t; nearest: 'L'");
  EXPECT_EQ(errors("2 * x", {{"L", 1}}), "column 5: unknown name 'x', expected a parameter, pi, e or t");
  EXPECT_EQ(errors("sine(t)"), "column 1: unknown function 'sine'; nearest: 'sin'");
}

TEST(Expression, ReportsAllUnknownNamesAtOnce) {
  EXPECT_EQ(errors("alpha * foo(beta, t) + sin()"),
            "column 1: unknown name 'alpha', expected a parameter, pi, e or t\n"
            "column 9: unknown function 'foo'\n"
            "column 13: unknown name 'beta', expected a parameter, pi, e or t\n"
            "column 24: sin takes 1 value, not 0");
}

TEST(Expression, RefusesWhatIsNestedTooDeeplyInsteadOfOverflowing) {
  EXPECT_NE(errors(std::string(100000, '(')), "");
  EXPECT_NE(errors(std::string(100000, '-') + "1"), "");
  std::string powers = "t";
  for (int i = 0; i < 10000; ++i) powers += "^t";
  EXPECT_NE(errors(powers), "");
  std::string deep = "t";
  for (int i = 0; i < 80; ++i) deep = fmt::format("t+({})", deep);
  EXPECT_NE(errors(deep).find("nested too deeply"), std::string::npos);
  std::string longest = "t";
  for (int i = 0; i < 10000; ++i) longest += "+t";
  EXPECT_EQ(value(longest, 1), 10001);
}

TEST(Expression, DerivativesAgreeWithCentralDifferencesAtRandomTimes) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> time(0.05, 0.95);
  for (const char* text : {"sqrt(t)",
                           "exp(2*t)",
                           "log(t)",
                           "sin(3*t)",
                           "cos(3*t)",
                           "tan(t)",
                           "asin(t)",
                           "acos(t)",
                           "atan(4*t)",
                           "atan2(sin(2*t), 1 + t)",
                           "atan2(1 + t, t^2)",
                           "sinh(t)",
                           "cosh(2*t)",
                           "tanh(3*t)",
                           "mod(t, 2) * t",
                           "t^3",
                           "t^2.5",
                           "t^-1",
                           "2^t",
                           "t^t",
                           "(1 + t)^sin(t)",
                           "t / (1 + t^2)",
                           "abs(t - 2) * t^2",
                           "min(t, 2)^3",
                           "max(t^2, -1) * t",
                           "if(t < 2, t^2 * exp(t), 0)",
                           "smoothstep(t)",
                           "smoothstep((t + t^2) / 2)",
                           "sign(t) * sin(t) * cos(t)",
                           "step(t) * t^4",
                           "-t^2 + floor(t) * t",
                           "20e3 * (1 - cos(2 * pi * t))"}) {
    const Expression f = Expression::parse(text).expression;
    for (int k = 0; k < 20; ++k) {
      const double t = time(random);
      SCOPED_TRACE(text);
      expect_derivatives_match([&](double s) { return f.at(s); }, t, 0.05, 1e-6);
      EXPECT_EQ(f.at(t).u, f.value(t));
      EXPECT_TRUE(f.at(t).du != 0);
    }
  }
}

TEST(Expression, ConstantsNextToInfiniteDerivativesStayConstant) {
  const Parameters zero{{"z", 0}};
  for (const char* text : {"sqrt(z) + 0*t", "sqrt(z * t) * 0", "z^0.5 + t - t", "asin(1 + z*t)"}) {
    const SignalValue v = Expression::parse(text, zero).expression.at(1.0);
    EXPECT_EQ(v.du, 0) << text;
    EXPECT_EQ(v.ddu, 0) << text;
  }
}

TEST(Expression, IsZeroBeforeItIsParsedAndConstantOnesNeedNoTime) {
  EXPECT_EQ(Expression().value(3), 0);
  EXPECT_TRUE(Expression().is_constant());
  EXPECT_EQ(Expression::parse("1/0").expression.problems().size(), 1U);
  EXPECT_TRUE(Expression::parse("1/2").expression.problems().empty());
}

TEST(ExpressionBreakpoints, AreExactForSwitchesLinearInTime) {
  using Times = std::vector<double>;
  EXPECT_EQ(breakpoints("5 * step(t - 0.5)", 0, 10), (Times{0.5}));
  EXPECT_EQ(breakpoints("step(t - 0.3) - step(t - 0.3001)", 0, 1000), (Times{0.3, 0.3001}));
  EXPECT_EQ(breakpoints("if(t < 6, 1, 0)", 0, 10), (Times{6}));
  EXPECT_EQ(breakpoints("abs(t - 2) + max(0, t - 3)", 0, 10), (Times{2, std::nextafter(3.0, 4)}));
  EXPECT_EQ(breakpoints("smoothstep((t - 1) / 2)", 0, 10), (Times{1, 3}));
  EXPECT_EQ(breakpoints("mod(t, 0.25)", 0, 1), (Times{0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(breakpoints("step(t - 0.5)", 0, 0.5), (Times{0.5}));
  EXPECT_TRUE(breakpoints("step(t - 0.5)", 0.5, 1).empty());
  EXPECT_TRUE(breakpoints("sin(t)^2", 0, 10).empty());
  EXPECT_TRUE(breakpoints("step(3)", 0, 10).empty());
}

TEST(ExpressionBreakpoints, AreFoundToRoundingForOtherSwitches) {
  const std::vector<double> found = breakpoints("abs(sin(t))", 0.1, 100);
  ASSERT_EQ(found.size(), 31U);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], std::numbers::pi * static_cast<double>(i + 1), 3e-14);  // two units in the last place of 97
}

TEST(ExpressionBreakpoints, AreLimitedInNumber) { EXPECT_LE(breakpoints("floor(1e12 * t)", 0, 1).size(), 20002U); }

}  // namespace
}  // namespace flexura
