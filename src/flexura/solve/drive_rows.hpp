#pragma once
// Drives with limits in small motions about a state: while a drive keeps up with its target, its nut s is there.
//
//     f = k (s − x + τ (ṡ − ẋ)),  s = u        dR = K dx + B du + D dẋ + E du̇
//
// By the drive's own law over steps from the state: K and B of one that takes forever, D and E what one of a second adds
// to it, τ/h. Of a batch in which a drive has not reached its target, at its limit of rate or force, nuts stand still.
// Part of flexura_ensemble.

#include <Eigen/Core>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/solve/dual_residual.hpp"
#include "flexura/solve/state_tangents.hpp"

namespace flexura {

/// Whether the term is a drive with limits, by its name.
bool is_limited_drive(std::string_view term);

/// A drive that takes no part, and the effective signal that is its target.
struct IdleDrive {
  std::string name;
  int target;
};
/// Those of batches in which one has not reached its target.
std::vector<IdleDrive> idle_drives(const Topology& topology, const State<double>& state,
                                   std::span<const SignalValue> signals);

class DriveRows {
 public:
  DriveRows(System<double>& system, const State<double>& state, std::span<const SignalValue> signals);

  /// What K and D lack of them where they answer at once.
  void add_tangents(std::vector<TangentEntry>& entries) const;
  /// The same of dR [ny], of what q, v and the signals of `residual` change by.
  void add_change(DualResidual& residual, const State<Tangent>& state, Eigen::Ref<Eigen::VectorXd> change) const;

 private:
  std::vector<int> batches_;
  std::vector<double> history_;  ///< nuts as they are, that of others too
  std::vector<TangentEntry> entries_;
};

}  // namespace flexura
