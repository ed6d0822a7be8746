#pragma once
// The study files of `flexura inverse-statics` and `flexura inverse-dynamics` (docs/inverse.md).

#include "flexura/study/inverse_dynamics.hpp"
#include "flexura/study/inverse_statics.hpp"
#include "flexura/study/study_file.hpp"

namespace flexura {

StudyForm inverse_statics_form();

/// Throws SceneError with every problem of study, scene and tables, UnreadableFiles.
InversePlan read_inverse_statics(const std::string& path, const StudyOptions& options = {});
InversePlan read_inverse_statics_text(const std::string& text, const std::string& file,
                                      const StudyOptions& options = {});

StudyForm inverse_dynamics_form();
DynamicPlan read_inverse_dynamics(const std::string& path, const StudyOptions& options = {});
DynamicPlan read_inverse_dynamics_text(const std::string& text, const std::string& file,
                                       const StudyOptions& options = {});

}  // namespace flexura
