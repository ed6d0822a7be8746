#pragma once
// The joints, one row for each space they are in: name, keys, and what they keep of one place against the other.
//
//                      places      directions            second place      coordinates
//     weld             offset      all
//     pin, spherical   coincide
//     revolute         coincide    the axis (spatial)                      angle
//     universal        coincide    one across the other
//     cylindrical                  the axis              on a line         angle, displacement
//     prismatic                    all                   on a line         displacement
//     planar                       the normal            in a plane
//     point_on_line                                      on a line         displacement
//     point_on_plane                                     in a plane        displacement
//
// What is kept says what equations there are, which keys a scene may write, what a reaction has and how a report draws it:
// ask for that, not for names.

#include <span>
#include <string_view>

#include "flexura/base/field_spec.hpp"

namespace flexura {

enum class JointType {
  weld,
  clamp_direction,
  pin,
  prescribed,
  spherical,
  revolute,
  prismatic,
  cylindrical,
  universal,
  planar,
  point_on_line,
  point_on_plane,
  gear,
  distance,
};

struct JointRow {
  enum class Space { planar, spatial, both };
  enum class Direction { none, axis, axes, normal };  ///< the key that gives it

  JointType type;
  std::string_view name, doc;
  Space space = Space::both;
  Direction direction = Direction::none;

  bool coincide = false;     ///< the places, or the offset between them
  bool keeps_turn = false;   ///< no part turns against the other
  bool keeps_axis = false;   ///< a direction of both stays one
  bool keeps_right = false;  ///< a direction of each stays perpendicular to the other's
  bool on_line = false, in_plane = false;
  bool has_angle = false, has_displacement = false;
  bool clamps = false;       ///< of a cable: place and tangent
  bool ties_joints = false;  ///< of two joints, not of two places
  bool is_driven = false;    ///< follows signals alone
  bool is_term = false;      ///< its keys and equations are those of a registered term

  bool is_in(int dim) const { return space == Space::both || (space == Space::planar) == (dim == 2); }
  /// Whether a part can be moved along the other.
  bool slides() const { return on_line || in_plane || is_driven; }
  /// Whether bodies slide along each other, turned with the joint or not.
  bool guides_bodies() const { return (on_line || in_plane) && (keeps_turn || keeps_axis); }
  bool takes_method() const { return !clamps && !ties_joints && !is_driven && !is_term; }
  /// Degrees of freedom that it takes of two rigid bodies which can move freely otherwise.
  int removes(int dim) const;
};

/// In the order of the documentation; names that mean different keys in plane and space have a row for each.
std::span<const JointRow> joint_rows();
/// Null if scenes of that space have none of that name.
const JointRow* find_joint(std::string_view name, int dim);
/// The types that `[joint.NAME]` may have, but for those of registered terms.
std::vector<VariantSpec> joint_variants(int dim);

}  // namespace flexura
