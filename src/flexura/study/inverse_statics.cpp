#include "flexura/study/inverse_statics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "flexura/base/nearest_name.hpp"
#include "flexura/run/active_model.hpp"
#include "flexura/solve/statics.hpp"
#include "flexura/study/least_squares.hpp"

namespace flexura {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& message, const std::string& nearest = {}) {
  throw InputError({{{}, what, message, nearest}});
}

int find(const std::vector<std::string>& names, std::string_view name, const char* what) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    refuse(std::string(name), fmt::format("the scene has no {} of this name", what),
           nearest_name(std::string(name), names));
  return static_cast<int>(at - names.begin());
}

}  // namespace

struct SteeredStatics::Impl {
  Impl(SceneDocument scene_document, int threads)
      : document(std::move(scene_document)), scene(interpret_scene(document)), active(scene, threads) {
    if (document.signals)
      for (int signal = 0; signal < document.signals->size(); ++signal)
        if (const int state = document.signals->input_state(signal); state >= 0) {
          names.push_back(document.signals->name(signal));
          places.push_back(state);
        }
    if (names.empty()) refuse("scene", "it has no input: a signal of type \"input\"");
    for (const SensorSpec& sensor : scene.models.front().sensors) sensors.push_back(sensor.name);
    active.enter(0);
    first = active.state;
  }

  bool equilibrium(double first_step) {
    // What is not found in a few even steps has buckled or snapped: that is for others to follow.
    StaticOptions options;
    options.first_step = options.largest_step = first_step;
    options.smallest_step = 0.1;
    options.newton.max_iterations = 12;
    options.max_pseudo_steps = 0;
    ++sought;
    return StaticSolver(active.system(), options).solve(active.state).converged;
  }

  SceneDocument document;
  SceneModels scene;
  ActiveModel active;
  State<double> first;
  std::vector<std::string> names, sensors;
  std::vector<int> places;
  long sought = 0;
};

SteeredStatics::SteeredStatics(SceneDocument document, int threads)
    : impl_(std::make_unique<Impl>(std::move(document), threads)) {}
SteeredStatics::~SteeredStatics() = default;
SteeredStatics::SteeredStatics(SteeredStatics&&) noexcept = default;
SteeredStatics& SteeredStatics::operator=(SteeredStatics&&) noexcept = default;

const std::vector<std::string>& SteeredStatics::inputs() const { return impl_->names; }
const SceneModel& SteeredStatics::model() const { return impl_->active.scene(); }
const State<double>& SteeredStatics::state() const { return impl_->active.state; }
long SteeredStatics::equilibria() const { return impl_->sought; }
void SteeredStatics::restart() { impl_->active.state = impl_->first; }
void SteeredStatics::return_to(const State<double>& state) { impl_->active.state = state; }

std::vector<double> SteeredStatics::values() const {
  std::vector<double> out;
  for (const int place : impl_->places) out.push_back(state().lags[place]);
  return out;
}

bool SteeredStatics::move_to(const std::vector<double>& values) {
  Impl& s = *impl_;
  const State<double> before = s.active.state;
  for (size_t k = 0; k < s.places.size(); ++k) {
    if (!std::isfinite(values[k])) refuse(s.names[k], "an input must be a finite number");
    s.active.state.lags[s.places[k]] = values[k];
  }
  for (const double step : {1.0, 0.25}) {
    const std::vector<double> lags = s.active.state.lags;
    if (s.equilibrium(step)) return true;
    s.active.state = before;
    s.active.state.lags = lags;
  }
  s.active.state = before;
  return false;
}

std::vector<double> SteeredStatics::read(std::string_view name) {
  Impl& s = *impl_;
  const int sensor = find(s.sensors, name, "sensor");
  SensorProbe& probe = s.active.probe();
  std::vector<double> out(number_count(model().sensors[sensor], model().model.topology->dim), 0.0);
  const std::vector<double> last = out;
  if (probe.needs_forces(sensor)) {
    s.active.set_signals(state().t);
    probe.update(state(), false, s.active.energies(0));
  } else {
    probe.look_at(state());
  }
  probe.read(sensor, out, last);
  return out;
}

