// What the way back costs, in evaluations of items on duals: by what numbers touch, and not by how many they are.

#include <fmt/format.h>

#include "gradients.hpp"

namespace flexura {
namespace {

constexpr int steps = 20, parts = 40, lanes = native_lanes;
constexpr long blocks = (parts + lanes - 1) / lanes;
constexpr long times = steps + 1;  ///< that items are asked: at each step, and where the motion begins

/// A cable that falls, cut into 40 elements with a section each. Stiffnesses by `stiffness(k)`.
std::string cut_cable(auto&& stiffness, const std::string& parameters = "") {
  std::string text = "space = \"planar\"\ngravity = [0, -9.81]\n[parameters]\nL = 0.4\n" + parameters;
  for (int k = 0; k < parts; ++k) {
    const std::string end = k == 0 ? "\"ground\"" : fmt::format("\"c{}.end\"", k - 1);
    text += fmt::format("[section.s{}]\nEA = 2000\nEI = {}\nrhoA = 0.12\n", k, stiffness(k));
    text += fmt::format(
        "[cable.c{0}]\nsection = \"s{0}\"\npath = [[\"= L * {1} / {3}\", 0], [\"= L * {2} / {3}\", 0]]\n"
        "elements = 1\n",
        k, k, k + 1, parts);
    text += fmt::format("[joint.j{0}]\ntype = \"weld\"\nof = [{1}, \"c{0}.start\"]\n", k, end);
  }
  return text + fmt::format(
                    "[sensor.tip]\ntype = \"position\"\nat = \"c{}.end\"\n[[analysis]]\nname = \"fall\"\n"
                    "type = \"dynamic\"\nintegrator = \"generalized-alpha\"\nend = {}\nstep = 1e-3\n",
                    parts - 1, steps * 1e-3);
}

std::vector<std::string> stiffnesses(int count) {
  std::vector<std::string> out;
  for (int k = 0; k < count; ++k) out.push_back(fmt::format("section.s{}.EI", k));
  return out;
}

long evaluations(const SceneDocument& scene, const std::vector<std::string>& numbers,
                 const std::vector<std::string>& of = {}) {
  return differentiate_backwards(scene, read_again(scene), {.wrt = numbers, .of = of},
                                 [](const Derivatives& d) { return std::vector<double>(d.values.size(), 1.0); })
      .item_evaluations;
}

TEST(GradientCost, OnlyItemsThatNumbersTouchAreEvaluated) {
  const SceneDocument scene = scene_of(cut_cable([](int) { return "0.02"; }));
  EXPECT_EQ(evaluations(scene, stiffnesses(1)), times);
  EXPECT_EQ(evaluations(scene, stiffnesses(lanes)), times);
  EXPECT_EQ(evaluations(scene, stiffnesses(parts)), times * blocks);
  EXPECT_EQ(evaluations(scene, {"gravity[0]", "gravity[1]"}), 0);
}

// All numbers are in all stiffnesses, and an item has one of these.
TEST(GradientCost, DoesNotGrowWithNumbersOfTheSameItems) {
  std::string parameters, sum;
  std::vector<std::string> numbers;
  for (int k = 0; k < 60; ++k) {
    numbers.push_back(fmt::format("parameters.p{}", k));
    parameters += fmt::format("p{} = {}\n", k, 1e-4 * (k + 1));
    sum += fmt::format("{}p{}", k > 0 ? " + " : "", k);
  }
  const SceneDocument scene =
      scene_of(cut_cable([&](int k) { return fmt::format("\"= ({}) / {}\"", sum, k + 1); }, parameters));
  EXPECT_EQ(evaluations(scene, {numbers[0]}), times * blocks);
  EXPECT_EQ(evaluations(scene, numbers), times * blocks);
}

// All that an item remembers is gone back through at once.
TEST(GradientCost, DoesNotGrowWithWhatIsRemembered) {
  const std::vector<std::string> set{"analysis.hold.end=0.05", "spring.band.relaxation=[[0.1, 1.0]]"};
  const auto of = [&](const char* series) {
    std::vector<std::string> all = set;
    all.push_back(std::string("material.rubber.relaxation=") + series);
    return evaluations(example("relaxation", all), {"material.rubber.E"}, {"load"});
  };
  EXPECT_EQ(of("[[0.1, 1.0], [0.1, 2.0], [0.1, 3.0], [0.1, 4.0]]"), of("[[0.1, 1.0]]"));
}

TEST(GradientCost, BothWaysOfManyNumbers) {
  const SceneDocument scene = scene_of(cut_cable([](int k) { return fmt::format("{}", 0.02 + 1e-4 * k); }));
  std::vector<std::string> numbers = stiffnesses(parts);
  numbers.insert(numbers.end(), {"gravity[1]", "section.s3.rhoA", "section.s7.EA", "parameters.L"});
  expect_both_ways(scene, {.wrt = numbers, .times = {0.01, 0.02}},
                   1e-9);  // what rounding leaves of a cable that stretches little
}

}  // namespace
}  // namespace flexura
