#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "flexura/signal/signal_value.hpp"

namespace flexura {

/// Compares du with central differences of u, and ddu with those of du. The rule's error is h² f'''/6 + ε f/h: with h = 1e-5 of
/// the time scale both terms are near 1e-10 of f's own scale; `tolerance` leaves a factor of a hundred or more.
inline void expect_derivatives_match(auto&& at, double t, double time_scale, double tolerance = 1e-7) {
  const double h = 1e-5 * time_scale;
  const SignalValue before = at(t - h), here = at(t), after = at(t + h);
  const double du = (after.u - before.u) / (2 * h), ddu = (after.du - before.du) / (2 * h);
  const double value = std::max({std::abs(here.u), std::abs(here.du) * time_scale, 1e-9});
  const double rate = std::max({std::abs(here.du), std::abs(here.ddu) * time_scale, value / time_scale});
  EXPECT_NEAR(here.du, du, tolerance * std::max(value, rate * time_scale) / time_scale) << "at t = " << t;
  EXPECT_NEAR(here.ddu, ddu, tolerance * rate / time_scale) << "at t = " << t;
}

}  // namespace flexura
