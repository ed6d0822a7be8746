#include "flexura/study/sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "flexura/base/file.hpp"
#include "flexura/base/temporary_folder.hpp"
#include "flexura/study/sweep_page.hpp"
#include "tests/report/decode.hpp"

namespace flexura::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A mass on a spring: with no damping it swings about 0 as cos ω t, ω² = k/m.
const std::string swing = R"(space = "planar"
[mass.bob]
at = "p"
m = 2
[point.p]
position = [1, 0]
[spring.pull]
type = "linear"
between = [[0, 0], "p"]
stiffness = 8
free_length = 0.8
[sensor.place]
type = "position"
at = "p"
[[analysis]]
name = "swing"
type = "dynamic"
end = 1
step = 1e-3
)";

const std::string cable = R"(gravity = [0, -9.81]
[section.wall]
EA = 2000
EI = 0.0186
rhoA = 0.12
[cable.arm]
section = "wall"
path = [[0, 0], [0.2, 0]]
elements = 2
[joint.clamp]
type = "weld"
of = ["ground", "arm.start"]
[mass.tip]
at = "arm.end"
m = 0.01
[sensor.tip]
type = "position"
at = "arm.end"
[[analysis]]
name = "hang"
type = "static"
[[analysis]]
name = "fall"
type = "dynamic"
end = 0.05
step = 1e-3
)";

StudyOptions files(std::map<std::string, std::string> texts) {
  StudyOptions options;
  options.scene.load = [texts = std::move(texts)](const std::string& path) -> std::optional<std::string> {
    const auto found = texts.find(path);
    if (found == texts.end()) return {};
    return found->second;
  };
  return options;
}

SweepPlan plan_of(const std::string& study, const std::map<std::string, std::string>& more = {}) {
  std::map<std::string, std::string> texts = more;
  texts.try_emplace("cable.toml", cable);
  return read_sweep_text("scene = \"cable.toml\"\n" + study, "study.toml", files(texts));
}

std::string message_of(const std::string& study, const std::map<std::string, std::string>& more = {}) {
  try {
    plan_of(study, more);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

std::string text_of(const std::string& path) {
  Outcome<std::string> text = read_file(path);
  return text ? *text : "no file";
}

const std::string two_by_three = R"([design]
type = "grid"
[parameter.EI]
path = "section.wall.EI"
low = 0.01
high = 0.02
count = 2
[parameter.m]
path = "mass.tip.m"
values = ["5 g", "10 g", "20 g"]
)";

TEST(SweepPlan, MakesAGridWithTheLastParameterFastest) {
  const SweepPlan plan = plan_of(two_by_three);
  EXPECT_THAT(plan.runs, ElementsAre(ElementsAre(0.01, 0.005), ElementsAre(0.01, 0.01), ElementsAre(0.01, 0.02),
                                     ElementsAre(0.02, 0.005), ElementsAre(0.02, 0.01), ElementsAre(0.02, 0.02)));
  EXPECT_THAT(plan.columns(), ElementsAre("tip_x", "tip_y"));
}

TEST(SweepPlan, PutsOneRunIntoEachCellOfALatinHypercube) {
  const std::string study = R"([design]
type = "latin-hypercube"
runs = 100
seed = 3
[parameter.EI]
path = "section.wall.EI"
low = 1
high = 2
[parameter.m]
path = "mass.tip.m"
low = 0.001
high = 1
distribution = "log"
)";
  const SweepPlan plan = plan_of(study);
  std::vector<int> first(100, 0), second(100, 0);
  for (const std::vector<double>& run : plan.runs) {
    ++first[static_cast<size_t>((run[0] - 1) * 100)];
    ++second[static_cast<size_t>(std::log10(run[1] * 1000) / 3 * 100)];
  }
  EXPECT_THAT(first, testing::Each(1));
  EXPECT_THAT(second, testing::Each(1));
  EXPECT_EQ(plan_of(study).runs, plan.runs);
}

