// A results file of the first version that held its drawing, made of frozen_run.toml. It is never made anew: whatever changes,
// this file opens without its scene, in a report and for ParaView.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "flexura/base/file.hpp"
#include "flexura/base/json.hpp"
#include "flexura/base/temporary_folder.hpp"
#include "flexura/output/drawn_run.hpp"
#include "flexura/output/vtk_frames.hpp"
#include "flexura/report/report.hpp"

namespace flexura {
namespace {

constexpr const char* frozen = "tests/report/frozen_run.results";

TEST(FrozenResults, HoldTheirDrawing) {
  const auto results = ResultsFile::open(frozen);
  ASSERT_TRUE(results) << results.error();
  const auto run = read_drawn_run(*results);
  ASSERT_TRUE(run) << run.error();
  ASSERT_EQ(run->drawings.size(), 2U);
  std::set<Drawable::Kind> kinds;
  for (const Drawable& drawable : run->drawings[0].drawables) kinds.insert(drawable.kind);
  EXPECT_EQ(kinds.size(), 8U) << "curve, surface, body, line, point, joint, arrow, sensor";
  std::set<std::string> fields;
  for (const DrawnField& field : run->drawings[0].fields) fields.insert(field.name);
  for (const char* name : {"axial strain", "curvature", "bending moment", "stress", "axial force", "plate stress",
                           "membrane force", "plate bending moment", "speed"})
    EXPECT_TRUE(fields.contains(name)) << name;
  ASSERT_EQ(run->stretches.size(), 4U);
  EXPECT_EQ(run->analysis(run->stretches[0]).type, "static");
  EXPECT_NE(run->stretches[1].model, run->stretches[2].model);
  EXPECT_EQ(run->analysis(run->stretches[3]).type, "modes");
}

TEST(FrozenResults, MakeAReport) {
  const TemporaryFolder folder;
  const ReportOutcome made = write_report({frozen}, folder / "report.html");
  EXPECT_EQ(made.error, "");
  EXPECT_TRUE(made.warnings.empty());
  const std::string page = *read_file(folder / "report.html"),
                    begin = "<script id=\"flexura-report\" type=\"application/json\">";
  const std::size_t at = page.find(begin) + begin.size();
  const Json run = (*parse_json(page.substr(at, page.find("</script>", at) - at), "report"))["runs"][0];
  EXPECT_EQ(run["title"], "Frozen");
  EXPECT_EQ(run["space"], "spatial");
  EXPECT_EQ(run["models"].size(), 2U);
  EXPECT_EQ(run["playback"].size(), 4U);
  EXPECT_EQ(run["playback"][1]["fields"].size(), run["playback"][2]["fields"].size());
  EXPECT_FALSE(run["playback"][1]["fields"].empty());
  EXPECT_FALSE(run["tables"].empty());
}

TEST(FrozenResults, MakeFramesForParaView) {
  const TemporaryFolder folder;
  const auto files = write_vtk_frames(frozen, folder / "vtk");
  ASSERT_TRUE(files) << files.error();
  EXPECT_EQ(files->size(), 3U);
  EXPECT_TRUE(std::filesystem::exists(folder / "vtk/swing/swing_000002.vtu"));
}

}  // namespace
}  // namespace flexura
