#include "flexura/solve/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "flexura/base/stop_request.hpp"
#include "flexura/math/entries.hpp"
#include "flexura/math/instantiate.hpp"

namespace flexura {
namespace {

constexpr double good_contraction = 0.25;
constexpr double open_row = 1e9;  ///< of the largest rounding, 1e-6 of the terms: a redundant row that does not hold
/// A factor that took more solves than this in a step is renewed at the next one: least time per step for cables of 4,
/// 10 and 1000 elements among 1, 2, 3 (1.17, 1.14, 1.27 us; 3.1, 3.0, 3.1 us; 256, 232, 233 us).
constexpr double many_solves = 2;
/// The same where rows are long, as in plates (some 40 entries each, cables 12): a factor costs as much as many solves there.
/// Hinged plates, 1 ms, by 2, 3, 4 solves: 8 × 8 124, 109, 104 ms for 0.2 s, 16 × 16 711, 571, 540 ms.
constexpr double many_solves_of_long_rows = 4;
constexpr size_t long_row = 30;
/// A stage of a mesh that took so many factors is in trouble: from then on stresses are predicted. A sheet pinned at a corner,
/// 24 × 24, 200 steps, by 0, 1, 2, 3: 1137, 1137, 991, 1297 iterations, 1479 without; with 0 a shell on muscles is no worse.
constexpr double many_factors = 2;

/// Values of the matrix with rows of larger blocks padded to four. How far they are padded depends on the scalar, and a run in a lane must
/// decide as it does alone.
std::ptrdiff_t padded_value_count(const ValueLayout& layout) {
  const int row = layout.block_size < 3 ? layout.block_size : (layout.block_size + 3) / 4 * 4;
  return layout.value_count() / layout.stride * row;
}

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
Newton<S>::Newton(System<S>& system, const NewtonOptions& options, StageEquations<S>* equations)
    : system_(system), equations_(equations), options_(options) {
  const Topology& t = system.topology();
  r_.assign(system.assembler.residual_size(), S(0.0));
  for (auto* x : {&inertia_, &drag_, &acting_}) x->assign(t.nq, S(0.0));
  reference_.assign(system.assembler.residual_size(), S(0.0));
  delta_.assign(t.ny, S(0.0));
  trial_.reserve(t.ny);
  before_.assign(t.nq, S(0.0));
  fresh_.assign(system.values.size(), V(0.0));
  diagonal_.assign(t.ny, V(1.0));
  sqrt_diagonal_.assign(t.ny, V(1.0));
  inverse_sqrt_.assign(t.ny, V(1.0));
  redundant_rows_.reserve(t.ny - t.ncoord);
  rounding_.assign(t.ny - t.ncoord, V(0.0));
  reach_ = rounding_;
  is_joint_.assign(static_cast<std::size_t>(t.ny - t.ncoord), 0);
  for (const ItemBatch& items : t.batches) {
    if (items.type->info.role != Role::constraint) continue;
    const std::vector<SlotKind>& kinds = items.type->info.slots;
    for (std::size_t k = 0; k < items.slots.size(); ++k) {
      if (kinds[k % kinds.size()] != SlotKind::scalar) continue;
      const Slot& slot = t.slots[items.slots[k]];
      if (slot.multiplier && slot.offset >= t.ncoord && slot.offset < t.ny) is_joint_[slot.offset - t.ncoord] = 1;
    }
  }
  if (t.ny > t.ncoord)
    system.solver.layout().for_each_entry([&](int row, int column, std::ptrdiff_t index) {
      // Rows of gas hang on pressures and masses, and of rigid chambers on nothing else.
      if (row >= t.ncoord && (column < t.ncoord || is_joint_[row - t.ncoord] == 0))
        couplings_.push_back({row, column, index});
    });
  if (equations) {
    mass_.assign(t.ny, V(0.0));
    system.assembler.mass_matrix(fresh_.data());
    system.solver.diagonal(fresh_, std::span<V>(mass_));
  }
}

template <class S>
void Newton<S>::evaluate(State<S>& state, bool inertia) {
  Assembler<S>& assembler = system_.assembler;
  if (equations_) {
    equations_->residual(state, r_, inertia_, drag_);
    assembler.reduce(r_.data());
    return;
  }
  assembler.expand(state.q.data(), state.v.data(), state.a.data());
  assembler.residual(state.t, state.q.data(), state.v.data(), r_.data(), acting_.data());
  if (inertia) {
    assembler.add_inertia(state.a.data(), state.v.data(), inertia_.data(), drag_.data(), r_.data());
  } else {
    std::fill(inertia_.begin(), inertia_.end(), S(0.0));
  }
  if constexpr (std::is_same_v<S, double>) {
    if (contacts_ != nullptr) {
      contacts_->look(state.q.data());
      contacts_->add_forces(r_.data());
    }
  }
  assembler.reduce(r_.data());
  for (size_t i = 0; i < holding_.size(); ++i) r_[i] += holding_[i];
}

template <class S>
bool Newton<S>::contacts_act() const {
  return contacts_ != nullptr && (contacts_->any_active() || with_contacts_);
}

/// Behind the tangent of the model, whose diagonal stays what the stop rule scales with.
template <class S>
void Newton<S>::add_contacts() {
  if constexpr (std::is_same_v<S, double>) {
    system_.solver.diagonal(system_.values, std::span<V>(diagonal_));
    system_.solver.set_overlay(contacts_->couplings());
    system_.values.resize(system_.solver.value_count());
    const std::ptrdiff_t own = system_.solver.layout().value_count();
    std::fill(system_.values.begin() + own, system_.values.end(), 0.0);
    if (contacts_->is_restless()) without_contacts_.assign(system_.values.begin(), system_.values.begin() + own);
    contacts_->add_tangent(diagonal_, system_.solver, system_.values);
  }
}

template <class S>
void Newton<S>::factorize(State<S>& state, const StageWeights& weights, MaskOf<V> lanes) {
  std::vector<V>& values = system_.values;
  const bool every = all(lanes);
  std::vector<V>& fresh = every ? values : fresh_;
  if (equations_) {
    equations_->tangent(state, weights, fresh);
  } else {
    system_.assembler.tangent(state.t, state.q.data(), state.v.data(), weights.cm, weights.cd, fresh.data(),
                              stepped_ ? before_.data() : nullptr);
  }
  if (!every)
    for (size_t i = 0; i < values.size(); ++i) values[i] = select(lanes, fresh_[i], values[i]);
  if (contacts_act()) add_contacts();
  with_contacts_ = contacts_ != nullptr && contacts_->any_active();
  const FactorReport<V> report = system_.solver.factor(values);
  held_ = select_mask(lanes, report.ok, held_);
  if constexpr (std::is_same_v<S, double>) {
    use_pivoting_ = false;
    if (!report.ok && lanes && !with_contacts_) {
      if (!pivoting_) {
        pivoting_ = std::make_unique<SparseFallback>();
        pivoting_->analyse(system_.solver.layout());
      }
      held_ = use_pivoting_ = pivoting_->factor(values);
    }
  }
  negative_pivots_ = report.negative_pivots;
  redundant_rows_.clear();
  for (const RedundantRow<V>& row : report.redundant_rows) redundant_rows_.push_back(row.unknown);
}

template <class S>
void Newton<S>::solve_for_step() {
  if constexpr (std::is_same_v<S, double>) {
    if (use_pivoting_) {
      pivoting_->solve(delta_);
      return;
    }
  }
  system_.solver.solve(std::span<S>(delta_));
}

/// √J_ii for the stop rule.
template <class S>
void Newton<S>::rescale(MaskOf<V> lanes) {
  if (!with_contacts_) system_.solver.diagonal(system_.values, std::span<V>(diagonal_));
  if (system_.topology().ny > system_.topology().ncoord) system_.solver.multiplier_pivots(std::span<V>(diagonal_));
  // Rows without a diagonal that only pivoting could solve must not drop out of the stop rule: there J_ii = 1, in SI.
  if (use_pivoting_)
    for (V& x : diagonal_) x = select(x > V(0.0), x, V(1.0));
  for_entries<V>(static_cast<int>(diagonal_.size()), [&]<class P>(int i) {
    const P root = sqrt(load_entries<P>(&diagonal_[i]));
    const P inverse = select(root > P(0.0), P(1.0) / max(root, P(1e-150)), P(0.0));
    if constexpr (std::is_same_v<P, V>) {
      sqrt_diagonal_[i] = select(lanes, root, sqrt_diagonal_[i]);
      inverse_sqrt_[i] = select(lanes, inverse, inverse_sqrt_[i]);
    } else {
      store_entries(&sqrt_diagonal_[i], root);
      store_entries(&inverse_sqrt_[i], inverse);
    }
  });
}

/// Of the rows of multipliers: rounding, 4 ε Σ_j |J_ij q_j|, and of joints what they change by across the model,
/// Σ_j |J_ij| times its extent.
template <class S>
void Newton<S>::find_rounding(const State<S>& state, MaskOf<V> lanes) {
  const int ncoord = system_.topology().ncoord;
  for (std::vector<V>* rows : {&rounding_, &reach_})
    for (V& x : *rows) x = select(lanes, V(0.0), x);
  for (const Coupling& c : couplings_) {
    if (is_joint_[c.row - ncoord] != 0)
      reach_[c.row - ncoord] += zero_outside(lanes, V(options_.extent) * abs(system_.values[c.index]));
    rounding_[c.row - ncoord] +=
        zero_outside(lanes, V(4 * epsilon) * abs(system_.values[c.index]) * size_of<V>(&state.q[c.column]));
  }
}

/// 4 ε of the largest coordinate, also of those that depend on others: rounding of a row of which nothing free is left.
template <class S>
typename Newton<S>::V Newton<S>::rounding_of_all(const State<S>& state) const {
  V largest(0.0);
  for (const S& x : state.q) largest = max(largest, size_of<V>(&x));
  return V(4 * epsilon) * largest;
}

template <class S>
typename Newton<S>::Size Newton<S>::measure(const State<S>& state) const {
  const int ny = system_.topology().ny, ncoord = system_.topology().ncoord;
  const std::vector<S>& gravity = system_.assembler.gravity_force();
  Largest<V> worst, force, position;
  for_values<S>(ncoord, [&]<class P>(int i) {
    const P inverse = load_entries<P>(&inverse_sqrt_[i]);
    const P acting = max(size_of<P>(&gravity[i]), size_of<P>(&reference_[i]));
    worst.add(size_of<P>(&r_[i]) * inverse);
    force.add(max(size_of<P>(&inertia_[i]), acting) * inverse);
    position.add(size_of<P>(&state.q[i]) * load_entries<P>(&sqrt_diagonal_[i]));
  });
  Size out{worst.value(), V(0.0), force.value(), position.value(), V(0.0)};
  V most_rounding(std::numeric_limits<double>::min());
  for (const V& x : rounding_) most_rounding = max(most_rounding, x);
  for (int i = ncoord; i < ny; ++i) {
    const V size = size_of<V>(&r_[i]), rounding = rounding_[i - ncoord];
    V scaled = select(size <= rounding, V(0.0), size * inverse_sqrt_[i]);
    // A redundant row has no scale. Where it is not redundant after all, Newton must not end.
    MaskOf<V> open = (inverse_sqrt_[i] == V(0.0)) & (size > V(open_row) * most_rounding);
    if (any(open)) open = open & (size > V(open_row) * rounding_of_all(state));
    // What loads bend may be so soft that a force, which the stop rule allows, opens joints: at rest they are kept by themselves.
    if (options_.extent > 0)
      open = open | ((inverse_sqrt_[i] > V(0.0)) & (reach_[i - ncoord] > V(0.0)) &
                     (size > max(rounding, V(options_.tolerance) * reach_[i - ncoord])));
    scaled = select(open, V(std::numeric_limits<double>::max()), scaled);
    out.constraints = max(scaled, out.constraints);
  }
  if (!mass_.empty())
    for (int i = 0; i < ncoord; ++i)
      out.stiffness =
          max(abs(diagonal_[i] - V(held_weights_.cm) * mass_[i]) * size_of<V>(&state.q[i]) * inverse_sqrt_[i],
              out.stiffness);
  return out;
}

/// δq, δv = dv δq, δa = da δq in some lanes.
template <class S>
void Newton<S>::move(State<S>& state, const StageWeights& weights, MaskOf<V> lanes) {
  const int ny = system_.topology().ny, ncoord = system_.topology().ncoord;
  if (!all(lanes))
    for (int i = 0; i < ny; ++i) delta_[i] = zero_outside(lanes, delta_[i]);
  for_entries<S>(ncoord, [&]<class P>(int i) {
    const P d = load_entries<P>(&delta_[i]);
    store_entries(&state.q[i], load_entries<P>(&state.q[i]) + d);
    store_entries(&state.v[i], fma(P(weights.dv), d, load_entries<P>(&state.v[i])));
    store_entries(&state.a[i], fma(P(weights.da), d, load_entries<P>(&state.a[i])));
  });
  for (int i = ncoord; i < ny; ++i) state.q[i] += delta_[i];
}

/// Largest |δ| over the coordinates of points.
template <class S>
typename Newton<S>::V Newton<S>::largest_motion(const std::vector<S>& delta) const {
  V largest(0.0);
  for (const Slot& slot : system_.topology().slots)
    if (slot.kind == SlotKind::point && slot.block >= 0)
      for (int i = slot.offset; i < slot.offset + slot.size; ++i) largest = max(largest, abs(value_of(delta[i])));
  return largest;
}

/// Takes back half of the last move, and half of that, in lanes in which the next one would be larger.
template <class S>
void Newton<S>::search(State<S>& state, const StageWeights& weights, MaskOf<V> lanes) {
  constexpr int most = 5;
  const V full = largest_motion(delta_);
  MaskOf<V> worse = lanes;
  double share = 1;
  for (int halving = 0; halving < most; ++halving, share *= 0.5) {
    evaluate(state, weights.inertia);
    trial_.assign(r_.begin(), r_.begin() + static_cast<std::ptrdiff_t>(delta_.size()));
    trial_.swap(delta_);
    solve_for_step();
    trial_.swap(delta_);
    const MaskOf<V> better = largest_motion(trial_) <= V(1 - 0.25 * share) * full;  // NaN is worse
    worse = worse & MaskOf<V>(!better);
    if (!any(worse)) return;
    for (S& d : delta_) d = S(-0.5) * zero_outside(worse, d);
    move(state, weights, worse);
    for (S& d : delta_) d = S(-1.0) * d;  // what is left of the step
  }
}

template <class S>
SolveReport<S> Newton<S>::solve(State<S>& state, const StageWeights& weights, MaskOf<V> active) {
  SolveReport<S> report;
  Progress at = begin(weights, active);
  const bool predicts = options_.predict_stress || system_.solver.layout().fronts;
  bool saved = false;  // before_ is of this stage
  V made(0.0);         // factors of each lane in it
  for (int iteration = 0;; ++iteration) {
    const bool approaches = force_ != nullptr;
    evaluate(state, weights.inertia);
    for (size_t i = 0; approaches && i < force_->size(); ++i) r_[i] += (*force_)[i];
    if (contacts_act()) at.refresh = uniform_mask<V>(true);
    const MaskOf<V> without = at.todo & at.refresh & MaskOf<V>(!held_);
    if (any(without)) renew(state, weights, without, at, report);
    made += select(without, V(1.0), V(0.0));
    if (!approaches) judge(state, at, report);
    report.iterations = iteration;
    if (!any(at.todo) || iteration >= most_iterations()) break;
    const MaskOf<V> again = at.refresh & at.todo;
    if (any(again)) {
      const MaskOf<V> smooth = made < V(options_.predict_stress ? 0.0 : many_factors);
      stepped_ = saved && any(MaskOf<V>(!smooth));
      if (stepped_ && any(smooth))  // of their own stresses
        for (size_t i = 0; i < before_.size(); ++i)
          before_[i] = zero_outside(smooth, state.q[i]) + zero_outside(MaskOf<V>(!smooth), before_[i]);
      renew(state, weights, again, at, report);
      made += select(again, V(1.0), V(0.0));
    }
    if (!any(at.todo)) break;
    if (stop_requested()) break;
    find_step(at);
    if (!any(at.todo)) break;
    const MaskOf<V> taken = watch_contraction(at, report.residual);
    if (!any(at.todo)) break;
    if (predicts) before_ = state.q;
    saved = predicts;
    move(state, weights, taken);
    if (approaches) {
      force_ = nullptr;
      arrive_();
      continue;
    }
    if (options_.line_search) search(state, weights, taken);
  }
  force_ = nullptr;
  conclude(active, at, report);
  return report;
}

/// Laps in which contacts change sides count apart.
template <class S>
int Newton<S>::most_iterations() const {
  constexpr int most_changes = 40;
  return options_.max_iterations + (contacts_ == nullptr ? 0 : std::min(contacts_->changes(), most_changes));
}

/// A lane is measured before it is factored anew, so that a predictor that is good enough costs no factor.
template <class S>
typename Newton<S>::Progress Newton<S>::begin(const StageWeights& weights, MaskOf<V> active) {
  if (!(weights == held_weights_)) reset();
  held_weights_ = weights;
  if (contacts_ != nullptr) contacts_->restart(weights.cm);
  const bool long_rows = padded_value_count(system_.solver.layout()) >
                         static_cast<std::ptrdiff_t>(long_row) * static_cast<std::ptrdiff_t>(system_.topology().ny);
  const V most_solves(long_rows ? many_solves_of_long_rows : many_solves);
  const MaskOf<V> refresh = options_.tangent == TangentPolicy::modified
                                ? MaskOf<V>(MaskOf<V>(!held_) | (solves_ > most_solves))
                                : uniform_mask<V>(true);
  stepped_ = false;
  const Progress at{.todo = active,
                    .converged = uniform_mask<V>(false),
                    .failed = uniform_mask<V>(false),
                    .refresh = refresh,
                    .stale = held_,
                    .unscaled = active,
                    .step = V(std::numeric_limits<double>::infinity()),
                    .extra = IsDual<S>::value ? 2 : 0};
  solves_ = select(active, V(0.0), solves_);
  return at;
}

/// Factors in some lanes; those where that fails have failed.
template <class S>
void Newton<S>::renew(State<S>& state, const StageWeights& weights, MaskOf<V> lanes, Progress& at,
                      SolveReport<S>& report) {
  factorize(state, weights, lanes);
  ++report.factorizations;
  at.stale = at.stale & MaskOf<V>(!lanes);
  at.refresh = at.refresh & MaskOf<V>(!lanes);
  const MaskOf<V> broken = lanes & MaskOf<V>(!held_);
  report.weak = report.weak || any(broken);
  at.failed = at.failed | broken;
  at.todo = at.todo & MaskOf<V>(!broken);
  if (any(MaskOf<V>(at.unscaled & lanes))) {
    rescale(at.unscaled & lanes);
    find_rounding(state, at.unscaled & lanes);
  }
  at.unscaled = at.unscaled & MaskOf<V>(!lanes);
}

/// Whether contacts let a solution pass; where they do not, they have changed.
template <class S>
bool Newton<S>::admit(State<S>& state, Progress& at) {
  if constexpr (std::is_same_v<S, double>) {
    if (!contacts_->are_closed()) {
      at.failed = at.failed || contacts_->is_blocked();
      return false;
    }
    if (contacts_->admits(state.q.data())) return true;
    if (contacts_->is_hopeless()) at.failed = true;
    evaluate(state, held_weights_.inertia);
    at.refresh = true;
    at.step = std::numeric_limits<double>::infinity();
  }
  return false;
}

/// Which lanes have converged, which never will.
template <class S>
void Newton<S>::judge(State<S>& state, Progress& at, SolveReport<S>& report) {
  const Size sizes = measure(state);
  const V size = max(sizes.coordinates, sizes.constraints);
  at.floor = V(4 * epsilon) * sizes.position;
  report.residual = size;
  report.limit = max(V(options_.tolerance) * sizes.force, at.floor);
  // NaN compares false everywhere: such a lane neither converges nor goes on.
  const MaskOf<V> sound = size <= V(std::numeric_limits<double>::max());
  at.failed = at.failed | (at.todo & MaskOf<V>(!sound));
  MaskOf<V> good = (size <= report.limit) & sound;
  // What loads bend may be far softer than what the floor is of (a thin body that keeps its volume): at rest one step shows it.
  if (!held_weights_.inertia)
    good =
        good & ((size <= V(options_.tolerance) * sizes.force) | (at.step < V(std::numeric_limits<double>::infinity())));
  if (equations_)
    good = good & (sizes.coordinates <= max(V(options_.tolerance) * sizes.force, V(4 * epsilon) * sizes.stiffness));
  if constexpr (std::is_same_v<S, double>) {
    if (contacts_ != nullptr && good) good = admit(state, at);
  }
  const MaskOf<V> done = at.todo & good;
  if (any(done) && at.extra > 0 && all(MaskOf<V>(good | MaskOf<V>(!at.todo)))) {
    --at.extra;
    at.refresh = uniform_mask<V>(true);
  } else {
    at.converged = at.converged | done;
    at.todo = at.todo & MaskOf<V>(!good);
  }
  at.todo = at.todo & MaskOf<V>(!at.failed);
}

/// δ = J⁻¹ r. Where even the linear problem of restless contacts is not solved, the stage has failed.
template <class S>
void Newton<S>::find_step(Progress& at) {
  for_entries<S>(system_.topology().ny, [&]<class P>(int i) { store_entries(&delta_[i], load_entries<P>(&r_[i])); });
  if constexpr (std::is_same_v<S, double>) {
    if (with_contacts_ && contacts_->is_restless()) {
      at.failed = !contacts_->find_step(system_.solver, without_contacts_, diagonal_, delta_);
      at.todo = !at.failed;
      return;
    }
    if (with_contacts_) contacts_->add_right_side(delta_.data());
  }
  solve_for_step();
  solves_ += select(at.todo, V(1.0), V(0.0));
  if constexpr (std::is_same_v<S, double>) {
    if (with_contacts_) contacts_->recentre(delta_.data());
  }
}

/// From the length of the step: a stale factor that hardly contracts is renewed. Returns the lanes that take the step, not those
/// in which it grew by a stale factor.
template <class S>
MaskOf<ValueOf<S>> Newton<S>::watch_contraction(Progress& at, V size) const {
  Largest<V> length;
  for_values<S>(system_.topology().ncoord,
                [&]<class P>(int i) { length.add(size_of<P>(&delta_[i]) * load_entries<P>(&sqrt_diagonal_[i])); });
  const V step = length.value();
  const MaskOf<V> slow = step > V(good_contraction) * at.step;
  const MaskOf<V> growing = (step > at.step) & at.stale;
  if (options_.tangent != TangentPolicy::once_per_step) at.refresh = at.refresh | (slow & at.todo);
  if (options_.tangent == TangentPolicy::full) at.refresh = uniform_mask<V>(true);
  // Rounding: a step that does not shrink any more near the floor is the end.
  const MaskOf<V> near = (step > V(0.5) * at.step) & (size <= V(64.0) * at.floor);
  const MaskOf<V> stuck = with_contacts_ ? uniform_mask<V>(false) : at.todo & MaskOf<V>(!at.stale) & near;
  at.converged = at.converged | stuck;
  at.todo = at.todo & MaskOf<V>(!stuck);
  at.step = step;
  return at.todo & MaskOf<V>(!growing);
}

template <class S>
void Newton<S>::conclude(MaskOf<V> active, const Progress& at, SolveReport<S>& report) {
  report.converged = at.converged;
  const MaskOf<V> lost = active & MaskOf<V>(!at.converged);
  if (!any(lost)) return;
  name_worst(report, lost);
  if constexpr (std::is_same_v<S, double>) {
    if (const Contact* open = contacts_ != nullptr ? contacts_->worst() : nullptr) {
      report.touching[0] = open->key.a;
      report.touching[1] = open->key.b;
      report.gap =
          std::fabs(open->gap) <= open->size ? open->gap : 0;  // of an iterate that went astray it says nothing
    }
  }
  held_ = held_ & MaskOf<V>(!lost);
}

template <class S>
void Newton<S>::name_worst(SolveReport<S>& report, MaskOf<V> failed) const {
  int lane = 0;
  while (!lane_of(failed, lane)) ++lane;
  double worst = -1;
  for (int i = 0; i < system_.topology().ny; ++i) {
    const V force = abs(value_of(r_[i]));
    const double size = ScalarTraits<V>::lane(force * inverse_sqrt_[i], lane);
    if (size <= worst) continue;
    worst = size;
    report.worst = i;
    report.worst_force = ScalarTraits<V>::lane(force, lane);
  }
}

#define FLEXURA_INSTANTIATE(S) template class Newton<S>;
FLEXURA_FOR_EACH_SCALAR(FLEXURA_INSTANTIATE)
#undef FLEXURA_INSTANTIATE

}  // namespace flexura
