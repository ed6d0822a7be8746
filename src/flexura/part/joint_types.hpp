#pragma once
// The joints, one row for each space they are in: name, and what they keep of one place against the other.
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
// What is kept says what equations there are, and what a reaction has: ask for that, not for names.

#include <span>
#include <string_view>

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
  std::string_view name;
  Space space = Space::both;
  Direction direction = Direction::none;

  bool coincide = false;     ///< the places, or the offset between them
  bool keeps_turn = false;   ///< no part turns against the other
  bool keeps_axis = false;   ///< a direction of both stays one
  bool keeps_right = false;  ///< a direction of each stays perpendicular to the other's
  bool on_line = false, in_plane = false;
  bool has_angle = false, has_displacement = false;
  bool clamps = false;       ///< holds the direction of a cable too
  bool ties_joints = false;  ///< of two joints, not of two places
  bool is_driven = false;    ///< follows signals alone
  bool is_term = false;      ///< its keys and equations are those of a registered term

  bool is_in(int dim) const { return space == Space::both || (space == Space::planar) == (dim == 2); }
};

std::span<const JointRow> joint_rows();
/// Null if there is none of that name in a space of that dimension.
const JointRow* find_joint(std::string_view name, int dim);

}  // namespace flexura
