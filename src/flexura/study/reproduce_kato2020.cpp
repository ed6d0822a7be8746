#include "flexura/study/reproduce_case.hpp"
namespace flexura::detail {
std::vector<CaseDefinition> kato2020_cases() { return {}; }
}  // namespace flexura::detail
