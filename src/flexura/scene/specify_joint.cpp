// [joint.NAME], those of registered terms apart.

#include <algorithm>

#include "flexura/observe/quantity.hpp"
#include "flexura/scene/specify.hpp"

namespace flexura::detail {
namespace {

JointSpec::Method method_of(const std::string& text) {
  using Method = JointSpec::Method;
  constexpr std::pair<std::string_view, Method> methods[] = {
      {"multipliers", Method::multipliers}, {"relations", Method::relations}, {"compliant", Method::compliant}};
  for (const auto& [name, method] : methods)
    if (name == text) return method;
  return Method::eliminated;
}

std::optional<double> number_of(const Record& record, std::string_view key) {
  return record.has(key) ? std::optional<double>(record.number(key)) : std::nullopt;
}

bool wants_reaction(const SceneDocument& scene, const std::string& joint) {
  const std::vector<const Record*> sensors = scene.of_kind("sensor");
  return std::any_of(sensors.begin(), sensors.end(), [&](const Record* sensor) {
    const Quantity* quantity = find_quantity(sensor->type);
    return quantity != nullptr && (quantity->where & where::joint_reaction) && sensor->text("of") == joint;
  });
}

}  // namespace

std::optional<JointSpec> joint_spec(const Specifier& with, const Record& record) {
  const JointRow* row = find_joint(record.type, with.scene.dim);
  const auto* of = record.get<std::vector<Place>>("of");
  if (row == nullptr || of == nullptr) return {};
  if (record.has("from")) {
    with.wrong(record, "from", "joints that begin later are not in this version yet; they can end, with `until`");
    return {};
  }
  JointSpec spec;
  spec.origin = origin_of(record);
  spec.name = record.name;
  spec.type = row->type;
  spec.of = {(*of)[0], (*of)[1]};
  spec.at = vector_of(record, "at");
  spec.axis = vector_of(record, row->direction == JointRow::Direction::normal ? "normal" : "axis");
  if (const Points* axes = record.get<Points>("axes"))
    for (const Numbers& axis : *axes) spec.axes.push_back(triple(axis));
  spec.holds_stretch = record.text("stretch") == "held";
  spec.method = method_of(record.text("method"));
  spec.stiffness = number_of(record, "stiffness");
  spec.direction_length = number_of(record, "direction_length");
  spec.damping = record.number("damping");
  const auto signal = [&](const char* key) {
    return record.has(key) ? std::optional<EffectiveSignal>(signal_of(with, record, key)) : std::nullopt;
  };
  spec.angle = signal("angle");
  spec.displacement = signal("displacement");
  spec.motion = {signal("x"), signal("y"), signal("z")};
  spec.wants_reaction = wants_reaction(with.scene, record.name);
  return spec;
}

std::optional<GearSpec> gear_spec(const Record& record) {
  const std::string *first = record.get<std::string>("first"), *second = record.get<std::string>("second");
  if (first == nullptr || second == nullptr) return {};
  return GearSpec{origin_of(record), record.name, *first, *second, record.number("ratio")};
}

}  // namespace flexura::detail
