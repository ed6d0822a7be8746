#pragma once
// Values that can hardly be meant in SI: a scene in mm, MPa and t/mm^3 is read without a contradiction.

#include <vector>

#include "flexura/scene/document.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura::detail {

/// Warns of values that are written without a unit: E below 1 kPa, densities of materials and bodies below 1 kg/m^3, or below 10
/// where waves travel faster than in diamond, gravity beyond 0.3 to 300 m/s^2, EA that is too large for its rhoA, and air outside
/// of less than 1 kPa; and of sections of cables and beams and walls of plates that are wider than their part is long.
void question_units(const SceneDocument& scene, const SceneModel& model, std::vector<Problem>& warnings);

}  // namespace flexura::detail
