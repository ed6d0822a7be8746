// Axes that are nearly, not exactly, perpendicular or parallel, as files with angles of some digits have them: degrees of freedom.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

RunSummary summary_of(const std::string& text) {
  RunOptions options;
  options.record = false;
  return run_scene(read_scene_text(text, "scene.toml", scene_terms()), options);
}

std::string body(const std::string& name, const std::string& at) {
  return fmt::format("[body.{}]\nposition = {}\nm = 1\ninertia = [0.01, 0.012, 0.014]\n", name, at);
}
std::string hinge(const std::string& name, const std::string& of, const std::string& at, const std::string& axis) {
  return fmt::format("[joint.{}]\ntype = \"revolute\"\nof = [{}]\nat = {}\naxis = {}\n", name, of, at, axis);
}
const std::string start = "space = \"spatial\"\ngravity = [0, 0, -9.81]\n";
const std::string move =
    "[[analysis]]\nname = \"m\"\ntype = \"dynamic\"\nend = 0.2\nstep = 0.01\n"
    "integrator = { type = \"rk853\", rtol = 1e-10, atol = 1e-12 }\n";

/// A shoulder: the second axis is perpendicular to the first but for `off`, and so is the line between both.
std::string shoulder(double off) {
  const double along = std::sqrt(0.5);
  const std::string a = "[0, 0, 0]", b = "[0.0488, -0.0488, 0.27]", c = "[0.12, -0.12, 0.27]";
  return start + body("a", a) + body("b", b) + body("c", c) + hinge("s0", "\"ground\", \"a\"", a, "[0, 0, 1]") +
         hinge("s1", "\"a\", \"b\"", b, fmt::format("[{:.17g}, {:.17g}, 0]", along + off, along - off)) +
         hinge("e0", "\"b\", \"c\"", c, fmt::format("[{:.17g}, {:.17g}, 0]", along, -along)) +
         sensor_text("tip", "position", "at", "c.center") + move;
}

// The tip moves with `off`: of the constraints two that nearly agree had been kept and one that is needed left out, so that the first
// link turned about another axis, too, where `off` was between 1e-11 and 2e-6.
TEST(SlightMisalignment, OfPerpendicularAxesLeavesDegreesOfFreedom) {
  const RunSummary exact = summary_of(shoulder(0));
  ASSERT_EQ(exact.status, RunStatus::finished) << exact.message;
  EXPECT_EQ(exact.degrees_of_freedom, 3);
  for (int digits = 3; digits <= 12; ++digits) {
    const double off = std::pow(10.0, -digits);
    const RunSummary run = summary_of(shoulder(off));
    ASSERT_EQ(run.status, RunStatus::finished) << run.message;
    EXPECT_EQ(run.degrees_of_freedom, 3) << off;
    EXPECT_TRUE(run.warnings.empty()) << off << " " << run.warnings.front();
    for (size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(run.sensors[0].second.last[i], exact.sensors[0].second.last[i], 3 * off + 1e-9) << off;
  }
}

/// A leg whose axes along y and z are off by 5e-12 rad, as angles of 1.5707963268 leave them; in the ankle by `off` of that.
std::string leg(double off) {
  const auto y = [&](double x) { return fmt::format("[0, 1, {:.15g}]", off * x); };
  const std::string hip = "[0.25, 0.2396, -0.1191]", thigh = "[0.25, 0.121399999998531, -0.419099999999421]",
                    knee = "[0.25, 0.221549999997593, -0.619099999999891]",
                    ankle = "[0.25, 0.22239999999697, -0.758099999999895]",
                    wheel = "[0.25, 0.22239999999703, -0.902449999999895]", top = "[0.25, 0.125, -0.0566]";
  return start + body("hip1", top) + body("hip2", hip) + body("knee", thigh) + body("ankle1", knee) +
         body("ankle2", ankle) + body("wheel", wheel) + hinge("yaw", "\"ground\", \"hip1\"", top, "[0, 0, -1]") +
         hinge("pitch", "\"hip1\", \"hip2\"", hip, y(-4.89658886014675e-12)) +
         hinge("knee", "\"hip2\", \"knee\"", thigh, y(-4.68976575303653e-12)) +
         hinge("ankle", "\"knee\", \"ankle1\"", knee, y(-4.48294264592632e-12)) +
         hinge("twist", "\"ankle1\", \"ankle2\"", ankle, fmt::format("[0, {:.15g}, -1]", off * 4.1364621422e-13)) +
         hinge("wheel", "\"ankle2\", \"wheel\"", wheel, y(-4.48294264592632e-12)) + move;
}

// What rounding leaves of a constraint that follows from others counts as none; kept, it may lock the leg.
TEST(SlightMisalignment, LocksNothing) {
  EXPECT_EQ(summary_of(leg(0)).degrees_of_freedom, 6);
  for (double off = 0.1; off < 1e9; off *= 3) EXPECT_EQ(summary_of(leg(off)).degrees_of_freedom, 6) << off;
  EXPECT_TRUE(summary_of(leg(1)).warnings.empty());
}

}  // namespace
}  // namespace flexura::test
