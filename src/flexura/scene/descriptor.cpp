#include "flexura/scene/descriptor.hpp"

namespace flexura {

const TableSpec* Grammar::find_table(const std::string& kind) const {
  for (const TableSpec& table : tables)
    if (table.kind == kind) return &table;
  return nullptr;
}

std::string LaterFeature::message() const {
  const bool one = doc == "friction" || doc.starts_with("a ") || doc.starts_with("the ");
  return doc + (one ? " is" : " are") + " not in this version yet";
}

const LaterFeature* Grammar::find_later(const std::string& kind, const std::string& type) const {
  for (const LaterFeature& feature : later)
    if (feature.kind == kind && feature.type == type) return &feature;
  return nullptr;
}

}  // namespace flexura