TEST(SweepPlan, TakesAListWithUnits) {
  const std::string study = R"([design]
type = "list"
file = "runs.csv"
[parameter.m]
path = "mass.tip.m"
[parameter.EI]
path = "section.wall.EI"
)";
  const SweepPlan plan = plan_of(study, {{"runs.csv", "EI,m [g]\n0.01,5\n0.02,6\n"}});
  EXPECT_THAT(plan.runs, ElementsAre(ElementsAre(0.005, 0.01), ElementsAre(0.006, 0.02)));
  const std::string message = message_of(study, {{"runs.csv", "EI,mm\n0.01,5\n"}});
  EXPECT_THAT(message, HasSubstr("the column \"mm\" is no parameter of the study"));
  EXPECT_THAT(message, HasSubstr("study.toml:4:8: error: design.file: \"runs.csv\" has no column \"m\""));
  EXPECT_THAT(message_of(study, {{"runs.csv", "EI,m\n0.01,5\n-1,6\n"}}),
              HasSubstr("runs.csv:3:1: error: parameter.EI: section.wall.EI: -1 is out of range"));
}

TEST(SweepPlan, FindsEveryProblemAtOnce) {
  const std::string message = message_of(R"([design]
type = "sobbol"
[parameter.EI]
path = "section.wal.EI"
low = 2
high = 1
[parameter.m]
path = "mass.tip.m"
low = "1 N"
high = "2 g"
distribution = "log"
mean = 3
[output.a]
sensor = "tipp"
[output.tip]
component = "z"
[output.c]
sensor = "tip"
analysis = "hang"
from = 1
)");
  EXPECT_THAT(message, HasSubstr("study.toml:3:8: error: design.type: there is no design of type \"sobbol\""));
  EXPECT_THAT(message, HasSubstr("nearest: \"sobol\""));
  EXPECT_THAT(message, HasSubstr("study.toml:5:8: error: parameter.EI.path: section.wal.EI: the scene has no"));
  EXPECT_THAT(message, HasSubstr("study.toml:6:7: error: parameter.EI.low: the bounds are the wrong way"));
  EXPECT_THAT(message, HasSubstr("study.toml:10:7: error: parameter.m.low: \"1 N\" has the wrong dimension"));
  EXPECT_THAT(message, HasSubstr("study.toml:13:8: error: parameter.m.mean: is of normal distributions only"));
  EXPECT_THAT(message, HasSubstr("study.toml:15:10: error: output.a.sensor: the scene has no sensor \"tipp\""));
  EXPECT_THAT(message,
              HasSubstr("study.toml:17:13: error: output.tip.component: sensor \"tip\" has no component \"z\""));
  EXPECT_THAT(message, HasSubstr("study.toml:21:8: error: output.c.from: "));
}

TEST(SweepPlan, AsksForTheBoundsThatADistributionNeeds) {
  const auto message = [](const std::string& keys) {
    return message_of("[design]\ntype = \"sobol\"\nruns = 2\n[parameter.m]\npath = \"mass.tip.m\"\n" + keys);
  };
  EXPECT_THAT(message("low = 1\n"), HasSubstr("parameter.m: \"high\" is missing"));
  EXPECT_THAT(message("low = 1\n"), Not(HasSubstr("\"low\" is missing")));
  EXPECT_THAT(message("range = [1, 2]\n"), HasSubstr("parameter.m.range: unknown key; allowed: "));
  EXPECT_THAT(message("low = 0\nhigh = 1\ndistribution = \"log\"\n"), HasSubstr("parameter.m.low: a log distribution"));
  const std::string normal = "distribution = \"normal\"\nmean = 1\ndeviation = 0.1\n";
  EXPECT_EQ(message(normal), "nothing was thrown");
  EXPECT_EQ(message(normal + "low = 0.5\n"), "nothing was thrown");
  EXPECT_EQ(message(normal + "high = 1.1\n"), "nothing was thrown");
  EXPECT_THAT(message(normal + "low = 9\n"), HasSubstr("next to nothing of the distribution lies within the bounds"));
}

