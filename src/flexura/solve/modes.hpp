#pragma once
// Small free vibrations about a state: K φ = ω² M φ.
//
//     K: reduced tangent −∂r/∂q of everything that acts at the state, at rest: prestress, load stiffness and the
//     stiffness of multiplied constraints (λ Φ_qq) included; damping left out.  Φ_q φ = 0 for every multiplier.
//
// About a state that is not in equilibrium the modes are those of the frozen tangent. Multipliers count: a pendulum
// swings with the tension of its rod, so find the equilibrium first.

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "flexura/solve/system.hpp"

namespace flexura {

enum class ModesMethod {
  automatic,  ///< krylov where it is worth it, dense otherwise and where a factorisation without pivoting is not safe
  dense,      ///< null space of the constraints, massless coordinates condensed; all modes at once, O(n³)
  krylov      ///< block Krylov on (K − σ M)⁻¹ M, completeness proved by the inertia of a second factorisation
};

struct ModesOptions {
  int count = 10;
  /// Only modes with an eigenvalue above it [1/s²]; NaN: from the lowest.
  double shift = std::numeric_limits<double>::quiet_NaN();
  ModesMethod method = ModesMethod::automatic;
};

struct Modes {
  bool converged = false;
  std::vector<double> eigenvalue;  ///< ω² [1/s²], ascending; negative: the state is unstable
  std::vector<double> frequency;   ///< ω/2π [Hz]; of a negative eigenvalue −|ω|/2π: grows as exp(|ω| t)
  std::vector<double> shapes;      ///< [modes × nq], φᵀMφ = 1 in kg; multipliers: their change; dependents expanded
  double rounding = 0;             ///< eigenvalues nearer to zero cannot be told from it [1/s²]: rigid motions
  int unstable = 0;                ///< modes with eigenvalue < −rounding
  std::string warning;             ///< results hold, but …
  std::string problem;             ///< why there are no results

  int count() const { return static_cast<int>(eigenvalue.size()); }
  std::span<const double> shape(int mode) const {
    const size_t nq = shapes.size() / eigenvalue.size();
    return {shapes.data() + mode * nq, nq};
  }
};

/// Modes about `state` with signals as they act at state.t. Fewer than `count` if there are no more: coordinates without
/// mass and directions that a constraint closes have none. The sign makes the component of largest √M_ii |φ_i| positive.
Modes solve_modes(System<double>& system, const State<double>& state, const ModesOptions& options = {});

}  // namespace flexura
