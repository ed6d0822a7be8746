#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/signal/expression.hpp"

namespace flexura {
namespace {

/// A random formula that can be printed and, on its own, evaluated.
struct Tree {
  std::string_view symbol;
  double number = 0;
  std::vector<std::unique_ptr<Tree>> parts;

  double value(double t) const {
    const auto x = [&](std::size_t i) { return parts[i]->value(t); };
    if (symbol.empty()) return number;
    if (symbol == "t") return t;
    if (symbol == "a") return 0.75;
    if (symbol == "+") return x(0) + x(1);
    if (symbol == "-") return parts.size() == 1 ? -x(0) : x(0) - x(1);
    if (symbol == "*") return x(0) * x(1);
    if (symbol == "/") return x(0) / x(1);
    if (symbol == "^") return x(1) == 2 ? x(0) * x(0) : std::pow(x(0), x(1));
    if (symbol == "<") return x(0) < x(1) ? 1 : 0;
    if (symbol == ">=") return x(0) >= x(1) ? 1 : 0;
    if (symbol == "!=") return x(0) != x(1) ? 1 : 0;
    if (symbol == "if") return x(0) != 0 ? x(1) : x(2);
    if (symbol == "sin") return std::sin(x(0));
    if (symbol == "atan") return std::atan(x(0));
    if (symbol == "floor") return std::floor(x(0));
    if (symbol == "mod") return x(0) - x(1) * std::floor(x(0) / x(1));
    if (symbol == "atan2") return std::atan2(x(0), x(1));
    ADD_FAILURE() << symbol;
    return 0;
  }

  static int level(std::string_view s, std::size_t parts) {
    if (s == "<" || s == ">=" || s == "!=") return 1;
    if (parts == 1 && s == "-") return 4;
    return s == "+" || s == "-" ? 2 : s == "*" || s == "/" ? 3 : s == "^" ? 5 : 6;
  }

  /// Prints with the parentheses that precedence requires, and some more at random.
  std::string print(std::mt19937& random) const {
    const auto part = [&](std::size_t i, int needed) {
      const Tree& p = *parts[i];
      const bool enclosed = level(p.symbol, p.parts.size()) < needed || random() % 8 == 0;
      return enclosed ? fmt::format("({})", p.print(random)) : p.print(random);
    };
    const std::string blank = random() % 2 ? " " : "";
    if (symbol.empty()) {
      std::array<char, 40> digits{};
      return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
    }
    if (parts.empty()) return std::string(symbol);
    switch (level(symbol, parts.size())) {
      case 1:
        return fmt::format("{}{}{}{}{}", part(0, 2), blank, symbol, blank, part(1, 2));
      case 2:
        return fmt::format("{}{}{}{}{}", part(0, 2), blank, symbol, blank, part(1, 3));
      case 3:
        return fmt::format("{}{}{}{}{}", part(0, 3), blank, symbol, blank, part(1, 4));
      case 4:
        return fmt::format("-{}", part(0, 4));
      case 5:
        return fmt::format("{}{}^{}{}", part(0, 6), blank, blank, part(1, 4));
      default: {
        std::string text = fmt::format("{}(", symbol);
        for (std::size_t i = 0; i < parts.size(); ++i) text += fmt::format("{}{}", i > 0 ? ", " : "", part(i, 0));
        text += ")";
        return text;
      }
    }
  }
};

std::unique_ptr<Tree> random_tree(std::mt19937& random, int depth) {
  static const std::vector<std::pair<std::string_view, int>> kinds{
      {"+", 2},  {"-", 2},  {"-", 1},   {"*", 2},    {"/", 2},     {"^", 2},   {"<", 2},    {">=", 2},
      {"!=", 2}, {"if", 3}, {"sin", 1}, {"atan", 1}, {"floor", 1}, {"mod", 2}, {"atan2", 2}};
  auto tree = std::make_unique<Tree>();
  if (depth == 0 || random() % 6 == 0) {
    const auto which = random() % 4;
    if (which == 0) tree->symbol = "t";
    if (which == 1) tree->symbol = "a";
    tree->number =
        which == 2 ? static_cast<double>(random() % 4) : std::uniform_real_distribution<double>(0, 10)(random);
    return tree;
  }
  const auto& [symbol, parts] = kinds[random() % kinds.size()];
  tree->symbol = symbol;
  for (int i = 0; i < parts; ++i) tree->parts.push_back(random_tree(random, depth - 1));
  return tree;
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

TEST(ExpressionFuzz, PrintedTreesParseToTheSameBitsAsTheirDirectEvaluation) {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> time(-3, 3);
  for (int k = 0; k < 20000; ++k) {
    const auto tree = random_tree(random, 1 + k % 6);
    const std::string text = tree->print(random);
    const ParsedExpression parsed = Expression::parse(text, {{"a", 0.75}});
    ASSERT_TRUE(parsed.ok()) << text << ": " << to_string(parsed.errors[0]);
    for (int i = 0; i < 3; ++i) {
      const double t = time(random);
      ASSERT_TRUE(same(parsed.expression.value(t), tree->value(t))) << text << " at " << t;
      ASSERT_TRUE(same(parsed.expression.at(t).u, tree->value(t))) << text << " at " << t;
    }
  }
}

void use(const std::string& text) {
  const ParsedExpression parsed = Expression::parse(text, {{"a", 1}}, ExpressionScope::signals);
  for (const ExpressionError& error : parsed.errors) {
    ASSERT_GE(error.column, 1) << text;
    ASSERT_LE(error.column, static_cast<int>(text.size()) + 1) << text;
    ASSERT_FALSE(error.message.empty());
  }
  parsed.expression.at(0.5);
  parsed.expression.value(0.5);
}

TEST(ExpressionFuzz, DamagedFormulasAreErrorsOrFormulasButNeverCrash) {
  std::mt19937 random(22);
  const std::string letters = "0123456789.+-*/^()<>=!,te asinfmod\"'\xc3\xb5#";
  for (int k = 0; k < 20000; ++k) {
    std::string text = random_tree(random, 1 + k % 5)->print(random);
    for (auto n = random() % 4 + 1; n > 0; --n) {
      const auto at = random() % (text.size() + 1);
      const char letter = letters[random() % letters.size()];
      if (random() % 2 || at == text.size()) {
        text.insert(at, 1, letter);
      } else if (random() % 2) {
        text[at] = letter;
      } else {
        text.erase(at, random() % 3);
      }
    }
    use(text);
  }
}

TEST(ExpressionFuzz, RandomTokensNeverCrash) {
  std::mt19937 random(23);
  const std::vector<std::string> tokens{"1",    "2.5e3",  "t",       "a", "pi", "+", "-", "*",  "/",
                                        "^",    "(",      ")",       "<", "==", "=", ",", "if", "min(",
                                        "sin(", "atan2(", "signal(", "x", " ",  ".", "e", "1e", "\n"};
  for (int k = 0; k < 50000; ++k) {
    std::string text;
    for (auto n = random() % 12; n > 0; --n) text += tokens[random() % tokens.size()];
    use(text);
  }
}

}  // namespace
}  // namespace flexura
