#include "scene_testing.hpp"

namespace flexura::testing {
namespace {

const std::string scene = R"(title = "hose"   # kept
[parameters]
L = "200 mm"
[section.wall]
EA = 2000
EI = "0.02 N m^2"   # kept
rhoA = 0.12
[cable.hose]
section = "wall"
path = [[0, 0], ["= L", 0]]
elements = 4
[[analysis]]
name = "move"
type = "dynamic"
end = 1
step = "1 ms"
)";

TEST(Override, ReplacesValuesAndKeepsTheRestOfTheText) {
  const SceneDocument read_back =
      read(scene, {"section.wall.EI=0.03", "parameters.L=\"300 mm\"", "analysis.move.end=2"});
  EXPECT_EQ(read_back.find("section", "wall")->number("EI"), 0.03);
  EXPECT_EQ((*read_back.find("cable", "hose")->get<Points>("path"))[1][0], 0.3);
  EXPECT_EQ(read_back.find("analysis", "move")->number("end"), 2.0);
  std::string expected = scene;
  expected.replace(expected.find("\"0.02 N m^2\""), 12, "0.03");
  expected.replace(expected.find("200"), 3, "300");
  expected.replace(expected.find("end = 1"), 7, "end = 2");
  EXPECT_EQ(read_back.effective_text, expected);
}

TEST(Override, NewKeysGiveASceneThatReadsTheSame) {
  const SceneDocument changed = read(scene, {"section.wall.axial=engineering", "output.interval=\"10 ms\"",
                                             "analysis.move.integrator.type=hht", "title=\"a \\\"b\\\"\""});
  const SceneDocument again = read(changed.effective_text);
  EXPECT_EQ(again.find("section", "wall")->text("axial"), "engineering");
  EXPECT_EQ(again.of_kind("output")[0]->number("interval"), 0.01);
  EXPECT_EQ((*again.find("analysis", "move")->get<std::shared_ptr<const Record>>("integrator"))->type, "hht");
  EXPECT_EQ(*again.head.get<std::string>("title"), "a \"b\"");
  EXPECT_EQ(again.effective_text, changed.effective_text);
}

TEST(Override, ReplacesPlacesInLists) {
  const SceneDocument changed =
      read(scene, {"cable.hose.path[0][1]=0.1", "cable.hose.path[1]=[0.3, 0]", "cable.hose.path[1][1]=\"20 mm\""});
  const Points& path = *changed.find("cable", "hose")->get<Points>("path");
  EXPECT_EQ(path[0][1], 0.1);
  EXPECT_EQ(path[1][0], 0.3);
  EXPECT_EQ(path[1][1], 0.02);
  EXPECT_NE(changed.effective_text.find("# kept"), std::string::npos);
  EXPECT_EQ(*read(changed.effective_text).find("cable", "hose")->get<Points>("path"), path);
  const auto problem = [](const std::string& set) { return problems_of(scene, {set}); };
  EXPECT_EQ(problem("cable.hose.path[2][0]=1"),
            Lines{"--set cable.hose.path[2][0]=1:0:0: cable.hose.path[2][0]: the list "
                  "has no [2], its last is [1]"});
  EXPECT_EQ(problem("section.wall.EI[0]=1"),
            Lines{"--set section.wall.EI[0]=1:0:0: section.wall.EI[0]: it is the text \"0.02 N m^2\", no list"});
  EXPECT_EQ(problem("cable.hose.path[x]=1"),
            Lines{"--set cable.hose.path[x]=1:0:0: cable.hose.path[x]: \"x\" is no place in a list: 0 is the first"});
  EXPECT_EQ(problem("cable.hose.pat[0]=1"),
            Lines{"--set cable.hose.pat[0]=1:0:0: cable.hose.pat[0]: the scene writes no \"cable.hose.pat\" (path?)"});
}

TEST(Override, TheLastOfTwoWins) {
  EXPECT_EQ(read(scene, {"section.wall.EI=3", "section.wall.EI=4"}).find("section", "wall")->number("EI"), 4.0);
}

// What a setting wrote stands nowhere in the scene's text, however far into its own it is.
TEST(Override, ReplacesWhatASettingWrote) {
  const std::string wall = "section.wall={EA=2000," + std::string(400, ' ') + "EI=0.02, rhoA=0.12}";
  const SceneDocument changed = read(scene, {wall, "section.wall.EI=0.03", "section.wall.EI=0.04"});
  EXPECT_EQ(changed.find("section", "wall")->number("EI"), 0.04);
  EXPECT_EQ(read(changed.effective_text).find("section", "wall")->number("EI"), 0.04);
}

TEST(Override, WhatIsNotThereIsNamed) {
  const auto problem = [](const std::string& set) { return problems_of(scene, {set}); };
  EXPECT_EQ(problem("section.wal.EI=1"),
            Lines{"--set section.wal.EI=1:0:0: section.wal.EI: the scene has no \"section.wal\" (wall?)"});
  EXPECT_EQ(problem("sectoin.wall.EI=1"),
            Lines{"--set sectoin.wall.EI=1:0:0: sectoin.wall.EI: there is no \"sectoin\" in scenes (section?)"});
  EXPECT_EQ(problem("parameters.Q=1"),
            Lines{"--set parameters.Q=1:0:0: parameters.Q: the scene has no parameter \"Q\""});
  EXPECT_EQ(
      problem("section.wall.EI=abc"),
      Lines{"--set section.wall.EI=abc:0:0: section.wall.EI: must be a number [N m^2]; this is the text \"abc\""});
  EXPECT_EQ(problem("analysis.end=1"),
            Lines{"--set analysis.end=1:0:0: analysis.end: \"analysis\" is a list; name the one "
                  "that is meant, as in analysis.NAME.KEY"});
  EXPECT_EQ(problem("EI"), Lines{"--set EI:0:0: : must be KEY=VALUE, as in section.wall.EI=0.02"});
  EXPECT_EQ(
      problem("section.wall.EI.x=1"),
      Lines{"--set section.wall.EI.x=1:0:0: section.wall.EI.x: \"section.wall.EI\" is not a table; it is the text "
            "\"0.02 N m^2\""});
}

}  // namespace
}  // namespace flexura::testing
