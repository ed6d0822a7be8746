#pragma once
// Rows and their values from records.

#include "flexura/base/settings.hpp"
#include "flexura/scene/document.hpp"

namespace flexura {

/// What a record, whose type is one of the rows, says. What its values have against each other is added to the problems.
std::shared_ptr<Settings> read_settings(const Record& record, SettingsRows rows, std::vector<Problem>& problems);

}  // namespace flexura
