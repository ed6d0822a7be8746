#include "flexura/study/study_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace flexura::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string pendulum = R"(title = "pendulum"
gravity = [0, -9.81]
[parameters]
L = 1.5
[section.wall]
EA = 2000
EI = 0.0186
rhoA = 0.12
[cable.arm]
section = "wall"
path = [[0, 0], ["= L", 0]]
elements = 2
[joint.pin]
type = "pin"
of = ["ground", "arm.start"]
[[analysis]]
name = "swing"
type = "dynamic"
end = 0.1
step = 1e-3
)";

StudyForm form() {
  StudyForm form{.command = "test"};
  form.of_parameters.push_back(vector_field("values", "*", 2, "two of them"));
  return form;
}

StudyOptions files(std::map<std::string, std::string> texts) {
  StudyOptions options;
  options.scene.load = [texts = std::move(texts)](const std::string& path) -> std::optional<std::string> {
    const auto found = texts.find(path);
    if (found == texts.end()) return {};
    return found->second;
  };
  return options;
}

StudyFile read(const std::string& text, std::vector<Problem>& problems) {
  return read_study_text(text, "here/study.toml", form(), problems, files({{"here/pendulum.toml", pendulum}}));
}

TEST(StudyFile, FindsParametersByTheirPathInTheScene) {
  std::vector<Problem> problems;
  const StudyFile study = read(R"(scene = "pendulum.toml"
[set]
analysis.swing.end = 0.2
"section.wall.EA" = 3000
[parameter.stiffness]
path = "section.wall.EI"
values = ["0.01 N m^2", 0.02]
[parameter.L]
values = ["1000 mm", 2]
)",
                               problems);
  throw_study_problems(study, problems);
  ASSERT_EQ(study.parameters.size(), 2u);
  EXPECT_EQ(study.parameters[0].unit, "N m^2");
  EXPECT_EQ(study.parameters[0].present, 0.0186);
  EXPECT_EQ(study.parameters[1].path, "parameters.L");
  EXPECT_EQ(study.parameters[1].present, 1.5);
  EXPECT_THAT(*study.record(study.parameters[1]).get<Numbers>("values"), ElementsAre(1, 2));
  EXPECT_THAT(study.set, ElementsAre("analysis.swing.end=0.2", "section.wall.EA=3000"));

  const std::vector<double> values{0.1 + 0.2, 4};
  EXPECT_THAT(study.settings(values), ElementsAre("section.wall.EI=0.30000000000000004", "parameters.L=4"));
  const SceneDocument varied = study.vary(values);
  EXPECT_EQ(varied.find("section", "wall")->number("EI"), 0.1 + 0.2);
  EXPECT_EQ(varied.find("section", "wall")->number("EA"), 3000);
  EXPECT_EQ(varied.parameters[0].second, 4);
}

TEST(StudyFile, FindsNumbersOutsideOfTables) {
  std::vector<Problem> problems;
  StudyOptions options = files({});
  options.scene_text = "mass_damping = \"2.5 1/s\"\n" + pendulum;
  const StudyFile study =
      read_study_text("[parameter.damping]\npath = \"mass_damping\"\nvalues = [\"1 1/s\", \"2 kg\"]\n", "<study>",
                      form(), problems, options);
  ASSERT_EQ(study.parameters.size(), 1u);
  EXPECT_EQ(study.parameters[0].present, 2.5);
  EXPECT_EQ(study.parameters[0].unit, "1/s");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_THAT(problems[0].message, HasSubstr("kg"));
}

TEST(StudyFile, TakesASceneThatIsGivenInPlaceOfAFile) {
  std::vector<Problem> problems;
  StudyOptions options = files({});
  options.scene_text = pendulum;
  const StudyFile study = read_study_text("[parameter.L]\n", "<study>", form(), problems, options);
  throw_study_problems(study, problems);
  EXPECT_EQ(study.parameters[0].present, 1.5);
}

