#pragma once
// What a scene may contain, as data: the reader, the JSON Schema and the documentation all come from it.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "flexura/base/field_spec.hpp"
#include "flexura/term/term_info.hpp"

namespace flexura {

/// A feature that the format carries and this version does not: [kind.NAME], one type of it, or a key.
struct LaterFeature {
  std::string kind, type, doc;
  std::string message() const;  ///< "rigid bodies are not in this version yet"
};

/// Everything a scene of one space may contain.
struct Grammar {
  int dim = 2;
  std::vector<FieldSpec> head;  ///< keys at the top
  std::vector<TableSpec> tables;
  std::vector<LaterFeature> later;
  std::vector<std::string> later_parts;  ///< kinds of parts among them
  std::vector<std::string> elsewhere;    ///< what scenes of the other space have and these do not: "beam", "shape.box"

  const TableSpec* find_table(const std::string& kind) const;
  const LaterFeature* find_later(const std::string& kind, const std::string& type) const;
  /// "is for spatial scenes, space = \"spatial\"" for what is elsewhere; "" for what is nowhere.
  std::string elsewhere_text(const std::string& feature) const;
};

/// The grammar for dim = 2 or 3; `terms` must outlive it.
std::shared_ptr<const Grammar> scene_grammar(int dim, std::span<const TermInfo> terms);

}  // namespace flexura
