#include "flexura/study/scene_variation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace flexura {
namespace {

struct Stencil {
  std::vector<double> offsets, weights;
};
/// Sixth order: on both sides, or on one where a bound is.
const Stencil stencils[] = {{{-3, -2, -1, 1, 2, 3}, {-1.0 / 60, 9.0 / 60, -0.75, 0.75, -9.0 / 60, 1.0 / 60}},
                            {{0, 1, 2, 3, 4, 5, 6}, {-147.0 / 60, 6, -7.5, 400.0 / 60, -3.75, 1.2, -1.0 / 6}},
                            {{0, -1, -2, -3, -4, -5, -6}, {147.0 / 60, -6, 7.5, -400.0 / 60, 3.75, -1.2, 1.0 / 6}}};

constexpr double step_of_zero = 1e-4;  ///< [SI] where nothing says how large it may be

}  // namespace

SceneVariation::SceneVariation(const SceneModels& scene, const ReadScene& read, const SceneNumber& number,
                               double relative_step)
    : relative_step_(relative_step) {
  step_ = number.value != 0  ? relative_step * std::fabs(number.value)
          : number.scale > 0 ? relative_step * number.scale
                             : step_of_zero;
  std::optional<InputError> wrong;
  for (const Stencil& stencil : stencils) {
    try {
      copies_.clear();
      for (const double offset : stencil.offsets)
        copies_.push_back(std::make_unique<SceneCopy>(read({number.setting(number.value + offset * step_)})));
      offsets_ = stencil.offsets;
      weights_ = stencil.weights;
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
  for (size_t m = 0; m < scene.models.size(); ++m) {
    Values out = no_direction(scene.models[m].model.values);
    bool moves = false;
    const auto fill = [&](std::vector<double>& to, auto&& from) {
      for (size_t i = 0; i < to.size(); ++i) {
        const auto value = [&](size_t k) { return from(copies_[k]->scene().models[m].model.values)[i]; };
        bool same = true;
        for (size_t k = 1; k < copies_.size(); ++k) same = same && value(k) == value(0);
        if (same) continue;
        to[i] = slope(value);
        moves = true;
      }
    };
    fill(out.reference, [](const Values& v) -> const auto& { return v.reference; });
    fill(out.q0, [](const Values& v) -> const auto& { return v.q0; });
    fill(out.v0, [](const Values& v) -> const auto& { return v.v0; });
    fill(out.weights, [](const Values& v) -> const auto& { return v.weights; });
    fill(out.bases, [](const Values& v) -> const auto& { return v.bases; });
    fill(out.directions, [](const Values& v) -> const auto& { return v.directions; });
    for (size_t b = 0; b < out.parameters.size(); ++b) {
      fill(out.parameters[b], [&](const Values& v) -> const auto& { return v.parameters[b]; });
      fill(out.mass_damping[b], [&](const Values& v) -> const auto& { return v.mass_damping[b]; });
    }
    for (size_t g = 0; g < out.gravity.size(); ++g)
      for (int i = 0; i < 3; ++i) {
        out.gravity[g].g[i] =
            slope([&](size_t k) { return copies_[k]->scene().models[m].model.values.gravity[g].g[i]; });
        moves = moves || out.gravity[g].g[i] != 0;
      }
    directions_.push_back(std::move(out));
    moves_.push_back(moves);
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
    u[i] = {scene[i].u, slope([&](size_t k) { return of_copy(k)[i].u; })};
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
