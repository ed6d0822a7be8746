#pragma once
// Everything that can be read of a model, one row for each: what it is, where it can be read, and by what.
//
// The grammar of scenes (schema, messages, Python), columns of results, SensorProbe and the fields of drawings ask these rows;
// nothing else knows the name of a quantity. The rows stand beside their readers, chapter by chapter: place_, body_, section_, joint_, contact_, chamber_, constraint_,
// model_, wall_ and solid_quantities.cpp. How to add one: docs/extending.md.

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/observe/channel_column.hpp"

namespace flexura {

struct BoundSensor;
struct Moment;
struct SensorPlace;
struct SensorSpec;

/// What the numbers are.
enum class Shape {
  scalar,
  vector,          ///< of space
  turning,         ///< about an axis: a number in the plane, a vector in space
  frame,           ///< a position, and an angle or quat_xyzw
  tensor,          ///< of a wall: 11, 22, 12
  space_tensor,    ///< of a solid: xx, yy, zz, yz, xz, xy
  principal,       ///< three values, largest first
  section_force,   ///< of a beam: N, V1, V2
  section_moment,  ///< of a beam: T, M1, M2
  multipliers,     ///< as many as a joint has
  violation,       ///< |Φ| and |dΦ/dt|
};

/// Where a quantity can be read, as a set.
namespace where {
enum Where : unsigned {
  point = 1u << 0,       ///< a point by itself
  line = 1u << 1,        ///< any place on a cable or beam
  beam = 1u << 2,        ///< on a beam
  shaped = 1u << 3,      ///< on one whose section is a shape and not stiffnesses alone
  node = 1u << 4,        ///< its nodes only
  plate = 1u << 5,       ///< a place on a plate, or the mean of a set of nodes
  wall = 1u << 6,        ///< one place on a plate: what its wall carries, and how it lies
  body = 1u << 7,        ///< a body, or a place on it
  beam_node = 1u << 20,  ///< its nodes, which have directors
  solid = 1u << 21,      ///< a place on a solid
  fibred = 1u << 31,     ///< on one that has fibres
  thick = 1u << 28,      ///< one place on a full plate, which is a solid through the wall
  edge = 1u << 27,       ///< within an edge of triangles of a membrane, or of tetrahedra of 4 nodes
  any_place = point | line | beam | shaped | node | plate | wall | body | beam_node | solid | fibred | thick |
              edge,              ///< all of these are written `at`
  joint_angle = 1u << 8,         ///< a coordinate of a joint: its angle
  joint_offset = 1u << 9,        ///< or its displacement
  joint_reaction = 1u << 10,     ///< what a joint carries
  fixed_point = 1u << 29,        ///< `at` a point that is fixed, in place of `of`
  joint_multipliers = 1u << 11,  ///< and in its own unknowns
  driven_angle = 1u << 25,       ///< of one whose angle is prescribed
  driven_offset = 1u << 26,      ///< or whose displacement is
  driven = driven_angle | driven_offset,
  any_joint =
      joint_angle | joint_offset | joint_reaction | joint_multipliers | driven,  ///< all of these are written `of`
  two_places = 1u << 12,                                                         ///< `between` two places
  signal = 1u << 13,                                                             ///< `of` a signal
  item_force = 1u << 14,   ///< `of` a spring or load: what it pulls with between two points, or does to a displacement
  item_torque = 1u << 15,  ///< what it does to a direction or an angle
  chamber = 1u << 16,      ///< `of` a load that is a pressure, in a chamber or on a plate
  any_item = item_force | item_torque | chamber,
  touching = 1u << 17,      ///< `of` a sphere or plane
  two_touching = 1u << 18,  ///< `first` and `second` of these
  contact = 1u << 19,       ///< `of` a contact
  enclosed = 1u << 22,      ///< `of` a chamber that parts enclose
  gas_inside = 1u << 30,    ///< of one that is filled with gas
  any_chamber = enclosed | gas_inside,
  kept_length = 1u << 23,  ///< `of` a constraint that keeps a length
  kept_area = 1u << 24,    ///< or an area
  any_kept = kept_length | kept_area,
};
}  // namespace where

/// What SensorProbe::update() has to work out first, as a set. 0: the state is enough.
namespace needs {
enum Needs : unsigned {
  residual = 1,     ///< Q − C v − M a in full space
  elastic = 2,      ///< forces of what has an energy
  multipliers = 4,  ///< those of least size where rows are redundant
  signals = 8,
  energies = 16,
  violations = 32,
};
}  // namespace needs

struct NamedChoice {
  std::string_view name, doc;
};
/// An option of a quantity; the first choice is the default.
struct Selection {
  std::string_view key, doc;
  std::span<const NamedChoice> choices;
  unsigned only_on = 0;  ///< where it means something; 0: everywhere

