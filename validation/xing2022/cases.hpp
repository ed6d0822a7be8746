#pragma once

#include "validation/reproduce_case.hpp"

namespace flexura::detail {

// laws.cpp, bodies.cpp, materials.cpp, elements.cpp
std::vector<CaseDefinition> xing2022_law_cases();
std::vector<CaseDefinition> xing2022_body_cases();
std::vector<CaseDefinition> xing2022_material_cases();
std::vector<CaseDefinition> xing2022_element_cases();

}  // namespace flexura::detail
