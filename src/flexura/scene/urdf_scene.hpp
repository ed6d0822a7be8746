#pragma once
// A robot of a URDF file as a scene: bodies, visuals, joints, springs. `[use.NAME] urdf` reads it as any other scene that is
// used, `flexura convert` writes it.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "flexura/scene/raw_toml.hpp"
#include "flexura/scene/urdf_robot.hpp"

namespace flexura {

/// What collision geometry becomes.
enum class UrdfCollision {
  none,
  spheres,  ///< of spheres a [sphere.NAME]
  all       ///< of spheres, and of other shapes and meshes one on each of their corners
};

struct UrdfOptions {
  bool free_base = false;  ///< else the root link is welded to the ground
  bool stops = true;       ///< limits of joints become end stops, and efforts limits of motors
  bool rates = false;      ///< and velocities limits of motors
  UrdfCollision collision = UrdfCollision::spheres;
  UrdfInertia inertia = UrdfInertia::strict;
  double step = 1e-3;  ///< of the motion [s]: end stops follow from it and from the inertia behind them
  struct Named {
    std::string name;
    double x = 0;  ///< of a joint [rad or m]
    Source source;
  };
  std::vector<Named> joints = {};          ///< where joints start; 0 where nothing is said
  std::vector<Named> framed = {};          ///< joints whose place takes welds only: a frame without mass is between
  std::vector<std::string> packages = {};  ///< folders in which the packages of package:// lie
  std::vector<Named> replaced = {};        ///< links of which parts take the place, by name
  std::string path = {};                   ///< of these options, for messages: "use.arm."
  /// Whether a file, as its path is written in the scene, can be read; default: all can.
  std::function<bool(const std::string& path)> is_file = {};
  /// Its contents; default: no file can be read.
  std::function<std::optional<std::string>(const std::string& path)> load = {};

  /// By the words of scenes: "fixed" or "free"; "stops", "rates" or "none"; "spheres", "all" or "none"; "strict" or "mended".
  void choose(std::string_view base, std::string_view limits, std::string_view collision_word,
              std::string_view inertia_word);
};

struct UrdfScene {
  RawNode root;  ///< as if it had been written as TOML: sources are those of the URDF text
  std::vector<Problem> problems, warnings;
  /// Of each replaced link the joints on it, and which of the two places is the link.
  struct OnReplaced {
    std::string joint;
    int side = 0;
    std::string place_of = {};  ///< joint that has the place, where that is not the same: the weld of a frame between
  };
  std::map<std::string, std::vector<OnReplaced>> on_replaced;
};

/// "/opt/ros:../robots" → its folders.
std::vector<std::string> folders_of(const std::string& list);

/// `file` is the path of the URDF text; files that it names are written relative to its folder.
UrdfScene urdf_scene(const std::string& text, const std::string& file, const UrdfOptions& options);

}  // namespace flexura
