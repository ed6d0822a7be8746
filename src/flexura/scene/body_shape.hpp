#pragma once
// Mass, centre and inertia of a rigid body from its shape and density.

#include <optional>
#include <vector>

#include "flexura/part/specs.hpp"
#include "flexura/scene/document.hpp"

namespace flexura {

/// `shape` of a body: an inline table, `type` chooses.
/// Spatial: box, cylinder, sphere, cone, mesh. Planar: rectangle, disc, polygon, rod.
FieldSpec body_shape_field(int dim);

/// Inertia of a shape as body_shape_field describes it. `density`: [kg/m^3]; planar [kg/m^2], of a rod [kg/m].
/// Nothing where the shape has no inertia; why is then among the problems.
/// `files` are those of the scene: a mesh is read from them.
std::optional<RigidInertia> inertia_of_shape(const Record& shape, double density, int dim,
                                             const std::vector<ExternalFile>& files, std::vector<Problem>& problems);

}  // namespace flexura
