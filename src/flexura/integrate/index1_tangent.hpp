#pragma once
// What explicit methods integrate (index1_motion.hpp), differentiated: accelerations, and the way back to the constraints.
//
//     K [da; dλ] = [dR; −dΦ̈]                                                       (start_equations.hpp)
//     M (q₁ − q*) + Φ_q(q*)ᵀ m = 0, Φ(q₁) = 0;   M (v₁ − v*) + Φ_q(q*)ᵀ n = 0, Φ_q(q*) (v₁ − v*) = −Φ̇(q₁, v*)
//
// Part of flexura_ensemble.

#include <map>
#include <memory>

#include "flexura/integrate/index1_motion.hpp"
#include "flexura/solve/start_equations.hpp"

namespace flexura {

class Index1Tangent {
 public:
  Index1Tangent(TangentFactor& factor, const DriftControl& drift, Index1Method method);

  bool evaluate(State<double>& state, double t) { return motion_.evaluate(state, t); }
  bool project(State<double>& state) { return motion_.project(state); }
  /// Dependents at the time of the state.
  void expand(State<double>& state);
  /// Those of a residual, made when it comes for the first time.
  StartEquations& equations(DualResidual& residual);
  /// da and dλ of a state whose q and v change.
  bool accelerate(StartEquations& equations, const State<double>& at, State<Tangent>& state);
  /// From dq*, dv* in `state`, whose values are those of `to`, to dq₁, dv₁: `from` was projected, and is `to`.
  bool project(StartEquations& equations, const State<double>& from, const State<double>& to, State<Tangent>& state);

 private:
  /// How often springs have turned.
  void look_back(StartEquations& equations, const State<double>& at);

  TangentFactor& factor_;
  int n_;
  Index1Motion motion_;
  std::map<DualResidual*, std::unique_ptr<StartEquations>> equations_;
};

}  // namespace flexura
