#pragma once
// An item's motion over a step, seen from its mean turn.
//
// A rigid rotation takes places x₀ to x₁ with x₁ − x₀ = w × x̄ exactly, x̄ = ½ (x₀ + x₁), |w| = 2 tan(θ/2); but x̄ itself is
// shorter by cos(θ/2): strained where nothing is. Halfway of the turn there is no such strain,
//
//     x̃ = ½ (Q x₀ + Qᵀ x₁),   Q: half the turn w that fits the motion of the item's points and vectors best
//
// and forces at x̃ are those of the middle, whatever the turn. About x̄, on which linear and angular momentum are balanced, they
// have a moment unless they are projected.
//
// All places are from the centre of the points of x̄: an item that is small and far out has no more rounding than one at home.

#include "flexura/math/turn_fit.hpp"
#include "flexura/term/kernels.hpp"

namespace flexura {

/// Of an item whose coordinates are nothing but points and vectors of D components, and whose signals come after them.
template <int D, class T>
class StepMotion {
  using Vector = Vec<D, T>;
  using Turn = typename TurnFit<D, T>::Turn;

 public:
  /// Vectors that `room` has to hold.
  static int room(const TermShape& shape) { return 3 * shape.slots; }

  StepMotion(const TermShape& shape, Vector* room, const T* x0, const T* x1)
      : shape_(shape),
        slots_(shape.dofs / shape.dim),
        middle_(room),
        moved_(room + shape.slots),
        force_(room + 2 * static_cast<std::ptrdiff_t>(shape.slots)) {
    int first_point = 0;
    while (first_point < slots_ && !is_point(first_point)) ++first_point;
    for (int s = 0; s < slots_; ++s) point_count_ += is_point(s);
    Vector center{}, center_moved{};
    for (int s = 0; s < slots_; ++s) {
      const Vector a = Vector::load(x0 + D * s), b = Vector::load(x1 + D * s);
      moved_[s] = b - a;
      if (!is_point(s)) {
        middle_[s] = T(0.5) * (a + b);
        continue;
      }
      const Vector origin = Vector::load(x0 + D * first_point);
      middle_[s] = T(0.5) * ((a - origin) + (b - origin));
      center += T(1.0 / point_count_) * middle_[s];
      center_moved += T(1.0 / point_count_) * moved_[s];
    }
    for (int s = 0; s < slots_; ++s) {
      if (!is_point(s)) continue;
      middle_[s] -= center;
      moved_[s] -= center_moved;
    }
    for (int s = 0; s < slots_; ++s) fit_.add(middle_[s]);
    turn_ = turn_of(moved_);
    cosine_ = T(1.0) / sqrt(T(1.0) + T(0.25) * dot(turn_, turn_));  // of half the turn
    across_ = T(0.25) * cosine_ * cosine_ / (T(1.0) + cosine_);
  }

  /// x̃.
  void halfway(T* x) const {
    const T sine = T(0.25) * cosine_;
    for (int s = 0; s < slots_; ++s) {
      // cos x̄ + (1 − cos) ŵ (ŵ·x̄) − ½ sin ŵ × Δx
      const Vector& m = middle_[s];
      (m + across_ * turned(turn_, turned(turn_, m)) - sine * turned(turn_, moved_[s])).store(x + D * s);
    }
  }

  /// Forces at x̃ → those that do the same work along d = x₁ − x₀ − w × x̄ as they do at x̃, where the way from one end to the other is
  /// Qᵀx₁ − Q x₀ = cos d + (1 − cos) ŵ (ŵ·d). Else what stresses there are would do work of the order of the turn squared with it,
  /// however small d is.
  void back(T* f) const {
    for (int s = 0; s < slots_; ++s) {
      const Vector at = Vector::load(f + D * s);
      (at + across_ * turned(turn_, turned(turn_, at))).store(f + D * s);
    }
  }

  /// x₀ and x₁.
  void ends(T* x0, T* x1) const {
    for (int s = 0; s < slots_; ++s) {
      (middle_[s] - T(0.5) * moved_[s]).store(x0 + D * s);
      (middle_[s] + T(0.5) * moved_[s]).store(x1 + D * s);
    }
  }

  /// Takes the resultant and the moment about the middle out of forces on the slots.
  void balance(T* f) {
    Vector sum{};
    for (int s = 0; s < slots_; ++s) {
      force_[s] = Vector::load(f + D * s);
      if (is_point(s)) sum += force_[s];
    }
    for (int s = 0; s < slots_; ++s)
      if (is_point(s)) force_[s] -= T(1.0 / point_count_) * sum;
    const Turn turn = turn_of(force_);
    for (int s = 0; s < slots_; ++s) (force_[s] - turned(turn, middle_[s])).store(f + D * s);
  }

  /// What of x₁ − x₀ is no rigid motion.
  void strained(T* d) const {
    for (int s = 0; s < slots_; ++s) (moved_[s] - turned(turn_, middle_[s])).store(d + D * s);
  }

 private:
  bool is_point(int s) const { return shape_.kinds[s] == SlotKind::point; }
  Turn turn_of(const Vector* f) const {
    Turn moment{};
    for (int s = 0; s < slots_; ++s) moment += TurnFit<D, T>::moment(middle_[s], f[s]);
    return fit_(moment);
  }

  const TermShape& shape_;
  int slots_, point_count_ = 0;
  Vector *middle_, *moved_, *force_;  ///< [slots]
  TurnFit<D, T> fit_;
  Turn turn_;
  T cosine_, across_;  ///< of half the turn; (1 − cos)/|w|²
};

}  // namespace flexura
