#pragma once
// What a step carries on from its beginning, with rigid bodies turning meanwhile.
//
// Methods of the Newmark family mix accelerations of a step's two ends and what they remember. Written in fixed directions, the
// vectors of a body that turns by ω h lose by that as springs do that swing so fast: a flywheel stands still after some
// thousand steps. So the formulas hold for the departure d of a body's vectors from a turning with which the step begins, at the
// rate ω + ω̇ τ seen from the body, and what departs turns along, R = exp(φ̃):
//
//     e = R(τ) e₀ + d,        ḋ₀ = ė₀ − ω × e₀,        d̈₀ = 0
//
//     e₁ = R e₀ + R (h ḋ₀ + h² (½ − β) a₀) + h² β a₁,      a₁ = c₁ d̈₁ + R c a₀
//
// and a free turning of whatever size is kept to rounding, as integrators on the group of rotations keep it [bruls2010]. Of motions
// with small angles and of constant acceleration nothing changes: what swings is damped as before. As bodies are rigid, ḋ₀ is drift
// and d̈₁ the change of ω̇ in a step, so that Coriolis' terms in d are of higher order. ë₀ − ω̇ × e₀ − ω × (ω × e₀) is what multipliers
// ring with, by −ρ_∞ a step as the drift does: taken along it made tumbling bodies explode, with ρ_∞ = 0.9 at 0.02 rad a step, with
// 0.8 at 0.07. Without it they hold up to 0.2 rad.
// Vectors of flexible parts stay in fixed directions. Of a body's points the first does too (it falls, or is held by a joint),
// others are vectors from it; where one pin by multipliers holds the body on what is fixed or prescribed, that is the first. A rod is a body of two
// points. What a body or rod begins from may itself turn with another: a point on a rod, a place on a body.

#include <vector>

#include "flexura/solve/system.hpp"

namespace flexura {

template <class S>
class SteadyTurning {
 public:
  explicit SteadyTurning(const Topology& topology);

  /// From the state over h [s].
  void begin(const State<S>& state, double h);
  /// Whether all that a rod of the topology turns about is held, in the end by what is fixed or prescribed. About what is free its
  /// first end moves on in fixed directions, and is damped if it circles.
  bool is_held(size_t rod) const { return rod_is_held_[rod]; }

  // Of coordinates, those of dependent slots behind the free ones [nq]. What departs, as the step carries it on:
  const std::vector<S>& velocity() const { return velocity_; }          ///< R ḋ₀
  const std::vector<S>& acceleration() const { return acceleration_; }  ///< R d̈₀
  const std::vector<S>& algorithmic() const { return algorithmic_; }    ///< R a₀
  // Of the turning, 0 for what does not turn:
  const std::vector<S>& way() const { return way_; }                    ///< R e₀ − e₀
  const std::vector<S>& end_velocity() const { return end_velocity_; }  ///< R ω × e₀
  const std::vector<S>& end_acceleration() const { return end_acceleration_; }

 private:
  /// A rigid body; places in q.
  struct Body {
    int base = -1;                                   ///< its first point
    std::vector<int> points, vectors;                ///< all others, which ω is found from
    std::vector<int> turned_points, turned_vectors;  ///< those that are free, and of no body before
    std::vector<int> riders;                         ///< dependent points of it from which others begin
  };
  class Order;
  template <int D>
  void turn(const Body& body, const State<S>& state, double h);

  const Topology& topology_;
  std::vector<Body> bodies_;  ///< and rods, each behind what it begins from
  std::vector<bool> rod_is_held_;
  std::vector<S> velocity_, acceleration_, algorithmic_, way_, end_velocity_, end_acceleration_;
};

extern template class SteadyTurning<double>;
extern template class SteadyTurning<Lanes>;
extern template class SteadyTurning<Dual<double>>;

}  // namespace flexura
