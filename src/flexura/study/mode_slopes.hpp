#pragma once
// What eigenvalues feel of a number of the scene, with all that it changes of the state that they are about:
//
//     A x = μ B x,  xᵀ B x = 1:   dμ = xᵀ (dA − μ dB) x                  A = [K Φ_qᵀ; Φ_q 0], B = [M 0; 0 0]      [fox1968]
//
// Of modes that share an eigenvalue: the eigenvalues of Xᵀ (dA − μ dB) X, each for itself; they say how the modes part along this one
// number. Part of flexura_ensemble.

#include "flexura/solve/modes.hpp"
#include "flexura/study/scene_variation.hpp"

namespace flexura {

/// Why modes have no slopes here, or "".
std::string why_no_slopes(const Modes& modes, const State<double>& state);
/// Of each mode, the first that shares its eigenvalue.
std::vector<int> repeated_modes(const Modes& modes);
/// dμ/dp [1/s² per unit of the number] of all modes; `change` of the state with the number.
std::vector<double> eigenvalue_slopes(const Modes& modes, SceneVariation& number, const State<Tangent>& change);
/// Of frequencies [Hz]; NaN of motions as a whole, at which μ is 0.
std::vector<double> frequency_slopes(const Modes& modes, const std::vector<double>& eigenvalue_slopes);

}  // namespace flexura
