#pragma once

#include <algorithm>

#include "flexura/element/law_options.hpp"
#include "flexura/element/solid_shape.hpp"
#include "flexura/material/hyperelastic.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// What all solids have in common; equations: solid_kernel.hpp, nodes and their order: solid_shape.hpp.
struct Solid {
  static constexpr int dim = 3;
  static constexpr Role role = Role::conservative;

  enum class Formulation { mixed, full };
  enum class Damped { no, yes };
  struct Options {
    ElasticLaw law = ElasticLaw::neo_hooke;
    VolumeForm form = VolumeForm::isochoric;
    Formulation formulation = Formulation::mixed;
    Damped damped = Damped::no;
    bool operator==(const Options&) const = default;
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view formulations[] = {"mixed", "full"};
    static constexpr std::string_view yes_no[] = {"no", "yes"};
    law_options(o, option);
    option(o.formulation, Option{"formulation", "change of volume by few modes, or point by point", formulations});
    option(o.damped, Option{"damped", "whether the viscosity acts", yes_no});
  }
  static bool symmetric(const Options& o) { return o.damped == Damped::no; }
  static bool uses_velocity(const Options& o) { return o.damped == Damped::yes; }

  template <class T>
  struct Params {
    T rho;
    Vec<most_elastic_constants, T> constants;  ///< of the law, in its order
    T bulk, viscosity{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.rho, Field{.name = "rho", .unit = "kg/m^3", .doc = "density", .min = 0});
    field(p.constants, Field{.name = "constants", .unit = "SI", .doc = "of the law, in its order", .value = 0});
    field(p.bulk, Field{.name = "bulk", .unit = "Pa", .doc = "bulk modulus k of k/2 (J - 1)^2", .min = 0});
    field(p.viscosity, Field{.name = "viscosity",
                             .unit = "Pa s",
                             .doc = "of the stress 2 eta dE/dt: retardation time times modulus of shear",
                             .value = 0,
                             .min = 0});
  }

  /// At (ξ, η, ζ), components in X, Y, Z of the reference (Cauchy's stress: of space), tensors as 11, 22, 33, 23, 13, 12:
  /// Green's strain, second Piola–Kirchhoff and Cauchy stress without damping, principal stretches from the largest, change of
  /// volume, −tr σ/3, stored energy per volume of the reference, von Mises' stress.
  static constexpr std::string_view probes[] = {
      "green_11",      "green_22",  "green_33",       "green_23",  "green_13",  "green_12",  "piola_11",
      "piola_22",      "piola_33",  "piola_23",       "piola_13",  "piola_12",  "cauchy_11", "cauchy_22",
      "cauchy_33",     "cauchy_23", "cauchy_13",      "cauchy_12", "stretch_1", "stretch_2", "stretch_3",
      "volume_change", "pressure",  "energy_density", "von_mises"};
  static constexpr int green_probe = 0, piola_probe = 6, cauchy_probe = 12, stretch_probe = 18, volume_probe = 21,
                       pressure_probe = 22, energy_probe = 23, von_mises_probe = 24;
  /// Of elements of constant strain.
  static constexpr auto with_edge_force() {
    std::array<std::string_view, std::size(probes) + 1> out{};
    std::copy(std::begin(probes), std::end(probes), out.begin());
    out.back() = "edge_force";
    return out;
  }
};

template <SolidKind its_kind>
struct SolidElement : Solid {
  static constexpr SolidKind kind = its_kind;
  static constexpr int nodes = node_count(kind);
  static constexpr std::string_view name = [] {
    constexpr std::string_view names[] = {"solid_hexahedron_8", "solid_hexahedron_20", "solid_hexahedron_27",
                                          "solid_tetrahedron_4", "solid_tetrahedron_10"};
    return names[static_cast<int>(kind)];
  }();
  static constexpr std::array slots = [] {
    std::array<SlotKind, nodes> kinds{};
    kinds.fill(SlotKind::point);
    return kinds;
  }();
};

/// Of constant strain: the tetrahedron of six trusses [meijaard-truss], whose force along the edge nearest to a place is read too.
template <>
struct SolidElement<SolidKind::tetrahedron_4> : Solid {
  static constexpr SolidKind kind = SolidKind::tetrahedron_4;
  static constexpr int nodes = 4;
  static constexpr std::string_view name = "solid_tetrahedron_4";
  static constexpr std::array slots{SlotKind::point, SlotKind::point, SlotKind::point, SlotKind::point};
  static constexpr auto probes = with_edge_force();
  static constexpr int edge_probe = static_cast<int>(std::size(Solid::probes));
};

using SolidHexahedron8 = SolidElement<SolidKind::hexahedron_8>;
using SolidHexahedron20 = SolidElement<SolidKind::hexahedron_20>;
using SolidHexahedron27 = SolidElement<SolidKind::hexahedron_27>;
/// Locks near incompressibility: one value of the change of volume for an element, of which six fill a cube.
using SolidTetrahedron4 = SolidElement<SolidKind::tetrahedron_4>;
using SolidTetrahedron10 = SolidElement<SolidKind::tetrahedron_10>;

}  // namespace flexura
