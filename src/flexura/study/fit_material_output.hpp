#pragma once
// A fit as TOML for scenes, as JSON, as text and as a page with plots.

#include "flexura/base/json.hpp"
#include "flexura/study/fit_material.hpp"

namespace flexura {

/// [material.NAME] of one law.
std::string fit_toml(const LawFit& fit, const std::string& name);
Json fit_json(const MaterialFit& fit, const std::string& name);
std::string fit_text(const MaterialFit& fit);
/// One page of HTML that needs nothing else: data, curves, residuals, constants, ranges of stability.
std::string fit_page(const MaterialFit& fit, const std::string& name);

}  // namespace flexura
