#pragma once
// Nodes of beams along their path, and along the shape that they start from.
//
// Sections of the initial shape are those of the path, carried by parallel transport: with B the frames that follow
// each curve without turning about its tangent, d_initial = B_initial B_pathᵀ d_path, turned about the tangent by
// `initial.twist` in addition. So an initial shape has the twist of the path and `initial.twist`, whatever its
// directions in space are.

#include <array>
#include <optional>
#include <vector>

#include "flexura/part/path_curve.hpp"
#include "flexura/part/specs.hpp"

namespace flexura {
struct CablePart;
}

namespace flexura::detail {

struct MachineDraft;

struct BeamNode {
  Triple r;
  std::array<Triple, 3> d;  ///< d₁, d₂ in the section, d₃ along the curve
};

/// The axis that stays farthest from every tangent of the curve.
Triple widest_up(const PathCurve& curve, long nodes);
/// d₁ is `up` made perpendicular to the tangent, then turned about it by twist × share. False where they are parallel.
bool place_node(const PathCurve& curve, double share, const Triple& up, double twist, BeamNode& node);
/// The nodes of both shapes, at equal distances.
struct BeamNodes {
  std::vector<BeamNode> path, start;
};
/// Nothing after a problem. `part`: its name, with which joints hold it. Where both shapes begin in different
/// directions, the first section of the path is turned the shortest way; of a beam that is welded to the
/// ground by its end alone, the last one.
std::optional<BeamNodes> place_nodes(MachineDraft& draft, const BeamSpec& spec, const CablePart& part, long intervals);

/// A beam of full elements (full_beam.cpp).
void build_full_beam(MachineDraft& draft, const BeamSpec& spec);

}  // namespace flexura::detail
