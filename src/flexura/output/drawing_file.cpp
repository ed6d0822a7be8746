#include "flexura/output/drawing_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace flexura {
namespace {

/// Stands for a field that has no value at a point: files hold no NaN. A number of single precision.
constexpr double no_value = std::numeric_limits<float>::lowest();

constexpr const char* kinds[] = {"curve", "surface", "body", "line", "point", "joint", "arrow", "sensor"};
constexpr const char* sections[] = {"round", "tube", "rectangle"};
constexpr const char* shapes[] = {"box", "sphere", "ellipsoid", "cylinder", "cone", "link", "mesh"};
constexpr const char* map_names[] = {"position", "tangent", "second", "third"};

template <class Item>
auto maps_of(Item& drawable) {
  return std::array{&drawable.position, &drawable.tangent, &drawable.second, &drawable.third};
}

/// What is long in a drawing, one after the other; texts and single numbers stand in JSON and say where theirs are.
struct Pools {
  std::vector<std::int64_t> place_start{0}, place_slot, corners;
  std::vector<double> place_weight, lengths;

  template <class T>
  static Json append(const std::vector<T>& from, auto& to) {
    const Json range{to.size(), from.size()};
    to.insert(to.end(), from.begin(), from.end());
    return range;
  }
  Json add(const SlotMap& map) {
    const Json rows{place_start.size() - 1, map.size()};
    const auto before = static_cast<std::int64_t>(place_slot.size());
    for (int row = 1; row <= map.size(); ++row) place_start.push_back(before + map.start[row]);
    place_slot.insert(place_slot.end(), map.slot.begin(), map.slot.end());
    place_weight.insert(place_weight.end(), map.weight.begin(), map.weight.end());
    return rows;
  }

