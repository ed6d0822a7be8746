#pragma once
// Named parts of a solid mesh as one place: the mean over their area or volume.
//
//     faces      w_a = ∫ N_a dA / A      a force there is a uniform traction, a position that of the middle
//     elements   w_a = ∫ N_a dV / V
//     nodes      w_a = 1/n               of curves and points

#include <utility>
#include <vector>

#include "flexura/mesh/solid_mesh.hpp"

namespace flexura {

/// Node and weight, Σ w = 1; area or volume in the reference.
std::vector<std::pair<int, double>> mean_weights(const SolidMesh& mesh, const SolidSet& set);
/// Of all faces of the set [m²].
double area(const SolidMesh& mesh, const SolidSet& set);

}  // namespace flexura
