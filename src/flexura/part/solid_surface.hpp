#pragma once
// Surfaces of solids as pressure sees them: "barrel.inner", faces of a named set.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "flexura/load/face_form.hpp"
#include "flexura/part/machine.hpp"
#include "flexura/part/material_place.hpp"

namespace flexura {

enum class FaceShape { t3, t6, q4, q8, q9, plate, edge_cone, side_cone };

/// f.template operator()<Shape>() of a face of a solid.
decltype(auto) with_solid_face(FaceShape shape, auto&& f) {
  switch (shape) {
    case FaceShape::t3:
      return f.template operator()<detail::TriangleFace<3>>();
    case FaceShape::t6:
      return f.template operator()<detail::TriangleFace<6>>();
    case FaceShape::q4:
      return f.template operator()<detail::QuadrilateralFace<4>>();
    case FaceShape::q8:
      return f.template operator()<detail::QuadrilateralFace<8>>();
    default:
      return f.template operator()<detail::QuadrilateralFace<9>>();
  }
}

/// Nodes counter-clockwise as seen from outside: r_ξ × r_η leaves the solid.
struct SurfaceFace {
  FaceShape shape = FaceShape::q4;
  std::vector<int> slots;    ///< points
  std::string name;          ///< "solid 'barrel', element 12, face 3"
  bool of_membrane = false;  ///< it has two sides
};

/// What "barrel.inner" means; a sentence where it is no surface of a solid that pressure can act on, with the nearest name.
struct NoSurface {
  std::string message, nearest;
};
std::variant<SurfaceOfSolid, NoSurface> find_surface(const Machine& machine, std::string_view name);
/// Why pressure cannot act on a set: it is a volume, a line, or lies within the solid. Empty: it can.
std::string why_no_surface(const SolidPart& solid, const SolidSet& set);
/// Names of all of them: "barrel.inner", ….
std::vector<std::string> surface_names(const Machine& machine);
std::string name_of(const Machine& machine, const SurfaceOfSolid& surface);

std::vector<SurfaceFace> faces_of(const SolidPart& solid, const SolidSet& set);
/// In the middle of a face.
MaterialPlace middle_of(const Machine& machine, const SurfaceOfSolid& surface, int face);

}  // namespace flexura
