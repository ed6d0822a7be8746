#include "flexura/report/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "flexura/base/file.hpp"
#include "flexura/base/temporary_folder.hpp"
#include "flexura/output/draw_model.hpp"
#include "flexura/output/hdf5_reader.hpp"
#include "flexura/output/hdf5_results.hpp"
#include "flexura/output/journal_reader.hpp"
#include "flexura/report/page.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"
#include "tests/report/decode.hpp"

namespace flexura {
namespace {

constexpr const char* pendulum = R"(
title   = "Pendulum"
space   = "planar"
gravity = [0, -9.81]
[point.bob]
position = [1, 0]
[mass.weight]
at = "bob"
m = "1 kg"
[joint.rod]
type = "distance"
of   = [[0, 0], "bob"]
[sensor.bob]
type = "position"
at   = "bob"
[[analysis]]
name = "swing"
type = "dynamic"
end  = "1 s"
step = "1 ms"
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string unbase64(const std::string& text) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<unsigned>(letters.find(c));
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> static_cast<unsigned>(count -= 8) & 0xffU);
  }
  return bytes;
}

/// A report, read as a browser does.
struct Page {
  std::string text, blocks;
  Json json, run;

  explicit Page(const std::string& path) : text(*read_file(path)) {
    json = *parse_json(element("<script id=\"flexura-report\" type=\"application/json\">"), path);
    blocks = unbase64(element("<script id=\"flexura-data\" type=\"text/plain\">"));
    run = json["runs"][0];
  }
  std::string element(const std::string& begin) const {
    const std::size_t at = text.find(begin) + begin.size();
    return text.substr(at, text.find("</script>", at) - at);
  }
  std::vector<double> reals(const Json& block) const { return decode<double>(blocks, block); }
  std::vector<double> quantised(const Json& q) const {
    std::vector<double> values;
    const std::size_t columns = q["values"]["shape"][1];
    for (const std::uint16_t n : decode<std::uint16_t>(blocks, q["values"])) {
      const std::size_t c = q["low"].size() == 1 ? 0 : values.size() % columns;
      values.push_back(n == 65535 ? NAN : q["low"][c].get<double>() + q["step"][c].get<double>() * n);
    }
    return values;
  }
  const Json& table(const std::string& name) const {
    for (const Json& table : run["tables"])
      if (table["name"] == name) return table;
    throw std::runtime_error("no table " + name);
  }
  /// Highest place in the data that a block ends at.
  std::size_t size_of_blocks(const Json& part) const {
    std::size_t size = part.is_object() && part.contains("at") && part.contains("bytes")
                           ? part["at"].get<std::size_t>() + part["bytes"].get<std::size_t>()
                           : 0;
    for (const Json& inner : part)
      if (inner.is_structured()) size = std::max(size, size_of_blocks(inner));
    return size;
  }
};

class Report : public ::testing::Test {
 protected:
  /// Runs the scene into a folder of the test.
  RunSummary run(const std::string& scene, const std::string& name = "run", bool report = true,
                 const std::vector<std::string>& set = {}) {
    RunOptions options;
    options.folder = at(name);
    options.csv = false;
    options.report = report;
    SceneOptions reading;
    reading.set = set;
    return run_scene(read_scene_text(scene, "scene.toml", scene_terms(), reading), options);
  }
  std::string at(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string results(const std::string& name = "run") const { return at(name) + "/results.h5"; }

 private:
  TemporaryFolder folder_;
};

TEST_F(Report, ARunLeavesOneAndListsIt) {
  const RunSummary summary = run(pendulum);
  ASSERT_TRUE(summary.unwritten.empty());
  EXPECT_NE(std::find(summary.files.begin(), summary.files.end(), at("run/report.html")), summary.files.end());
  const Page page(at("run/report.html"));
  EXPECT_EQ(page.json["format"], "flexura-report");
  EXPECT_EQ(page.run["status"], "finished");
  EXPECT_EQ(page.run["space"], "planar");
  EXPECT_EQ(page.run["gravity"], Json({0.0, -9.81}));
  EXPECT_EQ(page.run["scene"]["command"], "flexura run scene.toml");
  EXPECT_EQ(page.size_of_blocks(page.json), page.blocks.size()) << "nothing but what is referred to";
  run(pendulum, "without", false);
  EXPECT_FALSE(read_file(at("without/report.html")));
}

TEST_F(Report, DrawnPositionsAreThoseOfTheResultsWithinTheStatedError) {
  run(pendulum);
  const Page page(at("run/report.html"));
  const Json& stretch = page.run["playback"][0];
  const std::vector<double> shown = page.quantised(stretch["q"]);
  const auto q = read_dataset(results(), "/analysis/swing/q");
  ASSERT_TRUE(q);
  const SceneDocument document = read_scene_text(pendulum, "scene.toml", scene_terms());
  const SceneModels scene = interpret_scene(document);
  const Drawing drawing = draw_model(scene.models[0], scene.models[0].sensors).drawing;
  const std::size_t rows = q->info.shape[0], columns = 2 * drawing.slots.size();
  ASSERT_EQ(shown.size(), rows * columns);
  const double error = page.run["accuracy"]["position"];
  EXPECT_LT(error, 2.0 / 65534) << "half a step of a range of less than 2 m";
  double worst = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < columns; ++c) {
      const auto coordinate = static_cast<std::size_t>(drawing.slots[c / 2].offset) + c % 2;
      worst = std::max(worst, std::abs(shown[i * columns + c] - q->reals[i * q->info.shape[1] + coordinate]));
    }
  EXPECT_LE(worst, error * (1 + 1e-9));
  EXPECT_GT(worst, 0.5 * error) << "the error that is stated is the one that is made";
}

