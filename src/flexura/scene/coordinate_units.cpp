#include "flexura/scene/coordinate_units.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "flexura/part/joint_types.hpp"

namespace flexura {
namespace {

struct KeyUnit {
  std::string_view key, unit;
};
constexpr KeyUnit key_units[] = {
    {"effort", "effort"},
    {"limit", "effort"},
    {"coulomb", "effort"},
    {"target", "coordinate"},
    {"rest", "coordinate"},
    {"lower", "coordinate"},
    {"upper", "coordinate"},
    {"stop_width", "coordinate"},
    {"presliding", "coordinate"},
    {"max_rate", "coordinate/s"},
    {"stribeck", "coordinate/s"},
    {"kp", "effort/coordinate"},
    {"stiffness", "effort/coordinate"},
    {"stop_stiffness", "effort/coordinate"},
    {"kd", "effort s/coordinate"},
    {"damping", "effort s/coordinate"},
    {"stop_damping", "effort s/coordinate"},
    {"viscous", "effort s/coordinate"},
};

std::string with(std::string_view unit, std::string_view word, std::string_view in_place) {
  std::string out(unit);
  if (const size_t at = out.find(word); at != std::string::npos) out.replace(at, word.size(), in_place);
  return out;
}

std::string of_coordinate(std::string_view unit, bool is_angle) {
  return with(with(unit, "effort", is_angle ? "N m" : "N"), "coordinate", is_angle ? "rad" : "m");
}

std::string unit_of_coordinate(JointCoordinate coordinate) {
  return coordinate == JointCoordinate::any ? "rad or m"
                                            : of_coordinate("coordinate", coordinate == JointCoordinate::angle);
}

}  // namespace

std::string_view coordinate_key_unit(std::string_view key) {
  const auto found = std::ranges::find(key_units, key, &KeyUnit::key);
  return found == std::end(key_units) ? "*" : found->unit;
}

bool depends_on_joint(std::string_view unit) {
  return unit == "second/first" || unit == "second" || unit.starts_with("effort") || unit.starts_with("coordinate");
}

JointCoordinate acting_coordinate(std::string_view kind, std::string_view type, int dim) {
  if (kind == "truss") return JointCoordinate::displacement;
  const JointRow* row = kind == "joint" ? find_joint(type, dim) : nullptr;
  return row == nullptr          ? JointCoordinate::any
         : row->has_angle        ? JointCoordinate::angle
         : row->has_displacement ? JointCoordinate::displacement
                                 : JointCoordinate::any;
}

std::string unit_at_joint(std::string_view unit, const JointOfKey& coordinate) {
  if (!depends_on_joint(unit)) return std::string(unit);
  if (unit == "second") return unit_of_coordinate(coordinate("second"));
  if (unit == "second/first") {
    const JointCoordinate first = coordinate("first"), second = coordinate("second");
    if (first == JointCoordinate::any || second == JointCoordinate::any) return "*";
    return first == second ? "1" : unit_of_coordinate(second) + "/" + unit_of_coordinate(first);
  }
  const JointCoordinate at = coordinate("at");
  return at == JointCoordinate::any ? of_coordinate(unit, true) + " or " + of_coordinate(unit, false)
                                    : of_coordinate(unit, at == JointCoordinate::angle);
}

std::string unit_of(const SceneDocument& scene, const Record& record, const FieldSpec& field) {
  if (record.kind == "signal" && field.unit == "*") {
    const auto signal = std::ranges::find(scene.named_signals, record.name, &NamedSignal::name);
    return signal == scene.named_signals.end() || signal->unit.empty() ? "*" : signal->unit;
  }
  return unit_at_joint(field.unit, [&](std::string_view key) {
    const std::string* name = record.get<std::string>(key);
    for (const char* kind : {"joint", "truss"})
      if (const Record* joint = name == nullptr ? nullptr : scene.find(kind, *name))
        return acting_coordinate(kind, joint->type, scene.dim);
    return JointCoordinate::any;
  });
}

std::string unit_in_brackets(std::string_view unit) {
  const std::string text = unit_at_joint(unit, [](std::string_view) { return JointCoordinate::any; });
  return text.empty() || text == "1" || text == "*" ? "" : fmt::format(" [{}]", text);
}

}  // namespace flexura
