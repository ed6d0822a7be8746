#pragma once
// [section.NAME] as a law of numbers along a part.

#include "flexura/part/section.hpp"
#include "flexura/scene/document.hpp"

namespace flexura::detail {

/// A number of a section at a share of the length: linear between those at the start and at the end where it has two.
double number_at(const Record& record, std::string_view key, double share, double otherwise = 0);

/// Of a [section.NAME] of the scene. Throws InputError for what is wrong with its size factor.
SectionLaw section_law(const Record& section, const SceneDocument& scene);

}  // namespace flexura::detail
