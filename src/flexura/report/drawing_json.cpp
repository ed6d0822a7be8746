#include "flexura/report/drawing_json.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

namespace flexura {
namespace {

constexpr std::size_t short_list = 24;  ///< numbers that stand in the JSON rather than in a block

/// The double of the fewest digits that gives this float.
double shortest(float x) {
  const std::string text = fmt::format("{}", x);
  double value = x;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Json numbers_json(const std::vector<std::uint32_t>& numbers, BlockStore& blocks, bool as_list) {
  return as_list ? Json(numbers) : blocks.add(numbers, {numbers.size()});
}

Json numbers_json(const std::vector<float>& numbers, BlockStore& blocks, bool as_list) {
  if (!as_list) return blocks.add(numbers, {numbers.size()});
  Json list = Json::array();
  for (const float x : numbers) list.push_back(shortest(x));
  return list;
}

void add_map(Json& json, const char* key, const SlotMap& map, BlockStore& blocks) {
  if (map.size() == 0) return;
  const bool as_list = map.slot.size() <= short_list && map.start.size() <= short_list;
  json[key] = {{"start", numbers_json(map.start, blocks, as_list)},
               {"slot", numbers_json(map.slot, blocks, as_list)},
               {"weight", numbers_json(map.weight, blocks, as_list)}};
}

const char* kind_name(Drawable::Kind kind) {
  constexpr const char* names[] = {"curve", "surface", "body", "line", "point", "joint", "arrow", "sensor"};
  return names[static_cast<int>(kind)];
}

Json section_json(const SectionShape& section) {
  constexpr const char* names[] = {"round", "tube", "rectangle"};
  Json json{{"type", names[static_cast<int>(section.type)]}};
  if (section.type == SectionShape::Type::rectangle) {
    json["width"] = section.width;
    json["height"] = section.height;
  } else {
    json["radius"] = section.radius;
    if (section.type == SectionShape::Type::tube) json["inner"] = section.inner;
  }
  json["nominal"] = section.is_nominal;
  return json;
}

Json shape_json(const BodyShape& shape, BlockStore& blocks) {
  constexpr const char* names[] = {"box", "sphere", "ellipsoid", "cylinder", "cone", "link", "mesh"};
  Json json{{"type", names[static_cast<int>(shape.type)]},
            {"center", shape.center},
            {"axes", shape.axes},
            {"size", shape.size}};
  if (shape.type == BodyShape::Type::link) json["to"] = shape.to;
  if (shape.type == BodyShape::Type::mesh) {
    json["vertices"] = numbers_json(shape.vertices, blocks, false);
    json["triangles"] = numbers_json(shape.triangles, blocks, false);
  }
  return json;
}

Json drawable_json(const Drawable& drawable, BlockStore& blocks) {
  Json json{{"kind", kind_name(drawable.kind)}, {"name", drawable.name}, {"label", drawable.label}};
  if (!drawable.color.empty()) json["color"] = drawable.color;
  add_map(json, "position", drawable.position, blocks);
  add_map(json, "tangent", drawable.tangent, blocks);
  add_map(json, "second", drawable.second, blocks);
  add_map(json, "third", drawable.third, blocks);
  if (drawable.kind == Drawable::Kind::curve) json["section"] = section_json(drawable.section);
  if (!drawable.sizes.empty())
    json["sizes"] = numbers_json(std::vector<float>(drawable.sizes.begin(), drawable.sizes.end()), blocks, false);
  if (!drawable.thickness.empty())
    json["thickness"] =
        numbers_json(std::vector<float>(drawable.thickness.begin(), drawable.thickness.end()), blocks, false);
  if (!drawable.quads.empty()) json["quads"] = numbers_json(drawable.quads, blocks, false);
  if (drawable.kind == Drawable::Kind::body) {
    json["shapes"] = Json::array();
    for (const BodyShape& shape : drawable.shapes) json["shapes"].push_back(shape_json(shape, blocks));
  }
  if (drawable.kind == Drawable::Kind::point) json["radius"] = drawable.radius;
  if (drawable.field >= 0) {
    json["field"] = drawable.field;
    json["field_count"] = drawable.field_count;
  }
  if (drawable.quantity >= 0) {
    json["quantity"] = drawable.quantity;
    json["moment"] = drawable.is_moment;
  }
  return json;
}

}  // namespace

Json drawing_json(const Drawing& drawing, BlockStore& blocks) {
  std::vector<double> reference;
  for (const Drawing::MovingSlot& slot : drawing.slots)
    reference.insert(reference.end(), slot.reference.begin(), slot.reference.end());
  Json json;
  json["slots"] = drawing.slots.size();
  json["fixed"] = drawing.fixed;
  json["reference"] = blocks.add(reference, {drawing.slots.size(), 3});
  json["field_points"] = drawing.field_points;
  json["quantities"] = Json::array();
  for (const Drawing::Quantity& quantity : drawing.quantities)
    json["quantities"].push_back({{"name", quantity.name}, {"unit", quantity.unit}});
  json["drawables"] = Json::array();
  for (const Drawable& drawable : drawing.drawables) json["drawables"].push_back(drawable_json(drawable, blocks));
  return json;
}

}  // namespace flexura
