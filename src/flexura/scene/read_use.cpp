// Scenes, robots and linkages that are used in a scene: read by themselves, then taken in.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "flexura/scene/linkage_scene.hpp"
#include "flexura/scene/read_settings.hpp"
#include "flexura/scene/scene_reader.hpp"
#include "flexura/scene/used_scene.hpp"

namespace flexura::detail {
namespace {

constexpr int most_uses = 1000;  ///< so that scenes which use each other twice stay readable

std::string normal(const std::string& path) { return std::filesystem::path(path).lexically_normal().string(); }

const char* word_for(int dim) { return dim == 2 ? "planar" : "spatial"; }

/// Dotted keys and their values. A named thing that the scene does not have is one value, its table.
void flatten(const RawNode& table, const std::string& path, const RawNode* there, std::vector<Setting>& out) {
  for (const RawEntry& entry : table.entries) {
    const std::string key = path.empty() ? entry.key : path + "." + entry.key;
    const RawNode* old = there == nullptr ? nullptr : there->find(entry.key);
    const bool is_new = old == nullptr && entry.node.find("type") != nullptr && !path.empty();
    if (entry.node.kind == RawNode::Kind::table && !is_new)
      flatten(entry.node, key, old, out);
    else
      out.push_back({key + "=" + write_toml_value(entry.node), entry.node.source});
  }
}

/// The used scene's tables that describe the machine; what is done with it is for the scene that uses it.
bool goes_along(const Record& record) { return record.kind != "analysis" && record.kind != "output"; }

}  // namespace

void SceneReader::read_uses(const RawEntry& entry) {
  read_kind(*scene_.grammar->find_table("use"), entry);
  const std::vector<Record> uses = std::move(scene_.tables);
  scene_.tables.clear();
  for (const Record& use : uses) {
    const RawNode& node = *entry.node.find(use.name);
    const std::optional<Placement> placement = placement_of(use, scene_.dim, problems);
    const FileIndex *scene = use.get<FileIndex>("scene"), *file = scene != nullptr ? scene : use.get<FileIndex>("urdf");
    if (check_source(use, node) && file != nullptr) take_in(use, file->index, placement.value_or(Placement{}), node);
    scene_.tables.push_back(use);
  }
}

void SceneReader::read_linkages(const RawEntry& entry) {
  read_kind(*scene_.grammar->find_table("linkage"), entry);
  const std::vector<Record> records = std::move(scene_.tables);
  scene_.tables.clear();
  for (const Record& record : records) {
    const RawNode& node = *entry.node.find(record.name);
    const std::size_t before = problems.size();
    const std::optional<Placement> placement = placement_of(record, scene_.dim, problems);
    const auto what = std::static_pointer_cast<const Linkage>(read_settings(record, linkages(scene_.dim), problems));
    const bool is_whole = what != nullptr && std::none_of(problems.begin(), problems.end(), [&](const Problem& p) {
                            return p.path == record.path || p.path.starts_with(record.path + ".");
                          });
    if (!is_whole || problems.size() > before) continue;
    RawNode root = linkage_scene(what->parts(), what->m, scene_.dim, record.source);
    change(root, node, {});
    take_in(record, root, {.name = {}, .path = scene_.file, .text = {}}, placement.value_or(Placement{}), {});
    scene_.tables.push_back(record);
  }
}

/// A scene or a robot, and what is said only of the one or of the other.
bool SceneReader::check_source(const Record& use, const RawNode& node) {
  const std::size_t before = problems.size();
  const bool has_scene = node.find("scene") != nullptr, has_robot = node.find("urdf") != nullptr;
  if (scene_.dim == 3 && !has_scene && !has_robot)
    wrong(use.source, use.path, "\"scene\" is missing, the file of the other scene, or \"urdf\", that of a robot");
  if (has_scene && has_robot)
    wrong(use.source_of("urdf"), use.path + ".urdf", "is given in place of \"scene\": leave one out");
  if (has_robot && node.find("parameters") != nullptr)
    wrong(use.source_of("parameters"), use.path + ".parameters", "a robot has none: change its values by `set`");
  for (const char* key : {"base", "joints", "limits", "collision", "packages", "replace"})
    if (has_scene && node.find(key) != nullptr)
      wrong(node.find(key)->source, use.path + "." + key, "is for robots, `urdf`, and this is a scene");
  return problems.size() == before;
}

std::optional<RawNode> SceneReader::raw_scene(const Record& use, const ExternalFile& file) {
  RawResult raw = parse_toml(file.text, file.path);
  if (!raw.problems.empty()) {
    problems.insert(problems.end(), raw.problems.begin(), raw.problems.end());
    return {};
  }
  if (const int dim = dimension_of(raw.root); dim != scene_.dim) {
    wrong(use.source_of("scene"), use.path + ".scene",
          fmt::format("\"{}\" is {}, and this scene is {}", file.name, word_for(dim), word_for(scene_.dim)));
    return {};
  }
  if (const auto* parameters = use.get<NamedNumbers>("parameters"))
    give_parameters(*parameters, use.path + ".parameters.", file.name, raw.root);
  return std::move(raw.root);
}

void SceneReader::take_in(const Record& use, int file, const Placement& placement, const RawNode& node) {
  const auto refuse = [&](std::string message) {
    const char* key = use.has("urdf") ? "urdf" : "scene";
    wrong(use.source_of(key), use.path + "." + key, std::move(message));
  };
  const std::string& path = scene_.files[file].path;
  const auto same = [&](const std::string& other) { return normal(other) == normal(path); };
  if (const auto first = std::find_if(request_.chain.begin(), request_.chain.end(), same);
      first != request_.chain.end()) {
    std::string chain;
    for (auto at = first; at != request_.chain.end(); ++at) chain += *at + " -> ";
    return refuse(fmt::format("a scene cannot use itself: {}{}", chain, path));
  }
  if (++*request_.uses > most_uses) return refuse(fmt::format("more than {} scenes are used", most_uses));

  RobotLinks links;
  std::optional<RawNode> root =
      use.has("urdf") ? raw_robot(use, scene_.files[file], node, links) : raw_scene(use, scene_.files[file]);
  if (!root) return;
  change(*root, node, scene_.files[file].text);
  take_in(use, *root, scene_.files[file], placement, links);
}

/// By `set`.
void SceneReader::change(RawNode& root, const RawNode& use, const std::string& text) {
  std::vector<Setting> settings;
  if (const RawNode* set = use.find("set")) flatten(*set, "", &root, settings);
  apply_overrides(root, text, *scene_.grammar, settings, problems);
}

void SceneReader::take_in(const Record& use, const RawNode& root, const ExternalFile& from, const Placement& placement,
                          const RobotLinks& links) {
  const std::filesystem::path beside = std::filesystem::path(from.name).parent_path();
  SceneRequest request = request_;
  request.chain.push_back(from.path);
  SceneDocument used;
  used.file = from.path;
  used.dim = scene_.dim;
  used.grammar = scene_.grammar;
  request.outer = this;
  SceneReader reader(used, request);
  reader.read(root);
  problems.insert(problems.end(), reader.problems.begin(), reader.problems.end());
  scene_.warnings.insert(scene_.warnings.end(), used.warnings.begin(), used.warnings.end());
  take_names(reader, use.name + ".");

  Enclosing how{use.name + ".",     placement, static_cast<int>(scene_.named_signals.size()), {},
                names_["analysis"], scene_.dim};
  for (ExternalFile& other : used.files) {
    other.name = (beside / other.name).string();
    how.files.push_back(file_index(std::move(other)));
  }
  take_signals(reader, how.prefix);
  for (Record& record : used.tables) {
    if (!goes_along(record)) continue;
    enclose(record, how, problems);
    if (replace_link(use.name + ".", record, links)) scene_.tables.push_back(std::move(record));
  }
}

void SceneReader::give_parameters(const NamedNumbers& given, const std::string& path, const std::string& scene,
                                  RawNode& root) {
  RawNode* known = root.find("parameters");
  for (const auto& [name, x, source] : given.entries) {
    RawNode* own = known == nullptr ? nullptr : known->find(name);
    if (own == nullptr) {
      std::vector<std::string> names;
      if (known != nullptr)
        for (const RawEntry& entry : known->entries) names.push_back(entry.key);
      wrong(source, path + name, fmt::format("\"{}\" has no parameter \"{}\"", scene, name), nearest_name(name, names));
      continue;
    }
    RawNode number;
    number.kind = RawNode::Kind::number;
    number.number = x[0];
    number.source = source;
    *own = std::move(number);
  }
}

bool SceneReader::is_of_user(const Source& source) const {
  const SceneReader* outer = request_.outer;
  return outer != nullptr && (source.file != scene_.file || outer->scene_.file == scene_.file);
}

Parameters SceneReader::parameters_at(const Source& source) const {
  Parameters known = parameters_;
  if (is_of_user(source)) known.merge(request_.outer->parameters_at(source));
  return known;
}

Parameters SceneReader::all_parameters() const {
  Parameters known = parameters_;
  if (request_.outer != nullptr) known.merge(request_.outer->all_parameters());
  return known;
}

bool SceneReader::take_outer_signal(const std::string& name, const Source& source) {
  if (!is_of_user(source) || knows({"signal"}, name)) return false;
  SceneReader& outer = *request_.outer;
  if (!outer.knows({"signal"}, name) && !outer.take_outer_signal(name, source)) return false;
  names_["signal"].push_back(name);
  scene_.named_signals.push_back({name, Signal(), source});
  outer_signals_.insert(name);
  return true;
}

void SceneReader::take_names(const SceneReader& used, const std::string& prefix) {
  for (const auto& [kind, names] : used.names_)
    if (kind != "analysis")
      for (const std::string& name : names) names_[kind].push_back(prefix + name);
  for (const auto& [name, kind] : used.parts_) parts_[prefix + name] = kind;
  for (const auto& [name, coordinate] : used.coordinates_) coordinates_[prefix + name] = coordinate;
  for (const auto& [name, type] : used.sensor_types_) sensor_types_[prefix + name] = type;
  for (const auto& [name, places] : used.body_places_) body_places_[prefix + name] = places;
  for (const auto& [name, unit] : used.signal_units_) {
    signal_units_[prefix + name] = unit;
    signal_units_[prefix + name].path = prefixed_path(unit.path, prefix);
  }
}

void SceneReader::take_signals(SceneReader& used, const std::string& prefix) {
  const std::vector<std::string>& named = used.names_["signal"];
  for (NamedSignal& signal : used.scene_.named_signals) {
    const bool has_name = std::find(named.begin(), named.end(), signal.name) != named.end();
    const bool is_outer = used.outer_signals_.contains(signal.name);
    if (is_outer)
      signal.what =
          Signal(Expression::parse(fmt::format("signal({})", signal.name), {}, ExpressionScope::signals).expression);
    signal.name = has_name ? prefix + signal.name : prefixed_path(signal.name, prefix);
    if (auto* lag = std::get_if<LagSignal>(&signal.what)) {
      lag->of = prefix + lag->of;
    } else if (const auto* plain = std::get_if<Signal>(&signal.what)) {
      const auto* formula = std::get_if<Expression>(&plain->shape());
      if (formula != nullptr && !formula->inputs().empty() && !is_outer)
        signal.what = Signal(Expression::parse(prefixed_formula(formula->text(), prefix), used.all_parameters(),
                                               ExpressionScope::signals)
                                 .expression);
    }
    scene_.named_signals.push_back(std::move(signal));
  }
}

}  // namespace flexura::detail
