#include "flexura/output/plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/output/plot_svg.hpp"

namespace flexura {

namespace {

/// Smallest of 1, 2, 5 times a power of ten that is at least `width`.
double nice_step(double width) {
  const double power = std::pow(10.0, std::floor(std::log10(width)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= width * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

std::string superscript(int number) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result = number < 0 ? "⁻" : "";
  for (const char c : fmt::format("{}", std::abs(number))) result += digits[c - '0'];
  return result;
}

}  // namespace

std::vector<double> nice_ticks(double low, double high, int count) {
  std::vector<double> ticks;
  if (!(high > low) || count < 1 || !std::isfinite(high - low)) return ticks;
  for (double step = nice_step((high - low) / count);; step = nice_step(step * 1.5)) {
    const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
    if (last - first + 1 > count) continue;
    for (double i = first; i <= last; ++i) ticks.push_back(i == 0 ? 0.0 : i * step);
    return ticks;
  }
}

namespace detail {

void set_ticks(PlotAxis& axis, int count) {
  axis.ticks = nice_ticks(axis.low, axis.high, count);
  axis.labels.clear();
  axis.factor.clear();
  if (axis.ticks.empty()) return;
  double largest = 0;
  for (const double tick : axis.ticks) largest = std::max(largest, std::abs(tick));
  const double step = axis.ticks.size() > 1 ? axis.ticks[1] - axis.ticks[0] : largest;
  int exponent = 0;
  if (largest > 0) {
    const int magnitude = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
    if (magnitude >= 5 || magnitude <= -3) exponent = static_cast<int>(std::floor(magnitude / 3.0)) * 3;
  }
  const double factor = std::pow(10.0, exponent);
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step / factor) - 1e-9)), 0, 12);
  for (const double tick : axis.ticks) {
    std::string label = fmt::format("{:.{}f}", tick / factor, decimals);
    if (label.starts_with('-')) label.replace(0, 1, "−");
    axis.labels.push_back(std::move(label));
  }
  if (exponent != 0) axis.factor = "×10" + superscript(exponent);
}

PlotAxis make_axis(double low, double high, double margin, int count) {
  if (!(low <= high)) low = 0, high = 1;  // no finite point
  const double magnitude = std::max(std::abs(low), std::abs(high));
  if (high - low <= 1e-12 * magnitude || high == low) {
    const double half = magnitude > 0 ? 0.05 * magnitude : 1;
    low -= half;
    high += half;
  }
  const double widen = margin * (high - low);
  PlotAxis axis;
  axis.low = low - widen;
  axis.high = high + widen;
  set_ticks(axis, count);
  return axis;
}

}  // namespace detail
}  // namespace flexura
