#pragma once
// The study file of `flexura workspace` (docs/inverse.md).

#include "flexura/study/study_file.hpp"
#include "flexura/study/workspace.hpp"

namespace flexura {

StudyForm workspace_form();

/// Throws SceneError with every problem of study, scene and tables, UnreadableFiles.
WorkspacePlan read_workspace(const std::string& path, const StudyOptions& options = {});
WorkspacePlan read_workspace_text(const std::string& text, const std::string& file, const StudyOptions& options = {});

}  // namespace flexura
