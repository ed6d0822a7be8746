#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Thin ANCF plate or shell: four nodes × (r, r_x, r_y), 36 coordinates; any curved reference is free of stress.
///
///       3 o─────────o 2        x ∈ [0, a], y ∈ [0, b];  ξ = x/a, η = y/b
///     η ↑ │    n    │          n = r_ξ × r_η/‖·‖, outwards of the face "top"
///       0 o─────────o 1        equations: ancf_thin_plate_kernel.hpp
///           → ξ
struct AncfThinPlate {
  static constexpr std::string_view name = "ancf_thin_plate";
  static constexpr int dim = 3;
  static constexpr std::array slots = [] {
    std::array<SlotKind, 12> kinds{};
    for (int i = 0; i < 12; ++i) kinds[i] = i % 3 == 0 ? SlotKind::point : SlotKind::vector;
    return kinds;
  }();
  static constexpr Role role = Role::conservative;

  enum class Integration { full, reduced };
  enum class Curvature { koiter, cubed_normal };
  enum class Damped { no, yes };
  struct Options {
    Integration integration = Integration::full;
    Curvature curvature = Curvature::koiter;
    Damped damped = Damped::no;
    bool operator==(const Options&) const = default;
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view rules[] = {"full", "reduced"};
    static constexpr std::string_view curvatures[] = {"koiter", "cubed_normal"};
    static constexpr std::string_view yes_no[] = {"no", "yes"};
    option(o.integration, Option{"integration", "4 × 4 or 3 × 3 points", rules});
    option(o.curvature, Option{"curvature", "measure of bending", curvatures});
    option(o.damped, Option{"damped", "whether the retardation time acts", yes_no});
  }
  static bool symmetric(const Options& o) { return o.damped == Damped::no; }
  static bool uses_velocity(const Options& o) { return o.damped == Damped::yes; }

  /// Symmetric 3 × 3 matrices: 11, 12, 22, 16, 26, 66.
  template <class T>
  struct Params {
    T length, width, rho_h;
    Vec<6, T> A, B{}, D;
    Vec<4, T> thickness_factor{};
    T retardation{}, thickness{};
    Vec<6, T> top{}, bottom{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.length, Field{.name = "length", .unit = "m", .doc = "length a of the parameter x", .above = 0});
    field(p.width, Field{.name = "width", .unit = "m", .doc = "length b of the parameter y", .above = 0});
    field(p.rho_h, Field{.name = "rho_h", .unit = "kg/m^2", .doc = "mass per area", .min = 0});
    field(p.A, Field{.name = "A", .unit = "N/m", .doc = "membrane stiffness 11, 12, 22, 16, 26, 66"});
    field(p.B, Field{.name = "B", .unit = "N", .doc = "coupling of stretch and bending", .value = 0});
    field(p.D, Field{.name = "D", .unit = "N m", .doc = "bending stiffness"});
    field(p.thickness_factor,
          Field{.name = "thickness_factor", .unit = "1", .doc = "of the corners", .value = 1, .above = 0});
    field(p.retardation, Field{.name = "retardation", .unit = "s", .doc = "Kelvin–Voigt time", .value = 0, .min = 0});
    field(p.thickness, Field{.name = "thickness", .unit = "m", .doc = "thickness, for stresses", .value = 0, .min = 0});
    field(p.top, Field{.name = "top", .unit = "Pa", .doc = "plane stress stiffness of the top face", .value = 0});
    field(p.bottom, Field{.name = "bottom", .unit = "Pa", .doc = "that of the bottom face", .value = 0});
  }

  /// Resultants per length of the reference and stresses of the faces, in axes along the reference's r_x and across it,
  /// without damping; von Mises' stress of each face; strain and change of curvature as tensors (12: half of 2ε_12);
  /// thickness.
  static constexpr std::string_view probes[] = {
      "N11",    "N22",    "N12",       "M11",       "M22",       "M12",           "top_11",
      "top_22", "top_12", "bottom_11", "bottom_22", "bottom_12", "top_von_mises", "bottom_von_mises",
      "E11",    "E22",    "E12",       "K11",       "K22",       "K12",           "thickness"};
  static constexpr int force_probe = 0, moment_probe = 3, top_probe = 6, bottom_probe = 9, von_mises_probe = 12,
                       strain_probe = 14, curvature_probe = 17, thickness_probe = 20;
};

}  // namespace flexura
