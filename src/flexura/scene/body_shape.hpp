#pragma once
// `shape` of a [body.NAME], and the mass, centre and inertia that follow from it with a density.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "flexura/mesh/triangle_mesh.hpp"
#include "flexura/part/solid_shape.hpp"
#include "flexura/scene/document.hpp"

namespace flexura {

/// `shape` of a body or visual: an inline table, `type` chooses.
/// Spatial: box, cylinder, sphere, cone, mesh. Planar: rectangle, disc, polygon, rod.
FieldSpec body_shape_field(int dim, std::string doc);

/// The shape that such a table describes. `files` are those of the scene: a mesh is read from them; nothing where that
/// fails, which is then among the problems. `color` gets the "#rrggbb" of a mesh whose file has one.
std::optional<SolidShape> solid_shape(const Record& shape, const std::vector<ExternalFile>& files,
                                      std::vector<Problem>& problems, std::string* color = nullptr);

/// The surface in a file of triangles, STL, OBJ or COLLADA by the ending of its name; `color` as above.
std::variant<TriangleMesh, MeshError> read_surface(const std::string& contents, const std::string& name,
                                                   std::string* color = nullptr);

/// inertia_of `solid`, which `shape` describes. Nothing where it has none; why is then among the problems.
std::optional<RigidInertia> inertia_of_shape(const Record& shape, const SolidShape& solid, double density,
                                             const std::vector<ExternalFile>& files, std::vector<Problem>& problems);

}  // namespace flexura
