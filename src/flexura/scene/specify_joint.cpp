// [joint.NAME], those of registered terms apart.

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

}  // namespace

std::set<std::string> joints_read(const SceneDocument& scene) {
  std::set<std::string> joints;
  for (const Record* sensor : scene.of_kind("sensor")) {
    const Quantity* quantity = find_quantity(sensor->type);
    if (quantity != nullptr && (quantity->where & where::joint_reaction)) joints.insert(sensor->text("of"));
  }
  return joints;
}

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
  spec.initial_angle = number_of(record, "initial_angle");
  spec.max_effort = number_of(record, "max_effort");
  spec.max_rate = number_of(record, "max_rate");
  spec.motion = {signal("x"), signal("y"), signal("z")};
  spec.wants_reaction = with.read_joints.contains(record.name);
  spec.meets = record.has("meets");
  return spec;
}

std::optional<GearSpec> gear_spec(const Record& record) {
  const std::string *first = record.get<std::string>("first"), *second = record.get<std::string>("second");
  if (first == nullptr || second == nullptr) return {};
  return GearSpec{origin_of(record), record.name, *first, *second, record.number("ratio"), record.number("offset")};
}

}  // namespace flexura::detail
