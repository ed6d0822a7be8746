#pragma once
// Nodes of beams along their path.

#include <array>

#include "flexura/part/path_curve.hpp"
#include "flexura/part/specs.hpp"

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
/// Says that they are, at a share of the length.
void refuse_up(MachineDraft& draft, const BeamSpec& spec, double share);

/// A beam of full elements (full_beam.cpp).
void build_full_beam(MachineDraft& draft, const BeamSpec& spec);

}  // namespace flexura::detail
