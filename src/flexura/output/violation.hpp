#pragma once
// How far constraints are from being kept, family by family.

#include <string>
#include <vector>

#include "flexura/solve/system.hpp"

namespace flexura {

class ViolationProbe {
 public:
  explicit ViolationProbe(const Topology& topology);

  /// Names of the terms without their dimension, "distance", in the order of the registered terms.
  const std::vector<std::string>& families() const { return names_; }
  /// False: no constraint carries a multiplier.
  bool has_rows() const { return !rows_.empty(); }
  /// Largest |Φ| and |Φ̇| of all rows at the state; the signals of its time must be set.
  void update(System<double>& system, const State<double>& state);
  /// Of one family, of all for −1. Index of a family by name: −1 where the model has none of it.
  double position(int family) const { return family < 0 ? worst_ : worst_of_[family]; }
  double rate(int family) const { return family < 0 ? worst_rate_ : worst_rate_of_[family]; }
  int find(const std::string& family) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::pair<int, int>> rows_;  ///< index in y and family
  std::vector<double> phi_, rate_, second_, worst_of_, worst_rate_of_;
  double worst_ = 0, worst_rate_ = 0;
};

/// "distance_2d" → "distance".
std::string family_of(std::string_view term);

}  // namespace flexura
