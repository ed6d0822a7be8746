#pragma once
// Components of joint reactions that the mechanics of rigid bodies cannot determine.
//
//     Σ A_j w_j = loads        of all bodies and nodes; w_j: force and moment of joint j along what it constrains
//     A n = 0, n ≠ 0           self-balanced reactions: w and w + n balance the same loads
//
// A component is determinate if it is zero in every n, that is if it lies in the row space of A. Flexible parts balance at each
// of their nodes. Gears and constrained lengths are left out: their forces are taken as known.

#include <string>
#include <vector>

#include "flexura/scene/scene_model.hpp"

namespace flexura {

struct IndeterminateReaction {
  std::string joint;       ///< by name
  std::string components;  ///< of the world that sensors read: "force x, moment z"
};

/// Of the joints whose reactions sensors read, at positions q. Empty where more than a thousand unknowns depend on each other.
std::vector<IndeterminateReaction> find_indeterminate_reactions(const SceneModel& scene, const std::vector<double>& q);

}  // namespace flexura