TEST_F(Report, TablesHoldTheSensorsBitForBit) {
  run(pendulum);
  const Page page(at("run/report.html"));
  const auto position = read_dataset(results(), "/sensors/bob/position");
  ASSERT_TRUE(position);
  const Json& table = page.table("bob");
  EXPECT_EQ(table["columns"], Json({"x", "y"}));
  EXPECT_EQ(table["unit"], "m");
  EXPECT_EQ(table["axis_unit"], "s");
  EXPECT_EQ(page.reals(table["values"]), position->reals);
  EXPECT_FALSE(table.contains("thinned"));
}

TEST_F(Report, KeepsItsBudgetAndSaysWhatItLeftOut) {
  run(replaced(pendulum, "[[analysis]]", "[output]\nevery_step = true\n[[analysis]]"));
  const std::size_t whole = read_file(at("run/report.html"))->size();
  ReportOptions options;
  options.budget = viewer_page().size() + (whole - viewer_page().size()) / 3;
  const ReportOutcome outcome = write_report({results()}, at("small.html"), options);
  ASSERT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.warnings.empty());
  const Page page(at("small.html"));
  EXPECT_LE(page.text.size(), options.budget);
  const Json& thinned = page.run["accuracy"]["thinned"];
  EXPECT_EQ(thinned["of"], 1001);
  EXPECT_LT(thinned["kept"], 1001);
  EXPECT_EQ(thinned["kept"], page.run["playback"][0]["at"]["count"]);
  const Json& table = page.table("bob");
  EXPECT_EQ(table["thinned"]["of"], 1001);
  const auto position = read_dataset(results(), "/sensors/bob/position");
  double least = 0, shown = 0;
  for (std::size_t i = 1; i < position->reals.size(); i += 2) least = std::min(least, position->reals[i]);
  const std::vector<double> kept = page.reals(table["values"]);
  for (std::size_t i = 1; i < kept.size(); i += 2) shown = std::min(shown, kept[i]);
  EXPECT_EQ(shown, least) << "extremes stay";
}

TEST_F(Report, ThatCannotKeepItsBudgetIsAsSmallAsItGetsAndSaysSo) {
  run(replaced(pendulum, "[[analysis]]", "[output]\nevery_step = true\n[[analysis]]"));
  ReportOptions options;
  options.budget = viewer_page().size();
  const ReportOutcome outcome = write_report({results()}, at("small.html"), options);
  ASSERT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.warnings.size(), 1U);
  EXPECT_NE(outcome.warnings[0].find(std::to_string(options.budget)), std::string::npos);
  const Page page(at("small.html"));
  EXPECT_GE(page.run["accuracy"]["thinned"]["kept"], 2);
  EXPECT_LE(page.run["accuracy"]["thinned"]["kept"], 8);
}

TEST_F(Report, SaysHowToRepeatTheRunWithAllThatWasSet) {
  run(pendulum, "run", true, {"analysis.swing.end=0.5", "title='A \"new\" one'"});
  EXPECT_EQ(Page(at("run/report.html")).run["scene"]["command"],
            R"(flexura run scene.toml --set analysis.swing.end=0.5 --set 'title='\''A "new" one'\''')");
}

