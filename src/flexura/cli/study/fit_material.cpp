// Constants of rubber from measured tension.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "flexura/base/nearest_name.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/study.hpp"
#include "flexura/scene/units.hpp"
#include "flexura/study/fit_material_output.hpp"

namespace flexura::cli {
namespace {

std::vector<TensionFile> files_of(const FitMaterialArguments& o) {
  std::vector<TensionFile> out;
  for (const std::string& path : o.files) out.push_back({path, {}});
  for (int test = 0; test < 3; ++test)
    for (const std::string& path : o.of_test[test]) out.push_back({path, static_cast<TensionTest>(test)});
  if (out.empty()) throw UsageError("a file of measured tension is missing; see docs/fit-material.md");
  return out;
}

/// "alpha1=2", "mu = 0.3 MPa"
void take_fixed(const std::string& text, FitMaterialOptions& options) {
  const auto equals = text.find('=');
  const auto blank = [](const std::string& word) {
    const auto first = word.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : word.substr(first, word.find_last_not_of(' ') - first + 1);
  };
  const std::string name = blank(text.substr(0, equals));
  const auto number = equals == std::string::npos ? std::nullopt : split_quantity(blank(text.substr(equals + 1)));
  const auto unit = number ? parse_unit(number->unit.empty() ? "%" : number->unit) : std::nullopt;
  if (name.empty() || !number || !unit)
    throw UsageError(fmt::format("--fix {}: a constant and its value, as in alpha1=2 or \"mu=0.3 MPa\"", text));
  const bool is_modulus = unit->dimension == parse_unit("Pa")->dimension;
  if (!number->unit.empty() && !is_modulus)
    throw UsageError(fmt::format("--fix {}: {} is not a unit of stress", text, number->unit));
  options.fixed[name] = number->unit.empty() ? number->number : unit->to_si(number->number);
}

/// "true_strain=4", "stress=Tensile stress"
void take_column(const std::string& text, TensionFormat& format) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    throw UsageError(
        fmt::format("--column {}: a measure and its column, as in strain=4 or \"stress=Tensile stress\"", text));
  if (!format.columns.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
    throw UsageError(fmt::format("--column {}: {} is given twice", text, text.substr(0, equals)));
}

}  // namespace

int fit_material_command(const FitMaterialArguments& o, char**) {
  FitMaterialOptions options = o.options;
  for (const std::string& text : o.fixed) take_fixed(text, options);
  TensionFormat format = o.format;
  for (const std::string& text : o.columns) take_column(text, format);
  TensionReading reading = read_tension_files(files_of(o), format);
  if (!reading.warnings.empty()) note("{}\n", describe_all(reading.warnings, reading.texts));
  const MaterialFit fit = fit_material(std::move(reading.data), options);
  for (const std::string& warning : fit.warnings) note("warning: {}\n", warning);
  for (const auto& [path, text] :
       {std::pair{o.output, fit_page(fit, o.name)}, std::pair{o.toml, fit_toml(fit.laws[fit.best], o.name)}})
    if (!path.empty() && (fit.has_result() || path != o.toml)) write_text(path, text);
  if (o.json) {
    Json json = fit_json(fit, o.name);
    for (const Problem& warning : reading.warnings) json["warnings"].push_back(describe(warning));
    json["page"] = o.output;
    say("{}", json_text(json));
  } else {
    say("{}\n{}\n", fit_text(fit), fit_toml(fit.laws[fit.best], o.name));
    if (!o.output.empty()) say("wrote {}\n", o.output);
  }
  return fit.has_result() ? success : unsuccessful;
}

}  // namespace flexura::cli
