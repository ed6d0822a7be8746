#include "flexura/model/term_type.hpp"

namespace flexura {

const TermType* find_term(std::string_view name) {
  for (const TermType* type : registered_terms())
    if (type->info.name == name) return type;
  return nullptr;
}

}  // namespace flexura
