#include "flexura/study/gradient_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "flexura/base/nearest_name.hpp"
#include "flexura/integrate/adams_tangent.hpp"
#include "flexura/integrate/energy_momentum_tangent.hpp"
#include "flexura/integrate/explicit_methods.hpp"
#include "flexura/integrate/implicit_methods.hpp"
#include "flexura/integrate/kinematic_tangent.hpp"
#include "flexura/integrate/newmark_tangent.hpp"
#include "flexura/integrate/runge_kutta_tangent.hpp"
#include "flexura/load/drive.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/study/varied_scene.hpp"

namespace flexura {

ReadScene read_again(const SceneDocument& document, const SceneOptions& options) {
  return [scene = VariedScene(document, options)](const std::vector<std::string>& more) { return scene.vary(more); };
}

GradientRun::GradientRun(const SceneDocument& document, const GradientQuestion& question)
    : document_(document), question_(question), here_(document), met_(question.times.size(), false) {
  std::vector<Problem>& problems = problems_;
  try {
    numbers_ = find_scene_numbers(document_, question_.wrt);
  } catch (const InputError&) {  // those that there are may have problems, too
    for (const std::string& path : question_.wrt) try {
        numbers_.push_back(find_scene_numbers(document_, {path})[0]);
      } catch (const InputError& error) {
        problems.insert(problems.end(), error.problems().begin(), error.problems().end());
      }
  }
  const std::vector<AnalysisSpec>& analyses = here_.scene().timeline.analyses;
  const bool has_modes = std::ranges::any_of(analyses, [](const AnalysisSpec& a) { return a.finds_modes(); });
  if (!question_.of.empty() || !here_.scene().models.front().sensors.empty() || !has_modes)
    row_ = SensorRow::find(here_.scene().models.front(), document_.file, question_.of, problems);
  for (const double t : question_.times)
    if (!std::isfinite(t)) problems.push_back({{document_.file, 0, 0, 1}, "times", "times are finite numbers [s]", {}});
  std::vector<std::string> names;
  for (const AnalysisSpec& analysis : analyses) names.push_back(analysis.name);
  for (const std::string& name : question_.after)
    if (std::ranges::find(names, name) == names.end())
      problems.push_back(
          {{document_.file, 0, 0, 1}, name, "the scene has no analysis of this name", nearest_name(name, names)});
  for (const SceneModel& model : here_.scene().models)
    if (model.model.topology->contacts != nullptr) {
      problems.push_back(problem("contact", "no derivative: what comes to touch and lets go has none"));
      break;
    }
  out_.columns = row_.columns;
  out_.units = row_.units;
  out_.sensors = row_.names;
}

Problem GradientRun::problem(const std::string& path, const std::string& message) const {
  return {{document_.file, 0, 0, 1}, path, message, {}};
}

void GradientRun::refuse(const std::string& path, const std::string& message) const {
  throw InputError({problem(path, message)});
}

std::optional<SceneVariation> GradientRun::vary(const SceneNumber& number, const ReadScene& read) {
  try {
    return std::make_optional<SceneVariation>(here_.scene(), read, number, question_.relative_step);
  } catch (const InputError& error) {
    problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
    return {};
  }
}

void GradientRun::throw_problems() {
  if (!problems_.empty()) throw InputError(std::exchange(problems_, {}));
}

void GradientRun::refuse_moved_jumps(SceneVariation& number, const AnalysisSpec& analysis, double t) {
  if (!analysis.over_time()) return;
  const std::vector<double> here = here_.system().drives.jumps(t, analysis.end);
  for (size_t k = 0; k < number.size(); ++k) {
    const std::vector<double> there = number.copy(k).system().drives.jumps(t, analysis.end);
    const bool same = std::ranges::equal(here, there, [](double a, double b) {
      return std::fabs(a - b) <= 1e-13 * std::max({1.0, std::fabs(a), std::fabs(b)});
    });
    if (same) continue;
    const auto differs = std::ranges::mismatch(here, there);
    const double jump = differs.in1 != here.end() ? *differs.in1 : *differs.in2;
    throw GradientError(
        fmt::format("{}: no derivative with respect to it: it moves the time of a jump of a signal, "
                    "t = {:.6g} s, in analysis '{}'\ntry: a ramp of some duration in place of the "
                    "jump, or differences of whole runs",
                    number.path(), jump, analysis.name));
  }
}

bool GradientRun::is_due(double t) {
  if (t == last_due_) return false;
  bool due = false;
  for (size_t i = 0; i < question_.times.size(); ++i) {
    const double wanted = question_.times[i];
    if (std::fabs(wanted - t) > 1e-9 * std::max(1e-3, std::fabs(wanted))) continue;
    due = met_[i] = true;
  }
  if (due) last_due_ = t, row_timed_ = true;
  return due;
}

bool GradientRun::ends_due(const AnalysisSpec* next) {
  if (analysis_ == nullptr || (next != nullptr && next->name == analysis_->name)) return false;
  const bool due = std::ranges::find(question_.after, analysis_->name) != question_.after.end();
  row_timed_ = false;
  return due || (next == nullptr && question_.times.empty() && question_.after.empty());
}

void GradientRun::check_moments() const {
  std::vector<std::string> missed;
  for (size_t i = 0; i < met_.size(); ++i)
    if (!met_[i]) missed.push_back(fmt::format("{:.9g} s", question_.times[i]));
  if (!missed.empty()) refuse("times", fmt::format("no step ends at {}", fmt::join(missed, ", ")));
}

void GradientRun::read_row(double t) {
  const size_t first = out_.values.size();
  out_.times.push_back(t);
  out_.analyses.push_back(analysis_->name);
  out_.timed.push_back(row_timed_ ? 1 : 0);
  out_.values.resize(first + out_.columns.size());
  std::vector<double> read;
  row_.go_on_from(readings_);
  for (ReadSensor& s : row_.sensors) {
    read.resize(s.size);
    here_.read(s.sensor, read, s.last);
    if (!s.checked && adds_up(here_, s, read))
      refuse("sensor." + here_.scene().models.front().sensors[s.sensor].name,
             "no derivative: it adds up work over the whole run");
    s.checked = true;
    s.last = read;
    std::ranges::copy(read, readings_.begin() + s.first);
    for (size_t k = 0; k < s.columns.size(); ++k) out_.values[first + s.columns[k]] = read[s.components[k]];
  }
}

void GradientRun::enter_model(int model) {
  if (model == model_) return;
  model_ = model;
  step_.reset();
  const bool unsymmetric = std::ranges::any_of(here_.scene().timeline.analyses, [&](const AnalysisSpec& analysis) {
    return analysis.motion() != nullptr && analysis.motion()->needs_unsymmetric(topology());
  });
  factor_ = std::make_shared<TangentFactor>(this->model().topology, this->model().values, unsymmetric);
}

void GradientRun::begin_analysis(const AnalysisSpec& analysis) {
  const std::vector<AnalysisSpec>& all = here_.scene().timeline.analyses;
  analysis_ = &*std::ranges::find(all, analysis.name, &AnalysisSpec::name);
}

bool GradientRun::has_none_at_rest(const ItemBatch& items) {
  return items.history > 0 && items.type->info.role != Role::conservative &&
         !is_drive_that_yields(items.type->info.name, items.options);
}

void GradientRun::refuse_drift_control(const std::string& path, const DriftControl& control) const {
  if (control.acts())
    refuse(path, "no derivative of steps whose drift a control holds: stabilisation = \"projection\"");
}

void GradientRun::begin_motion() {
  const std::string path = "analysis." + analysis_->name;
  if (const auto* driven = dynamic_cast<const KinematicAnalysis*>(analysis_->what.get())) {
    const bool read = std::ranges::any_of(
        row_.sensors, [&](const ReadSensor& s) { return here_.active().probe().reads_reactions(s.sensor); });
    step_ = std::make_unique<KinematicTangent>(*factor_, driven->with_forces() || read);
    return;
  }
  const TimeMethod& method = dynamic_cast<const DynamicAnalysis&>(*analysis_->what).method();
  if (const auto* family = dynamic_cast<const NewmarkFamilyMethod*>(&method)) {
    if (family->projects_velocities()) refuse(path, "no derivative of steps with project_velocities");
    step_ = std::make_unique<NewmarkTangent>(*factor_, family->weights());
  } else if (dynamic_cast<const EnergyMomentumMethod*>(&method) != nullptr) {
    step_ = std::make_unique<EnergyMomentumTangent>(*factor_, this->model());
  } else if (const auto* adams = dynamic_cast<const AdamsMethod*>(&method)) {
    const AdamsOptions options = adams->adams();
    refuse_drift_control(path, options.drift);
    step_ = std::make_unique<AdamsTangent>(*factor_, options);
  } else if (const auto* own = dynamic_cast<const ExplicitMethod*>(&method); own != nullptr && own->runge_kutta()) {
    const RungeKuttaOptions options = *own->runge_kutta();
    refuse_drift_control(path, options.drift);
    step_ = std::make_unique<RungeKuttaTangent>(*factor_, options, !method.has_own_steps());
  } else {
    refuse(path, fmt::format("no derivative of {}", method.label()));
  }
}

void GradientRun::run() {
  RunOptions options;
  options.record = false;
  options.watcher = this;
  options.stop = question_.stop;
  const RunSummary summary = run_scene(document_, here_.scene(), options);
  if (summary.status != RunStatus::finished) throw GradientError(summary.message);
}

}  // namespace flexura
