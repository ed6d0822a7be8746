#pragma once
// Slopes of sensors as JSON and as text.

#include "flexura/base/json.hpp"
#include "flexura/scene/scene_number.hpp"
#include "flexura/study/gradient_check.hpp"

namespace flexura {

/// What was asked for, and what came out: of sensors, of modes, or of both.
struct GradientReport {
  std::string scene;
  std::vector<SceneNumber> numbers;
  Derivatives slopes;
  std::optional<GradientCheck> check;
  double tolerance = 1e-6;  ///< of the check

  bool agrees() const;
};

Json gradient_json(const GradientReport& report);
/// A table for each time, columns × numbers.
std::string gradient_text(const GradientReport& report);
/// Paths, values and units, one a line.
std::string numbers_text(const std::vector<SceneNumber>& numbers);
Json numbers_json(const std::vector<SceneNumber>& numbers);

}  // namespace flexura
