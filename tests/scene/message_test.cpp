// What is wrong with a scene, word for word. Every problem of a scene at once, in the order of the text.

#include <gmock/gmock.h>

#include "flexura/scene/source_texts.hpp"
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

TEST(Message, UnderlinesThePlaceAndNamesTheNearest) {
  try {
    read("[joint.clamp]\ntype = \"weld\"\nof   = [\"ground\", \"hoze.start\"]\n" + hose);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "scene.toml:3:19: error: joint.clamp.of[1]: there is no part named \"hoze\"\n"
                 "    of   = [\"ground\", \"hoze.start\"]\n"
                 "                      ^~~~~~~~~~~~  nearest: \"hose\"");
  }
}

TEST(Message, SyntaxErrorsHaveTheirPlace) {
  EXPECT_EQ(problems_of("title = \"a\"\nspace = \n").size(), 1u);
  EXPECT_THAT(problems_of("title = \"a\"\nspace = \n")[0], ::testing::StartsWith("2:"));
  EXPECT_EQ(problems_of("[.a]\n").size(), 1u);
  EXPECT_THAT(problems_of("[section.a]\nEA = 1\nEA = 2\n")[0], ::testing::StartsWith("3:"));
}

TEST(Message, NumbersAreFiniteWithinBoundsAndOfTheRightDimension) {
  const auto mass = [](const std::string& m) {
    return problems_of(hose + "[mass.tip]\nat = \"hose.end\"\nm = " + m + "\n");
  };
  EXPECT_EQ(mass("-0.03"), Lines{"11:5: mass.tip.m: -0.03 is out of range; allowed: >= 0 [kg]"});
  EXPECT_EQ(mass("nan"), Lines{"11:5: mass.tip.m: must be a finite number [kg]; this is nan"});
  EXPECT_EQ(mass("inf"), Lines{"11:5: mass.tip.m: must be a finite number [kg]; this is inf"});
  EXPECT_EQ(mass("\"-30 g\""), Lines{"11:5: mass.tip.m: -0.03 is out of range; allowed: >= 0 [kg]"});
  EXPECT_EQ(mass("\"30 mm\""), Lines{"11:5: mass.tip.m: \"30 mm\" has the wrong dimension; expected [kg]"});
  EXPECT_EQ(mass("\"30 gr\""), Lines{"11:5: mass.tip.m: \"gr\" is not a unit; expected [kg] (g?)"});
  EXPECT_EQ(mass("\"30\""), Lines{"11:5: mass.tip.m: a number in quotes needs a unit; write \"30 kg\""});
  EXPECT_EQ(mass("\"heavy\""), Lines{"11:5: mass.tip.m: must be a number [kg]; this is the text \"heavy\""});
  EXPECT_EQ(mass("true"), Lines{"11:5: mass.tip.m: must be a number [kg]; this is true"});
  EXPECT_EQ(mass("[1]"), Lines{"11:5: mass.tip.m: must be a number [kg]; this is an array"});
  EXPECT_EQ(mass("1979-05-27"), Lines{"11:5: mass.tip.m: must be a number [kg]; this is a date or time of day"});
  EXPECT_EQ(mass("\"= 1 / 0\""), Lines{"11:5: mass.tip.m: the expression gives inf"});
  EXPECT_EQ(mass("\"30 g\""), Lines{});
}

TEST(Message, KeysAndTablesMustBeKnown) {
  EXPECT_EQ(problems_of("grvity = [0, -9.81]\n"), Lines{"1:1: grvity: unknown key \"grvity\" (gravity?)"});
  EXPECT_EQ(problems_of("[sectoin.wall]\nEA = 1\n"),
            Lines{"1:2: sectoin: there is no kind of table named \"sectoin\" (section?)"});
  EXPECT_EQ(problems_of("[muscle.rod]\nm = 1\n"), Lines{"1:9: muscle.rod: muscles are not in this version yet"});
  EXPECT_EQ(problems_of("[beam.rod]\nelements = 1\n"), Lines{"1:2: beam: is for spatial scenes, space = \"spatial\""});
  EXPECT_EQ(problems_of("[output]\nintervall = 1\n"),
            Lines{"2:1: output.intervall: unknown key; allowed: \"interval\", \"sensor_interval\" and \"every_step\" "
                  "(interval?)"});
  EXPECT_EQ(problems_of("[material]\nE = 1\n"),
            Lines{"2:1: material.E: every material has a name: [material.NAME], then its keys"});
  EXPECT_EQ(problems_of("output = 3\n"), Lines{"1:1: output: must be a table, [output]; this is 3"});
  EXPECT_EQ(problems_of("[analysis]\nname = \"a\"\n"),
            Lines{"1:2: analysis: is a list: each one begins with [[analysis]]"});
  EXPECT_EQ(problems_of("[material.\"1a\"]\nE = 1\nrho = 1\n"),
            Lines{"1:11: material.1a: a name begins with a letter and holds letters, digits, _ and -"});
}

