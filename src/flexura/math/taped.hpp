#pragma once
// Numbers that write down what is done with them, for derivatives backwards: of one sum of results by all that they were made of, at
// the cost of a few evaluations [griewank2008, chapter 3]. V is double, or lanes that have slopes of their own.
//
//     Tape<double> tape;                     const Tape<double>::Scope scope(tape);
//     auto x = Taped<double>::unknown(2), y = x * sin(x);
//     tape.seed(y, 1);  tape.sweep();        tape.gradient(x)  // sin 2 + 2 cos 2

#include <cstdint>
#include <utility>
#include <vector>

#include "flexura/math/cube_root.hpp"
#include "flexura/math/scalar.hpp"

namespace flexura {

template <class V>
struct Taped;

template <class V>
class Tape {
 public:
  using Place = std::int32_t;  ///< −1: nowhere

  /// Until its end all that is done in this thread with numbers that depend on unknowns is written here.
  class Scope {
   public:
    explicit Scope(Tape& tape) : before_(std::exchange(current(), &tape)) { tape.clear(); }
    ~Scope() { current() = before_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Tape* before_;
  };

  void seed(const Taped<V>& result, V weight) {
    gradient_.resize(nodes_.size(), V(0.0));
    if (result.place >= 0) gradient_[result.place] += weight;
  }
  /// From the last number to the first.
  void sweep() {
    for (size_t i = gradient_.size(); i-- > 0;) {
      const Node& node = nodes_[i];
      const V felt = gradient_[i];
      const auto nothing = felt == V(0.0);
      if (all(nothing)) continue;
      // What is not felt has no slope either, even where that is infinite: the way that a select did not take.
      const auto add_to = [&](Place place, V slope) {
        if (place >= 0) gradient_[place] += select(nothing, V(0.0), slope * felt);
      };
      add_to(node.a, node.slope_a);
      add_to(node.b, node.slope_b);
      if (node.sum >= 0) gradient_[node.sum] += felt;
    }
  }
  V gradient(const Taped<V>& x) const {
    return x.place < 0 || static_cast<size_t>(x.place) >= gradient_.size() ? V(0.0) : gradient_[x.place];
  }

  /// A number with these slopes by two others, and 1 by a third.
  Place add(Place a, V slope_a, Place b = -1, V slope_b = V(0.0), Place sum = -1) {
    nodes_.push_back({a, b, sum, slope_a, slope_b});
    return static_cast<Place>(nodes_.size()) - 1;
  }
  static Tape*& current() {
    thread_local Tape* tape = nullptr;
    return tape;
  }

 private:
  struct Node {
    Place a, b, sum;
    V slope_a, slope_b;
  };
  void clear() {
    nodes_.clear();
    gradient_.clear();
  }

  std::vector<Node> nodes_;
  std::vector<V> gradient_;
};

template <class V>
struct Taped {
  using Place = typename Tape<V>::Place;
  V v{};
  Place place = -1;  ///< on the tape; −1: a constant

  Taped() = default;
  Taped(double value) : v(value) {}  // NOLINT: constants
  Taped(V value, Place at) : v(value), place(at) {}
  static Taped unknown(V value) { return {value, Tape<V>::current()->add(-1, V(0.0))}; }

  static Taped of(V value, const Taped& a, V slope) {
    return {value, a.place < 0 ? -1 : Tape<V>::current()->add(a.place, slope)};
  }
  static Taped of(V value, const Taped& a, V slope_a, const Taped& b, V slope_b) {
    if (a.place < 0 && b.place < 0) return {value, -1};
    return {value, Tape<V>::current()->add(a.place, slope_a, b.place, slope_b)};
  }

