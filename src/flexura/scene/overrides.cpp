// --set section.wall.EI=0.02 or gravity[1]=-3, and the text of the scene that results.

#include <fmt/format.h>

#include <algorithm>

#include "flexura/scene/list_places.hpp"
#include "flexura/scene/scene_reader.hpp"

namespace flexura::detail {
namespace {

struct Edit {
  size_t begin, end;
  std::string value;
};

/// Of a setting: no bytes of the scene's text hold it.
void set_source(RawNode& node, const Source& source) {
  node.source = source;
  node.begin = node.end = 0;
  for (RawNode& item : node.items) set_source(item, source);
  for (RawEntry& entry : node.entries) {
    entry.source = source;
    set_source(entry.node, source);
  }
}

/// A TOML value, or a bare word taken as text.
RawNode parse_value(const std::string& text) {
  RawResult parsed = parse_toml("x = " + text + "\n", "--set");
  if (parsed.problems.empty() && parsed.root.entries.size() == 1 && parsed.root.entries[0].key == "x" &&
      parsed.root.entries[0].node.kind != RawNode::Kind::date)
    return parsed.root.entries[0].node;
  RawNode node;
  node.kind = RawNode::Kind::text;
  node.text = text;
  return node;
}

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> keys(1);
  for (const char c : path) {
    if (c == '.')
      keys.emplace_back();
    else
      keys.back() += c;
  }
  return keys;
}

std::vector<std::string> keys_of(const RawNode& table) {
  std::vector<std::string> keys;
  for (const RawEntry& entry : table.entries) keys.push_back(entry.key);
  return keys;
}

std::vector<std::string> kinds_of(const Grammar& grammar) {
  std::vector<std::string> kinds{"parameters"};
  for (const FieldSpec& field : grammar.head) kinds.push_back(field.name);
  for (const TableSpec& table : grammar.tables) kinds.push_back(table.kind);
  for (const LaterFeature& later : grammar.later)
    if (later.type.empty()) kinds.push_back(later.kind);
  return kinds;
}

class Override {
 public:
  Override(RawNode& root, const Grammar& grammar, const Setting& setting, std::vector<Problem>& problems)
      : root_(root), grammar_(grammar), option_(setting.option), source_(setting.source), problems_(problems) {}

  /// Returns false if the tree was changed in a way that a replaced value in the text cannot express.
  bool apply(std::vector<Edit>& edits) {
    const size_t equals = option_.find('=');
    if (equals == std::string::npos || equals == 0) {
      wrong({}, "must be KEY=VALUE, as in section.wall.EI=0.02");
      return true;
    }
    path_ = trimmed(option_.substr(0, equals));
    if (trimmed(option_.substr(equals + 1)).empty()) {
      wrong(path_, "a value is missing after =");
      return true;
    }
    const std::vector<std::string> whole = inside_used_scene(split(path_));
    const bool is_of_another = whole.size() > 3 && whole[0] != split(path_)[0];  // which finds its places itself
    const ListPath list = is_of_another ? ListPath{path_, {}, {}} : split_places(path_);
    if (!list.problem.empty()) {
      wrong(path_, list.problem);
      return true;
    }
    const std::vector<std::string> keys = is_of_another ? whole : split(list.key);
    RawNode* table = find_table(keys);
    if (table == nullptr) return true;
    RawNode value = parse_value(trimmed(option_.substr(equals + 1)));
    set_source(value, source());
    if (list.places.empty()) return assign(*table, keys.back(), std::move(value), edits);
    const RawNode* old = table->find(keys.back());
    if (old == nullptr) {
      wrong(path_, fmt::format("the scene writes no \"{}\"", list.key), nearest_name(keys.back(), keys_of(*table)));
      return true;
    }
    RawNode changed = *old;
    const ListItem item = item_at(changed, list.places);
    if (item.node == nullptr) {
      wrong(path_, item.problem);
      return true;
    }
    RawNode* place = &changed;
    for (const size_t i : list.places) place = &place->items[i];
    *place = std::move(value);
    return assign(*table, keys.back(), std::move(changed), edits);
  }

 private:
  const Source& source() const { return source_; }
  static std::string trimmed(std::string text) {
    text.erase(0, std::min(text.size(), text.find_first_not_of(' ')));
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  }
  void wrong(const std::string& path, std::string message, std::string nearest = {}) {
    problems_.push_back({source(), path, std::move(message), std::move(nearest)});
  }

  /// left.section.wall.EA → use.left.set.section.wall.EA, and so of linkages
  std::vector<std::string> inside_used_scene(std::vector<std::string> keys) const {
    const std::vector<std::string> kinds = kinds_of(grammar_);
    if (keys.size() < 2 || std::find(kinds.begin(), kinds.end(), keys[0]) != kinds.end()) return keys;
    for (const char* kind : {"use", "linkage"}) {
      const RawNode* uses = root_.find(kind);
      if (uses == nullptr || uses->find(keys[0]) == nullptr) continue;
      keys.insert(keys.begin(), kind);
      keys.insert(keys.begin() + 2, "set");
      break;
    }
    return keys;
  }

