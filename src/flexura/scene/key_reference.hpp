#pragma once

#include <span>
#include <string>

#include "flexura/term/term_info.hpp"

namespace flexura {

/// All keys of scenes and what each sensor can be asked of, as a page of Markdown (docs/scene-keys.md), from the descriptors
/// that the reader uses.
std::string scene_keys(std::span<const TermInfo> terms);

}  // namespace flexura
