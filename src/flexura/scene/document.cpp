#include "flexura/scene/document.hpp"

namespace flexura {

const Value* Record::find(std::string_view key) const {
  for (const auto& [name, value] : values)
    if (name == key) return &value;
  return nullptr;
}

double Record::number(std::string_view key, double otherwise) const {
  if (const double* x = get<double>(key)) return *x;
  const FieldSpec* field = spec == nullptr ? nullptr : spec->find_field(std::string(key), variant);
  return field != nullptr && field->value ? *field->value : otherwise;
}

long Record::integer(std::string_view key, long otherwise) const {
  if (const long* x = get<long>(key)) return *x;
  const FieldSpec* field = spec == nullptr ? nullptr : spec->find_field(std::string(key), variant);
  return field != nullptr && field->value ? static_cast<long>(*field->value) : otherwise;
}

bool Record::boolean(std::string_view key) const {
  const bool* x = get<bool>(key);
  return x != nullptr && *x;
}

std::string Record::text(std::string_view key) const {
  if (const std::string* x = get<std::string>(key)) return *x;
  const FieldSpec* field = spec == nullptr ? nullptr : spec->find_field(std::string(key), variant);
  return field != nullptr && field->kind == FieldKind::choice ? field->default_text : std::string();
}

Source Record::source_of(std::string_view key) const {
  const Value* value = find(key);
  return value == nullptr ? source : value->source;
}

const Record* nested(const Record& record, std::string_view key) {
  const auto* table = record.get<std::shared_ptr<const Record>>(key);
  return table == nullptr ? nullptr : table->get();
}

const Record* SceneDocument::find(std::string_view kind, std::string_view name) const {
  for (const Record& record : tables)
    if (record.kind == kind && record.name == name) return &record;
  return nullptr;
}

std::shared_ptr<const RegisteredLaw> SceneDocument::law_of(const Record& record) const {
  for (const auto& [path, law] : laws)
    if (path == record.path) return law;
  return nullptr;
}

std::vector<const Record*> SceneDocument::of_kind(std::string_view kind) const {
  std::vector<const Record*> found;
  for (const Record& record : tables)
    if (record.kind == kind) found.push_back(&record);
  return found;
}

}  // namespace flexura