  /// The table that holds the last key.
  RawNode* find_table(const std::vector<std::string>& keys) {
    const std::vector<std::string> kinds = kinds_of(grammar_);
    if (std::find(kinds.begin(), kinds.end(), keys[0]) == kinds.end()) {
      wrong(path_, fmt::format("there is no \"{}\" in scenes", keys[0]), nearest_name(keys[0], kinds));
      return nullptr;
    }
    RawNode* node = &root_;
    std::string walked;
    for (size_t i = 0; i + 1 < keys.size(); ++i) {
      RawNode* next = node->kind == RawNode::Kind::array ? find_item(*node, keys[i]) : node->find(keys[i]);
      if (next == nullptr && may_create(keys, i)) {
        node->entries.push_back({keys[i], source(), RawNode{}});
        node->entries.back().node.source = source();
        next = &node->entries.back().node;
      }
      walked += (walked.empty() ? "" : ".") + keys[i];
      if (next == nullptr) {
        wrong(path_, fmt::format("the scene has no \"{}\"", walked), nearest_name(keys[i], names_in(*node)));
        return nullptr;
      }
      if (next->kind != RawNode::Kind::table && next->kind != RawNode::Kind::array) {
        wrong(path_, fmt::format("\"{}\" is not a table; it is {}", walked, next->describe()));
        return nullptr;
      }
      node = next;
    }
    const bool parameter = keys.size() == 2 && keys[0] == "parameters";
    if (parameter && node->find(keys[1]) == nullptr) {
      wrong(path_, fmt::format("the scene has no parameter \"{}\"", keys[1]), nearest_name(keys[1], keys_of(*node)));
      return nullptr;
    }
    if (node->kind != RawNode::Kind::table) {
      wrong(path_, fmt::format("\"{}\" is a list; name the one that is meant, as in {}.NAME.KEY", walked, walked));
      return nullptr;
    }
    return node;
  }

  /// [output] and tables inside a named thing may be new; a named thing is new as a whole, load.x={...}, or exists.
  bool may_create(const std::vector<std::string>& keys, size_t i) const {
    const TableSpec* spec = grammar_.find_table(keys[0]);
    if (spec == nullptr) return i == 0 && keys[0] != "parameters";
    const bool is_whole = keys.size() == 2 && spec->form == TableSpec::Form::named;
    return spec->form == TableSpec::Form::single || i >= 2 || is_whole;
  }

  static RawNode* find_item(RawNode& list, const std::string& name) {
    for (RawNode& item : list.items)
      if (const RawNode* own = item.find("name"); own != nullptr && own->text == name) return &item;
    return nullptr;
  }
  static std::vector<std::string> names_in(const RawNode& node) {
    if (node.kind == RawNode::Kind::table) return keys_of(node);
    std::vector<std::string> names;
    for (const RawNode& item : node.items)
      if (const RawNode* own = item.find("name")) names.push_back(own->text);
    return names;
  }

  bool assign(RawNode& table, const std::string& key, RawNode value, std::vector<Edit>& edits) {
    RawNode* old = table.find(key);
    if (old == nullptr) {
      table.entries.push_back({key, source(), std::move(value)});
      return false;
    }
    const bool replaceable = old->end > old->begin;
    if (replaceable) {
      std::erase_if(edits, [&](const Edit& e) { return e.begin >= old->begin && e.end <= old->end; });
      edits.push_back({old->begin, old->end, write_toml_value(value)});
      value.begin = old->begin;
      value.end = old->end;
    }
    *old = std::move(value);
    for (RawEntry& entry : table.entries)
      if (entry.key == key) entry.source = source();
    return replaceable;
  }

  RawNode& root_;
  const Grammar& grammar_;
  std::string option_, path_;
  Source source_;
  std::vector<Problem>& problems_;
};

bool same(const RawNode& a, const RawNode& b) { return write_toml_value(a) == write_toml_value(b); }

}  // namespace

std::string apply_overrides(RawNode& root, const std::string& text, const Grammar& grammar,
                            const std::vector<Setting>& settings, std::vector<Problem>& problems) {
  std::vector<Edit> edits;
  bool in_place = true;
  for (const Setting& setting : settings)
    if (!Override(root, grammar, setting, problems).apply(edits)) in_place = false;
  if (edits.empty() && in_place) return text;
  if (in_place) {
    std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin > b.begin; });
    std::string edited = text;
    for (const Edit& edit : edits) edited.replace(edit.begin, edit.end - edit.begin, edit.value);
    const RawResult again = parse_toml(edited, "");
    if (again.problems.empty() && same(again.root, root)) return edited;  // comments kept
  }
  return write_toml(root);
}

}  // namespace flexura::detail
