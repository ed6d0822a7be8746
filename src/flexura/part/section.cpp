#include "flexura/part/section.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "flexura/math/quadrature.hpp"

namespace flexura {
namespace {

using std::numbers::pi;

struct Part {
  double SectionNumbers::* value;
  int power;  ///< of lengths
};
constexpr Part parts[] = {{&SectionNumbers::GA1, 2},  {&SectionNumbers::GA2, 2},  {&SectionNumbers::EA, 2},
                          {&SectionNumbers::EI, 4},   {&SectionNumbers::EI1, 4},  {&SectionNumbers::EI2, 4},
                          {&SectionNumbers::GJ, 4},   {&SectionNumbers::rhoA, 2}, {&SectionNumbers::rhoI1, 4},
                          {&SectionNumbers::rhoI2, 4}};

/// J = a b³/3 (1 − 192/π⁵ b/a Σ tanh(kπa/2b)/k⁵), k odd, a ≥ b: St. Venant's series, summed to rounding.
double torsion_of_rectangle(double a, double b) {
  if (a < b) std::swap(a, b);
  double sum = 0;
  for (int k = 1001; k > 0; k -= 2) sum += std::tanh(k * pi * a / (2 * b)) / std::pow(k, 5);
  return a * b * b * b / 3 * (1 - 192 / std::pow(pi, 5) * b / a * sum);
}

}  // namespace

SectionGeometry rectangle_section(double w, double h, double nu) {
  SectionGeometry s;
  s.A = w * h;
  s.I1 = h * w * w * w / 12;
  s.I2 = w * h * h * h / 12;
  s.J = torsion_of_rectangle(w, h);
  s.shear1 = s.shear2 = 10 * (1 + nu) / (12 + 11 * nu);
  return s;
}

SectionGeometry round_section(double outer, double inner, double nu) {
  SectionGeometry s;
  s.A = pi * (outer * outer - inner * inner);
  s.I1 = s.I2 = pi / 4 * (std::pow(outer, 4) - std::pow(inner, 4));
  s.J = 2 * s.I1;
  const double m2 = inner * inner / (outer * outer), q = (1 + m2) * (1 + m2);
  s.shear1 = s.shear2 = 6 * (1 + nu) * q / ((7 + 6 * nu) * q + (20 + 12 * nu) * m2);
  return s;
}

SectionNumbers section_numbers(const SectionGeometry& of, double E, double nu, double rho) {
  const double G = E / (2 * (1 + nu));
  return {.GA1 = of.shear1 * G * of.A,
          .GA2 = of.shear2 * G * of.A,
          .EA = E * of.A,
          .EI = E * of.I2,
          .EI1 = E * of.I1,
          .EI2 = E * of.I2,
          .GJ = G * of.J,
          .rhoA = rho * of.A,
          .rhoI1 = rho * of.I1,
          .rhoI2 = rho * of.I2};
}

SectionNumbers SectionLaw::at(double share, double length) const {
  SectionNumbers out = plain(share);
  if (factor_ == nullptr) return out;
  const double f = factor_(share * length);
  for (const Part& part : parts) out.*part.value *= part.power == 2 ? f * f : (f * f) * (f * f);
  return out;
}

SectionNumbers SectionLaw::mean(double from, double to, double length) const {
  if (!tapers_) return at(from, length);
  SectionNumbers sum;
  for (int k = 0; k < 5; ++k) {
    const SectionNumbers one = at(from + Gauss<5>::x[k] * (to - from), length);
    for (const Part& part : parts) sum.*part.value += Gauss<5>::w[k] * one.*part.value;
  }
  return sum;
}

double SectionLaw::least_factor(double from, double to, double length) const {
  if (factor_ == nullptr) return 1;
  double least = factor_(from * length);
  for (const double x : {Gauss<5>::x[0], Gauss<5>::x[1], Gauss<5>::x[2], Gauss<5>::x[3], Gauss<5>::x[4], 1.0}) {
    const double f = factor_((from + x * (to - from)) * length);
    if (!(f >= least)) least = f;
  }
  return least;
}

SectionGeometry SectionOutline::at(double share, double nu) const {
  if (type == Type::rectangle) return rectangle_section(width.at(share), height.at(share), nu);
  const double outer = radius.at(share);
  return round_section(outer, type == Type::tube ? outer - wall.at(share) : 0.0, nu);
}

SectionSpec section_of(const SectionOutline& outline, double E, double nu, double rho) {
  const auto numbers = [=](double share) { return section_numbers(outline.at(share, nu), E, nu, rho); };
  const SectionNumbers start = numbers(0), end = numbers(1);
  SectionSpec spec;
  spec.law = {numbers, outline.changes(), nullptr};
  spec.outline = outline;
  spec.bends_alike = start.EI1 == start.EI2 && end.EI1 == end.EI2;
  return spec;
}

std::vector<SectionNumbers> sections_along(const SectionLaw& law, double length, long elements, const Origin& part,
                                           Problems& problems) {
  if (!law.tapers()) return std::vector<SectionNumbers>(elements, law.plain(0));
  const auto n = static_cast<double>(elements);
  std::vector<SectionNumbers> out;
  for (long k = 0; k < elements; ++k) {
    const auto at = static_cast<double>(k);
    if (const double f = law.least_factor(at / n, (at + 1) / n, length); !(f > 0) || !std::isfinite(f)) {
      problems.wrong(
          part, "section",
          fmt::format("size_factor is {:.6g} in element {} of {}: it must be positive everywhere", f, k + 1, elements));
      return {};
    }
    out.push_back(law.mean(at / n, (at + 1) / n, length));
  }
  return out;
}

}  // namespace flexura