TEST_F(Report, OfThinnedModesHasTheFrequencyOfEachThatIsShown) {
  RunOptions running;
  running.folder = at("run");
  running.report = false;
  run_scene(read_scene("examples/modes.toml", scene_terms()), running);
  ReportOptions options;
  options.budget = viewer_page().size();  // so that only 2 states of a stretch remain
  ASSERT_EQ(write_report({results()}, at("small.html"), options).error, "");
  const Page page(at("small.html"));
  const Json& modes = page.run["playback"].back();
  ASSERT_EQ(modes["type"], "modes");
  const std::vector<double> shown = page.reals(modes["at"]), frequency = page.reals(modes["frequency"]);
  const auto all = read_dataset(results(), "/analysis/hanging/frequency");
  ASSERT_TRUE(all);
  ASSERT_LT(shown.size(), all->reals.size());
  ASSERT_EQ(frequency.size(), shown.size());
  for (std::size_t k = 0; k < shown.size(); ++k)
    EXPECT_EQ(frequency[k], all->reals[static_cast<std::size_t>(shown[k]) - 1]);
}

// A model that changes after a nanosecond: two stretches.
TEST_F(Report, AStretchEndsWhereItsModelDoesHoweverShort) {
  std::string scene = replaced(pendulum, "\"1 s\"", "2e-9");
  scene = replaced(scene, "\"1 ms\"", "1e-10");
  scene = replaced(scene, "type = \"distance\"\n", "type = \"distance\"\nuntil = 1e-9\n");
  run(scene + "[output]\nevery_step = true\n");
  const Page page(at("run/report.html"));
  const Json& stretches = page.run["playback"];
  ASSERT_EQ(stretches.size(), 2U);
  EXPECT_DOUBLE_EQ(page.reals(stretches[0]["at"]).back(), 1e-9);
}

TEST_F(Report, NamesOfAnalysesMayBeThoseOfGroups) {
  RunOptions options;
  options.folder = at("run");
  const std::string scene =
      replaced(*read_file("examples/princeton_beam.toml"), "name = \"load\"", "name = \"sensors\"");
  run_scene(read_scene_text(scene, "examples/scene.toml", scene_terms()), options);
  EXPECT_EQ(Page(at("run/report.html")).table("tip")["analysis"], "sensors");
}

TEST_F(Report, ShowsAtMostTheFramesAskedFor) {
  run(replaced(pendulum, "[[analysis]]", "[output]\nevery_step = true\n[[analysis]]"));
  ReportOptions options;
  options.frames = 11;
  ASSERT_EQ(write_report({results()}, at("few.html"), options).error, "");
  const Page page(at("few.html"));
  const std::vector<double> t = page.reals(page.run["playback"][0]["at"]);
  ASSERT_EQ(t.size(), 11U);
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(t[k], 0.1 * static_cast<double>(k), 1e-9);
}

TEST_F(Report, OfEqualResultsIsTheSameToTheByte) {
  run(pendulum);
  ASSERT_EQ(write_report({results()}, at("a.html")).error, "");
  ASSERT_EQ(write_report({results()}, at("b.html")).error, "");
  EXPECT_EQ(*read_file(at("a.html")), *read_file(at("b.html")));
}

TEST_F(Report, TextsOfTheSceneCannotEndTheirElement) {
  run(replaced(pendulum, "\"Pendulum\"", "'</script></title><!-- <script> & \"quoted\"'"));
  const Page page(at("run/report.html"));
  EXPECT_EQ(page.run["title"], "</script></title><!-- <script> & \"quoted\"");
  EXPECT_NE(page.text.find("<title>&lt;/script&gt;&lt;/title&gt;&lt;!-- &lt;script&gt; &amp; &quot;quoted&quot;"),
            std::string::npos);
  EXPECT_EQ(script_json({{"a", "<!--</script>"}}), R"({"a":"\u003c!--\u003c/script>"})");
}

TEST_F(Report, OfARunThatFailedSaysWhy) {
  const RunSummary summary =
      run(replaced(pendulum, "step = \"1 ms\"", "step = \"1 ms\"\nmax_iterations = 1\ntolerance = 1e-14"));
  ASSERT_EQ(summary.status, RunStatus::failed);
  const Page page(at("run/report.html"));
  EXPECT_EQ(page.run["status"], "failed");
  EXPECT_EQ(page.run["message"], summary.message);
  EXPECT_FALSE(page.run["models"].empty());
}

TEST_F(Report, OfAnUnfinishedRunShowsWhatThereIs) {
  run(pendulum);
  // As if it had been killed: the journal without its last record.
  std::string bytes = *read_file(at("run/run.journal"));
  bytes.resize(bytes.size() - 8);
  ASSERT_EQ(write_file(at("killed/run.journal"), bytes), "");
  const auto journal = JournalReader::open(at("killed/run.journal"));
  ASSERT_TRUE(journal);
  ASSERT_EQ(write_results(*journal, results("killed")), "");
  ASSERT_EQ(write_report({results("killed")}, at("killed.html")).error, "");
  const Page page(at("killed.html"));
  EXPECT_EQ(page.run["status"], "unfinished");
  EXPECT_EQ(page.run["playback"].size(), 1U);
}

