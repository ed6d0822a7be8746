#include "flexura/integrate/generalized_alpha.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "flexura/integrate/halves.hpp"
#include "flexura/integrate/lanes.hpp"
#include "flexura/integrate/signal_work.hpp"
#include "flexura/math/entries.hpp"
#include "flexura/math/instantiate.hpp"

namespace flexura {
namespace {

/// Of a mesh: iterations before a stage begins once more from q₁ = q₀, and steps that begin there after one that only converged from there. What
/// is so stiff and light that it swings within a step has accelerations that lead nowhere, for a while. A sheet that crumples where it is
/// pinned took 30 to 70 iterations a step meanwhile.
constexpr int many_iterations = 10;
constexpr double many_rests = 8;

/// What lanes outside the mask had before.
template <class S>
void restore_outside(MaskOf<ValueOf<S>> lanes, State<S>& s, const State<S>& before) {
  const auto restore = [&](std::vector<S>& to, const std::vector<S>& from) {
    for (size_t i = 0; i < to.size(); ++i)
      for (int lane = 0; lane < ScalarTraits<ValueOf<S>>::lanes; ++lane)
        if (!lane_of(lanes, lane)) copy_lane(to[i], from[i], lane);
  };
  restore(s.q, before.q);
  restore(s.v, before.v);
  restore(s.a, before.a);
  restore(s.a_alg, before.a_alg);
}
}  // namespace

template <class S>
GeneralizedAlpha<S>::GeneralizedAlpha(System<S>& system, const NewmarkFamily& method, const NewtonOptions& newton,
                                      const StabilisationOptions& stabilisation)
    : system_(system),
      method_(method),
      stabilisation_(stabilisation),
      turning_(system.topology()),
      angles_(system.topology()),
      newton_(system, newton) {
  const Topology& t = system.topology();
  residual_.assign(system.assembler.residual_size(), S(0.0));
  for (auto* x : {&acting_before_, &reaction_before_, &gravity_before_, &inertia_, &drag_, &mid_q_, &mid_v_})
    x->assign(t.nq, S(0.0));
  for (const Dependent& d : t.dependents) {
    if (d.drives.empty()) continue;
    for (int i = 0; i < t.slots[d.slot].size; ++i) driven_.push_back(t.slots[d.slot].offset + i);
  }
  for (auto* x : {&drive_before_, &drive_after_, &drive_rate_, &drive_second_}) x->assign(t.nq, S(0.0));
  for (auto* x : {&error_, &predicted_}) x->assign(t.ncoord, S(0.0));
  for (size_t b = 0; b < t.batches.size(); ++b) {
    if (!system.assembler.batches()[b]->has_dissipation) continue;
    has_losses_ = true;
    losses_follow_signals_ |= reads_a_signal(t, t.batches[b]);
  }
  for (const ItemBatch& batch : t.batches)
    if (batch.type->info.role == Role::constraint)
      drives_constraints_ = drives_constraints_ || std::ranges::count(batch.type->info.slots, SlotKind::signal) > 0;
  drives_constraints_ = drives_constraints_ || !driven_.empty();
  make_contacts();
}

/// t₁ − t₀ as the step before where they differ by rounding only: then weights and factors can be kept.
template <class S>
double GeneralizedAlpha<S>::step_size(double t0, double t1) {
  const double h = t1 - t0;
  const double rounding = 2 * std::numeric_limits<double>::epsilon() * std::max(std::fabs(t0), std::fabs(t1));
  if (std::fabs(h - h_) <= rounding) return h_;
  h_ = h;
  formulas_ = formulas_of(method_, h);
  return h;
}

/// Keeps the state in before_ and sets q̈₁ = q̈₀.
template <class S>
void GeneralizedAlpha<S>::predict(State<S>& s, const Formulas& f) {
  turning_.begin(s, f.h);
  for_entries<S>(system_.topology().ncoord, [&]<class P>(int i) {
    const P q = load_entries<P>(&s.q[i]), way = load_entries<P>(&turning_.way()[i]);
    store_entries(&before_.q[i], q);
    store_entries(&before_.v[i], load_entries<P>(&s.v[i]));
    store_entries(&before_.a[i], load_entries<P>(&s.a[i]));
    store_entries(&before_.a_alg[i], load_entries<P>(&s.a_alg[i]));
    const P v = load_entries<P>(&turning_.velocity()[i]), acc = load_entries<P>(&turning_.acceleration()[i]);
    const P a = load_entries<P>(&turning_.algorithmic()[i]);
    const P a1 = fma(P(f.acc_new), acc, fma(P(f.acc_old), acc, P(f.a_old) * a));
    store_entries(&s.q[i], fma(P(f.q_after), a1, fma(P(f.q_before), a, fma(P(f.q_v), v, q + way))));
    const P end_velocity = v + load_entries<P>(&turning_.end_velocity()[i]);
    store_entries(&s.v[i], fma(P(f.v_after), a1, fma(P(f.v_before), a, end_velocity)));
    const P predicted = acc + load_entries<P>(&turning_.end_acceleration()[i]);
    store_entries(&s.a[i], predicted);
    store_entries(&predicted_[i], predicted);
  });
}

/// q₁ = q₀ and what the formulas make of it; multipliers as they were.
template <class S>
void GeneralizedAlpha<S>::predict_at_rest(State<S>& s, const Formulas& f, MaskOf<V> lanes) {
  const int ncoord = system_.topology().ncoord, ny = system_.topology().ny;
  const auto put = [&](S& to, const S& x) {
    for (int lane = 0; lane < ScalarTraits<V>::lanes; ++lane)
      if (lane_of(lanes, lane)) copy_lane(to, x, lane);
  };
  for (int i = 0; i < ncoord; ++i) {
    const S a = turning_.algorithmic()[i], v = turning_.velocity()[i];
    const S a1 = -(S(f.q_before) * a + S(f.q_v) * v + turning_.way()[i]) / S(f.q_after);
    put(s.q[i], before_.q[i]);
    put(s.v[i], fma(S(f.v_after), a1, fma(S(f.v_before), a, v + turning_.end_velocity()[i])));
    put(s.a[i], turning_.end_acceleration()[i] +
                    (a1 - S(f.a_old) * a - S(f.acc_old) * turning_.acceleration()[i]) / S(f.acc_new));
  }
  for (int i = ncoord; i < ny; ++i) put(s.q[i], before_.q[i]);
}

/// Whether q₁ = q₀ would have been nearer to the end of this step than q̈₁ = q̈₀, in √J q: the next step begins with it.
template <class S>
void GeneralizedAlpha<S>::judge_predictor(const State<S>& s, const Formulas& f, MaskOf<V> lanes) {
  const std::span<const V> scale = newton_.scale();
  Largest<V> jump, way;
  for_values<S>(system_.topology().ncoord, [&]<class P>(int i) {
    const P root = load_entries<P>(&scale[i]);
    jump.add(size_of_difference<P>(&s.a[i], &predicted_[i]) * root);
    way.add(size_of_difference<P>(&s.q[i], &before_.q[i]) * root);
  });
  restless_ = select_mask(lanes, V(f.q_after * f.acc_new) * jump.value() > way.value(), restless_);
}

template <class S>
SolveReport<S> GeneralizedAlpha<S>::step(State<S>& s, double t1, MaskOf<V> active) {
  SolveReport<S> report = advance(s, t1, active);
  if constexpr (std::is_same_v<S, double>) {
    const auto whole = [this](State<S>& x, double end) { return advance(x, end, uniform_mask<V>(true)); };
    if (advance_in_halves(report, s, t1, stabilisation_.halvings, whole)) {
      account_started_ = false;
      reset();
    }
  }
  return report;
}

template <class S>
SolveReport<S> GeneralizedAlpha<S>::advance(State<S>& s, double t1, MaskOf<V> active) {
  const int ncoord = system_.topology().ncoord;
  const double h = step_size(s.t, t1);
  const Formulas& f = formulas_;
  if (!account_started_ || account_time_ != s.t || account_lags_ != s.lags) start_account(s);
  if (before_.q.size() != s.q.size()) before_ = s;
  before_.t = s.t;
  before_.lags = s.lags;
  std::copy(s.q.begin() + ncoord, s.q.end(), before_.q.begin() + ncoord);
  std::copy(s.v.begin() + ncoord, s.v.end(), before_.v.begin() + ncoord);
  std::copy(s.a.begin() + ncoord, s.a.end(), before_.a.begin() + ncoord);
  predict(s, f);
  system_.look_back(s, h);
  const MaskOf<V> at_rest = restless_ | (rests_ > V(0.0));
  if (any(at_rest)) predict_at_rest(s, f, at_rest);
  rests_ = max(rests_ - V(1.0), V(0.0));
  s.t = t1;
  advance_lags(before_.t, t1, before_.lags, s.lags);
  set_signals(t1, s.lags);
  if (contacts_) begin_contacts(s);
  const bool mesh = system_.solver.layout().fronts && !contacts_;
  NewtonOptions& options = newton_.options();
  const int most = options.max_iterations;
  if (mesh) options.max_iterations = std::min(most, many_iterations);
  SolveReport<S> report = newton_.solve(s, f.weights, active);
  options.max_iterations = most;
  MaskOf<V> failed = active & MaskOf<V>(!report.converged);
  if (any(failed)) {
    predict_at_rest(s, f, failed);
    const TangentPolicy policy = std::exchange(options.tangent, TangentPolicy::full);
    const bool search = std::exchange(options.line_search, options.line_search || mesh);
    const SolveReport<S> again = newton_.solve(s, f.weights, failed);
    options.line_search = search;
    options.tangent = policy;
    const MaskOf<V> converged = report.converged | again.converged;
    const int iterations = report.iterations + again.iterations;
    const int factorizations = report.factorizations + again.factorizations;
    report = again;
    report.converged = converged;
    report.iterations = iterations;
    report.factorizations = factorizations;
    if (mesh) rests_ = select(failed & again.converged, V(many_rests), rests_);
    failed = active & MaskOf<V>(!converged);
  }
  set_algorithmic(s, f);
  const auto [am, af, beta, gamma] = method_;
  // a lags behind q̈ by (α_f − α_m) h: h² ((1/2 − β) a₀ + β a₁) has lost ½ (α_f − α_m) h³ q⃛ to that of the exact motion.
  error_scale_ = h * h * std::fabs(beta - 1.0 / 6.0 - 0.5 * (af - am));
  if constexpr (std::is_same_v<S, double>) {
    if (contacts_ && report.converged && !close_contacts(s, f)) {
      report.converged = false;
      for (double hardest = 0; const Contact& c : contacts_->candidates()) {
        if (!contacts_->is_closed(c) || c.lambda < hardest) continue;
        hardest = c.lambda;
        report.touching[0] = c.key.a;
        report.touching[1] = c.key.b;
      }
    }
  }
  check_angles(s, h, report);
  if (!all(report.converged)) {
    restore_outside(report.converged, s, before_);
  }
  if (any(report.converged)) {
    judge_predictor(s, f, report.converged);
    const S dissipated = s.energy.dissipated;
    account(s, h, report.converged);
    system_.accept_history(s, report.converged);
    if (in_contact_) book_impacts(s, dissipated);
    if (stabilisation_.project_velocities) project_velocities(s, report.converged);
  } else {
    s.t = before_.t;
    s.lags = before_.lags;
    system_.look_back(s);
    account_started_ = false;
  }
  return report;
}

template <class S>
void GeneralizedAlpha<S>::check_angles(const State<S>& s, double h, SolveReport<S>& report) const {
  if (angles_.empty() || !any(report.converged)) return;
  int row = -1;
  const MaskOf<V> follow = angles_.follow(before_.q, before_.v, s.q, s.v, h, &row);
  const MaskOf<V> lost = report.converged & MaskOf<V>(!follow);
  if (!any(lost)) return;
  report.worst = row;
  report.converged = report.converged & follow;
}

/// a₁ from q̈₁, and what it changed by; of what departs from the turning.
template <class S>
void GeneralizedAlpha<S>::set_algorithmic(State<S>& s, const Formulas& f) {
  for_entries<S>(system_.topology().ncoord, [&]<class P>(int i) {
    const P a = load_entries<P>(&turning_.algorithmic()[i]), turning = load_entries<P>(&turning_.end_acceleration()[i]);
    const P old = fma(P(f.acc_old), load_entries<P>(&turning_.acceleration()[i]), P(f.a_old) * a);
    const P a1 = fma(P(f.acc_new), load_entries<P>(&s.a[i]) - turning, old);
    store_entries(&s.a_alg[i], a1 + turning);
    store_entries(&error_[i], a1 - a);
  });
}

template <class S>
const std::vector<double>& GeneralizedAlpha<S>::lags_of(const std::vector<double>& all, std::size_t lane) {
  const auto count = static_cast<std::ptrdiff_t>(all.size() / lane_drives_.size());
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(lane) * count;
  own_lags_.assign(first, first + count);
  return own_lags_;
}

template <class S>
void GeneralizedAlpha<S>::set_signals(double t, const std::vector<double>& lags) {
  if (lane_drives_.empty()) return system_.assembler.set_signals(system_.drives.at(t, lags));
  for (auto* list : {&u_, &du_, &ddu_}) list->resize(system_.topology().signals.size(), S(0.0));
  for (std::size_t lane = 0; lane < lane_drives_.size(); ++lane) {
    const std::span<const SignalValue> values = lane_drives_[lane]->at(t, lags.empty() ? lags : lags_of(lags, lane));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if constexpr (ScalarTraits<ValueOf<S>>::lanes > 1) {
        u_[i].set(static_cast<int>(lane), values[i].u);
        du_[i].set(static_cast<int>(lane), values[i].du);
        ddu_[i].set(static_cast<int>(lane), values[i].ddu);
      }
    }
  }
  system_.assembler.set_signals(std::span<const S>(u_), std::span<const S>(du_), std::span<const S>(ddu_));
}

