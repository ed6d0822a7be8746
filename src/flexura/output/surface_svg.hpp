#pragma once
// Surfaces in space as a picture for documents: shaded quadrilaterals, the far ones first, without library or script.

#include <array>
#include <string>
#include <vector>

#include "flexura/math/vec.hpp"

namespace flexura {

/// Shapes that are drawn together, seen along one direction.
struct SurfacePanel {
  std::string caption = {};
  std::vector<std::array<Vec<3, double>, 4>> quads = {};  ///< corners in order [m]
  std::vector<std::vector<Vec<3, double>>> lines = {};    ///< paths, in front of the surfaces [m]
  std::vector<Vec<3, double>> points = {};                ///< in front too [m]
};

struct SurfacePicture {
  std::string title = {}, note = {};
  std::vector<SurfacePanel> panels = {};  ///< side by side, all in one scale
  Vec<3, double> from = {0, -1, 0};       ///< direction from what is seen to the eye
  Vec<3, double> up = {0, 0, 1};
  int panel_width = 320, panel_height = 320;  ///< px
  int columns = 4;
  double point_radius = 4;  ///< px
};

std::string svg_text(const SurfacePicture& picture);

}  // namespace flexura
