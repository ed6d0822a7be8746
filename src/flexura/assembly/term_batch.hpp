#pragma once
// Gather → evaluate in lanes → scatter, for one term type.
//
// Kernel scalar and items per block:   T = Pack<L>, L items, for L > 0;   T = S, one item, for L = 0.

#include <cstring>
#include <limits>

#include "flexura/assembly/batch.hpp"
#include "flexura/assembly/from_values.hpp"
#include "flexura/assembly/step_motion.hpp"
#include "flexura/math/entries.hpp"
#include "flexura/math/taylor.hpp"
#include "flexura/math/unroll.hpp"
#include "flexura/term/numbers.hpp"

namespace flexura {

namespace detail {
template <class E, class T, bool is_constraint>
struct MotionDataOf {
  using type = char;
};
template <class E, class T>
struct MotionDataOf<E, T, true> {
  using type = flexura::DataOf<E, Taylor<T>>;
};
}  // namespace detail

/// What an item stores at the end of a step depends on its rate in the step: energy(data, o, c, x, v).
template <class E>
concept stores_by_rate =
    HasHistory<E> && requires(const DataOf<E, double>& d, const OptionsOf<E>& o, const Context<double>& c,
                              const double* x) { E::energy(d, o, c, x, x); };

/// Says what its strains are and how to be free of stress at others (viscoelastic.hpp).
template <class E>
concept has_strains = requires(DataOf<E, double>& d, const OptionsOf<E>& o, const double* x, double* e) {
  E::strain_count;
  E::strains(d, o, x, e);
  E::set_free(d, o, e[0], x);
};

/// An elastic item for a tangent of predicted stresses S = C e(x₀) + C e'(x₀) (x − x₀), in place of C e(x): free of stress at
/// what the strains are more than linear. Thin parts that turn in a step of Newton's method stretch by ½|δr'|², which the next
/// step takes back; stiffness by that stress would hold them stiff. Only the tangent sees it [magisano2017].
template <class E, class T, int n>
DataOf<E, T> with_predicted_stress(const DataOf<E, T>& data, const OptionsOf<E>& o, const T* x0, const T* x) {
  constexpr double share = 1.0 / 64;  // of the step: second order, exact for strains that are quadratic
  T near[n + 1], e[E::strain_count], other[E::strain_count], shift[E::strain_count];
  E::strains(data, o, x, shift);
  E::strains(data, o, x0, e);
  for (int k = 0; k < E::strain_count; ++k) shift[k] -= e[k];
  for (int i = 0; i < n; ++i) near[i] = x0[i] + T(share) * (x[i] - x0[i]);
  E::strains(data, o, near, e);
  for (int i = 0; i < n; ++i) near[i] = x0[i] - T(share) * (x[i] - x0[i]);
  E::strains(data, o, near, other);
  for (int k = 0; k < E::strain_count; ++k) shift[k] -= T(0.5 / share) * (e[k] - other[k]);
  DataOf<E, T> predicted = data;
  E::set_free(predicted, o, T(1.0), shift);
  return predicted;
}

template <class E, class S, int L>
class TermBatch final : public Batch<S> {
  static constexpr bool solo = L > 0;
  static constexpr int lanes = solo ? L : 1;
  using T = std::conditional_t<solo, Pack<solo ? L : 1>, S>;
  using V = ValueOf<S>;
  static constexpr int ns = slots_of<E>, n = dofs_of<E>, nsig = signals_of<E>;
  static constexpr auto offset = slot_offsets<E>;
  static constexpr int size(int a) { return offset[a + 1] - offset[a]; }
  static constexpr int chunks = n % 4 == 0 ? n / 4 : 0;
  static constexpr bool is_constraint = HasResidual<E> && E::role == Role::constraint;
  static constexpr bool remembers = HasHistory<E>;
  static_assert(!(is_constraint && remembers), "constraints are differentiated along the motion");
  static constexpr int most_history = most_history_of<E>;
  static constexpr bool packed = solo && lanes == 4;  ///< four coordinates of four items are transposed in registers

 public:
  explicit TermBatch(const BatchItems& items)
      : count_(items.batch->count),
        history_(items.batch->history),
        first_history_(items.batch->first_history),
        options_(options_from<E>(items.batch->options)) {
    this->has_residual = HasResidual<E>;
    this->has_mass = HasMass<E>;
    this->has_energy = HasEnergy<E>;
    this->has_dissipation = HasDissipation<E>;
    this->has_history = history_ > 0;
    this->symmetric = is_symmetric<E>(options_);
    this->role = E::role;
    data_.resize((count_ + lanes - 1) / lanes);
    // Without velocities there is nothing to dissipate.
    if constexpr (HasResidual<E> && requires { E::uses_velocity(options_); })
      uses_velocity_ = E::uses_velocity(options_);
    this->has_dissipation = HasDissipation<E> && uses_velocity_;
    if constexpr (is_constraint) motion_data_.resize(data_.size());
    for (size_t b = 0; b < data_.size(); ++b) prepare(items, static_cast<int>(b));
  }

