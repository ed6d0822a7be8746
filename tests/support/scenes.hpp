#pragma once
// Scenes given as text in tests: what their sensors end with, and what is said about them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura::test {

using Sensors = std::map<std::string, std::vector<double>>;

/// A run of which nothing is written.
inline RunSummary run_text(const std::string& text) {
  RunOptions options;
  options.record = false;
  return run_scene(read_scene_text(text, "scene.toml", scene_terms()), options);
}

/// The parts of a scene in a motion from 0 to `end` [s]; `integrator`: as TOML has it.
inline RunSummary run_motion(const std::string& parts, double end, const std::string& integrator, double step = 1e-3) {
  return run_text(parts + fmt::format("[[analysis]]\nname = \"spin\"\ntype = \"dynamic\"\nend = {}\nstep = {}\n"
                                      "integrator = {}\n",
                                      end, step, integrator));
}

/// Sensors at the end of a run that finishes.
inline Sensors end_of(const std::string& text) {
  const RunSummary summary = run_text(text);
  EXPECT_EQ(summary.status, RunStatus::finished) << summary.message;
  Sensors out;
  for (const auto& [name, sensor] : summary.sensors) out[name] = sensor.last;
  return out;
}

/// The first thing that is wrong with a scene; "" if nothing is.
inline std::string message_of(const std::string& text) {
  try {
    interpret_scene(read_scene_text(text, "scene.toml", scene_terms()));
  } catch (const InputError& error) {
    return error.problems()[0].message;
  }
  return {};
}

/// A `[sensor.…]` of something: `key` is "at", "of" and the like.
inline std::string sensor_text(const std::string& name, const std::string& type, const std::string& key,
                               const std::string& of) {
  return fmt::format("[sensor.{}]\ntype = \"{}\"\n{} = \"{}\"\n", name, type, key, of);
}

/// Five rigid trusses, a square with both diagonals on two fixed points, pushed along its top by 100 N: one state of self-stress.
inline const std::string crossed_square = R"(
space = "planar"
[point.a]
position = [0, 0]
fixed = true
[point.b]
position = [1, 0]
fixed = true
[point.c]
position = [1, 1]
[point.d]
position = [0, 1]
[mass.mc]
at = "c"
m = 1
[mass.md]
at = "d"
m = 1
[truss.left]
between = ["a", "d"]
[truss.right]
between = ["b", "c"]
[truss.top]
between = ["c", "d"]
[truss.up]
between = ["a", "c"]
[truss.down]
between = ["b", "d"]
[load.push]
type = "force"
at = "d"
force = [100, 0]
)";

}  // namespace flexura::test
