#pragma once
// Triangles of a drawing at a state.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "flexura/math/triple.hpp"
#include "flexura/observe/drawing.hpp"

namespace flexura {

struct SnapshotTriangle {
  std::array<Triple, 3> corners;
  std::uint32_t color;  ///< 0xrrggbb
};

/// Without `q` the reference configuration. `mark`: radius of what has none, lines and points; `thinnest`: of what is drawn of curves [m].
std::vector<SnapshotTriangle> snapshot_mesh(const Drawing& drawing, std::span<const double> q, double mark,
                                            double thinnest);
/// Places of all parts in the reference configuration [m].
std::vector<Triple> reference_places(const Drawing& drawing);

}  // namespace flexura
