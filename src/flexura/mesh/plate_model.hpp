#pragma once
// A surface mesh as plate elements of a model, thin or full.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "flexura/element/ancf_thin_plate.hpp"
#include "flexura/element/full_plate.hpp"
#include "flexura/material/laminate.hpp"
#include "flexura/material/prony.hpp"
#include "flexura/mesh/fibre_family.hpp"
#include "flexura/mesh/surface_mesh.hpp"
#include "flexura/model/model_builder.hpp"

namespace flexura {

/// Stretches less 1 of growth: along u, across it in the surface, along the normal; top less bottom of the first two. None: 0.
using PlateGrowth = std::array<std::optional<EffectiveSignal>, 5>;

/// A wall as a solid of rubber: full plates of 60 coordinates, or of 48 as the paper has them.
struct FullWall {
  double thickness = 0, rho = 0;  ///< [m], [kg/m³]
  LawChoice law;
  ElasticConstants<double> constants{};
  bool paper = false;  ///< r = m + ζ n [xing2022]
  AncfPlate60::Volume volume = AncfPlate60::Volume::reduced;
  std::vector<FibreFamily> fibres =
      {};  ///< most_fibres at most; directions as of growth, none about an axis, none that pull
  std::optional<PlateGrowth> growth = {};
};

/// What the elements of a plate have in common.
struct PlateSection {
  Laminate laminate;                  ///< of a thin plate
  std::optional<FullWall> full = {};  ///< else
  double retardation = 0;             ///< Kelvin–Voigt time [s]
  double mass_damping = 0;            ///< c of −c M v [1/s]
  PronySeries relaxation = {};        ///< of the whole wall
  AncfThinPlate::Integration integration = AncfThinPlate::Integration::full;
  AncfThinPlate::Curvature curvature = AncfThinPlate::Curvature::koiter;

  double thickness() const { return full ? full->thickness : laminate.thickness; }
};

/// Slots of a node: r, g_u, g_v; of full plates also r_z and, of those with 60 coordinates, r_zz.
struct PlateNode {
  int r = -1, g_u = -1, g_v = -1, r_z = -1, r_zz = -1;
};

/// An element by its mid-surface: slots r, r_x, r_y of its corners.
struct PlateElement {
  std::string name;
  std::array<int, 12> slots{};
  std::array<double, 2> parameters{};  ///< lengths of its parameters x and y [m]
};

struct PlateModel {
  std::vector<PlateNode> nodes;
  std::vector<PlateElement> elements;
};

/// The reference's r_z at a node: along the normal, of the length of its factor on the thickness.
Vec3 director(const SurfaceNode& node);

/// Slots "NAME.<node>.r", ".g_u", ".g_v", nodes counted from 0, and one item per element, "plate 'NAME', element <1…>". At the
/// corners of elements with directions of their own, r_x and r_y are combinations of the node's gradients, eliminated exactly. Full
/// plates have ".r_z" along the normal of the reference and ".r_zz", zero there.
PlateModel add_plate(ModelBuilder& builder, const std::string& name, const SurfaceMesh& mesh,
                     const PlateSection& section, const Source& source = {});

}  // namespace flexura
