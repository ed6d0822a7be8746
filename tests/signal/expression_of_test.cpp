#include "flexura/signal/expression_of.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>

namespace flexura {
namespace {

constexpr std::array<std::string_view, 2> uv{"u", "v"};

TEST(ExpressionOf, VariablesAreReadInTheirOrder) {
  const ParsedExpression parsed = parse_expression_of(uv, "= a * v - u ^ 2", {{"a", 3}});
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.expression.value(0, std::array{2.0, 5.0}), 11);
  EXPECT_FALSE(parsed.expression.is_constant());
  EXPECT_THAT(parsed.expression.inputs(), testing::ElementsAre("u", "v"));
}

TEST(ExpressionOf, DerivativesAlongAVariableAreExact) {
  const Expression f = parse_expression_of(uv, "sin(u) * v ^ 3").expression;
  const SignalValue along_u[] = {{0.4, 1, 0}, {2, 0, 0}}, along_v[] = {{0.4, 0, 0}, {2, 1, 0}};
  EXPECT_DOUBLE_EQ(f.at(0, along_u).du, std::cos(0.4) * 8);
  EXPECT_DOUBLE_EQ(f.at(0, along_u).ddu, -std::sin(0.4) * 8);
  EXPECT_DOUBLE_EQ(f.at(0, along_v).du, std::sin(0.4) * 12);
}

TEST(ExpressionOf, OtherNamesAreUnknown) {
  const ParsedExpression parsed = parse_expression_of(uv, "w + t");
  ASSERT_EQ(parsed.errors.size(), 2u);
  EXPECT_THAT(parsed.errors[0].message, testing::HasSubstr("expected a parameter, u, v, pi, e"));
  EXPECT_THAT(parsed.errors[1].message, testing::HasSubstr("time t is not known"));
  EXPECT_FALSE(parse_expression_of(uv, "signal(a)").ok());
}

TEST(ExpressionOf, AParameterMayNotTakeAVariablesName) { EXPECT_FALSE(parse_expression_of(uv, "u", {{"u", 1}}).ok()); }

}  // namespace
}  // namespace flexura
