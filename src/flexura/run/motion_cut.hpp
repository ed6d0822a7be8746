#pragma once
// A motion that goes on behind a cut: where a load begins, ends or jumps, in another analysis, or with other joints.
//
// At the end of a step velocities leave Φ̇ and accelerations leave Φ̈ a little open, and what is damped much faster than
// a step follows slowly, which only the method's own a_alg knows. Accelerations anew would be M⁻¹ c v of velocities that
// are right to the method's error alone. So a cut changes what jumps and nothing else: with x⁻ before and x⁺ behind it
//
//     [S  Φ_qᵀ] [Δv]   [0              ]          [M  Φ_qᵀ] [Δa]   [r⁺ − r⁻        ]
//     [Φ_q  0 ] [m ] = [−(Φ̇⁺ − Φ̇⁻)    ],         [Φ_q  0 ] [Δλ] = [−(Φ̈⁺ − Φ̈⁻)    ],      r = Q − M a − C v − Φ_qᵀ λ
//
// and Δa_alg as Δa with S = M + h ∂(−Q)/∂v + h C, by which dampers take part in the jump as they do in a step.

#include <optional>
#include <vector>

#include "flexura/run/active_model.hpp"

namespace flexura {

/// What the end of a step leaves of the equations, with the signals that are set; all [ny].
struct MotionEnd {
  int model = -1;
  std::vector<double> rate, second;  ///< Φ̇, Φ̈ by row
  std::vector<double> force;         ///< r
};
MotionEnd end_of_motion(ActiveModel& active);

/// Velocities, accelerations and multipliers of the state behind the cut, of the model that is active and the signals
/// that are set.
/// `before`: the model of the end. False: they cannot be found, the state is what it was.
bool go_on_behind_cut(ActiveModel& active, const MotionEnd& end, const SceneModel& before, double h);

}  // namespace flexura
