#include "flexura/base/settings.hpp"

#include <algorithm>

namespace flexura {
namespace {

std::vector<FieldSpec> fields_of(Settings& settings);

/// Collects the keys.
class Description : public SettingsVisitor {
 public:
  std::vector<FieldSpec> fields;

 protected:
  void number(double&, FieldSpec spec) override { fields.push_back(std::move(spec)); }
  void written_number(std::optional<double>&, FieldSpec spec) override { fields.push_back(std::move(spec)); }
  void integer(int&, FieldSpec spec) override { fields.push_back(std::move(spec)); }
  void boolean(bool&, FieldSpec spec) override { fields.push_back(std::move(spec)); }
  void text(std::string&, FieldSpec spec) override { fields.push_back(std::move(spec)); }
  void numbers(std::vector<double>&, FieldSpec spec) override { fields.push_back(std::move(spec)); }
  void choice(int&, FieldSpec spec) override { fields.push_back(std::move(spec)); }
  bool group(Settings& values, FieldSpec spec) override {
    TableSpec table = table_of(spec);
    table.fields = fields_of(values);
    add(std::move(spec), std::move(table));
    return false;
  }
  std::shared_ptr<Settings> row(SettingsRows rows, FieldSpec spec) override {
    TableSpec table = table_of(spec);
    table.variants = variants_of(rows);
    add(std::move(spec), std::move(table));
    return nullptr;
  }

 private:
  static TableSpec table_of(const FieldSpec& spec) {
    TableSpec table;
    table.kind = spec.name;
    table.form = TableSpec::Form::single;
    return table;
  }
  void add(FieldSpec spec, TableSpec table) { fields.push_back(std::move(spec).or_table(std::move(table))); }
};

std::vector<FieldSpec> fields_of(Settings& settings) {
  Description description;
  settings.fields(description);
  return std::move(description.fields);
}

}  // namespace

FieldSpec settings_table_field(std::string name, std::string doc) {
  return table_field(std::move(name), std::move(doc), {});
}

const SettingsRow* find_row(SettingsRows rows, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const SettingsRow& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

std::vector<VariantSpec> variants_of(SettingsRows rows) {
  std::vector<VariantSpec> variants;
  for (const SettingsRow& row : rows)
    variants.push_back({std::string(row.name), std::string(row.doc), fields_of(*row.make())});
  return variants;
}

}  // namespace flexura
