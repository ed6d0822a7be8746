#pragma once
// End stops of joints, entered in steps that resolve them.
//
//     U(p): energy of a stop at penetration p, P = −U'(p) ṗ its elastic power, L(p, ṗ) what its damper takes, T: kinetic energy
//
//     resolved:  Σ |U₁ − U₀ − h/2 (U'₀ ṗ₀ + U'₁ ṗ₁)| + |h L(½ p₀ + ½ p₁, Δp/h) − h/2 (L₀ + L₁)| ≤ 2·10⁻⁶ of the largest T
//
// over a step of h. A step that passes into a stop meets forces that it has not seen coming, and puts energy in or takes it out; so do
// steps of more than about a twentieth of the period in which a stiff stop throws its joint back, and those over which a damper
// would take more than there is. Each of them shows as a difference between two estimates of the work of the stop.

#include <memory>
#include <vector>

#include "flexura/integrate/stepper.hpp"
#include "flexura/solve/system.hpp"

namespace flexura {

struct EndStop {
  int coordinate;  ///< in q
  double lower, upper, stiffness, damping, width;
};

class EndStops {
 public:
  /// The system must outlive it.
  EndStops(const Values& values, const System<double>& system);

  bool empty() const { return stops_.empty(); }
  /// `before` and `after`: the ends of a step, dependents expanded.
  bool resolved(const State<double>& before, const State<double>& after);
  /// Whether a joint may be in a stop before t1, at twice its rate.
  bool may_be_touched(const State<double>& state, double t1) const;

 private:
  const System<double>& system_;
  std::vector<EndStop> stops_;
  double at_stake_ = 0;  ///< largest kinetic energy at the beginning of a step with a stop touched [J]
};

/// Whether some joint of the model has end stops: steps are its own then, so that it does not go in lanes with others.
bool has_end_stops(const Model& model);

/// Does each step of the method in halves, and those again, until all stops are resolved and the method
/// converges in them, 24 times at most. The method itself where
/// the model has no stops.
std::unique_ptr<Stepper> with_resolved_stops(std::unique_ptr<Stepper> method, const Values& values,
                                             System<double>& system);

}  // namespace flexura
