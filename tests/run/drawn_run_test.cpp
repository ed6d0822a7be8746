// What a run leaves for those who draw it.

#include "flexura/output/drawn_run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "flexura/base/file.hpp"
#include "flexura/base/temporary_folder.hpp"
#include "flexura/output/drawing_file.hpp"
#include "flexura/output/vtk_frames.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"
#include "tests/support/scenes.hpp"

namespace flexura {
namespace {

class DrawnRunTest : public ::testing::Test {
 protected:
  void run(const SceneDocument& document) {
    RunOptions options;
    options.folder = folder_.path();
    options.csv = options.report = false;
    ASSERT_EQ(run_scene(document, options).status, RunStatus::finished);
    results_.emplace(*ResultsFile::open(results()));
    auto read = read_drawn_run(*results_);
    ASSERT_TRUE(read) << read.error();
    drawn_ = std::move(*read);
  }
  void run_text(const std::string& scene) { run(read_scene_text(scene, "scene.toml", scene_terms())); }
  void run_example(const std::string& name, const std::vector<std::string>& set = {}) {
    SceneOptions options;
    options.set = set;
    run(read_scene("examples/" + name, scene_terms(), options));
  }
  std::string results() const { return folder_ / "results.h5"; }
  std::vector<double> reals(const std::string& path) const { return results_->read(path)->reals; }

  TemporaryFolder folder_;
  std::optional<ResultsFile> results_;
  DrawnRun drawn_;
};

const std::string pushed = R"(
space = "planar"
[section.wall]
EA = 2000.0
EI = 0.02
rhoA = 0.12
[cable.hose]
section = "wall"
path = [[0, 0], [1, 0]]
elements = 4
[joint.clamp]
type = "weld"
of = ["ground", "hose.start"]
[signal.step]
type = "piecewise"
points = [[0, 0], [0.0101, 1], [1, 1]]
[signal.valve]
type = "lag"
of = "step"
time_constant = 0.05
[load.push]
type = "force"
at = "hose.end"
force = [0, 0.01]
signal = "valve"
[sensor.valve]
type = "signal"
of = "valve"
[sensor.bend]
type = "curvature"
at = "hose@0.375"
[[analysis]]
name = "push"
type = "dynamic"
end = 0.2
step = 1e-3
)";

// Arrows and colours are those of the run's own signals and elements: what its sensors read.
TEST_F(DrawnRunTest, NumbersAreWhatSensorsRead) {
  run_text(pushed);
  const Drawing& drawing = drawn_.drawings.at(0);
  const std::string table = drawing_table(0, "push");
  const std::vector<double> forces = reals(table + "/forces"), valve = reals("/sensors/valve/signal"),
                            curvature = reals(table + "/curvature"), bend = reals("/sensors/bend/curvature");
  EXPECT_EQ(reals(table + "/t"), reals("/sensors/valve/t"));
  ASSERT_EQ(valve.size(), 201U);
  for (std::size_t k = 0; k < valve.size(); ++k) {
    EXPECT_DOUBLE_EQ(forces[3 * k + 1], 0.01 * valve[k]) << k;
    EXPECT_EQ(curvature[k * static_cast<std::size_t>(drawing.field_points) + 24], static_cast<float>(bend[k])) << k;
  }
  EXPECT_GT(valve.back(), 0.9);
}

// A square with both diagonals: its members have the colours of the forces of least size, though no sensor asks for any, along a path and in time. Forces of
// 100 N are kept in single precision, 4e-6 N.
TEST_F(DrawnRunTest, RedundantMembersAreColouredByTheirForcesOfLeastSize) {
  run_text(test::crossed_square + R"([[analysis]]
name = "lean"
type = "static"
[[analysis]]
name = "wait"
type = "dynamic"
end = 0.1
step = 0.01
)");
  const Drawing& drawing = drawn_.drawings.at(0);
  std::vector<int> at;
  for (const char* name : {"truss.left", "truss.right", "truss.top", "truss.up", "truss.down"})
    for (const Drawable& d : drawing.drawables)
      if (d.name == name) at.push_back(d.field);
  ASSERT_EQ(at.size(), 5u);
  for (const char* analysis : {"lean", "wait"}) {
    const std::vector<double> all = reals(drawing_table(0, analysis) + "/axial force");
    const size_t n = static_cast<size_t>(drawing.field_points), last = all.size() - n;
    const auto force = [&](int k) { return all[last + static_cast<size_t>(at[static_cast<size_t>(k)])]; };
    const double left = force(0), right = force(1), top = force(2), up = force(3), down = force(4), r = std::sqrt(0.5);
    EXPECT_NEAR(top + 100 + r * down, 0, 2e-5) << analysis;
    EXPECT_NEAR(left + r * down, 0, 2e-5) << analysis;
    EXPECT_NEAR(top + r * up, 0, 2e-5) << analysis;
    EXPECT_NEAR(right + r * up, 0, 2e-5) << analysis;
    EXPECT_NEAR(left + right + top - std::sqrt(2) * (up + down), 0, 5e-5) << analysis;
  }
}

// Of every step of a long analysis no more is drawn than a report shows; states are kept as they were asked for.
TEST_F(DrawnRunTest, DrawsAtMost1500StatesOfAnAnalysis) {
  std::string scene = pushed;
  scene.replace(scene.find("step = 1e-3"), 11, "step = 1e-5");
  run_text(scene + "[output]\nevery_step = true\n");
  const Stretch& stretch = drawn_.stretches.at(0);
  EXPECT_EQ(stretch.states, 20001U);
  EXPECT_LE(stretch.at.size(), 1501U);
  EXPECT_GE(stretch.at.size(), 1490U);
  EXPECT_EQ(stretch.at.front(), 0);
  EXPECT_NEAR(stretch.at.back(), 0.2, 1e-9);
  const std::vector<double> t = reals("/analysis/push/t");
  for (std::size_t k = 0; k < stretch.at.size(); ++k) EXPECT_EQ(t.at(stretch.row[k]), stretch.at[k]);
}

std::vector<double> times_of(const std::string& pvd) {
  const std::string text = *read_file(pvd);
  const std::regex step("timestep=\"([^\"]*)\"");
  std::vector<double> times;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), step); at != std::sregex_iterator(); ++at)
    times.push_back(std::stod((*at)[1]));
  return times;
}

