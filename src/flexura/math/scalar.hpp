#pragma once
// What the templated code asks of a scalar T, for double: lanes and duals answer the same in their own files.

#include <cmath>
#include <limits>

#include "flexura/math/pack.hpp"

namespace flexura {

using std::abs;
using std::atan2;
using std::cos;
using std::exp;
using std::fma;
using std::log;
using std::sin;
using std::sqrt;

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();  ///< from 1 to the next number

inline double select(bool mask, double yes, double no) { return mask ? yes : no; }
inline bool any(bool mask) { return mask; }
inline bool all(bool mask) { return mask; }
/// Larger of two; a NaN in either argument stays visible (unlike std::max).
inline double max(double a, double b) { return (a > b || a != a) ? a : b; }
inline double min(double a, double b) { return (a < b || a != a) ? a : b; }

/// Value, Mask and lane count of a scalar. `Value` is what a matrix factor holds: derivatives are never factored.
template <class T>
struct ScalarTraits;

template <>
struct ScalarTraits<double> {
  using Value = double;
  using Mask = bool;
  static constexpr int lanes = 1;
  static double value(double x) { return x; }
  static double lane(double x, int) { return x; }
  static void set_lane(double& x, int, double value) { x = value; }
};

template <int W>
struct ScalarTraits<Pack<W>> {
  using Value = Pack<W>;
  using Mask = PackMask<W>;
  static constexpr int lanes = W;
  static Pack<W> value(Pack<W> x) { return x; }
  static double lane(Pack<W> x, int i) { return x[i]; }
  static void set_lane(Pack<W>& x, int i, double value) { x.set(i, value); }
};

template <class T>
using ValueOf = typename ScalarTraits<T>::Value;
template <class T>
using MaskOf = typename ScalarTraits<T>::Mask;

template <class T>
ValueOf<T> value_of(const T& x) {
  return ScalarTraits<T>::value(x);
}

inline bool lane_of(bool mask, int) { return mask; }
template <int W>
bool lane_of(PackMask<W> mask, int i) {
  return mask.lane(i);
}
inline void set_lane(bool& mask, int, bool value) { mask = value; }
template <int W>
void set_lane(PackMask<W>& mask, int i, bool value) {
  mask.set(i, value);
}
inline bool select_mask(bool mask, bool yes, bool no) { return mask ? yes : no; }
template <int W>
PackMask<W> select_mask(PackMask<W> mask, PackMask<W> yes, PackMask<W> no) {
  return (mask & yes) | ((!mask) & no);
}
/// The mask with every lane set to `value`.
template <class T>
MaskOf<T> uniform_mask(bool value) {
  MaskOf<T> mask{};
  for (int i = 0; i < ScalarTraits<T>::lanes; ++i) set_lane(mask, i, value);
  return mask;
}

/// All W simulations of an ensemble.
using Lanes = Pack<native_lanes>;

}  // namespace flexura