  template <class T>
  static std::vector<T> range(const Json& json, const auto& from) {
    const std::size_t begin = json.at(0), count = json.at(1);
    if (begin > from.size() || count > from.size() - begin) throw std::out_of_range("a range beyond its dataset");
    std::vector<T> out(count);
    std::transform(from.begin() + static_cast<std::ptrdiff_t>(begin),
                   from.begin() + static_cast<std::ptrdiff_t>(begin + count), out.begin(),
                   [](auto x) { return static_cast<T>(x); });
    return out;
  }
  SlotMap map(const Json& json, std::size_t slots) const {
    SlotMap out;
    const std::size_t first = json.at(0), rows = json.at(1);
    for (std::size_t row = first; row < first + rows; ++row) {
      for (std::int64_t k = place_start.at(row); k < place_start.at(row + 1); ++k) {
        const auto slot = static_cast<std::size_t>(place_slot.at(static_cast<std::size_t>(k)));
        if (slot >= slots) throw std::out_of_range("a place of a slot that there is not");
        out.slot.push_back(static_cast<std::uint32_t>(slot));
        out.weight.push_back(static_cast<float>(place_weight.at(static_cast<std::size_t>(k))));
      }
      out.end_row();
    }
    return out;
  }
};

template <class E, std::size_t N>
E number_of(const Json& json, const char* const (&names)[N]) {
  const auto at = std::find(std::begin(names), std::end(names), json.get<std::string>());
  if (at == std::end(names)) throw std::out_of_range(fmt::format("'{}' is unknown", json.get<std::string>()));
  return static_cast<E>(at - std::begin(names));
}

Json shape_json(const BodyShape& s, Pools& pools) {
  Json json{{"type", shapes[static_cast<int>(s.type)]}, {"center", s.center}, {"axes", s.axes}, {"size", s.size}};
  if (s.type == BodyShape::Type::link) json["to"] = s.to;
  if (s.type != BodyShape::Type::mesh) return json;
  json["vertices"] = Pools::append(s.vertices, pools.lengths);
  json["triangles"] = Pools::append(s.triangles, pools.corners);
  return json;
}

BodyShape shape_of(const Json& json, const Pools& pools) {
  BodyShape s;
  s.type = number_of<BodyShape::Type>(json.at("type"), shapes);
  json.at("center").get_to(s.center);
  json.at("axes").get_to(s.axes);
  json.at("size").get_to(s.size);
  if (json.contains("to")) json["to"].get_to(s.to);
  if (s.type != BodyShape::Type::mesh) return s;
  s.vertices = Pools::range<float>(json.at("vertices"), pools.lengths);
  s.triangles = Pools::range<std::uint32_t>(json.at("triangles"), pools.corners);
  return s;
}

Json section_json(const SectionShape& s) {
  return {{"type", sections[static_cast<int>(s.type)]},
          {"radius", s.radius},
          {"inner", s.inner},
          {"width", s.width},
          {"height", s.height},
          {"nominal", s.is_nominal}};
}

SectionShape section_of(const Json& json) {
  return {number_of<SectionShape::Type>(json.at("type"), sections),
          json.at("radius"),
          json.at("inner"),
          json.at("width"),
          json.at("height"),
          json.at("nominal")};
}

/// What is as in an empty drawable is left out.
Json drawable_json(const Drawable& d, Pools& pools) {
  Json json{{"kind", kinds[static_cast<int>(d.kind)]}, {"name", d.name}, {"label", d.label}};
  if (!d.color.empty()) json["color"] = d.color;
  for (std::size_t k = 0; const SlotMap* map : maps_of(d)) {
    if (map->size() > 0) json[map_names[k]] = pools.add(*map);
    ++k;
  }
  if (d.kind == Drawable::Kind::curve) json["section"] = section_json(d.section);
  if (!d.sizes.empty()) json["sizes"] = Pools::append(d.sizes, pools.lengths);
  if (!d.thickness.empty()) json["thickness"] = Pools::append(d.thickness, pools.lengths);
  if (!d.quads.empty()) json["quads"] = Pools::append(d.quads, pools.corners);
  if (d.nodes.size() > 0) {
    json["nodes"] = pools.add(d.nodes);
    json["node_fields"] = Pools::append(d.node_fields, pools.corners);
    json["cells"] = Pools::append(d.cells, pools.corners);
    json["cell_nodes"] = Pools::append(d.cell_nodes, pools.corners);
  }
  for (const BodyShape& shape : d.shapes) json["shapes"].push_back(shape_json(shape, pools));
  if (d.radius > 0) json["radius"] = d.radius;
  if (d.field >= 0) json["field"] = {d.field, d.field_count};
  if (d.quantity >= 0) json["quantity"] = d.quantity;
  if (d.is_moment) json["moment"] = true;
  return json;
}

Drawable drawable_of(const Json& json, const Pools& pools, std::size_t slots) {
  Drawable d;
  d.kind = number_of<Drawable::Kind>(json.at("kind"), kinds);
  d.name = json.at("name");
  d.label = json.at("label");
  d.color = json.value("color", "");
  for (std::size_t k = 0; SlotMap * map : maps_of(d)) {
    if (json.contains(map_names[k])) *map = pools.map(json[map_names[k]], slots);
    ++k;
  }
  if (json.contains("section")) d.section = section_of(json["section"]);
  if (json.contains("sizes")) d.sizes = Pools::range<double>(json["sizes"], pools.lengths);
  if (json.contains("thickness")) d.thickness = Pools::range<double>(json["thickness"], pools.lengths);
  if (json.contains("quads")) d.quads = Pools::range<std::uint32_t>(json["quads"], pools.corners);
  if (json.contains("nodes")) {
    d.nodes = pools.map(json["nodes"], slots);
    d.node_fields = Pools::range<std::uint32_t>(json.at("node_fields"), pools.corners);
    d.cells = Pools::range<std::uint32_t>(json.at("cells"), pools.corners);
    d.cell_nodes = Pools::range<std::uint32_t>(json.at("cell_nodes"), pools.corners);
  }
  if (json.contains("shapes"))
    for (const Json& shape : json["shapes"]) d.shapes.push_back(shape_of(shape, pools));
  d.radius = json.value("radius", 0.0);
  if (json.contains("field")) d.field = json["field"].at(0), d.field_count = json["field"].at(1);
  d.quantity = json.value("quantity", -1);
  d.is_moment = json.value("moment", false);
  return d;
}

/// Columns of forces and of moments, [arrows, 3].
std::size_t count(const Drawing& drawing, bool moments) {
  return static_cast<std::size_t>(std::count_if(drawing.quantities.begin(), drawing.quantities.end(),
                                                [&](const auto& quantity) { return quantity.is_moment() == moments; }));
}

constexpr const char* arrow_columns[] = {"forces", "moments"};

/// Whether cells of a solid name nodes, and nodes field points, that there are.
bool cells_fit(const Drawable& d, int field_points) {
  const auto nodes = static_cast<std::uint32_t>(d.nodes.size());
  std::size_t total = 0;
  for (const std::uint32_t count : d.cell_nodes) total += count;
  return d.node_fields.size() == nodes && total == d.cells.size() &&
         std::ranges::all_of(d.cells, [&](std::uint32_t node) { return node < nodes; }) &&
         std::ranges::all_of(d.node_fields, [&](std::uint32_t field) {
           return field == no_node_field || field < static_cast<std::uint32_t>(field_points);
         });
}

Drawing drawing_of(const ResultsFile& results, const std::string& group) {
  const auto read = [&](const char* name) {
    const std::string path = group + "/" + name;
    if (results.find(path) == nullptr) return Dataset{};  // of no numbers
    auto dataset = results.read(path);
    if (!dataset) throw std::runtime_error(dataset.error());
    return std::move(*dataset);
  };
  const auto json = parse_json(read("parts").text, group + "/parts");
  if (!json) throw std::runtime_error(json.error());
  Pools pools;
  pools.place_start = read("place_start").integers;
  pools.place_slot = read("place_slot").integers;
  pools.place_weight = read("place_weight").reals;
  pools.lengths = read("lengths").reals;
  pools.corners = read("corners").integers;
  const std::vector<std::int64_t> slots = read("slots").integers;
  const std::vector<double> reference = read("reference").reals, fixed = read("fixed").reals;
  Drawing drawing;
  drawing.dim = json->at("dim");
  drawing.field_points = json->at("field_points");
  for (std::size_t k = 0; 2 * k + 1 < slots.size(); ++k)
    drawing.slots.push_back({static_cast<int>(slots[2 * k]),
                             slots[2 * k + 1] != 0,
                             {reference.at(3 * k), reference.at(3 * k + 1), reference.at(3 * k + 2)}});
  for (std::size_t k = 0; k + 2 < fixed.size(); k += 3) drawing.fixed.push_back({fixed[k], fixed[k + 1], fixed[k + 2]});
  for (const Json& field : json->at("fields"))
    drawing.fields.push_back({field.at("name"), field.at("unit"), field.at("doc"), field.at("signed")});
  for (const Json& quantity : json->at("quantities"))
    drawing.quantities.push_back({quantity.at("name"), quantity.at("unit")});
  for (const Json& drawable : json->at("drawables"))
    drawing.drawables.push_back(drawable_of(drawable, pools, drawing.slots.size() + drawing.fixed.size()));
  for (const Drawable& d : drawing.drawables) {
    const bool fields_fit =
        d.field == -1 || (d.field >= 0 && d.field_count >= 0 && d.field_count <= drawing.field_points &&
                          d.field <= drawing.field_points - d.field_count);
    if (!cells_fit(d, drawing.field_points))
      throw std::runtime_error(fmt::format("the cells of '{}' do not fit", d.name));
    if (!fields_fit || d.quantity < -1 || d.quantity >= static_cast<int>(drawing.quantities.size()))
      throw std::runtime_error(fmt::format("what colours '{}' is not in the drawing", d.name));
  }
  return drawing;
}

}  // namespace

