#include "flexura/study/linear_output.hpp"

#include <gtest/gtest.h>

namespace flexura {
namespace {

std::string table_of(const LinearResults& results, const std::string& name) {
  for (const auto& [file, text] : linear_tables(results))
    if (file == name) return text;
  return {};
}

TEST(LinearOutput, TablesHaveUnitsOfResponsesAndQuotedNames) {
  LinearResults results{.scene = "scene.toml"};
  results.responses = {.inputs = {{"push", "N"}, {"turn", "N m"}, {"free", ""}, {"way", "m"}, {"share", "1"}},
                       .outputs = {{"tip", "m"}},
                       .frequencies = {1},
                       .response = std::vector<std::complex<double>>(5, 1.0),
                       .warnings = {}};
  const std::string head = table_of(results, "response.csv");
  for (const char* expected : {"tip/push magnitude [m/N],tip/push phase [rad]", "tip/turn magnitude [m/(N m)]",
                               "tip/free magnitude [m]", "tip/way magnitude [1]", "tip/share magnitude [m]"})
    EXPECT_NE(head.find(expected), std::string::npos) << head;
  results.model.emplace();
  results.model->states = {{"the \"bob\", y", "m"}};
  results.model->A = {1};
  EXPECT_EQ(table_of(results, "A.csv"), "name,\"the \"\"bob\"\", y\"\n\"the \"\"bob\"\", y\",1\n");
}

}  // namespace
}  // namespace flexura
