#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "flexura/base/json.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/run/consistent_start.hpp"
#include "flexura/run/frame_report.hpp"
#include "flexura/run/model_summary.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura::cli {
namespace {

std::string describe_model(const SceneModel& model) {
  const Topology& topology = *model.model.topology;
  return fmt::format("{}, {}, {}, {}", counted(static_cast<std::size_t>(topology.ncoord), "coordinate"),
                     counted(static_cast<std::size_t>(topology.ny - topology.ncoord), "multiplier"),
                     counted(static_cast<std::size_t>(model.element_count()), "element"),
                     counted(model.sensors.size(), "sensor"));
}

void describe(const std::string& path, const SceneModels& scene, const StartReport& start, const Json& frame) {
  say("ok: {}, {}\n", path, counted(scene.timeline.analyses.size(), "analysis"));
  for (const AnalysisSpec& analysis : scene.timeline.analyses)
    say("  {:16} {}\n", analysis.name, analysis.what->outline(analysis.begin, analysis.end));
  for (std::size_t k = 0; k < scene.models.size(); ++k)
    say("  {:16} {}\n", scene.models.size() == 1 ? "model" : fmt::format("model {}", k + 1),
        describe_model(scene.models[k]));
  say("{}", model_summary_text(model_summary(scene)));
  if (start.has_joints()) say("  {:16} {}\n", "freedom", start.count_text);
  if (const std::string moved = start.moved_text(); !moved.empty()) say("  {:16} {}\n", "start", moved);
  if (!frame.is_null()) say("{}", frame_summary_text(frame));
}

struct CheckArguments {
  std::string scene;
  SceneOptions reading;
  bool frame = false, json = false;
};

void check(const CheckArguments& arguments) {
  const std::string& path = arguments.scene;
  read_text(path);
  const SceneDocument document = read_scene(path, scene_terms(), arguments.reading);
  SceneModels scene;
  StartReport start;
  Json frame;
  try {
    scene = interpret_scene(document);
    start = check_start(scene, document);
    if (arguments.frame) frame = frame_summary(scene, document);
  } catch (const InputError& error) {
    rethrow_with_lines(error, document.texts);
  }
  if (arguments.json) {
    Json json = model_summary(scene);
    json["freedom"] = start.count_text;
    if (arguments.frame) json["frame"] = frame;
    say("{}\n", json_text(json));
  } else {
    describe(path, scene, start, frame);
  }
  if (!scene.warnings.empty()) note("{}\n", describe_all(scene.warnings, document.texts));
  for (const std::string& warning : start.warnings) note("warning: {}\n", warning);
}

}  // namespace

void add_check(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("check", "List everything wrong with a scene, without running it");
  auto options = std::make_shared<CheckArguments>();
  command->add_option("SCENE", options->scene, "Scene file (TOML)")->required();
  command->add_option("--set", options->reading.set, "Change a value, e.g. section.wall.EI=0.02")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--frame", options->frame,
                    "Count states of self-stress and mechanisms, and name what takes part in each");
  command->add_flag("--json", options->json, "Print as JSON");
  command->callback([options, &status] {
    check(*options);
    status = success;
  });
}

}  // namespace flexura::cli
