#include "flexura/study/gradient_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/base/nearest_name.hpp"
#include "flexura/integrate/implicit_methods.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {

ReadScene read_again(const SceneDocument& document) {
  return [text = document.text, file = document.file, set = document.set](const std::vector<std::string>& more) {
    SceneOptions options;
    options.set = set;
    options.set.insert(options.set.end(), more.begin(), more.end());
    return read_scene_text(text, file, scene_terms(), options);
  };
}

GradientRun::GradientRun(const SceneDocument& document, const GradientQuestion& question)
    : document_(document), question_(question), here_(document) {
  find_columns();
  for (const SceneModel& model : here_.scene().models)
    if (model.model.topology->contacts != nullptr)
      refuse("contact", "no derivative: what comes to touch and lets go has none");
}

void GradientRun::refuse(const std::string& path, const std::string& message) const {
  throw InputError({{{document_.file, 0, 0, 1}, path, message, {}}});
}

void GradientRun::find_columns() {
  const SceneModel& scene = here_.scene().models.front();
  const int dim = scene.model.topology->dim;
  std::vector<Problem> problems;
  std::vector<std::string> all;
  std::vector<std::string> wanted = question_.of;
  if (wanted.empty())
    for (const SensorSpec& sensor : scene.sensors) wanted.push_back(sensor.name);
  if (wanted.empty())
    problems.push_back({{document_.file, 0, 0, 1}, "sensor", "the scene has no sensor to differentiate", {}});
  const auto add = [&](int sensor, int component, const std::string& name, const std::string& unit) {
    auto at = std::find_if(sensors_.begin(), sensors_.end(), [&](const ReadSensor& s) { return s.sensor == sensor; });
    if (at == sensors_.end()) {
      const int size = number_count(scene.sensors[sensor], dim);
      at = sensors_.insert(sensors_.end(), {sensor, size, {}, {}, std::vector<double>(size, 0.0)});
    }
    at->components.push_back(component);
    at->columns.push_back(static_cast<int>(out_.columns.size()));
    out_.columns.push_back(name);
    out_.units.push_back(unit);
  };
  for (const std::string& name : wanted) {
    const size_t before = out_.columns.size();
    for (size_t s = 0; s < scene.sensors.size(); ++s) {
      const SensorSpec& sensor = scene.sensors[s];
      int component = 0;
      for (const ChannelColumn& column : columns_of(sensor, dim))
        for (std::uint64_t i = 0; i < column.size(); ++i, ++component) {
          std::string full = sensor.name;
          if (number_count(sensor, dim) > 1)
            full += "." + (i < column.components.size() ? column.components[i] : std::to_string(component));
          all.push_back(full);
          if (name == sensor.name || name == full) add(static_cast<int>(s), component, full, column.unit);
        }
    }
    if (out_.columns.size() == before)
      problems.push_back(
          {{document_.file, 0, 0, 1}, name, "the scene has no sensor of this name", nearest_name(name, all)});
  }
  for (const double t : question_.times)
    if (!std::isfinite(t)) problems.push_back({{document_.file, 0, 0, 1}, "times", "times are finite numbers [s]", {}});
  if (!problems.empty()) throw InputError(std::move(problems));
}

bool GradientRun::is_due(double t) const {
  return std::ranges::any_of(question_.times, [&](double wanted) {
    return std::fabs(wanted - t) <= 1e-9 * std::max(1e-3, std::fabs(wanted)) &&
           (out_.times.empty() || std::fabs(out_.times.back() - t) > 0);
  });
}

void GradientRun::read_columns(SceneCopy& copy, std::span<double> row) {
  std::vector<double> read;
  for (const ReadSensor& s : sensors_) {
    read.resize(s.size);
    copy.read(s.sensor, read, s.last);
    for (size_t k = 0; k < s.columns.size(); ++k) row[s.columns[k]] = read[s.components[k]];
  }
}

void GradientRun::read_row(double t) {
  const size_t first = out_.values.size();
  out_.times.push_back(t);
  out_.values.resize(first + out_.columns.size());
  std::vector<double> read;
  for (ReadSensor& s : sensors_) {
    read.resize(s.size);
    here_.read(s.sensor, read, s.last);
    if (!s.checked) {  // what adds up over time is no function of the state
      std::vector<double> other(s.size);
      const State<double> state = here_.state();
      here_.state().energy = {state.energy.gravity + 1, state.energy.loads + 1, state.energy.prescribed + 1,
                              state.energy.dissipated + 1};
      here_.follow(State<double>(here_.state()));
      here_.read(s.sensor, other, s.last);
      here_.follow(state);
      if (other != read)
        refuse("sensor." + here_.scene().models.front().sensors[s.sensor].name,
               "no derivative: it adds up work over the whole run");
      s.checked = true;
    }
    s.last = read;
    for (size_t k = 0; k < s.columns.size(); ++k) out_.values[first + s.columns[k]] = read[s.components[k]];
  }
}

void GradientRun::enter_model(int model) {
  if (model == model_) return;
  model_ = model;
  step_.reset();
  factor_ = std::make_unique<TangentFactor>(this->model().topology, this->model().values);
}

void GradientRun::begin_motion() {
  const auto* dynamic = dynamic_cast<const DynamicAnalysis*>(analysis_->what.get());
  const auto* method = dynamic == nullptr ? nullptr : dynamic_cast<const NewmarkFamilyMethod*>(&dynamic->method());
  const std::string path = "analysis." + analysis_->name;
  if (method == nullptr)
    refuse(path, "no derivative of this kind of motion: of dynamic analyses with generalized-alpha, hht or newmark");
  if (method->projects_velocities()) refuse(path, "no derivative of steps with project_velocities");
  if (dynamic->adaptive) refuse(path, "no derivative of adaptive steps: they follow from the motion");
  step_ = std::make_unique<NewmarkTangent>(*factor_, method->weights());
}

void GradientRun::run() {
  RunOptions options;
  options.record = false;
  options.watcher = this;
  options.stop = question_.stop;
  const RunSummary summary = run_scene(document_, options);
  analysis_ = nullptr;
  if (summary.status != RunStatus::finished) throw GradientError(summary.message);
}

}  // namespace flexura
