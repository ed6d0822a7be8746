#pragma once
// Two links, driven at shoulder and elbow: x = l₁ cos q₁ + l₂ cos(q₁ + q₂), y with sines; √det(J Jᵀ) = l₁ l₂ |sin q₂|.

#include <fmt/format.h>

#include <string>

namespace flexura::test {

inline constexpr double upper_length = 0.5, lower_length = 0.3;

inline std::string two_links(double gravity) {
  return fmt::format(R"(space = "planar"
gravity = [0, {}]
[signal.shoulder]
type = "input"
[signal.elbow]
type = "input"
[body.upper]
shape = {{ type = "rod", length = 0.5, center = [0.25, 0] }}
density = 1
points = {{ elbow = [0.5, 0] }}
[body.lower]
position = [0.5, 0]
shape = {{ type = "rod", length = 0.3, center = [0.15, 0] }}
density = 1
points = {{ tip = [0.3, 0] }}
[joint.shoulder]
type = "revolute"
of = ["ground", "upper"]
at = [0, 0]
angle = "shoulder"
[joint.elbow]
type = "revolute"
of = ["upper.elbow", "lower"]
angle = "elbow"
[sensor.tip]
type = "position"
at = "lower.tip"
[sensor.forearm]
type = "frame"
at = "lower"
[[analysis]]
name = "hold"
type = "static"
)",
                     gravity);
}

/// A weight of 0.2 N on two inclined springs, pushed by an input [N]: at some 1 N downwards it snaps through.
inline const std::string snap_through = R"(space = "planar"
gravity = [0, -9.81]
[point.mass]
position = [0, 0.3]
[mass.weight]
at = "mass"
m = 0.02
[joint.guide]
type = "prescribed"
of = ["ground", "mass"]
x = 0
[spring.left]
type = "linear"
between = [[-1, 0], "mass"]
stiffness = 100
[spring.right]
type = "linear"
between = [[1, 0], "mass"]
stiffness = 100
[signal.push]
type = "input"
[load.push]
type = "force"
at = "mass"
force = [0, 1]
signal = "push"
[sensor.mass]
type = "position"
at = "mass"
[[analysis]]
name = "rest"
type = "static"
)";

}  // namespace flexura::test
