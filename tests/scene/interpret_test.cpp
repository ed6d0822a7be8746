// Scenes → models: geometry of references, places, joints, reactions, what acts when.

#include <cmath>
#include <numbers>

#include "flexura/scene/scene_model.hpp"
#include "scene_testing.hpp"

namespace flexura::testing {
namespace {

const std::string section = "[section.wall]\nEA = 2000\nEI = 0.02\nrhoA = 0.12\n";
const std::string statics = "[[analysis]]\nname = \"hang\"\ntype = \"static\"\n";
const std::string dynamics = "[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = 2\nstep = \"1 ms\"\n";

std::string cable(const std::string& name, const std::string& path, int elements) {
  return fmt::format("[cable.{}]\nsection = \"wall\"\npath = {}\nelements = {}\n", name, path, elements);
}
std::string joint(const std::string& name, const std::string& type, const std::string& a, const std::string& b) {
  return fmt::format("[joint.{}]\ntype = \"{}\"\nof = [{}, {}]\n", name, type, a, b);
}
const std::string clamp = joint("clamp", "weld", "\"ground\"", "\"hose.start\"");

SceneModels interpret(const std::string& text) { return interpret_scene(read(text)); }

std::vector<double> reference(const SceneModel& m, int slot) {
  const Slot& s = m.model.topology->slots[slot];
  const auto from = m.model.values.reference.begin() + s.offset;
  return {from, from + s.size};
}

// Exact: nodes of an arc lie on the circle, at equal angles, with unit tangents.
TEST(Interpret, ArcsAreDividedByArcLength) {
  const SceneModels scene =
      interpret(section + cable("hose", "{ arc = { center = [1, 0], radius = 2, from = \"90 deg\", to = 0 } }", 4) +
                clamp + statics);
  const CablePart& hose = scene.models[0].cables[0];
  EXPECT_DOUBLE_EQ(hose.length, std::numbers::pi);
  for (int k = 0; k <= 4; ++k) {
    const double angle = std::numbers::pi / 2 * (1 - k / 4.0);
    const auto r = reference(scene.models[0], hose.points[k]), t = reference(scene.models[0], hose.vectors[k]);
    EXPECT_NEAR(r[0], 1 + 2 * std::cos(angle), 1e-15);
    EXPECT_NEAR(r[1], 2 * std::sin(angle), 1e-15);
    EXPECT_NEAR(t[0], std::sin(angle), 1e-15);
    EXPECT_NEAR(t[1], -std::cos(angle), 1e-15);
  }
}

// A natural spline through 33 points of a semicircle of radius 1: its length is that of the arc up to the end effect of
// the zero end curvature (measured 3.4e-4 short), and its nodes are equally far from each other along it.
TEST(Interpret, SplinesAreDividedByArcLength) {
  std::string points;
  for (int i = 0; i <= 32; ++i) {
    const double a = std::numbers::pi * i / 32;
    points += fmt::format("{}[{}, {}]", i == 0 ? "" : ", ", std::cos(a), std::sin(a));
  }
  const SceneModels scene = interpret(section + cable("hose", "{ spline = [" + points + "] }", 8) + clamp + statics);
  const CablePart& hose = scene.models[0].cables[0];
  EXPECT_NEAR(hose.length, std::numbers::pi, 1e-3);
  for (int k = 0; k <= 8; ++k) {
    const auto r = reference(scene.models[0], hose.points[k]), t = reference(scene.models[0], hose.vectors[k]);
    EXPECT_NEAR(std::hypot(r[0], r[1]), 1, 1e-3);
    EXPECT_NEAR(std::hypot(t[0], t[1]), 1, 1e-14);
    EXPECT_NEAR(std::atan2(r[1], r[0]), std::numbers::pi * k / 8, 2e-3);
  }
}

TEST(Interpret, InitialShapesStretchTheGradientsAndVelocitiesTurnThem) {
  const SceneModels scene =
      interpret(section + cable("hose", "[[0, 0], [1, 0]]", 2) +
                "initial = [[0, 0], [0, 2]]\nvelocity = [3, 0]\nangular_velocity = 2\n" + dynamics);
  const SceneModel& m = scene.models[0];
  const CablePart& hose = m.cables[0];
  const Values& values = m.model.values;
  const int end = m.model.topology->slots[hose.points[2]].offset,
            slope = m.model.topology->slots[hose.vectors[2]].offset;
  EXPECT_EQ(values.q0[end], 0.0);
  EXPECT_EQ(values.q0[end + 1], 2.0);
  EXPECT_EQ(values.v0[end], 3.0 - 2 * 2);
  EXPECT_EQ(values.v0[end + 1], 0.0);
  EXPECT_EQ(values.q0[slope + 1], 2.0);
  EXPECT_EQ(values.v0[slope], -4.0);
}

TEST(Interpret, SectionsFollowFromShapeAndMaterial) {
  const SceneModels scene = interpret(
      "[material.carbon]\nE = \"59.6 GPa\"\nrho = 1600\n[section.wall]\nmaterial = \"carbon\"\nshape = { type = "
      "\"rectangle\", width = \"30 mm\", height = \"2.1 mm\" }\n" +
      cable("hose", "[[0, 0], [1, 0]]", 2) + clamp + statics);
  const std::vector<double>& p = scene.models[0].cables[0].elements[0].parameters;
  EXPECT_DOUBLE_EQ(p[0], 59.6e9 * 0.03 * 0.0021);
  EXPECT_DOUBLE_EQ(p[1], 59.6e9 * 0.03 * std::pow(0.0021, 3) / 12);
  EXPECT_DOUBLE_EQ(p[2], 1600 * 0.03 * 0.0021);
  EXPECT_DOUBLE_EQ(p[3], 0.5);
}

TEST(Interpret, JointsAndMassesThatEndGiveAnotherModel) {
  const SceneModels scene =
      interpret(section + cable("hose", "[[0, 0], [1, 0]]", 2) + clamp + "until = 1.5\n" +
                "[mass.tip]\nat = \"hose.end\"\nm = 1\nuntil = \"hang\"\n" +
                "[load.pull]\ntype = \"force\"\nat = \"tip\"\nforce = [1, 0]\nuntil = 0.5\n" + statics + dynamics);
  ASSERT_EQ(scene.timeline.segments.size(), 3u);
  EXPECT_EQ(scene.timeline.segments[1].end, 1.5);
  ASSERT_EQ(scene.models.size(), 3u);
  const auto dofs = [&](int i) { return scene.models[i].model.topology->ny; };
  EXPECT_EQ(dofs(0), 9);  // the stretch at the clamp is free
  EXPECT_EQ(dofs(1), 9);
  EXPECT_EQ(dofs(2), 12);
  EXPECT_EQ(scene.models[0].model.topology->batches.size(), 3u);
  EXPECT_EQ(scene.models[1].model.topology->batches.size(), 2u);  // the load is gated by its signal
  const std::vector<int> map = slots_by_name(*scene.models[0].model.topology, *scene.models[2].model.topology);
  EXPECT_EQ(map[scene.models[2].cables[0].points[1]], scene.models[0].cables[0].points[1]);
}

TEST(Interpret, PlacesInsideElementsAreDependentSlots) {
  const SceneModels scene = interpret(section + cable("hose", "[[0, 0], [1, 0]]", 2) + clamp +
                                      "[mass.middle]\nat = \"hose@0.25\"\nm = 1\n" + statics);
  const Topology& t = *scene.models[0].model.topology;
  const int slot = t.find_slot("hose.element 1@0.5.r");
  ASSERT_GE(slot, 0);
  EXPECT_GE(t.slots[slot].dependent, 0);
  EXPECT_EQ(reference(scene.models[0], slot), (std::vector<double>{0.25, 0}));
}

TEST(Interpret, ReactionsSumWhatHangsOnAJoint) {
  const SceneModels scene = interpret(
      section + cable("hose", "[[0, 0], [1, 0]]", 2) + cable("arm", "[[0, 0], [0, 1]]", 2) +
      "[joint.clamp]\ntype = \"weld\"\nof = [\"ground\", \"hose.start\"]\n" +
      joint("hinge", "pin", "\"hose.start\"", "\"arm.start\"") +
      "[sensor.base]\ntype = \"reaction\"\nof = \"clamp\"\n[sensor.hinge]\ntype = \"reaction\"\nof = \"hinge\"\n" +
      statics);
  // By the relations of each: place and tangent of the clamp, the place of the hinge.
  const CablePart &hose = scene.models[0].cables[0], &arm = scene.models[0].cables[1];
  const std::vector<JointReaction::Tie>&base = scene.models[0].sensors[0].ties,
        &hinge = scene.models[0].sensors[1].ties;
  ASSERT_EQ(base.size(), 2u);
  EXPECT_EQ(base[0].slot, hose.points[0]);
  EXPECT_EQ(base[1].slot, hose.vectors[0]);
  ASSERT_EQ(hinge.size(), 1u);
  EXPECT_EQ(hinge[0].slot, arm.points[0]);
}

}  // namespace
}  // namespace flexura::testing
