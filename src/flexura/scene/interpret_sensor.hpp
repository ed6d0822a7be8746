#pragma once
// [sensor.NAME]: what is read from a machine, as slots, elements and joints.

#include <functional>

#include "flexura/part/machine_builder.hpp"
#include "flexura/part/machine_draft.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura::detail {

class SensorInterpreter {
 public:
  /// `acts`: whether a record acts in this model. Problems go to the builder's.
  SensorInterpreter(const SceneDocument& scene, std::function<bool(const Record&)> acts, MachineBuilder& builder)
      : scene_(scene), acts_(std::move(acts)), draft_(builder.draft()), machine_(builder.machine()) {}

  void add_sensor(const Record& record);
  std::vector<SensorSpec> sensors;

 private:
  void add_reaction(const Record& record, SensorSpec& sensor);
  bool add_at_fixed(const Record& record, const Place* place, SensorSpec& sensor);
  bool add_at_place(const Record& record, const Place& place, SensorSpec& sensor);
  bool add_on_wall(const Record& record, const Place& place, const Location& location, SensorSpec& sensor);
  bool add_in_solid(const Record& record, const Place& place, const Location& location, SensorSpec& sensor);
  bool add_distance(const Record& record, SensorSpec& sensor);
  bool add_touching(const Record& record, SensorSpec& sensor);
  void add_coordinate(const Record& record, SensorSpec& sensor);
  void add_item(const Record& record, SensorSpec& sensor);
  void add_enclosed(const Record& record, SensorSpec& sensor);
  void add_kept(const Record& record, SensorSpec& sensor);
  void add_pressure(const Record& record, SensorSpec& sensor);
  /// Of the section of a cable or beam at a share of its length; of none where it has no shape.
  SectionModuli moduli_of(const CablePart& cable, double share) const;
  void add_drive(const Record& record, SensorSpec& sensor);
  void add_multipliers(const Record& record, SensorSpec& sensor);

  std::optional<Location> locate(const Place& place, const std::string& path) {
    return detail::locate(draft_, place, path);
  }
  int coordinate_of(const Record& record, const Quantity& quantity, const std::string& joint);
  void wrong(const Record& record, std::string_view key, std::string message);
  bool acts(const Record& record) const { return acts_(record); }

  const SceneDocument& scene_;
  std::function<bool(const Record&)> acts_;
  MachineDraft& draft_;
  const Machine& machine_;
};

}  // namespace flexura::detail
