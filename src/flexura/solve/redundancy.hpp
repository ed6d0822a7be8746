#pragma once
// Redundant constraints: their names, and multipliers that share the load among them.

#include <string>
#include <vector>

#include "flexura/solve/constraints.hpp"

namespace flexura {

/// A row of Φ as people know it.
struct RowName {
  std::string multiplier;  ///< name of its slot
  std::string item;        ///< name of the constraint it belongs to
};
/// `row`: index in y.
RowName row_name(const Topology& topology, int row);
std::vector<RowName> row_names(const Topology& topology, std::span<const int> rows);

/// Of the rows that the last factor set aside those that others say nearly and not wholly, as a second pin close to the
/// first one does: of Φ_r in the metric of M⁻¹ they leave ‖x‖_M, with x and μ of the equations below. Rounding leaves
/// some 1e-14 of rows that are redundant.
struct NearlyRedundantRow {
  int row;      ///< index in y
  double left;  ///< of it
};
std::vector<NearlyRedundantRow> nearly_redundant_rows(Constraints& constraints);

/// Of the rows that the last factor set aside those that say something new as soon as anything moves: the position is a dead
/// point, or one from which the mechanism can go on in another way. For a velocity x that all rows allow,
///
///     Φ_q a = −xᵀ Φ_qq x     has no solution a for them.
///
/// `rows`: of constraints that depend on each other there, indices in y.
struct SingularStart {
  std::vector<int> set_aside, rows;
};
SingularStart singular_start(System<double>& system, Constraints& constraints, const State<double>& state);

/// What the multipliers do to the coordinates leaves open how redundant rows share it: λ + N c with Φ_qᵀ N = 0. Of these
/// the one with the least Σλ², units of the rows as they are (N beside N m). N has one column for each redundant row:
///
///     [M  Φ_qᵀ] [x]   [Φ_rᵀ]
///     [Φ_q  0 ] [μ] = [  0 ]      x = 0,  N_r = e_r − μ
///
/// Factors at the state. Returns λ by index in y (coordinates: 0); the state's own if nothing is redundant.
std::vector<double> minimum_norm_multipliers(Constraints& constraints, const Topology& topology,
                                             const State<double>& state);
std::vector<double> minimum_norm_multipliers(System<double>& system, const State<double>& state);

}  // namespace flexura
