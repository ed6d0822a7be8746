#include "flexura/scene/scene_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "flexura/base/nearest_name.hpp"
#include "flexura/scene/coordinate_units.hpp"
#include "flexura/scene/list_places.hpp"
#include "flexura/scene/units.hpp"

namespace flexura {
namespace {

struct Wrong {
  std::string message, nearest;
};

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> keys(1);
  for (const char c : path) {
    if (c == '.')
      keys.emplace_back();
    else
      keys.back() += c;
  }
  return keys;
}

const RawNode* item_of(const RawNode& node, const std::string& key) {
  if (node.kind == RawNode::Kind::table) return node.find(key);
  for (const RawNode& item : node.items)
    if (const RawNode* name = item.find("name"); name != nullptr && name->text == key) return &item;
  return nullptr;
}

std::vector<std::string> names_in(const RawNode& node) {
  std::vector<std::string> names;
  for (const RawEntry& entry : node.entries) names.push_back(entry.key);
  for (const RawNode& item : node.items)
    if (const RawNode* name = item.find("name")) names.push_back(name->text);
  return names;
}

double number_of(const RawNode& node) {
  switch (node.kind) {
    case RawNode::Kind::integer:
      return static_cast<double>(node.integer);
    case RawNode::Kind::number:
      return node.number;
    case RawNode::Kind::text: {
      if (node.text.starts_with('='))
        throw Wrong{
            fmt::format("it is the expression \"{}\": ask for the numbers in it, as parameters.NAME", node.text), {}};
      const auto written = split_quantity(node.text);
      const auto unit = written ? parse_unit(written->unit) : std::nullopt;
      if (unit) return unit->to_si(written->number);
      throw Wrong{fmt::format("it is {}, no number", node.describe()), {}};
    }
    default:
      throw Wrong{fmt::format("it is {}, no number", node.describe()), {}};
  }
}

void set_number(RawNode& node, double x) {
  node = RawNode{};
  node.kind = RawNode::Kind::number;
  node.number = x;
}

double size_of(const RawNode& node) {
  const bool is_number = node.kind == RawNode::Kind::number || node.kind == RawNode::Kind::integer;
  return is_number ? std::fabs(number_of(node)) : 0;
}

/// The largest number of its column, or else of its row.
double scale_beside(const RawNode& list, const std::vector<size_t>& places) {
  const RawNode *row = &list, *rows = nullptr;
  for (size_t k = 0; k + 1 < places.size(); ++k) rows = row, row = &row->items[places[k]];
  double scale = 0;
  if (rows != nullptr)
    for (const RawNode& other : rows->items)
      if (places.back() < other.items.size()) scale = std::max(scale, size_of(other.items[places.back()]));
  for (const RawNode& other : row->items)
    if (rows == nullptr || scale == 0) scale = std::max(scale, size_of(other));
  return scale;
}

using Lists = std::map<std::string, std::shared_ptr<const RawNode>>;

SceneNumber find(const RawNode& root, const std::string& path, Lists& lists) {
  SceneNumber out;
  out.path = path;
  ListPath split_path = split_places(path);
  if (!split_path.problem.empty()) throw Wrong{split_path.problem, {}};
  out.key = std::move(split_path.key), out.places = std::move(split_path.places);
  const RawNode* node = &root;
  std::string walked;
  for (const std::string& key : split(out.key)) {
    const RawNode* next = item_of(*node, key);
    walked += (walked.empty() ? "" : ".") + key;
    if (next == nullptr)
      throw Wrong{fmt::format("the scene writes no \"{}\"", walked), nearest_name(key, names_in(*node))};
    node = next;
  }
  std::shared_ptr<const RawNode>& list = lists[out.key];
  if (list == nullptr) list = std::make_shared<const RawNode>(*node);
  out.list = list;
  const ListItem item = item_at(*node, out.places);
  if (item.node == nullptr) throw Wrong{item.problem, {}};
  node = item.node;
  if (!out.places.empty()) out.scale = scale_beside(*out.list, out.places);
  if (node->kind == RawNode::Kind::array)
    throw Wrong{fmt::format("it is a list: name one of its {} numbers, as {}[0]", node->items.size(), path), {}};
  out.value = number_of(*node);
  out.scale = std::max(out.scale, std::fabs(out.value));
  return out;
}

void replace(RawNode& list, const std::vector<size_t>& places, double x) {
  RawNode* node = &list;
  for (const size_t place : places) node = &node->items[place];
  set_number(*node, x);
}

std::string setting_of(const std::string& key, const RawNode& value) { return key + "=" + write_toml_value(value); }

std::string unit_of(const SceneDocument& document, const std::string& key) {
  const size_t dot = key.rfind('.');
  if (dot == std::string::npos) return {};
  for (const Record& record : document.tables) {
    if (record.path != key.substr(0, dot) || record.spec == nullptr) continue;
    const FieldSpec* field = record.spec->find_field(key.substr(dot + 1), record.variant);
    const std::string unit = field == nullptr ? "*" : flexura::unit_of(document, record, *field);
    if (unit != "*") return unit;
  }
  return {};
}

/// Paths of the numbers in a node.
void list_numbers(const RawNode& node, const std::string& path, std::vector<std::string>& out) {
  const auto named = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
  for (const RawEntry& entry : node.entries) list_numbers(entry.node, named(entry.key), out);
  for (size_t i = 0; i < node.items.size(); ++i) {
    const RawNode* name = node.items[i].find("name");
    list_numbers(node.items[i], name != nullptr ? named(name->text) : path + "[" + std::to_string(i) + "]", out);
  }
  if (node.kind == RawNode::Kind::integer || node.kind == RawNode::Kind::number) out.push_back(path);
  if (node.kind != RawNode::Kind::text) return;
  const auto written = split_quantity(node.text);
  if (written && parse_unit(written->unit)) out.push_back(path);
}

}  // namespace

