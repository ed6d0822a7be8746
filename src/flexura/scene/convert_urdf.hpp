#pragma once
// A URDF file as a scene in TOML, to be edited and run by itself.

#include "flexura/scene/source_texts.hpp"
#include "flexura/scene/urdf_scene.hpp"

namespace flexura {

struct ConvertedRobot {
  std::string toml;  ///< with gravity along −z, a sensor for each joint and a motion of 1 s
  std::vector<Problem> warnings;
  SourceTexts texts;  ///< into which the warnings point
};

/// Meshes are written relative to `folder`, in which the scene will lie. Throws InputError with every problem.
ConvertedRobot convert_urdf(const std::string& path, const std::string& folder, UrdfOptions options);

}  // namespace flexura
