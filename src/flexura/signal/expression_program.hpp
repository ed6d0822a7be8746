#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "flexura/signal/expression.hpp"

namespace flexura::detail {

/// What one instruction does to the stack. Functions of n numbers take n from the top and leave one.
enum class Op : std::uint8_t {
  number,  ///< pushes `value`
  time,    ///< pushes t
  input,   ///< pushes inputs[argument]
  add,
  subtract,
  multiply,
  divide,
  power,
  negate,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  select,  ///< c a b → a if c ≠ 0, else b
  minimum,
  maximum,
  absolute,
  square_root,
  exponential,
  logarithm,
  sine,
  cosine,
  tangent,
  arcsine,
  arccosine,
  arctangent,
  arctangent2,
  hyperbolic_sine,
  hyperbolic_cosine,
  hyperbolic_tangent,
  floor,
  modulo,
  sign,
  step,
  smoothstep,
};

struct Function {
  std::string_view name;
  Op op;
  int arguments;      ///< taken by the instruction
  bool many = false;  ///< may be called with more, which are combined from the left
};

inline constexpr std::array functions{
    Function{"if", Op::select, 3},
    Function{"min", Op::minimum, 2, true},
    Function{"max", Op::maximum, 2, true},
    Function{"abs", Op::absolute, 1},
    Function{"sqrt", Op::square_root, 1},
    Function{"exp", Op::exponential, 1},
    Function{"log", Op::logarithm, 1},
    Function{"sin", Op::sine, 1},
    Function{"cos", Op::cosine, 1},
    Function{"tan", Op::tangent, 1},
    Function{"asin", Op::arcsine, 1},
    Function{"acos", Op::arccosine, 1},
    Function{"atan", Op::arctangent, 1},
    Function{"atan2", Op::arctangent2, 2},
    Function{"sinh", Op::hyperbolic_sine, 1},
    Function{"cosh", Op::hyperbolic_cosine, 1},
    Function{"tanh", Op::hyperbolic_tangent, 1},
    Function{"floor", Op::floor, 1},
    Function{"mod", Op::modulo, 2},
    Function{"sign", Op::sign, 1},
    Function{"step", Op::step, 1},
    Function{"smoothstep", Op::smoothstep, 1},
};

/// Numbers the instruction takes from the stack.
constexpr int arity(Op op) {
  if (op <= Op::input) return 0;
  if (op == Op::negate) return 1;
  if (op < Op::select) return 2;
  for (const Function& f : functions) {
    if (f.op == op) return f.arguments;
  }
  return 0;
}

constexpr int stack_limit = 64;     ///< numbers on the stack while an expression is evaluated
constexpr int nesting_limit = 200;  ///< parentheses, signs and powers within each other

}  // namespace flexura::detail