// Of x = 0.8 + 0.2 cos 2t over one second: least, greatest, mean 0.8 + 0.1 sin 2, and so on; the step makes 1e-6 of it.
TEST(Sweep, TakesWhatTheStudyAsksForOfTheSamples) {
  const SweepPlan plan = read_sweep_text(R"(scene = "swing.toml"
[design]
type = "grid"
[parameter.k]
path = "spring.pull.stiffness"
values = [8]
[output.end]
sensor = "place"
component = "x"
[output.least]
sensor = "place"
component = "x"
take = "min"
[output.mean]
sensor = "place"
component = "x"
take = "mean"
interval = 0.01
[output.rms]
sensor = "place"
component = "x"
take = "rms"
from = 0.5
[output.all]
sensor = "place"
take = "series"
to = 0.1
)",
                                         "study.toml", files({{"swing.toml", swing}}));
  const std::optional<SweepOutcome> outcome = run_alone(plan, 0, nullptr);
  ASSERT_TRUE(outcome && outcome->finished) << outcome->message;
  EXPECT_NEAR(outcome->numbers[0], 0.8 + 0.2 * std::cos(2), 1e-6);
  EXPECT_NEAR(outcome->numbers[1], 0.8 + 0.2 * std::cos(2), 1e-6);
  EXPECT_NEAR(outcome->numbers[2], 0.8 + 0.1 * std::sin(2), 1e-5);  // trapezoidal rule at 10 ms: h²/12 x″
  const auto square = [](double t) { return 0.66 * t + 0.16 * std::sin(2 * t) + 0.005 * std::sin(4 * t); };
  EXPECT_NEAR(outcome->numbers[3], std::sqrt((square(1) - square(0.5)) / 0.5), 1e-5);
  ASSERT_EQ(outcome->series.size(), 1u);
  EXPECT_EQ(outcome->series[0].at.size(), 11u);
  EXPECT_EQ(outcome->series[0].values.size(), 22u);
  EXPECT_NEAR(outcome->series[0].values[20], 0.8 + 0.2 * std::cos(0.2), 1e-6);
}

TEST(Sweep, OutcomesReadBackAsTheSameBits) {
  SweepOutcome outcome{.run = 3,
                       .finished = true,
                       .message = "a \"b\"\nc",
                       .numbers = {0.1 + 0.2, -1e-300, NAN},
                       .series = {},
                       .wall = 0.5};
  outcome.series.push_back({{0, 0.1}, {1.0 / 3, 2}});
  const std::optional<SweepOutcome> back = outcome_of_line(outcome_line(outcome));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->message, outcome.message);
  EXPECT_EQ(back->numbers[0], outcome.numbers[0]);
  EXPECT_EQ(back->numbers[1], outcome.numbers[1]);
  EXPECT_TRUE(std::isnan(back->numbers[2]));
  EXPECT_EQ(back->series[0].values, outcome.series[0].values);
  EXPECT_FALSE(outcome_of_line(outcome_line(outcome).substr(0, 40)));
}

