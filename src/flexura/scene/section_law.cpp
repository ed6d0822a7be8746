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

/// Numbers of a section: from its outline and material where it has both; those that are given come first.
struct Numbered {
  std::optional<SectionOutline> outline;
  double E = 0, nu = 0, rho = 0;
  std::vector<std::pair<double SectionNumbers::*, Along>> given;
  std::optional<Along> bending;  ///< EI, of all directions where there is no outline

  SectionNumbers operator()(double share) const {
    SectionNumbers out;
    if (outline)
      out = section_numbers(outline->at(share, nu), E, nu, rho);
    else if (bending)
      out.EI1 = out.EI2 = bending->at(share);
    for (const auto& [member, along] : given) out.*member = along.at(share);
    return out;
  }
};

Numbered numbers_of(const Record& section, const Record* material, const std::optional<ElasticModuli>& rubber) {
  Numbered out;
  if (material != nullptr && (out.outline = outline_of(section))) {
    out.rho = material->number("rho");
    out.E = rubber ? rubber->young() : material->number("E");
    out.nu = rubber ? rubber->poisson() : material->number("nu");
  }
  for (const auto& [key, member] : keys)
    if (section.has(key)) out.given.emplace_back(member, along(section, key));
  if (section.has("EI")) out.bending = along(section, "EI");
  return out;
}

/// f(s); null where the section states none.
std::function<double(double)> factor_of(const Record& section, const SceneDocument& scene) {
  if (!section.has("size_factor")) return nullptr;
  Parameters parameters;
  for (const auto& [key, value] : scene.parameters) parameters[key] = value;
  try {
    return [law = expression_radius(section.text("size_factor"), parameters)](double s) { return law(s).value; };
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems)
      problem.source = section.source_of("size_factor"), problem.path = section.path + ".size_factor";
    throw InputError(std::move(problems));
  }
}

}  // namespace

Along along(const Record& record, std::string_view key) {
  const Numbers* ends = record.get<Numbers>(key);
  return ends == nullptr ? Along(record.number(key)) : Along((*ends)[0], (*ends)[1]);
}

std::optional<SectionOutline> outline_of(const Record& section) {
  const Record* shape = nested(section, "shape");
  if (shape == nullptr) return {};
  if (shape->type == "rectangle") return SectionOutline::rectangle(along(*shape, "width"), along(*shape, "height"));
  if (shape->type == "tube") return SectionOutline::tube(along(*shape, "radius"), along(*shape, "wall"));
  return SectionOutline::round(along(*shape, "radius"));
}

SectionLaw section_law(const Record& section, const SceneDocument& scene, const std::optional<ElasticModuli>& rubber) {
  std::function<double(double)> factor = factor_of(section, scene);
  const std::string* name = section.get<std::string>("material");
  const Record* material = name == nullptr ? nullptr : scene.find("material", *name);
  return {numbers_of(section, material, rubber), has_pair(&section) || has_pair(nested(section, "shape")),
          std::move(factor)};
}

}  // namespace flexura::detail
