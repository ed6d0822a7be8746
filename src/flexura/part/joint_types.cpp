#include "flexura/part/joint_types.hpp"

#include <algorithm>

namespace flexura {
namespace {

using enum JointRow::Space;
using Direction = JointRow::Direction;

constexpr JointRow rows[] = {
    {.type = JointType::weld, .name = "weld", .coincide = true, .keeps_turn = true},
    {.type = JointType::clamp_direction,
     .name = "clamp_direction",
     .coincide = true,
     .keeps_turn = true,
     .clamps = true},
    {.type = JointType::pin, .name = "pin", .coincide = true},
    {.type = JointType::prescribed, .name = "prescribed", .is_driven = true},
    {.type = JointType::revolute, .name = "revolute", .space = planar, .coincide = true, .has_angle = true},
    {.type = JointType::prismatic,
     .name = "prismatic",
     .space = planar,
     .direction = Direction::axis,
     .keeps_turn = true,
     .on_line = true,
     .has_displacement = true},
    {.type = JointType::spherical, .name = "spherical", .space = spatial, .coincide = true},
    {.type = JointType::revolute,
     .name = "revolute",
     .space = spatial,
     .direction = Direction::axis,
     .coincide = true,
     .keeps_axis = true,
     .has_angle = true},
    {.type = JointType::prismatic,
     .name = "prismatic",
     .space = spatial,
     .direction = Direction::axis,
     .keeps_turn = true,
     .on_line = true,
     .has_displacement = true},
    {.type = JointType::cylindrical,
     .name = "cylindrical",
     .space = spatial,
     .direction = Direction::axis,
     .keeps_axis = true,
     .on_line = true,
     .has_angle = true,
     .has_displacement = true},
    {.type = JointType::universal,
     .name = "universal",
     .space = spatial,
     .direction = Direction::axes,
     .coincide = true,
     .keeps_right = true},
    {.type = JointType::planar,
     .name = "planar",
     .space = spatial,
     .direction = Direction::normal,
     .keeps_axis = true,
     .in_plane = true},
    {.type = JointType::point_on_line,
     .name = "point_on_line",
     .direction = Direction::axis,
     .on_line = true,
     .has_displacement = true},
    {.type = JointType::point_on_plane,
     .name = "point_on_plane",
     .space = spatial,
     .direction = Direction::normal,
     .in_plane = true,
     .has_displacement = true},
    {.type = JointType::gear, .name = "gear", .ties_joints = true},
    {.type = JointType::distance, .name = "distance", .is_term = true}};

}  // namespace

std::span<const JointRow> joint_rows() { return rows; }

const JointRow* find_joint(std::string_view name, int dim) {
  const auto* found =
      std::find_if(std::begin(rows), std::end(rows), [&](const JointRow& r) { return r.name == name && r.is_in(dim); });
  return found == std::end(rows) ? nullptr : found;
}

}  // namespace flexura
