#include "flexura/assembly/term_batch.hpp"

#include <algorithm>

#include "flexura/assembly/from_values.hpp"
#include "flexura/assembly/make_batch.hpp"

namespace flexura {

template <class S, int L>
TermBatch<S, L>::TermBatch(const BatchItems& items, const Kernels<T>& kernels)
    : kernels_(kernels),
      n_(kernels.shape.dofs),
      ns_(kernels.shape.slots),
      count_(items.batch->count),
      data_(block_count(), kernels.data_size, kernels.destroy),
      data_along_(kernels.prepare_along != nullptr ? block_count() : 0, kernels.data_size_along, nullptr) {
  kernels.read_options(items.batch->options, options_);
  if (kernels.uses_velocity != nullptr) uses_velocity_ = kernels.uses_velocity(options_);
  plan_ = {.shape = kernels.shape,
           .maps = &this->maps,
           .slot_of_chunk = {},
           .history = items.batch->history,
           .first_history = items.batch->first_history};
  for (int c = 0; n_ % 4 == 0 && 4 * c < n_; ++c) {
    plan_.slot_of_chunk.push_back(-1);
    for (int a = 0; a < ns_; ++a)
      if (plan_.shape.offsets[a] == 4 * c && plan_.shape.size(a) > 0) plan_.slot_of_chunk.back() = a;
  }
  this->has_residual = kernels.residual != nullptr;
  this->has_mass = kernels.mass != nullptr;
  this->has_energy = kernels.energy != nullptr;
  // Without velocities there is nothing to dissipate.
  this->has_dissipation = kernels.dissipation != nullptr && uses_velocity_;
  this->has_history = plan_.history > 0;
  this->symmetric = items.batch->type->symmetric(items.batch->options);
  this->role = kernels.shape.role;
  for (int b = 0; b < block_count(); ++b) prepare(items, b);
  if (!this->has_mass || !plan_.shape.turns_freely || kernels.discrete_gradient != nullptr) return;
  std::vector<T> m(static_cast<size_t>(ns_) * ns_);
  for (int b = 0; b < block_count(); ++b) {
    std::fill(m.begin(), m.end(), T(0.0));
    kernels.mass(data_[b], m.data());
    T sum(0.0);
    for (int s = 0; s < ns_; ++s) sum += m[s * ns_ + s];
    for (int s = 0; s < ns_; ++s) inertia_.push_back(select(sum > T(0.0), m[s * ns_ + s], T(1.0)));
  }
}

template <class S, int L>
void TermBatch<S, L>::prepare(const BatchItems& items, int block) {
  const int np = items.batch->type->info.parameter_count();
  std::vector<T> numbers(np), X(n_ + 1);
  const auto number_of = [&](int item, int k) {
    return from_values(items.values, [&](const Values& v) { return v.parameters[items.index][item * np + k]; }, S{});
  };
  const auto reference_of = [&](int item, int a, int i) {
    const int at = items.topology->slots[items.batch->slots[item * ns_ + a]].offset + i;
    return from_values(items.values, [&](const Values& v) { return v.reference[at]; }, S{});
  };
  for (int lane = 0; lane < lanes; ++lane) {
    const int item = std::min(block * lanes + lane, count_ - 1);
    const auto put = [&](T& x, const S& value) {
      if constexpr (in_lanes) {
        x.set(lane, value);
      } else {
        x = value;
      }
    };
    for (int k = 0; k < np; ++k) put(numbers[k], number_of(item, k));
    for (int a = 0; a < ns_; ++a)
      for (int i = 0; i < plan_.shape.size(a); ++i) put(X[plan_.shape.offsets[a] + i], reference_of(item, a, i));
  }
  data_.add([&](void* data) { kernels_.prepare(numbers.data(), options_, X.data(), data); });
  if (kernels_.prepare_along == nullptr) return;
  std::vector<Taylor<T>> numbers_along, X_along;
  for (const T& x : numbers) numbers_along.push_back({x, T(0.0), T(0.0)});
  for (const T& x : X) X_along.push_back({x, T(0.0), T(0.0)});
  data_along_.add([&](void* data) { kernels_.prepare_along(numbers_along.data(), options_, X_along.data(), data); });
}

template <class S, int L>
void TermBatch<S, L>::residual(int chunk, const In<S>& in, S* r) const {
  if (kernels_.residual == nullptr) return;
  T *x = FLEXURA_STACK(T, n_), *v = FLEXURA_STACK(T, n_), *local = FLEXURA_STACK(T, n_);
  const Scatter<S, L> scatter(plan_, this->symmetric);
  for (Block b(plan_, chunk, in, FLEXURA_STACK(T, Block::room(plan_))); b.more(); b.next()) {
    b.gather(in.q, x);
    if (uses_velocity_) b.gather(in.v, v);
    kernels_.residual(data(b), options_, b.context, x, uses_velocity_ ? v : x, local);
    scatter.forces(b, local, r);
  }
}

template <class S, int L>
void TermBatch<S, L>::tangent(int chunk, const In<S>& in, double cd, V* values) const {
  if (kernels_.tangent == nullptr) return;
  const bool predicts = kernels_.strains != nullptr && in.before != nullptr;
  T *x = FLEXURA_STACK(T, n_), *v = FLEXURA_STACK(T, n_), *local = FLEXURA_STACK(T, n_ * n_);
  T* before = FLEXURA_STACK(T, predicts ? 2 * n_ + 3 * kernels_.shape.strains : 0);
  void* predicted = FLEXURA_STACK(std::byte, predicts ? kernels_.data_size : 0);
  const Scatter<S, L> scatter(plan_, this->symmetric);
  T* turned = FLEXURA_STACK(T, scatter.room());
  constexpr bool derivatives = !std::is_same_v<S, V>;  // of which the matrix has the values
  [[maybe_unused]] V* plain = FLEXURA_STACK(V, derivatives ? n_ * n_ : 0);
  for (Block b(plan_, chunk, in, FLEXURA_STACK(T, Block::room(plan_))); b.more(); b.next()) {
    b.gather(in.q, x);
    if (uses_velocity_) b.gather(in.v, v);
    const void* item = data(b);
    if (predicts) {
      b.gather(in.before, before);
      predict(item, before, x, before + n_, predicted);
      item = predicted;
    }
    kernels_.tangent(item, options_, b.context, x, uses_velocity_ ? v : x, cd, local);
    if constexpr (!derivatives) {
      scatter.tangents(b, local, values, turned);
    } else {
      for (int i = 0; i < n_ * n_; ++i) plain[i] = value_of(local[i]);
      scatter.matrix(b.first, plain, 1, values);
    }
  }
}

/// An elastic item for a tangent of predicted stresses S = C e(x₀) + C e'(x₀) (x − x₀), in place of C e(x): free of stress at
/// what the strains are more than linear. Thin parts that turn in a step of Newton's method stretch by ½|δr'|², which the next
/// step takes back; stiffness by that stress would hold them stiff. Only the tangent sees it [magisano2017].
template <class S, int L>
void TermBatch<S, L>::predict(const void* data, const T* x0, const T* x, T* room, void* predicted) const {
  constexpr double share = 1.0 / 64;  // of the step: second order, exact for strains that are quadratic
  const int strains = kernels_.shape.strains;
  T *near = room, *shift = room + n_, *e = shift + strains, *other = e + strains;
  kernels_.strains(data, options_, x, shift);
  kernels_.strains(data, options_, x0, e);
  for (int k = 0; k < strains; ++k) shift[k] -= e[k];
  for (int i = 0; i < n_; ++i) near[i] = x0[i] + T(share) * (x[i] - x0[i]);
  kernels_.strains(data, options_, near, e);
  for (int i = 0; i < n_; ++i) near[i] = x0[i] - T(share) * (x[i] - x0[i]);
  kernels_.strains(data, options_, near, other);
  for (int k = 0; k < strains; ++k) shift[k] -= T(0.5 / share) * (e[k] - other[k]);
  kernels_.free_at(data, options_, shift, predicted);
}

template <class S, int L>
S TermBatch<S, L>::sum(const In<S>& in, auto&& part) const {
  T *x = FLEXURA_STACK(T, n_), *v = FLEXURA_STACK(T, n_), *room = FLEXURA_STACK(T, Block::room(plan_));
  S total = S(0.0);
  for (int chunk = 0; chunk + 1 < static_cast<int>(this->maps.chunk_first.size()); ++chunk)
    for (Block b(plan_, chunk, in, room); b.more(); b.next()) {
      b.gather(in.q, x);
      b.gather(in.v, v);
      const T number = part(b, x, v);
      for (int lane = 0; lane < b.filled; ++lane) total += item_of<S, L>(number, lane);
    }
  return total;
}
template <class S, int L>
S TermBatch<S, L>::energy(const In<S>& in) const {
  if (kernels_.energy == nullptr) return S(0.0);
  return sum(in,
             [&](const Block& b, const T* x, const T*) { return kernels_.energy(data(b), options_, b.context, x); });
}
template <class S, int L>
S TermBatch<S, L>::dissipation(const In<S>& in) const {
  if (kernels_.dissipation == nullptr) return S(0.0);
  return sum(in, [&](const Block& b, const T* x, const T* v) {
    return kernels_.dissipation(data(b), options_, b.context, x, v);
  });
}
template <class S, int L>
S TermBatch<S, L>::loss(const In<S>& in) const {
  if (kernels_.loss == nullptr) return S(0.0);
  return sum(in,
             [&](const Block& b, const T* x, const T* v) { return kernels_.loss(data(b), options_, b.context, x, v); });
}

template <class S, int L>
void TermBatch<S, L>::remember(int chunk, const In<S>& in, S* history) const {
  if (kernels_.remember == nullptr) return;
  T *x = FLEXURA_STACK(T, n_), *v = FLEXURA_STACK(T, n_), *next = FLEXURA_STACK(T, plan_.shape.most_history);
  for (Block b(plan_, chunk, in, FLEXURA_STACK(T, Block::room(plan_))); b.more(); b.next()) {
    b.gather(in.q, x);
    b.gather(in.v, v);
    kernels_.remember(data(b), options_, b.context, x, v, next);
    put_history(b, next, history);
  }
}
template <class S, int L>
void TermBatch<S, L>::begin(const In<S>& in, S* history) const {
  if (kernels_.remember == nullptr) return;
  T *x = FLEXURA_STACK(T, n_), *next = FLEXURA_STACK(T, plan_.shape.most_history);
  T* room = FLEXURA_STACK(T, Block::room(plan_));
  for (int chunk = 0; chunk + 1 < static_cast<int>(this->maps.chunk_first.size()); ++chunk)
    for (Block b(plan_, chunk, in, room); b.more(); b.next()) {
      b.gather(in.q, x);
      std::fill(next, next + plan_.shape.most_history, T(0.0));
      if (kernels_.begin != nullptr) kernels_.begin(data(b), options_, b.context, x, next);
      put_history(b, next, history);
    }
}
template <class S, int L>
void TermBatch<S, L>::put_history(const Block& b, const T* numbers, S* history) const {
  S* to = history + plan_.first_history + static_cast<std::ptrdiff_t>(b.first) * plan_.history;
  for (int lane = 0; lane < b.filled; ++lane)
    for (int k = 0; k < plan_.history; ++k) *to++ = item_of<S, L>(numbers[k], lane);
}

template <class S, int L>
Context<typename TermBatch<S, L>::T> TermBatch<S, L>::context_of(int item, const In<S>& in, T* room) const {
  T *sig = room, *sig_rate = sig + plan_.shape.signals, *past = sig_rate + plan_.shape.signals;
  Context<T> context;
  context.t = in.t;
  context.sig = sig;
  context.sig_rate = sig_rate;
  for (int a = 0; a < ns_; ++a) {
    if (plan_.shape.kinds[a] != SlotKind::signal) continue;
    const int from = this->maps.gather[static_cast<size_t>(item) * ns_ + a];
    *sig++ = T(in.sig[from]), *sig_rate++ = T(in.sig_rate[from]);
  }
  if (plan_.shape.remembers) {
    const S* from = in.past + plan_.first_history + static_cast<std::ptrdiff_t>(item) * plan_.history;
    for (int k = 0; k < plan_.history; ++k) past[k] = T(from[k]);
    context.past = past;
    context.h = in.h;
  }
  return context;
}

template <class S, int L>
void TermBatch<S, L>::probe(int item, const In<S>& in, const std::array<double, 3>& place, S* out) const {
  if (kernels_.probe == nullptr) return;
  T *x = FLEXURA_STACK(T, n_), *room = FLEXURA_STACK(T, Block::room(plan_));
  T values[most_probes];
  const int* from = &this->maps.gather[static_cast<size_t>(item) * ns_];
  for (int a = 0; a < ns_; ++a)
    for (int i = 0; i < plan_.shape.size(a); ++i) x[plan_.shape.offsets[a] + i] = T(in.q[from[a] + i]);
  kernels_.probe(data_[item / lanes], options_, context_of(item, in, room), x, place, values);
  for (int k = 0; k < plan_.shape.probes; ++k) out[k] = item_of<S, L>(values[k], item % lanes);
}

template <class S, int L>
void TermBatch<S, L>::item_force(int item, const In<S>& in, S* local) const {
  if (kernels_.residual == nullptr) {  // a mass alone
    std::fill_n(local, n_, S(0.0));
    return;
  }
  T *x = FLEXURA_STACK(T, n_), *v = FLEXURA_STACK(T, n_), *r = FLEXURA_STACK(T, n_);
  for (int a = 0; a < ns_; ++a) {
    const int from = this->maps.gather[static_cast<size_t>(item) * ns_ + a];
    for (int i = 0; i < plan_.shape.size(a); ++i) {
      x[plan_.shape.offsets[a] + i] = T(in.q[from + i]);
      v[plan_.shape.offsets[a] + i] = T(in.v[from + i]);
    }
  }
  const Context<T> context = context_of(item, in, FLEXURA_STACK(T, Block::room(plan_)));
  kernels_.residual(data_[item / lanes], options_, context, x, v, r);
  for (int i = 0; i < n_; ++i) local[i] = item_of<S, L>(r[i], item % lanes);
}

template <class S, int L>
void TermBatch<S, L>::constraint_motion(int chunk, const In<S>& in, const ConstraintMotion<S>& out) const {
  if (kernels_.residual_along == nullptr) return;
  using Along = Taylor<T>;
  const int signals = plan_.shape.signals;
  T *x = FLEXURA_STACK(T, n_), *v = FLEXURA_STACK(T, n_), *a = FLEXURA_STACK(T, n_);
  T* second = FLEXURA_STACK(T, signals);
  Along *path = FLEXURA_STACK(Along, n_), *local = FLEXURA_STACK(Along, n_);
  Along *sig = FLEXURA_STACK(Along, signals), *sig_rate = FLEXURA_STACK(Along, signals);
  const Context<Along> context{in.t, sig, sig_rate, nullptr, 0};
  for (Block b(plan_, chunk, in, FLEXURA_STACK(T, Block::room(plan_))); b.more(); b.next()) {
    b.gather(in.q, x);
    b.gather(in.v, v);
    b.gather(in.a, a);
    b.read_signals(in.sig_second, second);
    for (int i = 0; i < n_; ++i) path[i] = {x[i], v[i], a[i]};
    for (int k = 0; k < signals; ++k) {
      sig[k] = {b.context.sig[k], b.context.sig_rate[k], second[k]};
      sig_rate[k] = {b.context.sig_rate[k], second[k], T(0.0)};
    }
    kernels_.residual_along(data_along_[b.index], options_, context, path, local);
    for (int lane = 0; lane < b.filled; ++lane)
      for (int s = 0; s < ns_; ++s) {
        const int to = this->maps.gather[static_cast<size_t>(b.first + lane) * ns_ + s];
        if (plan_.shape.kinds[s] != SlotKind::scalar || !is_multiplier(to)) continue;
        const Along& row = local[plan_.shape.offsets[s]];
        out.phi[to] -= item_of<S, L>(row.v, lane);
        out.rate[to] -= item_of<S, L>(row.d, lane);
        out.second[to] -= item_of<S, L>(row.dd, lane);
      }
  }
}

template <class S, int L>
void TermBatch<S, L>::mass(int item, S* m) const {
  if (kernels_.mass == nullptr) return;
  T* local = FLEXURA_STACK(T, ns_ * ns_);
  std::fill(local, local + ns_ * ns_, T(0.0));
  kernels_.mass(data_[item / lanes], local);
  for (int i = 0; i < ns_ * ns_; ++i) m[i] = item_of<S, L>(local[i], item % lanes);
}

#ifdef FLEXURA_ENSEMBLE
template class TermBatch<Lanes, 0>;
template class TermBatch<Dual<double>, 0>;
#else
template class TermBatch<double, native_lanes>;
template class TermBatch<double, 0>;
#endif

}  // namespace flexura
