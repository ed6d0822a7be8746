#include "flexura/run/turn_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "flexura/integrate/steady_turning.hpp"
#include "flexura/math/turn_fit.hpp"

namespace flexura {
namespace {

constexpr double whole_turn = 2 * std::numbers::pi, half_turn = std::numbers::pi;

double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const Triple& a) { return std::sqrt(dot(a.data(), a.data())); }

/// Adds to what has been turned one way; true where that makes a whole turn.
bool turned_round(double* sum, const Triple& turn) {
  const bool goes_on = dot(sum, turn.data()) >= 0;
  for (int i = 0; i < 3; ++i) sum[i] = goes_on ? sum[i] + turn[i] : turn[i];
  return dot(sum, sum) >= whole_turn * whole_turn;
}

}  // namespace

TurnWatch::TurnWatch(const SceneModel& model) : dim_(model.model.topology->dim) {
  const std::vector<Slot>& slots = model.model.topology->slots;
  for (const BodyPart& body : model.bodies) {
    Part part{.name = fmt::format("body '{}'", body.name), .is_rigid = true};
    for (const int i : body.slots) {
      const bool is_point = slots[i].kind == SlotKind::point;
      if (is_point && part.base < 0)
        part.base = slots[i].offset;
      else
        (is_point ? part.points : part.vectors).push_back(slots[i].offset);
    }
    if (!part.points.empty() || !part.vectors.empty()) parts_.push_back(std::move(part));
  }
  const SteadyTurning<double> turning(*model.model.topology);
  for (size_t k = 0; k < model.model.topology->rods.size(); ++k) {
    const Rod& rod = model.model.topology->rods[k];
    const size_t dot = rod.name.find('.');
    parts_.push_back({.name = fmt::format("{} '{}'", rod.name.substr(0, dot), rod.name.substr(dot + 1)),
                      .is_rigid = true,
                      .is_loose = !turning.is_held(k),
                      .base = slots[rod.ends[0]].offset,
                      .points = {slots[rod.ends[1]].offset}});
  }
  for (const CablePart& cable : model.cables) {
    Part part{.name = fmt::format("{} '{}'", cable.kind(), cable.name)};
    for (const int i : cable.vectors) part.vectors.push_back(slots[i].offset);
    for (const auto& frame : cable.frames)
      for (const int i : frame) part.vectors.push_back(slots[i].offset);
    for (const auto& pair : cable.fibres)
      for (const int i : pair) part.vectors.push_back(slots[i].offset);
    parts_.push_back(std::move(part));
  }
  for (const PlatePart& plate : model.plates) {
    Part part{.name = fmt::format("plate '{}'", plate.name)};
    for (const PlateNode& node : plate.model.nodes)
      for (const int i : {node.g_u, node.g_v})
        if (i >= 0) part.vectors.push_back(slots[i].offset);
    parts_.push_back(std::move(part));
  }
  for (const SolidPart& solid : model.solids) {
    Part part{.name = fmt::format("{} '{}'", solid.mesh.word(), solid.name)};
    for (const int i : solid.model.nodes) (part.base < 0 ? part.base : part.points.emplace_back()) = slots[i].offset;
    parts_.push_back(std::move(part));
  }
  rates_.assign(parts_.size(), Triple{});
}

template <int D>
Triple TurnWatch::rate(const Part& part, const State<double>& state) const {
  using Vector = Vec<D, double>;
  const auto at = [](const std::vector<double>& x, int place) { return Vector::load(&x[place]); };
  TurnFit<D, double> fit;
  typename TurnFit<D, double>::Turn moment{};
  const auto add = [&](const Vector& e, const Vector& velocity) {
    fit.add(e);
    moment += fit.moment(e, velocity);
  };
  for (const int i : part.vectors) add(at(state.q, i), at(state.v, i));
  if (part.is_rigid) {
    for (const int i : part.points)
      add(at(state.q, i) - at(state.q, part.base), at(state.v, i) - at(state.v, part.base));
  } else if (!part.points.empty()) {  // about the middle: seen from a corner, stretching looks like turning
    Vector middle = at(state.q, part.base), velocity = at(state.v, part.base);
    for (const int i : part.points) middle += at(state.q, i), velocity += at(state.v, i);
    const double share = 1.0 / static_cast<double>(part.points.size() + 1);
    middle = share * middle, velocity = share * velocity;
    add(at(state.q, part.base) - middle, at(state.v, part.base) - velocity);
    for (const int i : part.points) add(at(state.q, i) - middle, at(state.v, i) - velocity);
  }
  const auto rate = fit(moment);
  if constexpr (D == 2)
    return {0, 0, rate[0]};
  else
    return {rate[0], rate[1], rate[2]};
}

