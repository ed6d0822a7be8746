#pragma once

#include "flexura/math/dual.hpp"
#include "flexura/math/scalar.hpp"

namespace flexura {

template <class S>
void copy_lane(S& to, const S& from, int lane) {
  ScalarTraits<S>::set_lane(to, lane, ScalarTraits<S>::lane(from, lane));
}
template <class V>
void copy_lane(Dual<V>& to, const Dual<V>& from, int) {
  to = from;
}

/// to += x in some lanes.
template <class S>
void add_in(MaskOf<ValueOf<S>> lanes, S& to, const S& x) {
  const S sum = to + x;
  if (all(lanes)) {
    to = sum;
  } else {
    for (int lane = 0; lane < ScalarTraits<ValueOf<S>>::lanes; ++lane)
      if (lane_of(lanes, lane)) copy_lane(to, sum, lane);
  }
}

}  // namespace flexura
