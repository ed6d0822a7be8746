#include "flexura/scene/section_law.hpp"

#include <algorithm>

#include "flexura/mesh/surface_expression.hpp"

namespace flexura::detail {
namespace {

constexpr std::pair<const char*, double SectionNumbers::*> keys[] = {
    {"GA1", &SectionNumbers::GA1},    {"GA2", &SectionNumbers::GA2},   {"EA", &SectionNumbers::EA},
    {"EI", &SectionNumbers::EI},      {"EI1", &SectionNumbers::EI1},   {"EI2", &SectionNumbers::EI2},
    {"GJ", &SectionNumbers::GJ},      {"rhoA", &SectionNumbers::rhoA}, {"rhoI1", &SectionNumbers::rhoI1},
    {"rhoI2", &SectionNumbers::rhoI2}};

bool has_pair(const Record* record) {
  return record != nullptr && std::any_of(record->values.begin(), record->values.end(),
                                          [](const auto& entry) { return entry.second.template get<Numbers>(); });
}

/// `shape`: circle, rectangle or tube; nu: Poisson's ratio.
SectionGeometry section_shape(const Record& shape, double nu, double share) {
  const auto number = [&](const char* key) { return number_at(shape, key, share); };
  if (shape.type == "rectangle") return rectangle_section(number("width"), number("height"), nu);
  const double outer = number("radius");
  return round_section(outer, shape.type == "tube" ? outer - number("wall") : 0.0, nu);
}

/// From the shape and its material where there are both; numbers that are given come first.
SectionNumbers numbers_of(const Record& section, const Record* shape, const Record* material, double share) {
  SectionNumbers out;
  if (shape != nullptr && material != nullptr) {
    const double nu = material->number("nu");
    out = section_numbers(section_shape(*shape, nu, share), material->number("E"), nu, material->number("rho"));
  } else if (section.has("EI")) {
    out.EI1 = out.EI2 = number_at(section, "EI", share);
  }
  for (const auto& [key, value] : keys) out.*value = number_at(section, key, share, out.*value);
  return out;
}

}  // namespace

double number_at(const Record& record, std::string_view key, double share, double otherwise) {
  const Numbers* ends = record.get<Numbers>(key);
  return ends == nullptr ? record.number(key, otherwise) : (*ends)[0] + share * ((*ends)[1] - (*ends)[0]);
}

SectionLaw section_law(const Record& section, const SceneDocument& scene) {
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
  const std::string* name = section.get<std::string>("material");
  const Record* material = name == nullptr ? nullptr : scene.find("material", *name);
  const Record* shape = nested(section, "shape");
  return {[&section, shape, material](double share) { return numbers_of(section, shape, material, share); },
          has_pair(&section) || has_pair(shape), std::move(factor)};
}

}  // namespace flexura::detail
