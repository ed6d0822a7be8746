#pragma once
// Revolutions in which joints start that gears tie to each other.

#include <vector>

#include "flexura/part/machine.hpp"

namespace flexura {

/// Gears eliminate all angles of a group but one, f, whose revolution decides theirs: θ_k = r_k f + o_k. Poses give each angle
/// but for whole revolutions, and the start of each coordinate (Values::q0) the revolution that is stated of it, by
/// `initial_angle` or by more than half a revolution.
///
///     f ← f + 2π n      n of those with most θ_k at their poses, of these with most stated revolutions kept, of these the smallest
///
/// `q`: the state at the start; what does not fit with any n stays as it is. Signals that prescribe angles say themselves
/// where they start.
void choose_geared_revolutions(const Machine& machine, std::vector<double>& q);

/// By row of Φ [ny]: whole revolutions between the start of each angle as it is stated and the angle of its poses, −π … π,
/// at `q` [rad].
std::vector<double> stated_revolutions(const Model& model, const std::vector<double>& q);

}  // namespace flexura
