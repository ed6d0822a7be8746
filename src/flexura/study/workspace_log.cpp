#include "flexura/study/workspace_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>

#include "flexura/study/inverse_log.hpp"

namespace flexura {

Json json_of(const WorkspaceSample& sample) {
  return {{"found", sample.found},
          {"inputs", text_of_numbers(sample.inputs)},
          {"place", text_of_numbers(sample.place)},
          {"singular_values", text_of_numbers(sample.singular_values)},
          {"measures", text_of_numbers(std::array{sample.manipulability, sample.condition})}};
}

WorkspaceSample sample_of(const Json& json, const WorkspacePlan& plan) {
  const auto text = [&](const char* key) { return json.at(key).get<std::string>(); };
  WorkspaceSample out;
  out.found = json.at("found").get<bool>();
  out.inputs = numbers_of_text(text("inputs"), out.found ? plan.inputs.size() : numbers_of_text(text("inputs")).size());
  out.place = numbers_of_text(text("place"), out.found ? plan.place.columns.size() : 0);
  out.singular_values = numbers_of_text(text("singular_values"));
  const std::vector<double> measures = numbers_of_text(text("measures"), 2);
  out.manipulability = measures[0], out.condition = measures[1];
  return out;
}

Json json_of(const TriedCell& cell) {
  Json out = json_of(cell.nearest);
  out["reached"] = cell.is_reached;
  return out;
}

TriedCell cell_of(const Json& json, const WorkspacePlan& plan) {
  return {sample_of(json, plan), json.at("reached").get<bool>()};
}

std::uint32_t fingerprint_of(const WorkspacePlan& plan) {
  Fingerprint all;
  all.add(plan.scene);
  for (const SoughtInput& input : plan.inputs) add_to(all, input);
  all.add(fmt::format("{} {} {} {}", fmt::join(plan.counts, " "), plan.runs, plan.seed, plan.cells));
  add_to(all, plan.place);
  for (const auto& [name, wanted] : plan.targets) all.add(name), all.add(wanted);
  return all.value();
}

}  // namespace flexura