template <class S>
void GeneralizedAlpha<S>::advance_lags(double t0, double t1, const std::vector<double>& from, std::vector<double>& to) {
  if (lane_drives_.empty()) return system_.drives.advance(t0, t1, from, to);
  for (std::size_t lane = 0; lane < lane_drives_.size() && !from.empty(); ++lane) {
    next_lags_ = lags_of(from, lane);
    lane_drives_[lane]->advance(t0, t1, own_lags_, next_lags_);
    std::copy(next_lags_.begin(), next_lags_.end(), to.begin() + static_cast<std::ptrdiff_t>(lane * next_lags_.size()));
  }
}

template <class S>
ConstraintMatrix<S>& GeneralizedAlpha<S>::constraints() {
  if (!constraints_) {
    constraints_ = std::make_unique<ConstraintMatrix<S>>(system_);
    for (auto* x : {&phi_, &rate_, &second_, &y_}) x->assign(system_.topology().ny, S(0.0));
  }
  return *constraints_;
}

/// M a + Φ_qᵀ λ = Q − C v, Φ̈(q, v, a) = 0. Residuals are of the equations themselves; later passes remove what the matrix
/// has besides M and Φ_q.
template <class S>
MaskOf<ValueOf<S>> GeneralizedAlpha<S>::find_accelerations(State<S>& s, bool same) {
  const Topology& topology = system_.topology();
  Assembler<S>& assembler = system_.assembler;
  constexpr int passes = 3;
  ConstraintMatrix<S>& matrix = constraints();
  for (int i = 0; i < topology.ncoord; ++i) s.a[i] = S(0.0);
  for (int row : matrix.rows()) s.q[row] = S(0.0);
  matrix.solve_scalars(s, residual_, same);
  MaskOf<V> ok = uniform_mask<V>(true);
  if (!same) ok = matrix.factor(s.t, s.q, s.v);
  for (int pass = 0; pass < passes; ++pass) {
    assembler.expand(s.q.data(), s.v.data(), s.a.data());
    assembler.residual(s.t, s.q.data(), s.v.data(), residual_.data());
    assembler.subtract_mass_times(s.a.data(), S(1.0), residual_.data());
    assembler.subtract_damping(s.v.data(), residual_.data());
    assembler.reduce(residual_.data());
    assembler.constraint_motion(s.t, s.q.data(), s.v.data(), s.a.data(), {phi_.data(), rate_.data(), second_.data()});
    std::copy(residual_.begin(), residual_.begin() + topology.ncoord, y_.begin());
    for (int i = topology.ncoord; i < topology.ny; ++i) y_[i] = -second_[i];
    if (pass == 0 && !matrix.free_massless().empty()) {
      Largest<V> force;
      for_values<S>(topology.ncoord, [&]<class P>(int i) { force.add(size_of<P>(&residual_[i])); });
      const V balanced = V(1e-9) * force.value();
      for (int i : matrix.free_massless())
        ok = ok & (MaskOf<V>(matrix.mass()[i] > V(0.0)) | MaskOf<V>(abs(value_of(residual_[i])) <= balanced));
    }
    for (int i : matrix.free_massless()) y_[i] = S(0.0);
    matrix.solve(y_);
    for (int i = 0; i < topology.ncoord; ++i) s.a[i] += y_[i];
    for (int i = topology.ncoord; i < topology.ny; ++i) s.q[i] += y_[i];
  }
  assembler.expand(s.q.data(), s.v.data(), s.a.data());
  for (const std::vector<S>* list : {&s.q, &s.a})
    for (const S& x : *list) ok = ok & (abs(value_of(x)) <= V(std::numeric_limits<double>::max()));
  return ok;
}

