#include "flexura/study/experiment_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "flexura/assembly/thread_pool.hpp"
#include "flexura/base/json.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/study/gradient.hpp"

namespace flexura {
namespace {

/// What else decides what a run computes: the texts, the settings, what is read from it.
std::string key_of_experiment(const Experiment& experiment) {
  Fingerprint all;
  all.add(experiment.scene_text);
  for (const std::string& setting : experiment.reading.set) all.add(setting);
  for (const MeasuredSeries& series : experiment.measured)
    all.add(fmt::format("{} {} {}", series.sensor, series.number, series.analysis));
  try {
    all.add(read_scene_text(experiment.scene_text, experiment.scene_file, scene_terms(), experiment.reading));
  } catch (const InputError&) {
    all.add("unreadable");  // then no run will do, and each says why
  }
  return fmt::format("{} {:08x}", experiment.name, all.value());
}

std::string first_message(const InputError& error) {
  const Problem& problem = error.problems().front();
  return problem.path.empty() ? problem.message : problem.path + ": " + problem.message;
}

Json json_of(const ExperimentReading& reading) {
  if (!reading.failure.empty()) return Json{{"failure", reading.failure}};
  Json tracks = Json::array();
  for (size_t k = 0; k < reading.tracks.size(); ++k) {
    const ExperimentReading::Track& track = reading.tracks[k];
    Json one{{"y", text_of_numbers(track.y)}};
    if (k == 0 || track.t != reading.tracks[k - 1].t) one["t"] = text_of_numbers(track.t);
    for (const std::vector<double>& slope : track.slopes) one["slopes"].push_back(text_of_numbers(slope));
    tracks.push_back(one);
  }
  return Json{{"tracks", tracks}};
}

ExperimentReading reading_of(const Json& json) {
  ExperimentReading out;
  out.failure = json.value("failure", std::string());
  if (!out.failure.empty()) return out;
  for (const Json& track : json.at("tracks")) {
    std::vector<double> t = track.contains("t")  ? numbers_of_text(track.at("t").get<std::string>())
                            : out.tracks.empty() ? std::vector<double>()
                                                 : out.tracks.back().t;
    std::vector<double> y = numbers_of_text(track.at("y").get<std::string>());
    const size_t count = y.size();
    if (count == 0 || (!t.empty() && t.size() != count)) throw std::invalid_argument("times without numbers");
    out.tracks.push_back({std::move(t), std::move(y)});
    if (track.contains("slopes"))
      for (const Json& slope : track.at("slopes"))
        out.tracks.back().slopes.push_back(numbers_of_text(slope.get<std::string>(), count));
  }
  return out;
}

}  // namespace

ExperimentRuns::ExperimentRuns(const Identification& what, const IdentifyOptions& options)
    : what_(what), options_(options), log_(options.log) {
  for (const Experiment& experiment : what.experiments) keys_.push_back(key_of_experiment(experiment));
  refusals_.assign(what.experiments.size(), what.exact_slopes ? "" : "as asked for");
}

std::string ExperimentRuns::key_of(const Job& job) const {
  std::string key = fmt::format("{} {}", keys_[static_cast<size_t>(job.experiment)], fmt::join(job.set, " "));
  return job.by.empty() ? key : fmt::format("{} by {}", key, fmt::join(job.by, " "));
}

ExperimentReading ExperimentRuns::compute(const Job& job) const {
  const Experiment& experiment = what_.experiments[static_cast<size_t>(job.experiment)];
  ExperimentReading out;
  out.tracks.resize(experiment.measured.size());
  RunOptions options;
  options.record = false;
  options.stop = options_.stop;
  options.sample = [&](const SensorSample& sample) {
    for (size_t k = 0; k < out.tracks.size(); ++k) {
      const MeasuredSeries& series = experiment.measured[k];
      if (series.sensor != sample.sensor.name) continue;
      ExperimentReading::Track& track = out.tracks[k];
      const double y = sample.values[static_cast<size_t>(series.number)];
      if (!series.analysis.empty()) {
        if (sample.analysis.name == series.analysis) track.y.assign(1, y);
      } else if (sample.analysis.over_time()) {
        if (!track.t.empty() && sample.at <= track.t.back())
          track.y.back() = y;  // where one analysis follows another
        else
          track.t.push_back(sample.at), track.y.push_back(y);
      }
    }
  };
  try {
    SceneOptions reading = experiment.reading;
    reading.set.insert(reading.set.end(), job.set.begin(), job.set.end());
    const RunSummary summary =
        run_scene(read_scene_text(experiment.scene_text, experiment.scene_file, scene_terms(), reading), options);
    if (summary.status != RunStatus::finished) out.failure = summary.message;
  } catch (const InputError& error) {
    out.failure = first_message(error);
  } catch (const std::exception& error) {
    out.failure = error.what();
  }
  for (size_t k = 0; k < out.tracks.size() && out.failure.empty(); ++k)
    if (out.tracks[k].y.empty() || !std::ranges::all_of(out.tracks[k].y, [](double y) { return std::isfinite(y); }))
      out.failure = fmt::format("sensor \"{}\" has no finite numbers", experiment.measured[k].sensor);
  if (!out.failure.empty()) out.tracks.clear();
  return out;
}

/// At the times that the run was read at, all of them ends of steps.
ExperimentReading ExperimentRuns::differentiate(const Job& job, ExperimentReading out) const {
  if (!out.failure.empty()) return out;
  const Experiment& experiment = what_.experiments[static_cast<size_t>(job.experiment)];
  SceneOptions reading = experiment.reading;
  reading.set.insert(reading.set.end(), job.set.begin(), job.set.end());
  const SceneDocument scene = read_scene_text(experiment.scene_text, experiment.scene_file, scene_terms(), reading);
  GradientQuestion question{.wrt = job.by};
  question.stop = options_.stop;
  for (size_t k = 0; k < out.tracks.size(); ++k) {
    const MeasuredSeries& series = experiment.measured[k];
    const auto add = [](auto& to, const auto& x) {
      if (std::ranges::find(to, x) == to.end()) to.push_back(x);
    };
    add(question.of, series.sensor);
    if (!series.analysis.empty()) add(question.after, series.analysis);
    if (series.analysis.empty())
      question.times.insert(question.times.end(), out.tracks[k].t.begin(), out.tracks[k].t.end());
  }
  std::ranges::sort(question.times);
  const auto repeated = std::ranges::unique(question.times);
  question.times.erase(repeated.begin(), repeated.end());
  const Derivatives d = flexura::differentiate(scene, read_again(scene, reading), question);
  for (size_t k = 0; k < out.tracks.size(); ++k) {
    const MeasuredSeries& series = experiment.measured[k];
    ExperimentReading::Track& track = out.tracks[k];
    const auto first = std::ranges::find(d.sensors, series.sensor);
    const size_t column = static_cast<size_t>(first - d.sensors.begin()) + static_cast<size_t>(series.number);
    track.slopes.resize(job.by.size());
    size_t row = 0;
    for (size_t i = 0; i < track.y.size(); ++i) {
      while (row < d.times.size() && !(series.analysis.empty() ? d.timed[row] && d.times[row] == track.t[i]
                                                               : !d.timed[row] && d.analyses[row] == series.analysis))
        ++row;
      if (row == d.times.size()) throw GradientError("its samples are no ends of steps");
      for (size_t p = 0; p < job.by.size(); ++p) track.slopes[p].push_back(d.slope(row, column, p));
    }
  }
  return out;
}

std::string ExperimentRuns::slopes_text() const {
  std::string out;
  for (size_t e = 0; e < refusals_.size(); ++e)
    if (!refusals_[e].empty())
      out += fmt::format("{}differences of runs of {}: {}", out.empty() ? "" : "; ", what_.experiments[e].name,
                         refusals_[e]);
  return out.empty() ? "exact" : out;
}

void ExperimentRuns::run(std::span<const Job> jobs) {
  std::vector<const Job*> missing;
  std::vector<const ExperimentReading*> plain;  ///< of those whose slopes are asked for, where it is known
  std::vector<std::string> keys;
  for (const Job& job : jobs) {
    std::string key = key_of(job);
    if (known_.contains(key) || std::ranges::find(keys, key) != keys.end()) continue;
    const auto read = [&](const Json& line) {
      ExperimentReading out = reading_of(line);
      if (out.failure.empty() &&
          out.tracks.size() != what_.experiments[static_cast<size_t>(job.experiment)].measured.size())
        throw std::invalid_argument("another count of series");
      return out;
    };
    if (auto found = log_.recall(key, read)) {
      known_[key] = std::move(*found);
      ++recalled_;
      continue;
    }
    missing.push_back(&job);
    const auto without = job.by.empty() ? known_.end() : known_.find(key_of({job.experiment, job.set}));
    plain.push_back(without == known_.end() ? nullptr : &without->second);
    keys.push_back(std::move(key));
  }
  ThreadPool pool(std::max(1, std::min(options_.threads, static_cast<int>(missing.size()))));
  pool.for_each(static_cast<int>(missing.size()), [&](int i) {
    const auto k = static_cast<size_t>(i);
    if (options_.stop != nullptr && options_.stop->load()) return;
    const Job& job = *missing[k];
    const bool differentiates = !job.by.empty();
    ExperimentReading reading;
    std::string refusal;
    try {
      reading = differentiates ? differentiate(job, plain[k] != nullptr ? *plain[k] : compute(job)) : compute(job);
    } catch (const InputError& error) {
      refusal = first_message(error);
    } catch (const GradientError& error) {
      refusal = error.what();
    }
    if (options_.stop != nullptr && options_.stop->load()) return;
    const std::scoped_lock lock(mutex_);
    if (!refusal.empty()) {
      refusals_[static_cast<size_t>(job.experiment)] = refusal;
      return;
    }
    ++runs_;
    differentiated_ += differentiates;
    if (!reading.failure.empty() && ++failed_ == 1)
      first_failure_ = fmt::format("{} at {}: {}", what_.experiments[static_cast<size_t>(missing[k]->experiment)].name,
                                   fmt::join(missing[k]->set, ", "), reading.failure);
    log_.keep(keys[k], json_of(reading));
    known_[keys[k]] = std::move(reading);
  });
  log_.check();
  if (options_.stop != nullptr && options_.stop->load()) throw StudyStopped("interrupted");
}

const ExperimentReading& ExperimentRuns::reading(const Job& job) {
  run({&job, 1});
  return known_.at(key_of(job));
}

}  // namespace flexura
