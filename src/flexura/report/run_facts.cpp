#include "flexura/report/run_facts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace flexura {
namespace {

constexpr const char* meta = "/meta";

class Facts {
 public:
  explicit Facts(const RecordedRun& run) : run_(run) {}

  void add(const char* group, const std::string& label, Json value, const std::string& unit = {}) {
    Json row{{"group", group}, {"label", label}, {"value", std::move(value)}};
    if (!unit.empty() && unit != "1") row["unit"] = unit;
    rows.push_back(std::move(row));
  }
  void number(const char* group, const std::string& label, double x, const std::string& unit) {
    add(group, label, std::isfinite(x) ? Json(x) : Json("not finite"), unit);
  }
  std::optional<double> attribute(const char* name) const {
    const Attribute* found = run_.results.attribute(meta, name);
    if (found == nullptr || found->kind == Attribute::Kind::text) return std::nullopt;
    return found->kind == Attribute::Kind::real ? found->real : static_cast<double>(found->integer);
  }
  std::optional<long> count(const char* name) const {
    const auto x = attribute(name);
    return x ? std::optional(static_cast<long>(*x)) : std::nullopt;
  }
  /// Last value of a dataset.
  std::optional<double> last(const std::string& path) const {
    const DatasetInfo* info = run_.results.find(path);
    if (info == nullptr || info->shape.size() != 1 || info->shape[0] == 0) return std::nullopt;
    const std::uint64_t row = info->shape[0] - 1;
    const auto value = run_.results.read_rows(path, std::span(&row, 1));
    return value ? std::optional(value->front()) : std::nullopt;
  }

  void model();
  void solver();
  void energy();
  void errors();
  void run();

  Json rows = Json::array();

 private:
  const RecordedRun& run_;
};

void Facts::model() {
  constexpr const char* group = "Model";
  const Json& first = run_.first_model();
  if (first.is_null()) return;
  const auto size = [&](const char* list) { return first.contains(list) ? first[list].size() : 0; };
  if (const size_t n = run_.summary["models"].size(); n > 1) add(group, "Models, one after the other", n);
  for (const auto& [key, label] : {std::pair("coordinates", "Coordinates"),
                                   {"eliminated", "Coordinates eliminated"},
                                   {"multipliers", "Multipliers"}})
    if (first.contains(key)) add(group, label, first[key]);
  if (const auto n = count("degrees_of_freedom"); n && *n > 0) add(group, "Degrees of freedom", *n);
  if (const auto n = count("elements"); n && *n > 0) add(group, "Elements", *n);
  if (const size_t n = size("cables") + size("plates") + size("solids"); n > 0) add(group, "Flexible parts", n);
  for (const auto& [key, label] : {std::pair("bodies", "Bodies"), {"joints", "Joints"}, {"sensors", "Sensors"}})
    if (const size_t n = size(key); n > 0) add(group, label, n);
}

void Facts::solver() {
  constexpr const char* group = "Solver";
  if (run_.drawn)
    for (const StoredAnalysis& analysis : run_.drawn->analyses)
      add(group, fmt::format("Analysis '{}'", analysis.name), analysis.text);
  if (const auto n = count("load_steps"); n && *n > 0) add(group, "Load steps", *n);
  const DatasetInfo* solved = run_.results.find("/solver/t");
  const long steps = count("steps").value_or(solved == nullptr ? 0 : static_cast<long>(solved->shape[0]));
  if (steps > 0) {
    add(group, "Time steps", steps);
    const auto per_step = [&](const char* name, const char* label) {
      if (const auto n = attribute(name)) add(group, label, std::round(1000 * *n / static_cast<double>(steps)) / 1000);
    };
    per_step("iterations", "Iterations a step");
    per_step("factorizations", "Factorisations a step");
  }
  std::string points = run_.results.text(meta, "critical_points");
  while (!points.empty()) {
    const std::size_t end = std::min(points.find('\n'), points.size());
    add(group, "Critical point", points.substr(0, end));
    points.erase(0, end + 1);
  }
}

void Facts::energy() {
  constexpr const char* group = "Energy";
  constexpr std::pair<const char*, const char*> parts[] = {
      {"kinetic", "Kinetic, at the end"}, {"strain", "Strain, at the end"}, {"gravity", "Gravity, at the end"},
      {"dissipated", "Dissipated"},       {"work", "Work of loads"},        {"numerical", "Lost by the integration"}};
  for (const auto& [name, label] : parts)
    if (const auto x = last(std::string("/energies/") + name)) number(group, label, *x, "J");
}

/// Lines "tip [0], last<tab>0.123 ± 4e-5 m".
void Facts::errors() {
  std::string left = run_.results.text(meta, "estimated_errors");
  while (!left.empty()) {
    const std::size_t end = std::min(left.find('\n'), left.size()), tab = left.find('\t');
    if (tab < end) add("Estimated errors", left.substr(0, tab), left.substr(tab + 1, end - tab - 1));
    left.erase(0, end + 1);
  }
}

void Facts::run() {
  constexpr const char* group = "Run";
  if (const auto t = last("/solver/t")) number(group, "Simulated until", *t, "s");
  if (const auto t = attribute("wall_time")) number(group, "Computing time", std::round(*t * 1e4) / 1e4, "s");
  const auto text = [&](const char* name, const char* label) {
    if (const std::string value = run_.results.text(meta, name); !value.empty()) add(group, label, value);
  };
  text("program", "Program");
  text("instruction_set", "Instruction set");
  if (const auto n = count("wall_threads")) add(group, "Threads", *n);
  add(group, "Scene", run_.scene_file);
}

}  // namespace

Json run_facts(const RecordedRun& run) {
  Facts facts(run);
  facts.model();
  facts.solver();
  facts.energy();
  facts.errors();
  facts.run();
  return std::move(facts.rows);
}

}  // namespace flexura
