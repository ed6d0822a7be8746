#pragma once
// Everything that can be read of a model, one row for each: what it is, where it can be read, and by what.
//
// The grammar of scenes (schema, messages, Python), columns of results and SensorProbe ask these rows; nothing else knows the
// name of a quantity. The rows stand beside their readers, chapter by chapter: place_, body_, section_, joint_, contact_, model_
// and wall_quantities.cpp. How to add one: docs/extending.md.

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/observe/channel_column.hpp"

namespace flexura {

struct BoundSensor;
struct Moment;
struct SensorSpec;

/// What the numbers are.
enum class Shape {
  scalar,
  vector,       ///< of space
  turning,      ///< about an axis: a number in the plane, a vector in space
  frame,        ///< a position, and an angle or quat_xyzw
  tensor,       ///< of a wall: 11, 22, 12
  multipliers,  ///< as many as a joint has
  violation,    ///< |Φ| and |dΦ/dt|
};

/// Where a quantity can be read, as a set.
namespace where {
enum Where : unsigned {
  point = 1,                ///< a point by itself
  line = 2,                 ///< any place on a cable or beam
  node = 4,                 ///< its nodes only
  plate = 8,                ///< a place on a plate, or the mean of a set of nodes
  wall = 16,                ///< one place on a plate: what its wall carries, and how it lies
  body = 32,                ///< a body, or a place on it
  any_place = 63,           ///< all of these are written `at`
  joint_angle = 64,         ///< a coordinate of a joint: its angle
  joint_offset = 128,       ///< or its displacement
  joint_reaction = 256,     ///< what a joint carries
  joint_multipliers = 512,  ///< and in its own unknowns
  any_joint = 960,          ///< all of these are written `of`
  two_places = 1024,        ///< `between` two places
  signal = 2048,            ///< `of` a signal
  item_force = 4096,        ///< `of` a spring or load: what it pulls with between two points, or does to a displacement
  item_torque = 8192,       ///< what it does to a direction or an angle
  any_item = 12288,
  touching = 16384,      ///< `of` a sphere or plane
  two_touching = 32768,  ///< `first` and `second` of these
  contact = 65536,       ///< `of` a contact
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

struct Quantity {
  std::string_view name, unit, doc;
  Shape shape = Shape::scalar;
  unsigned where = 0;  ///< 0: of the whole model
  Selection selection = {};
  std::string_view part_doc = {};  ///< not empty: may be narrowed to one joint or body, `part`
  /// Quantities inside the elements at the place, by the names that their terms give them; of tensors the first of three
  /// that follow each other.
  std::array<std::string_view, 4> probes = {};
  unsigned needs = 0;
  /// Writes as many numbers as columns_of() says. `last`: what it wrote before, from which angles count turns.
  void (*read)(const Moment&, const BoundSensor&, std::span<double> out, std::span<const double> last) = nullptr;
};

/// The table.
std::span<const Quantity> quantities();
/// Null if there is none of this name.
const Quantity* find_quantity(std::string_view name);

/// What a sensor records in one row, and how many numbers that is.
std::vector<ChannelColumn> columns_of(const SensorSpec& sensor, int dim);
int number_count(const SensorSpec& sensor, int dim);

namespace detail {
// The chapters, in the order of the table.
std::span<const Quantity> place_quantities();
std::span<const Quantity> body_quantities();
std::span<const Quantity> section_quantities();
std::span<const Quantity> joint_quantities();
std::span<const Quantity> contact_quantities();
std::span<const Quantity> model_quantities();
std::span<const Quantity> wall_quantities();
}  // namespace detail

}  // namespace flexura
