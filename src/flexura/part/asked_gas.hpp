#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/part/machine.hpp"
#include "flexura/signal/signal_value.hpp"

namespace flexura {

/// What a signal asks of a line or of a chamber's contents, u(t) times a factor: a supply has no pressure below a vacuum, a valve cannot be
/// less than shut, and no more can be taken out of a chamber than is in it.
struct AskedGas {
  enum class What { pressure, opening, added };
  What what = What::pressure;
  std::string item;    ///< "line.pump"
  double factor = 1;   ///< of the signal
  double ambient = 0;  ///< what a pressure is over [Pa]
  int signal = 0;      ///< effective signal u
  bool given = false;  ///< a chamber whose pressure is given, without a gas: strange, and no more

  std::string_view key() const;  ///< of the scene
  double of(double u) const { return factor * u; }
  double at(std::span<const SignalValue> signals) const { return of(signals[signal].u); }
  bool is_refused(double asked) const;
  bool is_only_strange() const { return given; }  ///< where it would be refused: warned about
  /// "asks for an overpressure of −200000 Pa at t = 0 s: …"
  std::string refusal(double asked, double t) const;
  /// "; chamber.c is asked to keep …" where it is so little that this may be why a run fails, or "".
  std::string suspicion(double asked) const;
};

std::vector<AskedGas> asked_gas(const Machine& machine);

/// A chamber of gas, which a run must not empty: P V ∝ m is followed down to a hundredth of the ambient pressure and a thousandth of
/// the filling, beyond which the terms only keep iterates together.
struct ChamberFilling {
  std::string chamber;              ///< "chamber.c"
  int pressure = -1, mass = -1;     ///< coordinates; −1: it has no lines
  double ambient = 0, filling = 0;  ///< [Pa], [kg]

  /// "chamber.c has no gas left at t = 0.1 s: …", or "" where it has some.
  std::string problem(std::span<const double> q, double t) const;
};

std::vector<ChamberFilling> chamber_fillings(const Machine& machine);

}  // namespace flexura
