#pragma once
// A scene as a Functional Mock-up Unit for co-simulation, FMI 2.0 or 3.0 (docs/fmi.md).

#include <string>
#include <vector>

#include "flexura/fmi/fmu_content.hpp"
#include "flexura/scene/document.hpp"

namespace flexura {

struct FmuOptions {
  int version = 2;   ///< of FMI: 2 or 3
  std::string name;  ///< of the model; empty: of the scene's file
  /// Signals that become inputs, by name or by the path of the key where they are written; empty: those of type "input".
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;     ///< sensors, or single numbers of them ("tip.x"); empty: all
  std::vector<std::string> parameters;  ///< paths of numbers (scene_number.hpp)
};

/// What the FMU holds. Throws InputError with everything that is wrong, functions of other programs among it.
FmuContent fmu_content(const SceneDocument& document, const FmuOptions& options);

/// The archive. `library`: content of flexura-fmu.so.
std::string fmu_archive(const FmuContent& content, int version, std::string library);

/// The name of the program's file in a folder.
constexpr const char* fmu_library_file = "flexura-fmu.so";

/// Both, with the program from the file `library`, written as `path`. Throws FileError, too.
FmuContent export_fmu(const SceneDocument& document, const FmuOptions& options, const std::string& library,
                      const std::string& path);

}  // namespace flexura
