#pragma once

#include "flexura/element/law_options.hpp"
#include "flexura/element/solid.hpp"

namespace flexura {

/// `thickness`, `stretch` and `first` of triangles that have directions.
void triangle_fields(auto& p, auto&& field) {
  field(p.thickness, Field{.name = "thickness", .unit = "m", .doc = "thickness, free of stress", .above = 0});
  field(p.stretch, Field{.name = "stretch",
                         .unit = "1",
                         .doc = "that it has in the reference, along the first two directions",
                         .value = 1,
                         .above = 0});
  field(p.first, Field{.name = "first", .unit = "1", .doc = "first direction, made tangent, of any length"});
}

/// Triangle of a membrane: three nodes, plane stress, no bending; any law of rubber and St. Venant-Kirchhoff. Equations: membrane_kernel.hpp.
///
///       2 o            slots: points, counter-clockwise seen against the normal
///        / \           free of stress where all lengths are those of the reference over `stretch`
///     0 o───o 1
struct Membrane {
  static constexpr std::string_view name = "membrane_triangle";
  static constexpr int dim = 3, nodes = 3;
  static constexpr std::array slots{SlotKind::point, SlotKind::point, SlotKind::point};
  static constexpr Role role = Role::conservative;
  static constexpr bool symmetric = true;

  enum class Carries { both, tension };
  struct Options {
    ElasticLaw law = ElasticLaw::st_venant_kirchhoff;
    VolumeForm form = VolumeForm::isochoric;
    Carries carries = Carries::both;
    bool operator==(const Options&) const = default;
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view choices[] = {"both", "tension"};
    law_options(o, option);
    option(o.carries,
           Option{"carries", "what it resists: tension and compression, or tension, as what wrinkles", choices});
  }
  static bool uses_velocity(const Options&) { return false; }

  template <class T>
  struct Params {
    T rho, thickness;
    Vec<most_elastic_constants, T> constants;
    T bulk, stretch{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.rho, Field{.name = "rho", .unit = "kg/m^3", .doc = "density", .min = 0});
    field(p.thickness, Field{.name = "thickness", .unit = "m", .doc = "thickness, free of stress", .above = 0});
    field(p.constants, Field{.name = "constants", .unit = "SI", .doc = "of the law, in its order", .value = 0});
    field(p.bulk, Field{.name = "bulk", .unit = "Pa", .doc = "bulk modulus k of k/2 (J - 1)^2", .min = 0});
    field(p.stretch, Field{.name = "stretch",
                           .unit = "1",
                           .doc = "that it has in the reference, the same along all directions",
                           .value = 1,
                           .above = 0});
  }

  /// As of solids, constant: strain and stress by X, Y, Z, nothing of them across the surface but the change of thickness; and
  /// the force along the edge that (ξ, η) is nearest to.
  static constexpr auto probes = Solid::with_edge_force();
  static constexpr int edge_probe = static_cast<int>(std::size(Solid::probes));
};

}  // namespace flexura
