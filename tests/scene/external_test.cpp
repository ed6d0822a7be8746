// Signals and loads from code: which functions a scene asks the program for, and what it says without them.

#include "scene_testing.hpp"

namespace flexura::testing {
namespace {

const std::string crank = R"([body.crank]
m = 1
inertia = 1
points = { tip = [1, 0] }
[joint.pin]
type = "revolute"
of = ["ground", "crank"]
)";
const std::string laws = crank + R"([load.contact]
type = "external"
at = "crank.tip"
[load.control]
type = "external_effort"
at = "pin"
function = "pid"
[load.wind]
type = "force"
at = "crank.tip"
force = [1, 0]
signal = { type = "external", function = "gust" }
[signal.pump]
type = "external"
)";

ExternalSignal constant() {
  ExternalSignal signal;
  signal.value = [](void*, double) { return 1.0; };
  return signal;
}
ExternalLaw nothing() {
  ExternalLaw law;
  law.force = [](void*, int n, double, const double*, const double*, double* f, double*, double*) {
    for (int i = 0; i < n; ++i) f[i] = 0;
    return 0;
  };
  return law;
}

Lines problems_with(const std::string& text, const ExternalFunctions& functions, const Files& files = {}) {
  SceneOptions options;
  options.load = files.loader();
  options.functions = functions;
  Lines lines;
  try {
    read_scene_text(text, "scene.toml", scene_terms(), options);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) lines.push_back(line_of(problem));
  }
  return lines;
}

TEST(ExternalFunctions, AreFoundByTheNameInTheSceneOrThatOfTheThing) {
  ExternalFunctions functions{{{"gust", constant()}, {"pump", constant()}},
                              {{"contact", nothing()}, {"pid", nothing()}, {"not asked for", nothing()}}};
  EXPECT_EQ(problems_with(laws, functions), Lines{});
  SceneOptions options;
  options.functions = functions;
  const SceneDocument scene = read_scene_text(laws, "scene.toml", scene_terms(), options);
  ASSERT_EQ(scene.laws.size(), 2u);
  EXPECT_EQ(scene.law_of(*scene.find("load", "control"))->what(), "the force law 'pid'");
  EXPECT_EQ(scene.law_of(*scene.find("load", "wind")), nullptr);
}

TEST(ExternalFunctions, MissingOnesAreForTheProgramToGive) {
  const std::string ask = "the program that runs the scene must give the ";
  EXPECT_EQ(problems_with(laws, {}),
            (Lines{"8:7: load.contact.function: " + ask + "force law \"contact\"; it gives none",
                   "14:12: load.control.function: " + ask + "force law \"pid\"; it gives none",
                   "19:42: load.wind.signal.function: " + ask + "signal function \"gust\"; it gives none",
                   "20:9: signal.pump.function: " + ask + "signal function \"pump\"; it gives none"}));
  EXPECT_EQ(problems_with(laws, {{{"gust", constant()}, {"pumps", constant()}},
                                 {{"contact", nothing()}, {"control", nothing()}}}),
            (Lines{"14:12: load.control.function: " + ask + "force law \"pid\"; it gives \"contact\" and \"control\"",
                   "20:9: signal.pump.function: " + ask +
                       "signal function \"pump\"; it gives \"gust\" and \"pumps\" (pumps?)"}));
  EXPECT_EQ(problems_with(crank + "[signal.pump]\ntype = \"external\"\n", {{{"pump", {}}}, {}}),
            Lines{"8:9: signal.pump.function: the program gives no value"});
}

TEST(ExternalFunctions, ToLookAtASceneNoneIsNeeded) {
  SceneOptions options;
  options.stand_ins = true;
  const SceneDocument scene = read_scene_text(laws, "scene.toml", scene_terms(), options);
  EXPECT_EQ(scene.laws.size(), 2u);
  std::vector<double> u(scene.signals->size(), 1);
  scene.signals->evaluate(0.3, u);
  EXPECT_EQ(u[scene.signals->find("pump")], 0);
}

// A used scene's things have other names where it is used; functions that it names have their own.
TEST(ExternalFunctions, OfAUsedSceneGoByTheNamesInThatWhichUsesIt) {
  const Files files{{{"arm.toml", laws}}};
  const std::string two = "[use.left]\nscene = \"arm.toml\"\n";
  EXPECT_EQ(
      problems_with(
          two, {{{"gust", constant()}, {"left.pump", constant()}}, {{"left.contact", nothing()}, {"pid", nothing()}}},
          files),
      Lines{});
}

}  // namespace
}  // namespace flexura::testing
