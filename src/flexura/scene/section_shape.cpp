#include "flexura/scene/section_shape.hpp"

#include <cmath>
#include <numbers>

namespace flexura::detail {
namespace {

constexpr double pi = std::numbers::pi;

/// J = a b³/3 (1 − 192/π⁵ b/a Σ tanh(kπa/2b)/k⁵), k odd, a ≥ b: St. Venant's series, summed to rounding.
double torsion_of_rectangle(double a, double b) {
  if (a < b) std::swap(a, b);
  double sum = 0;
  for (int k = 1001; k > 0; k -= 2) sum += std::tanh(k * pi * a / (2 * b)) / std::pow(k, 5);
  return a * b * b * b / 3 * (1 - 192 / std::pow(pi, 5) * b / a * sum);
}

}  // namespace

double number_at(const Record& record, std::string_view key, double share, double otherwise) {
  const Numbers* ends = record.get<Numbers>(key);
  return ends == nullptr ? record.number(key, otherwise) : (*ends)[0] + share * ((*ends)[1] - (*ends)[0]);
}

SectionShape section_shape(const Record& shape, double nu, double share) {
  const auto number = [&](const char* key) { return number_at(shape, key, share); };
  SectionShape s;
  if (shape.type == "rectangle") {
    const double w = number("width"), h = number("height");
    s.A = w * h;
    s.I1 = h * w * w * w / 12;
    s.I2 = w * h * h * h / 12;
    s.J = torsion_of_rectangle(w, h);
    s.shear1 = s.shear2 = 10 * (1 + nu) / (12 + 11 * nu);
    return s;
  }
  const double outer = number("radius");
  const double inner = shape.type == "tube" ? outer - number("wall") : 0.0;
  s.A = pi * (outer * outer - inner * inner);
  s.I1 = s.I2 = pi / 4 * (std::pow(outer, 4) - std::pow(inner, 4));
  s.J = 2 * s.I1;
  const double m2 = inner * inner / (outer * outer), q = (1 + m2) * (1 + m2);
  s.shear1 = s.shear2 = 6 * (1 + nu) * q / ((7 + 6 * nu) * q + (20 + 12 * nu) * m2);
  return s;
}

}  // namespace flexura::detail
