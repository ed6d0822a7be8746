// Slopes of motions in which rods, and bodies pinned by multipliers, turn as wholes.

#include "tests/study/gradients.hpp"

namespace flexura {
namespace {

constexpr const char* in_line = R"(
gravity = [0, -9.81]
[body.wheel]
m = 2
center = [0.1, 0]
inertia = 0.02
angular_velocity = 50
points = { rim = [0.3, 0.1] }
[joint.axle]
type = "revolute"
of = ["ground", "wheel"]
at = [0, 0]
[point.p]
position = [0.6, 0.2]
velocity = [-10, 30]
[mass.stone]
at = "p"
m = 0.5
[joint.cord]
type = "distance"
of = ["wheel.rim", "p"]
[point.q]
position = [0.8, 0.2]
velocity = [-10, 40]
[mass.last]
at = "q"
m = 0.1
[truss.rod]
type = "rigid"
between = ["q", "p"]
[body.r]
position = [2.1, 0]
m = 2
inertia = 0.01
angular_velocity = 30
velocity = [0, 3]
[joint.pin]
type = "revolute"
method = "multipliers"
of = ["ground", "r"]
at = [2, 0]
[sensor.x]
type = "position"
at = "q"
[sensor.y]
type = "position"
at = "r"
[[analysis]]
name = "spin"
type = "dynamic"
end = 0.1
step = 1e-3
tolerance = 1e-12
)";

TEST(Gradient, BothWaysThroughWhatRodsAndPinsTurn) {
  expect_both_ways(scene_of(in_line),
                   {.wrt = {"mass.stone.m", "mass.last.m", "body.wheel.m", "body.r.m", "gravity[1]"},
                    .of = {"x", "y"},
                    .times = {0.05, 0.1}},
                   1e-9);
}

}  // namespace
}  // namespace flexura
