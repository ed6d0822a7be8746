#pragma once
// What an FMU holds of a scene, beside the program: written by the export, read by the FMU itself.

#include <string>
#include <vector>

#include "flexura/scene/stored_files.hpp"

namespace flexura {

struct FmuVariable {
  enum class Causality { independent, parameter, input, output };
  Causality causality = Causality::output;
  std::string name, unit, doc;
  std::string source;  ///< path of a number, signal or sensor of the scene
  int component = 0;   ///< which number of the sensor
  double start = 0;    ///< of parameters and inputs [SI]
};

struct FmuContent {
  std::string name;  ///< also of the program's file: letters, digits and _
  std::string title;
  std::string token;                    ///< of all below: the same content has the same
  std::string text;                     ///< the scene
  StoredFiles files;                    ///< that it names
  std::vector<FmuVariable> variables;   ///< their place is their value reference
  double begin = 0, end = 0, step = 0;  ///< of its motions [s]; step: of the first
};

/// A GUID in braces that says what the FMU is of.
std::string token_of(const FmuContent& content);

constexpr const char* fmu_scene_file = "scene.toml";
constexpr const char* fmu_list_file = "flexura.json";

/// The resources by their names in the folder, and back from the folder. The latter throws FileError.
std::vector<std::pair<std::string, std::string>> resources_of(const FmuContent& content);
FmuContent read_resources(const std::string& folder);

}  // namespace flexura