// The same table from one thread and from three, and whatever a killed sweep had kept, half a line included.
TEST(Sweep, WritesTheSameTableHoweverItIsDone) {
  const SweepPlan plan = plan_of(two_by_three);
  const TemporaryFolder folder;
  const std::string one = folder.path() + "/one", three = folder.path() + "/three", again = folder.path() + "/again";
  const SweepSummary summary = run_sweep(plan, {.folder = one});
  EXPECT_EQ(summary.finished, 6);
  EXPECT_EQ(summary.in_lanes, 6);
  run_sweep(plan, {.folder = three, .threads = 3, .lanes = false});
  const std::string table = text_of(one + "/table.csv");
  EXPECT_EQ(text_of(three + "/table.csv"), table);
  EXPECT_THAT(table, testing::StartsWith("run,EI,m,tip_x,tip_y,status,message\n0,0.01,0.005,"));

  const std::string journal = text_of(one + "/sweep.journal");
  std::filesystem::create_directories(again);
  for (const size_t kept : {journal.size() / 3, journal.size() / 2, journal.size() - 1}) {
    std::ofstream(again + "/sweep.journal") << journal.substr(0, kept);
    run_sweep(plan, {.folder = again, .resume = true});
    EXPECT_EQ(text_of(again + "/table.csv"), table);
  }
  // A line with other numbers than the sweep has is damaged too.
  const SweepOutcome alien{.run = 0, .finished = true, .message = {}, .numbers = {1}, .series = {}, .wall = 0};
  std::ofstream(again + "/sweep.journal") << journal.substr(0, journal.find('\n') + 1) << outcome_line(alien) << "\n";
  run_sweep(plan, {.folder = again, .resume = true});
  EXPECT_EQ(text_of(again + "/table.csv"), table);
  std::string other = two_by_three;
  other.replace(other.find("0.02"), 4, "0.03");
  EXPECT_THROW(run_sweep(plan_of(other), {.folder = one, .resume = true}), InputError);
}

// Each lane has signals of its own, a lag among them, and one of them asks for more than can be: it leaves, the others have the bits that
// they have by themselves.
TEST(Sweep, LanesHaveTheirOwnSignalsAndLeaveByThemselves) {
  const std::string driven = cable + R"([signal.push]
type = "sine"
amplitude = 0.1
frequency = 20
[signal.late]
type = "lag"
of = "push"
time_constant = 0.01
[load.pull]
type = "force"
at = "arm.end"
force = [0, 1]
signal = "late"
)";
  const SweepPlan plan =
      plan_of(R"([design]
type = "list"
file = "runs.csv"
[parameter.a]
path = "signal.push.amplitude"
[parameter.f]
path = "signal.push.frequency"
[parameter.EI]
path = "section.wall.EI"
[output.tip]
take = "series"
interval = 1e-3
[output.low]
sensor = "tip"
take = "min"
)",
              {{"cable.toml", driven}, {"runs.csv", "a,f,EI\n0.1,20,0.01\n0.2,30,0.02\n1e250,20,0.01\n0,10,0.03\n"}});
  const TemporaryFolder folder;
  const SweepSummary together = run_sweep(plan, {.folder = folder.path() + "/lanes"});
  run_sweep(plan, {.folder = folder.path() + "/alone", .lanes = false});
  EXPECT_EQ(together.in_lanes, 3);
  EXPECT_EQ(together.failed, 1);
  for (const char* file : {"/table.csv", "/series_tip.csv"})
    EXPECT_EQ(text_of(folder.path() + "/lanes" + file), text_of(folder.path() + "/alone" + file));
}

// The same of energies, which lanes find together, and of a motion that is prescribed through a lag, whose signals a run looks at before its step.
TEST(Sweep, LanesHaveTheSameEnergiesAndPrescribedMotions) {
  const std::string moved = cable + R"([signal.to]
type = "sine"
amplitude = 0.02
frequency = 15
[signal.late]
type = "lag"
of = "to"
time_constant = 0.01
[joint.hand]
type = "prescribed"
of = ["ground", "arm@0.5"]
y = "late"
[sensor.strain]
type = "energy"
of = "strain"
[sensor.kinetic]
type = "energy"
of = "kinetic"
[sensor.work]
type = "energy"
of = "work"
[sensor.lost]
type = "energy"
of = "dissipated"
)";
  const SweepPlan plan = plan_of(R"([design]
type = "grid"
[parameter.a]
path = "signal.to.amplitude"
values = [0.01, 0.02, 0.03]
[parameter.m]
path = "mass.tip.m"
values = [0.01, 0.02, 0.05]
[output.strain]
take = "series"
[output.kinetic]
take = "series"
[output.work]
take = "series"
[output.lost]
take = "rms"
[output.tip]
take = "min"
)",
                                 {{"cable.toml", moved}});
  const TemporaryFolder folder;
  const SweepSummary together = run_sweep(plan, {.folder = folder.path() + "/lanes"});
  run_sweep(plan, {.folder = folder.path() + "/alone", .lanes = false});
  EXPECT_EQ(together.in_lanes, 8);
  EXPECT_EQ(together.failed, 0);
  for (const char* file : {"/table.csv", "/series_strain.csv", "/series_kinetic.csv", "/series_work.csv"})
    EXPECT_EQ(text_of(folder.path() + "/lanes" + file), text_of(folder.path() + "/alone" + file));
}

