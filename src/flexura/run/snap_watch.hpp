#pragma once

#include <functional>
#include <string>

#include "flexura/solve/system.hpp"

namespace flexura {

/// Tells where load steps went to another equilibrium than the one beside: what loads did there is neither in the strain energy nor did anything
/// take it but the way between. Not where friction, relaxation or growth may have.
class SnapWatch {
 public:
  explicit SnapWatch(const System<double>& system);

  /// Of loads, weight and drives from the point before, by the trapezoidal rule [J]; gross: its parts by coordinate, amounts added.
  struct StepWork {
    double net = 0, gross = 0;
  };
  /// The path has come to `factor`; stored: strain energy [J]; rounding: below which a loss is rounding [J], evaluated where one
  /// is suspected. A warning, or "".
  std::string look(double factor, const StepWork& work, double stored, const std::function<double()>& rounding);

 private:
  bool watches_ = true;
  int points_ = 0, told_ = 0;
  double factor_ = 0, stored_ = 0;
  double most_ = 0, most_work_ = 0;  ///< energy that a step has moved, its work with parts added as amounts [J]
};

}  // namespace flexura
