#pragma once
// How far constraints are from being kept, family by family.

#include <span>
#include <string>
#include <vector>

#include "flexura/part/machine.hpp"
#include "flexura/solve/system.hpp"

namespace flexura {

/// Each constraint that carries a multiplier belongs to one family: what the machine says it is for
/// (Machine::constraints), else its term without the dimension, "offset_3d" → "offset".
class ViolationProbe {
 public:
  explicit ViolationProbe(const Machine& machine);

  const std::vector<std::string>& families() const { return names_; }
  /// False: no constraint carries a multiplier.
  bool has_rows() const { return !rows_.empty(); }
  /// Largest |Φ| and |Φ̇| of all rows at the state; the signals of its time must be set.
  void update(System<double>& system, const State<double>& state);
  /// Of one family, of all for −1. Index of a family by name: −1 where the model has none of it.
  double position(int family) const { return family < 0 ? worst_ : worst_of_[family]; }
  double rate(int family) const { return family < 0 ? worst_rate_ : worst_rate_of_[family]; }
  int find(const std::string& family) const;

  /// Rows of a family, or of a term whose name is no family ("vector_length"); of all for "all" and "". `part`: only of
  /// that joint or body, "" of any.
  std::vector<int> select(const std::string& of, const std::string& part) const;
  /// Largest |Φ| and |Φ̇| of these rows, 0 of none.
  double position(std::span<const int> rows) const;
  double rate(std::span<const int> rows) const;

 private:
  struct Row {
    int index = 0;  ///< in y
    int family = 0;
    std::string term, part;
  };
  std::vector<std::string> names_;
  std::vector<Row> rows_;
  std::vector<double> phi_, rate_, second_, worst_of_, worst_rate_of_;
  double worst_ = 0, worst_rate_ = 0;
};

/// "distance_2d" → "distance".
std::string family_of(std::string_view term);

}  // namespace flexura