/// NumberOfPoints and NumberOfCells of a frame.
std::array<std::size_t, 2> counts_of(const std::string& vtu) {
  const std::string text = *read_file(vtu);
  std::smatch found;
  std::regex_search(text, found, std::regex("NumberOfPoints=\"(\\d+)\" NumberOfCells=\"(\\d+)\""));
  return {std::stoul(found[1]), std::stoul(found[2])};
}

// The clamp of the actuator lets go within its analysis: once through all times, in order.
TEST_F(DrawnRunTest, FramesGoOnInTimeWhereTheModelChanges) {
  run_example("soft_actuator.toml", {"output.interval=0.1"});
  ASSERT_GT(drawn_.drawings.size(), 1U) << "the example has no change any more";
  const auto files = write_vtk_frames(results(), folder_ / "vtk");
  ASSERT_TRUE(files) << files.error();
  std::size_t last_model = 0;
  for (const Stretch& stretch : drawn_.stretches) last_model = std::max<std::size_t>(last_model, stretch.model);
  EXPECT_EQ(last_model + 1, drawn_.drawings.size());
  for (const std::string& file : *files) {
    const std::vector<double> times = times_of(file);
    ASSERT_GT(times.size(), 1U) << file;
    for (std::size_t k = 1; k < times.size(); ++k) EXPECT_LT(times[k - 1], times[k]) << file;
  }
}

// First and last frame of a plate have what the drawing has: its vertices and quadrilaterals, joints, sensors, arrows.
TEST_F(DrawnRunTest, FramesOfAPlateHaveThePointsAndCellsOfItsDrawing) {
  run_example("plate_pendulum.toml", {"analysis.swing.end=0.02"});
  std::size_t points = 0, cells = 0, quads = 0;
  for (const Drawable& d : drawn_.drawings.at(0).drawables) {
    ASSERT_NE(d.kind, Drawable::Kind::body);
    points += static_cast<std::size_t>(d.position.size());
    quads += d.quads.size() / 4;
    cells += d.kind == Drawable::Kind::surface ? d.quads.size() / 4 : 1;
  }
  ASSERT_GT(quads, 0U);
  const auto files = write_vtk_frames(results(), folder_ / "vtk");
  ASSERT_TRUE(files) << files.error();
  const std::size_t frames = times_of(files->back()).size();
  ASSERT_GT(frames, 1U);
  const std::string name = drawn_.analyses.back().name;
  for (const std::size_t frame : {std::size_t{0}, frames - 1})
    EXPECT_EQ(counts_of(folder_ / fmt::format("vtk/{0}/{0}_{1:06}.vtu", name, frame)), (std::array{points, cells}));
}

TEST_F(DrawnRunTest, StaticsAreFramesByLoadFactorAndModesAreVectors) {
  run_example("modes.toml");
  const auto files = write_vtk_frames(results(), folder_ / "vtk");
  ASSERT_TRUE(files) << files.error();
  EXPECT_EQ(files->size(), drawn_.analyses.size());
  for (std::size_t a = 0; a < drawn_.analyses.size(); ++a) {
    const StoredAnalysis& analysis = drawn_.analyses[a];
    const std::vector<double> times = times_of((*files)[a]);
    EXPECT_DOUBLE_EQ(analysis.is_static() ? times.back() : 1, 1) << analysis.name;
    const std::string text = *read_file(folder_ / fmt::format("vtk/{0}/{0}_000000.vtu", analysis.name));
    EXPECT_EQ(text.find("Name=\"mode [kg^-1/2]\" NumberOfComponents=\"3\"") != std::string::npos, analysis.is_modes());
    EXPECT_EQ(text.find("Name=\"curvature [1/m]\"") != std::string::npos, !analysis.is_modes());
  }
}

}  // namespace
}  // namespace flexura
