#pragma once
// The cases of kato2020 that have a file of their own.

#include "validation/reproduce_case.hpp"

namespace flexura::detail {

CaseDefinition kato2020_stiffness_design();

}  // namespace flexura::detail