  /// Index of a choice by name, the default where there is none.
  int find(std::string_view name) const;
};

/// A quantity as a field of drawings: one number wherever the row can be read of what is drawn, the place of a field point
/// being a SensorPlace like that of a sensor. On sides and at nodes, where elements meet, the mean of all of them.
struct DrawnAs {
  /// Which numbers have blue and red about zero for their colours; the others begin at it.
  enum class Sign { positive, either, either_in_plane };
  int order = 0;               ///< among the fields; 0: it is none
  std::string_view name, doc;  ///< several rows of one name are one field, which has the unit and doc of the first
  std::string_view planar_doc = {};  ///< in the plane, where it differs
  /// Not empty: each thing that has one has a field of its own, with its name behind; more than four of them share one,
  /// whose doc this is.
  std::string_view shared_doc = {};
  Sign sign = Sign::positive;
  double (*number)(std::span<const double>) = nullptr;  ///< of what the reader writes; null: the first
  int choice = 0;                                       ///< of the selection
};

struct Quantity {
  std::string_view name, unit, doc;
  Shape shape = Shape::scalar;
  unsigned where = 0;  ///< 0: of the whole model
  Selection selection = {};
  std::string_view part_doc = {};  ///< not empty: may be narrowed to one joint or body, `part`
  /// Quantities inside the elements at the place, by the names that their terms give them; of tensors the first of three
  /// that follow each other.
  std::array<std::string_view, 6> probes = {};
  unsigned needs = 0;
  DrawnAs drawn = {};
  /// Writes as many numbers as columns_of() says. `last`: what it wrote before, from which angles count turns.
  void (*read)(const Moment&, const BoundSensor&, std::span<double> out, std::span<const double> last) = nullptr;
};

/// The table.
std::span<const Quantity> quantities();
/// Null if there is none of this name.
const Quantity* find_quantity(std::string_view name);

/// Where it can be read in models of so many dimensions: in the plane there are no beams, plates and solids.
inline unsigned where_in(const Quantity& quantity, int dim) {
  return dim == 3 ? quantity.where
                  : quantity.where & ~unsigned{where::beam | where::beam_node | where::wall | where::solid |
                                               where::fibred | where::thick | where::edge};
}
inline bool exists_in(const Quantity& quantity, int dim) { return quantity.where == 0 || where_in(quantity, dim) != 0; }
/// The rows that colour drawings, in the order of their fields.
std::span<const Quantity* const> drawn_quantities();

/// What a sensor records in one row, and how many numbers that is.
std::vector<ChannelColumn> columns_of(const SensorSpec& sensor, int dim);
int number_count(const Quantity& quantity, const SensorPlace& place, int dim);
int number_count(const SensorSpec& sensor, int dim);
/// "x" and "y" of a position, "" of a single number: the names of what a sensor reads, in order.
std::vector<std::string> number_names(const SensorSpec& sensor, int dim);

namespace detail {
// The chapters, in the order of the table.
std::span<const Quantity> place_quantities();
std::span<const Quantity> body_quantities();
std::span<const Quantity> section_quantities();
std::span<const Quantity> joint_quantities();
std::span<const Quantity> contact_quantities();
std::span<const Quantity> chamber_quantities();
std::span<const Quantity> constraint_quantities();
std::span<const Quantity> model_quantities();
std::span<const Quantity> wall_quantities();
std::span<const Quantity> solid_quantities();
}  // namespace detail

}  // namespace flexura
