// Fits of materials.

#include <cmath>
#include <nlohmann/json.hpp>

#include "binding.hpp"
#include "flexura/base/json.hpp"
#include "flexura/study/fit_material_output.hpp"
#include "interpreter.hpp"

namespace flexura::python {
namespace {

TensionTest test_of(const std::string& name) {
  for (int test = 0; test < 3; ++test)
    if (tension_test_names[test] == name) return static_cast<TensionTest>(test);
  throw nb::value_error(
      ("there is no test \"" + name + "\", but \"uniaxial\", \"equibiaxial\" and \"planar\"").c_str());
}

/// Value of an option by its name; the message lists those that there are.
template <class Value, std::size_t N>
Value option_of(const Text& name, const std::array<std::string_view, N>& names, const char* option) {
  for (std::size_t k = 0; k < N; ++k)
    if (names[k] == name.bytes) return static_cast<Value>(k);
  std::string message = std::string(option) + ": there is no \"" + name.bytes + "\", but";
  for (std::size_t k = 0; k < N; ++k) message += (k > 0 ? ", \"" : " \"") + std::string(names[k]) + "\"";
  throw nb::value_error(message.c_str());
}

using Table = std::tuple<Text, std::vector<double>, std::vector<double>>;  // test, stretch, stress

TensionReading read_tables(const std::vector<Table>& tables, TensionBranch branch) {
  TensionReading out;
  std::vector<Problem> problems, left_out;
  for (const auto& [test, stretch, stress] : tables) {
    TensionData data{.name = test.bytes, .test = test_of(test), .stretch = stretch, .stress = stress};
    if (std::optional<Problem> warning = keep_branch(data, branch)) left_out.push_back(std::move(*warning));
    for (Problem& problem : tension_problems(data)) problems.push_back(std::move(problem));
    out.data.push_back(std::move(data));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  out.warnings = std::move(left_out);
  for (Problem& warning : tension_warnings(out.data)) out.warnings.push_back(std::move(warning));
  return out;
}

/// JSON and page.
nb::tuple fit(const std::vector<std::pair<Text, std::optional<Text>>>& files, const std::vector<Table>& tables,
              const std::vector<Text>& laws, const std::vector<std::pair<Text, double>>& fixed, bool relative,
              const Text& unit, const Text& name, const std::vector<std::pair<Text, Text>>& columns,
              const Text& decimal, const Text& branch) {
  TensionFormat format{.unit = unit.bytes,
                       .columns = {},
                       .decimal = option_of<DecimalMark>(decimal, decimal_mark_names, "decimal"),
                       .branch = option_of<TensionBranch>(branch, tension_branch_names, "branch")};
  for (const auto& [measure, column] : columns) format.columns[measure.bytes] = column.bytes;
  FitMaterialOptions options{.laws = all_bytes(laws), .fixed = {}, .relative = relative};
  for (const auto& [constant, value] : fixed) options.fixed[constant.bytes] = value;
  std::vector<TensionFile> named;
  for (const auto& [path, test] : files)
    named.push_back({path.bytes, test ? std::optional(test_of(*test)) : std::nullopt});
  std::string json, page;
  {
    TensionReading reading = files.empty() ? read_tables(tables, format.branch) : read_tension_files(named, format);
    const Unlocked unlocked;
    MaterialFit made = fit_material(std::move(reading.data), options);
    for (const Problem& warning : reading.warnings) made.warnings.push_back(describe(warning));
    json = json_text(fit_json(made, name));
    page = fit_page(made, name);
  }
  return nb::make_tuple(text_of(json), text_of(page));
}

std::vector<double> stress(const Text& law, const std::vector<double>& constants, const Text& test,
                           const std::vector<double>& stretches) {
  const ElasticLawRow* row = find_elastic_law(law.bytes);
  if (row == nullptr || constants.size() > row->fields.size())
    throw nb::value_error("no such law, or not its constants");
  ElasticConstants<double> c{};
  for (std::size_t k = 0; k < row->fields.size(); ++k) {
    c.c[k] = k < constants.size() ? constants[k] : row->fields[k].value;
    if (std::isnan(c.c[k])) throw nb::value_error("a constant of the law is missing");
  }
  std::vector<double> out;
  for (const double stretch : stretches)
    out.push_back(incompressible_tension(test_of(test), {row->law, VolumeForm::isochoric}, c, stretch));
  return out;
}

}  // namespace

void bind_fit(nb::module_& m) {
  m.def("fit_material", &fit, nb::arg("files"), nb::arg("tables"), nb::arg("laws"), nb::arg("fixed"),
        nb::arg("relative"), nb::arg("unit"), nb::arg("name"), nb::arg("columns"), nb::arg("decimal"),
        nb::arg("branch"),
        nb::sig(
            "def fit_material(files: list[tuple[str, str | None]], tables: list[tuple[str, list[float], list[float]]], "
            "laws: list[str], fixed: list[tuple[str, float]], relative: bool, unit: str, name: str, columns: "
            "list[tuple[str, str]], "
            "decimal: str, branch: str) -> tuple[str, str]"),
        "Constants of rubber from files, or from tables of a test, stretches and stresses [Pa]: JSON and a page.");
  m.def(
      "tension_stress", &stress, nb::arg("law"), nb::arg("constants"), nb::arg("test"), nb::arg("stretches"),
      nb::sig("def tension_stress(law: str, constants: list[float], test: str, stretches: list[float]) -> list[float]"),
      "Nominal stress [Pa] of an incompressible body.");
}

}  // namespace flexura::python
