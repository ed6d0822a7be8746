#pragma once
// A number with its first and second derivative along one curve: what Φ, Φ̇ and Φ̈ of a constraint are read from.

#include "flexura/math/scalar.hpp"

namespace flexura {

template <class V>
struct Taylor {
  V v{}, d{}, dd{};  ///< x, dx/ds, d²x/ds²

  Taylor() = default;
  Taylor(double value) : v(value), d(0.0), dd(0.0) {}  // NOLINT: constants have no derivative
  Taylor(V value, V first, V second) : v(value), d(first), dd(second) {}

  friend Taylor operator+(Taylor a, Taylor b) { return {a.v + b.v, a.d + b.d, a.dd + b.dd}; }
  friend Taylor operator-(Taylor a, Taylor b) { return {a.v - b.v, a.d - b.d, a.dd - b.dd}; }
  friend Taylor operator-(Taylor a) { return {-a.v, -a.d, -a.dd}; }
  friend Taylor operator*(Taylor a, Taylor b) {
    return {a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + V(2.0) * (a.d * b.d) + a.v * b.dd};
  }
  friend Taylor operator/(Taylor a, Taylor b) {
    const V q = a.v / b.v, qd = (a.d - q * b.d) / b.v;
    return {q, qd, (a.dd - V(2.0) * (qd * b.d) - q * b.dd) / b.v};
  }
  Taylor& operator+=(Taylor b) { return *this = *this + b; }
  Taylor& operator-=(Taylor b) { return *this = *this - b; }
  Taylor& operator*=(Taylor b) { return *this = *this * b; }
  Taylor& operator/=(Taylor b) { return *this = *this / b; }

  friend auto operator<(Taylor a, Taylor b) { return a.v < b.v; }
  friend auto operator<=(Taylor a, Taylor b) { return a.v <= b.v; }
  friend auto operator>(Taylor a, Taylor b) { return a.v > b.v; }
  friend auto operator>=(Taylor a, Taylor b) { return a.v >= b.v; }
  friend auto operator==(Taylor a, Taylor b) { return a.v == b.v; }
};

/// f(x) from f, f′ and f″ at x.v.
template <class V>
Taylor<V> chain(Taylor<V> x, V f, V f1, V f2) {
  return {f, f1 * x.d, f1 * x.dd + f2 * (x.d * x.d)};
}

template <class V>
Taylor<V> fma(Taylor<V> a, Taylor<V> b, Taylor<V> c) {
  return a * b + c;
}
template <class V>
Taylor<V> sqrt(Taylor<V> x) {
  const V r = sqrt(x.v), slope = V(0.5) / r;
  return chain(x, r, slope, V(-0.5) * slope / x.v);
}
template <class V>
Taylor<V> sin(Taylor<V> x) {
  const V s = sin(x.v);
  return chain(x, s, cos(x.v), -s);
}
template <class V>
Taylor<V> cos(Taylor<V> x) {
  const V c = cos(x.v);
  return chain(x, c, -sin(x.v), -c);
}
/// With ρ = x² + y²: ρ α̇ = x ẏ − y ẋ, ρ α̈ = x ÿ − y ẍ − ρ̇ α̇.
template <class V>
Taylor<V> atan2(Taylor<V> y, Taylor<V> x) {
  const V per = V(1.0) / (x.v * x.v + y.v * y.v), rate = per * (x.v * y.d - y.v * x.d);
  const V growth = V(2.0) * (x.v * x.d + y.v * y.d);
  return {atan2(y.v, x.v), rate, per * (x.v * y.dd - y.v * x.dd - growth * rate)};
}
template <class V>
Taylor<V> exp(Taylor<V> x) {
  const V e = exp(x.v);
  return chain(x, e, e, e);
}
template <class V>
Taylor<V> log(Taylor<V> x) {
  const V inverse = V(1.0) / x.v;
  return chain(x, log(x.v), inverse, -inverse * inverse);
}
template <class V>
Taylor<V> select(MaskOf<V> mask, Taylor<V> yes, Taylor<V> no) {
  return {select(mask, yes.v, no.v), select(mask, yes.d, no.d), select(mask, yes.dd, no.dd)};
}
template <class V>
Taylor<V> abs(Taylor<V> x) {
  return select(x.v < V(0.0), -x, x);
}
template <class V>
Taylor<V> max(Taylor<V> a, Taylor<V> b) {
  return select(a.v > b.v, a, b);
}
template <class V>
Taylor<V> min(Taylor<V> a, Taylor<V> b) {
  return select(a.v < b.v, a, b);
}

template <class V>
struct ScalarTraits<Taylor<V>> {
  using Value = V;
  using Mask = MaskOf<V>;
  static constexpr int lanes = ScalarTraits<V>::lanes;
  static V value(const Taylor<V>& x) { return x.v; }
  static double lane(const Taylor<V>& x, int i) { return ScalarTraits<V>::lane(x.v, i); }
};

}  // namespace flexura