std::string SceneNumber::setting(double x) const {
  RawNode changed = *list;
  replace(changed, places, x);
  return setting_of(key, changed);
}

std::vector<std::string> SceneNumber::settings(const std::vector<SceneNumber>& numbers, const std::vector<double>& x) {
  std::vector<std::pair<std::string, RawNode>> values;
  for (size_t k = 0; k < numbers.size(); ++k) {
    auto at = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == numbers[k].key; });
    if (at == values.end()) at = values.insert(values.end(), {numbers[k].key, *numbers[k].list});
    replace(at->second, numbers[k].places, x[k]);
  }
  std::vector<std::string> out;
  for (const auto& [key, value] : values) out.push_back(setting_of(key, value));
  return out;
}

std::vector<SceneNumber> list_scene_numbers(const SceneDocument& document) {
  const RawResult parsed = parse_toml(document.effective_text, document.file);
  std::vector<std::string> paths;
  Lists lists;
  std::vector<SceneNumber> out;
  list_numbers(parsed.root, "", paths);
  for (const std::string& path : paths) {
    out.push_back(find(parsed.root, path, lists));
    out.back().unit = unit_of(document, out.back().key);
  }
  return out;
}

std::vector<SceneNumber> find_scene_numbers(const SceneDocument& document, const std::vector<std::string>& paths) {
  const RawResult parsed = parse_toml(document.effective_text, document.file);
  std::vector<SceneNumber> out;
  std::vector<Problem> problems;
  Lists lists;
  for (const std::string& path : paths) {
    try {
      out.push_back(find(parsed.root, path, lists));
      out.back().unit = unit_of(document, out.back().key);
    } catch (const Wrong& wrong) {
      problems.push_back({{document.file, 0, 0, 1}, path, wrong.message, wrong.nearest});
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return out;
}

}  // namespace flexura
