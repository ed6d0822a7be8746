#pragma once
// Rotation within elements whose sections deform: cables, beams of full elements, plates, cells of solids.

#include "flexura/part/element_rotation.hpp"

namespace flexura {

/// Null where the part has no such elements: beams of directors and membranes.
std::unique_ptr<RotatedElements> cable_rotations(const CablePart& cable, const Model& model);
std::unique_ptr<RotatedElements> plate_rotations(const PlatePart& plate, const Model& model);
std::unique_ptr<RotatedElements> solid_rotations(const SolidPart& solid, const Model& model);

}  // namespace flexura
