#pragma once

#include <span>
#include <string>

#include "flexura/scene/descriptor.hpp"
#include "flexura/term/term_info.hpp"

namespace flexura {

/// JSON Schema (draft 2020-12) of scenes, from the descriptors that the reader uses. What it cannot express (names that
/// must exist, units of the right dimension) the reader checks.
std::string scene_schema(std::span<const TermInfo> terms);

/// The same of a file that is read by another grammar. `title`: "Flexura study".
std::string file_schema(const Grammar& grammar, const std::string& title);

}  // namespace flexura
