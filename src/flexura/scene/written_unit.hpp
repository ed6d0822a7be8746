#pragma once
// Units of values whose keys take any: as the scene writes them.

#include <string>

#include "flexura/scene/document.hpp"
#include "flexura/scene/units.hpp"

namespace flexura {

/// SI units of a dimension: "N m" for that of "3 kN mm", "1" of a number.
std::string si_unit(const Dimension& dimension);

/// In SI, of the value at a path, as of `parameters.length = "300 mm"`; "" where the scene writes a number alone or an expression.
std::string written_unit(const SceneDocument& scene, const std::string& path);

}  // namespace flexura
