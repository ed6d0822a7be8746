#include "flexura/study/inverse_statics.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "flexura/base/nearest_name.hpp"
#include "flexura/math/singular_values.hpp"
#include "flexura/run/active_model.hpp"
#include "flexura/solve/statics.hpp"

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
  const auto n = static_cast<Eigen::Index>(inputs.size()), m = static_cast<Eigen::Index>(targets.size());
  if (n == 0 || m == 0) refuse("inverse statics", "it takes an input and a target at least");
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

  std::vector<double> all = statics.values();
  const auto move = [&](const Eigen::VectorXd& u) {
    std::vector<double> to = all;
    for (Eigen::Index k = 0; k < n; ++k) to[places[k]] = u[k];
    return statics.move_to(to);
  };
  const auto misses = [&] {
    Eigen::VectorXd out(m);
    for (Eigen::Index i = 0; i < m; ++i) {
      const StaticTarget& target = targets[i];
      out[i] = target.weight * (statics.read(target.sensor)[target.component] - target.value);
    }
    return out;
  };

  InverseStaticsReport report;
  Eigen::VectorXd u(n);
  for (Eigen::Index k = 0; k < n; ++k) u[k] = inputs[k].start;
  if (!move(u)) {
    report.message = "no equilibrium was found at the inputs to start from";
    report.inputs = std::vector<double>(u.begin(), u.end());
    return report;
  }
  Eigen::VectorXd r = misses();
  double damping = 1e-3;
  for (; report.iterations < options.max_iterations && r.norm() > options.tolerance; ++report.iterations) {
    const State<double> here = statics.state();
    Eigen::MatrixXd J(m, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      Eigen::VectorXd aside = u;
      const double step = (u[k] + 1e-3 * inputs[k].scale > inputs[k].high ? -1e-3 : 1e-3) * inputs[k].scale;
      aside[k] += step;
      if (move(aside))
        J.col(k) = inputs[k].scale / step * (misses() - r);
      else
        J.col(k).setZero();
      statics.return_to(here);
    }
    // In units of the scales. Inputs at a bound that want to leave stay.
    const Eigen::VectorXd slope = J.transpose() * r;
    for (Eigen::Index k = 0; k < n; ++k)
      if ((u[k] <= inputs[k].low && slope[k] > 0) || (u[k] >= inputs[k].high && slope[k] < 0)) J.col(k).setZero();
    bool better = false;
    for (; !better && damping < 1e8; damping *= better ? 0.2 : 5) {
      Eigen::MatrixXd A = J.transpose() * J;
      const double least = 1e-12 * std::max(A.trace(), 1e-300);
      for (Eigen::Index k = 0; k < n; ++k) A(k, k) += damping * A(k, k) + least;
      const SingularValues normal({A.data(), static_cast<size_t>(A.size())}, static_cast<int>(n));
      const Eigen::VectorXd right = J.transpose() * r;
      const std::vector<double> solution = normal.solve({right.data(), static_cast<size_t>(n)});
      Eigen::VectorXd step = -Eigen::Map<const Eigen::VectorXd>(solution.data(), n);
      step *= std::min(1.0, 0.25 / std::max(step.cwiseAbs().maxCoeff(), 1e-300));
      Eigen::VectorXd next = u;
      for (Eigen::Index k = 0; k < n; ++k)
        next[k] = std::clamp(u[k] + inputs[k].scale * step[k], inputs[k].low, inputs[k].high);
      if ((next - u).cwiseAbs().maxCoeff() == 0) break;
      if (move(next)) {
        const Eigen::VectorXd there = misses();
        better = there.norm() < r.norm();
        if (better) {
          u = next;
          r = there;
        }
      }
      if (!better) statics.return_to(here);
    }
    if (!better) break;
  }
  report.inputs = std::vector<double>(u.begin(), u.end());
  report.miss = r.norm();
  report.converged = report.miss <= options.tolerance;
  if (!report.converged)
    report.message = fmt::format(
        "the targets are missed by {:.3g} after {} iterations: out of reach of the inputs and their bounds, or "
        "behind a limit point",
        report.miss, report.iterations);
  return report;
}

}  // namespace flexura
