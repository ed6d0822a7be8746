// Ghoneimy et al. 2025, an elephant's head and trunk: head and trunk.

#include "flexura/study/reproduce_ghoneimy2025.hpp"

namespace flexura::detail {

std::vector<CaseDefinition> ghoneimy2025_head_cases() { return {}; }

}  // namespace flexura::detail