std::string message_of(auto&& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// As --set and gradients name them; where there is no such place it is told like any other path.
TEST(StudyFile, FindsNumbersInLists) {
  std::vector<Problem> problems;
  const StudyFile study = read(R"(scene = "pendulum.toml"
set = { "gravity[0]" = 0.5 }
[parameter.weight]
path = "gravity[1]"
values = [1, 2]
[parameter.far]
path = "cable.arm.path[0][1]"
values = [1, 2]
)",
                               problems);
  ASSERT_TRUE(problems.empty());
  EXPECT_EQ(study.parameters[0].present, -9.81);
  EXPECT_EQ(study.parameters[1].unit, "m");
  const SceneDocument there = study.vary(std::vector{-3.0, 0.25});
  ASSERT_NE(there.head.get<Numbers>("gravity"), nullptr);
  EXPECT_EQ(*there.head.get<Numbers>("gravity"), (Numbers{0.5, -3}));
  EXPECT_EQ((*there.find("cable", "arm")->get<Points>("path"))[0][1], 0.25);
  const std::vector<StudySetting> settings{{0, 1, study.record(study.parameters[0]).source_of("values")}};
  check_settings(study, settings, problems);
  EXPECT_TRUE(problems.empty());
}

TEST(StudyFile, RefusesSettingsOfWhatIsVaried) {
  std::vector<Problem> problems;
  read("scene = \"pendulum.toml\"\n[set]\nparameters.L = 3\n[parameter.L]\nvalues = [1, 2]\n", problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "set.parameters.L");
  EXPECT_EQ(problems[0].source.line, 3);
}

TEST(StudyFile, FindsEveryProblemOfTheStudyAtOnce) {
  const std::string message = message_of([] {
    std::vector<Problem> problems;
    const StudyFile study = read(R"(scene = "pendulum.toml"
tile = "x"
[parameter.a]
path = "section.wal.EI"
values = [1, 2]
[parameter.b]
path = "section.wall.EA"
value = [1, 2]
[parameter.c]
path = "section.wall.EA"
values = [2, -1]
[parameter.d]
path = "section.wall.rhoA"
values = ["1 N", 2]
)",
                                 problems);
    const std::vector<StudySetting> settings{
        {0, 1, study.record(study.parameters[0]).source_of("values")},
        {0, 2, study.record(study.parameters[0]).source_of("values")},
        {2, 2, study.record(study.parameters[2]).source_of("values")},
        {2, -1, study.record(study.parameters[2]).source_of("values")},
    };
    check_settings(study, settings, problems);
    throw_study_problems(study, problems);
  });
  EXPECT_THAT(message, HasSubstr("here/study.toml:2:1: error: tile: unknown key \"tile\""));
  EXPECT_THAT(message, HasSubstr("here/study.toml:4:8: error: parameter.a.path: section.wal.EI: the scene has no "
                                 "\"section.wal\""));
  EXPECT_THAT(message, HasSubstr("nearest: \"wall\""));
  EXPECT_THAT(message, HasSubstr("here/study.toml:8:1: error: parameter.b.value: unknown key"));
  EXPECT_THAT(message, HasSubstr("here/study.toml:10:8: error: parameter.c.path: \"section.wall.EA\" is varied by "
                                 "parameter.b already"));
  EXPECT_THAT(
      message,
      HasSubstr("here/study.toml:11:10: error: parameter.c: section.wall.EA: -1 is out of range; allowed: > 0"));
  EXPECT_THAT(message,
              HasSubstr("here/study.toml:14:11: error: parameter.d.values[0]: \"1 N\" has the wrong dimension; "
                        "section.wall.rhoA is in [kg/m]"));
}

TEST(StudyFile, SaysWhatIsWrongWithItsScene) {
  const auto reading = [](const std::string& text, std::map<std::string, std::string> texts) {
    return message_of([&] {
      std::vector<Problem> problems;
      read_study_text(text, "study.toml", form(), problems, files(std::move(texts)));
    });
  };
  EXPECT_THAT(reading("title = \"x\"\n", {}), HasSubstr("study.toml:1:1: error: scene: \"scene\" is missing"));
  EXPECT_THAT(reading("scene = \"a.toml\"\n", {}),
              HasSubstr("study.toml:1:9: error: scene: the file \"a.toml\" cannot"));
  const std::string both = reading("scene = \"a.toml\"\nx = 1\n", {{"a.toml", "gravty = [0, 1]\n"}});
  EXPECT_THAT(both, HasSubstr("a.toml:1:1: error: gravty"));
  EXPECT_THAT(both, HasSubstr("study.toml:2:1: error: x"));
}

}  // namespace
}  // namespace flexura::test
