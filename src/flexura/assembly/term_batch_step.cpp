// Forces over a step that keep the energy, and their tangents.

#include <algorithm>
#include <limits>

#include "flexura/assembly/step_motion.hpp"
#include "flexura/assembly/term_batch.hpp"

namespace flexura {

/// A block of items between the ends of a step.
template <class S, int L>
class TermBatch<S, L>::Step {
 public:
  /// Numbers that `room` has to hold.
  static int room(const TermBatch& batch) {
    return Block::room(batch.plan_) + 10 * batch.n_ + 3 * batch.ns_ * batch.plan_.shape.dim;
  }

  Step(const TermBatch& batch, int chunk, const In<S>& begin, const In<S>& mid, const In<S>& end, T* room)
      : b(batch.plan_, chunk, mid, room),
        batch_(batch),
        kernels_(batch.kernels_),
        begin_(begin),
        mid_(mid),
        end_(end),
        n_(batch.n_) {
    T* next = room + Block::room(batch.plan_);
    for (T** numbers : {&xm_, &vm_, &x0_, &x1_, &v1_, &x_, &elastic_, &along_, &pull_, &zero_})
      *numbers = next, next += n_;
    motion_ = next;
    std::fill(zero_, zero_ + n_, T(0.0));
  }

  /// The forces of the block's items over the step.
  void forces(T* local) {
    if (kernels_.discrete_gradient != nullptr && !batch_.uses_velocity_) {
      b.gather(begin_.q, x0_);
      b.gather(end_.q, x1_);
      return own_gradient(local);
    }
    b.gather(mid_.q, xm_);
    b.gather(mid_.v, vm_);
    if (batch_.plan_.shape.turns_freely && kernels_.discrete_gradient == nullptr) return balanced(local);
    evaluate(xm_, vm_, local);
    if (batch_.plan_.shape.role == Role::constraint) {
      rows_at_end(local);
    } else if (kernels_.energy != nullptr) {
      b.gather(begin_.q, x0_);
      b.gather(end_.q, x1_);
      discrete_gradient(local);
    }
  }

  /// K at the midpoint, halfway of the turn.
  void tangent(double cd, T* K) {
    b.gather(mid_.q, xm_);
    b.gather(mid_.v, vm_);
    if (batch_.plan_.shape.turns_freely) with_motion([&](auto& motion) { motion.halfway(xm_); });
    kernels_.tangent(batch_.data(b), batch_.options_, b.context, xm_, vm_, cd, K);
  }
  void tangent_at_end(T* K) {
    b.gather(end_.q, x1_);
    b.at(end_);
    kernels_.tangent(batch_.data(b), batch_.options_, b.context, x1_, x1_, 0.0, K);
    b.at(mid_);
  }
  /// Whether local coordinate i is a multiplier of the model.
  bool is_multiplier(int slot) const {
    return batch_.plan_.shape.kinds[slot] == SlotKind::scalar && batch_.is_multiplier(b.item(0)[slot]);
  }

  Block b;

 private:
  void evaluate(const T* x, const T* v, T* local) const {
    kernels_.residual(batch_.data(b), batch_.options_, b.context, x, v, local);
  }
  T energy(const T* x) const { return kernels_.energy(batch_.data(b), batch_.options_, b.context, x); }

  void with_motion(auto&& f) {
    b.gather(begin_.q, x0_);
    b.gather(end_.q, x1_);
    if (batch_.plan_.shape.dim == 2) {
      StepMotion<2, T> motion(batch_.plan_.shape, reinterpret_cast<Vec<2, T>*>(motion_), x0_, x1_);
      f(motion);
    } else {
      StepMotion<3, T> motion(batch_.plan_.shape, reinterpret_cast<Vec<3, T>*>(motion_), x0_, x1_);
      f(motion);
    }
  }

  /// Rows of multipliers are those of the end.
  void rows_at_end(T* local) {
    T* rows = along_;
    b.gather(end_.q, x1_);
    b.at(end_);
    evaluate(x1_, x1_, rows);
    for (int s = 0; s < batch_.ns_; ++s)
      if (is_multiplier(s)) local[batch_.plan_.shape.offsets[s]] = rows[batch_.plan_.shape.offsets[s]];
    b.at(mid_);
  }

