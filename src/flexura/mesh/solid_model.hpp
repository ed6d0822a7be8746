#pragma once
// A mesh of volumes as solid elements of a model.

#include <string>
#include <vector>

#include "flexura/element/solid.hpp"
#include "flexura/mesh/solid_mesh.hpp"
#include "flexura/model/model_builder.hpp"

namespace flexura {

/// What the elements of a solid have in common.
struct SolidSection {
  double rho = 0;  ///< [kg/m³]
  LawChoice law = {};
  ElasticConstants<double> constants{};
  Solid::Formulation formulation = Solid::Formulation::mixed;
  double retardation = 0;   ///< Kelvin–Voigt time of shear [s]
  double mass_damping = 0;  ///< c of −c M v [1/s]
};

struct SolidModel {
  std::vector<int> nodes;          ///< slots, as the mesh's nodes
  std::vector<std::string> items;  ///< names, as the mesh's elements
};

/// A set of elements of another section.
struct SolidInlay {
  std::string set;
  SolidSection section;
};

/// Slots "NAME.<node>.r", nodes counted from 0, and one item per element, "solid 'NAME', element <1…>". Of inlays that share elements
/// the last counts; sets that are none are left out.
SolidModel add_solid(ModelBuilder& builder, const std::string& name, const SolidMesh& mesh, const SolidSection& section,
                     const Source& source = {}, const std::vector<SolidInlay>& inlays = {});

}  // namespace flexura
