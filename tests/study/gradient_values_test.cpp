// What gradients say that sensors read is what a run reads. Angles count turns and quaternions keep their sign from step to step, so
// that it depends on all states in between, not only on those that are asked for.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numbers>

#include "flexura/run/session.hpp"
#include "flexura/study/linearise.hpp"
#include "tests/study/gradients.hpp"

namespace flexura {
namespace {

/// What a run has read of the columns at the end of each step, or of each analysis without time.
struct Readings {
  std::vector<double> times;
  std::vector<std::vector<double>> rows;
  bool moved = false;  ///< the last of them ends a step of a motion
};

Readings readings_of(const SceneDocument& scene) {
  RunOptions options;
  options.record = false;
  Session session(scene, options);
  Readings out;
  for (bool more = true; more;) {
    more = session.advance();  // false with the last step
    std::vector<double> row;
    for (int k = 0; k < session.sensor_count(); ++k) {
      const std::span<const double> reading = session.sensor(k);
      row.insert(row.end(), reading.begin(), reading.end());
    }
    out.times.push_back(session.time());
    out.rows.push_back(std::move(row));
  }
  EXPECT_EQ(session.status(), RunStatus::finished) << session.message();
  const std::vector<AnalysisSpec>& all = session.scene().timeline.analyses;
  const auto last = std::ranges::find(all, session.analysis(), &AnalysisSpec::name);
  out.moved = last->motion() != nullptr && out.times.size() > 2;
  return out;
}

/// Beside rounding, which multipliers of stiff parts carry to 1e-9 of their forces, both are the same numbers.
void expect_values(const Derivatives& d, const Readings& run) {
  ASSERT_EQ(d.columns.size(), run.rows.back().size());
  for (size_t t = 0; t < d.times.size(); ++t) {
    const auto at = std::ranges::min_element(run.times, {}, [&](double time) { return std::fabs(time - d.times[t]); });
    const std::vector<double>& row = t + 1 == d.times.size() ? run.rows.back() : run.rows[at - run.times.begin()];
    for (size_t c = 0; c < row.size(); ++c) {
      double size = 0;  // of the sensor
      for (size_t k = 0; k < row.size(); ++k)
        if (d.sensors[k] == d.sensors[c]) size = std::max(size, std::fabs(row[k]));
      EXPECT_NEAR(d.values[t * row.size() + c], row[c], 1e-9 * size) << d.columns[c] << " at " << d.times[t] << " s";
    }
  }
}

TEST(GradientValues, ThoseOfTheRunOfEachExample) {
  constexpr int many = 300;  // unknowns: what is left out takes minutes, and turns no more than these
  int compared = 0;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator("examples"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file.stem().string());
    const SceneDocument scene = example(file.stem().string());
    if (interpret_scene(scene).models.front().model.topology->ny > many) continue;
    try {
      const Readings run = readings_of(scene);
      if (run.rows.back().empty()) continue;
      GradientQuestion question;
      if (run.moved) question.times = {run.times[run.times.size() / 2], run.times.back()};
      expect_values(differentiate(scene, read_again(scene), question), run);
      ++compared;
    } catch (const GradientError&) {  // of steps in pieces
    } catch (const InputError& refused) {
      EXPECT_NE(std::string(refused.what()).find("no derivative"), std::string::npos) << refused.what();
    }
  }
  EXPECT_GE(compared, 39);
}

constexpr const char* spinning = R"(
space = "planar"
gravity = [0, 0]
[body.disc]
shape = { type = "disc", radius = 0.1 }
density = 1000
angular_velocity = 10
[joint.axle]
type = "pin"
of = ["ground", "disc"]
at = [0, 0]
[load.motor]
type = "moment"
at = "disc"
moment = 0.01
[sensor.turn]
type = "angle"
at = "disc"
[[analysis]]
name = "go"
type = "dynamic"
end = 2
step = "1 ms"
)";

// A disc of J = ½ m r² under a moment M: θ = ω t + M t²/2J, and dθ/dM = t²/2J.
TEST(GradientValues, ObjectivesOfWhatTurnsRound) {
  const double J = 0.5 * 1000 * std::numbers::pi * 1e-4, slope = 2 / J, turn = 20 + 0.01 * slope;
  const SceneDocument scene = scene_of(spinning);
  const GradientQuestion question{.wrt = {"load.motor.moment"}};
  const Derivatives forward = differentiate(scene, read_again(scene), question);
  EXPECT_NEAR(forward.values[0], turn, 1e-6);
  EXPECT_NEAR(forward.slope(0, 0, 0), slope, 1e-5 * slope);
  const WeightedGradient back = differentiate_backwards(
      scene, read_again(scene), question, [](const Derivatives& d) { return std::vector{2 * (d.values[0] - 20)}; });
  EXPECT_NEAR(back.gradient[0], 2 * (turn - 20) * slope, 1e-4 * slope);
}

constexpr const char* spinning_in_space = R"(
space = "spatial"
gravity = [0, 0, 0]
[body.disc]
shape = { type = "box", size = [0.2, 0.2, 0.05] }
density = 1000
angular_velocity = [0.3, 0, 10]
[sensor.disc]
type = "frame"
at = "disc"
[load.motor]
type = "moment"
at = "disc"
moment = [0, 0, 0.02]
[[analysis]]
name = "go"
type = "dynamic"
end = 0.9
step = 1e-3
tolerance = 1e-12
)";

// The quaternion at 0.3 s and that at 0.9 s are more than a right angle apart: each has the sign that it came by from the one before,
// also where the state is gone back to. Differences of whole runs read the values that a run reads.
TEST(GradientValues, SlopesOfQuaternionsHaveTheirSigns) {
  const SceneDocument scene = scene_of(spinning_in_space);
  const GradientQuestion question{.wrt = {"load.motor.moment[2]", "body.disc.angular_velocity[2]"},
                                  .times = {0.3, 0.9}};
  expect_values(differentiate(scene, read_again(scene), question), readings_of(scene));
  expect_check(scene, question);
  expect_both_ways(scene, question, 1e-9);
}

TEST(GradientValues, LinearModelsReadWhatTheRunReads) {
  RunOptions options;
  options.record = false;
  for (const char* text : {spinning, spinning_in_space}) {
    Session session(scene_of(text), options);
    session.advance_to(0.9);
    const LinearModel model = linearise(session);
    std::vector<double> read;
    for (int k = 0; k < session.sensor_count(); ++k) {
      const std::span<const double> reading = session.sensor(k);
      read.insert(read.end(), reading.begin(), reading.end());
    }
    ASSERT_EQ(model.y.size(), read.size());
    for (size_t k = 0; k < read.size(); ++k) EXPECT_NEAR(model.y[k], read[k], 1e-9 * std::max(1.0, std::fabs(read[k])));
  }
}

}  // namespace
}  // namespace flexura
