#include "flexura/solve/constraint_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "flexura/math/instantiate.hpp"

namespace flexura {
namespace {

/// Share of a mass. A redundant row is told from a regular one at 1e-11: five digits are left between.
constexpr double share = 1e-6;
constexpr double heavy = 1e8;  ///< how much more what is held weighs in projections
constexpr int refinements = 2;
/// Pivots weaker than this: p Φ_qᵀ Φ_q has drowned masses.
constexpr double drowned = 1e-12;
/// What is left of an unknown without inertia, relative to it. The next pass would square it.
constexpr double solved = 1e-11;

}  // namespace

template <class S>
ConstraintMatrix<S>::ConstraintMatrix(System<S>& system) : system_(system) {
  const Topology& t = system.topology();
  const CouplingPattern& coupling = system.assembler.pattern();
  solver_.analyse({coupling.sizes, coupling.multipliers, coupling.pairs},
                  system.symmetric ? Symmetry::symmetric : Symmetry::unsymmetric);
  values_.assign(solver_.value_count(), V(0.0));
  for (auto* x : {&mass_, &weight_, &row_scale_}) x->assign(t.ny, V(0.0));
  for (auto* x : {&rhs_, &rest_, &product_}) x->assign(t.ny, S(0.0));
  q_.assign(t.nq, S(0.0));

  is_row_.assign(t.ny, 0);
  for (const ItemBatch& batch : t.batches) {
    if (batch.type->info.role != Role::constraint) continue;
    const int width = static_cast<int>(batch.type->info.slots.size());
    for (int k = 0; k < static_cast<int>(batch.slots.size()); ++k) {
      if (batch.type->info.slots[k % width] == SlotKind::signal) continue;
      const Slot& slot = t.slots[batch.slots[k]];
      if (slot.multiplier) is_row_[slot.offset] = 1;
    }
  }
  for (int i = t.ncoord; i < t.ny; ++i) (is_row_[i] ? rows_ : scalars_).push_back(i);
  redundant_.reserve(t.ny - t.ncoord);

  diagonal_.assign(t.ny, 0);
  solver_.layout().for_each_entry([&](int row, int column, std::ptrdiff_t index) {
    if (row == column) diagonal_[row] = index;
    if (is_row_[row] && column < t.ncoord) couplings_.push_back({row, column, index});
  });
  system.assembler.mass_matrix(values_.data());
  solver_.diagonal(values_, std::span<V>(mass_));
  V most(0.0);
  for (int i = 0; i < t.ncoord; ++i) most = max(most, mass_[i]);
  reference_mass_ = select(most > V(0.0), most, V(1.0));
  for (size_t s = 0; s < t.slots.size(); ++s) {
    const Slot& slot = t.slots[s];
    if (slot.block < 0 || slot.multiplier) continue;
    for (int i = slot.offset; i < slot.offset + slot.size; ++i)
      if (any(MaskOf<V>(mass_[i] <= V(0.0)))) {
        massless_.push_back(static_cast<int>(s));
        break;
      }
  }
  std::vector<char> held(t.ncoord, 0);
  for (const Coupling& c : couplings_) held[c.column] = 1;
  for (int i = 0; i < t.ncoord; ++i)
    if (!held[i] && any(MaskOf<V>(mass_[i] <= V(0.0)))) free_massless_.push_back(i);
  find_augmented();
  if (!augmented_.empty()) masses_ = values_;
  // An angle or displacement has its pivot from p Φ_qᵀ Φ_q, which nothing has to remove.
  has_massless_ = !massless_.empty();
  std::erase_if(massless_, [&](int slot) {
    return t.slots[slot].size == 1 && std::any_of(augmented_.begin(), augmented_.end(), [&](const Augmented& a) {
             const ItemBatch& items = t.batches[a.batch];
             const auto width = static_cast<std::ptrdiff_t>(items.type->info.slots.size());
             const auto first = items.slots.begin() + a.item * width;
             return std::find(first, first + width, slot) != first + width &&
                    (stiffened_.push_back(t.slots[slot].offset), true);
           });
  });
}

template <class S>
void ConstraintMatrix<S>::forces_at_zero_and_one(const Augmented& a, double t, const std::vector<S>& v) {
  const Batch<S>& batch = *system_.assembler.batches()[a.batch];
  for (auto [lambda, force] : {std::pair{0.0, &at_zero_}, std::pair{1.0, &at_one_}}) {
    q_[a.row] = S(lambda);
    batch.item_force(a.item, system_.assembler.input(t, q_.data(), v.data()), force->data());
  }
}

template <class S>
void ConstraintMatrix<S>::leave_constraints() {
  q_ = system_.assembler.initial_q();
  for (int i = 0; i < system_.topology().nq; ++i) q_[i] += S(0.3 * std::sin(1.7 * i + 0.4));
}

/// Items that push back away from the constraint without a multiplier.
template <class S>
void ConstraintMatrix<S>::find_augmented() {
  const Topology& topology = system_.topology();
  const std::vector<S> still(topology.nq, S(0.0));
  leave_constraints();
  for (int b = 0; b < static_cast<int>(topology.batches.size()); ++b) {
    const ItemBatch& items = topology.batches[b];
    if (items.type->info.role != Role::constraint) continue;
    const int width = static_cast<int>(items.type->info.slots.size());
    for (int item = 0; item < items.count; ++item) {
      Augmented a{b, item, -1};
      size_t size = 0;
      for (int k = 0; k < width; ++k) {
        if (items.type->info.slots[k] == SlotKind::signal) continue;
        const Slot& slot = topology.slots[items.slots[item * width + k]];
        if (slot.multiplier) a.row = slot.offset;
        size += slot.size;
      }
      if (a.row < 0) continue;
      if (size > at_zero_.size()) at_zero_.resize(size), at_one_.resize(size);
      forces_at_zero_and_one(a, 0, still);
      bool pushes = false;
      int place = 0;
      for (int k = 0; k < width; ++k) {
        if (items.type->info.slots[k] == SlotKind::signal) continue;
        const Slot& slot = topology.slots[items.slots[item * width + k]];
        for (int i = 0; i < slot.size; ++i, ++place)
          if (!slot.multiplier && any(MaskOf<V>(!(value_of(at_zero_[place]) == V(0.0))))) pushes = true;
      }
      if (pushes) augmented_.push_back(a);
    }
  }
}

template <class S>
ValueOf<S> ConstraintMatrix<S>::penalty_force(const Augmented& a, V& phi) const {
  const Topology& topology = system_.topology();
  const ItemBatch& items = topology.batches[a.batch];
  const int width = static_cast<int>(items.type->info.slots.size());
  V along(0.0), length(0.0);
  int place = 0;
  for (int k = 0; k < width; ++k) {
    if (items.type->info.slots[k] == SlotKind::signal) continue;
    const Slot& slot = topology.slots[items.slots[a.item * width + k]];
    for (int i = 0; i < slot.size; ++i, ++place) {
      if (slot.multiplier) {
        phi = -value_of(at_zero_[place]);
        continue;
      }
      const V g = value_of(at_zero_[place] - at_one_[place]);
      along += value_of(at_zero_[place]) * g;
      length += g * g;
    }
  }
  const MaskOf<V> has = length > V(0.0);
  return select(has, -along / select(has, length, V(1.0)), V(0.0));
}

template <class S>
std::vector<ValueOf<S>> ConstraintMatrix<S>::penalties() {
  const std::vector<S> still(system_.topology().nq, S(0.0));
  std::vector<V> out(system_.topology().ny, V(0.0));
  leave_constraints();
  for (const Augmented& a : augmented_) {
    forces_at_zero_and_one(a, 0, still);
    V phi(0.0);
    const V force = penalty_force(a, phi);
    const MaskOf<V> is_open = !(phi == V(0.0));
    out[a.row] = select(is_open, force / select(is_open, phi, V(1.0)), V(0.0));
  }
  return out;
}

/// q_ = q with multipliers λ = −p Φ: then an augmented constraint leaves p Φ_qᵀΦ_q in the matrix and no Φ_qq.
template <class S>
void ConstraintMatrix<S>::without_curvature(double t, const std::vector<S>& q, const std::vector<S>& v) {
  std::copy(q.begin(), q.end(), q_.begin());
  for (int row : rows_) q_[row] = S(0.0);
  for (const Augmented& a : augmented_) {
    forces_at_zero_and_one(a, t, v);
    V phi(0.0);
    q_[a.row] = S(-penalty_force(a, phi));
  }
}

/// diag(Φ_q M⁻¹ Φ_qᵀ) and W from Φ_q as it stands in values_.
template <class S>
void ConstraintMatrix<S>::weigh() {
  const Topology& t = system_.topology();
  std::fill(row_scale_.begin(), row_scale_.end(), V(0.0));
  std::fill(weight_.begin(), weight_.end(), V(0.0));
  const auto has_mass = [&](int i) { return mass_[i] > V(0.0); };
  for (const Coupling& c : couplings_) {
    const V phi = values_[c.index];
    const MaskOf<V> massive = has_mass(c.column);
    row_scale_[c.row] += select(massive, phi * phi / select(massive, mass_[c.column], V(1.0)), V(0.0));
  }
  if (!massless_.empty()) {
    for (const Coupling& c : couplings_) {
      const V phi = values_[c.index];
      const MaskOf<V> shared = row_scale_[c.row] > V(0.0);
      const V moved = phi * phi / select(shared, row_scale_[c.row], V(1.0));
      weight_[c.column] = max(weight_[c.column], select(shared & MaskOf<V>(!has_mass(c.column)), moved, V(0.0)));
    }
    for (int s : massless_) {
      const Slot& slot = t.slots[s];
      V most(0.0);
      for (int i = slot.offset; i < slot.offset + slot.size; ++i) most = max(most, weight_[i]);
      most = select(most > V(0.0), most, reference_mass_);
      for (int i = slot.offset; i < slot.offset + slot.size; ++i)
        weight_[i] = select(has_mass(i), V(0.0), V(share) * most);
    }
    for (int i : stiffened_) weight_[i] = V(0.0);
  }
  // Rows that only coordinates without mass take part in.
  for (int row : rows_) product_[row] = S(0.0);
  for (const Coupling& c : couplings_) {
    const V phi = values_[c.index], w = weight_[c.column];
    product_[c.row] += S(select(w > V(0.0), V(share) * phi * phi / select(w > V(0.0), w, V(1.0)), V(0.0)));
  }
  for (int row : rows_) row_scale_[row] = select(row_scale_[row] > V(0.0), row_scale_[row], value_of(product_[row]));
}

template <class S>
MaskOf<ValueOf<S>> ConstraintMatrix<S>::factor_values() {
  const FactorReport<V> report = solver_.factor(values_);
  redundant_.clear();
  for (const RedundantRow<V>& row : report.redundant_rows)
    if (is_row_[row.unknown]) redundant_.push_back(row);
  weakest_ = report.weakest_pivot;
  if constexpr (std::is_same_v<V, double>)  // each independent row makes one
    negative_directions_ =
        static_cast<int>(report.negative_pivots) - static_cast<int>(rows_.size() - redundant_.size());
  return report.ok;
}

template <class S>
void ConstraintMatrix<S>::evaluate(double t, const std::vector<S>& q, const std::vector<S>& v) {
  without_curvature(t, q, v);
  const bool has_metric = !mass_of_model_.empty();
  system_.assembler.constraint_matrix(t, q_.data(), v.data(), has_metric ? 0.0 : 1.0, values_.data());
  for (int i = 0; i < system_.topology().ncoord && has_metric; ++i) values_[diagonal_[i]] += mass_[i];
}

template <class S>
void ConstraintMatrix<S>::measure_by(std::span<const double> metric) {
  if (!mass_of_model_.empty()) mass_.swap(mass_of_model_);
  mass_of_model_.clear();
  if (metric.empty()) return;
  mass_of_model_ = mass_;
  for (size_t i = 0; i < metric.size(); ++i) mass_[i] = V(metric[i]);
}

template <class S>
double ConstraintMatrix<S>::factor_work() const {
  const FactorStructure structure(solver_.layout().graph());
  const double block = std::pow(static_cast<double>(solver_.layout().block_size), 3);
  double work = 0;
  for (size_t k = 0; k + 1 < structure.start.size(); ++k) {
    const auto right = static_cast<double>(structure.start[k + 1] - structure.start[k]);
    work += block * (1.0 / 6 + right + 0.5 * right * (right + 1));
  }
  return work;
}

template <class S>
MaskOf<ValueOf<S>> ConstraintMatrix<S>::factor(double t, const std::vector<S>& q, const std::vector<S>& v,
                                               std::span<const double> damping) {
  const int ncoord = system_.topology().ncoord;
  const auto assemble = [&] {
    evaluate(t, q, v);
    weigh();
    if (is_scaled_ && mass_of_model_.empty())
      for (size_t k = 0; k < values_.size(); ++k) values_[k] += (scale_ - V(1.0)) * masses_[k];
    for (int i = 0; i < ncoord && is_scaled_ && !mass_of_model_.empty(); ++i)
      values_[diagonal_[i]] += (scale_ - V(1.0)) * mass_[i];
    for (int i = 0; i < ncoord; ++i) values_[diagonal_[i]] += scale_ * weight_[i];
    for (int i : held_) values_[diagonal_[i]] += V(heavy) * scale_ * max(mass_[i], weight_[i]);
    if (!damping.empty())
      for (int row : rows_) values_[diagonal_[row]] -= V(damping[row]) / scale_;
  };
  scale_ = V(1.0);
  is_scaled_ = false;
  assemble();
  MaskOf<V> ok = factor_values();
  if (const MaskOf<V> weak = MaskOf<V>(!MaskOf<V>(weakest_ > V(drowned))); !augmented_.empty() && any(weak)) {
    scale_ = select(weak, mass_scale(), V(1.0));
    is_scaled_ = true;
    assemble();
    ok = factor_values();
    if (!all(ok)) {  // it is M itself
      scale_ = select(ok, scale_, V(1.0));
      assemble();
      ok = factor_values();
    }
  }
  exact_ = massless_.empty() && damping.empty() && all(MaskOf<V>(weakest_ > V(weak_pivot)));
  if (!all(ok)) {
    exact_ = false;
    const MaskOf<V> weak = MaskOf<V>(!ok);
    for (int i = 0; i < ncoord; ++i) {
      const V more = select(weak & MaskOf<V>(mass_[i] > V(0.0)), V(share) * mass_[i], V(0.0));
      values_[diagonal_[i]] += scale_ * more;
      weight_[i] += more;
    }
    ok = factor_values();
  }
  return ok;
}

template <class S>
MaskOf<ValueOf<S>> ConstraintMatrix<S>::factor_damped(double t, const std::vector<S>& q, const std::vector<S>& v,
                                                      double h) {
  Assembler<S>& assembler = system_.assembler;
  const std::vector<int>& batches = assembler.velocity_batches();
  if (batches.empty() && !assembler.has_damping()) return factor(t, q, v);
  evaluate(t, q, v);
  weigh();
  drag_.resize(values_.size());
  undamped_.resize(values_.size());
  assembler.tangent_of_batches(batches, t, q.data(), v.data(), h, drag_.data());
  assembler.tangent_of_batches(batches, t, q.data(), v.data(), 0.0, undamped_.data());
  for (size_t k = 0; k < values_.size(); ++k) values_[k] += drag_[k] - undamped_[k];
  assembler.damping_matrix(drag_.data());
  for (size_t k = 0; k < values_.size(); ++k) values_[k] += V(h) * drag_[k];
  scale_ = V(1.0);
  is_scaled_ = false;
  for (int i = 0; i < system_.topology().ncoord; ++i) values_[diagonal_[i]] += weight_[i];
  const MaskOf<V> ok = factor_values();
  exact_ = massless_.empty() && all(MaskOf<V>(weakest_ > V(weak_pivot)));
  return ok;
}

/// What makes the least mass as large as what stands on the diagonal beside it.
template <class S>
typename ConstraintMatrix<S>::V ConstraintMatrix<S>::mass_scale() const {
  V scale(1.0);
  for (int i = 0; i < system_.topology().ncoord; ++i) {
    const MaskOf<V> massive = mass_[i] > V(0.0);
    scale = max(scale, select(massive, values_[diagonal_[i]] / select(massive, mass_[i], V(1.0)), V(1.0)));
  }
  return scale;
}

template <class S>
void ConstraintMatrix<S>::solve(std::span<S> y) {
  const Topology& t = system_.topology();
  for (int i = t.ncoord; i < t.ny; ++i)
    if (!is_row_[i]) y[i] = S(0.0);
  if (is_scaled_)
    for (int i = 0; i < t.ncoord; ++i) y[i] *= S(scale_);
  std::copy(y.begin(), y.end(), rhs_.begin());
  solver_.solve(y);
  for (int pass = 0; pass < refinements && !exact_; ++pass) {
    solver_.template multiply<S>(values_, y, product_);
    for (int i = 0; i < t.ncoord; ++i) rest_[i] = rhs_[i] - product_[i] + S(scale_ * weight_[i]) * y[i];
    for (int i = t.ncoord; i < t.ny; ++i) rest_[i] = is_row_[i] ? rhs_[i] - product_[i] : S(0.0);
    solver_.solve(std::span<S>(rest_));
    for (int i = 0; i < t.ny; ++i) y[i] += rest_[i];
  }
  if (is_scaled_)
    for (int i = t.ncoord; i < t.ny; ++i) y[i] = y[i] / S(scale_);
}

template <class S>
void ConstraintMatrix<S>::solve_scalars(State<S>& state, std::vector<S>& residual, bool nearby) {
  if (scalars_.empty()) return;
  constexpr int passes = 12;
  constexpr bool carries_no_derivative = std::is_same_v<S, V>;  // which would be a pass behind
  Assembler<S>& assembler = system_.assembler;
  const auto is_solved = [&](int i) {
    return all(MaskOf<V>(abs(value_of(residual[i])) <= V(solved) * abs(slopes_[diagonal_[i]] * value_of(state.q[i]))));
  };
  bool has_slopes = nearby && slopes_.size() == values_.size();
  slopes_.resize(values_.size());
  for (int pass = 0; pass < passes; ++pass) {
    assembler.residual(state.t, state.q.data(), state.v.data(), residual.data());
    assembler.reduce(residual.data());
    if (carries_no_derivative && has_slopes && std::all_of(scalars_.begin(), scalars_.end(), is_solved)) return;
    assembler.tangent(state.t, state.q.data(), state.v.data(), 0, 0, slopes_.data());
    has_slopes = true;
    for (int i : scalars_) {
      const V slope = slopes_[diagonal_[i]];
      const MaskOf<V> usable = abs(slope) > V(0.0);
      state.q[i] += S(select(usable, V(1.0), V(0.0))) * residual[i] / S(select(usable, slope, V(1.0)));
    }
  }
}

#define FLEXURA_INSTANTIATE(S) template class ConstraintMatrix<S>;
FLEXURA_FOR_EACH_SCALAR(FLEXURA_INSTANTIATE)
#undef FLEXURA_INSTANTIATE

}  // namespace flexura
