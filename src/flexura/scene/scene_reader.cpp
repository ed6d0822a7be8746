// Tables: names, types, unknown and missing keys.

#include "flexura/scene/scene_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "flexura/scene/coordinate_units.hpp"
#include "flexura/scene/path_end.hpp"

namespace flexura::detail {
namespace {

constexpr std::size_t longest_name = 120;  ///< with an analysis, a column and an ending a name of a file

std::vector<std::string> keys_of(const Record& record) {
  std::vector<std::string> keys;
  if (!record.spec->variants.empty()) keys.push_back("type");
  if (record.variant != nullptr)
    for (const FieldSpec& field : record.variant->fields) keys.push_back(field.name);
  for (const FieldSpec& field : record.spec->fields) keys.push_back(field.name);
  return keys;
}

}  // namespace

void SceneReader::wrong(const Source& source, const std::string& path, std::string message, std::string nearest) {
  problems.push_back({source, path, std::move(message), std::move(nearest)});
}

void SceneReader::wrong_type(const RawNode& node, const std::string& path, const std::string& expected) {
  wrong(node.source, path, fmt::format("must be {}; this is {}", expected, node.describe()));
}

std::vector<std::string> SceneReader::names_of(const std::vector<std::string>& kinds) const {
  std::vector<std::string> names;
  for (const std::string& kind : kinds)
    if (const auto found = names_.find(kind); found != names_.end())
      names.insert(names.end(), found->second.begin(), found->second.end());
  return names;
}

bool SceneReader::knows(const std::vector<std::string>& kinds, const std::string& name) {
  return std::any_of(kinds.begin(), kinds.end(), [&](const std::string& kind) {
    const auto found = names_.find(kind);
    if (found == names_.end()) return false;
    auto& [count, sorted] = sorted_names_[kind];
    for (; count < found->second.size(); ++count) sorted.insert(found->second[count]);
    return sorted.contains(name);
  });
}

void SceneReader::collect_names(const RawNode& root) {
  const auto is_part = [&](const std::string& kind) {
    const TableSpec* spec = scene_.grammar->find_table(kind);
    const auto& later = scene_.grammar->later_parts;
    return (spec != nullptr && spec->is_part) || std::find(later.begin(), later.end(), kind) != later.end() ||
           !scene_.grammar->elsewhere_text(kind).empty();
  };
  for (const RawEntry& kind : root.entries) {
    if (kind.node.kind == RawNode::Kind::table) {
      for (const RawEntry& entry : kind.node.entries) {
        names_[kind.key].push_back(entry.key);
        if (kind.key == "joint" || kind.key == "truss") {
          const RawNode* type = entry.node.find("type");
          coordinates_[entry.key] = acting_coordinate(kind.key, type == nullptr ? "" : type->text, scene_.dim);
        }
        if (const RawNode* type = entry.node.find("type"); kind.key == "sensor" && type != nullptr)
          sensor_types_[entry.key] = type->text;
        if (!is_part(kind.key)) continue;
        if (kind.key == "body") {
          std::vector<std::string>& places = body_places_[entry.key];
          places.emplace_back("center");
          if (const RawNode* points = entry.node.find("points"))
            for (const RawEntry& point : points->entries) places.push_back(point.key);
        }
        const auto [known, fresh] = parts_.emplace(entry.key, kind.key);
        if (!fresh)
          wrong(entry.source, kind.key + "." + entry.key,
                fmt::format("\"{}\" is already the name of a {}; parts need different names", entry.key,
                            known->second == "use" ? "used scene" : known->second));
        if (entry.key == "ground")
          wrong(entry.source, kind.key + "." + entry.key, "\"ground\" is what does not move; choose another name");
      }
    } else if (kind.node.kind == RawNode::Kind::array) {
      for (const RawNode& item : kind.node.items) {
        const RawNode* name = item.find("name");
        if (name == nullptr || name->kind != RawNode::Kind::text) continue;
        auto& names = names_[kind.key];
        if (std::find(names.begin(), names.end(), name->text) != names.end())
          wrong(name->source, fmt::format("{}.{}", kind.key, name->text), "this name is taken by an earlier one");
        names.push_back(name->text);
      }
    }
  }
}

void SceneReader::read(const RawNode& root) {
  const Grammar& grammar = *scene_.grammar;
  collect_names(root);
  if (const RawNode* parameters = root.find("parameters")) read_parameters(*parameters);
  if (const RawNode* signals = root.find("signal")) declare_signals(*signals);
  std::vector<Record> taken;  // each reads its own kind alone
  for (const RawEntry& entry : root.entries) {
    if (entry.key != "use" && entry.key != "linkage") continue;
    entry.key == "use" ? read_uses(entry) : read_linkages(entry);
    std::move(scene_.tables.begin(), scene_.tables.end(), std::back_inserter(taken));
    scene_.tables.clear();
  }
  scene_.tables = std::move(taken);
  for (const RawEntry& entry : root.entries) {
    if (entry.key == "parameters" || entry.key == "use" || entry.key == "linkage") continue;
    const auto field =
        std::find_if(grammar.head.begin(), grammar.head.end(), [&](const FieldSpec& f) { return f.name == entry.key; });
    if (field != grammar.head.end()) {
      read_head(entry, *field);
    } else if (const TableSpec* spec = grammar.find_table(entry.key)) {
      entry.key == "signal" ? read_named_signals(*spec, entry) : read_kind(*spec, entry);
    } else {
      unknown_at_top(entry);
    }
  }
  if (request_.chain.size() == 1) find_functions();  // under the names that this scene has for things
  finish_signals();
}

void SceneReader::read_parameters(const RawNode& node) {
  if (node.kind != RawNode::Kind::table) return wrong_type(node, "parameters", "a table of numbers");
  for (const RawEntry& entry : node.entries) {
    const std::string path = "parameters." + entry.key;
    if (!is_name(entry.key) || entry.key.find('-') != std::string::npos)
      wrong(entry.source, path, "a parameter's name is made of letters, digits and _, and begins with a letter");
    else if (is_reserved_name(entry.key))
      wrong(entry.source, path, fmt::format("\"{}\" has a meaning of its own in expressions", entry.key));
    const size_t before = problems.size();
    const std::optional<double> value = read_quantity("*", entry.node, path);
    for (size_t i = before; i < problems.size(); ++i)
      for (const RawEntry& other : node.entries) {
        if (!problems[i].message.starts_with(fmt::format("unknown name '{}',", other.key))) continue;
        problems[i].nearest.clear();
        problems[i].message =
            other.key == entry.key
                ? fmt::format("'{}' is defined by itself", other.key)
                : fmt::format("'{}' is defined further down; a parameter may use only those before it", other.key);
      }
    parameters_[entry.key] = value.value_or(1.0);
    if (value) scene_.parameters.emplace_back(entry.key, *value);
  }
}

void SceneReader::read_head(const RawEntry& entry, const FieldSpec& field) {
  Value value = read_value(field, entry.node, entry.key);
  if (!value.empty()) scene_.head.values.emplace_back(entry.key, std::move(value));
}

void SceneReader::unknown_at_top(const RawEntry& entry) {
  if (const LaterFeature* later = scene_.grammar->find_later(entry.key, "")) {
    return wrong(entry.node.entries.empty() ? entry.source : entry.node.entries[0].source,
                 entry.node.entries.empty() ? entry.key : entry.key + "." + entry.node.entries[0].key,
                 later->message());
  }
  if (const std::string text = scene_.grammar->elsewhere_text(entry.key); !text.empty())
    return wrong(entry.source, entry.key, text);
  std::vector<std::string> keys, tables{"parameters"};
  for (const FieldSpec& field : scene_.grammar->head) keys.push_back(field.name);
  for (const TableSpec& spec : scene_.grammar->tables) tables.push_back(spec.kind);
  const bool is_list = entry.node.kind == RawNode::Kind::array && !entry.node.items.empty() &&
                       entry.node.items[0].kind == RawNode::Kind::table;
  const bool is_table = entry.node.kind == RawNode::Kind::table || is_list;
  std::string message = is_table ? fmt::format("there is no kind of table named \"{}\"", entry.key)
                                 : fmt::format("unknown key \"{}\"", entry.key);
  std::vector<std::string> known = is_table ? tables : keys;
  known.insert(known.end(), (is_table ? keys : tables).begin(), (is_table ? keys : tables).end());
  const std::string near = nearest_name(entry.key, known);
  if (near.empty()) message += fmt::format("; allowed: {}", list_of(is_table ? tables : keys));
  wrong(entry.source, entry.key, std::move(message), near);
}

void SceneReader::read_kind(const TableSpec& spec, const RawEntry& entry) {
  if (spec.form == TableSpec::Form::list) return read_list(spec, entry);
  if (entry.node.kind != RawNode::Kind::table) {
    return wrong(entry.source, entry.key,
                 fmt::format("must be a table, [{}{}]; this is {}", spec.kind,
                             spec.form == TableSpec::Form::named ? ".NAME" : "", entry.node.describe()));
  }
  if (spec.form == TableSpec::Form::single) {
    Record record = read_table(spec, entry.node, entry.key, entry.source);
    scene_.tables.push_back(std::move(record));
    return;
  }
  bool nameless = false;
  for (const RawEntry& named : entry.node.entries) {
    const std::string path = entry.key + "." + named.key;
    if (named.node.kind != RawNode::Kind::table) {
      if (!nameless)
        wrong(named.source, path, fmt::format("every {0} has a name: [{0}.NAME], then its keys", spec.kind));
      nameless = true;
      continue;
    }
    if (!is_name(named.key))
      wrong(named.source, path, "a name begins with a letter and holds letters, digits, _ and -");
    if (named.key.size() > longest_name)  // names become names of files
      wrong(named.source, path, fmt::format("a name has at most {} characters", longest_name));
    Record record = read_table(spec, named.node, path, named.source);
    record.name = named.key;
    scene_.tables.push_back(std::move(record));
  }
}

void SceneReader::read_list(const TableSpec& spec, const RawEntry& entry) {
  if (entry.node.kind != RawNode::Kind::array) {
    return wrong(entry.source, entry.key, fmt::format("is a list: each one begins with [[{}]]", spec.kind));
  }
  for (size_t i = 0; i < entry.node.items.size(); ++i) {
    const RawNode& item = entry.node.items[i];
    const RawNode* name = item.find("name");
    const bool named = name != nullptr && name->kind == RawNode::Kind::text;
    const std::string path = named ? fmt::format("{}.{}", spec.kind, name->text) : fmt::format("{}[{}]", spec.kind, i);
    if (item.kind != RawNode::Kind::table) {
      wrong_type(item, path, "a table");
      continue;
    }
    if (named && !is_name(name->text))
      wrong(name->source, path + ".name", "a name begins with a letter and holds letters, digits, _ and -");
    if (named && name->text.size() > longest_name)
      wrong(name->source, path + ".name", fmt::format("a name has at most {} characters", longest_name));
    Record record = read_table(spec, item, path, item.source);
    if (named) record.name = name->text;
    scene_.tables.push_back(std::move(record));
  }
}

Record SceneReader::read_table(const TableSpec& spec, const RawNode& node, const std::string& path,
                               const Source& source) {
  Record record;
  record.kind = spec.kind;
  record.path = path;
  record.source = source;
  record.spec = &spec;
  if (!spec.variants.empty()) {
    record.variant = read_type(spec, node, path, source);
    if (record.variant == nullptr) return record;
    record.type = record.variant->type;
  }
  read_fields(record, node);
  check_missing(record, node);
  return record;
}

const VariantSpec* SceneReader::read_type(const TableSpec& spec, const RawNode& node, const std::string& path,
                                          const Source& source) {
  const std::string allowed = fmt::format("allowed: {}", list_of(spec.types()));
  const RawNode* type = node.find("type");
  if (type == nullptr) {
    if (spec.type_optional) return &spec.variants.front();
    wrong(source, path, fmt::format("\"type\" is missing; {}", allowed));
    return nullptr;
  }
  if (type->kind != RawNode::Kind::text) {
    wrong_type(*type, path + ".type", "a text");
    return nullptr;
  }
  if (const VariantSpec* variant = spec.find_variant(type->text)) return variant;
  if (const LaterFeature* later = scene_.grammar->find_later(spec.kind, type->text))
    wrong(type->source, path + ".type", later->message());
  else if (const std::string text = scene_.grammar->elsewhere_text(spec.kind + "." + type->text); !text.empty())
    wrong(type->source, path + ".type",
          fmt::format("\"{}\" {}; in this one: {}", type->text, text, list_of(spec.types())));
  else
    wrong(type->source, path + ".type",
          fmt::format("there is no {} of type \"{}\"; {}", spec.kind, type->text, allowed),
          nearest_name(type->text, spec.types()));
  return nullptr;
}

void SceneReader::read_fields(Record& record, const RawNode& node) {
  const std::vector<std::string> keys = keys_of(record);
  for (const RawEntry& entry : node.entries) {
    if (entry.key == "type" && !record.spec->variants.empty()) continue;
    const std::string path = record.path + "." + entry.key;
    const FieldSpec* field = record.spec->find_field(entry.key, record.variant);
    if (const LaterFeature* later = scene_.grammar->find_later(record.spec->kind, entry.key);
        field == nullptr && later != nullptr) {
      wrong(entry.source, path, later->message());
      continue;
    }
    if (field == nullptr) {
      wrong(entry.source, path, fmt::format("unknown key; allowed: {}", list_of(keys, "and")),
            nearest_name(entry.key, keys));
      continue;
    }
    field = with_unit(*field, node);
    Value value = read_value(*field, entry.node, path);
    if (!value.empty()) record.values.emplace_back(entry.key, std::move(value));
  }
}

const FieldSpec* SceneReader::with_unit(const FieldSpec& field, const RawNode& table) {
  if (const RawNode* sensor = table.find("sensor"); sensor != nullptr && field.unit == "*") {
    const auto type = sensor_types_.find(sensor->text);
    const RawNode* component = table.find("component");
    if (type == sensor_types_.end()) return &field;
    FieldSpec& here = fields_at_joints_.emplace_back(field);
    here.unit = sensor_unit(type->second, component == nullptr ? "" : component->text, scene_.dim);
    return &here;
  }
  if (!depends_on_joint(field.unit)) return &field;
  FieldSpec& here = fields_at_joints_.emplace_back(field);
  here.unit = unit_at_joint(field.unit, [&](std::string_view key) {
    const RawNode* name = table.find(std::string(key));
    const auto found = name == nullptr ? coordinates_.end() : coordinates_.find(name->text);
    return found == coordinates_.end() ? JointCoordinate::any : found->second;
  });
  return &here;
}

void SceneReader::check_missing(const Record& record, const RawNode& node) {
  if (record.spec->exactly_one) {
    std::vector<std::string> keys;
    for (const FieldSpec& field : record.spec->fields)
      if (!field.value) keys.push_back(field.name);
    const auto given = std::ranges::count_if(keys, [&](const std::string& key) { return node.find(key) != nullptr; });
    if (given != 1) wrong(record.source, record.path, fmt::format("must have exactly one of {}", list_of(keys)));
  }
  const auto check = [&](const FieldSpec& field) {
    if (field.is_required && node.find(field.name) == nullptr)
      wrong(record.source, record.path,
            fmt::format("\"{}\" is missing: {}{}", field.name, field.doc, unit_in_brackets(field.unit)));
  };
  if (record.variant != nullptr)
    for (const FieldSpec& field : record.variant->fields) check(field);
  for (const FieldSpec& field : record.spec->fields) check(field);
}

}  // namespace flexura::detail
