#pragma once

#include <optional>
#include <string>

#include "flexura/mesh/surface_mesh.hpp"
#include "flexura/model/model_builder.hpp"

namespace flexura {

/// Fibres of one direction at each place.
struct FibreFamily {
  std::string name = {};
  Vec3 direction{};         ///< by the part's three directions, of any length but 0
  bool about_axis = false;  ///< these are from the axis, around it, along it
  double stiffness = 0;     ///< k₁ of fibre_law.hpp [Pa]
  double exponent = 0;      ///< k₂
  bool bears_compression = false;
  std::optional<EffectiveSignal> tension = {};  ///< of the fibres themselves [Pa]
};

}  // namespace flexura
