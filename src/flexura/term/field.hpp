#pragma once
// Field descriptors: a parameter is declared once and is then known to TOML, JSON Schema, documentation and tests.

#include <cmath>
#include <limits>
#include <span>
#include <string_view>

namespace flexura {

inline constexpr double unset = std::numeric_limits<double>::quiet_NaN();

/// A number. `value` NaN: required. `min`/`max` closed, `above`/`below` open bounds; NaN: none.
struct Field {
  std::string_view name, unit, doc;
  double value = unset;
  double min = unset, max = unset, above = unset, below = unset;
  int size = 1;         ///< components of a vector; filled in by the visitor
  bool is_law = false;  ///< the number of a law from code; a scene gives its name

  bool required() const { return std::isnan(value); }
  /// True if x is finite and within the bounds.
  bool allows(double x) const { return std::isfinite(x) && !(x < min) && !(x > max) && !(x <= above) && !(x >= below); }
};

/// A choice by name, the same for all items of a batch; the first choice is the default.
struct Option {
  std::string_view name, doc;
  std::span<const std::string_view> choices;
};

}  // namespace flexura
