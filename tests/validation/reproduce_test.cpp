#include "validation/reproduce.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "flexura/base/problem.hpp"
#include "flexura/base/temporary_folder.hpp"

namespace flexura {
namespace {

using testing::HasSubstr;

double value(const Json& result, const char* quantity) { return result["quantities"][quantity]["value"]; }

std::string status(const Json& result, const char* quantity, const char* kind) {
  return result["quantities"][quantity]["verdicts"][kind]["status"];
}

std::string problems_of(const std::string& paper, const std::string& id, const ReproduceOptions& options = {}) {
  try {
    reproduce_case(paper, id, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

// The figures that must come out, with the tolerances of the papers' briefs; the whole case in less than a second.
TEST(Reproduce, TipUnderThirtyGrams) {
  const Json result = reproduce_case("rong2024", "static-30g", {});
  EXPECT_NEAR(value(result, "tip_drop"), 34.35e-3, 0.05e-3);
  EXPECT_EQ(result["quantities"]["tip_drop"]["verdicts"]["chosen to fit"]["figure"], 34.37e-3);
  EXPECT_EQ(status(result, "tip_drop", "chosen to fit"), "fitted");
  EXPECT_EQ(status(result, "tip_drop", "independent"), "met");
  EXPECT_FALSE(reproduction_missed(result));
}

TEST(Reproduce, TheReleasedActuatorSwingsAsTheIndependentProgramSays) {
  const Json result = reproduce_case("rong2024", "release", {});
  EXPECT_NEAR(value(result, "rest_drop"), 7.41e-3, 0.5e-3);
  EXPECT_NEAR(value(result, "loaded_drop"), 79.71e-3, 0.5e-3);
  EXPECT_NEAR(value(result, "period"), 0.139, 0.001);
  EXPECT_NEAR(value(result, "overshoot"), 67.3e-3, 0.5e-3);
}

TEST(Reproduce, ElasticMomentsOfTheHeldBeam) {
  const Json result = reproduce_case("kato2020", "elastic-moments", {});
  EXPECT_NEAR(value(result, "force_norm_node_6_hold"), 4.480, 0.0005);
  EXPECT_NEAR(value(result, "force_norm_node_1_hold"), 4.5844, 0.0005);
  EXPECT_EQ(status(result, "force_norm_node_1_hold", "chosen to fit"), "fitted");
  EXPECT_EQ(status(result, "force_norm_inner_hold", "paper"), "met");
  EXPECT_EQ(status(result, "force_norm_release_first", "paper"), "missed");
  EXPECT_EQ(result["quantities"]["force_norm_release_first"]["verdicts"]["paper"]["off"], 1);
  EXPECT_FALSE(reproduction_missed(result)) << reproduction_text(result);
}

TEST(Reproduce, TheLagOfTheEquationsIsATenthOfADegreePerTenthOfAHertz) {
  const Json result = reproduce_case("rong2024", "sine-0.4", {});
  EXPECT_NEAR(value(result, "phase_lag"), 0.1447, 0.005);
  EXPECT_GT(value(result, "phase_lag_with_line"), 10);
  EXPECT_EQ(status(result, "static_rms_distance", "paper"), "missed");
  EXPECT_EQ(status(result, "static_rms", "independent"), "met");
  EXPECT_FALSE(reproduction_missed(result)) << reproduction_text(result);
}

TEST(Reproduce, EachCaseThatTakesLessThanASecondMeetsItsReferences) {
  const std::set<std::string> quick{"realtime",          "chirp",      "complex-horizontal", "static-deflection",
                                    "bend-hold-release", "rayleigh",   "stiffening",         "bursting",
                                    "inference",         "seven-body", "ternary-link",       "dilating-body",
                                    "rigid-tetrahedron", "delta-robot"};
  for (const CaseInfo& info : reproduction_cases()) {
    if (quick.count(info.id) == 0) continue;
    const Json result = reproduce_case(info.paper, info.id, {});
    EXPECT_FALSE(reproduction_missed(result)) << reproduction_text(result);
    std::set<std::string> declared, given;
    for (const QuantityInfo& q : info.quantities) declared.insert(q.name);
    for (const auto& [name, q] : result["quantities"].items()) given.insert(name);
    EXPECT_EQ(declared, given) << info.id;
  }
}

// The trunk's cases that take about a second.
TEST(Reproduce, TheTrunkIsTwistedAsATaperedTubeIs) {
  const Json result = reproduce_case("ghoneimy2025", "trunk-twist", {});
  EXPECT_FALSE(reproduction_missed(result)) << reproduction_text(result);
  EXPECT_NEAR(result["quantities"]["over_thin_wall"]["value"][2].get<double>(), 1, 2e-3);
  EXPECT_EQ(status(result, "angle", "closed form"), "missed");  // the wall of 20 mm is no thin one
}

TEST(Reproduce, PosturesOfTheTrunkAreFound) {
  const Json result = reproduce_case("ghoneimy2025", "postures", {});
  EXPECT_FALSE(reproduction_missed(result)) << reproduction_text(result);
}

// Full plates with the change of volume everywhere: a few seconds.
TEST(Reproduce, ThePlateOfXingLocksWithTheVolumeEverywhere) {
  const Json result = reproduce_case("xing2022", "plate-locking", {});
  EXPECT_FALSE(reproduction_missed(result)) << reproduction_text(result);
}

// Its silicone in closed forms, a couple of seconds.
TEST(Reproduce, TheSiliconeOfXingIsThatOfTheClosedForms) {
  const Json result = reproduce_case("xing2022", "materials", {});
  EXPECT_FALSE(reproduction_missed(result)) << reproduction_text(result);
}

// Drop ∝ 1/EI in the linear range: 20 % more stiffness, a seventh less drop.
TEST(Reproduce, SetChangesTheFiguresAndTheVerdict) {
  const Json result = reproduce_case("rong2024", "static-30g", {.set = {"section.wall.EI=0.0223"}});
  EXPECT_LT(value(result, "tip_drop"), 30.5e-3);
  EXPECT_EQ(status(result, "tip_drop", "independent"), "missed");
  EXPECT_EQ(status(result, "tip_drop", "chosen to fit"), "fitted");
  EXPECT_TRUE(reproduction_missed(result));
}

// Each kind of figure is judged and counted by itself: a value may meet an independent figure and miss the paper's.
TEST(Reproduce, VerdictsAreSeparateInTableAndSummary) {
  const auto verdict = [](const char* status) {
    return Json{{"figure", 1.0}, {"rule", "within"}, {"tolerance", 0.0}, {"share", 0.02},
                {"numbers", 1},  {"off", 0},         {"status", status}};
  };
  Json result = {
      {"paper", "p"}, {"case", "c"}, {"wall_time_s", 0.0}, {"chosen", Json::array()}, {"files", Json::array()}};
  result["quantities"]["x"] = {{"value", 1.1}, {"unit", "m"}, {"doc", ""}};
  result["quantities"]["x"]["verdicts"] = {{"paper", verdict("missed")}, {"independent", verdict("met")}};
  EXPECT_TRUE(reproduction_missed(result));
  result["quantities"]["x"]["verdicts"]["paper"]["note"] = "weight was left out";
  EXPECT_FALSE(reproduction_missed(result)) << "the case accounts for it";
  EXPECT_EQ(reproduction_summary({result, result}),
            Json::parse(R"({"paper": {"missed": 2}, "independent": {"met": 2}})"));
  EXPECT_EQ(reproduction_summary_text({result}), "paper           1 missed\nindependent     1 met\n");
  EXPECT_THAT(reproduction_text(result), HasSubstr("paper           1 ± 2 %: missed; weight was left out"));
  EXPECT_THAT(reproduction_text(result), HasSubstr("independent     1 ± 2 %: met"));
}

TEST(Reproduce, AFailedComputationIsReportedAndMissed) {
  const Json result = reproduce_case("rong2024", "release", {.set = {"analysis.swing.max_iterations=1"}});
  EXPECT_THAT(result["failed"].get<std::string>(), HasSubstr("newton: no convergence"));
  EXPECT_TRUE(result["quantities"]["period"]["value"].is_null());
  EXPECT_TRUE(reproduction_missed(result));
  EXPECT_THAT(reproduction_text(result), HasSubstr("failed: validation/rong2024/release.toml"));
}

TEST(Reproduce, WrongNamesAndSettingsAreInputErrors) {
  EXPECT_THAT(problems_of("rong2042", "release"), HasSubstr("nearest: \"rong2024\""));
  EXPECT_THAT(problems_of("rong2024", "relaese"), HasSubstr("nearest: \"release\""));
  EXPECT_THAT(problems_of("rong2024", "static-30g", {.set = {"section.wal.EI=1"}}), HasSubstr("nearest: \"wall\""));
  EXPECT_THAT(problems_of("rong2024", "convergence", {.set = {"cable.actuator.elements=3"}}),
              HasSubstr("varies it by itself"));
}

TEST(Reproduce, SeriesResultsPlotsAndReportAreWritten) {
  const TemporaryFolder folder;
  const ReproduceOptions options{.csv_dir = folder / "csv", .output_dir = folder / "out"};
  const Json result = reproduce_case("rong2024", "release", options);
  for (const Json& file : result["files"]) EXPECT_TRUE(std::filesystem::exists(file.get<std::string>())) << file;
  std::ifstream csv(options.csv_dir + "/release-tip.csv");
  std::string header;
  std::getline(csv, header);
  EXPECT_EQ(header, "t [s],position.x [m],position.y [m]");
  EXPECT_TRUE(std::filesystem::exists(options.output_dir + "/release/results.h5"));
  const std::string report = write_reproduction_report({result}, options.output_dir);
  std::ifstream page(report);
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  EXPECT_THAT(text, HasSubstr("<svg"));
  EXPECT_THAT(text, HasSubstr("0.0673 ± 0.0005"));
  EXPECT_THAT(text, HasSubstr("<tr><td>independent</td><td>4</td><td>0</td>"));
}

TEST(Reproduce, TheListNamesEveryCaseAndUnit) {
  const std::string list = reproduction_list_text();
  for (const char* id : {"static-30g",         "convergence",     "realtime",        "sine-0.4",
                         "sine-0.7",           "sine-1.0",        "chirp",           "complex-vertical",
                         "complex-horizontal", "release",         "frequency-limit", "static-deflection",
                         "bend-hold-release",  "elastic-moments", "trunk-fall",      "elements",
                         "trunk-bend",         "trunk-coil",      "trunk-collapse",  "trunk-twist",
                         "trunk-compress",     "postures",        "reachability",    "series",
                         "rayleigh",           "stiffening",      "bursting",        "bending-measure",
                         "fuzzy-or-baumgarte", "memberships",     "inference"})
    EXPECT_THAT(list, HasSubstr(id));
  EXPECT_EQ(reproduction_list_json().size(), reproduction_cases().size());
}

}  // namespace
}  // namespace flexura
