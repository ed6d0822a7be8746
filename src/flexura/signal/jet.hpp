#pragma once

#include <cmath>
#include <type_traits>

#include "flexura/signal/signal_value.hpp"

namespace flexura {

// Forward jets: arithmetic on (value, first, second time derivative). With f(a(t)):
//     d  = f' ȧ          dd = f'' ȧ² + f' ä
// The same functions on `double` give the same bits as the jets' values.

inline SignalValue operator+(const SignalValue& a, const SignalValue& b) {
  return {a.u + b.u, a.du + b.du, a.ddu + b.ddu};
}
inline SignalValue operator-(const SignalValue& a, const SignalValue& b) {
  return {a.u - b.u, a.du - b.du, a.ddu - b.ddu};
}
inline SignalValue operator-(const SignalValue& a) { return {-a.u, -a.du, -a.ddu}; }
inline SignalValue operator*(const SignalValue& a, const SignalValue& b) {
  return {a.u * b.u, a.du * b.u + a.u * b.du, a.ddu * b.u + 2 * a.du * b.du + a.u * b.ddu};
}
inline SignalValue operator/(const SignalValue& a, const SignalValue& b) {
  const double q = a.u / b.u;
  const double d = (a.du - q * b.du) / b.u;
  return {q, d, (a.ddu - 2 * d * b.du - q * b.ddu) / b.u};
}

namespace detail {

/// f(a) from f, f', f'' at a. A derivative that is zero stays zero next to an infinite f' (sqrt of a constant 0).
inline SignalValue chain(double f, double f1, double f2, const SignalValue& a) {
  const double square = a.du * a.du;
  return {f, a.du == 0 ? 0 : f1 * a.du, (square == 0 ? 0 : f2 * square) + (a.ddu == 0 ? 0 : f1 * a.ddu)};
}

inline double value_of(double a) { return a; }
inline double value_of(const SignalValue& a) { return a.u; }

/// A number without derivative, as T.
template <class T>
T constant(double value) {
  if constexpr (std::is_same_v<T, double>) {
    return value;
  } else {
    return {value, 0, 0};
  }
}

inline double power(double a, double b) { return b == 2 ? a * a : std::pow(a, b); }
inline SignalValue power(const SignalValue& a, const SignalValue& b) {
  const double v = power(a.u, b.u);
  if (b.du == 0 && b.ddu == 0) {
    const double f1 = b.u == 0 ? 0 : b.u * std::pow(a.u, b.u - 1);
    const double f2 = b.u == 0 || b.u == 1 ? 0 : b.u * (b.u - 1) * std::pow(a.u, b.u - 2);
    return chain(v, f1, f2, a);
  }
  // v = exp(w), w = b log a
  const double log_a = std::log(a.u);
  const SignalValue w = b * chain(log_a, 1 / a.u, -1 / (a.u * a.u), a);
  return chain(v, v, v, w);
}

inline double square_root(double a) { return std::sqrt(a); }
inline SignalValue square_root(const SignalValue& a) {
  const double v = std::sqrt(a.u);
  return chain(v, 0.5 / v, -0.25 / (v * a.u), a);
}
inline double exponential(double a) { return std::exp(a); }
inline SignalValue exponential(const SignalValue& a) {
  const double v = std::exp(a.u);
  return chain(v, v, v, a);
}
inline double logarithm(double a) { return std::log(a); }
inline SignalValue logarithm(const SignalValue& a) { return chain(std::log(a.u), 1 / a.u, -1 / (a.u * a.u), a); }
inline double sine(double a) { return std::sin(a); }
inline SignalValue sine(const SignalValue& a) {
  const double s = std::sin(a.u);
  return chain(s, std::cos(a.u), -s, a);
}
inline double cosine(double a) { return std::cos(a); }
inline SignalValue cosine(const SignalValue& a) {
  const double c = std::cos(a.u);
  return chain(c, -std::sin(a.u), -c, a);
}
inline double tangent(double a) { return std::tan(a); }
inline SignalValue tangent(const SignalValue& a) {
  const double v = std::tan(a.u);
  return chain(v, 1 + v * v, 2 * v * (1 + v * v), a);
}
inline double arcsine(double a) { return std::asin(a); }
inline SignalValue arcsine(const SignalValue& a) {
  const double w = (1 - a.u) * (1 + a.u);
  return chain(std::asin(a.u), 1 / std::sqrt(w), a.u / (w * std::sqrt(w)), a);
}
inline double arccosine(double a) { return std::acos(a); }
inline SignalValue arccosine(const SignalValue& a) {
  const double w = (1 - a.u) * (1 + a.u);
  return chain(std::acos(a.u), -1 / std::sqrt(w), -a.u / (w * std::sqrt(w)), a);
}
inline double arctangent(double a) { return std::atan(a); }
inline SignalValue arctangent(const SignalValue& a) {
  const double f1 = 1 / (1 + a.u * a.u);
  return chain(std::atan(a.u), f1, -2 * a.u * f1 * f1, a);
}
inline double arctangent2(double y, double x) { return std::atan2(y, x); }
inline SignalValue arctangent2(const SignalValue& y, const SignalValue& x) {
  const double r2 = x.u * x.u + y.u * y.u;
  const double turn = x.u * y.du - y.u * x.du;
  if (turn == 0 && x.u * y.ddu == y.u * x.ddu) return {std::atan2(y.u, x.u), 0, 0};
  const double d = turn / r2;
  return {std::atan2(y.u, x.u), d, (x.u * y.ddu - y.u * x.ddu - 2 * d * (x.u * x.du + y.u * y.du)) / r2};
}
inline double hyperbolic_sine(double a) { return std::sinh(a); }
inline SignalValue hyperbolic_sine(const SignalValue& a) {
  const double s = std::sinh(a.u);
  return chain(s, std::cosh(a.u), s, a);
}
inline double hyperbolic_cosine(double a) { return std::cosh(a); }
inline SignalValue hyperbolic_cosine(const SignalValue& a) {
  const double c = std::cosh(a.u);
  return chain(c, std::sinh(a.u), c, a);
}
inline double hyperbolic_tangent(double a) { return std::tanh(a); }
inline SignalValue hyperbolic_tangent(const SignalValue& a) {
  const double v = std::tanh(a.u);
  const double f1 = (1 - v) * (1 + v);
  return chain(v, f1, -2 * v * f1, a);
}

/// 10 s³ − 15 s⁴ + 6 s⁵ held outside [0, 1]
inline double quintic(double s) {
  if (s <= 0) return 0;
  if (s >= 1) return 1;
  return s * s * s * (10 + s * (6 * s - 15));
}
inline SignalValue quintic(const SignalValue& s) {
  const double v = quintic(s.u);
  if (!(s.u > 0 && s.u < 1)) return {v, 0, 0};
  const double r = s.u * (1 - s.u);
  return chain(v, 30 * r * r, 60 * r * (1 - 2 * s.u), s);
}

}  // namespace detail
}  // namespace flexura
