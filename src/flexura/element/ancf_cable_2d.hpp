#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Planar ANCF cable, gradient deficient, with a curved stress-free reference.
///
///      r₀,g₀ o~~~~~~~~~o r₁,g₁        g = ∂r/∂x, x ∈ [0, l] a parameter; equations: ancf_cable_2d_kernel.hpp
struct AncfCable2d {
  static constexpr std::string_view name = "ancf_cable_2d";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::point, SlotKind::vector, SlotKind::point, SlotKind::vector};
  static constexpr Role role = Role::conservative;

  enum class Curvature { material, geometric, simplified };
  enum class Axial { green, engineering, chord };
  enum class Damped { no, yes };
  enum class Integration { full, reduced };
  struct Options {
    Curvature curvature = Curvature::material;
    Axial axial = Axial::green;
    Damped damped = Damped::no;
    Integration integration = Integration::full;
    bool operator==(const Options&) const = default;
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view curvatures[] = {"material", "geometric", "simplified"};
    static constexpr std::string_view axials[] = {"green", "engineering", "chord"};
    static constexpr std::string_view yes_no[] = {"no", "yes"};
    static constexpr std::string_view integrations[] = {"full", "reduced"};
    option(o.curvature, Option{"curvature", "measure of bending", curvatures});
    option(o.axial, Option{"axial", "measure of stretch", axials});
    option(o.damped, Option{"damped", "whether the retardation times act", yes_no});
    option(o.integration, Option{"integration", "points of stretch: five, or three that do not lock", integrations});
  }
  static bool symmetric(const Options& o) { return o.damped == Damped::no; }
  static bool uses_velocity(const Options& o) { return o.damped == Damped::yes; }

  template <class T>
  struct Params {
    T EA, EI, rhoA, length, stretch_retardation{}, bend_retardation{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.EA, Field{.name = "EA", .unit = "N", .doc = "axial stiffness", .min = 0});
    field(p.EI, Field{.name = "EI", .unit = "N m^2", .doc = "bending stiffness", .min = 0});
    field(p.rhoA, Field{.name = "rhoA", .unit = "kg/m", .doc = "mass per length", .min = 0});
    field(p.length, Field{.name = "length", .unit = "m", .doc = "length of the parameter x", .above = 0});
    field(
        p.stretch_retardation,
        Field{.name = "stretch_retardation", .unit = "s", .doc = "Kelvin–Voigt time of stretch", .value = 0, .min = 0});
    field(p.bend_retardation,
          Field{.name = "bend_retardation", .unit = "s", .doc = "Kelvin–Voigt time of bending", .value = 0, .min = 0});
  }
};

}  // namespace flexura
