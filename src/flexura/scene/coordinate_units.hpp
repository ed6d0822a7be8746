#pragma once
// Units of keys that depend on the coordinate of a joint: "effort s/coordinate" is N m s/rad of an angle, N s/m of a displacement.

#include <functional>
#include <string>
#include <string_view>

#include "flexura/part/specs.hpp"
#include "flexura/scene/document.hpp"

namespace flexura {

/// Unit of a number or a signal of a spring, load or friction on a joint's coordinate, by its key; "*" of other keys.
std::string_view coordinate_key_unit(std::string_view key);

/// Whether the unit is known only with the joint.
bool depends_on_joint(std::string_view unit);

/// The coordinate that loads on a joint or truss act on; any: it has none.
JointCoordinate acting_coordinate(std::string_view kind, std::string_view type, int dim);

/// The coordinate of the joint that a key names: "at" of loads, "first" and "second" of gears. any: not known.
using JointOfKey = std::function<JointCoordinate(std::string_view key)>;

/// In SI. Without the joint both, as "N m/rad or N/m".
std::string unit_at_joint(std::string_view unit, const JointOfKey& coordinate);

/// Unit of a key of a record in SI, as the whole scene determines it: of numbers of a signal that of the keys that take it. "*": any.
std::string unit_of(const SceneDocument& scene, const Record& record, const FieldSpec& field);

/// For messages and tables: " [N/m]", "" of what has no unit.
std::string unit_in_brackets(std::string_view unit);

}  // namespace flexura
