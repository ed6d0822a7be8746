#include "flexura/scene/path_end.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "flexura/base/nearest_name.hpp"
#include "flexura/scene/read_settings.hpp"

namespace flexura {
namespace {

/// Energies that StaticWork adds up between points of the path.
bool adds_up(const SensorSpec& sensor) {
  if (!(sensor.quantity->needs & needs::energies)) return false;
  const std::string_view of = sensor.quantity->selection.choices[static_cast<size_t>(sensor.choice)].name;
  return of == "dissipated" || of == "work";
}

}  // namespace

SensorNumber sensor_number(const SceneModel& scene, const PathEnd& end) {
  const auto sensor = std::ranges::find(scene.sensors, end.sensor, &SensorSpec::name);
  const std::vector<std::string> names = number_names(*sensor, scene.model.topology->dim);
  const auto number = std::ranges::find(names, end.component);
  return {static_cast<int>(sensor - scene.sensors.begin()),
          number == names.end() ? -1 : static_cast<int>(number - names.begin())};
}

std::string sensor_unit(std::string_view type, std::string_view component, int dim) {
  SensorSpec sensor;
  sensor.quantity = find_quantity(type);
  if (sensor.quantity == nullptr) return "*";
  const std::vector<ChannelColumn> columns = columns_of(sensor, dim);
  const std::vector<std::string> names = number_names(sensor, dim);
  const bool alike =
      std::ranges::all_of(columns, [&](const ChannelColumn& column) { return column.unit == columns[0].unit; });
  size_t k = 0;
  for (const ChannelColumn& column : columns)
    for (std::uint64_t i = 0; i < column.size(); ++i, ++k)
      if (names[k] == component) return column.unit;
  return alike ? columns[0].unit : "*";
}

void check_path_ends(const SceneDocument& scene, const SceneModels& models, std::vector<Problem>& problems) {
  const SceneModel& model = models.models.front();
  for (const AnalysisSpec& analysis : models.timeline.analyses) {
    const auto* what = dynamic_cast<const StaticAnalysis*>(analysis.what.get());
    if (what == nullptr || !what->until) continue;
    const Record& analysis_record = *scene.find("analysis", analysis.name);
    const Record& record = *nested(analysis_record, "until");
    const auto wrong = [&](std::string_view key, std::string message, std::string nearest = {}) {
      problems.push_back({record.source_of(key), fmt::format("{}.until.{}", analysis_record.path, key),
                          std::move(message), std::move(nearest)});
    };
    const SensorNumber found = sensor_number(model, *what->until);
    const SensorSpec& sensor = model.sensors[static_cast<size_t>(found.sensor)];
    if (adds_up(sensor))
      wrong("sensor", "what adds up along the path is known at its points only; allowed: the other energies");
    if (found.number >= 0) continue;
    const std::vector<std::string> names = number_names(sensor, model.model.topology->dim);
    if (what->until->component.empty())
      problems.push_back(
          {record.source,
           analysis_record.path + ".until",
           fmt::format("\"component\" is missing: sensor \"{}\" has {}", sensor.name, list_of(names, "and")),
           {}});
    else if (names.size() == 1)
      wrong("component", fmt::format("sensor \"{}\" reads one number, without components", sensor.name));
    else
      wrong("component",
            fmt::format("sensor \"{}\" has no component \"{}\", but {}", sensor.name, what->until->component,
                        list_of(names, "and")),
            nearest_name(what->until->component, names));
  }
}

}  // namespace flexura