Triple TurnWatch::rate(const Part& part, const State<double>& state) const {
  return dim_ == 2 ? rate<2>(part, state) : rate<3>(part, state);
}

TurnLimits::Pair TurnWatch::limit_of(const Part& part, const TurnLimits& limits) {
  if (!part.is_rigid) return limits.elastic;
  if (!part.is_loose) return limits.rigid;
  return {std::min(limits.rigid.noted, limits.elastic.noted), std::min(limits.rigid.refused, limits.elastic.refused)};
}

void TurnWatch::begin(const State<double>& state) {
  for (size_t k = 0; k < parts_.size(); ++k) rates_[k] = rate(parts_[k], state);
}

std::optional<TurnWatch::Finding> TurnWatch::step(const State<double>& state, double h, const TurnLimits& limits,
                                                  std::span<double> memory) {
  std::optional<Finding> worst;
  for (size_t k = 0; k < parts_.size(); ++k) {
    double* seen = &memory[k * numbers];
    const Triple before = std::exchange(rates_[k], rate(parts_[k], state));
    Triple turn, change;
    for (int i = 0; i < 3; ++i) turn[i] = h * rates_[k][i], change[i] = h * (rates_[k][i] - before[i]);
    const double turned = length(turn), changed = length(change);
    seen[7] = std::max(seen[7], turned);
    const TurnLimits::Pair limit = limit_of(parts_[k], limits);
    const TurnLimits::Pair& unsteady = parts_[k].is_rigid ? limits.change : TurnLimits::Pair();
    if (!(turned > limit.noted) && !(changed > unsteady.noted)) continue;
    const auto found = [&](bool refused) {
      Finding f{parts_[k].name, refused, turned, 0, 0.9 * limit.noted / turned};
      if (!(turned > (refused ? limit.refused : limit.noted))) {
        f.change = changed;
        f.share = std::sqrt(unsteady.noted / changed);
      }
      return f;
    };
    const bool refuse = turned > limit.refused || changed > unsteady.refused;
    // Nobody knows which way a body went that turns by more than half a turn a step.
    const bool lost = parts_[k].is_rigid && turned > std::max(limit.refused, half_turn);
    if (refuse && (turned_round(seen + 3, turn) || lost)) return found(true);
    if (turned_round(seen, turn) && seen[6] == 0 && !worst) {
      seen[6] = 1;
      worst = found(false);
    }
  }
  return worst;
}

std::optional<TurnWatch::Finding> TurnWatch::fastest(const State<double>& state, double h,
                                                     const TurnLimits& limits) const {
  std::optional<Finding> worst;
  for (const Part& part : parts_) {
    const double turned = h * length(rate(part, state)), noted = limit_of(part, limits).noted;
    if (turned > noted && (!worst || 0.9 * noted / turned < worst->share))
      worst = Finding{part.name, true, turned, 0, 0.9 * noted / turned};
  }
  return worst;
}

std::optional<TurnWatch::Finding> TurnWatch::largest(std::span<const double> memory, double least) const {
  std::optional<Finding> worst;
  for (size_t k = 0; k < parts_.size(); ++k)
    if (const double turned = memory[k * numbers + 7]; turned > (worst ? worst->turn : least))
      worst = Finding{parts_[k].name, false, turned};
  return worst;
}

}  // namespace flexura