  friend Taped operator+(const Taped& a, const Taped& b) {
    if (b.place < 0) return of(a.v + b.v, a, V(1.0));
    return {a.v + b.v, Tape<V>::current()->add(a.place, V(1.0), -1, V(0.0), b.place)};
  }
  friend Taped operator-(const Taped& a, const Taped& b) { return of(a.v - b.v, a, V(1.0), b, V(-1.0)); }
  friend Taped operator*(const Taped& a, const Taped& b) { return of(a.v * b.v, a, b.v, b, a.v); }
  friend Taped operator/(const Taped& a, const Taped& b) {
    const V q = a.v / b.v;
    if (a.place < 0 && b.place < 0) return {q, -1};
    const V inverse = V(1.0) / b.v;
    return of(q, a, inverse, b, -q * inverse);
  }
  friend Taped operator-(const Taped& a) { return of(-a.v, a, V(-1.0)); }
  Taped& operator+=(const Taped& b) { return *this = *this + b; }
  Taped& operator-=(const Taped& b) { return *this = *this - b; }
  Taped& operator*=(const Taped& b) { return *this = *this * b; }
  Taped& operator/=(const Taped& b) { return *this = *this / b; }

  friend auto operator<(const Taped& a, const Taped& b) { return a.v < b.v; }
  friend auto operator<=(const Taped& a, const Taped& b) { return a.v <= b.v; }
  friend auto operator>(const Taped& a, const Taped& b) { return a.v > b.v; }
  friend auto operator>=(const Taped& a, const Taped& b) { return a.v >= b.v; }
  friend auto operator==(const Taped& a, const Taped& b) { return a.v == b.v; }
};

template <class V>
Taped<V> fma(const Taped<V>& a, const Taped<V>& b, const Taped<V>& c) {
  const V value = fma(a.v, b.v, c.v);
  if (a.place < 0 && b.place < 0 && c.place < 0) return {value, -1};
  return {value, Tape<V>::current()->add(a.place, b.v, b.place, a.v, c.place)};
}
template <class V>
Taped<V> sqrt(const Taped<V>& a) {
  const V r = sqrt(a.v);
  return Taped<V>::of(r, a, V(0.5) / r);
}
template <class V>
Taped<V> sin(const Taped<V>& a) {
  return Taped<V>::of(sin(a.v), a, cos(a.v));
}
template <class V>
Taped<V> cos(const Taped<V>& a) {
  return Taped<V>::of(cos(a.v), a, -sin(a.v));
}
template <class V>
Taped<V> exp(const Taped<V>& a) {
  const V e = exp(a.v);
  return Taped<V>::of(e, a, e);
}
template <class V>
Taped<V> log(const Taped<V>& a) {
  return Taped<V>::of(log(a.v), a, V(1.0) / a.v);
}
template <class V>
Taped<V> atan2(const Taped<V>& y, const Taped<V>& x) {
  const V per = V(1.0) / (x.v * x.v + y.v * y.v);
  return Taped<V>::of(atan2(y.v, x.v), y, x.v * per, x, -y.v * per);
}
template <class V>
Taped<V> inverse_cube_root(const Taped<V>& x) {
  const V y = inverse_cube_root(x.v);
  return Taped<V>::of(y, x, V(-1.0 / 3) * y / x.v);
}
template <class V>
Taped<V> select(MaskOf<V> mask, const Taped<V>& yes, const Taped<V>& no) {
  return Taped<V>::of(select(mask, yes.v, no.v), yes, select(mask, V(1.0), V(0.0)), no, select(mask, V(0.0), V(1.0)));
}
template <class V>
Taped<V> abs(const Taped<V>& a) {
  return select(a.v < V(0.0), -a, a);
}
template <class V>
Taped<V> max(const Taped<V>& a, const Taped<V>& b) {
  return select(a.v > b.v, a, b);
}
template <class V>
Taped<V> min(const Taped<V>& a, const Taped<V>& b) {
  return select(a.v < b.v, a, b);
}

template <class V>
struct ScalarTraits<Taped<V>> {
  using Value = V;
  using Mask = MaskOf<V>;
  static constexpr int lanes = ScalarTraits<V>::lanes;
  static V value(const Taped<V>& x) { return x.v; }
  static double lane(const Taped<V>& x, int i) { return ScalarTraits<V>::lane(x.v, i); }
  /// Of a constant.
  static void set_lane(Taped<V>& x, int i, double value) { ScalarTraits<V>::set_lane(x.v, i, value); }
};

}  // namespace flexura
