#include "flexura/scene/units.hpp"

#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "flexura/base/nearest_name.hpp"

namespace flexura {
namespace {

struct NamedUnit {
  std::string_view name;
  bool prefixed;
  double mantissa;
  int exponent;
  Dimension dimension;
};

//                               m  kg   s  A  K rad cycle
constexpr Dimension none{{{0, 0, 0, 0, 0, 0, 0}}};
constexpr Dimension length{{{1, 0, 0, 0, 0, 0, 0}}};
constexpr Dimension mass{{{0, 1, 0, 0, 0, 0, 0}}};
constexpr Dimension duration{{{0, 0, 1, 0, 0, 0, 0}}};
constexpr Dimension angle{{{0, 0, 0, 0, 0, 1, 0}}};
constexpr Dimension pressure{{{-1, 1, -2, 0, 0, 0, 0}}};
constexpr Dimension volume{{{3, 0, 0, 0, 0, 0, 0}}};

constexpr NamedUnit units[] = {
    {"m", true, 1, 0, length},
    {"g", true, 1, -3, mass},
    {"t", false, 1, 3, mass},
    {"s", true, 1, 0, duration},
    {"min", false, 60, 0, duration},
    {"h", false, 3600, 0, duration},
    {"A", true, 1, 0, {{{0, 0, 0, 1, 0, 0, 0}}}},
    {"K", true, 1, 0, {{{0, 0, 0, 0, 1, 0, 0}}}},
    {"rad", true, 1, 0, angle},
    {"deg", false, std::numbers::pi / 180, 0, angle},
    {"rpm", false, std::numbers::pi / 30, 0, {{{0, 0, -1, 0, 0, 1, 0}}}},
    {"Hz", true, 1, 0, {{{0, 0, -1, 0, 0, 0, 1}}}},
    {"N", true, 1, 0, {{{1, 1, -2, 0, 0, 0, 0}}}},
    {"Pa", true, 1, 0, pressure},
    {"bar", true, 1, 5, pressure},
    {"J", true, 1, 0, {{{2, 1, -2, 0, 0, 0, 0}}}},
    {"W", true, 1, 0, {{{2, 1, -3, 0, 0, 0, 0}}}},
    {"V", true, 1, 0, {{{2, 1, -3, -1, 0, 0, 0}}}},
    {"L", true, 1, -3, volume},
    {"l", true, 1, -3, volume},
    {"%", false, 1, -2, none},
};
constexpr std::pair<char, int> prefixes[] = {{'n', -9}, {'u', -6}, {'m', -3}, {'c', -2}, {'d', -1},
                                             {'h', 2},  {'k', 3},  {'M', 6},  {'G', 9}};

std::optional<Unit> named_unit(std::string_view name) {
  for (const NamedUnit& unit : units)
    if (unit.name == name) return Unit{unit.mantissa, unit.exponent, unit.dimension};
  for (const NamedUnit& unit : units)
    for (const auto& [letter, exponent] : prefixes)
      if (unit.prefixed && name.size() == unit.name.size() + 1 && name[0] == letter && name.substr(1) == unit.name)
        return Unit{unit.mantissa, unit.exponent + exponent, unit.dimension};
  return {};
}

/// Writes µ, °, ², · and the like in ASCII.
std::string plain(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> replacements[] = {
      {"\u00b5", "u"},  {"\u03bc", "u"}, {"\u00b0", "deg"}, {"\u00b2", "^2"}, {"\u00b3", "^3"},
      {"\u2074", "^4"}, {"\u00b7", "*"}, {"\u22c5", "*"},   {"\u2212", "-"}};
  std::string out;
  while (!text.empty()) {
    bool replaced = false;
    for (const auto& [from, to] : replacements)
      if (text.starts_with(from)) {
        out += to;
        text.remove_prefix(from.size());
        replaced = true;
        break;
      }
    if (replaced) continue;
    out += text[0];
    text.remove_prefix(1);
  }
  return out;
}

Unit times(Unit a, const Unit& b, int power) {
  for (int i = 0; i < std::abs(power); ++i) a.mantissa = power > 0 ? a.mantissa * b.mantissa : a.mantissa / b.mantissa;
  a.exponent += power * b.exponent;
  for (size_t i = 0; i < a.dimension.power.size(); ++i) a.dimension.power[i] += power * b.dimension.power[i];
  return a;
}

class UnitParser {
 public:
  UnitParser(std::string_view text, std::string* unknown) : text_(text), unknown_(unknown) {}

