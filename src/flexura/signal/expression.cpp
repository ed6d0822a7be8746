#include "flexura/signal/expression.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "flexura/signal/expression_program.hpp"
#include "flexura/signal/jet.hpp"

namespace flexura {

using detail::Op;

namespace {

/// Watches nothing, for plain evaluation.
struct NoWatch {
  template <class T>
  void crossing(const T&, int) {}
  template <class T>
  void integer(const T&, double) {}
};

/// Notes which way every switch stands, as a hash, and where each would turn if its argument were linear in t.
struct SwitchWatch {
  double t;
  std::vector<double>* turns;
  std::uint64_t standing = 14695981039346656037ULL;

  void mix(std::uint64_t x) { standing = (standing ^ (x * 0x9E3779B97F4A7C15ULL)) * 1099511628211ULL; }
  void turn(double distance, double rate) const {
    if (turns != nullptr && rate != 0) turns->push_back(t - distance / rate);
  }
  void crossing(const SignalValue& g, int side) {
    mix(static_cast<unsigned>(side + 2));
    turn(g.u, g.du);
  }
  void integer(const SignalValue& g, double below) {
    mix(std::bit_cast<std::uint64_t>(below));
    turn(g.u - below, g.du);
    turn(g.u - below - 1, g.du);
  }
};

bool switches(Op op) {
  return (op >= Op::less && op <= Op::greater_equal) || op == Op::minimum || op == Op::maximum || op == Op::absolute ||
         op == Op::floor || op == Op::modulo || op == Op::sign || op == Op::step || op == Op::smoothstep;
}

int side_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

}  // namespace

template <class T, class Watch>
T Expression::run(double t, std::span<const T> inputs, Watch&& watch) const {
  if (program_.empty()) return detail::constant<T>(0);
  T stack[detail::stack_limit];
  int top = -1;
  const auto unary = [&](auto&& f) { stack[top] = f(stack[top]); };
  const auto binary = [&](auto&& f) {
    --top;
    stack[top] = f(stack[top], stack[top + 1]);
  };
  const auto compare = [&](auto&& f) {
    binary([&](const T& a, const T& b) {
      const bool holds = f(detail::value_of(a), detail::value_of(b));
      watch.crossing(a - b, holds ? 1 : 0);
      return detail::constant<T>(holds ? 1 : 0);
    });
  };
  for (const detail::Instruction& i : program_) {
    switch (i.op) {
      case Op::number:
        stack[++top] = detail::constant<T>(i.value);
        break;
      case Op::time:
        if constexpr (std::is_same_v<T, double>) {
          stack[++top] = t;
        } else {
          stack[++top] = {t, 1, 0};
        }
        break;
      case Op::input:
        stack[++top] = i.argument < inputs.size() ? inputs[i.argument] : detail::constant<T>(0);
        break;
      case Op::add:
        binary([](const T& a, const T& b) { return a + b; });
        break;
      case Op::subtract:
        binary([](const T& a, const T& b) { return a - b; });
        break;
      case Op::multiply:
        binary([](const T& a, const T& b) { return a * b; });
        break;
      case Op::divide:
        binary([](const T& a, const T& b) { return a / b; });
        break;
      case Op::power:
        binary([](const T& a, const T& b) { return detail::power(a, b); });
        break;
      case Op::negate:
        unary([](const T& a) { return -a; });
        break;
      case Op::less:
        compare([](double a, double b) { return a < b; });
        break;
      case Op::less_equal:
        compare([](double a, double b) { return a <= b; });
        break;
      case Op::greater:
        compare([](double a, double b) { return a > b; });
        break;
      case Op::greater_equal:
        compare([](double a, double b) { return a >= b; });
        break;
      case Op::equal:
        binary([](const T& a, const T& b) {
          return detail::constant<T>(detail::value_of(a) == detail::value_of(b) ? 1 : 0);
        });
        break;
      case Op::not_equal:
        binary([](const T& a, const T& b) {
          return detail::constant<T>(detail::value_of(a) != detail::value_of(b) ? 1 : 0);
        });
        break;
      case Op::select:
        top -= 2;
        stack[top] = detail::value_of(stack[top]) != 0 ? stack[top + 1] : stack[top + 2];
        break;
      case Op::minimum:
        binary([&](const T& a, const T& b) {
          const bool second = detail::value_of(b) < detail::value_of(a) || std::isnan(detail::value_of(b));
          watch.crossing(a - b, second ? 1 : 0);
          return second ? b : a;
        });
        break;
      case Op::maximum:
        binary([&](const T& a, const T& b) {
          const bool second = detail::value_of(b) > detail::value_of(a) || std::isnan(detail::value_of(b));
          watch.crossing(a - b, second ? 1 : 0);
          return second ? b : a;
        });
        break;
      case Op::absolute:
        unary([&](const T& a) {
          const bool negative = detail::value_of(a) < 0;
          watch.crossing(a, negative ? 1 : 0);
          return negative ? -a : a;
        });
        break;
      case Op::square_root:
        unary([](const T& a) { return detail::square_root(a); });
        break;
      case Op::exponential:
        unary([](const T& a) { return detail::exponential(a); });
        break;
      case Op::logarithm:
        unary([](const T& a) { return detail::logarithm(a); });
        break;
      case Op::sine:
        unary([](const T& a) { return detail::sine(a); });
        break;
      case Op::cosine:
        unary([](const T& a) { return detail::cosine(a); });
        break;
      case Op::tangent:
        unary([](const T& a) { return detail::tangent(a); });
        break;
      case Op::arcsine:
        unary([](const T& a) { return detail::arcsine(a); });
        break;
      case Op::arccosine:
        unary([](const T& a) { return detail::arccosine(a); });
        break;
      case Op::arctangent:
        unary([](const T& a) { return detail::arctangent(a); });
        break;
      case Op::arctangent2:
        binary([](const T& a, const T& b) { return detail::arctangent2(a, b); });
        break;
      case Op::hyperbolic_sine:
        unary([](const T& a) { return detail::hyperbolic_sine(a); });
        break;
      case Op::hyperbolic_cosine:
        unary([](const T& a) { return detail::hyperbolic_cosine(a); });
        break;
      case Op::hyperbolic_tangent:
        unary([](const T& a) { return detail::hyperbolic_tangent(a); });
        break;
      case Op::floor:
        unary([&](const T& a) {
          const double below = std::floor(detail::value_of(a));
          watch.integer(a, below);
          return detail::constant<T>(below);
        });
        break;
      case Op::modulo:
        binary([&](const T& a, const T& b) {
          const T ratio = a / b;
          const double below = std::floor(detail::value_of(ratio));
          watch.integer(ratio, below);
          return a - b * detail::constant<T>(below);
        });
        break;
      case Op::sign:
        unary([&](const T& a) {
          const double x = detail::value_of(a);
          watch.crossing(a, side_of(x));
          return detail::constant<T>(std::isnan(x) ? x : side_of(x));
        });
        break;
      case Op::step:
        unary([&](const T& a) {
          const double x = detail::value_of(a);
          watch.crossing(a, x >= 0 ? 1 : 0);
          return detail::constant<T>(std::isnan(x) ? x : x >= 0 ? 1 : 0);
        });
        break;
      case Op::smoothstep:
        unary([&](const T& a) {
          watch.crossing(a, detail::value_of(a) >= 0 ? 1 : 0);
          watch.crossing(a - detail::constant<T>(1), detail::value_of(a) >= 1 ? 1 : 0);
          return detail::quintic(a);
        });
        break;
    }
  }
  return stack[0];
}

double Expression::value(double t, std::span<const double> inputs) const { return run(t, inputs, NoWatch{}); }

SignalValue Expression::at(double t, std::span<const SignalValue> inputs) const { return run(t, inputs, NoWatch{}); }

Expression Expression::bind(std::span<const int> places) const {
  Expression bound = *this;
  for (detail::Instruction& i : bound.program_) {
    if (i.op == Op::input) i.argument = static_cast<std::uint32_t>(places[i.argument]);
  }
  return bound;
}

std::vector<SignalProblem> Expression::problems() const {
  if (!is_constant() || std::isfinite(value())) return {};
  return {{.signal = {}, .field = "expression", .message = "'" + text_ + "' is not a finite number", .nearest = {}}};
}

void Expression::breakpoints(double t0, double t1, std::vector<double>& out) const {
  breakpoints(t0, t1, [](double) { return std::span<const SignalValue>{}; }, out);
}

void Expression::breakpoints(double t0, double t1, const InputsAt& inputs, std::vector<double>& out) const {
  const bool switching = std::any_of(program_.begin(), program_.end(), [](const auto& i) { return switches(i.op); });
  const double length = t1 - t0;
  if (is_constant() || !switching || !(length > 0) || !std::isfinite(length)) return;
  constexpr int samples = 512;
  constexpr std::size_t most_breakpoints = 20000;

  // Sample evenly, and closely around each place where a switch is expected to turn.
  const auto standing = [&](double t, std::vector<double>* turns) {
    SwitchWatch watch{t, turns};
    run(t, inputs(t), watch);
    return watch.standing;
  };
  std::vector<double> times, turns;
  for (int k = 0; k <= samples; ++k) times.push_back(k == samples ? t1 : t0 + k * (length / samples));
  for (const double t : times) standing(t, &turns);
  std::erase_if(turns, [&](double t) { return !(t > t0 && t <= t1); });
  std::sort(turns.begin(), turns.end());
  const double near = 1e-9 * length;
  double last = t0 - length;
  for (const double t : turns) {
    if (t - last < 0.5 * near) continue;
    last = t;
    for (const double s : {t - near, t, t + near})
      if (s > t0 && s < t1) times.push_back(s);
  }
  std::sort(times.begin(), times.end());

  // Halve every interval in which something turns, down to neighbouring numbers.
  const std::size_t first = out.size();
  const auto bisect = [&](auto&& self, double a, std::uint64_t at_a, double b, std::uint64_t at_b) -> void {
    if (at_a == at_b || out.size() - first > most_breakpoints) return;
    const double middle = a + 0.5 * (b - a);
    if (middle <= a || middle >= b || b - a < 1e-24 * length) {
      const bool merge = out.size() > first && b - out.back() <= 1e-15 * std::abs(b);
      if (merge) out.back() = b;
      if (!merge) out.push_back(b);
      return;
    }
    const std::uint64_t at_middle = standing(middle, nullptr);
    self(self, a, at_a, middle, at_middle);
    self(self, middle, at_middle, b, at_b);
  };
  double a = t0;
  std::uint64_t at_a = standing(a, nullptr);
  for (const double b : times) {
    if (b <= a) continue;
    const std::uint64_t at_b = standing(b, nullptr);
    bisect(bisect, a, at_a, b, at_b);
    a = b;
    at_a = at_b;
  }
}

}  // namespace flexura
