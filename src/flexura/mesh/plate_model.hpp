#pragma once
// A surface mesh as thin plate elements of a model.

#include <array>
#include <string>
#include <vector>

#include "flexura/element/ancf_thin_plate.hpp"
#include "flexura/material/laminate.hpp"
#include "flexura/mesh/surface_mesh.hpp"
#include "flexura/model/model_builder.hpp"

namespace flexura {

/// What the elements of a plate have in common.
struct PlateSection {
  Laminate laminate;
  double retardation = 0;   ///< Kelvin–Voigt time [s]
  double mass_damping = 0;  ///< c of −c M v [1/s]
  AncfThinPlate::Integration integration = AncfThinPlate::Integration::full;
  AncfThinPlate::Curvature curvature = AncfThinPlate::Curvature::koiter;
};

/// Slots of a node: r, g_u, g_v.
struct PlateNode {
  int r = -1, g_u = -1, g_v = -1;
};

/// An element as its term sees it: slots r, r_x, r_y of its corners.
struct PlateElement {
  std::string name;
  std::array<int, 12> slots{};
  std::array<double, 2> parameters{};  ///< lengths of its parameters x and y [m]
};

struct PlateModel {
  std::vector<PlateNode> nodes;
  std::vector<PlateElement> elements;
};

/// Slots "NAME.<node>.r", ".g_u", ".g_v", nodes counted from 0, and one item per element, "plate 'NAME', element <1…>". At the
/// corners of elements with directions of their own, r_x and r_y are combinations of the node's gradients, eliminated exactly.
PlateModel add_plate(ModelBuilder& builder, const std::string& name, const SurfaceMesh& mesh,
                     const PlateSection& section, const Source& source = {});

}  // namespace flexura
