#include "flexura/study/gradient_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
  std::vector<Problem> problems;
  row_ = SensorRow::find(here_.scene().models.front(), document_.file, question_.of, problems);
  for (const double t : question_.times)
    if (!std::isfinite(t)) problems.push_back({{document_.file, 0, 0, 1}, "times", "times are finite numbers [s]", {}});
  if (!problems.empty()) throw InputError(std::move(problems));
  out_.columns = row_.columns;
  out_.units = row_.units;
  for (const SceneModel& model : here_.scene().models)
    if (model.model.topology->contacts != nullptr)
      refuse("contact", "no derivative: what comes to touch and lets go has none");
}

void GradientRun::refuse(const std::string& path, const std::string& message) const {
  throw InputError({{{document_.file, 0, 0, 1}, path, message, {}}});
}

bool GradientRun::is_due(double t) const {
  return std::ranges::any_of(question_.times, [&](double wanted) {
    return std::fabs(wanted - t) <= 1e-9 * std::max(1e-3, std::fabs(wanted)) &&
           (out_.times.empty() || std::fabs(out_.times.back() - t) > 0);
  });
}

void GradientRun::read_row(double t) {
  const size_t first = out_.values.size();
  out_.times.push_back(t);
  out_.values.resize(first + out_.columns.size());
  std::vector<double> read;
  for (ReadSensor& s : row_.sensors) {
    read.resize(s.size);
    here_.read(s.sensor, read, s.last);
    if (!s.checked && adds_up(here_, s, read))
      refuse("sensor." + here_.scene().models.front().sensors[s.sensor].name,
             "no derivative: it adds up work over the whole run");
    s.checked = true;
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