TEST(Message, TypesAndMissingKeys) {
  EXPECT_EQ(
      problems_of(hose + "[joint.clamp]\ntype = \"wedl\"\n"),
      Lines{
          "10:8: joint.clamp.type: there is no joint of type \"wedl\"; allowed: \"weld\", \"clamp_direction\", "
          "\"pin\", \"prescribed\", \"revolute\", \"prismatic\", \"point_on_line\", \"gear\" or \"distance\" (weld?)"});
  EXPECT_EQ(problems_of("[joint.neck]\ntype = \"drive\"\n"),
            Lines{"2:8: joint.neck.type: drives are not in this version yet"});
  EXPECT_EQ(
      problems_of("[joint.neck]\ntype = \"spherical\"\n"),
      Lines{"2:8: joint.neck.type: \"spherical\" is for spatial scenes, space = \"spatial\"; in this one: \"weld\", "
            "\"clamp_direction\", \"pin\", \"prescribed\", \"revolute\", \"prismatic\", \"point_on_line\", \"gear\" or "
            "\"distance\""});
  EXPECT_EQ(problems_of("[material.steel]\nrho = 7800\n"),
            Lines{"1:11: material.steel: \"E\" is missing: Young's modulus [Pa]"});
  EXPECT_EQ(problems_of("[[analysis]]\nname = \"a\"\n"),
            Lines{"1:1: analysis.a: \"type\" is missing; allowed: \"static\", \"dynamic\", \"kinematic\", "
                  "\"inverse_dynamics\" or \"modes\""});
  EXPECT_EQ(problems_of("[[analysis]]\ntype = \"modes\"\n"),
            Lines{"1:1: analysis[0]: \"name\" is missing: its name, unique"});
}

// A beam's unknown places once meant its start.
TEST(Message, PlacesOfBeams) {
  const auto at = [](const std::string& place) {
    return problems_of(
        "space = \"spatial\"\n[section.wall]\nshape = { type = \"circle\", radius = 0.01 }\nmaterial = \"steel\"\n"
        "[material.steel]\nE = 2e11\nrho = 7800\n[beam.b]\nsection = \"wall\"\npath = [[0, 0, 0], [1, 0, 0]]\nelements "
        "= 2\n"
        "[mass.tip]\nm = 1\nat = \"" +
        place + "\"\n");
  };
  const std::string here = "14:6: mass.tip.at: ";
  for (const std::string name : {"tip", "center"})
    EXPECT_EQ(at("b." + name),
              Lines{here + "a beam has no place named \"" + name + "\"; it has \"start\" and \"end\""});
  EXPECT_EQ(at("b@(0.2, 0.7)"), Lines{here + "a beam's places need one share, as in @0.5"});
  EXPECT_EQ(at("b"), Lines{here + "which place of the beam? \"b.start\", \"b.end\" or, by share of length, \"b@0.5\""});
  EXPECT_EQ(at("b.end"), Lines{});
}

TEST(Message, PlacesAndNames) {
  const auto at = [](const std::string& place) {
    return problems_of(hose + "[mass.tip]\nm = 1\nat = " + place + "\n");
  };
  EXPECT_EQ(at("\"hose\""),
            Lines{"11:6: mass.tip.at: which place of the cable? \"hose.start\", \"hose.end\" or, by share "
                  "of length, \"hose@0.5\""});
  EXPECT_EQ(at("\"hose.tip\""),
            Lines{"11:6: mass.tip.at: a cable has no place named \"tip\"; it has \"start\" and \"end\""});
  EXPECT_EQ(at("\"hose@1.5\""), Lines{"11:6: mass.tip.at: the share in \"hose@1.5\" must be from 0 to 1"});
  EXPECT_EQ(at("\"hose@5 kg\""),
            Lines{"11:6: mass.tip.at: the position in \"hose@5 kg\" must be a share or a length [m]"});
  EXPECT_EQ(at("\"hose@(0.1, 0.2)\""), Lines{"11:6: mass.tip.at: a cable's places need one share, as in @0.5"});
  EXPECT_EQ(at("\"tip.end\""), Lines{"11:6: mass.tip.at: \"tip\" is a mass: it has no places of its own"});
  EXPECT_EQ(at("3"),
            Lines{"11:6: mass.tip.at: must be a place, as \"ground\", \"NAME.end\" or the coordinates of a point "
                  "of the ground; this is 3"});
  EXPECT_EQ(at("[1, 2, 3]"), Lines{"11:6: mass.tip.at: must be 2 numbers [m]; this is a list of 3"});
  EXPECT_EQ(at("\"hose@60 mm\""), Lines{});
  EXPECT_EQ(problems_of(hose + "[mass.hose]\nm = 1\nat = \"hose.end\"\n"),
            Lines{"9:7: mass.hose: \"hose\" is already the name of a cable; parts need different names"});
  EXPECT_EQ(problems_of(hose + "[mass.ground]\nm = 1\nat = \"hose.end\"\n"),
            Lines{"9:7: mass.ground: \"ground\" is what does not move; choose another name"});
}

