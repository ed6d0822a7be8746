#pragma once
// What a map of a workspace has found, as lines of a log, and back. What is none throws std::exception.

#include "flexura/base/json.hpp"
#include "flexura/study/workspace.hpp"

namespace flexura {

/// The nearest point to the middle of a cell, and whether that is as good as it.
struct TriedCell {
  WorkspaceSample nearest;
  bool is_reached = false;
};

Json json_of(const WorkspaceSample& sample);
Json json_of(const TriedCell& cell);
WorkspaceSample sample_of(const Json& json, const WorkspacePlan& plan);
TriedCell cell_of(const Json& json, const WorkspacePlan& plan);

}  // namespace flexura
