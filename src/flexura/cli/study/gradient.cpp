// `flexura gradient` of the program that computes.

#include "flexura/study/gradient.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/interrupt.hpp"
#include "flexura/cli/study.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/study/gradient_output.hpp"

namespace flexura::cli {
namespace {

GradientWay way_of(const std::string& name) {
  return name == "forwards"    ? GradientWay::forwards
         : name == "backwards" ? GradientWay::backwards
                               : GradientWay::automatic;
}

int list_numbers(const GradientArguments& o, const SceneDocument& scene) {
  const std::vector<SceneNumber> numbers = list_scene_numbers(scene);
  if (o.json)
    say("{}\n", json_text(numbers_json(numbers)));
  else
    say("{}", numbers_text(numbers));
  return success;
}

}  // namespace

int gradient_command(const GradientArguments& o, char**) {
  SceneOptions reading;
  reading.set = o.set;
  const SceneDocument scene = read_scene(o.scene, scene_terms(), reading);
  if (o.numbers) return list_numbers(o, scene);
  if (o.with.empty())
    throw UsageError("--with PATH is required: the numbers to differentiate by; --numbers lists them");
  const std::atomic<bool>& stop = stop_on_signals();
  GradientQuestion question{.wrt = o.with, .of = o.of, .times = o.times, .after = o.after};
  question.relative_step = o.relative_step;
  question.stop = &stop;
  const ReadScene read = read_again(scene);
  GradientReport report{.scene = o.scene, .numbers = {}, .slopes = {}, .check = {}};
  report.tolerance = o.tolerance;
  try {
    report.slopes = differentiate(scene, read, question, way_of(o.way));
    report.numbers = find_scene_numbers(scene, o.with);
    if (o.check) report.check = check_gradient(scene, read, question, report.slopes);
  } catch (const GradientError& error) {
    if (stop) {
      note("interrupted\n");
      return interrupted;
    }
    note("error: {}\n", error.what());
    return unsuccessful;
  }
  const std::string json = json_text(gradient_json(report));
  if (!o.output.empty()) write_text(o.output, json + "\n");
  if (o.json)
    say("{}\n", json);
  else if (!o.quiet)
    say("{}", gradient_text(report));
  return report.agrees() ? success : unsuccessful;
}

}  // namespace flexura::cli
