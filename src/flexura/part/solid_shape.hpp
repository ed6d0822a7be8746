#pragma once
// Shapes of rigid bodies: how they look, and with a density their mass, centre and inertia.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "flexura/math/triple.hpp"
#include "flexura/mesh/triangle_mesh.hpp"

namespace flexura {

/// In the body's frame; the inertia is about the centre.
struct RigidInertia {
  double mass = 0;        ///< [kg]
  double center[3] = {};  ///< [m]
  double inertia[6] =
      {};  ///< xx, yy, zz, xy, yz, xz [kg m^2]: entries of the tensor, J_xy = −∫ x y dm; planar: zz counts
};

/// Lengths in m, places and directions in the body's frame; axes of any length, z where there is none.
namespace solid {

// Of planar models.
struct Rectangle {
  static constexpr std::string_view name = "rectangle";
  std::array<double, 2> size{};  ///< along x and y
  Triple center{};
};
struct Disc {
  static constexpr std::string_view name = "disc";
  double radius = 0;
  Triple center{};
};
struct Polygon {
  static constexpr std::string_view name = "polygon";
  std::vector<Triple> points = {};  ///< its corners in order
};
/// Thin, along x.
struct Rod {
  static constexpr std::string_view name = "rod";
  double length = 0;
  Triple center{};
};

// Of spatial ones.
struct Box {
  static constexpr std::string_view name = "box";
  Triple size{};  ///< along x, y and z
  Triple center{};
};
struct Cylinder {
  static constexpr std::string_view name = "cylinder";
  double radius = 0, length = 0;
  Triple center{};
  std::optional<Triple> axis = {};
};
struct Sphere {
  static constexpr std::string_view name = "sphere";
  double radius = 0;
  Triple center{};
};
/// Its tip along the axis.
struct Cone {
  static constexpr std::string_view name = "cone";
  double radius = 0;  ///< of the base
  double height = 0;
  Triple center{};  ///< of the base
  std::optional<Triple> axis = {};
};
/// What a closed surface of triangles encloses.
struct Mesh {
  static constexpr std::string_view name = "mesh";
  TriangleMesh surface = {};
  Triple center{};  ///< where its origin is
};

}  // namespace solid

using SolidShape = std::variant<solid::Rectangle, solid::Disc, solid::Polygon, solid::Rod, solid::Box, solid::Cylinder,
                                solid::Sphere, solid::Cone, solid::Mesh>;

std::string_view name_of(const SolidShape& shape);

/// Why a shape has no inertia: which of its members is wrong (empty: all together), and how.
struct NoInertia {
  std::string member, message;
};
using FoundInertia = std::variant<RigidInertia, NoInertia>;

/// `density`: [kg/m^3]; planar [kg/m^2], of a rod [kg/m].
FoundInertia inertia_of(const SolidShape& shape, double density);

}  // namespace flexura
