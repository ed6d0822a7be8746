#pragma once

#include <span>
#include <string>
#include <string_view>
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

  static std::string_view key() { return "extension"; }
  double of(double u) const { return length + u; }
  double at(std::span<const SignalValue> signals) const { return of(signals[signal].u); }
  bool is_refused(double l) const { return l <= least * length; }
  static bool is_only_strange() { return false; }
  /// "asks for a length of −0.2 m at t = 1 s: …"
  std::string refusal(double l, double t) const;
  /// "; truss.boom is asked to be …" where it is so short that this may be why a run fails, or "".
  std::string suspicion(double l) const;
};

std::vector<AskedLength> asked_lengths(const Model& model);

}  // namespace flexura
