#include "flexura/solve/newton.hpp"

#include <algorithm>
#include <limits>

namespace flexura {
namespace {

template <class T>
struct IsDual : std::false_type {};
template <class V>
struct IsDual<Dual<V>> : std::true_type {};

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double good_contraction = 0.25;

template <class V>
V zero_outside(MaskOf<V> mask, V x) {
  return select(mask, x, V(0.0));
}
template <class V>
Dual<V> zero_outside(MaskOf<V> mask, Dual<V> x) {
  return {select(mask, x.v, V(0.0)), select(mask, x.d, V(0.0))};
}

}  // namespace

template <class S>
Newton<S>::Newton(System<S>& system, const NewtonOptions& options) : system_(system), options_(options) {
  const Topology& t = system.topology();
  r_.assign(system.assembler.residual_size(), S(0.0));
  inertia_.assign(t.nq, S(0.0));
  reference_.assign(system.assembler.residual_size(), S(0.0));
  delta_.assign(t.ny, S(0.0));
  fresh_.assign(system.values.size(), V(0.0));
  sqrt_diagonal_.assign(t.ny, V(1.0));
  inverse_sqrt_.assign(t.ny, V(1.0));
  set_aside_.reserve(t.ny - t.ncoord);
}

template <class S>
void Newton<S>::evaluate(State<S>& state, bool inertia) {
  Assembler<S>& assembler = system_.assembler;
  assembler.expand(state.q.data(), state.v.data(), state.a.data());
  assembler.residual(state.t, state.q.data(), state.v.data(), r_.data());
  std::fill(inertia_.begin(), inertia_.end(), S(0.0));
  if (inertia) {
    assembler.subtract_mass_times(state.a.data(), S(1.0), inertia_.data());
    for (size_t i = 0; i < inertia_.size(); ++i) r_[i] += inertia_[i];
    assembler.subtract_damping(state.v.data(), r_.data());
  }
  assembler.reduce(r_.data());
}

template <class S>
void Newton<S>::factorize(State<S>& state, const StageWeights& weights, MaskOf<V> lanes) {
  system_.assembler.tangent(state.t, state.q.data(), state.v.data(), weights.cm, weights.cd, fresh_.data());
  std::vector<V>& values = system_.values;
  if (all(lanes)) {
    values.swap(fresh_);
  } else {
    for (size_t i = 0; i < values.size(); ++i) values[i] = select(lanes, fresh_[i], values[i]);
  }
  const FactorReport<V> report = system_.solver.factor(values);
  held_ = select_mask(lanes, report.ok, held_);
  negative_pivots_ = report.negative_pivots;
  set_aside_.clear();
  for (const SetAside<V>& row : report.set_aside) set_aside_.push_back(row.unknown);
  system_.solver.diagonal(values, std::span<V>(sqrt_diagonal_));
  system_.solver.multiplier_pivots(std::span<V>(sqrt_diagonal_));
  for (size_t i = 0; i < sqrt_diagonal_.size(); ++i) {
    sqrt_diagonal_[i] = sqrt(sqrt_diagonal_[i]);
    inverse_sqrt_[i] = select(sqrt_diagonal_[i] > V(0.0), V(1.0) / max(sqrt_diagonal_[i], V(1e-150)), V(0.0));
  }
}

template <class S>
typename Newton<S>::V Newton<S>::measure(V& force_scale, V& position_scale, const State<S>& state) const {
  const int ny = system_.topology().ny, ncoord = system_.topology().ncoord;
  V worst(0.0), force(0.0), position(0.0);
  const std::vector<S>& gravity = system_.assembler.gravity_force();
  for (int i = 0; i < ny; ++i) {
    const V inverse = inverse_sqrt_[i];
    worst = max(worst, abs(value_of(r_[i])) * inverse);
    if (i < ncoord) {
      const V acting = max(abs(value_of(gravity[i])), abs(value_of(reference_[i])));
      force = max(force, max(abs(value_of(inertia_[i])), acting) * inverse);
      position = max(position, abs(value_of(state.q[i])) * sqrt_diagonal_[i]);
    }
  }
  force_scale = force;
  position_scale = position;
  return worst;
}

template <class S>
SolveReport<S> Newton<S>::solve(State<S>& state, const StageWeights& weights, MaskOf<V> active) {
  const int ny = system_.topology().ny, ncoord = system_.topology().ncoord;
  SolveReport<S> report;
  if (!(weights == held_weights_)) reset();
  held_weights_ = weights;
  MaskOf<V> todo = active, failed = uniform_mask<V>(false), converged = uniform_mask<V>(false);
  MaskOf<V> stale = held_;  // lanes whose factor is older than this step
  MaskOf<V> refresh = options_.tangent == TangentPolicy::modified ? MaskOf<V>(!held_) : uniform_mask<V>(true);
  V last_step(std::numeric_limits<double>::infinity());
  int extra = IsDual<S>::value ? 2 : 0;  // iterations that carry the derivative after the value has converged

  for (int iteration = 0;; ++iteration) {
    evaluate(state, weights.inertia);
    const MaskOf<V> wanted = refresh & todo;
    if (any(wanted)) {
      factorize(state, weights, wanted);
      ++report.factorizations;
      stale = stale & MaskOf<V>(!wanted);
      refresh = refresh & MaskOf<V>(!wanted);
      const MaskOf<V> broken = wanted & MaskOf<V>(!held_);
      report.weak = report.weak || any(broken);
      failed = failed | broken;
      todo = todo & MaskOf<V>(!broken);
    }
    V force, position;
    const V size = measure(force, position, state);
    const V floor = V(4 * epsilon) * position;
    report.residual = size;
    report.limit = max(V(options_.tolerance) * force, floor);
    // NaN compares false everywhere: such a lane neither converges nor goes on.
    const MaskOf<V> sound = size <= V(std::numeric_limits<double>::max());
    failed = failed | (todo & MaskOf<V>(!sound));
    const MaskOf<V> good = (size <= report.limit) & sound;
    if (any(MaskOf<V>(todo & good)) && extra > 0 && all(MaskOf<V>(good | MaskOf<V>(!todo)))) {
      --extra;
      refresh = uniform_mask<V>(true);
    } else {
      converged = converged | (todo & good);
      todo = todo & MaskOf<V>(!good);
    }
    todo = todo & MaskOf<V>(!failed);
    report.iterations = iteration;
    if (!any(todo) || iteration >= options_.max_iterations) break;

    std::copy(r_.begin(), r_.begin() + ny, delta_.begin());
    system_.solver.solve(std::span<S>(delta_));
    V step(0.0);
    for (int i = 0; i < ncoord; ++i) step = max(step, abs(value_of(delta_[i])) * sqrt_diagonal_[i]);
    // Contraction: a stale factor that hardly contracts is renewed, and its step not taken if it grew.
    const MaskOf<V> slow = step > V(good_contraction) * last_step;
    const MaskOf<V> growing = (step > last_step) & stale;
    if (options_.tangent != TangentPolicy::once_per_step) refresh = refresh | (slow & todo);
    if (options_.tangent == TangentPolicy::full) refresh = uniform_mask<V>(true);
    // Rounding: a step that does not shrink any more near the floor is the end.
    const MaskOf<V> stuck = todo & MaskOf<V>(!stale) & (step > V(0.5) * last_step) & (size <= V(64.0) * floor);
    converged = converged | stuck;
    todo = todo & MaskOf<V>(!stuck);
    if (!any(todo)) break;
    last_step = step;
    const MaskOf<V> move = todo & MaskOf<V>(!growing);
    const S dv(weights.dv), da(weights.da);
    if (all(move)) {
      for (int i = 0; i < ncoord; ++i) {
        state.q[i] += delta_[i];
        state.v[i] = fma(dv, delta_[i], state.v[i]);
        state.a[i] = fma(da, delta_[i], state.a[i]);
      }
      for (int i = ncoord; i < ny; ++i) state.q[i] += delta_[i];
    } else {
      for (int i = 0; i < ny; ++i) {
        const S d = zero_outside(move, delta_[i]);
        state.q[i] += d;
        if (i >= ncoord) continue;
        state.v[i] = fma(dv, d, state.v[i]);
        state.a[i] = fma(da, d, state.a[i]);
      }
    }
  }
  report.converged = converged;
  if (!all(MaskOf<V>(converged | MaskOf<V>(!active)))) {
    double worst = -1;
    for (int i = 0; i < ny; ++i)
      for (int lane = 0; lane < ScalarTraits<V>::lanes; ++lane) {
        if (lane_of(converged, lane) || !lane_of(active, lane)) continue;
        const double size = ScalarTraits<V>::lane(abs(value_of(r_[i])) * inverse_sqrt_[i], lane);
        if (size > worst || size != size) {
          worst = size;
          report.worst = i;
          report.worst_force = ScalarTraits<V>::lane(abs(value_of(r_[i])), lane);
        }
        break;
      }
    held_ = held_ & converged;
  }
  return report;
}

template class Newton<double>;
template class Newton<Lanes>;
template class Newton<Dual<double>>;

}  // namespace flexura
