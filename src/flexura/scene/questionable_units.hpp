#pragma once
// Values that can hardly be meant in SI: a scene in mm, MPa and t/mm^3 is read without a contradiction.

#include <vector>

#include "flexura/scene/document.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura::detail {

/// Warns of E below 1 kPa and densities below 1 kg/m^3 that are written without a unit, and of sections of cables and
/// beams and walls of plates that are wider than their part is long.
void question_units(const SceneDocument& scene, const SceneModel& model, std::vector<Problem>& warnings);

}  // namespace flexura::detail
