#pragma once
// Small free motions about a state: K φ = ω² M φ, or s² M φ + s C φ + K φ = 0.
//
//     K: reduced tangent −∂r/∂q of everything that acts at the state, at rest: prestress, load stiffness and the
//     stiffness of multiplied constraints (λ Φ_qq) included; damping left out unless asked for. Time stands still: signals
//     have their values then, and no rates.  Φ_q φ = 0 for every
//     multiplier.
//
// The second equation (solve/quadratic_modes.hpp) is solved where K is not symmetric (follower loads), where dampers are
// asked for, and where the state turns steadily (solve/steady_rotation.hpp): then modes are those seen by who turns along.
//
// About a state that is not in equilibrium the modes are those of the frozen tangent, with a warning
// (solve/unbalanced_force.hpp). Multipliers count: a pendulum swings with the tension of its rod.

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
  /// Only modes with an eigenvalue above it [1/s²], of the symmetric problem; NaN: from the lowest.
  double shift = std::numeric_limits<double>::quiet_NaN();
  /// Of the symmetric problem; the other has one method.
  ModesMethod method = ModesMethod::automatic;
  bool damped = false;  ///< dampers act
  /// A static analysis has found the state: its balance is not looked at.
  bool equilibrium = false;
};

struct Modes {
  bool converged = false;
  /// ω² [1/s²], ascending; negative: the state is unstable. Of a complex s: −Re s², and modes ascend by |s|.
  std::vector<double> eigenvalue;
  /// |Im s|/2π [Hz]; of what grows without swinging −s/2π, of what decays so 0.
  std::vector<double> frequency;
  std::vector<double> growth;  ///< Re s [1/s]: the motion is exp(growth t) cos(2π frequency t)
  /// −Re s/|s| [1]: 0 undamped, 1 it creeps back, negative: it grows.
  std::vector<double> damping;
  /// ‖K φ − ω² M φ‖, or of the quadratic equation, by the inverse of a shifted K in units of ω² or |s|² [1]: how far the
  /// eigenvalue may be from an exact one. 0 of rigid motions, whose eigenvalues are below `rounding`; empty: not known.
  std::vector<double> residual;
  std::vector<double> shapes;  ///< [modes × nq], φᴴMφ = 1 in kg; multipliers: their change; dependents expanded
  /// As long as `shapes`: the imaginary part, by which coordinates are ahead; empty where all modes are real.
  std::vector<double> shapes_imaginary;
  double rounding = 0;   ///< eigenvalues nearer to zero cannot be told from it [1/s²]: rigid motions
  int unstable = 0;      ///< modes that grow
  bool complete = true;  ///< it is proved that none below the last was missed
  double spin = 0;       ///< of the frame that turns along, about the axis of the state's rotation [rad/s]
  /// Multipliers of the state are those of its accelerations, not of a static analysis: they have no derivatives.
  bool released = false;
  std::string warning;  ///< results hold, but …
  std::string problem;  ///< why there are no results

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
