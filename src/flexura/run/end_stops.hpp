#pragma once
// End stops of joints, entered in steps that resolve them.
//
//     p: penetration, w: width over which the stop engages, k, c: its stiffness and damping, Δp over a step of h
//     T: kinetic energy, U: of the stops, D: what their dampers take
//
//     resolved:  Δp ≤ w/2  or  (k Δp + c Δp/h) Δp ≤ 0.01 T₀,  and
//                D ≤ ε  or  D ≤ T₀ − T₁ + U₀ − U₁ + ε,  ε = 10⁻⁵ of the largest T₀,  and with D + |U₁ − U₀| for the first D, ε = 2·10⁻⁴
//
// A step that passes the width at once meets forces that it has not seen coming, and puts energy in. So does one over which a damper
// would take more than there is.

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

 private:
  const System<double>& system_;
  std::vector<EndStop> stops_;
  double at_stake_ = 0;  ///< largest kinetic energy at which a stop was touched [J]
};

/// Whether some joint of the model has end stops: steps are its own then, so that it does not go in lanes with others.
bool has_end_stops(const Model& model);

/// Does each step of the method in halves, and those again, until all stops are resolved, 16 times at most. The method itself where
/// the model has no stops.
std::unique_ptr<Stepper> with_resolved_stops(std::unique_ptr<Stepper> method, const Values& values,
                                             System<double>& system);

}  // namespace flexura