  struct Gain {
    T change, size;  ///< and of what it is the difference
  };
  /// Stored at the end less at the beginning. What a term has lost since t_n counts as if it were stored: without it the force
  /// would not work against it. Where the memory depends on the rate, the force at rest is another one: dampers are then known
  /// by what they take, h times their power.
  Gain gained() {
    T after, before;
    if (batch_.plan_.shape.remembers) {
      const void* data = batch_.data(b);
      b.gather(end_.v, v1_);
      b.at(end_);
      if (kernels_.energy_by_rate != nullptr) {
        after = kernels_.energy_by_rate(data, batch_.options_, b.context, x1_, v1_);
        if (kernels_.dissipation != nullptr)
          after += T(end_.h) * kernels_.dissipation(data, batch_.options_, b.context, x1_, v1_);
      } else {
        after = energy(x1_);
      }
      if (kernels_.loss != nullptr) after += kernels_.loss(data, batch_.options_, b.context, x1_, v1_);
      b.at(begin_);
      before = energy(x0_);
      b.at(mid_);
    } else {
      after = energy(x1_);
      before = energy(x0_);
    }
    return {after - before, abs(after) + abs(before)};
  }

  /// f −= g/(d·p) p with g = (V₁ − V₀) + f_el·d, the work that f_el leaves out along the motion d, less its rounding ρ, of which a
  /// short way would make a force: g − ρ²/g where |g| > ρ, else 0. Without a jump, between whose sides no iteration would find rest.
  /// Energies are as exact as the places that strains come from.
  void close_energy(T* f) {
    const Gain gain = gained();
    T gap = gain.change, size = gain.size, length = T(0.0);
    for (int i = 0; i < n_; ++i) {
      gap = fma(elastic_[i], along_[i], gap);
      size = fma(abs(elastic_[i]), abs(x0_[i]) + abs(x1_[i]), size);
      length = fma(along_[i], pull_[i], length);
    }
    const T rounding = T(4 * std::numeric_limits<double>::epsilon()) * size;
    const auto beyond = abs(gap) > rounding;
    gap = select(beyond, gap - rounding * (rounding / select(beyond, gap, T(1.0))), T(0.0));
    const T factor = select(length > T(0.0), gap / max(length, T(1e-300)), T(0.0));
    for (int i = 0; i < n_; ++i) f[i] -= factor * pull_[i];
  }

  void own_gradient(T* local) {
    kernels_.discrete_gradient(batch_.data(b), batch_.options_, b.context, x0_, x1_, local);
  }

  /// local: force at the midpoint → discrete gradient. The term's own, or [gonzalez1996] along the item's whole motion.
  void discrete_gradient(T* local) {
    at_rest(xm_, local);
    if (kernels_.discrete_gradient != nullptr) {
      T* exact = along_;
      own_gradient(exact);
      for (int i = 0; i < n_; ++i) local[i] += exact[i] - elastic_[i];
    } else {
      for (int i = 0; i < n_; ++i) pull_[i] = along_[i] = x1_[i] - x0_[i];
      close_energy(local);
    }
  }

  /// Forces halfway of the turn, without resultant and moment, with what closes the energy along the motion that strains:
  /// energy and both momenta are kept [gonzalez1996, with the invariance built in].
  void balanced(T* local) {
    with_motion([&](auto& motion) {
      motion.ends(x0_, x1_);
      motion.halfway(x_);
      evaluate(x_, vm_, local);
      at_rest(x_, local);
      for (T* f : {local, elastic_}) motion.back(f), motion.balance(f);
      motion.strained(along_);
      weigh();
      motion.balance(pull_);
    });
    close_energy(local);
  }

  /// p = m d: what closes the energy goes to the slots as their inertia has it. Of slots of different dimensions (r, r_zz) the largest
  /// number would take it all, whatever it weighs.
  void weigh() {
    std::copy(along_, along_ + n_, pull_);
    if (batch_.inertia_.empty()) return;
    const T* m = &batch_.inertia_[static_cast<size_t>(b.index) * batch_.ns_];
    for (int s = 0; s < batch_.ns_; ++s)
      for (int i = 0; i < batch_.plan_.shape.size(s); ++i) {
        T& p = pull_[batch_.plan_.shape.offsets[s] + i];
        p = m[s] * p;
      }
  }

