// States of self-stress and mechanisms of scenes, against frames whose counts and forces are known.

#include "flexura/run/frame_report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;

Json frame_of(const std::string& text) {
  const SceneDocument document = read_scene_text(text, "scene.toml", scene_terms());
  return frame_summary(interpret_scene(document), document);
}

struct Node {
  std::string name;
  std::vector<double> x;
  bool fixed = false;
};

std::string frame_text(const std::vector<Node>& nodes, const std::vector<std::pair<std::string, std::string>>& members,
                       const std::string& how) {
  std::string text = nodes[0].x.size() == 2 ? "space = \"planar\"\n" : "space = \"spatial\"\n";
  for (const Node& node : nodes)
    text += fmt::format("[point.{}]\nposition = [{:.17g}]\n{}", node.name, fmt::join(node.x, ", "),
                        node.fixed ? "fixed = true\n" : fmt::format("[mass.m_{0}]\nat = \"{0}\"\nm = 1\n", node.name));
  for (const auto& [a, b] : members)
    text += fmt::format("[truss.{0}{1}]\nbetween = [\"{0}\", \"{1}\"]\n{2}", a, b, how);
  return text + "[[analysis]]\nname = \"d\"\ntype = \"dynamic\"\nend = 1.0\nstep = 0.01\n";
}

const std::string rigid = "type = \"rigid\"\n", elastic = "type = \"elastic\"\nEA = 1e4\n";

void expect_counts(const Json& frame, int s, int m, int rigid_motions) {
  EXPECT_EQ(frame["self_stress"], s);
  EXPECT_EQ(frame["mechanisms"], m);
  EXPECT_EQ(frame["rigid_body_motions"], rigid_motions);
  EXPECT_EQ(frame["constraints"].get<int>() + frame["elastic_members"].get<int>() - frame["coordinates"].get<int>(),
            s - m - rigid_motions);
}

// Two bars on one line between the ground: the middle moves across by nothing to first order, and tension holds it.
TEST(FrameReport, TwoBarsOnALine) {
  for (const std::string& how : {rigid, elastic}) {
    const Json frame =
        frame_of(frame_text({{"a", {0, 0}, true}, {"b", {1, 0}}, {"c", {3, 0}, true}}, {{"a", "b"}, {"b", "c"}}, how));
    expect_counts(frame, 1, 1, 0);
    EXPECT_EQ(frame["infinitesimal"], 1);
    EXPECT_NEAR(frame["states"][0]["truss.ab"].get<double>() - frame["states"][0]["truss.bc"].get<double>(), 0, 1e-12);
    EXPECT_NEAR(std::fabs(frame["motions"][0]["moves"]["b"][1].get<double>()), 1, 1e-12);
  }
}

// In space a taut string has two mechanisms at each of its inner nodes. The turn about its own line is none of a rigid body, which moves
// nothing.
TEST(FrameReport, StringsInSpace) {
  for (const std::string& how : {rigid, elastic}) {
    expect_counts(frame_of(frame_text({{"a", {0, 0, 0}, true}, {"b", {1, 0, 0}}, {"c", {2, 0, 0}, true}},
                                      {{"a", "b"}, {"b", "c"}}, how)),
                  1, 2, 0);
    std::vector<Node> nodes;
    std::vector<std::pair<std::string, std::string>> members;
    for (int k = 0; k < 6; ++k) {
      nodes.push_back({fmt::format("p{}", k), {0.3 * k, 0.1 * k, 0.2 * k}, k == 0 || k == 5});
      if (k > 0) members.push_back({fmt::format("p{}", k - 1), fmt::format("p{}", k)});
    }
    expect_counts(frame_of(frame_text(nodes, members, how)), 1, 8, 0);
  }
}