TEST(Message, ExpressionsPointIntoTheText) {
  EXPECT_EQ(problems_of("[parameters]\nL = 0.2\nK = \"= 2 * Ll\"\n"),
            Lines{"3:12: parameters.K: unknown name 'Ll', expected a parameter, pi, e (L?)"});
  EXPECT_EQ(problems_of("[parameters]\nsin = 0.2\n"),
            Lines{"2:1: parameters.sin: \"sin\" has a meaning of its own in expressions"});
}

TEST(Message, SignalsAreChecked) {
  const auto force = [](const std::string& signal) {
    return problems_of(hose + "[load.pull]\ntype = \"force\"\nat = \"hose.end\"\nforce = [1, 0]\nsignal = " + signal +
                       "\n");
  };
  EXPECT_EQ(force("\"pump\""),
            Lines{"13:10: load.pull.signal: there is no signal named \"pump\"; a formula begins with ="});
  EXPECT_EQ(force("\"2 N\""),
            Lines{"13:10: load.pull.signal: \"2 N\" has the wrong dimension; expected a number without unit"});
  EXPECT_EQ(force("{ type = \"ramp\", to = \"2 N\", duration = 1 }"),
            Lines{"13:32: load.pull.signal.to: \"2 N\" has the wrong dimension; expected a number without unit"});
  EXPECT_EQ(force("{ type = \"ramp\", to = 2, duration = -1 }"),
            Lines{"13:46: load.pull.signal.duration: -1 is out of range; allowed: >= 0 [s]"});
  EXPECT_EQ(force("true"),
            Lines{"13:10: load.pull.signal: must be a signal: a number, a formula in t, the name of a signal "
                  "or a table; this is true"});
  EXPECT_EQ(force("\"= sin(2 * pi * t)\""), Lines{});
  EXPECT_EQ(
      problems_of("[signal.a]\ntype = \"lag\"\nof = \"b\"\ntime_constant = 1\n[signal.b]\ntype = \"lag\"\nof = \"a\"\n"
                  "time_constant = 1\n")
          .size(),
      1u);
}

TEST(Message, FilesAreNamedWithTheirOwnPlaces) {
  const std::string table = "[signal.pump]\ntype = \"table\"\nfile = \"pump.csv\"\n";
  EXPECT_EQ(problems_of(table), Lines{"3:8: signal.pump.file: the file \"pump.csv\" cannot be read"});
  const Files bad{{{"pump.csv", "t,p\n0,1\n1,x\n"}}};
  ASSERT_EQ(problems_of(table, {}, bad).size(), 1u);
  EXPECT_THAT(problems_of(table, {}, bad)[0], ::testing::StartsWith("pump.csv:3:3: "));
  const Files good{{{"pump.csv", "t,p\n0,1\n1,2\n"}}};
  EXPECT_EQ(problems_of(table, {}, good), Lines{});
  EXPECT_THAT(problems_of(table + "value = \"q\"\n", {}, good)[0], ::testing::StartsWith("4:9: signal.pump.value: "));
  EXPECT_EQ(problems_of(table + "unit = \"kPaa\"\n", {}, good),
            Lines{"4:8: signal.pump.unit: \"kPaa\" is not a unit (kPa?)"});
}

TEST(Message, AllProblemsAreReportedAtOnce) {
  EXPECT_EQ(
      problems_of("title = 3\nspace = \"planer\"\n[section.wall]\nEA = -1\nEJ = 2\n[mass.tip]\nat = \"hose.end\"\n"),
      (Lines{"1:9: title: must be a text; this is 3",
             "2:9: space: \"planer\" is not allowed here; allowed: \"planar\" or \"spatial\" (planar?)",
             "4:6: section.wall.EA: -1 is out of range; allowed: > 0 [N]",
             "5:1: section.wall.EJ: unknown key; allowed: \"EA\", \"EI\", \"rhoA\", \"shape\", \"material\", "
             "\"size_factor\", \"axial\", \"integration\", "
             "\"curvature\", \"damping_stretch\", \"damping_bend\", \"bend_stiffening\", \"stiffness_damping\", "
             "\"relaxation\" and \"mass_damping\" (EA?)",
             "6:7: mass.tip: \"m\" is missing: mass [kg]", "7:6: mass.tip.at: there is no part named \"hose\""}));
}

}  // namespace
}  // namespace flexura::testing
