#include "flexura/scene/section_law.hpp"

#include <algorithm>
#include <cmath>

#include "flexura/math/quadrature.hpp"
#include "flexura/mesh/surface_expression.hpp"
#include "flexura/scene/section_shape.hpp"

namespace flexura::detail {
namespace {

struct Part {
  const char* key;
  double SectionNumbers::* value;
  int power;  ///< of lengths
};
constexpr Part parts[] = {{"GA1", &SectionNumbers::GA1, 2},     {"GA2", &SectionNumbers::GA2, 2},
                          {"EA", &SectionNumbers::EA, 2},       {"EI", &SectionNumbers::EI, 4},
                          {"EI1", &SectionNumbers::EI1, 4},     {"EI2", &SectionNumbers::EI2, 4},
                          {"GJ", &SectionNumbers::GJ, 4},       {"rhoA", &SectionNumbers::rhoA, 2},
                          {"rhoI1", &SectionNumbers::rhoI1, 4}, {"rhoI2", &SectionNumbers::rhoI2, 4}};

bool has_pair(const Record* record) {
  return record != nullptr && std::any_of(record->values.begin(), record->values.end(),
                                          [](const auto& entry) { return entry.second.template get<Numbers>(); });
}

}  // namespace

SectionLaw::SectionLaw(const Record& section, const Record* material, std::function<double(double)> factor)
    : section_(&section), shape_(nested(section, "shape")), material_(material), factor_(std::move(factor)) {
  tapers_ = has_pair(section_) || has_pair(shape_) || factor_ != nullptr;
}

SectionNumbers SectionLaw::plain(double share) const {
  SectionNumbers out;
  if (shape_ != nullptr && material_ != nullptr) {
    const double E = material_->number("E"), nu = material_->number("nu"), rho = material_->number("rho");
    const double G = E / (2 * (1 + nu));
    const SectionShape of = section_shape(*shape_, nu, share);
    out = {.GA1 = of.shear1 * G * of.A,
           .GA2 = of.shear2 * G * of.A,
           .EA = E * of.A,
           .EI = E * of.I2,
           .EI1 = E * of.I1,
           .EI2 = E * of.I2,
           .GJ = G * of.J,
           .rhoA = rho * of.A,
           .rhoI1 = rho * of.I1,
           .rhoI2 = rho * of.I2};
  } else if (section_->has("EI")) {
    out.EI1 = out.EI2 = number_at(*section_, "EI", share);
  }
  for (const Part& part : parts) out.*part.value = number_at(*section_, part.key, share, out.*part.value);
  return out;
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

SectionLaw section_law(const Record& section, const SceneDocument& scene) {
  const std::string* name = section.get<std::string>("material");
  std::function<double(double)> factor;
  if (section.has("size_factor")) {
    Parameters parameters;
    for (const auto& [key, value] : scene.parameters) parameters[key] = value;
    try {
      factor = [law = expression_radius(section.text("size_factor"), parameters)](double s) { return law(s).value; };
    } catch (const InputError& error) {
      std::vector<Problem> problems = error.problems();
      for (Problem& problem : problems)
        problem.source = section.source_of("size_factor"), problem.path = section.path + ".size_factor";
      throw InputError(std::move(problems));
    }
  }
  return {section, name == nullptr ? nullptr : scene.find("material", *name), std::move(factor)};
}

}  // namespace flexura::detail
