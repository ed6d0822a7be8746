#include "flexura/study/steered_statics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "flexura/scene/reader.hpp"
#include "tests/study/two_links.hpp"

namespace flexura {
namespace {

SteeredStatics steered(const std::string& text) {
  return SteeredStatics(read_scene_text(text, "steered.toml", scene_terms()));
}

SensorRow row_of_all(const SteeredStatics& statics) {
  std::vector<Problem> problems;
  SensorRow row = SensorRow::find(statics.model(), "steered.toml", {}, problems);
  EXPECT_TRUE(problems.empty());
  return row;
}

std::vector<double> read(SteeredStatics& statics, const SensorRow& row) {
  std::vector<double> out(row.columns.size());
  statics.read(row, out);
  return out;
}

// A moment, and a force that follows its input through a formula and a lag, which is at rest.
const std::string cantilever = R"(
space = "planar"
gravity = [0, -1]
[section.s]
EA = 1e4
EI = 2
rhoA = 1
[cable.beam]
section = "s"
path = [[0, 0], [1, 0]]
elements = 8
[joint.clamp]
type = "weld"
of = ["ground", "beam.start"]
[signal.moment]
type = "input"
[signal.push]
type = "input"
[signal.squared]
type = "expression"
formula = "signal(push) + 0.2 * signal(push)^2"
[signal.late]
type = "lag"
of = "squared"
time_constant = 0.1
[load.moment]
type = "moment"
at = "beam.end"
moment = 1
signal = "moment"
[load.force]
type = "force"
at = "beam.end"
force = [0, 1]
signal = "late"
[sensor.angle]
type = "angle"
at = "beam.end"
[sensor.tip]
type = "position"
at = "beam.end"
[sensor.reaction]
type = "reaction"
of = "clamp"
[[analysis]]
name = "hold"
type = "static"
)";

// Against central differences between equilibria, of which 1e-7 is left.
TEST(SteeredStatics, SlopesAreThoseBetweenEquilibria) {
  SteeredStatics beam = steered(cantilever);
  ASSERT_TRUE(beam.follow_to({1.1, -0.7}));
  const SensorRow row = row_of_all(beam);
  const size_t m = row.columns.size();
  ASSERT_EQ(m, 5u);
  std::vector<double> slopes(2 * m);
  ASSERT_TRUE(beam.slopes(row, std::vector<int>{0, 1}, slopes));
  const State<double> here = beam.state();
  constexpr double h = 1e-4;
  for (size_t k = 0; k < 2; ++k) {
    std::vector<double> above{1.1, -0.7}, below = above;
    above[k] += h, below[k] -= h;
    ASSERT_TRUE(beam.move_to(above));
    const std::vector<double> up = read(beam, row);
    beam.return_to(here);
    ASSERT_TRUE(beam.move_to(below));
    const std::vector<double> down = read(beam, row);
    beam.return_to(here);
    double largest = 0;
    for (size_t c = 0; c < m; ++c) largest = std::max(largest, std::fabs(slopes[k * m + c]));
    EXPECT_GT(largest, 0.1);
    for (size_t c = 0; c < m; ++c)
      EXPECT_NEAR(slopes[k * m + c], (up[c] - down[c]) / (2 * h), 2e-7 * largest) << row.columns[c] << " " << k;
  }
}

// The reaction is the whole load at once: the weight of 1 N and what the lag has come to, u + 0.2 u².
TEST(SteeredStatics, WhatFollowsAnInputWithALagHasComeToRest) {
  SteeredStatics beam = steered(cantilever);
  ASSERT_TRUE(beam.follow_to({0, 2}));
  EXPECT_NEAR(std::fabs(beam.read("reaction")[1]), 2.8 - 1, 1e-7);
}

// In one step the elbow had come to -38°, which closes the joint's equation as 142° does; and an arm that nothing pulls has no
// stiffness from which statics could tell where it is.
TEST(SteeredStatics, FollowsTurnsOfMoreThanAQuarter) {
  for (const double gravity : {0.0, -9.81}) {
    SteeredStatics arm = steered(test::two_links(gravity));
    for (const auto& q : std::vector<std::array<double, 2>>{{0, 2.48}, {-3.0, -2.9}, {3.1, 0}, {0.4, 2.9}}) {
      arm.restart();
      ASSERT_TRUE(arm.follow_to({q[0], q[1]})) << gravity;
      const std::vector<double> tip = arm.read("tip");
      EXPECT_NEAR(tip[0], 0.5 * std::cos(q[0]) + 0.3 * std::cos(q[0] + q[1]), 1e-8) << gravity;
      EXPECT_NEAR(tip[1], 0.5 * std::sin(q[0]) + 0.3 * std::sin(q[0] + q[1]), 1e-8) << gravity;
    }
  }
}

// What fails leaves everything as it was: from restart() on that is a state without loads, which is no equilibrium.
TEST(SteeredStatics, FailsAndLeavesTheStartWithoutLoads) {
  SteeredStatics mass = steered(test::snap_through);
  ASSERT_TRUE(mass.follow_to({0}));
  const double sagged = mass.read("mass")[1];
  EXPECT_LT(sagged, 0.3 - 1e-3);
  mass.restart();
  EXPECT_FALSE(mass.follow_to({-5}));
  EXPECT_EQ(mass.read("mass")[1], 0.3);
  ASSERT_TRUE(mass.follow_to({0}));
  EXPECT_NEAR(mass.read("mass")[1], sagged, 1e-9);
}

}  // namespace
}  // namespace flexura
