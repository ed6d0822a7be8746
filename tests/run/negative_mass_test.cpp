// Nodes of trusses may have negative masses, what moves may not.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "flexura/run/consistent_start.hpp"
#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string dynamic = "[[analysis]]\nname = \"go\"\ntype = \"dynamic\"\nend = 0.1\nstep = 1e-2\n";
const std::string modes = "[[analysis]]\nname = \"swing\"\ntype = \"modes\"\ncount = 1\n";
const std::string statics = "[[analysis]]\nname = \"hang\"\ntype = \"static\"\n";

/// What a check of the scene refuses, or what a run of it fails with; "" where it is fine.
std::string refusal(const std::string& text) {
  const SceneDocument document = read_scene_text(text, "scene.toml", scene_terms());
  try {
    const SceneModels scene = interpret_scene(document);
    check_start(scene, document);
  } catch (const InputError& error) {
    return fmt::format("{}: {}", error.problems()[0].path, error.problems()[0].message);
  }
  RunOptions options;
  options.record = false;
  const RunSummary run = run_scene(document, options);
  return run.status == RunStatus::finished ? "" : run.message;
}

/// A point of 1 kg on three elastic trusses, with another mass on it.
std::string point(double m, const std::string& analyses) {
  return fmt::format(R"(space = "spatial"
[point.p]
position = [0, 0, 1]
[mass.m]
at = "p"
m = 1
[truss.n]
type = "node"
at = "p"
m = {}
[truss.a]
type = "elastic"
between = [[1, 0, 0], "p"]
EA = 100
m = 0.3
[truss.b]
type = "elastic"
between = [[-1, 1, 0], "p"]
EA = 100
[truss.c]
type = "elastic"
between = [[-1, -1, 0], "p"]
EA = 100
{})",
                     m, analyses);
}

// 1 kg of the point and 0.1 of a member.
TEST(NegativeMass, OfAPointIsRefusedWhereItMoves) {
  const auto says = AllOf(HasSubstr("truss.n: "), HasSubstr("negative in 3 directions"),
                          HasSubstr("truss.n (-0.4 kg in all at 'p')"));
  EXPECT_THAT(refusal(point(-1.5, dynamic)), says);
  EXPECT_THAT(refusal(point(-1.5, modes)), says);
  EXPECT_THAT(refusal(point(-1.5, statics + dynamic)),
              HasSubstr("analysis 'go': the mass of what moves is negative in 3 directions"));
  EXPECT_EQ(refusal(point(-1.5, statics)), "");
  EXPECT_EQ(refusal(point(-1.0, dynamic)), "");
}

/// The tetrahedron of a uniform body of mass `m`: 3m/10 along its edges and −m/5 at its nodes, and `more` at one of them; it is free.
std::string tetrahedron(double more, const std::string& analyses) {
  std::string text = "space = \"spatial\"\n";
  const char* at[] = {"[0, 0, 0]", "[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
  for (int i = 0; i < 4; ++i) {
    text += fmt::format("[point.p{}]\nposition = {}\n", i, at[i]);
    text += fmt::format("[truss.n{0}]\ntype = \"node\"\nat = \"p{0}\"\nm = {1}\n", i, -0.2 + (i == 0 ? more : 0));
    for (int j = 0; j < i; ++j) text += fmt::format("[truss.e{0}{1}]\nbetween = [\"p{0}\", \"p{1}\"]\nm = 0.3\n", i, j);
  }
  return text + analyses;
}

// m_ii = 0.1 and m_ij = 0.05 m: with −0.02 kg more, 1/10 of the way there, it still is a body; with −0.08 there is a direction without
// mass: m_00 < (of the others) 3/28 …, found by its determinant. What is rigid is judged in the directions that it can move.
TEST(NegativeMass, OfABodyOfTrussesIsThatOfTheWhole) {
  EXPECT_EQ(refusal(tetrahedron(0, dynamic)), "");
  EXPECT_EQ(refusal(tetrahedron(-0.02, dynamic)), "");
  EXPECT_THAT(refusal(tetrahedron(-1, dynamic)), AllOf(HasSubstr("is negative in"), HasSubstr("truss.n0 (-0.9")));
}

// More members than it needs, whose equations are redundant, hide nothing and invent nothing.
TEST(NegativeMass, IsFoundBesideRedundantMembers) {
  const std::string node = "[truss.n]\ntype = \"node\"\nat = \"d\"\nm = ";
  EXPECT_EQ(refusal(crossed_square + node + "-0.5\n" + dynamic), "");
  std::string fixed = crossed_square + node + "-4\n";
  EXPECT_EQ(refusal(fixed + dynamic), "");  // nothing moves
  fixed.replace(fixed.find("[truss.top]"), 0, "[truss.none]\nbetween = [\"c\", \"d\"]\n");
  for (const char* gone : {"[truss.up]\nbetween = [\"a\", \"c\"]\n", "[truss.down]\nbetween = [\"b\", \"d\"]\n"})
    fixed.erase(fixed.find(gone), std::string(gone).size());
  EXPECT_THAT(refusal(fixed + dynamic), HasSubstr("negative in a direction"));
}

}  // namespace
}  // namespace flexura::test