// A free square with one diagonal is stiff; the second adds the one state of self-stress: 1 in the sides, −√2 in the diagonals.
TEST(FrameReport, ASquareWithItsDiagonals) {
  const std::vector<Node> nodes{{"a", {0, 0}}, {"b", {1, 0}}, {"c", {1, 1}}, {"d", {0, 1}}};
  std::vector<std::pair<std::string, std::string>> members{{"a", "b"}, {"b", "c"}, {"c", "d"}, {"d", "a"}};
  expect_counts(frame_of(frame_text(nodes, members, elastic)), 0, 1, 3);
  members.push_back({"a", "c"});
  expect_counts(frame_of(frame_text(nodes, members, rigid)), 0, 0, 3);
  members.push_back({"b", "d"});
  for (const std::string& how : {rigid, elastic}) {
    const Json frame = frame_of(frame_text(nodes, members, how)), state = frame["states"][0];
    expect_counts(frame, 1, 0, 3);
    for (const char* kind : {"finite", "infinitesimal", "branching"}) EXPECT_EQ(frame[kind], 0);
    EXPECT_NEAR(state["truss.ab"].get<double>() / state["truss.ac"].get<double>(), -std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(state["truss.da"].get<double>() / state["truss.bd"].get<double>(), -std::sqrt(0.5), 1e-12);
  }
}

// A beam on three parallel posts sways for ever: self-stress, and yet a finite mechanism.
TEST(FrameReport, ABeamOnParallelPostsSways) {
  const Json frame = frame_of(frame_text(
      {{"p", {0, 0}, true}, {"q", {1, 0}, true}, {"r", {2, 0}, true}, {"a", {0, 1}}, {"b", {1, 1}}, {"c", {2, 1}}},
      {{"p", "a"}, {"q", "b"}, {"r", "c"}, {"a", "b"}, {"b", "c"}, {"a", "c"}}, elastic));
  expect_counts(frame, 1, 1, 0);
  EXPECT_EQ(frame["finite"], 1);
  EXPECT_EQ(frame["states"][0].size(), 3u) << "only the beam's own members";
}

// Folded flat, a parallelogram can go on as one or as an antiparallelogram.
TEST(FrameReport, PathsCrossWhereAParallelogramIsFlat) {
  const Json frame = frame_of(frame_text({{"p", {0, 0}, true}, {"q", {2, 0}, true}, {"a", {1, 0}}, {"b", {3, 0}}},
                                         {{"p", "a"}, {"q", "b"}, {"a", "b"}}, rigid));
  expect_counts(frame, 1, 2, 0);
  EXPECT_EQ(frame["branching"], 2);
}

/// The free prism of n struts, turned by `turn` beyond its parallel position, unit radius and height.
std::string free_prism(int n, double turn) {
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, std::string>> members;
  for (int k = 0; k < 2 * n; ++k) {
    const double angle = 2 * std::numbers::pi * (k % n) / n + (k < n ? 0 : turn);
    nodes.push_back(
        {fmt::format("{}{}", k < n ? "b" : "t", k % n), {std::cos(angle), std::sin(angle), k < n ? 0.0 : 1.0}});
  }
  for (int k = 0; k < n; ++k) {
    const std::string b = fmt::format("b{}", k), t = fmt::format("t{}", k);
    members.insert(members.end(), {{b, fmt::format("b{}", (k + 1) % n)}, {t, fmt::format("t{}", (k + 1) % n)}, {b, t}});
    members.push_back({b, fmt::format("t{}", (k + 1) % n)});
  }
  return frame_text(nodes, members, elastic);
}

// With struts from b_k to t_{k+1} the prism stands at a turn of π/2 − π/n: force densities 1 in the cables beside the struts,
// −1 in them, 1/(2 sin(π/n)) in both polygons. It has one state and, free, 2n − 5 mechanisms [connelly1995].
TEST(FrameReport, PrismsStandWhereTheyAreTurned) {
  for (const int n : {3, 4, 5, 6}) {
    const double turn = std::numbers::pi / 2 - std::numbers::pi / n;
    const Json frame = frame_of(free_prism(n, turn));
    expect_counts(frame, 1, 2 * n - 5, 6);
    EXPECT_EQ(frame["infinitesimal"], 2 * n - 5) << n;
    const Json state = frame["states"][0];
    const double strut = std::sqrt(3 - 2 * std::cos(turn + 2 * std::numbers::pi / n)),
                 cable = std::sqrt(3 - 2 * std::cos(turn)), side = 2 * std::sin(std::numbers::pi / n);
    const double q = -state["truss.b0t1"].get<double>() / strut;
    EXPECT_NEAR(state["truss.b0t0"].get<double>() / cable / q, 1, 1e-10);
    EXPECT_NEAR(state["truss.b0b1"].get<double>() / side / q, 0.5 / std::sin(std::numbers::pi / n), 1e-10);
    EXPECT_NEAR(state["truss.t0t1"].get<double>() / side / q, 0.5 / std::sin(std::numbers::pi / n), 1e-10);
    expect_counts(frame_of(free_prism(n, turn + 0.1)), 0, 2 * n - 6, 6);
  }
}

// Digits that are missing leave a row that is nearly no more than others say; that is said.
TEST(FrameReport, FewDigitsAreNoticed) {
  const Json frame = frame_of(free_prism(3, std::numbers::pi / 6 + 1e-6));
  EXPECT_EQ(frame["self_stress"], 0);
  EXPECT_THAT(frame["remarks"].dump(), HasSubstr("written with enough digits"));
}

// The tensions of elastic members are judged: those of a string, and those of a string of which one part pulls more.
TEST(FrameReport, PrestressIsJudged) {
  const auto string = [](double first) {
    return frame_of(
        fmt::format("space = \"planar\"\n[point.a]\nposition = [0, 0]\nfixed = true\n[point.b]\nposition = [1, "
                    "0]\n[point.c]\nposition = "
                    "[2, 0]\nfixed = true\n[mass.m]\nat = \"b\"\nm = 1\n"
                    "[truss.s]\nbetween = [\"a\", \"b\"]\ntype = \"elastic\"\nEA = 1e4\nprestress = {}\n"
                    "[truss.t]\nbetween = [\"b\", \"c\"]\ntype = \"elastic\"\nEA = 1e4\nprestress = 50\n"
                    "[[analysis]]\nname = \"s\"\ntype = \"static\"\n",
                    first));
  };
  EXPECT_EQ(string(50)["prestress"]["stiffens"], true);
  EXPECT_NEAR(string(50)["prestress"]["forces"]["truss.t"].get<double>(), 50, 1e-10);
  const Json uneven = string(60);
  EXPECT_EQ(uneven["prestress"]["stiffens"], false);
  EXPECT_NEAR(uneven["prestress"]["misfit"].get<double>(), 10 / std::sqrt(2.0) / std::hypot(60, 50), 1e-10);
  EXPECT_THAT(frame_summary_text(uneven), HasSubstr("are no state of self-stress"));
}

// Cubes with all diagonals of their faces: counted, if not listed, within seconds.
TEST(FrameReport, ThousandsOfMembersAreCounted) {
  const int n = 6;
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, std::string>> members;
  const auto name = [](int i, int j, int k) { return fmt::format("n{}_{}_{}", i, j, k); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        nodes.push_back({name(i, j, k), {1.0 * i, 1.0 * j, 1.0 * k}, false});
        for (int a = -1; a <= 1; ++a)
          for (int b = -1; b <= 1; ++b)
            for (int c = 0; c <= 1; ++c) {
              const bool later = c > 0 || b > 0 || (b == 0 && a > 0);
              const bool inside = i + a >= 0 && i + a < n && j + b >= 0 && j + b < n && k + c < n;
              if (later && inside && std::abs(a) + std::abs(b) + c <= 2)
                members.push_back({name(i, j, k), name(i + a, j + b, k + c)});
            }
      }
  const Json frame = frame_of(frame_text(nodes, members, elastic));
  const int rows = static_cast<int>(members.size());
  expect_counts(frame, rows - 3 * n * n * n + 6, 0, 6);
  EXPECT_EQ(rows, 1440);
}

}  // namespace
}  // namespace flexura::test