  void residual(int chunk, const In<S>& in, S* r) const override {
    if constexpr (HasResidual<E>) {
      for (Block b(*this, chunk, in); b.more(); b.next()) {
        T x[n + 1], v[n + 1], local[n];
        b.gather(in.q, x);
        if (uses_velocity_) b.gather(in.v, v);
        E::residual(data_[b.index], options_, b.context, x, uses_velocity_ ? v : x, local);
        scatter(b, local, r);
      }
    }
  }

  void tangent(int chunk, const In<S>& in, double cd, V* values) const override {
    if constexpr (HasResidual<E>) {
      [[maybe_unused]] std::conditional_t<has_strains<E>, DataOf<E, T>, char> predicted;
      for (Block b(*this, chunk, in); b.more(); b.next()) {
        T x[n + 1], v[n + 1], local[n * n];
        b.gather(in.q, x);
        if (uses_velocity_) b.gather(in.v, v);
        const DataOf<E, T>* data = &data_[b.index];
        if constexpr (has_strains<E>) {
          if (in.before != nullptr) {
            T before[n + 1];
            b.gather(in.before, before);
            predicted = with_predicted_stress<E, T, n>(*data, options_, before, x);
            data = &predicted;
          }
        }
        E::tangent(*data, options_, b.context, x, uses_velocity_ ? v : x, cd, local);
        if constexpr (packed && chunks > 0) {
          scatter_blocks(b, local, values);
        } else if constexpr (std::is_same_v<S, V>) {
          scatter_matrices(b, local, values);
        } else {
          V plain[n * n];
          for (int i = 0; i < n * n; ++i) plain[i] = value_of(local[i]);
          scatter_matrix(b.first, plain, 1, values);
        }
      }
    }
  }

  S energy(const In<S>& in) const override {
    if constexpr (HasEnergy<E>)
      return sum(
          in, [&](const Block& b, const T* x, const T*) { return E::energy(data_[b.index], options_, b.context, x); });
    return S(0.0);
  }
  S dissipation(const In<S>& in) const override {
    if constexpr (HasDissipation<E>)
      return sum(in, [&](const Block& b, const T* x, const T* v) {
        return E::dissipation(data_[b.index], options_, b.context, x, v);
      });
    return S(0.0);
  }

  S loss(const In<S>& in) const override {
    if constexpr (HasLoss<E>)
      return sum(in, [&](const Block& b, const T* x, const T* v) {
        return E::loss(data_[b.index], options_, b.context, x, v);
      });
    return S(0.0);
  }
  void remember(int chunk, const In<S>& in, S* history) const override {
    if constexpr (remembers) {
      for (Block b(*this, chunk, in); b.more(); b.next()) {
        T x[n + 1], v[n + 1], next[most_history];
        b.gather(in.q, x);
        b.gather(in.v, v);
        E::remember(data_[b.index], options_, b.context, x, v, next);
        put_history(b, next, history);
      }
    }
  }
  void begin(const In<S>& in, S* history) const override {
    if constexpr (remembers) {
      for (int chunk = 0; chunk + 1 < static_cast<int>(this->maps.chunk_first.size()); ++chunk)
        for (Block b(*this, chunk, in); b.more(); b.next()) {
          T x[n + 1], next[most_history];
          b.gather(in.q, x);
          for (T& number : next) number = T(0.0);
          if constexpr (requires { E::begin(data_[b.index], options_, b.context, x, next); })
            E::begin(data_[b.index], options_, b.context, x, next);
          put_history(b, next, history);
        }
    }
  }

  void probe(int item, const In<S>& in, const std::array<double, 3>& place, S* out) const override {
    if constexpr (requires { E::probes; }) {
      constexpr int count = static_cast<int>(std::size(E::probes));
      static_assert(count <= most_probes);
      T x[n + 1], values[count + 1];
      [[maybe_unused]] const auto [xi, eta, zeta] = place;
      for (int a = 0; a < ns; ++a)
        for (int i = 0; i < size(a); ++i) x[offset[a] + i] = T(in.q[this->maps.gather[item * ns + a] + i]);
      if constexpr (remembers) {
        T past[most_history];
        const Context<T> context = context_of(item, in, past);
        if constexpr (requires { E::probe(data_[0], options_, context, x, xi, eta, values); }) {
          E::probe(data_[item / lanes], options_, context, x, xi, eta, values);
        } else {
          E::probe(data_[item / lanes], options_, context, x, xi, values);
        }
      } else if constexpr (requires { E::probe(data_[0], options_, x, xi, eta, zeta, values); }) {
        E::probe(data_[item / lanes], options_, x, xi, eta, zeta, values);
      } else if constexpr (requires { E::probe(data_[0], options_, x, xi, eta, values); }) {
        E::probe(data_[item / lanes], options_, x, xi, eta, values);
      } else {
        E::probe(data_[item / lanes], options_, x, xi, values);
      }
      for (int k = 0; k < count; ++k) {
        if constexpr (solo) {
          out[k] = values[k][item % lanes];
        } else {
          out[k] = values[k];
        }
      }
    }
  }