template <class S>
void GeneralizedAlpha<S>::go_on(State<S>& s) {
  system_.drives.enter(s.t);
  set_signals(s.t, s.lags);
  system_.assembler.expand(s.q.data(), s.v.data(), s.a.data());
  system_.look_back(s);
  system_.accept_history(s);
  account_started_ = false;
  reset();
}

template <class S>
MaskOf<ValueOf<S>> GeneralizedAlpha<S>::start(State<S>& s) {
  go_on(s);
  const State<S> before = s;
  const MaskOf<V> ok = find_accelerations(s);
  std::copy_n(s.a.begin(), system_.topology().ncoord, s.a_alg.begin());
  if (!all(ok)) restore_outside(ok, s, before);
  account_started_ = false;
  reset();
  return ok;
}

template <class S>
void GeneralizedAlpha<S>::project_velocities(State<S>& s, MaskOf<V> lanes) {
  const Topology& topology = system_.topology();
  Assembler<S>& assembler = system_.assembler;
  ConstraintMatrix<S>& matrix = constraints();
  if (matrix.rows().empty()) return;
  const MaskOf<V> todo = lanes & matrix.factor_damped(s.t, s.q, s.v, formulas_.h);
  S before = assembler.kinetic_energy(s.v.data());
  std::copy(s.v.begin(), s.v.end(), mid_v_.begin());
  for (int pass = 0; pass < 2; ++pass) {  // the second removes what rounding left
    assembler.constraint_motion(s.t, s.q.data(), s.v.data(), s.a.data(), {phi_.data(), rate_.data(), second_.data()});
    std::fill(y_.begin(), y_.begin() + topology.ncoord, S(0.0));
    for (int i = topology.ncoord; i < topology.ny; ++i) y_[i] = -rate_[i];
    matrix.solve(y_);
    MaskOf<V> sound = todo;
    for (int i = 0; i < topology.ncoord; ++i)
      sound = sound & (abs(value_of(y_[i])) <= V(std::numeric_limits<double>::max()));
    for (int i = 0; i < topology.ncoord; ++i) add_in(sound, s.v[i], y_[i]);
    assembler.expand(s.q.data(), s.v.data(), s.a.data());
  }
  // T⁻ − T⁺ = v⁺·M (v⁻ − v⁺) + ½ |v⁻ − v⁺|²_M: the first goes to what drives the constraints.
  for (size_t i = 0; i < mid_v_.size(); ++i) mid_v_[i] -= s.v[i];
  before -= assembler.kinetic_energy(s.v.data()) + assembler.kinetic_energy(mid_v_.data());
  if (drives_constraints_) add_in(lanes, s.energy.prescribed, -before);
  account_started_ = false;  // forces that depend on v have changed
}

template <class S>
double GeneralizedAlpha<S>::local_error(double length) const {
  double worst = 0;
  for (const Slot& slot : system_.topology().slots) {
    if (slot.block < 0 || slot.multiplier) continue;
    for (int i = slot.offset; i < slot.offset + slot.size; ++i)
      for (int lane = 0; lane < ScalarTraits<V>::lanes; ++lane)
        worst = std::max(worst, error_scale_ * std::fabs(ScalarTraits<S>::lane(error_[i], lane)) /
                                    (slot.kind == SlotKind::point ? length : 1.0));
  }
  return worst;
}

#define FLEXURA_INSTANTIATE(S) template class GeneralizedAlpha<S>;
FLEXURA_FOR_EACH_SCALAR(FLEXURA_INSTANTIATE)
#undef FLEXURA_INSTANTIATE

}  // namespace flexura
