#pragma once
// Gradients for quadrilaterals of which only the corners are known.

#include <vector>

#include "flexura/mesh/surface_mesh.hpp"

namespace flexura {

/// Sets nodal gradients, corner maps and parametric lengths from positions and elements.
///
/// Normal of a node: of the quadric z = a x² + b x y + c y² + d x + e y fitted by least squares through the node to the
/// nodes around it (of its elements; of theirs, too, where these are fewer than eight); where that is not determined, the
/// mean normal of the corners. Gradients of a node: orthonormal across its normal, g_u the part of +X (of +Y where the
/// normal is within 37° of ±X).
///
/// A side leaves a node along the part of its chord d across the normal, and an outer edge along the circle through the
/// node and its neighbours on the edge (unless it turns by more than 37° there: a corner), at the speed of a circular arc:
/// ∂r/∂ξ = |d| φ/sin φ in that direction, φ the angle between it and d. That depends on the side alone, so that elements
/// side by side conform; corner maps express it in the node's gradients. Inner sides of a plane mesh are straight.
///
/// Where an element is folded so and its corners alone are not, its nodes become corners of the edge, and if that is not enough their
/// normals the mean ones. Returns those nodes, ascending.
std::vector<int> recover_gradients(SurfaceMesh& mesh);

/// Turns elements over so that those side by side look to the same face, each part after its first element. The number
/// of elements turned; −1 if a part has one face only. Corner maps and parametric lengths follow.
int orient_elements(SurfaceMesh& mesh);

}  // namespace flexura
