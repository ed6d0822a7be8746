#include "flexura/model/term_type.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {

std::span<const TermInfo> scene_terms() {
  static const std::vector<TermInfo> terms = [] {
    std::vector<TermInfo> infos;
    for (const TermType* type : registered_terms()) infos.push_back(type->info);
    return infos;
  }();
  return terms;
}

}  // namespace flexura
