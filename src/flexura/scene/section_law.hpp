#pragma once
// [section.NAME] as a law of numbers along a part.

#include "flexura/material/elastic_laws.hpp"
#include "flexura/part/section.hpp"
#include "flexura/scene/document.hpp"

namespace flexura::detail {

/// A number, or a pair: at the start and at the end.
Along along(const Record& record, std::string_view key);

/// `shape` of a [section.NAME]; nothing where it has none.
std::optional<SectionOutline> outline_of(const Record& section);

/// Of a [section.NAME] of the scene, which it does not refer to. Throws InputError for what is wrong with its size factor.
/// rubber: moduli of its material at rest, where that is a law of rubber.
SectionLaw section_law(const Record& section, const SceneDocument& scene, const std::optional<ElasticModuli>& rubber);

}  // namespace flexura::detail
