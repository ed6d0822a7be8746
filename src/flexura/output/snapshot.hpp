#pragma once
// A machine at a state as pixels, drawn by the program itself: what a learner sees, or a script without a browser. Orthographic, from the front
// of planar models and from above one side of spatial ones, with a camera that stands still. Parts alone: no joints, loads or sensors.

#include <cstdint>
#include <span>
#include <vector>

#include "flexura/math/triple.hpp"
#include "flexura/observe/drawing.hpp"

namespace flexura {

/// Where pictures are seen from.
struct SnapshotCamera {
  Triple center{};               ///< in the middle of the picture [m]
  Triple right{}, up{}, near{};  ///< unit vectors; `near` points to who looks
  double height = 1;             ///< of what is seen [m]
};

/// Sees the reference configuration with as much room around it as it is large.
SnapshotCamera snapshot_camera(const Drawing& drawing);

/// [height][width][3] of red, green and blue. `q`: coordinates of all slots of the model.
std::vector<std::uint8_t> draw_snapshot(const Drawing& drawing, std::span<const double> q, const SnapshotCamera& camera,
                                        int width, int height);

}  // namespace flexura
