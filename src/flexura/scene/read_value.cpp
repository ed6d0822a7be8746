// Values: numbers with units, expressions, vectors, choices, references, places, times, files.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "flexura/material/prony.hpp"
#include "flexura/scene/coordinate_units.hpp"
#include "flexura/scene/scene_reader.hpp"

namespace flexura::detail {
namespace {

template <class T>
Value value_of(const RawNode& node, std::optional<T> data) {
  Value value;
  value.source = node.source;
  if (data) value.data = std::move(*data);
  return value;
}

std::string example_of(const std::string& unit, double number) {
  return unit.empty() || unit == "1" || unit == "*" ? fmt::format("{}", number)
                                                    : fmt::format("\"{} {}\"", number, unit);
}

bool is_color(std::string_view text) {
  return text.size() == 7 && text[0] == '#' && text.find_first_not_of("0123456789abcdefABCDEF", 1) == text.npos;
}

}  // namespace

Value SceneReader::read_value(const FieldSpec& field, const RawNode& node, const std::string& path) {
  const bool is_inline_signal = field.kind == FieldKind::signal && node.find("type") != nullptr;
  if (node.kind == RawNode::Kind::table && field.table != nullptr && !is_inline_signal)
    return read_inline_table(field, node, path);
  switch (field.kind) {
    case FieldKind::number:
      if (field.size == 2 && node.kind == RawNode::Kind::array) {
        if (node.items.size() == 2) return value_of(node, read_vector(field, node, path));
        wrong(node.source, path,
              fmt::format("must be a number{}, or two: at the start and at the end; this is a list of {}",
                          unit_in_brackets(field.unit), node.items.size()));
        return {};
      }
      return value_of(node, read_number(field, field.unit, node, path));
    case FieldKind::integer: {
      FieldSpec bounded = field;
      bounded.unit = "1";
      const std::optional<double> x = read_number(bounded, "1", node, path);
      if (!x) return {};
      if (*x != std::floor(*x) || std::fabs(*x) > 1e15) {
        wrong(node.source, path, fmt::format("must be a whole number; this is {}", *x));
        return {};
      }
      return value_of(node, std::optional(static_cast<long>(*x)));
    }
    case FieldKind::boolean:
      if (node.kind == RawNode::Kind::boolean) return value_of(node, std::optional(node.boolean));
      wrong_type(node, path, "true or false");
      return {};
    case FieldKind::text:
      if (node.kind == RawNode::Kind::text) return value_of(node, std::optional(node.text));
      wrong_type(node, path, "a text");
      return {};
    case FieldKind::choice:
      return value_of(node, read_choice(field, node, path));
    case FieldKind::vector:
      return value_of(node, read_vector(field, node, path));
    case FieldKind::points:
      return value_of(node, read_points(field, node, path));
    case FieldKind::series:
      return value_of(node, read_series(node, path));
    case FieldKind::place:
      return value_of(node, read_place(node, path));
    case FieldKind::places: {
      const bool any = field.size == 0;
      if (node.kind != RawNode::Kind::array || node.items.empty() ||
          (!any && static_cast<int>(node.items.size()) != field.size)) {
        wrong(node.source, path,
              fmt::format("must be {}; this is {}",
                          any ? "a list of places, as in [\"NAME.start\"]"
                              : fmt::format("{} places, as in [\"ground\", \"NAME.end\"]", field.size),
                          node.kind == RawNode::Kind::array ? fmt::format("a list of {}", node.items.size())
                                                            : node.describe()));
        return {};
      }
      std::vector<Place> places;
      for (size_t i = 0; i < node.items.size(); ++i)
        if (std::optional<Place> place = read_place(node.items[i], fmt::format("{}[{}]", path, i)))
          places.push_back(std::move(*place));
      if (places.size() != node.items.size()) return {};
      return value_of(node, std::optional(std::move(places)));
    }
    case FieldKind::signal:
      return value_of(node, read_signal(field, node, path));
    case FieldKind::reference:
      return value_of(node, read_reference(field, node, path));
    case FieldKind::names:
      return value_of(node, read_names(field, node, path));
    case FieldKind::time:
      return value_of(node, read_time(field, node, path));
    case FieldKind::file:
      return value_of(node, read_file(node, path));
    case FieldKind::column:
      if (node.kind == RawNode::Kind::text) return value_of(node, std::optional(node.text));
      if (node.kind == RawNode::Kind::integer && node.integer >= 1 && node.integer < 1000000)
        return value_of(node, std::optional(static_cast<long>(node.integer)));
      wrong_type(node, path, "the name of a column or its number, counted from 1");
      return {};
    case FieldKind::color:
      if (node.kind == RawNode::Kind::text && is_color(node.text)) return value_of(node, std::optional(node.text));
      wrong_type(node, path, "a colour, \"#\" and six hexadecimal digits");
      return {};
    case FieldKind::table:
      return read_inline_table(field, node, path);
    case FieldKind::named:
      return value_of(node, read_named(field, node, path));
    case FieldKind::settings:
      if (node.kind != RawNode::Kind::table) wrong_type(node, path, "a table of keys and values");
      return {};
  }
  return {};
}

std::optional<NamedNumbers> SceneReader::read_named(const FieldSpec& field, const RawNode& node,
                                                    const std::string& path) {
  if (node.kind != RawNode::Kind::table) {
    wrong_type(node, path, "a table of names");
    return {};
  }
  NamedNumbers numbers;
  for (const RawEntry& entry : node.entries) {
    const std::string where = path + "." + entry.key;
    if (!is_name(entry.key)) {
      wrong(entry.source, where, "a name begins with a letter and holds letters, digits, _ and -");
      continue;
    }
    std::optional<Numbers> x;
    if (field.size != 1)
      x = read_vector(field, entry.node, where);
    else if (const std::optional<double> number = read_number(field, field.unit, entry.node, where))
      x = Numbers{*number};
    if (x) numbers.entries.push_back({entry.key, std::move(*x), entry.source});
  }
  if (numbers.entries.size() != node.entries.size()) return {};
  return numbers;
}

Value SceneReader::read_inline_table(const FieldSpec& field, const RawNode& node, const std::string& path) {
  const TableSpec& spec = *field.table;
  RawNode empty;
  Record record;
  if (node.kind == RawNode::Kind::table) {
    record = read_table(spec, node, path, node.source);
    if (!spec.variants.empty() && record.variant == nullptr) return {};
  } else if (node.kind == RawNode::Kind::text && !spec.variants.empty()) {
    RawEntry type{"type", node.source, node};
    empty.entries.push_back(std::move(type));
    record = read_table(spec, empty, path, node.source);
    if (record.variant == nullptr) return {};
  } else if (node.kind == RawNode::Kind::boolean && field.switchable) {
    if (!node.boolean) return {};
    record = read_table(spec, empty, path, node.source);
  } else {
    wrong_type(node, path,
               field.switchable         ? "true, false or a table"
               : !spec.variants.empty() ? "a table or one of " + list_of(spec.types())
                                        : "a table");
    return {};
  }
  return value_of(node, std::optional(std::make_shared<const Record>(std::move(record))));
}

std::optional<double> SceneReader::evaluate(const RawNode& node, const std::string& path) {
  const std::optional<Expression> expression = parse_expression(node, path, ExpressionScope::constants);
  if (!expression) return {};
  const double x = expression->value();
  if (std::isfinite(x)) return x;
  wrong(node.source, path, fmt::format("the expression gives {}", std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf"));
  return {};
}

std::optional<double> SceneReader::read_quantity(const std::string& unit, const RawNode& node,
                                                 const std::string& path) {
  const std::string expected = fmt::format("a number{}", unit_in_brackets(unit));
  if (node.kind == RawNode::Kind::integer || node.kind == RawNode::Kind::number) {
    if (std::isfinite(node.number)) return node.number;
    wrong_type(node, path, "a finite number" + unit_in_brackets(unit));
    return {};
  }
  if (node.kind != RawNode::Kind::text) {
    wrong_type(node, path, expected);
    return {};
  }
  if (node.text.find_first_not_of(' ') != std::string::npos && node.text[node.text.find_first_not_of(' ')] == '=')
    return evaluate(node, path);
  const std::optional<WrittenNumber> quantity = split_quantity(node.text);
  if (!quantity) {
    wrong_type(node, path, expected);
    return {};
  }
  if (!std::isfinite(quantity->number)) {
    wrong_type(node, path, "a finite number" + unit_in_brackets(unit));
    return {};
  }
  if (quantity->unit.empty()) {
    wrong(node.source, path,
          fmt::format("a number in quotes needs a unit; write {}", example_of(unit, quantity->number)));
    return {};
  }
  std::string unknown;
  const std::optional<Unit> given = parse_unit(quantity->unit, &unknown);
  if (!given) {
    const std::optional<Unit> wanted = parse_unit(unit.empty() ? "1" : unit);
    const bool alone = wanted && unknown == quantity->unit;
    wrong(node.source, path,
          fmt::format("\"{}\" is not a unit{}", quantity->unit,
                      unit_in_brackets(unit).empty() ? "" : "; expected" + unit_in_brackets(unit)),
          unknown.empty() ? "" : nearest_unit(unknown, alone ? &wanted->dimension : nullptr));
    return {};
  }
  if (!fits(given->dimension, unit)) {
    wrong(node.source, path,
          fmt::format("\"{}\" has the wrong dimension; expected{}", node.text,
                      unit_in_brackets(unit).empty() ? " a number without unit" : unit_in_brackets(unit)));
    return {};
  }
  if (unit == "*") note_unit(path, node.source, node.text, given->dimension);
  const double x = given->to_si(quantity->number);
  if (std::isfinite(x)) return x;
  wrong_type(node, path, "a finite number" + unit_in_brackets(unit));
  return {};
}

std::optional<double> SceneReader::read_number(const FieldSpec& field, const std::string& unit, const RawNode& node,
                                               const std::string& path) {
  const std::string wanted = unit == "*" ? any_unit_ : unit;
  const std::optional<double> x = read_quantity(wanted, node, path);
  if (!x || field.allows(*x)) return x;
  wrong(node.source, path,
        fmt::format("{} is out of range; allowed: {}{}", *x, bounds_text(field), unit_in_brackets(wanted)));
  return {};
}

std::optional<Numbers> SceneReader::read_vector(const FieldSpec& field, const RawNode& node, const std::string& path) {
  const size_t fewest = field.size < 0 ? -field.size : 1;
  const auto is_wrong = [&](size_t count) {
    return field.size > 0 ? static_cast<int>(count) != field.size : count < fewest;
  };
  if (node.kind != RawNode::Kind::array || is_wrong(node.items.size())) {
    const std::string wanted = field.size > 0 ? fmt::format("{} numbers", field.size)
                               : fewest == 1  ? "a list of numbers"
                                              : fmt::format("{} or more numbers", fewest);
    wrong(node.source, path,
          fmt::format(
              "must be {}{}; this is {}", wanted, unit_in_brackets(field.unit),
              node.kind == RawNode::Kind::array ? fmt::format("a list of {}", node.items.size()) : node.describe()));
    return {};
  }
  Numbers numbers;
  for (size_t i = 0; i < node.items.size(); ++i) {
    const bool is_time = field.kind == FieldKind::points && field.unit == "*" && field.size == 2 && i == 0;
    const std::optional<double> x =
        read_number(field, is_time ? "s" : field.unit, node.items[i], fmt::format("{}[{}]", path, i));
    if (x) numbers.push_back(*x);
  }
  if (numbers.size() != node.items.size()) return {};
  return numbers;
}

std::optional<Points> SceneReader::read_points(const FieldSpec& field, const RawNode& node, const std::string& path) {
  if (node.kind != RawNode::Kind::array || node.items.size() < 2) {
    wrong(node.source, path,
          fmt::format(
              "must be a list of two or more points{}{}; this is {}",
              field.size > 0 ? fmt::format(" of {} numbers", field.size) : "",
              field.table != nullptr ? ", or a table" : "",
              node.kind == RawNode::Kind::array ? fmt::format("a list of {}", node.items.size()) : node.describe()));
    return {};
  }
  Points points;
  for (size_t i = 0; i < node.items.size(); ++i)
    if (std::optional<Numbers> point = read_vector(field, node.items[i], fmt::format("{}[{}]", path, i)))
      points.push_back(std::move(*point));
  if (points.size() != node.items.size()) return {};
  return points;
}

/// Shares of what relaxes and their times: [[0.3, 0.1], [0.2, "10 s"]].
std::optional<Points> SceneReader::read_series(const RawNode& node, const std::string& path) {
  const auto size = [](const RawNode& list) { return list.kind == RawNode::Kind::array ? list.items.size() : 0; };
  if (size(node) == 0 || size(node) > size_t{most_branches}) {
    wrong(node.source, path,
          fmt::format(
              "must be a list of 1 to {} pairs [share, time], as in [[0.3, 0.1], [0.2, \"10 s\"]]; this is {}",
              most_branches,
              node.kind == RawNode::Kind::array ? fmt::format("a list of {}", node.items.size()) : node.describe()));
    return {};
  }
  Points series;
  double sum = 0;
  for (size_t i = 0; i < node.items.size(); ++i) {
    const RawNode& pair = node.items[i];
    const std::string at = fmt::format("{}[{}]", path, i);
    if (size(pair) != 2) {
      wrong(pair.source, at,
            fmt::format("must be a pair [share, time]; this is {}", pair.kind == RawNode::Kind::array
                                                                        ? fmt::format("a list of {}", pair.items.size())
                                                                        : pair.describe()));
      continue;
    }
    const FieldSpec share = number_field("share", "1", {}).more_than(0).less_than(1);
    const FieldSpec time = number_field("time", "s", {}).more_than(0);
    const std::optional<double> g = read_number(share, "1", pair.items[0], at + "[0]");
    const std::optional<double> tau = read_number(time, "s", pair.items[1], at + "[1]");
    if (!g || !tau) continue;
    sum += *g;
    series.push_back({*g, *tau});
  }
  if (series.size() != node.items.size()) return {};
  if (sum < 1) return series;
  wrong(
      node.source, path,
      fmt::format("the shares sum to {:.6g}; allowed: less than 1, as what is left is the stiffness that stays", sum));
  return {};
}

std::optional<std::string> SceneReader::read_choice(const FieldSpec& field, const RawNode& node,
                                                    const std::string& path) {
  std::vector<std::string> names;
  for (const Choice& choice : field.choices) names.push_back(choice.name);
  if (node.kind != RawNode::Kind::text) {
    wrong_type(node, path, list_of(names));
    return {};
  }
  if (std::find(names.begin(), names.end(), node.text) != names.end()) return node.text;
  wrong(node.source, path, fmt::format("\"{}\" is not allowed here; allowed: {}", node.text, list_of(names)),
        nearest_name(node.text, names));
  return {};
}

std::optional<std::string> SceneReader::read_reference(const FieldSpec& field, const RawNode& node,
                                                       const std::string& path) {
  if (node.kind != RawNode::Kind::text) {
    wrong_type(node, path, fmt::format("the name of a {}", field.refers.front()));
    return {};
  }
  if (knows(field.refers, node.text)) return node.text;
  std::vector<std::string> names = names_of(field.refers);
  if (field.surfaces)
    for (const std::string& solid :
         names_of({"solid", "membrane"})) {  // which surfaces it has is known once it is meshed
      if (node.text == solid || node.text.starts_with(solid + ".")) return node.text;
      names.push_back(solid);
    }
  wrong(node.source, path, fmt::format("there is no {} named \"{}\"", field.refers.front(), node.text),
        nearest_name(node.text, names));
  return {};
}

/// Whether they name anything is known once the parts are there.
std::optional<std::vector<NamePattern>> SceneReader::read_names(const FieldSpec& field, const RawNode& node,
                                                                const std::string& path) {
  const std::string expected = fmt::format("a list of names, as in [\"{}.*\", \"NAME\"]", field.refers.front());
  if (node.kind != RawNode::Kind::array || node.items.empty()) {
    wrong_type(node, path, expected);
    return {};
  }
  std::vector<NamePattern> names;
  for (size_t i = 0; i < node.items.size(); ++i) {
    const RawNode& item = node.items[i];
    if (item.kind == RawNode::Kind::text)
      names.push_back({item.text, item.source});
    else
      wrong_type(item, fmt::format("{}[{}]", path, i), "a name");
  }
  if (names.size() != node.items.size()) return {};
  return names;
}

std::optional<TimePoint> SceneReader::read_time(const FieldSpec& field, const RawNode& node, const std::string& path) {
  if (node.kind == RawNode::Kind::text && is_name(node.text)) {
    const std::vector<std::string> names = names_of({"analysis"});
    if (std::find(names.begin(), names.end(), node.text) != names.end()) return TimePoint{0, node.text};
    wrong(node.source, path, fmt::format("there is no analysis named \"{}\"", node.text),
          nearest_name(node.text, names));
    return {};
  }
  const std::optional<double> x = read_number(field, "s", node, path);
  if (!x) return {};
  return TimePoint{*x, {}};
}

std::optional<FileIndex> SceneReader::read_file(const RawNode& node, const std::string& path) {
  if (node.kind != RawNode::Kind::text) {
    wrong_type(node, path, "the name of a file");
    return {};
  }
  const std::string where = (std::filesystem::path(scene_.file).parent_path() / node.text).string();
  for (size_t i = 0; i < scene_.files.size(); ++i)
    if (scene_.files[i].path == where) return FileIndex{static_cast<int>(i)};
  std::optional<std::string> text = load(where);
  if (!text) {
    ++*request_.unreadable;
    wrong(node.source, path, fmt::format("the file \"{}\" cannot be read", where));
    return {};
  }
  return FileIndex{file_index({node.text, where, std::move(*text)})};
}

std::optional<std::string> SceneReader::load(const std::string& path) const {
  if (request_.kept == nullptr) return load_file(*request_.options, path);
  const std::lock_guard lock(request_.kept->mutex);
  std::shared_ptr<const std::string>& kept = request_.kept->texts[path];
  if (!kept) {
    std::optional<std::string> text = load_file(*request_.options, path);
    if (!text) return {};
    kept = std::make_shared<const std::string>(std::move(*text));
  }
  return *kept;
}

int SceneReader::file_index(ExternalFile file) {
  for (size_t i = 0; i < scene_.files.size(); ++i)
    if (scene_.files[i].path == file.path) return static_cast<int>(i);
  scene_.texts.add(file.path, file.text);
  scene_.files.push_back(std::move(file));
  return static_cast<int>(scene_.files.size()) - 1;
}

}  // namespace flexura::detail