// A wall of next to no stiffness cannot carry the mass: those runs keep their message, the others go on.
TEST(Sweep, KeepsTheMessagesOfRunsThatFail) {
  const SweepPlan plan = plan_of(R"([design]
type = "grid"
[parameter.step]
path = "analysis.fall.step"
values = [1e-3, 1e-2]
[parameter.m]
path = "mass.tip.m"
values = [0.01, 1e300]
)");
  const TemporaryFolder folder;
  const SweepSummary summary = run_sweep(plan, {.folder = folder.path()});
  EXPECT_EQ(summary.finished, 2);
  EXPECT_EQ(summary.failed, 2);
  const std::string table = text_of(folder.path() + "/table.csv");
  EXPECT_THAT(table, HasSubstr("1,0.001,1e+300,,,failed,"));
  EXPECT_THAT(table, Not(HasSubstr("failed,\n")));
}

// What the page holds: of a sweep that was stopped too, and nothing that could end its script.
TEST(SweepPage, HoldsRunsMessagesAndWhatRepeatsThem) {
  SweepPlan plan = plan_of("title = \"</script><script>hurt()\"\n" + two_by_three);
  std::vector<std::optional<SweepOutcome>> outcomes(6);
  outcomes[1] = {.run = 1, .finished = true, .message = {}, .numbers = {0.25, -1}, .series = {}};
  for (const long run : {2L, 5L})
    outcomes[static_cast<size_t>(run)] = {
        .run = run, .message = "<!-- no equilibrium </script>", .numbers = {NAN, NAN}, .series = {}};
  BlockStore blocks;
  const Json page = sweep_page_json(plan, outcomes, "a b", blocks);
  EXPECT_EQ(page["planned"], 6);
  EXPECT_EQ(page["known"], 3);
  EXPECT_EQ(page["failed"], 2);
  EXPECT_THAT(decode<std::uint32_t>(blocks.bytes(), page["run"]), ElementsAre(1, 2, 5));
  const std::vector<double> values = decode<double>(blocks.bytes(), page["values"]);
  EXPECT_THAT(std::vector<double>(values.begin(), values.begin() + 6), ElementsAre(0.01, 0.01, 0.25, -1, 0.01, 0.02));
  EXPECT_TRUE(std::isnan(values[6]));
  EXPECT_EQ(page["failed_rows"], Json({1, 2}));
  EXPECT_EQ(page["messages"]["texts"].size(), 1u);
  EXPECT_EQ(page["command"]["head"], "flexura run cable.toml");
  EXPECT_EQ(page["command"]["parameters"], Json({"--set section.wall.EI=", "--set mass.tip.m="}));
  EXPECT_EQ(page["command"]["output"], "--output 'a b/runs/'");
  EXPECT_EQ(page["columns"][1]["unit"], "kg");
  EXPECT_EQ(page["columns"][3]["name"], "tip_y");

  const std::string text = sweep_page(plan, outcomes, "a b");
  EXPECT_EQ(text.find("</script><script>hurt"), std::string::npos);
  EXPECT_EQ(text.find("<!-- no equilibrium"), std::string::npos);
  EXPECT_NE(text.find("no equilibrium \\u003c/script"), std::string::npos);
  // Three rows at most two of which it may hold.
  BlockStore fewer;
  EXPECT_THAT(decode<std::uint32_t>(fewer.bytes(), sweep_page_json(plan, outcomes, "a", fewer, {.runs = 2})["run"]),
              ElementsAre(1, 2));
}

}  // namespace
}  // namespace flexura::test
