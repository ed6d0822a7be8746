#pragma once
// The shapes of a body as faces, for programs that know faces only.

#include <array>
#include <cstdint>
#include <vector>

#include "flexura/observe/drawing.hpp"

namespace flexura {

struct BodyMesh {
  std::vector<std::array<double, 3>> points;  ///< in the frame of the body [m]
  std::vector<std::vector<std::int64_t>> faces;
};

/// Closed, of flat faces whose corners lie on the shape. A link has none: it is a line with a radius.
BodyMesh mesh_of(const BodyShape& shape);

}  // namespace flexura
