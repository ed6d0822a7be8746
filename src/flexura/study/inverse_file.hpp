#pragma once
// The study file of `flexura inverse-statics` (docs/inverse.md).

#include "flexura/study/inverse_statics.hpp"
#include "flexura/study/study_file.hpp"

namespace flexura {

StudyForm inverse_statics_form();

/// Throws SceneError with every problem of study, scene and tables, UnreadableFiles.
InversePlan read_inverse_statics(const std::string& path, const StudyOptions& options = {});
InversePlan read_inverse_statics_text(const std::string& text, const std::string& file,
                                      const StudyOptions& options = {});

}  // namespace flexura