InverseStaticsReport inverse_statics(SteeredStatics& statics, const std::vector<SteeredInput>& inputs,
                                     const std::vector<StaticTarget>& targets, const InverseStaticsOptions& options) {
  if (inputs.empty() || targets.empty()) refuse("inverse statics", "it takes an input and a target at least");
  std::vector<int> places;
  for (const SteeredInput& input : inputs) {
    places.push_back(find(statics.inputs(), input.name, "input"));
    if (!(input.low < input.high) || input.start < input.low || input.start > input.high || !(input.scale > 0))
      refuse(input.name, "low < high, the start between them and a scale above zero");
  }
  for (const StaticTarget& target : targets)
    if (const auto size = static_cast<int>(statics.read(target.sensor).size());
        target.component < 0 || target.component >= size)
      refuse(target.sensor,
             fmt::format("the sensor has no component {}: it has {}, from 0 on", target.component, size));

  const std::vector<double> all = statics.values();
  const auto move = [&](std::span<const double> u) {
    std::vector<double> to = all;
    for (size_t k = 0; k < places.size(); ++k) to[static_cast<size_t>(places[k])] = u[k];
    return statics.move_to(to);
  };
  const auto read_misses = [&](std::span<double> out) {
    for (size_t i = 0; i < targets.size(); ++i)
      out[i] = targets[i].weight *
               (statics.read(targets[i].sensor)[static_cast<size_t>(targets[i].component)] - targets[i].value);
  };

  // Every equilibrium is sought from that of the best inputs so far.
  std::optional<State<double>> best;
  const Residuals residuals = [&](std::span<const double> u, std::span<double> out) {
    if (best) statics.return_to(*best);
    if (!move(u)) return false;
    read_misses(out);
    return true;
  };
  const ResidualSlopes slopes = [&](std::span<const double> u, std::span<double> out) {
    const size_t m = targets.size();
    std::vector<double> here(m), aside(u.begin(), u.end());
    statics.return_to(*best);
    read_misses(here);
    for (size_t k = 0; k < inputs.size(); ++k) {
      const std::span<double> column = out.subspan(k * m, m);
      const double size = 1e-3 * inputs[k].scale, step = u[k] + size > inputs[k].high ? -size : size;
      aside[k] = u[k] + step;
      const bool found = residuals(aside, column);
      for (size_t i = 0; i < m; ++i) column[i] = found ? (column[i] - here[i]) / step : 0;
      aside[k] = u[k];
    }
    return true;
  };
  LeastSquaresOptions search;
  search.max_iterations = options.max_iterations;
  search.longest_step = 0.25;
  search.good_enough = options.tolerance;
  search.accepted = [&](std::span<const double>) { best = statics.state(); };
  std::vector<SoughtParameter> sought;
  for (const SteeredInput& input : inputs)
    sought.push_back(
        {.name = input.name, .start = input.start, .low = input.low, .high = input.high, .scale = input.scale});
  const LeastSquaresReport found = least_squares(sought, targets.size(), residuals, search, slopes);

  InverseStaticsReport report;
  report.inputs = found.x;
  report.iterations = found.iterations;
  if (!best) {
    report.message = "no equilibrium was found at the inputs to start from";
    return report;
  }
  statics.return_to(*best);
  report.miss = std::sqrt(found.sum_of_squares);
  report.converged = report.miss <= options.tolerance;
  if (!report.converged)
    report.message = fmt::format(
        "the targets are missed by {:.3g} after {} iterations: out of reach of the inputs and their bounds, or "
        "behind a limit point",
        report.miss, report.iterations);
  return report;
}

}  // namespace flexura