std::string drawing_group(int model) { return fmt::format("/drawing/model{}", model + 1); }

void write_drawing(JournalWriter& writer, int model, const Drawing& drawing) {
  const std::string group = drawing_group(model);
  Pools pools;
  Json json{{"dim", drawing.dim},
            {"field_points", drawing.field_points},
            {"fields", Json::array()},
            {"quantities", Json::array()},
            {"drawables", Json::array()}};
  for (const DrawnField& field : drawing.fields)
    json["fields"].push_back(
        {{"name", field.name}, {"unit", field.unit}, {"doc", field.doc}, {"signed", field.is_signed}});
  for (const Drawing::Quantity& quantity : drawing.quantities)
    json["quantities"].push_back({{"name", quantity.name}, {"unit", quantity.unit}});
  for (const Drawable& drawable : drawing.drawables) json["drawables"].push_back(drawable_json(drawable, pools));

  const auto reals = [&](const char* name, std::vector<double> x, std::size_t width, const char* unit, const char* doc,
                         ColumnType type = ColumnType::real) {
    if (x.empty()) return;
    std::vector<std::uint64_t> shape{x.size() / width};
    if (width > 1) shape.push_back(width);
    writer.array({group + "/" + name, std::move(shape), type, std::move(x), {}, unit, doc});
  };
  const auto integers = [&](const char* name, std::vector<std::int64_t> x, std::size_t width, const char* doc) {
    if (x.empty()) return;
    std::vector<std::uint64_t> shape{x.size() / width};
    if (width > 1) shape.push_back(width);
    writer.array({group + "/" + name, std::move(shape), ColumnType::integer, {}, std::move(x), "1", doc});
  };
  std::vector<std::int64_t> slots;
  std::vector<double> reference, fixed;
  for (const Drawing::MovingSlot& slot : drawing.slots) {
    slots.insert(slots.end(), {slot.offset, slot.is_vector ? 1 : 0});
    reference.insert(reference.end(), slot.reference.begin(), slot.reference.end());
  }
  for (const auto& x : drawing.fixed) fixed.insert(fixed.end(), x.begin(), x.end());
  if (model == 0) writer.attribute("/drawing", "version", std::int64_t{drawing_version});
  writer.blob(group + "/parts", json_text(json), true, "what is drawn, in order: JSON");
  integers("slots", std::move(slots), 2, "first coordinate in q of each slot that moves, and 1 if it is a vector");
  reals("reference", std::move(reference), 3, "m", "the same slots in the reference configuration");
  reals("fixed", std::move(fixed), 3, "m", "slots that never move, numbered behind the others");
  integers("place_start", std::move(pools.place_start), 1, "first term of each place, and the end");
  integers("place_slot", std::move(pools.place_slot), 1, "slots of which places are sums");
  reals("place_weight", std::move(pools.place_weight), 1, "1", "their weights", ColumnType::single);
  reals("lengths", std::move(pools.lengths), 1, "m", "sizes of sections, thicknesses, vertices of meshes");
  integers("corners", std::move(pools.corners), 1, "vertices of quadrilaterals and triangles");
}

