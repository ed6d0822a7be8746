#include "flexura/run/static_work.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

enum Followed { position, acting, weight, force, drive };

/// Slopes at three points of a parabola through them, h0 and h1 apart.
struct ParabolaSlopes {
  double h0, h1;

  double first(double a, double b, double c) const { return (b - a) / h0 - h0 / (h0 + h1) * bend(a, b, c); }
  double second(double a, double b, double c) const { return (b - a) / h0 + h0 / (h0 + h1) * bend(a, b, c); }
  double third(double a, double b, double c) const { return (c - b) / h1 + h1 / (h0 + h1) * bend(a, b, c); }

 private:
  double bend(double a, double b, double c) const { return (c - b) / h1 - (b - a) / h0; }
};

}  // namespace

StaticWork::StaticWork(const System<double>& system) : system_(system) {
  const Topology& topology = system.topology();
  for (const Dependent& dependent : topology.dependents) {
    const Slot& slot = topology.slots[dependent.slot];
    for (int i = 0; i < slot.size && !dependent.drives.empty(); ++i) driven_.push_back(slot.offset + i);
  }
}

/// Of load factor and motion together, so that neither a fold nor a stiff path stands still.
double StaticWork::length(const Point& from, const Point& to) {
  double moved = 0;
  for (size_t i = 0; i < from.at[position].size(); ++i) moved += std::pow(to.at[position][i] - from.at[position][i], 2);
  const double loaded = std::fabs(to.factor - from.factor);
  if (scale_ == 0 && moved > 0) scale_ = (loaded > 0 ? loaded : 1) / std::sqrt(moved);
  return std::hypot(loaded, scale_ * std::sqrt(moved));
}

StaticWork::Work StaticWork::between(const Point& from, const Point& to, double h) const {
  const auto piece = [&](Followed what, size_t i, Followed along = position) {
    const double q = to.at[along][i] - from.at[along][i], f = to.at[what][i] - from.at[what][i];
    const double chord = 0.5 * (from.at[what][i] + to.at[what][i]) * q;
    if (!from.has_slope || !to.has_slope) return chord;
    const double f0 = h * from.slope[what][i], f1 = h * to.slope[what][i];
    const double q0 = h * from.slope[along][i], q1 = h * to.slope[along][i];
    return chord + (q * (f0 - f1) - f * (q0 - q1)) / 12 + ((f1 - f) * (q0 - q) - (f0 - f) * (q1 - q)) / 60;
  };
  Work work;
  for (size_t i = 0; i < from.at[position].size(); ++i) {
    const double by_weight = piece(weight, i);
    work.weight += by_weight;
    work.loads += piece(acting, i) - by_weight;
  }
  for (const int i : driven_) work.drives -= piece(force, static_cast<size_t>(i), drive);
  return work;
}

double StaticWork::gross(const Point& from, const Point& to) const {
  const auto chord = [&](Followed what, size_t i, Followed along) {
    return std::fabs(0.5 * (from.at[what][i] + to.at[what][i]) * (to.at[along][i] - from.at[along][i]));
  };
  double sum = 0;
  for (size_t i = 0; i < from.at[position].size(); ++i) sum += chord(acting, i, position);
  for (const int i : driven_) sum += chord(force, static_cast<size_t>(i), drive);
  return sum;
}

void StaticWork::add(double factor, State<double>& state, std::span<const double> unbalanced) {
  const Assembler<double>& assembler = system_.assembler;
  const size_t nq = state.q.size();
  Point now{.factor = factor, .at = {state.q, std::vector<double>(nq), assembler.gravity_force()}, .slope = {}};
  now.at[drive].resize(nq);
  std::vector<double> rate(nq), second(nq);
  assembler.expand(now.at[drive].data(), rate.data(), second.data());
  now.at[force].resize(static_cast<size_t>(assembler.residual_size()));
  assembler.residual(state.t, state.q.data(), state.v.data(), now.at[force].data(), now.at[acting].data());
  const size_t held = std::min(unbalanced.size(), static_cast<size_t>(system_.topology().ncoord));
  for (size_t i = 0; i < held; ++i) now.at[acting][i] -= (1 - factor) * unbalanced[i];
  if (points_.empty()) begin_ = state.energy;
  const double h = points_.empty() ? 0 : length(points_.back(), now);
  if (points_.size() == 2 && step_ > 0 && h > 0) {
    Point &first = points_[0], &second = points_[1];
    const ParabolaSlopes slopes{step_, h};
    const auto set = [&](Point& at, double (ParabolaSlopes::*slope)(double, double, double) const) {
      for (const Followed what : {position, acting, weight, force, drive}) {
        at.slope[what].resize(nq);
        for (size_t i = 0; i < nq; ++i)
          at.slope[what][i] = (slopes.*slope)(first.at[what][i], second.at[what][i], now.at[what][i]);
      }
      at.has_slope = true;
    };
    if (!first.has_slope) set(first, &ParabolaSlopes::first);
    set(second, &ParabolaSlopes::second);
    set(now, &ParabolaSlopes::third);
  }
  Work all = done_;
  const auto add_piece = [&](const Point& from, const Point& to, double step) {
    const Work work = between(from, to, step);
    all.weight += work.weight, all.loads += work.loads, all.drives += work.drives;
  };
  if (points_.size() == 2) {
    add_piece(points_[0], points_[1], step_);
    done_ = all;
    points_.erase(points_.begin());
  }
  if (!points_.empty()) {
    add_piece(points_.back(), now, h);
    const Work chord = between({points_.back().factor, points_.back().at, {}}, now, h);
    last_chord_ = chord.weight + chord.loads + chord.drives;
    last_gross_ = gross(points_.back(), now);
  }
  now.has_slope = false;  // the next point tells better
  points_.push_back(std::move(now));
  step_ = h;
  state.energy.gravity = begin_.gravity + all.weight;
  state.energy.loads = begin_.loads + all.loads;
  state.energy.prescribed = begin_.prescribed + all.drives;
}

}  // namespace flexura
