#pragma once
// Lengths of lines and areas of patches that are kept, as types.

#include <optional>
#include <string>
#include <vector>

#include "flexura/part/name_pattern.hpp"
#include "flexura/part/origin.hpp"
#include "flexura/part/specs.hpp"

namespace flexura {

/// Keeps what it is on as long, or as large, as it is in the reference configuration, or as it is to become.
struct ConstraintSpec {
  enum class Type { length, area };
  enum class Measure { arc, quadratic };
  Origin origin = {};
  std::string name;
  Type type = Type::length;
  std::vector<NamePattern> on = {};  ///< whole parts: cables and beams; of an area plates
  std::vector<Place> at = {};        ///< edges, rings and curves; of an area sets with faces
  std::vector<Place> between = {};   ///< length: two nodes, along the shortest way of edges from one to the other
  Measure measure = Measure::arc;    ///< length
  bool each = false;                 ///< each element by itself, and not their sum
  std::optional<EffectiveSignal> change = {};  ///< of lengths, of an area too, as a share of the reference
};

namespace detail {

struct MachineDraft;
// constraint.cpp
void add_constraints(MachineDraft& draft, const std::vector<ConstraintSpec>& specs);

}  // namespace detail
}  // namespace flexura
