// Joints of head and trunk in motion: the scene double-action of ghoneimy2025, shortened, on 4 x 4 elements. For a minute of it
// see `flexura reproduce ghoneimy2025 --case long-run`.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"
#include "validation/reproduce_case.hpp"

namespace flexura {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr const char* end = "analysis.move.end=0.02";
#else
constexpr const char* end = "analysis.move.end=0.5";
#endif

using Rows = std::map<std::string, std::vector<std::vector<double>>>;  ///< by sensor

Rows run(std::vector<std::string> set) {
  const std::string path = "validation/ghoneimy2025/double-action.toml";
  std::string text;
  for (const EmbeddedFile& file : validation_files())
    if (file.path == path) text = file.text;
  SceneOptions options;
  options.set = {"plate.trunk.elements=[4, 4]", end};
  options.set.insert(options.set.end(), set.begin(), set.end());
  Rows rows;
  RunOptions how;
  how.record = false;
  how.sample = [&](const SensorSample& s) { rows[s.sensor.name].emplace_back(s.values.begin(), s.values.end()); };
  const RunSummary summary = run_scene(read_scene_text(text, path, scene_terms(), options), how);
  EXPECT_EQ(summary.status, RunStatus::finished) << summary.message;
  return rows;
}

double largest(const Rows& rows, const std::string& sensor) {
  double worst = 0;
  for (const std::vector<double>& row : rows.at(sensor)) worst = std::max(worst, std::fabs(row[0]));
  return worst;
}

/// Of the ring's node from where position and quaternion of the head, whose frame starts unturned at the origin, carry it.
double gap(const Rows& rows) {
  const std::vector<double> local = rows.at("ring").front();
  double worst = 0;
  for (size_t k = 0; k < rows.at("ring").size(); ++k) {
    const std::vector<double>&f = rows.at("head")[k], &x = rows.at("ring")[k];
    const double *q = &f[3], w = f[6];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      const double along = q[0] * local[0] + q[1] * local[1] + q[2] * local[2];
      const double square = w * w - q[0] * q[0] - q[1] * q[1] - q[2] * q[2];
      const double turned = square * local[i] + 2 * along * q[i] + 2 * w * (q[j] * local[l] - q[l] * local[j]);
      worst = std::max(worst, std::fabs(f[i] + turned - x[i]));
    }
  }
  return worst;
}

// Rounding of a metre; issue 6 asks for 1e-12 m.
TEST(JointDrift, AnEliminatedWeldDoesNotDrift) {
  const Rows rows =
      run({"joint.face.method=eliminated", R"(analysis.move.integrator={ type = "adams", rtol = 1e-4, atol = 1e-6 })"});
  EXPECT_GT(rows.at("ring").size(), 4u);
  EXPECT_LT(gap(rows), 1e-14);
}

// The published joint within the published limits (angles: 1e-8 instead of 1e-16, that of an identity) at error control of
// 1e-6 a step; measured below 1e-13.
TEST(JointDrift, ThePublishedJointStaysWithinItsLimits) {
  for (const std::string stabilisation : {"baumgarte", "fuzzy"}) {
    const Rows rows = run({R"(analysis.move.integrator={ type = "adams", rtol = 1e-6, atol = 1e-8, stabilisation = ")" +
                           stabilisation + "\" }"});
    EXPECT_LT(largest(rows, "rigidity"), 1e-7) << stabilisation;
    EXPECT_LT(largest(rows, "distance"), 1e-8) << stabilisation;
    EXPECT_LT(largest(rows, "angle"), 1e-8) << stabilisation;
    EXPECT_LT(largest(rows, "orthogonality"), 1e-7) << stabilisation;
    EXPECT_GT(largest(rows, "distance"), 0) << stabilisation;
    EXPECT_LT(gap(rows), 1e-7) << stabilisation;
  }
}

}  // namespace
}  // namespace flexura