TEST_F(Report, OfModesHasTheConfigurationTheySwingAbout) {
  RunOptions options;
  options.folder = at("run");
  run_scene(read_scene("examples/modes.toml", scene_terms()), options);
  const Page page(at("run/report.html"));
  const Json& stretches = page.run["playback"];
  ASSERT_EQ(stretches.size(), 4U);
  EXPECT_EQ(stretches[3]["type"], "modes");
  EXPECT_EQ(stretches[3]["axis"], "mode");
  const std::vector<double> hanging = page.quantised(stretches[2]["q"]), base = page.reals(stretches[3]["base"]);
  const std::size_t columns = base.size();
  const double error = page.run["accuracy"]["position"];
  for (std::size_t c = 0; c < columns; ++c)  // 4: vectors have steps of their own, of a range of 2 here at most
    EXPECT_NEAR(base[c], hanging[hanging.size() - columns + c], std::max(error, 2.0 / 65534)) << c;
  EXPECT_EQ(page.reals(stretches[3]["frequency"]).size(), 5U);
}

TEST_F(Report, ASensorInsideAStaticAnalysisStandsUnderIt) {
  RunOptions options;
  options.folder = at("run");
  run_scene(read_scene("examples/princeton_beam.toml", scene_terms()), options);
  const Page page(at("run/report.html"));
  EXPECT_EQ(page.run["space"], "spatial");
  EXPECT_EQ(page.run["playback"][0]["axis"], "load_factor");
  EXPECT_EQ(page.table("tip")["analysis"], "load");
  EXPECT_EQ(page.table("tip")["axis"], "load_factor");
}

TEST(ReportFile, ThatCannotBeWrittenIsAnErrorInWords) {
  EXPECT_NE(write_report({"/nowhere/results.h5"}, "/nowhere/report.html").error.find("/nowhere/results.h5"),
            std::string::npos);
}

TEST_F(Report, OfTwoRunsHoldsBothAndTheirDifferences) {
  run(pendulum, "a");
  run(replaced(pendulum, "[1, 0]", "[1, 0.1]"), "b");
  const auto comparison = compare_sensors(results("a"), results("b"));
  ASSERT_TRUE(comparison);
  ReportOptions options;
  options.names = {"a", "b"};
  options.comparison = &*comparison;
  ASSERT_EQ(write_report({results("a"), results("b")}, at("both.html"), options).error, "");
  const Page page(at("both.html"));
  ASSERT_EQ(page.json["runs"].size(), 2U);
  EXPECT_EQ(page.json["runs"][1]["name"], "b");
  EXPECT_EQ(page.json["comparison"].size(), 2U);
  EXPECT_EQ(page.json["comparison"][1]["column"], "y");
}

TEST_F(Report, ComparedSamplesAreReadBetweenThoseOfTheOther) {
  // The same motion, sampled each 5 ms and each 7 ms: linear interpolation of y leaves a h²/8, a ≤ 3 g as at the bottom.
  run(replaced(pendulum, "[sensor.bob]", "[output]\nsensor_interval = 0.005\n[sensor.bob]"), "a");
  run(replaced(pendulum, "[sensor.bob]", "[output]\nsensor_interval = 0.007\n[sensor.bob]"), "b");
  const auto comparison = compare_sensors(results("a"), results("b"));
  ASSERT_TRUE(comparison);
  ASSERT_EQ(comparison->columns.size(), 2U);
  const ColumnDifference& y = comparison->columns[1];
  EXPECT_GT(y.max_difference, 0);
  EXPECT_LT(y.max_difference, 3 * 9.81 * 0.007 * 0.007 / 8);
  EXPECT_LT(y.rms, y.max_difference);
  EXPECT_EQ(y.from, 0);
  EXPECT_NEAR(y.to, 1, 1e-9);
  const auto same = compare_sensors(results("a"), results("a"));
  for (const ColumnDifference& column : same->columns) EXPECT_EQ(column.max_difference, 0);
}

TEST_F(Report, SensorsThatOnlyOneRunHasAreNamed) {
  run(pendulum, "a");
  run(replaced(pendulum, "[sensor.bob]", "[sensor.ball]"), "b");
  const auto comparison = compare_sensors(results("a"), results("b"));
  ASSERT_TRUE(comparison);
  EXPECT_TRUE(comparison->columns.empty());
  EXPECT_EQ(comparison->only_first, std::vector<std::string>{"bob"});
  EXPECT_EQ(comparison->only_second, std::vector<std::string>{"ball"});
}

}  // namespace
}  // namespace flexura