  /// The part of `local`, the forces at x, that does not come from dampers.
  void at_rest(const T* x, const T* local) {
    if (batch_.uses_velocity_ && kernels_.energy_by_rate == nullptr) {
      evaluate(x, zero_, elastic_);
    } else {
      std::copy(local, local + n_, elastic_);
    }
  }

  const TermBatch& batch_;
  const Kernels<T>& kernels_;
  const In<S>&begin_, &mid_, &end_;
  int n_;
  T *xm_, *vm_, *x0_, *x1_, *v1_, *x_, *elastic_, *along_, *pull_, *zero_;  ///< [dofs]
  T* motion_;
};

template <class S, int L>
void TermBatch<S, L>::step_residual([[maybe_unused]] int chunk, [[maybe_unused]] const In<S>& begin,
                                    [[maybe_unused]] const In<S>& mid, [[maybe_unused]] const In<S>& end,
                                    [[maybe_unused]] S* r) const {
  if constexpr (!std::is_same_v<S, Lanes>) {
    if (kernels_.residual == nullptr) return;
    T* local = FLEXURA_STACK(T, n_);
    const Scatter<S, L> scatter(plan_, this->symmetric);
    for (Step step(*this, chunk, begin, mid, end, FLEXURA_STACK(T, Step::room(*this))); step.b.more(); step.b.next()) {
      step.forces(local);
      scatter.forces(step.b, local, r);
    }
  }
}

template <class S, int L>
void TermBatch<S, L>::step_tangent([[maybe_unused]] int chunk, [[maybe_unused]] const In<S>& begin,
                                   [[maybe_unused]] const In<S>& mid, [[maybe_unused]] const In<S>& end,
                                   [[maybe_unused]] double cd, [[maybe_unused]] V* values) const {
  if constexpr (std::is_same_v<S, double>) {
    if (kernels_.tangent == nullptr) return;
    T *local = FLEXURA_STACK(T, n_ * n_), *whole = FLEXURA_STACK(T, n_ * n_);
    bool *row_at_end = FLEXURA_STACK(bool, n_), *multiplier = FLEXURA_STACK(bool, n_);
    const Scatter<S, L> scatter(plan_, this->symmetric);
    const bool constraint = plan_.shape.role == Role::constraint;
    for (Step step(*this, chunk, begin, mid, end, FLEXURA_STACK(T, Step::room(*this))); step.b.more(); step.b.next()) {
      step.tangent(cd, local);
      if (this->maps.symmetric_matrix) {
        for (int i = 0; i < n_ * n_; ++i) local[i] = T(0.5) * local[i];
        scatter.matrices(step.b, local, values);
        continue;
      }
      // Unknowns without inertia are those of the midpoint; rows of constraints are at the end, others at the midpoint.
      std::fill(row_at_end, row_at_end + n_, false);
      std::fill(multiplier, multiplier + n_, false);
      for (int s = 0; s < ns_; ++s)
        if (step.is_multiplier(s)) {
          multiplier[plan_.shape.offsets[s]] = true;
          row_at_end[plan_.shape.offsets[s]] = constraint;
        }
      for (int i = 0; i < n_; ++i)
        for (int j = 0; j < n_; ++j) whole[i * n_ + j] = T(multiplier[j] ? 1.0 : 0.5) * local[scatter.entry(i, j)];
      if (constraint) {
        step.tangent_at_end(local);
        for (int i = 0; i < n_; ++i)
          for (int j = 0; j < n_ && row_at_end[i]; ++j) whole[i * n_ + j] = local[scatter.entry(i, j)];
      }
      for (int lane = 0; lane < step.b.filled; ++lane)
        scatter.whole_matrix(step.b.first + lane, reinterpret_cast<const double*>(whole) + lane, lanes, values);
    }
  }
}

#define FLEXURA_INSTANTIATE(S, L)                                                                        \
  template void TermBatch<S, L>::step_residual(int, const In<S>&, const In<S>&, const In<S>&, S*) const; \
  template void TermBatch<S, L>::step_tangent(int, const In<S>&, const In<S>&, const In<S>&, double, ValueOf<S>*) const;
#ifdef FLEXURA_ENSEMBLE
FLEXURA_INSTANTIATE(Lanes, 0)
FLEXURA_INSTANTIATE(Dual<double>, 0)
#else
FLEXURA_INSTANTIATE(double, native_lanes)
FLEXURA_INSTANTIATE(double, 0)
#endif
#undef FLEXURA_INSTANTIATE

}  // namespace flexura
