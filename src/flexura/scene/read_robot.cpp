// Robots of URDF files that are used in a scene.

#include <fmt/format.h>

#include <algorithm>

#include "flexura/scene/scene_reader.hpp"
#include "flexura/scene/urdf_scene.hpp"

namespace flexura::detail {

std::optional<RawNode> SceneReader::raw_robot(const Record& use, const ExternalFile& file, const RawNode& node,
                                              RobotLinks& links) {
  UrdfOptions options;
  options.path = use.path + ".";
  options.choose(use.text("base"), use.text("limits"), use.text("collision"), use.text("inertia"));
  if (const auto* joints = use.get<NamedNumbers>("joints"))
    for (const NamedNumbers::Entry& entry : joints->entries)
      options.joints.push_back({entry.name, entry.x[0], entry.source});
  options.packages = folders_of(use.text("packages"));
  options.is_file = [&](const std::string& path) { return load(path).has_value(); };
  options.load = [&](const std::string& path) { return load(path); };
  const RawNode* replace = node.find("replace");
  if (replace != nullptr && replace->kind == RawNode::Kind::table)
    for (const RawEntry& link : replace->entries) {
      options.replaced.push_back({link.key, 0, link.source});
      for (const RawEntry& joint : link.node.entries)
        if (is_on_plate(joint.node)) options.framed.push_back({joint.key, 0, joint.source});
    }

  UrdfScene robot = urdf_scene(file.text, file.path, options);
  scene_.warnings.insert(scene_.warnings.end(), robot.warnings.begin(), robot.warnings.end());
  if (replace != nullptr) read_replaced(use.path + ".replace.", *replace, robot.on_replaced, links);
  if (robot.problems.empty()) return std::move(robot.root);
  problems.insert(problems.end(), robot.problems.begin(), robot.problems.end());
  return {};
}

void SceneReader::read_replaced(const std::string& path, const RawNode& replace,
                                const std::map<std::string, std::vector<UrdfScene::OnReplaced>>& joints,
                                RobotLinks& links) {
  for (const RawEntry& link : replace.entries) {
    const std::string here = path + link.key;
    const auto known = joints.find(link.key);
    if (known == joints.end()) continue;  // there is no such link: that is said
    links.replaced.insert(link.key);
    std::vector<std::string> names;
    for (const UrdfScene::OnReplaced& on : known->second) names.push_back(on.joint);
    if (link.node.kind != RawNode::Kind::table) {
      wrong_type(link.node, here, fmt::format("a table with a place for {}", list_of(names, "and")));
      continue;
    }
    for (const RawEntry& entry : link.node.entries)
      if (std::find(names.begin(), names.end(), entry.key) == names.end())
        wrong(entry.source, here + "." + entry.key,
              fmt::format("is no joint of this link; it has {}", list_of(names, "and")),
              nearest_name(entry.key, names));
    for (const auto& [joint, side, place_of] : known->second) {
      const RawNode* place = link.node.find(joint);
      if (place == nullptr)
        wrong(link.source, here,
              fmt::format("joint \"{0}\" is on this link too: give its place, {0} = \"PART.PLACE\"", joint));
      else if (std::optional<Place> read = read_place(*place, here + "." + joint))
        links.places[{place_of.empty() ? joint : place_of, side}] = std::move(*read);
    }
  }
}

/// Of joints a plate takes welds.
bool SceneReader::is_on_plate(const RawNode& place) const {
  if (place.kind != RawNode::Kind::text) return false;
  const auto part = parts_.find(place.text.substr(0, place.text.find_first_of(".@")));
  return part != parts_.end() && part->second == "plate";
}

bool SceneReader::replace_link(const std::string& prefix, Record& record, const RobotLinks& links) {
  if (links.replaced.empty() || !record.name.starts_with(prefix)) return true;
  const std::string name = record.name.substr(prefix.size());
  if (record.kind == "body" && links.replaced.contains(name)) return false;
  std::optional<Source> given;
  for (auto& [key, value] : record.values) {
    auto* places = std::get_if<std::vector<Place>>(&value.data);
    for (int side = 0; record.kind == "joint" && places != nullptr && side < 2; ++side)
      if (const auto other = links.places.find({name, side}); other != links.places.end()) {
        (*places)[static_cast<size_t>(side)] = other->second;
        given = other->second.source;
      }
  }
  if (given) record.values.emplace_back("meets", Value{*given, true});
  return true;
}

}  // namespace flexura::detail
