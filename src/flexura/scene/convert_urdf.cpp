#include "flexura/scene/convert_urdf.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "flexura/base/file.hpp"
#include "flexura/part/joint_types.hpp"

namespace flexura {
namespace {

namespace fs = std::filesystem;

/// Names of meshes, so far from the folder of the robot, from that of the scene.
void move_meshes(RawNode& root, const fs::path& robot, const fs::path& scene) {
  RawNode* visuals = root.find("visual");
  if (visuals == nullptr) return;
  for (RawEntry& visual : visuals->entries)
    if (RawNode* file = visual.node.find("shape")->find("file")) {
      std::error_code error;
      const fs::path there = fs::absolute(robot / file->text, error).lexically_normal();
      if (!fs::path(file->text).is_absolute())
        file->text = there.lexically_proximate(fs::absolute(scene, error).lexically_normal()).string();
    }
}

/// What makes a machine a scene that runs.
std::string closing(const RawNode& root) {
  std::string out;
  if (const RawNode* joints = root.find("joint"))
    for (const RawEntry& joint : joints->entries) {
      const JointRow* row = find_joint(joint.node.find("type")->text, 3);
      if (row != nullptr && (row->has_angle || row->has_displacement))
        out += fmt::format("\n[sensor.{}]\ntype = \"{}\"\nof = \"{}\"\n", joint.key,
                           row->has_angle ? "angle" : "displacement", joint.key);
    }
  return out + "\n[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = \"1 s\"\nstep = \"1 ms\"\n";
}

}  // namespace

ConvertedRobot convert_urdf(const std::string& path, const std::string& folder, UrdfOptions options) {
  Outcome<std::string> text = read_file(path);
  if (!text) throw UnreadableFiles({{{path, 0, 0, 1}, {}, "the file cannot be read", {}}}, {});
  options.is_file = [](const std::string& file) {
    std::error_code error;
    return fs::is_regular_file(file, error);
  };
  options.load = [](const std::string& file) {
    Outcome<std::string> contents = read_file(file);
    return contents ? std::optional(std::move(*contents)) : std::nullopt;
  };
  UrdfScene scene = urdf_scene(*text, path, options);
  ConvertedRobot out;
  out.texts.add(path, *text);
  sort_problems(scene.problems);
  sort_problems(scene.warnings);
  if (!scene.problems.empty()) throw SceneError(std::move(scene.problems), out.texts);
  out.warnings = std::move(scene.warnings);
  move_meshes(scene.root, fs::path(path).parent_path(), folder.empty() ? fs::path(".") : fs::path(folder));
  const std::string tables = write_toml(scene.root);
  const std::size_t head = tables.find("\n[");
  out.toml = fmt::format("# From {}. Bodies lie where all joints are at 0.\n{}gravity = [0, 0, -9.81]\n{}{}",
                         fs::path(path).filename().string(), tables.substr(0, head + 1), tables.substr(head),
                         closing(scene.root));
  return out;
}

}  // namespace flexura
