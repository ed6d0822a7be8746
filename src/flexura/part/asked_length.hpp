#pragma once

#include <span>
#include <string>
#include <vector>

#include "flexura/model/model.hpp"
#include "flexura/signal/signal_value.hpp"

namespace flexura {

/// What asks a truss for a length l = L + u(t) by a signal. Where its ends meet it has no direction.
struct AskedLength {
  static constexpr double least = 1e-3, little = 0.05;  ///< of L: what is too short, and what may be why a run fails

  std::string item;   ///< "truss.boom"
  double length = 0;  ///< L [m]
  int signal = 0;     ///< effective signal u [m]

  double at(std::span<const SignalValue> signals) const { return length + signals[signal].u; }
  bool is_too_short(double l) const { return l <= least * length; }
  /// "asks for a length of −0.2 m at t = 1 s: …"
  std::string refusal(double l, double t) const;
};

std::vector<AskedLength> asked_lengths(const Model& model);

}  // namespace flexura
