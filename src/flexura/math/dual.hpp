#pragma once
// Dual numbers v + d ε with ε² = 0: the exact derivative in one direction, for tests and sensitivities.

#include "flexura/math/scalar.hpp"

namespace flexura {

template <class V>
struct Dual {
  V v{}, d{};

  Dual() = default;
  Dual(double value) : v(value), d(0.0) {}  // NOLINT: constants have no derivative
  Dual(V value, V derivative) : v(value), d(derivative) {}

  friend Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
  friend Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
  friend Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
  friend Dual operator/(Dual a, Dual b) {
    const V q = a.v / b.v;
    return {q, (a.d - q * b.d) / b.v};
  }
  friend Dual operator-(Dual a) { return {-a.v, -a.d}; }
  Dual& operator+=(Dual b) { return *this = *this + b; }
  Dual& operator-=(Dual b) { return *this = *this - b; }
  Dual& operator*=(Dual b) { return *this = *this * b; }
  Dual& operator/=(Dual b) { return *this = *this / b; }

  friend auto operator<(Dual a, Dual b) { return a.v < b.v; }
  friend auto operator<=(Dual a, Dual b) { return a.v <= b.v; }
  friend auto operator>(Dual a, Dual b) { return a.v > b.v; }
  friend auto operator>=(Dual a, Dual b) { return a.v >= b.v; }
  friend auto operator==(Dual a, Dual b) { return a.v == b.v; }
};

template <class V>
Dual<V> fma(Dual<V> a, Dual<V> b, Dual<V> c) {
  return {fma(a.v, b.v, c.v), fma(a.d, b.v, fma(a.v, b.d, c.d))};
}
template <class V>
Dual<V> sqrt(Dual<V> a) {
  const V r = sqrt(a.v);
  return {r, a.d / (V(2.0) * r)};
}
template <class V>
Dual<V> select(MaskOf<V> mask, Dual<V> yes, Dual<V> no) {
  return {select(mask, yes.v, no.v), select(mask, yes.d, no.d)};
}
template <class V>
Dual<V> abs(Dual<V> a) {
  return select(a.v < V(0.0), -a, a);
}
template <class V>
Dual<V> max(Dual<V> a, Dual<V> b) {
  return select(a.v > b.v, a, b);
}
template <class V>
Dual<V> min(Dual<V> a, Dual<V> b) {
  return select(a.v < b.v, a, b);
}
template <class V>
Dual<V> sin(Dual<V> a) {
  return {sin(a.v), cos(a.v) * a.d};
}
template <class V>
Dual<V> cos(Dual<V> a) {
  return {cos(a.v), -sin(a.v) * a.d};
}
template <class V>
Dual<V> exp(Dual<V> a) {
  const V e = exp(a.v);
  return {e, e * a.d};
}
template <class V>
Dual<V> log(Dual<V> a) {
  return {log(a.v), a.d / a.v};
}
template <class V>
Dual<V> atan2(Dual<V> y, Dual<V> x) {
  const V r2 = x.v * x.v + y.v * y.v;
  return {atan2(y.v, x.v), (x.v * y.d - y.v * x.d) / r2};
}

template <class V>
struct ScalarTraits<Dual<V>> {
  using Value = V;
  using Mask = MaskOf<V>;
  static constexpr int lanes = ScalarTraits<V>::lanes;
  static V value(const Dual<V>& x) { return x.v; }
  static double lane(const Dual<V>& x, int i) { return ScalarTraits<V>::lane(x.v, i); }
  static void set_lane(Dual<V>& x, int i, double value) { ScalarTraits<V>::set_lane(x.v, i, value); }
};

}  // namespace flexura
