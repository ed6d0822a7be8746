#pragma once
// The study files of `flexura identify` and `flexura invert` (docs/identify.md): they differ in what they say of numbers of sensors,
// [measured.NAME] or [target.NAME].

#include "flexura/study/identify.hpp"
#include "flexura/study/invert.hpp"
#include "flexura/study/study_file.hpp"

namespace flexura {

StudyForm identify_form();

/// Reads study, scenes and records. Throws SceneError with every problem of all of them, UnreadableFiles.
Identification read_identification(const std::string& path, const StudyOptions& options = {});
Identification read_identification_text(const std::string& text, const std::string& file,
                                        const StudyOptions& options = {});

StudyForm invert_form();
Inversion read_inversion(const std::string& path, const StudyOptions& options = {});
Inversion read_inversion_text(const std::string& text, const std::string& file, const StudyOptions& options = {});

}  // namespace flexura
