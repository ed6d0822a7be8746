#pragma once
// Numbers that write down what is done with them, for derivatives backwards: of one sum of results by all that they were made of, at
// the cost of a few evaluations (Griewank and Walther 2008, chapter 3).
//
//     Tape tape;                             const Tape::Scope scope(tape);
//     Taped x = Taped::unknown(2), y = x * sin(x);
//     tape.seed(y, 1);  tape.sweep();        tape.gradient(x)  // sin 2 + 2 cos 2

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "flexura/math/scalar.hpp"

namespace flexura {

struct Taped;

class Tape {
 public:
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

  void seed(const Taped& result, double weight);
  /// From the last number to the first.
  void sweep() {
    for (size_t i = nodes_.size(); i-- > 0;)
      for (int k = 0; k < 2; ++k)
        if (nodes_[i].of[k] >= 0) gradient_[nodes_[i].of[k]] += nodes_[i].slope[k] * gradient_[i];
  }
  double gradient(const Taped& x) const;

  /// A number with slopes by two others, at most.
  std::int32_t add(std::int32_t a, double slope_a, std::int32_t b = -1, double slope_b = 0) {
    nodes_.push_back({{a, b}, {slope_a, slope_b}});
    gradient_.push_back(0);
    return static_cast<std::int32_t>(nodes_.size()) - 1;
  }
  static Tape*& current() {
    thread_local Tape* tape = nullptr;
    return tape;
  }

 private:
  struct Node {
    std::array<std::int32_t, 2> of;
    std::array<double, 2> slope;
  };
  void clear() {
    nodes_.clear();
    gradient_.clear();
  }

  std::vector<Node> nodes_;
  std::vector<double> gradient_;
};

struct Taped {
  double v = 0;
  std::int32_t place = -1;  ///< on the tape; −1: a constant

  Taped() = default;
  Taped(double value) : v(value) {}  // NOLINT: constants
  Taped(double value, std::int32_t at) : v(value), place(at) {}
  static Taped unknown(double value) { return {value, Tape::current()->add(-1, 0)}; }

  static Taped of(double value, Taped a, double slope_a) {
    if (a.place < 0) return {value};
    return {value, Tape::current()->add(a.place, slope_a)};
  }
  static Taped of(double value, Taped a, double slope_a, Taped b, double slope_b) {
    if (a.place < 0 && b.place < 0) return {value};
    return {value, Tape::current()->add(a.place, slope_a, b.place, slope_b)};
  }

  friend Taped operator+(Taped a, Taped b) { return of(a.v + b.v, a, 1, b, 1); }
  friend Taped operator-(Taped a, Taped b) { return of(a.v - b.v, a, 1, b, -1); }
  friend Taped operator*(Taped a, Taped b) { return of(a.v * b.v, a, b.v, b, a.v); }
  friend Taped operator/(Taped a, Taped b) { return of(a.v / b.v, a, 1 / b.v, b, -a.v / (b.v * b.v)); }
  friend Taped operator-(Taped a) { return of(-a.v, a, -1); }
  Taped& operator+=(Taped b) { return *this = *this + b; }
  Taped& operator-=(Taped b) { return *this = *this - b; }
  Taped& operator*=(Taped b) { return *this = *this * b; }

  friend bool operator<(Taped a, Taped b) { return a.v < b.v; }
  friend bool operator<=(Taped a, Taped b) { return a.v <= b.v; }
  friend bool operator>(Taped a, Taped b) { return a.v > b.v; }
  friend bool operator>=(Taped a, Taped b) { return a.v >= b.v; }
};

inline void Tape::seed(const Taped& result, double weight) {
  if (result.place >= 0) gradient_[result.place] += weight;
}
inline double Tape::gradient(const Taped& x) const { return x.place < 0 ? 0 : gradient_[x.place]; }

inline Taped fma(Taped a, Taped b, Taped c) { return a * b + c; }
inline Taped sqrt(Taped a) {
  const double r = std::sqrt(a.v);
  return Taped::of(r, a, 0.5 / r);
}
inline Taped sin(Taped a) { return Taped::of(std::sin(a.v), a, std::cos(a.v)); }
inline Taped cos(Taped a) { return Taped::of(std::cos(a.v), a, -std::sin(a.v)); }
inline Taped select(bool mask, Taped yes, Taped no) { return mask ? yes : no; }
inline Taped max(Taped a, Taped b) { return a.v > b.v ? a : b; }
inline Taped min(Taped a, Taped b) { return a.v < b.v ? a : b; }

template <>
struct ScalarTraits<Taped> {
  using Value = double;
  using Mask = bool;
  static constexpr int lanes = 1;
  static double value(const Taped& x) { return x.v; }
  static double lane(const Taped& x, int) { return x.v; }
  static void set_lane(Taped& x, int, double value) { x = value; }
};

}  // namespace flexura