  std::optional<Unit> all() {
    const std::optional<Unit> unit = product();
    return unit && text_.empty() ? unit : std::nullopt;
  }

 private:
  std::optional<Unit> product() {
    if (++depth_ > 20) return {};
    Unit result;
    int sign = 1;
    while (true) {
      skip();
      const std::optional<Unit> next = factor();
      if (!next) return {};
      result = times(result, *next, sign);
      skip();
      if (text_.empty() || text_[0] == ')') return result;
      sign = text_[0] == '/' ? -1 : 1;
      if (text_[0] == '/' || text_[0] == '*') text_.remove_prefix(1);
    }
  }

  std::optional<Unit> factor() {
    if (text_.empty()) return {};
    std::optional<Unit> unit;
    if (text_[0] == '(') {
      text_.remove_prefix(1);
      unit = product();
      if (!unit || text_.empty()) return {};
      text_.remove_prefix(1);
    } else if (text_[0] == '1') {
      text_.remove_prefix(1);
      return Unit{};
    } else {
      size_t n = 0;
      while (n < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[n])) || text_[n] == '%')) ++n;
      unit = named_unit(text_.substr(0, n));
      if (!unit) {
        if (unknown_ != nullptr) *unknown_ = std::string(text_.substr(0, n));
        return {};
      }
      text_.remove_prefix(n);
    }
    const bool caret = text_.starts_with('^');
    if (caret) text_.remove_prefix(1);
    int power = 1;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), power);
    if (error == std::errc()) text_.remove_prefix(end - text_.data());
    if ((caret && error != std::errc()) || std::abs(power) > 9) return {};
    return times(Unit{}, *unit, power);
  }

  void skip() {
    while (!text_.empty() && text_[0] == ' ') text_.remove_prefix(1);
  }

  std::string_view text_;
  std::string* unknown_;
  int depth_ = 0;
};

}  // namespace

double Unit::to_si(double x) const {
  const double y = x * mantissa;
  return exponent < 0 ? y / std::pow(10.0, -exponent) : exponent > 0 ? y * std::pow(10.0, exponent) : y;
}

std::optional<Unit> parse_unit(std::string_view text, std::string* unknown) {
  const std::string ascii = plain(text);
  return UnitParser(ascii, unknown).all();
}

std::optional<WrittenNumber> split_quantity(std::string_view text) {
  while (!text.empty() && text[0] == ' ') text.remove_prefix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  WrittenNumber quantity;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), quantity.number);
  if (error != std::errc()) return {};
  text.remove_prefix(end - text.data());
  while (!text.empty() && text[0] == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  quantity.unit = std::string(text);
  return quantity;
}

bool fits(const Dimension& given, const Dimension& expected) {
  for (size_t i = 0; i < given.power.size(); ++i) {
    const bool may_be_left_out = i >= 5 && given.power[i] == 0;
    if (given.power[i] != expected.power[i] && !may_be_left_out) return false;
  }
  return true;
}

bool fits(const Dimension& given, std::string_view unit) {
  if (unit == "*") return true;
  if (unit.empty()) unit = "1";
  constexpr std::string_view either = " or ";
  while (true) {
    const size_t end = unit.find(either);
    const std::optional<Unit> expected = parse_unit(unit.substr(0, end));
    if (expected && fits(given, expected->dimension)) return true;
    if (end == std::string_view::npos) return false;
    unit.remove_prefix(end + either.size());
  }
}

std::string nearest_unit(const std::string& name, const Dimension* wanted) {
  for (size_t n = 1; n < name.size(); ++n)  // "Nm" is two units
    if (named_unit(name.substr(0, n)) && named_unit(name.substr(n))) return name.substr(0, n) + " " + name.substr(n);
  std::vector<std::string> names;
  for (const NamedUnit& unit : units) {
    if (wanted != nullptr && !fits(unit.dimension, *wanted)) continue;
    names.emplace_back(unit.name);
    if (!unit.prefixed) continue;
    const bool time = unit.name == "s";  // nobody means a megasecond
    for (const char letter : std::string_view(time ? "um" : "umckMG")) names.push_back(letter + std::string(unit.name));
  }
  return nearest_name(name, names);
}

}  // namespace flexura
