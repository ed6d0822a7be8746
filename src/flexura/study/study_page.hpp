#pragma once

#include <string>

namespace flexura {

/// A page of a study: the title as plain text, style, and what is within.
std::string study_page(const std::string& title, const std::string& body);

}  // namespace flexura
