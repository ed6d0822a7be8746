#pragma once

#include <string>
#include <vector>

#include "flexura/base/outcome.hpp"
#include "flexura/output/journal_reader.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura {

/// The recorded states of each dynamic analysis as a ParaView series: cables as polylines, drawn as the element
/// interpolates them, bodies as lines from their origin to their places. Returns the paths of the PVD files.
Outcome<std::vector<std::string>> write_vtk_frames(const JournalReader& journal, const SceneModels& scene,
                                                   const std::string& folder);

}  // namespace flexura
