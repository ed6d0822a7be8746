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

  /// The path has come to `factor`; done: by loads, weight and drives since the point before [J]; stored: strain energy [J];
  /// rounding: below which a loss is rounding [J], evaluated where one is suspected. What to say, or "".
  std::string look(double factor, double done, double stored, const std::function<double()>& rounding);

 private:
  bool watches_ = true;
  int points_ = 0, told_ = 0;
  double factor_ = 0, stored_ = 0;
  double most_ = 0;  ///< energy that a step has moved [J]
};

}  // namespace flexura