Outcome<Drawing> read_drawing(const ResultsFile& results, int model) {
  const std::string group = drawing_group(model);
  const auto failure = [&](const std::string& why) {
    return Outcome<Drawing>::failure(fmt::format("results file '{}': {}: {}", results.path(), group, why));
  };
  const Attribute* version = results.attribute("/drawing", "version");
  if (version == nullptr || results.find(group + "/parts") == nullptr) return failure("there is no drawing");
  if (version->integer > drawing_version)
    return failure(
        fmt::format("a drawing of version {}; this program reads version {}", version->integer, drawing_version));
  try {
    return drawing_of(results, group);
  } catch (const std::exception& error) {
    return failure(error.what());
  }
}

std::string drawing_table(int model, const std::string& analysis) {
  return fmt::format("{}/analysis/{}", drawing_group(model), analysis);
}

Channel drawing_channel(int model, const std::string& analysis, const ChannelColumn& axis, const Drawing& drawing) {
  Channel channel{drawing_table(model, analysis), "what colours the drawing, and its arrows", {axis}};
  const auto points = static_cast<std::uint64_t>(drawing.field_points);
  for (const DrawnField& field : drawing.fields)
    if (points > 0)
      channel.columns.push_back({field.name, {points}, field.unit, field.doc, {}, {}, ColumnType::single});
  for (const bool moments : {false, true})
    if (const std::uint64_t n = count(drawing, moments); n > 0)
      channel.columns.push_back({arrow_columns[moments ? 1 : 0],
                                 {n, 3},
                                 moments ? "N m" : "N",
                                 "of the quantities of this unit, in their order",
                                 "world",
                                 {"x", "y", "z"}});
  return channel;
}

void drawing_row(const Drawing& drawing, double at, std::span<const double> values, std::span<const double> quantities,
                 std::vector<double>& row) {
  row.assign(1, at);
  for (const double x : values) row.push_back(std::isnan(x) ? no_value : x);
  for (const bool moments : {false, true})
    for (std::size_t k = 0; k < drawing.quantities.size(); ++k)
      if (drawing.quantities[k].is_moment() == moments)
        row.insert(row.end(), &quantities[3 * k], &quantities[3 * k] + 3);
}

Outcome<DrawnNumbers> read_drawing_rows(const ResultsFile& results, const std::string& table, const Drawing& drawing,
                                        std::span<const std::uint64_t> rows) {
  const std::size_t points = static_cast<std::size_t>(drawing.field_points),
                    fields = points > 0 ? drawing.fields.size() : 0;
  DrawnNumbers out;
  out.values.resize(rows.size() * fields * points);
  out.quantities.resize(rows.size() * 3 * drawing.quantities.size());
  const auto read = [&](const std::string& column, std::size_t width) {
    auto numbers = results.read_rows(table + "/" + column, rows);
    if (numbers && numbers->size() != rows.size() * width)
      return Outcome<std::vector<double>>::failure(
          fmt::format("results file '{}': '{}/{}' does not fit its drawing", results.path(), table, column));
    return numbers;
  };
  for (std::size_t f = 0; f < fields; ++f) {
    const auto column = read(drawing.fields[f].name, points);
    if (!column) return Outcome<DrawnNumbers>::failure(column.error());
    for (std::size_t r = 0; r < rows.size(); ++r)
      std::transform(&(*column)[r * points], &(*column)[r * points] + points, &out.values[(r * fields + f) * points],
                     [](double x) { return x == no_value ? std::numeric_limits<double>::quiet_NaN() : x; });
  }
  for (const bool moments : {false, true}) {
    const std::size_t n = count(drawing, moments);
    if (n == 0) continue;
    const auto column = read(arrow_columns[moments ? 1 : 0], 3 * n);
    if (!column) return Outcome<DrawnNumbers>::failure(column.error());
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t k = 0, of_unit = 0; k < drawing.quantities.size(); ++k)
        if (drawing.quantities[k].is_moment() == moments)
          std::copy_n(&(*column)[3 * (r * n + of_unit++)], 3, &out.quantities[3 * (r * drawing.quantities.size() + k)]);
  }
  return out;
}

}  // namespace flexura
