#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/signal/signal_problem.hpp"
#include "flexura/signal/signal_value.hpp"

namespace flexura {

/// A place in an expression's text, counted in characters from 1, and what was expected there.
struct ExpressionError {
  int column = 1;
  int length = 1;
  std::string message;
  std::string nearest;  ///< nearest known name, empty if none is near
};

/// "column 5: unknown name 'alpa'; nearest: 'alpha'"
std::string to_string(const ExpressionError& error);

/// Named numbers an expression may use.
using Parameters = std::map<std::string, double, std::less<>>;

/// What an expression may contain besides numbers, parameters and functions.
enum class ExpressionScope {
  constants,  ///< nothing else: a parameter such as "= L / 2"
  time,       ///< t
  signals,    ///< t and signal(name), the value of another signal of the set
};

namespace detail {
enum class Op : std::uint8_t;
struct Instruction {
  Op op;
  std::uint32_t argument;
  double value;
  bool operator==(const Instruction&) const = default;
};
}  // namespace detail

struct ParsedExpression;

/// A formula, compiled to a postfix program that runs on a fixed stack, without heap.
///
///   numbers, + - * / ^ (right to left, before the sign: -2^2 = -4), ( ), < <= > >= == != (1 or 0), pi, e, t [s]
///   if(c, a, b)  min(a, b, ...)  max(a, b, ...)  abs sqrt exp log sin cos tan asin acos atan atan2(y, x) sinh cosh
///   tanh floor  mod(a, b) = a − b floor(a/b)  sign  step(x) = 1 for x ≥ 0, else 0  smoothstep(x) = 10 x³ − 15 x⁴ + 6
///   x⁵ held outside [0, 1]
///
/// A leading "=" is allowed. Parameters are put in when parsing and win over pi and e. Both branches of `if` are
/// evaluated, one is used. Derivatives come from second-order jets, exact up to rounding.
class Expression {
 public:
  Expression() = default;  ///< 0

  static ParsedExpression parse(std::string_view text, const Parameters& parameters = {},
                                ExpressionScope scope = ExpressionScope::time);

  /// `inputs` are the signals the expression was bound to, see `bind`; empty if it uses none.
  double value(double t = 0, std::span<const double> inputs = {}) const;
  SignalValue at(double t, std::span<const SignalValue> inputs = {}) const;

  /// Times in (t0, t1] where a comparison, step, abs, min, floor, ... switches. Exact where its argument is linear in
  /// t; else found by 512 samples, so that two switches closer than (t1 − t0)/512 may stay hidden. Not for inner loops.
  void breakpoints(double t0, double t1, std::vector<double>& out) const;
  using InputsAt = std::function<std::span<const SignalValue>(double)>;
  void breakpoints(double t0, double t1, const InputsAt& inputs, std::vector<double>& out) const;

  bool is_constant() const { return !uses_time_ && inputs_.empty(); }
  bool uses_time() const { return uses_time_; }
  const std::vector<std::string>& inputs() const { return inputs_; }  ///< names used as signal(name), each once
  const std::string& text() const { return text_; }
  /// The same formula with the same parameters put in.
  bool operator==(const Expression&) const = default;
  std::vector<SignalProblem> problems() const;

  /// The same expression reading signal(inputs()[k]) from inputs[places[k]].
  Expression bind(std::span<const int> places) const;

 private:
  friend class ExpressionParser;
  template <class T, class Watch>
  T run(double t, std::span<const T> inputs, Watch&& watch) const;

  std::vector<detail::Instruction> program_;
  std::vector<std::string> inputs_;
  std::string text_;
  bool uses_time_ = false;
};

/// An expression, or every error found in its text.
struct ParsedExpression {
  Expression expression;
  std::vector<ExpressionError> errors;

  bool ok() const { return errors.empty(); }
};

/// True for names with a meaning of their own (t, pi, e and the functions), which parameters should not take.
bool is_reserved_name(std::string_view name);

}  // namespace flexura
