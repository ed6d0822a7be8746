#include "flexura/study/sweep_outcome.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace flexura {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::vector<double> numbers_of(const Json& list) {
  std::vector<double> x;
  for (const Json& v : list) x.push_back(v.is_null() ? none : v.get<double>());
  return x;
}

/// Numbers and series that there are none of.
void fill(const SweepPlan& plan, SweepOutcome& outcome) {
  outcome.numbers.resize(plan.columns().size(), none);
  const auto series = std::count_if(plan.outputs.begin(), plan.outputs.end(),
                                    [](const SweepOutput& output) { return output.take == Take::series; });
  outcome.series.resize(static_cast<std::size_t>(series));
}

}  // namespace

std::string outcome_line(const SweepOutcome& outcome) {
  Json json{{"run", outcome.run}, {"finished", outcome.finished}, {"message", outcome.message}};
  json["numbers"] = outcome.numbers;
  Json series = Json::array();
  for (const SweepSeries& one : outcome.series) series.push_back({{"at", one.at}, {"values", one.values}});
  json["series"] = std::move(series);
  json["wall_s"] = outcome.wall;
  json["lanes"] = outcome.in_lanes;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<SweepOutcome> outcome_of_line(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return {};
  try {
    SweepOutcome outcome{.run = json.at("run"),
                         .finished = json.at("finished"),
                         .message = json.at("message"),
                         .numbers = numbers_of(json.at("numbers")),
                         .series = {},
                         .wall = json.at("wall_s"),
                         .in_lanes = json.at("lanes")};
    for (const Json& one : json.at("series"))
      outcome.series.push_back({numbers_of(one.at("at")), numbers_of(one.at("values"))});
    return outcome;
  } catch (const Json::exception&) {
    return {};
  }
}

SampleCollector::SampleCollector(const SweepPlan& plan, const SceneModels& scene) {
  for (const SweepOutput& output : plan.outputs) {
    for (const SceneModel& model : scene.models)
      for (const SensorSpec& sensor : model.sensors)
        if (sensor.name == output.sensor) of_sensor_[&sensor].push_back(all_.size());
    all_.push_back({.output = &output,
                    .analysis = &scene.timeline.analyses[static_cast<std::size_t>(output.analysis)],
                    .sums = std::vector<Sums>(static_cast<std::size_t>(output.count)),
                    .series = {}});
  }
}

void SampleCollector::take(const SensorSample& sample) {
  const auto found = of_sensor_.find(&sample.sensor);
  if (found == of_sensor_.end()) return;
  for (const std::size_t index : found->second) {
    Collected& into = all_[index];
    const double slack = 1e-9 * (1 + std::fabs(sample.at));
    if (&sample.analysis != into.analysis || sample.at < into.output->from - slack ||
        sample.at > into.output->to + slack)
      continue;
    take(into, sample.at,
         sample.values.subspan(static_cast<std::size_t>(into.output->first),
                               static_cast<std::size_t>(into.output->count)));
  }
}

void SampleCollector::take(Collected& into, double at, std::span<const double> values) {
  if (into.output->take == Take::series) {
    into.series.at.push_back(at);
    into.series.values.insert(into.series.values.end(), values.begin(), values.end());
  }
  const double h = at - into.at;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Sums& s = into.sums[i];
    const double x = values[i];
    if (into.count == 0) {
      s.least = s.greatest = x;
    } else {
      s.least = std::min(s.least, x);
      s.greatest = std::max(s.greatest, x);
      s.integral += 0.5 * h * (s.last + x);
      s.of_squares += 0.5 * h * (s.last * s.last + x * x);
    }
    s.last = x;
  }
  if (into.count++ == 0) into.begin = at;
  into.at = at;
}

void SampleCollector::conclude(SweepOutcome& outcome) const {
  for (const Collected& from : all_) {
    if (from.output->take == Take::series) {
      outcome.series.push_back(from.series);
      continue;
    }
    const double length = from.at - from.begin;
    for (const Sums& s : from.sums) {
      double x = none;
      if (from.count > 0) switch (from.output->take) {
          case Take::end:
            x = s.last;
            break;
          case Take::min:
            x = s.least;
            break;
          case Take::max:
            x = s.greatest;
            break;
          case Take::mean:
            x = length > 0 ? s.integral / length : s.last;
            break;
          case Take::rms:
            x = length > 0 ? std::sqrt(s.of_squares / length) : std::fabs(s.last);
            break;
          case Take::series:
            break;
        }
      outcome.numbers.push_back(x);
    }
  }
}

SceneModels scene_of_run(const SweepPlan& plan, const SceneDocument& document) {
  SceneModels scene = interpret_scene(document);
  if (plan.keeps_reports) return scene;
  for (SceneModel& model : scene.models)
    std::erase_if(model.sensors, [&](const SensorSpec& sensor) {
      return std::none_of(plan.outputs.begin(), plan.outputs.end(),
                          [&](const SweepOutput& output) { return output.sensor == sensor.name; });
    });
  return scene;
}

SweepOutcome outcome_of(const SweepPlan& plan, long run, const RunSummary& summary, const SampleCollector& collector) {
  SweepOutcome outcome{.run = run,
                       .finished = summary.status == RunStatus::finished,
                       .message = summary.message,
                       .numbers = {},
                       .series = {}};
  for (const std::string& warning : summary.warnings)
    outcome.message += (outcome.message.empty() ? "warning: " : "\nwarning: ") + warning;
  if (outcome.finished) collector.conclude(outcome);
  fill(plan, outcome);
  return outcome;
}

std::optional<SweepOutcome> run_alone(const SweepPlan& plan, long run, const std::atomic<bool>* stop,
                                      const std::string& folder) {
  const auto begun = std::chrono::steady_clock::now();
  SweepOutcome outcome{.run = run, .message = {}, .numbers = {}, .series = {}};
  try {
    const SceneDocument document = plan.study.vary(plan.runs[static_cast<std::size_t>(run)]);
    const SceneModels scene = scene_of_run(plan, document);
    SampleCollector collector(plan, scene);
    RunOptions options;
    options.folder = folder;
    options.record = !folder.empty();
    options.csv = false;
    options.sample = [&](const SensorSample& sample) { collector.take(sample); };
    options.stop = stop;
    const RunSummary summary = run_scene(document, scene, options);
    if (summary.status == RunStatus::interrupted) return {};
    outcome = outcome_of(plan, run, summary, collector);
  } catch (const InputError& error) {
    outcome.message = error.what();
    fill(plan, outcome);
  }
  outcome.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return outcome;
}

}  // namespace flexura
