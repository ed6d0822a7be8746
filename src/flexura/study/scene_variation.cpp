#include "flexura/study/scene_variation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace flexura {
SceneVariation::SceneVariation(const SceneModels& scene, const ReadScene& read, const SceneNumber& number,
                               double relative_step)
    : relative_step_(relative_step), path_(number.path) {
  step_ = step_of(number, relative_step);
  std::optional<InputError> wrong;
  for (const Stencil& stencil : stencils()) {
    try {
      copies_.clear();
      for (const double offset : stencil.offsets)
        copies_.push_back(std::make_unique<SceneCopy>(read({number.setting(number.value + offset * step_)})));
      offsets_ = stencil.offsets;
      weights_ = stencil.weights;
      lower_ = stencil.lower;
      lowest_ = stencil.lowest;
      for (const auto& copy : copies_)
        if (const std::string other = difference_in_kind(scene, copy->scene()); !other.empty())
          throw InputError({{{}, number.path, fmt::format("no derivative: {}", other), {}}});
      if (number.path.starts_with("analysis."))
        throw InputError({{{}, number.path, "no derivative: it says how the run is computed, and not what", {}}});
      find_directions(scene);
      return;
    } catch (const InputError& error) {
      if (!wrong) wrong = error;
    }
  }
  throw InputError(*wrong);
}

void SceneVariation::find_directions(const SceneModels& scene) {
  change_.models.clear();
  for (size_t m = 0; m < scene.models.size(); ++m) {
    const SceneModel& here = scene.models[m];
    SceneChange::OfModel& change = change_.models.emplace_back();
    change.direction = no_direction(here.model.values);
    std::vector<std::vector<std::span<const double>>> from;
    for (const auto& copy : copies_) from.push_back(numbers_of(copy->scene().models[m].model.values));
    const std::vector<std::span<double>> to = numbers_of(change.direction);
    for (size_t a = 0; a < to.size(); ++a)
      for (size_t i = 0; i < to[a].size(); ++i) {
        const auto value = [&](size_t k) { return from[k][a][i]; };
        bool same = true;
        for (size_t k = 1; k < copies_.size(); ++k) same = same && value(k) == value(0);
        if (same) continue;
        to[a][i] = slope(value);
        change.values = true;
      }
    const auto any_copy = [&](auto&& differs) {
      return std::ranges::any_of(copies_, [&](const auto& copy) { return differs(copy->scene().models[m]); });
    };
    change.signals =
        any_copy([&](const SceneModel& other) { return !same_signals(*here.model.topology, *other.model.topology); });
    for (size_t s = 0; s < here.sensors.size(); ++s)
      change.sensors.push_back(
          any_copy([&](const SceneModel& other) { return !reads_same_slots(here.sensors[s], other.sensors[s]); }));
    add_sensors_felt(here, change);
  }
}

State<Tangent> SceneVariation::slopes(const State<double>& state) {
  State<Tangent> out = unchanging(state);
  const auto fill = [&](std::vector<Tangent>& to, auto&& from) {
    for (size_t i = 0; i < to.size(); ++i) to[i].d = slope([&](size_t k) { return from(copies_[k]->state())[i]; });
  };
  fill(out.q, [](const State<double>& s) -> const auto& { return s.q; });
  fill(out.v, [](const State<double>& s) -> const auto& { return s.v; });
  fill(out.a, [](const State<double>& s) -> const auto& { return s.a; });
  fill(out.a_alg, [](const State<double>& s) -> const auto& { return s.a_alg; });
  fill(out.history, [](const State<double>& s) -> const auto& { return s.history; });
  return out;
}

void SceneVariation::set_states(const State<Tangent>& state) {
  State<double> moved = value_of(state);
  for (size_t k = 0; k < copies_.size(); ++k) {
    const auto move = [&](const std::vector<Tangent>& from, std::vector<double>& to) {
      for (size_t i = 0; i < to.size(); ++i) to[i] = from[i].v + offset(k) * from[i].d;
    };
    move(state.q, moved.q);
    move(state.v, moved.v);
    move(state.a, moved.a);
    move(state.a_alg, moved.a_alg);
    move(state.history, moved.history);
    copies_[k]->set_state(moved);
  }
}

void SceneVariation::change_signals(std::span<const SignalValue> scene, auto&& of_copy, std::vector<Tangent>& u,
                                    std::vector<Tangent>& du, std::vector<Tangent>& ddu) {
  u.resize(scene.size());
  du.resize(scene.size());
  ddu.resize(scene.size());
  for (size_t i = 0; i < scene.size(); ++i) {
    const Difference value = difference([&](size_t k) { return of_copy(k)[i].u; });
    if (exceeds_rounding(value))
      doubt_.note(value.error / std::max(std::fabs(value.value), 1e-300), [&] {
        return fmt::format(
            "{}: no derivative with respect to it: a signal jumps or bends within a step of {:.2g} of the "
            "difference\ntry: a smooth signal, or another value",
            path_, step_);
      });
    u[i] = {scene[i].u, value.value};
    du[i] = {scene[i].du, slope([&](size_t k) { return of_copy(k)[i].du; })};
    ddu[i] = {scene[i].ddu, slope([&](size_t k) { return of_copy(k)[i].ddu; })};
  }
}

void SceneVariation::signals(std::span<const SignalValue> scene, std::vector<Tangent>& u, std::vector<Tangent>& du,
                             std::vector<Tangent>& ddu) {
  change_signals(scene, [&](size_t k) { return copies_[k]->signals(); }, u, du, ddu);
}

void SceneVariation::signals_within(std::span<const SignalValue> scene, double t0, double t, std::vector<Tangent>& u,
                                    std::vector<Tangent>& du, std::vector<Tangent>& ddu) {
  std::vector<std::vector<SignalValue>> copies(copies_.size());
  for (size_t k = 0; !scene.empty() && k < copies.size(); ++k) copies[k] = copies_[k]->signals_within(t0, t);
  change_signals(scene, [&](size_t k) -> const auto& { return copies[k]; }, u, du, ddu);
}

}  // namespace flexura
