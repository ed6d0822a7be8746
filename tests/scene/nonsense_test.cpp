// Physical nonsense is an input error with a place, not a failure of a solver.

#include "flexura/scene/scene_model.hpp"
#include "scene_testing.hpp"

namespace flexura::testing {
namespace {

const std::string hose = R"([section.wall]
EA = 2000
EI = 0.02
rhoA = 0.12
[cable.hose]
section = "wall"
path = [[0, 0], [1, 0]]
elements = 4
)";
const std::string clamp = "[joint.clamp]\ntype = \"weld\"\nof = [\"ground\", \"hose.start\"]\n";
const std::string statics = "[[analysis]]\nname = \"hang\"\ntype = \"static\"\n";
const std::string dynamics = "[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = 2\nstep = 0.001\n";

Lines nonsense(const std::string& text) {
  Lines lines;
  try {
    interpret_scene(read(text));
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) lines.push_back(line_of(problem));
  }
  return lines;
}

TEST(Nonsense, AWholeSceneHasNone) { EXPECT_EQ(nonsense(hose + clamp + statics + dynamics), Lines{}); }

TEST(Nonsense, WhatNothingHoldsInStatics) {
  EXPECT_EQ(
      nonsense(hose + statics),
      Lines{
          "5:8: cable.hose: nothing holds this part in the static analysis \"hang\"; join it to the ground, as with a "
          "[joint.NAME] of = [\"ground\", \"hose.start\"]"});
  EXPECT_EQ(nonsense(hose + dynamics), Lines{});
  EXPECT_EQ(
      nonsense(hose + "[spring.s]\ntype = \"linear\"\nbetween = [[0, 1], \"hose.start\"]\nstiffness = 3\n" + statics),
      Lines{});
}

TEST(Nonsense, PathsWithoutLength) {
  std::string text = hose + clamp + statics;
  text.replace(text.find("[1, 0]]"), 7, "[0, 0]]");
  EXPECT_EQ(nonsense(text), Lines{"7:8: cable.hose.path: points 1 and 2 are the same"});
  text = hose + clamp + statics;
  text.replace(text.find("[[0, 0], [1, 0]]"), 16, "{ arc = { center = [0, 0], radius = 1, from = 1, to = 1 } }");
  EXPECT_EQ(nonsense(text), Lines{"7:16: cable.hose.path.arc: the arc has no length: `from` and `to` are the same"});
}

TEST(Nonsense, SectionsThatDoNotAddUp) {
  EXPECT_EQ(nonsense("[section.wall]\nEA = 1\nrhoA = 1\n" + dynamics),
            Lines{"1:10: section.wall: \"EI\" is missing: give it, or a shape and a material"});
  EXPECT_EQ(
      nonsense("[section.wall]\nEA = 1\nEI = 1\nrhoA = 1\naxial = \"chord\"\n" + dynamics),
      Lines{"5:9: section.wall.axial: \"chord\" needs curvature = \"simplified\": with \"material\" it has motions "
            "without energy"});
  EXPECT_EQ(nonsense("[section.wall]\nshape = { type = \"circle\", radius = 1 }\n" + dynamics),
            Lines{"2:9: section.wall.shape: a shape needs a material, as in material = \"NAME\""});
}

TEST(Nonsense, JointsThatCannotHold) {
  EXPECT_EQ(
      nonsense(hose + clamp + "[joint.pin]\ntype = \"pin\"\nof = [[1, 0.1], \"hose.end\"]\n" + statics),
      Lines{"14:6: joint.pin.of: \"[1, 0.1]\" and \"hose.end\" are 0.1 m apart in the reference configuration; a pin "
            "needs them together"});
  EXPECT_EQ(nonsense(hose + clamp + "[joint.g]\ntype = \"weld\"\nof = [\"ground\", [0, 0]]\n" + statics),
            Lines{"14:6: joint.g.of: both places are on the ground"});
  EXPECT_EQ(
      nonsense(hose + "[joint.clamp]\ntype = \"weld\"\nof = [\"ground\", \"hose.start\"]\nfrom = 1\n" + dynamics),
      Lines{"12:8: joint.clamp.from: joints that begin later are not in this version yet; they can end, with `until`"});
}

// Both sides are named.
TEST(Nonsense, JointsThatContradictEachOther) {
  const Lines lines =
      nonsense(hose + clamp +
               "[joint.lift]\ntype = \"prescribed\"\nof = [\"ground\", \"hose.start\"]\ny = \"= 0.1 * t\"\n" + statics);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].substr(0, lines[0].find(": both say")), "15:5: joint.lift: contradicts joint.clamp");
}

TEST(Nonsense, PlacesBeyondTheEndAndWithoutDirection) {
  EXPECT_EQ(nonsense(hose + clamp + "[mass.tip]\nat = \"hose@1.2 m\"\nm = 1\n" + statics),
            Lines{"13:6: mass.tip.at: \"hose@1.2 m\" is beyond the end: the cable is 1 m long"});
  EXPECT_EQ(nonsense(hose + clamp + "[mass.tip]\nat = \"ground\"\nm = 1\n" + statics),
            Lines{"13:6: mass.tip.at: the ground does not move"});
  EXPECT_EQ(
      nonsense(hose + clamp + "[point.bob]\nposition = [0, 1]\n" + dynamics),
      Lines{"12:8: point.bob: has no mass: put a mass on it (at = \"bob\"), tie it to a part by a joint, or let it be "
            "fixed"});
  EXPECT_EQ(nonsense(hose + clamp + "[mass.a]\nat = \"b\"\nm = 1\n[mass.b]\nat = \"a\"\nm = 1\n" + statics),
            (Lines{"13:6: mass.a.at: \"b\" is at itself", "16:6: mass.b.at: \"a\" is at itself"}));
  EXPECT_EQ(nonsense(hose + clamp + "[sensor.m]\ntype = \"node_elastic_moment\"\nat = \"hose@0.3\"\n" + statics),
            Lines{"14:6: sensor.m.at: must be a node: \"hose@0.3\" lies inside element 2 of 4"});
}

TEST(Nonsense, TimesThatDoNotFit) {
  EXPECT_EQ(nonsense(hose + clamp), Lines{"0:0: : the scene has no [[analysis]]"});
  EXPECT_EQ(
      nonsense(hose + clamp + dynamics + "[[analysis]]\nname = \"again\"\ntype = \"dynamic\"\nend = 1\nstep = 0.1\n"),
      Lines{"20:7: analysis.again.end: ends at 1 s, but begins at 2 s: `end` is a time, not a duration"});
  EXPECT_EQ(nonsense(hose + clamp + "[mass.tip]\nat = \"hose.end\"\nm = 1\nfrom = 1\nuntil = 0.5\n" + dynamics),
            Lines{"16:9: mass.tip.until: ends before it begins"});
  EXPECT_EQ(nonsense(hose + clamp + "[mass.tip]\nat = \"hose.end\"\nm = 1\nfrom = 3\n" + dynamics),
            Lines{"15:8: mass.tip.from: 3 s is after the end of the last analysis, 2 s"});
}

TEST(Nonsense, NewmarkWithMultipliers) {
  EXPECT_EQ(nonsense(hose + clamp + "[joint.rod]\ntype = \"distance\"\nof = [[1, 1], \"hose.end\"]\n" + dynamics +
                     "integrator = \"newmark\"\n"),
            Lines{"20:14: analysis.move.integrator: \"newmark\" is unstable with constraints that have multipliers "
                  "(joint.rod): they grow without bound; use \"generalized-alpha\" or \"hht\""});
}

}  // namespace
}  // namespace flexura::testing