  void item_force(int item, const In<S>& in, S* local) const override {
    if constexpr (HasResidual<E>) {
      T x[n + 1], v[n + 1], sig[nsig + 1], sig_rate[nsig + 1], r[n];
      int k = 0;
      for (int a = 0; a < ns; ++a) {
        const int from = this->maps.gather[item * ns + a];
        for (int i = 0; i < size(a); ++i) x[offset[a] + i] = T(in.q[from + i]), v[offset[a] + i] = T(in.v[from + i]);
        if (E::slots[a] == SlotKind::signal) sig[k] = T(in.sig[from]), sig_rate[k++] = T(in.sig_rate[from]);
      }
      T past[most_history + 1];
      Context<T> context = context_of(item, in, past);
      context.sig = sig;
      context.sig_rate = sig_rate;
      E::residual(data_[item / lanes], options_, context, x, v, r);
      for (int i = 0; i < n; ++i) {
        if constexpr (solo) {
          local[i] = r[i][item % lanes];
        } else {
          local[i] = r[i];
        }
      }
    }
  }

  void constraint_motion(int chunk, const In<S>& in, const ConstraintMotion<S>& out) const override {
    if constexpr (is_constraint) {
      using Motion = Taylor<T>;
      for (Block b(*this, chunk, in); b.more(); b.next()) {
        T x[n + 1], v[n + 1], a[n + 1], second[nsig + 1];
        b.gather(in.q, x);
        b.gather(in.v, v);
        b.gather(in.a, a);
        b.read_signals(in.sig_second, second);
        Motion path[n + 1], sig[nsig + 1], sig_rate[nsig + 1], local[n];
        for (int i = 0; i < n; ++i) path[i] = {x[i], v[i], a[i]};
        for (int k = 0; k < nsig; ++k)
          sig[k] = {b.sig[k], b.sig_rate[k], second[k]}, sig_rate[k] = {b.sig_rate[k], second[k], T(0.0)};
        const Context<Motion> context{in.t, sig, sig_rate, nullptr, 0};
        E::residual(motion_data_[b.index], options_, context, path, path, local);
        for (int lane = 0; lane < b.filled; ++lane)
          for (int s = 0; s < ns; ++s) {
            const int to = this->maps.gather[(b.first + lane) * ns + s];
            if (E::slots[s] != SlotKind::scalar || !is_multiplier(to)) continue;
            const Motion& row = local[offset[s]];
            if constexpr (solo) {
              out.phi[to] -= row.v[lane], out.rate[to] -= row.d[lane], out.second[to] -= row.dd[lane];
            } else {
              out.phi[to] -= row.v, out.rate[to] -= row.d, out.second[to] -= row.dd;
            }
          }
      }
    }
  }

  void step_residual(int chunk, const In<S>& begin, const In<S>& mid, const In<S>& end, S* r) const override {
    if constexpr (HasResidual<E> && std::is_same_v<S, double>) {
      for (Block b(*this, chunk, mid); b.more(); b.next()) {
        T xm[n + 1], vm[n + 1], local[n];
        b.gather(mid.q, xm);
        b.gather(mid.v, vm);
        if constexpr (turns_freely<E> && !has_discrete_gradient) {
          add_balanced(b, begin, mid, end, vm, local);
          scatter(b, local, r);
          continue;
        }
        E::residual(data_[b.index], options_, b.context, xm, vm, local);
        if constexpr (is_constraint) {
          T x1[n + 1], rows[n];
          b.gather(end.q, x1);
          b.at(end);
          E::residual(data_[b.index], options_, b.context, x1, x1, rows);
          for (int s = 0; s < ns; ++s)
            if (E::slots[s] == SlotKind::scalar && is_multiplier(b.item(0)[s])) local[offset[s]] = rows[offset[s]];
          b.at(mid);
        } else if constexpr (HasEnergy<E>) {
          T x0[n + 1], x1[n + 1];
          b.gather(begin.q, x0);
          b.gather(end.q, x1);
          add_discrete_gradient(b, begin, mid, end, x0, xm, x1, local);
        }
        scatter(b, local, r);
      }
    }
  }

