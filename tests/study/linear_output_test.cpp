#include "flexura/study/linear_output.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

/// Pairs of eigenvalues of these sizes and imaginary parts.
LinearModel pairs(const std::vector<std::pair<double, double>>& sizes) {
  LinearModel model;
  const size_t n = 2 * sizes.size();
  model.states.resize(n);
  model.A.resize(n * n);
  for (size_t k = 0; k < sizes.size(); ++k) {
    const auto [size, imaginary] = sizes[k];
    const size_t at = 2 * k * n + 2 * k;
    model.A[at] = model.A[at + n + 1] = -std::sqrt(size * size - imaginary * imaginary);
    model.A[at + 1] = imaginary, model.A[at + n] = -imaginary;
  }
  return model;
}

// Of three that follow each other within 1e-9 the last is not within 1e-9 of the first: they have one order all the same.
TEST(LinearOutput, PolesHaveOneOrder) {
  std::vector<std::pair<double, double>> sizes{{1, 0.5}, {1 + 0.7e-9, 0.3}, {1 + 1.4e-9, 0.1}};
  const double expected[] = {-0.5, -0.3, 0.3, 0.5, -0.1, 0.1};
  std::ranges::sort(sizes);
  do {
    const std::vector<std::complex<double>> poles = poles_of(pairs(sizes));
    ASSERT_EQ(poles.size(), 6u);
    for (size_t k = 0; k < 6; ++k) EXPECT_NEAR(poles[k].imag(), expected[k], 1e-12);
  } while (std::ranges::next_permutation(sizes).found);
}

}  // namespace
}  // namespace flexura
