#pragma once
// Whole revolutions, by which angles of a direction differ that count them and that do not.

#include <cmath>
#include <numbers>

#include "flexura/math/pack.hpp"

namespace flexura {

/// The multiple of 2π that is nearest to an angle [rad].
inline double whole_turns(double angle) {
  constexpr double turn = 2 * std::numbers::pi;
  return turn * std::round(angle / turn);
}
template <int W>
Pack<W> whole_turns(Pack<W> angle) {
  return each_lane(angle, [](double x) { return whole_turns(x); });
}
/// Of numbers with derivatives, of which it has none.
template <class T>
T whole_turns(const T& angle) {
  T out(0.0);
  out.v = whole_turns(angle.v);
  return out;
}

/// `angle` and whole revolutions, so that it is nearest to `expected`.
inline double nearest_turn(double angle, double expected) { return angle + whole_turns(expected - angle); }

}  // namespace flexura
