#pragma once
// Units in texts: "30 g", "20 kPa", "N m^2", "1/s", "90 deg".

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace flexura {

/// Powers of m, kg, s, A, K, rad and cycle. Turns are kept apart so that "60 rpm" or "2 Hz" never lands in [1/s].
struct Dimension {
  std::array<int, 7> power{};
  bool operator==(const Dimension&) const = default;
};

/// value [SI] = x · mantissa · 10^exponent
struct Unit {
  double mantissa = 1;
  int exponent = 0;
  Dimension dimension;

  /// Divides by powers of ten rather than multiplying, so that "9 mm" and 0.009 are the same bits.
  double to_si(double x) const;
};

/// Products, quotients and powers of units; nothing if the text is none. `unknown` gets the name that was not understood.
std::optional<Unit> parse_unit(std::string_view text, std::string* unknown = nullptr);

/// A number with its unit as written; an empty unit for a bare number.
struct WrittenNumber {
  double number = 0;
  std::string unit;
};
/// "30 g", "1e-3m", "-4"; nothing if the text does not begin with a number.
std::optional<WrittenNumber> split_quantity(std::string_view text);

/// May a quantity of unit `given` stand where `expected` is asked for? Angles and turns may be left out, not added.
bool fits(const Dimension& given, const Dimension& expected);
/// The same for a unit as schemas write it: "" and "1" none, "*" any, "rad or m" either.
bool fits(const Dimension& given, std::string_view unit);

/// The unit's name nearest to a misspelt one, or "". With `wanted` one of that dimension.
std::string nearest_unit(const std::string& name, const Dimension* wanted = nullptr);

}  // namespace flexura
