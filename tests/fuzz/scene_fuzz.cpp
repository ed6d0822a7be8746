// Any bytes as a scene: read, interpreted, built and solved for one step of each analysis. Whatever they are, the answer
// is an InputError or numbers: no crash, no hang, no NaN.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/scene/schema.hpp"
#include "flexura/solve/modes.hpp"
#include "flexura/solve/statics.hpp"

namespace flexura {
namespace {

constexpr size_t longest_text = 20000;
constexpr double most_elements = 100, most_tables = 60;

const std::map<std::string, std::string> files{
    {"pressure.csv", "t,p_upper,p_lower\n0,0,0\n1,20,0\n2,20,20\n4,0,20\n"},
    {"path.csv", "0,0\n0.05,0.01\n0.1,0.03\n0.15,0.02\n"},
    {"bad.csv", "t,p\n0,1\n0,x\n1\n"},
    {"empty.csv", ""},
};

SceneOptions options_for(const std::string& text) {
  SceneOptions options;
  options.load = [](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return {};
    return found->second;
  };
  const std::string key = "# set: ";  // as in tests/scene/corpus
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (text.compare(at, key.size(), key) == 0)
      options.set.push_back(text.substr(at + key.size(), end - at - key.size()));
    at = end + 1;
  }
  return options;
}

bool is_small(const SceneDocument& scene) {
  double elements = 0;
  for (const Record* cable : scene.of_kind("cable")) elements += static_cast<double>(cable->integer("elements"));
  return elements <= most_elements && static_cast<double>(scene.tables.size()) <= most_tables;
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

void require_numbers(const State<double>& state) {
  for (const auto* list : {&state.q, &state.v})
    for (const double x : *list) require(std::isfinite(x), "the state holds finite numbers");
}

void one_step(const SceneModels& scene, const Segment& segment) {
  const AnalysisSpec& analysis = scene.timeline.analyses[segment.analysis];
  const Model& model = scene.models[segment.model].model;
  const Values* values = &model.values;
  System<double> system(model.topology, std::span(&values, 1));
  State<double> state = system.initial_state(segment.begin);
  if (const auto* statics = dynamic_cast<const StaticAnalysis*>(analysis.what.get())) {
    StaticOptions options;
    options.newton.tolerance = statics->tolerance;
    options.newton.max_iterations = std::min(statics->max_iterations, 6);
    options.first_step = statics->load_step;
    options.smallest_step = 0.05;
    options.max_pseudo_steps = 10;
    StaticSolver(system, options).solve(state);
  } else if (const auto* wanted = dynamic_cast<const ModesAnalysis*>(analysis.what.get())) {
    system.drives.enter(state.t);
    system.assembler.set_signals(system.drives.at(state.t, state.lags));
    ModesOptions options;
    options.count = std::min(wanted->count, 3);
    const Modes modes = solve_modes(system, state, options);
    for (const double f : modes.frequency) require(std::isfinite(f), "frequencies are finite");
  } else {
    // Whatever the scene's method: an explicit one may take its time over nonsense.
    NewtonOptions newton;
    newton.max_iterations = 10;
    GeneralizedAlpha<double> integrator(system, NewmarkFamily::generalized_alpha(0.8), newton);
    if (integrator.start(state)) integrator.step(state, std::min(segment.begin + analysis.motion()->step, segment.end));
  }
  require_numbers(state);
}

void run(const std::string& text) {
  try {
    const SceneDocument scene = read_scene_text(text, "scene.toml", scene_terms(), options_for(text));
    if (!is_small(scene)) return;
    const SceneModels models = interpret_scene(scene);
    int steps = 0;
    for (const Segment& segment : models.timeline.segments)
      if (++steps <= 4) one_step(models, segment);
  } catch (const InputError& error) {
    require(!error.problems().empty(), "an input error names a problem");
    for (const Problem& problem : error.problems()) require(!problem.message.empty(), "a problem says what it is");
  }
}

}  // namespace
}  // namespace flexura

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  if (size > flexura::longest_text) return 0;
  flexura::run(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