  void step_tangent(int chunk, const In<S>& begin, const In<S>& mid, const In<S>& end, double cd,
                    V* values) const override {
    if constexpr (HasResidual<E> && std::is_same_v<S, double>) {
      for (Block b(*this, chunk, mid); b.more(); b.next()) {
        T x[n + 1], v[n + 1], local[n * n], full[n * n];
        b.gather(mid.q, x);
        b.gather(mid.v, v);
        if constexpr (turns_freely<E>) motion_of(b, begin, end).halfway(x);
        E::tangent(data_[b.index], options_, b.context, x, v, cd, local);
        if (this->maps.symmetric_matrix) {
          for (T& k : local) k = T(0.5) * k;
          scatter_matrices(b, local, values);
          continue;
        }
        bool row_at_end[n] = {}, multiplier[n] = {};
        // Unknowns without inertia are those of the midpoint; rows of constraints are at the end, others at the midpoint.
        for (int s = 0; s < ns; ++s)
          if (E::slots[s] == SlotKind::scalar && is_multiplier(b.item(0)[s])) {
            multiplier[offset[s]] = true;
            row_at_end[offset[s]] = is_constraint;
          }
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) full[i * n + j] = T(multiplier[j] ? 1.0 : 0.5) * local[entry(i, j)];
        if constexpr (is_constraint) {
          T x1[n + 1];
          b.gather(end.q, x1);
          b.at(end);
          E::tangent(data_[b.index], options_, b.context, x1, x1, 0.0, local);
          b.at(mid);
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n && row_at_end[i]; ++j) full[i * n + j] = local[entry(i, j)];
        }
        for (int lane = 0; lane < b.filled; ++lane) {
          if constexpr (solo) {
            scatter_full(b.first + lane, reinterpret_cast<const double*>(full) + lane, lanes, values);
          } else {
            scatter_full(b.first, full, 1, values);
          }
        }
      }
    }
  }

  void mass(int item, S* m) const override {
    if constexpr (HasMass<E>) {
      T local[ns * ns];
      for (T& x : local) x = T(0.0);
      E::mass(data_[item / lanes], local);
      for (int i = 0; i < ns * ns; ++i) {
        if constexpr (solo) {
          m[i] = local[i][item % lanes];
        } else {
          m[i] = local[i];
        }
      }
    }
  }

 private:
  /// The blocks of a chunk, one after the other. A chunk begins at a multiple of the lanes.
  struct Block {
    const TermBatch& batch;
    const In<S>& in;
    int index, first, last, filled;
    T sig[nsig + 1], sig_rate[nsig + 1];
    T past[most_history + 1];
    Context<T> context;

    Block(const TermBatch& owner, int chunk, const In<S>& input)
        : batch(owner), in(input), first(owner.maps.chunk_first[chunk]), last(owner.maps.chunk_first[chunk + 1]) {
      context.t = in.t;
      if constexpr (nsig > 0) {
        context.sig = sig;
        context.sig_rate = sig_rate;
      }
      if constexpr (remembers) {
        context.past = past;
        context.h = in.h;
      }
      enter();
    }
    /// Reads signals of another moment.
    void at(const In<S>& input) {
      context.t = input.t;
      if constexpr (remembers) context.h = input.h;
      if constexpr (nsig > 0) {
        read_signals(input.sig, sig);
        read_signals(input.sig_rate, sig_rate);
      }
    }
    void read_signals(const S* from, T* to) const {
      int k = 0;
      for (int a = 0; a < ns; ++a) {
        if (E::slots[a] != SlotKind::signal) continue;
        for (int lane = 0; lane < lanes; ++lane) {
          if constexpr (solo) {
            to[k].set(lane, from[item(lane)[a]]);
          } else {
            to[k] = from[item(0)[a]];
          }
        }
        ++k;
      }
    }
    bool more() const { return first < last; }
    void next() {
      first += lanes;
      enter();
    }
    void enter() {
      index = first / lanes;
      filled = last - first < lanes ? last - first : lanes;
      if constexpr (nsig > 0) {
        if (more()) signals();
      }
      if constexpr (remembers) {
        if (more()) recall();
      }
    }
    void recall() {
      const int count = batch.history_;
      const S* from = in.past + batch.first_history_;
      for (int lane = 0; lane < lanes; ++lane) {
        const S* number = from + (first + (lane < filled ? lane : filled - 1)) * count;
        for (int k = 0; k < count; ++k) {
          if constexpr (solo) {
            past[k].set(lane, number[k]);
          } else {
            past[k] = number[k];
          }
        }
      }
    }
    /// Lanes beyond the last item repeat it; their results are never scattered.
    const int* item(int lane) const { return &batch.maps.gather[(first + (lane < filled ? lane : filled - 1)) * ns]; }
    void signals() {
      int k = 0;
      for (int a = 0; a < ns; ++a) {
        if (E::slots[a] != SlotKind::signal) continue;
        if constexpr (packed) {
          const int i0 = item(0)[a], i1 = item(1)[a], i2 = item(2)[a], i3 = item(3)[a];
          sig[k] = T(typename T::Lanes{in.sig[i0], in.sig[i1], in.sig[i2], in.sig[i3]});
          sig_rate[k] = T(typename T::Lanes{in.sig_rate[i0], in.sig_rate[i1], in.sig_rate[i2], in.sig_rate[i3]});
        } else if constexpr (solo) {
          for (int lane = 0; lane < lanes; ++lane) {
            sig[k].set(lane, in.sig[item(lane)[a]]);
            sig_rate[k].set(lane, in.sig_rate[item(lane)[a]]);
          }
        } else {
          sig[k] = in.sig[item(0)[a]];
          sig_rate[k] = in.sig_rate[item(0)[a]];
        }
        ++k;
      }
    }
    void gather(const S* from, T* x) const {
      if constexpr (packed) {
        const int *i0 = item(0), *i1 = item(1), *i2 = item(2), *i3 = item(3);
        if constexpr (chunks > 0) {
          if (batch.maps.gather_packs) {
            constexpr auto slot = slot_of_chunk();
            for (int c = 0; c < chunks; ++c) {
              const int a = slot[c];
              x[4 * c] = load_entries<T>(from + i0[a]);
              x[4 * c + 1] = load_entries<T>(from + i1[a]);
              x[4 * c + 2] = load_entries<T>(from + i2[a]);
              x[4 * c + 3] = load_entries<T>(from + i3[a]);
              transpose(x + 4 * c);
            }
            return;
          }
        }
        for (int a = 0; a < ns; ++a) {
          const double *p0 = from + i0[a], *p1 = from + i1[a], *p2 = from + i2[a], *p3 = from + i3[a];
          for (int i = 0; i < size(a); ++i) x[offset[a] + i] = T(typename T::Lanes{p0[i], p1[i], p2[i], p3[i]});
        }
      } else if constexpr (solo) {
        for (int lane = 0; lane < lanes; ++lane)
          for (int a = 0; a < ns; ++a)
            for (int i = 0; i < size(a); ++i) x[offset[a] + i].set(lane, from[item(lane)[a] + i]);
      } else {
        for (int a = 0; a < ns; ++a)
          for (int i = 0; i < size(a); ++i) x[offset[a] + i] = from[item(0)[a] + i];
      }
    }
  };

  /// The slot that begins at coordinate 4c; −1 if none does.
  static constexpr auto slot_of_chunk() {
    std::array<int, chunks + 1> slot{};
    for (int c = 0; c < chunks; ++c) {
      slot[c] = -1;
      for (int a = 0; a < ns; ++a)
        if (offset[a] == 4 * c && size(a) > 0) slot[c] = a;
    }
    return slot;
  }

  void prepare(const BatchItems& items, int block) {
    const int np = items.batch->type->info.parameter_count();
    typename E::template Params<T> params;
    T X[n + 1];
    const auto number_of = [&](int item, int k) {
      return from_values(items.values, [&](const Values& v) { return v.parameters[items.index][item * np + k]; }, S{});
    };
    const auto reference_of = [&](int item, int a, int i) {
      const int at = items.topology->slots[items.batch->slots[item * ns + a]].offset + i;
      return from_values(items.values, [&](const Values& v) { return v.reference[at]; }, S{});
    };
    for (int lane = 0; lane < lanes; ++lane) {
      const int item = std::min(block * lanes + lane, count_ - 1);
      const auto put = [&](T& x, const S& value) {
        if constexpr (solo) {
          x.set(lane, value);
        } else {
          x = value;
        }
      };
      int k = 0;
      for_each_number<E>(params, [&](T& number, const Field&) { put(number, number_of(item, k++)); });
      for (int a = 0; a < ns; ++a)
        for (int i = 0; i < size(a); ++i) put(X[offset[a] + i], reference_of(item, a, i));
    }
    if constexpr (detail::has_data<E>) {
      data_[block] = E::prepare(params, options_, X);
    } else {
      data_[block] = params;
    }
    if constexpr (is_constraint) {
      std::vector<T> constants;
      for_each_number<E>(params, [&](const T& number, const Field&) { constants.push_back(number); });
      typename E::template Params<Taylor<T>> motion_params;
      for_each_number<E>(motion_params, [&, next = constants.data()](Taylor<T>& number, const Field&) mutable {
        number = {*next++, T(0.0), T(0.0)};
      });
      if constexpr (detail::has_data<E>) {
        Taylor<T> motion_X[n + 1];
        for (int i = 0; i < n; ++i) motion_X[i] = {X[i], T(0.0), T(0.0)};
        motion_data_[block] = E::prepare(motion_params, options_, motion_X);
      } else {
        motion_data_[block] = motion_params;
      }
    }
  }

  bool is_multiplier(int offset_in_q) const {
    return this->maps.first_multiplier <= offset_in_q && offset_in_q < this->maps.end_multiplier;
  }

  static constexpr bool has_discrete_gradient =
      requires(const DataOf<E, T>& data, const OptionsOf<E>& o, const Context<T>& c, const T* x, T* r) {
        E::discrete_gradient(data, o, c, x, x, r);
      };

  StepMotion<E, T> motion_of(Block& b, const In<S>& begin, const In<S>& end) const {
    T x0[n + 1], x1[n + 1];
    b.gather(begin.q, x0);
    b.gather(end.q, x1);
    return {x0, x1};
  }

  struct Gain {
    T change, size;  ///< and of what it is the difference
  };
  /// Stored at the end less at the beginning. What a term has lost since t_n counts as if it were stored: without it the force would not work against it. Where the memory depends on the rate,
  /// the force at rest is another one: dampers are then known by what they take, h times their power.
  Gain gained(Block& b, [[maybe_unused]] const In<S>& begin, [[maybe_unused]] const In<S>& mid,
              [[maybe_unused]] const In<S>& end, const T* x0, const T* x1) const {
    T after, before;
    if constexpr (remembers) {
      T v1[n + 1];
      b.gather(end.v, v1);
      b.at(end);
      if constexpr (stores_by_rate<E>) {
        after = E::energy(data_[b.index], options_, b.context, x1, v1);
        if constexpr (HasDissipation<E>)
          after += T(end.h) * E::dissipation(data_[b.index], options_, b.context, x1, v1);
      } else {
        after = E::energy(data_[b.index], options_, b.context, x1);
      }
      if constexpr (HasLoss<E>) after += E::loss(data_[b.index], options_, b.context, x1, v1);
      b.at(begin);
      before = E::energy(data_[b.index], options_, b.context, x0);
      b.at(mid);
    } else {
      after = E::energy(data_[b.index], options_, b.context, x1);
      before = E::energy(data_[b.index], options_, b.context, x0);
    }
    return {after - before, abs(after) + abs(before)};
  }

  /// f −= g/|d|² d with g = (V₁ − V₀) + f_el·d, the work that f_el leaves out, less its rounding ρ, of which a short way would make
  /// a force: g − ρ²/g where |g| > ρ, else 0. Without a jump, between whose sides no iteration would find rest. Energies are as exact as
  /// the places that strains come from.
  void close_energy(const Gain& gained, const T* elastic, const T* x0, const T* x1, const T* along, T* f) const {
    T gap = gained.change, size = gained.size, length = T(0.0);
    for (int i = 0; i < n; ++i) {
      gap = fma(elastic[i], along[i], gap);
      size = fma(abs(elastic[i]), abs(x0[i]) + abs(x1[i]), size);
      length = fma(along[i], along[i], length);
    }
    const T rounding = T(4 * std::numeric_limits<double>::epsilon()) * size;
    const auto beyond = abs(gap) > rounding;
    gap = select(beyond, gap - rounding * (rounding / select(beyond, gap, T(1.0))), T(0.0));
    const T factor = select(length > T(0.0), gap / max(length, T(1e-300)), T(0.0));
    for (int i = 0; i < n; ++i) f[i] -= factor * along[i];
  }

  /// local: force at the midpoint → discrete gradient. The term's own, or [gonzalez1996] along the item's whole motion.
  void add_discrete_gradient(Block& b, const In<S>& begin, const In<S>& mid, const In<S>& end, const T* x0, const T* xm,
                             const T* x1, T* local) const {
    T elastic[n];
    at_rest(b, xm, local, elastic);
    if constexpr (has_discrete_gradient) {
      T exact[n];
      E::discrete_gradient(data_[b.index], options_, b.context, x0, x1, exact);
      for (int i = 0; i < n; ++i) local[i] += exact[i] - elastic[i];
    } else {
      T moved[n];
      for (int i = 0; i < n; ++i) moved[i] = x1[i] - x0[i];
      close_energy(gained(b, begin, mid, end, x0, x1), elastic, x0, x1, moved, local);
    }
  }

  /// Forces halfway of the turn, without resultant and moment, with what closes the energy along the motion that strains:
  /// energy and both momenta are kept [gonzalez1996, with the invariance built in].
  void add_balanced(Block& b, const In<S>& begin, const In<S>& mid, const In<S>& end, const T* vm, T* local) const {
    T x0[n + 1], x1[n + 1], x[n + 1], elastic[n], strained[n];
    const StepMotion<E, T> motion = motion_of(b, begin, end);
    motion.ends(x0, x1);
    motion.halfway(x);
    E::residual(data_[b.index], options_, b.context, x, vm, local);
    at_rest(b, x, local, elastic);
    motion.balance(local);
    motion.balance(elastic);
    motion.strained(strained);
    close_energy(gained(b, begin, mid, end, x0, x1), elastic, x0, x1, strained, local);
  }

  /// The part of `local`, the forces at x, that does not come from dampers.
  void at_rest(const Block& b, const T* x, const T* local, T* elastic) const {
    if (uses_velocity_ && !stores_by_rate<E>) {
      T zero[n + 1];
      for (T& v : zero) v = T(0.0);
      E::residual(data_[b.index], options_, b.context, x, zero, elastic);
    } else {
      for (int i = 0; i < n; ++i) elastic[i] = local[i];
    }
  }

  /// Of an item in all lanes; without signals.
  Context<T> context_of([[maybe_unused]] int item, const In<S>& in, [[maybe_unused]] T* past) const {
    Context<T> context;
    context.t = in.t;
    if constexpr (remembers) {
      const S* from = in.past + first_history_ + item * history_;
      for (int k = 0; k < history_; ++k) past[k] = T(from[k]);
      context.past = past;
      context.h = in.h;
    }
    return context;
  }

  void put_history(const Block& b, const T* numbers, S* history) const {
    S* to = history + first_history_ + b.first * history_;
    for (int lane = 0; lane < b.filled; ++lane)
      for (int k = 0; k < history_; ++k) {
        if constexpr (solo) {
          to[lane * history_ + k] = numbers[k][lane];
        } else {
          to[k] = numbers[k];
        }
      }
  }

  template <class F>
  S sum(const In<S>& in, F&& f) const {
    S total = S(0.0);
    for (int chunk = 0; chunk + 1 < static_cast<int>(this->maps.chunk_first.size()); ++chunk)
      for (Block b(*this, chunk, in); b.more(); b.next()) {
        T x[n + 1], v[n + 1];
        b.gather(in.q, x);
        b.gather(in.v, v);
        const T part = f(b, x, v);
        if constexpr (solo) {
          for (int lane = 0; lane < b.filled; ++lane) total += part[lane];
        } else {
          total += part;
        }
      }
    return total;
  }

  void scatter_matrices(const Block& b, const T* local, V* values) const {
    if constexpr (solo) {
      for (int lane = 0; lane < b.filled; ++lane)
        scatter_matrix(b.first + lane, reinterpret_cast<const double*>(local) + lane, lanes, values);
    } else {
      scatter_matrix(b.first, local, 1, values);
    }
  }

  void scatter(const Block& b, T* local, S* r) const {
    if constexpr (packed && chunks > 0) {
      if (this->maps.scatter_packs) {
        constexpr auto slot = slot_of_chunk();
        for (int c = 0; c < chunks; ++c) transpose(local + 4 * c);
        for (int lane = 0; lane < b.filled; ++lane) {
          const int* to = &this->maps.scatter[(b.first + lane) * ns];
          for (int c = 0; c < chunks; ++c) {
            double* entries = r + to[slot[c]];
            store_entries(entries, load_entries<T>(entries) + local[4 * c + lane]);
          }
        }
        return;
      }
    }
    for (int lane = 0; lane < b.filled; ++lane) {
      const int* to = &this->maps.scatter[(b.first + lane) * ns];
      for (int a = 0; a < ns; ++a)
        for (int i = 0; i < size(a); ++i) {
          if constexpr (solo) {
            r[to[a] + i] += reinterpret_cast<const double*>(&local[offset[a] + i])[lane];
          } else {
            r[to[a] + i] += local[offset[a] + i];
          }
        }
    }
  }

  /// Local tangents of four items, 4 × 4 entries at a time; item after item, as scatter_matrix does.
  void scatter_blocks(const Block& b, const T* local, V* values) const {
    if (this->maps.symmetric_matrix) {
      scatter_blocks_of<true, true>(b, local, values);
    } else if (this->symmetric) {
      scatter_blocks_of<false, true>(b, local, values);
    } else {
      scatter_blocks_of<false, false>(b, local, values);
    }
  }
  /// triangle: the matrix stores only one; symmetric: the local tangent holds only its lower triangle.
  template <bool triangle, bool symmetric>
  void scatter_blocks_of(const Block& b, const T* local, V* values) const {
    T turned[chunks * chunks][4][4];  // line, item
    // Few blocks are unrolled; of many (144 in a plate) the code would take 30 s to compile and run no faster.
    const auto for_each_block = [](auto f) __attribute__((always_inline)) {
      if constexpr (chunks <= 4) {
        for_each_index<chunks * chunks>([&](auto pair) __attribute__((always_inline)) {
          if constexpr (!triangle || pair / chunks >= pair % chunks) f(pair);
        });
      } else {
        for (int pair = 0; pair < chunks * chunks; ++pair)
          if (!triangle || pair / chunks >= pair % chunks) f(pair);
      }
    };
    for_each_block([&](auto pair) {
      const int c = pair / chunks, d = pair % chunks;
      const auto turn = [&](auto by_columns) __attribute__((always_inline)) {
        for_each_index<4>([&](auto line) __attribute__((always_inline)) {
          T* to = turned[pair][line];
          for_each_index<4>([&](auto k) __attribute__((always_inline)) {
            const int i = 4 * c + (by_columns ? k : line), j = 4 * d + (by_columns ? line : k);
            // Of a stored triangle's diagonal blocks nothing above the diagonal.
            to[k] = triangle && i < j ? T(0.0) : local[symmetric && i < j ? j * n + i : i * n + j];
          });
          transpose(to);
        });
      };
      if (this->maps.block_by_columns[pair]) {
        turn(std::true_type{});
      } else {
        turn(std::false_type{});
      }
    });
    for (int lane = 0; lane < b.filled; ++lane) {
      const int item = b.first + lane;
      if (!this->maps.in_blocks[item]) {
        scatter_matrix(item, reinterpret_cast<const double*>(local) + lane, lanes, values);
        continue;
      }
      const std::int32_t* blocks = &this->maps.blocks[static_cast<size_t>(item) * chunks * chunks];
      const int stride = this->maps.block_stride;
      for_each_block([&](auto pair) __attribute__((always_inline)) {
        if (blocks[pair] < 0) return;
        for (int line = 0; line < 4; ++line) {
          double* entries = values + blocks[pair] + line * stride;
          store_entries(entries, load_entries<T>(entries) + turned[pair][line][lane]);
        }
      });
    }
  }

  /// k: n × n by rows with `stride` between entries; of a symmetric term only the lower triangle is valid.
  void scatter_matrix(int item, const V* k, int stride, V* values) const {
    if (this->maps.reduced[item] >= 0)
      return scatter_reduced(this->maps.reduced_items[this->maps.reduced[item]], k, stride, values);
    if constexpr (!solo && chunks > 0) {
      if (this->maps.in_blocks[item]) return scatter_item_blocks(item, k, values);
    }
    const Target* targets = &this->maps.targets[static_cast<size_t>(item) * ns * ns];
    if (this->maps.symmetric_matrix) {  // hence a symmetric term
      for (int a = 0; a < ns; ++a)
        for (int b = 0; b <= a; ++b) {
          const Target t = targets[a * ns + b];
          if (t.offset < 0) continue;
          V* to = values + t.offset;
          for (int i = 0; i < size(a); ++i)
            for (int j = 0; j < (a == b ? i + 1 : size(b)); ++j)
              to[i * t.row + j * t.column] += k[((offset[a] + i) * n + offset[b] + j) * stride];
        }
      return;
    }
    for (int a = 0; a < ns; ++a)
      for (int b = 0; b < ns; ++b) {
        const Target t = targets[a * ns + b];
        if (t.offset < 0) continue;
        V* to = values + t.offset;
        for (int i = 0; i < size(a); ++i)
          for (int j = 0; j < size(b); ++j)
            to[i * t.row + j * t.column] += k[entry(offset[a] + i, offset[b] + j) * stride];
      }
  }
  void scatter_item_blocks(int item, const V* k, V* values) const {
    const std::int32_t* blocks = &this->maps.blocks[static_cast<size_t>(item) * chunks * chunks];
    const bool triangle = this->maps.symmetric_matrix;
    const int stride = this->maps.block_stride;
    for (int c = 0; c < chunks; ++c)
      for (int d = 0; d < (triangle ? c + 1 : chunks); ++d) {
        if (blocks[c * chunks + d] < 0) continue;
        V* to = values + blocks[c * chunks + d];
        const bool by_columns = this->maps.block_by_columns[c * chunks + d];
        const int row = by_columns ? 1 : stride, column = by_columns ? stride : 1;
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < (triangle && c == d ? i + 1 : 4); ++j)
            to[i * row + j * column] += k[entry(4 * c + i, 4 * d + j)];
      }
  }
  /// k: n × n by rows, all of it valid; the matrix is unsymmetric.
  void scatter_full(int item, const V* k, int stride, V* values) const {
    if (this->maps.reduced[item] >= 0)
      return scatter_reduced<true>(this->maps.reduced_items[this->maps.reduced[item]], k, stride, values);
    const Target* targets = &this->maps.targets[static_cast<size_t>(item) * ns * ns];
    for (int a = 0; a < ns; ++a)
      for (int b = 0; b < ns; ++b) {
        const Target t = targets[a * ns + b];
        if (t.offset < 0) continue;
        V* to = values + t.offset;
        for (int i = 0; i < size(a); ++i)
          for (int j = 0; j < size(b); ++j)
            to[i * t.row + j * t.column] += k[((offset[a] + i) * n + offset[b] + j) * stride];
      }
  }
  int entry(int i, int j) const { return this->symmetric && i < j ? j * n + i : i * n + j; }

  /// K̂ = Ŵᵀ K Ŵ, a master's columns at a time.
  template <bool full = false>
  void scatter_reduced(const ReducedItem& item, const V* k, int stride, V* values) const {
    constexpr int widest = 3;
    const V* w = &this->maps.weights[item.weights];
    const int m = item.columns;
    for (int b = 0; b < item.count; ++b) {
      const Master& mb = this->maps.masters[item.first + b];
      V kw[n * widest];
      for (int i = 0; i < n; ++i)
        for (int c = 0; c < mb.size; ++c) {
          V total = V(0.0);
          for (int j = 0; j < n; ++j)
            total = fma(k[(full ? i * n + j : entry(i, j)) * stride], w[j * m + mb.column + c], total);
          kw[i * mb.size + c] = total;
        }
      for (int a = 0; a < item.count; ++a) {
        const Target t = this->maps.reduced_targets[item.targets + a * item.count + b];
        if (t.offset < 0) continue;
        const Master& ma = this->maps.masters[item.first + a];
        const bool lower_only = a == b && this->maps.symmetric_matrix;
        for (int r = 0; r < ma.size; ++r)
          for (int c = 0; c < (lower_only ? r + 1 : mb.size); ++c) {
            V total = V(0.0);
            for (int i = 0; i < n; ++i) total = fma(w[i * m + ma.column + r], kw[i * mb.size + c], total);
            values[t.offset + r * t.row + c * t.column] += total;
          }
      }
    }
  }

  int count_, history_, first_history_;
  bool uses_velocity_ = true;
  OptionsOf<E> options_;
  std::vector<DataOf<E, T>> data_;
  std::vector<typename detail::MotionDataOf<E, T, is_constraint>::type> motion_data_;  ///< for constraint_motion
};

}  // namespace flexura
