#include "flexura/integrate/methods.hpp"

#include <gtest/gtest.h>

#include <set>

#include "flexura/integrate/analyses.hpp"
#include "flexura/integrate/stabilisation.hpp"

namespace flexura {
namespace {

void expect_complete(SettingsRows rows) {
  std::set<std::string_view> names;
  for (const SettingsRow& row : rows) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " twice";
    EXPECT_FALSE(row.doc.empty()) << row.name;
    EXPECT_EQ(find_row(rows, row.name), &row);
    EXPECT_NE(row.make(), nullptr) << row.name;
  }
  EXPECT_EQ(find_row(rows, "none of them"), nullptr);
}

TEST(Rows, HaveNamesOfTheirOwn) {
  expect_complete(time_methods());
  expect_complete(stabilisations());
  expect_complete(analyses());
}

TEST(Rows, OfMethodsSayWhatReportsCallThem) {
  std::set<std::string> labels;
  for (const SettingsRow& row : time_methods())
    EXPECT_TRUE(labels.insert(static_cast<const TimeMethod&>(*row.make()).label()).second) << row.name;
  EXPECT_EQ(methods_with_own_steps("and"), "rk45, rk853 and adams");
}

// A method whose steps the run cannot choose says why: the scene's reader repeats it.
TEST(Rows, OfMethodsWithOwnStepsRefuseAdaptiveOnes) {
  for (const SettingsRow& row : time_methods()) {
    const auto method = std::static_pointer_cast<const TimeMethod>(row.make());
    EXPECT_TRUE(!method->has_own_steps() || !method->why_not_adaptive().empty()) << row.name;
  }
}

struct Inner final : Settings {
  double depth = 2;
  void fields(SettingsVisitor& field) override {
    field(depth, number_field("depth", "m", "how deep").defaults_to(depth));
  }
};

struct Outer final : Settings {
  enum class Colour { red, green } colour = Colour::green;
  std::optional<Inner> inner;
  std::optional<double> width;
  std::shared_ptr<const TimeMethod> method;

  void fields(SettingsVisitor& field) override {
    field(colour, choice_field("colour", "which", {{"red", ""}, {"green", ""}}));
    field(inner, settings_table_field("inner", "a table"));
    field(width, number_field("width", "m", "how wide").more_than(0));
    field(method, settings_table_field("method", "a row"), time_methods());
  }
};

TEST(Settings, AreDescribedKeyByKey) {
  static constexpr SettingsRow rows[] = {SettingsRow::of<Outer>("outer", "with all kinds of keys")};
  const std::vector<VariantSpec> variants = variants_of(rows);
  ASSERT_EQ(variants.size(), 1u);
  const std::vector<FieldSpec>& fields = variants[0].fields;
  ASSERT_EQ(fields.size(), 4u);
  EXPECT_EQ(fields[0].kind, FieldKind::choice);
  ASSERT_NE(fields[1].table, nullptr);
  EXPECT_EQ(fields[1].table->kind, "inner");
  EXPECT_EQ(fields[1].table->fields.at(0).value, 2.0);
  EXPECT_EQ(fields[2].above, 0.0);
  ASSERT_NE(fields[3].table, nullptr);
  EXPECT_EQ(fields[3].table->types().front(), time_methods().front().name);
}

}  // namespace
}  // namespace flexura
