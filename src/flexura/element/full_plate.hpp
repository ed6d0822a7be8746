#pragma once

#include "flexura/element/law_options.hpp"
#include "flexura/material/hyperelastic.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// Fully parameterised ANCF plate: four nodes × (r, r_x, r_y, r_z), 48 coordinates, or with r_zz 60; curved references too.
///
///       3 o─────────o 2        x ∈ [0, a], y ∈ [0, b], z ∈ [−t/2, t/2];  ξ = x/a, η = y/b, ζ = z/t
///     η ↑ │         │
///       0 o─────────o 1        r = m(ξ, η) + ζ n(ξ, η) + ½ ζ² w(ξ, η)
///           → ξ                m = Σ N_i r_i + N_i^x a r_x,i + N_i^y b r_y,i,  n = Σ L_i t r_z,i,  w = Σ L_i t² r_zz,i
///
/// N: the twelve functions of the rectangle without twist coordinates, L: bilinear (plate_shape.hpp). Any law of rubber.
/// Equations: ancf_plate_48_kernel.hpp, ancf_plate_60_kernel.hpp.
template <int vectors>
struct FullPlate {
  static constexpr int dim = 3;
  static constexpr int functions = 3 + vectors;  ///< of a node
  static constexpr int count = 4 * functions, dofs = 3 * count;
  static constexpr std::string_view name = vectors == 1 ? "ancf_plate_48" : "ancf_plate_60";
  static constexpr std::array slots = [] {
    std::array<SlotKind, count> kinds{};
    for (int i = 0; i < count; ++i) kinds[i] = i % functions == 0 ? SlotKind::point : SlotKind::vector;
    return kinds;
  }();
  static constexpr Role role = Role::conservative;

  /// How U(J) is integrated. 48: everywhere, or on the mid-surface only [xing2022 eq 25]; 60: by few modes, or everywhere.
  enum class Volume { reduced, full };
  enum class Damped { no, yes };
  struct Options {
    ElasticLaw law = ElasticLaw::neo_hooke;
    VolumeForm form = VolumeForm::isochoric;
    Volume volume = Volume::reduced;
    Damped damped = Damped::no;
    bool operator==(const Options&) const = default;
    LawChoice choice() const { return {law, form}; }
  };
  static bool symmetric(const Options& o) { return o.damped == Damped::no; }
  static bool uses_velocity(const Options& o) { return o.damped == Damped::yes; }
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view volumes[] = {vectors == 1 ? "selective" : "mixed", "full"};
    law_options(o, option);
    option(o.volume, Option{"volume",
                            vectors == 1 ? "change of volume on the mid-surface only, or point by point"
                                         : "change of volume by few modes, or point by point",
                            volumes});
    static constexpr std::string_view yes_no[] = {"no", "yes"};
    option(o.damped, Option{"damped", "whether the viscosity acts", yes_no});
  }

  template <class T>
  struct Params {
    T length, width, thickness, rho;
    Vec<most_elastic_constants, T> constants;
    T bulk, viscosity{};
  };
  static void size_fields(auto& p, auto&& field) {
    field(p.length, Field{.name = "length", .unit = "m", .doc = "length a of the parameter x", .above = 0});
    field(p.width, Field{.name = "width", .unit = "m", .doc = "length b of the parameter y", .above = 0});
    field(p.thickness, Field{.name = "thickness", .unit = "m", .doc = "length t of the parameter z", .above = 0});
  }
  static void fields(auto& p, auto&& field) {
    size_fields(p, field);
    field(p.rho, Field{.name = "rho", .unit = "kg/m^3", .doc = "density", .min = 0});
    field(p.constants, Field{.name = "constants", .unit = "Pa", .doc = "of the law, in its order", .value = 0});
    field(p.bulk, Field{.name = "bulk", .unit = "Pa", .doc = "bulk modulus k of k/2 (J - 1)^2", .min = 0});
    field(p.viscosity, Field{.name = "viscosity",
                             .unit = "Pa s",
                             .doc = "of the stress 2 eta dE/dt: retardation time times modulus of shear",
                             .value = 0,
                             .min = 0});
  }
};

using AncfPlate48 = FullPlate<1>;
using AncfPlate60 = FullPlate<2>;

}  // namespace flexura
