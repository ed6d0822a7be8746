#include "flexura/assembly/assembler.hpp"

#include <algorithm>
#include <cstring>

#include "flexura/assembly/from_values.hpp"
#include "flexura/assembly/make_batch.hpp"
#include "flexura/load/external_law.hpp"
#include "flexura/math/entries.hpp"
#include "flexura/math/instantiate.hpp"
#include "flexura/term/kernels.hpp"

namespace flexura {
namespace {

/// The results do not depend on it.
int threads_for(const Topology& topology, const AssemblerOptions& options) {
  const auto safe = [](const auto& law) { return law->law().thread_safe; };
  return std::all_of(topology.laws.begin(), topology.laws.end(), safe) ? options.threads : 1;
}

/// Whether forces of the items may depend on velocities.
bool reads_velocity(const ItemBatch& batch) {
  const auto reads = [&](const auto& kernels) {
    if (kernels.residual == nullptr) return false;
    if (kernels.uses_velocity == nullptr) return kernels.shape.role != Role::constraint;
    alignas(16) std::byte options[most_options];
    kernels.read_options(batch.options, options);
    return kernels.uses_velocity(options);
  };
  return batch.type->alone != nullptr ? reads(*batch.type->alone) : reads(*batch.type->in_lanes);
}

bool reads_signals(const ItemBatch& batch) {
  const std::vector<SlotKind>& slots = batch.type->info.slots;
  return std::find(slots.begin(), slots.end(), SlotKind::signal) != slots.end();
}

/// Loads, and constraints that signals move.
bool does_work(const ItemBatch& batch) {
  const Role role = batch.type->info.role;
  return role == Role::load || (role == Role::constraint && reads_signals(batch));
}

template <class S>
std::vector<S> to_scalars(std::span<const Values* const> values, const std::vector<double>& (*get)(const Values&)) {
  std::vector<S> out(get(*values[0]).size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = from_values(values, [&](const Values& v) { return get(v)[i]; }, S{});
  return out;
}

}  // namespace

template <class S>
Assembler<S>::~Assembler() = default;

template <class S>
Assembler<S>::Assembler(std::shared_ptr<const Topology> topology, std::span<const Values* const> values,
                        const AssemblerOptions& options)
    : topology_(std::move(topology)), nq_(topology_->nq), pool_(threads_for(*topology_, options)) {
  q0_ = to_scalars<S>(values, [](const Values& v) -> const std::vector<double>& { return v.q0; });
  v0_ = to_scalars<S>(values, [](const Values& v) -> const std::vector<double>& { return v.v0; });
  weights_ = to_scalars<S>(values, [](const Values& v) -> const std::vector<double>& { return v.weights; });
  bases_ = to_scalars<S>(values, [](const Values& v) -> const std::vector<double>& { return v.bases; });
  directions_ = to_scalars<S>(values, [](const Values& v) -> const std::vector<double>& { return v.directions; });
  for (size_t k = 0; k < values[0]->gravity.size(); ++k) {
    std::array<S, 3> g;
    for (int i = 0; i < 3; ++i) g[i] = from_values(values, [&](const Values& v) { return v.gravity[k].g[i]; }, S{});
    gravity_fields_.emplace_back(g, values[0]->gravity[k].signal);
  }
  for (size_t d = 0; d < topology_->dependents.size(); ++d)
    if (!topology_->dependents[d].weights.empty() || !topology_->dependents[d].drives.empty())
      moving_.push_back(static_cast<int>(d));
  const size_t signals = topology_->signals.size();
  u_.assign(signals, S(0.0));
  du_.assign(signals, S(0.0));
  ddu_.assign(signals, S(0.0));
  history_.assign(topology_->history, S(0.0));
  gravity_.assign(nq_, S(0.0));
  gravity_at_.fill(S(0.0));
  point_.assign(nq_, 0);
  for (const Slot& slot : topology_->slots) point_[slot.offset] = slot.kind == SlotKind::point;
  has_gravity_ = !gravity_fields_.empty();
  for (const Dependent& d : topology_->dependents) {  // fixed places never change: set once
    const Slot& slot = topology_->slots[d.slot];
    for (int i = 0; i < slot.size; ++i) {
      q0_[slot.offset + i] = bases_[d.base + i];
      v0_[slot.offset + i] = S(0.0);
    }
  }
  make_batches(values, options);
  make_mass();
  make_product();
  make_pattern();
  chunk_bounds();
  residual_maps();
  for (size_t b = 0; b < batches_.size(); ++b) pack_maps(*batches_[b], topology_->batches[b]);
}

template <class S>
void Assembler<S>::make_batches(std::span<const Values* const> values, const AssemblerOptions& options) {
  for (size_t b = 0; b < topology_->batches.size(); ++b) {
    const ItemBatch& batch = topology_->batches[b];
    const BatchItems items{topology_.get(), &batch, static_cast<int>(b), values};
    if constexpr (std::is_same_v<S, double>)
      batches_.push_back(options.make_batch != nullptr ? options.make_batch(items) : make_batch<S>(items));
    else
      batches_.push_back(make_batch<S>(items));
    const Batch<S>* made = batches_.back().get();
    if (made->has_residual) (does_work(batch) ? load_batches_ : other_batches_).push_back(made);
    if (reads_velocity(batch)) velocity_batches_.push_back(static_cast<int>(b));
    if (made->has_residual && reads_signals(batch)) signal_batches_.push_back(static_cast<int>(b));
    if (!batches_.back()->symmetric) pattern_.symmetric = false;
  }
  if (options.unsymmetric) pattern_.symmetric = false;
  pattern_.skew.assign(topology_->block_count, options.unsymmetric);
  // Mass-proportional damping coefficients differ per item; they enter with the mass.
  damping_.values.clear();
  for (size_t b = 0; b < batches_.size(); ++b)
    for (int i = 0; i < topology_->batches[b].count; ++i)
      damping_.values.push_back(from_values(values, [&](const Values& v) { return v.mass_damping[b][i]; }, S{}));
}

template <class S>
void Assembler<S>::set_signals(std::span<const SignalValue> signals) {
  for (size_t i = 0; i < u_.size(); ++i)
    u_[i] = S(signals[i].u), du_[i] = S(signals[i].du), ddu_[i] = S(signals[i].ddu);
  update_gravity();
}

template <class S>
void Assembler<S>::set_signals(std::span<const S> u, std::span<const S> du, std::span<const S> ddu) {
  std::copy(u.begin(), u.end(), u_.begin());
  std::copy(du.begin(), du.end(), du_.begin());
  std::copy(ddu.begin(), ddu.end(), ddu_.begin());
  update_gravity();
}

template <class S>
void Assembler<S>::set_history(const std::vector<S>& past, double h) {
  std::copy(past.begin(), past.end(), history_.begin());
  since_ = h;
}

template <class S>
void Assembler<S>::remember(double t, const S* q, const S* v, S* history) const {
  const In<S> input = in(t, q, v);
  pool_.for_each(topology_->chunks, [&](int chunk) {
    for (const auto& batch : batches_)
      if (batch->has_history) batch->remember(chunk, input, history);
  });
}

template <class S>
void Assembler<S>::begin_history(double t, const S* q, S* history) const {
  const In<S> input = in(t, q, q);
  for (const auto& batch : batches_)
    if (batch->has_history) batch->begin(input, history);
}

template <class S>
S Assembler<S>::loss(double t, const S* q, const S* v) const {
  const In<S> input = in(t, q, v);
  S total = S(0.0);
  for (const auto& batch : batches_)
    if (batch->has_history) total += batch->loss(input);
  return total;
}

/// Gravity is M times a uniform acceleration of the points.
template <class S>
void Assembler<S>::update_gravity() {
  if (!has_gravity_) return;
  std::array<S, 3> g{S(0.0), S(0.0), S(0.0)};
  for (const auto& [field, signal] : gravity_fields_)
    for (int i = 0; i < 3; ++i) g[i] += u_[signal] * field[i];
  // By bits, of lanes and derivatives too: none of these scalars has padding.
  if (std::memcmp(&g, &gravity_at_, sizeof g) == 0) return;  // NOLINT(bugprone-suspicious-memory-comparison)
  gravity_at_ = g;
  for (const auto& row : mass_.rows) {
    S total = S(0.0);
    for (int k = row.first; k < row.first + row.count; ++k)
      if (point_[mass_.columns[k]]) total += mass_.values[k];
    for (int i = 0; i < row.size; ++i) gravity_[row.offset + i] = total * g[i];
  }
}

template <class S>
void Assembler<S>::expand(S* q, S* v, S* a) const {
  for (int index : moving_) {
    const Dependent& d = topology_->dependents[index];
    const Slot& slot = topology_->slots[d.slot];
    for (int i = 0; i < slot.size; ++i) {
      S x = bases_[d.base + i], xd = S(0.0), xdd = S(0.0);
      for (const Weight& w : d.weights) {
        const Slot& master = topology_->slots[w.master];
        const S* row = &weights_[w.first + i * master.size];
        for (int j = 0; j < master.size; ++j) {
          x = fma(row[j], q[master.offset + j], x);
          xd = fma(row[j], v[master.offset + j], xd);
          xdd = fma(row[j], a[master.offset + j], xdd);
        }
      }
      for (const Drive& drive : d.drives) {
        const S& direction = directions_[drive.first + i];
        x = fma(direction, u_[drive.signal], x);
        xd = fma(direction, du_[drive.signal], xd);
        xdd = fma(direction, ddu_[drive.signal], xdd);
      }
      q[slot.offset + i] = x;
      v[slot.offset + i] = xd;
      a[slot.offset + i] = xdd;
    }
  }
}

template <class S>
void Assembler<S>::evaluate(const std::vector<const Batch<S>*>& batches, const In<S>& input, S* r) const {
  std::fill(r + nq_, r + nq_ + private_, S(0.0));
  pool_.for_each(topology_->chunks, [&](int chunk) {
    for (const Batch<S>* batch : batches) batch->residual(chunk, input, r);
  });
  for (const Sum& sum : residual_sums_)
    for (int i = 0; i < sum.size; ++i) r[sum.to + i] += r[sum.from + i];
}

template <class S>
void Assembler<S>::forces_of(std::span<const int> batches, double t, const S* q, const S* v, S* f) const {
  std::fill(f, f + nq_, S(0.0));
  std::vector<const Batch<S>*> some;
  for (const int b : batches) some.push_back(batches_[b].get());
  evaluate(some, in(t, q, v), f);
}

template <class S>
void Assembler<S>::residual(double t, const S* q, const S* v, S* r, S* acting) const {
  const In<S> input = in(t, q, v);
  const auto copy = [&](const S* from, S* to) {
    for_entries<S>(nq_, [&]<class P>(int i) { store_entries(to + i, load_entries<P>(from + i)); });
  };
  copy(gravity_.data(), r);
  if (!load_batches_.empty()) evaluate(load_batches_, input, r);
  if (acting) copy(r, acting);
  evaluate(other_batches_, input, r);
}

template <class S>
void Assembler<S>::forces_of(Role role, double t, const S* q, const S* v, S* f) const {
  const In<S> input = in(t, q, v);
  if (has_gravity_ && role == Role::load) {
    std::copy(gravity_.begin(), gravity_.end(), f);
  } else {
    std::fill(f, f + nq_, S(0.0));
  }
  std::fill(f + nq_, f + nq_ + private_, S(0.0));
  const auto counts = [&](size_t b) {
    return role == Role::load ? does_work(topology_->batches[b]) : batches_[b]->role == role;
  };
  for (int chunk = 0; chunk < topology_->chunks; ++chunk)
    for (size_t b = 0; b < batches_.size(); ++b)
      if (batches_[b]->has_residual && counts(b)) batches_[b]->residual(chunk, input, f);
  for (const Sum& sum : residual_sums_)
    for (int i = 0; i < sum.size; ++i) f[sum.to + i] += f[sum.from + i];
}

template <class S>
void Assembler<S>::reduce(S* r) const {
  for (int index : moving_) {
    const Dependent& d = topology_->dependents[index];
    const Slot& slot = topology_->slots[d.slot];
    for (const Weight& w : d.weights) {
      const Slot& master = topology_->slots[w.master];
      for (int i = 0; i < slot.size; ++i)
        for (int j = 0; j < master.size; ++j)
          r[master.offset + j] = fma(weights_[w.first + i * master.size + j], r[slot.offset + i], r[master.offset + j]);
    }
  }
}

/// values = cm M + cd C + what `each` adds, chunk by chunk.
template <class S>
void Assembler<S>::tangent_of(double cm, double cd, V* values, auto&& each) {
  if (cm != base_cm_ || cd != base_cd_) {
    for (std::ptrdiff_t i = 0; i < value_count_; ++i) base_[i] = V(cm) * base_mass_[i] + V(cd) * base_damping_[i];
    base_cm_ = cm;
    base_cd_ = cd;
  }
  V* to = private_values_ > 0 ? cells_.data() : values;
  std::copy(base_.begin(), base_.end(), to);
  add_tangents(values, to, each);
}

template <class S>
void Assembler<S>::add_tangents(V* values, V* to, auto&& each) {
  std::fill(to + value_count_, to + value_count_ + private_values_, V(0.0));
  pool_.for_each(topology_->chunks, [&](int chunk) { each(chunk, to); });
  if (private_values_ == 0) return;
  for (const Sum& sum : tangent_sums_)
    for (int i = 0; i < sum.size; ++i) to[sum.to + i] += to[value_count_ + sum.from + i];
  std::copy(to, to + value_count_, values);
}

template <class S>
void Assembler<S>::tangent(double t, const S* q, const S* v, double cm, double cd, V* values, const S* before) {
  In<S> input = in(t, q, v);
  input.before = before;
  tangent_of(cm, cd, values, [&](int chunk, V* to) {
    for (const auto& batch : batches_)
      if (batch->has_residual) batch->tangent(chunk, input, cd, to);
  });
}

template <class S>
void Assembler<S>::tangent_of_batches(std::span<const int> batches, double t, const S* q, const S* v, double cd,
                                      V* values) {
  const In<S> input = in(t, q, v);
  V* to = private_values_ > 0 ? cells_.data() : values;
  std::fill(to, to + value_count_, V(0.0));
  add_tangents(values, to, [&](int chunk, V* entries) {
    for (const int b : batches) batches_[b]->tangent(chunk, input, cd, entries);
  });
}

template <class S>
void Assembler<S>::constraint_matrix(double t, const S* q, const S* v, double cm, V* values) {
  const In<S> input = in(t, q, v);
  tangent_of(cm, 0, values, [&](int chunk, V* to) {
    for (const auto& batch : batches_)
      if (batch->has_residual && batch->role == Role::constraint) batch->tangent(chunk, input, 0, to);
  });
}

template <class S>
void Assembler<S>::step_tangent(const In<S>& begin, const In<S>& mid, const In<S>& end, double cm, double cd,
                                V* values) {
  tangent_of(cm, 0.5 * cd, values, [&](int chunk, V* to) {
    for (const auto& batch : batches_)
      if (batch->has_residual) batch->step_tangent(chunk, begin, mid, end, cd, to);
  });
}

template <class S>
void Assembler<S>::step_residual(const In<S>& begin, const In<S>& mid, const In<S>& end, S* r) const {
  std::copy(gravity_.begin(), gravity_.end(), r);
  std::fill(r + nq_, r + nq_ + private_, S(0.0));
  pool_.for_each(topology_->chunks, [&](int chunk) {
    for (const auto& batch : batches_)
      if (batch->has_residual) batch->step_residual(chunk, begin, mid, end, r);
  });
  for (const Sum& sum : residual_sums_)
    for (int i = 0; i < sum.size; ++i) r[sum.to + i] += r[sum.from + i];
}

template <class S>
void Assembler<S>::constraint_motion(double t, const S* q, const S* v, const S* a,
                                     const ConstraintMotion<S>& out) const {
  In<S> input = in(t, q, v);
  input.a = a;
  // Items may share a row, the length of a line of many elements: each adds its share.
  for (const ItemBatch& batch : topology_->batches) {
    if (batch.type->info.role != Role::constraint) continue;
    const std::vector<SlotKind>& kinds = batch.type->info.slots;
    for (size_t k = 0; k < batch.slots.size(); ++k)
      if (kinds[k % kinds.size()] == SlotKind::scalar) {
        const int row = topology_->slots[batch.slots[k]].offset;
        if (topology_->slots[batch.slots[k]].multiplier) out.phi[row] = out.rate[row] = out.second[row] = S(0.0);
      }
  }
  for (int chunk = 0; chunk < topology_->chunks; ++chunk)
    for (const auto& batch : batches_) batch->constraint_motion(chunk, input, out);
}

template <class S>
void Assembler<S>::mass_matrix(V* values) const {
  std::copy(base_mass_.begin(), base_mass_.end(), values);
}

template <class S>
void Assembler<S>::damping_matrix(V* values) const {
  std::copy(base_damping_.begin(), base_damping_.end(), values);
}

template <class S>
S Assembler<S>::potential_energy(double t, const S* q) const {
  const In<S> input = in(t, q, q);
  S total = S(0.0);
  for (const auto& batch : batches_)
    if (batch->has_energy) total += batch->energy(input);
  return total;
}

template <class S>
S Assembler<S>::kinetic_energy(const S* v) const {
  S total = S(0.0);
  for (const auto& row : mass_.rows)
    for (int k = row.first; k < row.first + row.count; ++k)
      for (int i = 0; i < row.size; ++i) total += mass_.values[k] * v[row.offset + i] * v[mass_.columns[k] + i];
  return S(0.5) * total;
}

template <class S>
S Assembler<S>::item_dissipation(double t, const S* q, const S* v) const {
  const In<S> input = in(t, q, v);
  S total = S(0.0);
  for (const auto& batch : batches_)
    if (batch->has_dissipation) total += batch->dissipation(input);
  return total;
}

template <class S>
S Assembler<S>::dissipation(double t, const S* q, const S* v) const {
  S total = item_dissipation(t, q, v);
  for (const auto& row : damping_.rows)
    for (int k = row.first; k < row.first + row.count; ++k)
      for (int i = 0; i < row.size; ++i) total += damping_.values[k] * v[row.offset + i] * v[damping_.columns[k] + i];
  return total;
}

template <class S>
S Assembler<S>::inner(const S* a, const S* b) const {
  S total = S(0.0);
  for (int i = 0; i < nq_; ++i) total = fma(a[i], b[i], total);
  return total;
}

template <class S>
S Assembler<S>::total_mass() const {
  S total = S(0.0);
  for (const auto& row : mass_.rows)
    for (int k = row.first; k < row.first + row.count; ++k)
      if (point_[row.offset] && point_[mass_.columns[k]]) total += mass_.values[k];
  return total;
}

#define FLEXURA_INSTANTIATE(S) template class Assembler<S>;
FLEXURA_FOR_EACH_SCALAR(FLEXURA_INSTANTIATE)
#undef FLEXURA_INSTANTIATE

}  // namespace flexura
