#pragma once
// A mesh of volumes as solid elements of a model, or of triangles as membranes.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "flexura/element/membrane.hpp"
#include "flexura/element/solid.hpp"
#include "flexura/material/laminate.hpp"
#include "flexura/material/prony.hpp"
#include "flexura/mesh/fibre_family.hpp"
#include "flexura/mesh/solid_mesh.hpp"
#include "flexura/model/model_builder.hpp"

namespace flexura {

/// Where three directions come from: axes, the third along `axis`; or, about the axis, from it away, around it and along it.
struct SolidAxes {
  Vec3 center{};  ///< [m]
  Vec3 axis{{0, 0, 1}}, first{{1, 0, 0}};
};

/// Stretches less 1 of growth along the three directions, of membranes along the first, across it and of the thickness; none: 0.
struct SolidGrowth {
  std::array<std::optional<EffectiveSignal>, 3> stretch = {};
  bool about_axis = false;
};

/// What triangles have besides.
struct MembraneWall {
  double thickness = 0;            ///< free of stress [m]
  Vec<2, double> stretch{{1, 1}};  ///< in the reference, along the first direction and across it
  Membrane::Carries carries = Membrane::Carries::both;
  std::optional<PlaneStiffness> moduli = {};  ///< by these directions, in place of the law [Pa]
};

/// What the elements of a solid or membrane have in common.
struct SolidSection {
  double rho = 0;  ///< [kg/m³]
  LawChoice law = {};
  ElasticConstants<double> constants{};
  Solid::Formulation formulation = Solid::Formulation::mixed;
  bool reduced = false;         ///< hexahedra of 8 nodes that are not composite: with one point
  double retardation = 0;       ///< Kelvin–Voigt time [s]
  double mass_damping = 0;      ///< c of −c M v [1/s]
  PronySeries relaxation = {};  ///< of the stress of W
  SolidAxes axes = {};          ///< of fibres and growth, in the frame of the mesh; of membranes SolidMesh::along
  std::vector<FibreFamily> fibres = {};  ///< most_fibres at most
  std::optional<SolidGrowth> growth = {};
  MembraneWall wall = {};

  /// More than a law of rubber: elements are composite solids, or membranes.
  bool is_composite() const;
};

struct SolidModel {
  std::vector<int> nodes;          ///< slots, as the mesh's nodes
  std::vector<std::string> items;  ///< names, as the mesh's elements
  std::vector<int> section_of;     ///< as the mesh's elements: 0 that of the solid, k that of the k-th inlay
  bool has_fibres = false;
  bool is_composite = false;  ///< of terms that say nothing of forces along edges
};

/// A set of elements of another section.
struct SolidInlay {
  std::string set;
  SolidSection section;
};

/// Slots "NAME.<node>.r", nodes counted from 0, and one item per element, "solid 'NAME', element <1…>", or "membrane 'NAME', …"; of fibres that pull one more
/// each, "…, fibre 'FAMILY'". Of inlays that share elements the last counts; sets that are none are left out.
SolidModel add_solid(ModelBuilder& builder, const std::string& name, const SolidMesh& mesh, const SolidSection& section,
                     const Source& source = {}, const std::vector<SolidInlay>& inlays = {});

}  // namespace flexura
