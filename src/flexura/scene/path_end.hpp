#pragma once
// `until` of static analyses by arc length: the number of a sensor that it names.

#include <string>
#include <string_view>

#include "flexura/scene/scene_model.hpp"

namespace flexura {

/// A sensor and one of its numbers, by index.
struct SensorNumber {
  int sensor = 0, number = -1;  ///< −1: it has no such component
};
SensorNumber sensor_number(const SceneModel& scene, const PathEnd& end);

/// Unit in SI of a component of a sensor of that type, of all of them where they have the same; "*": not known.
std::string sensor_unit(std::string_view type, std::string_view component, int dim);

/// Components that are missing or that there are none of, and sensors that add up what happened along the path.
void check_path_ends(const SceneDocument& scene, const SceneModels& models, std::vector<Problem>& problems);

}  // namespace flexura
