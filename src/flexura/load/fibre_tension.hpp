#pragma once

#include "flexura/element/full_plate.hpp"
#include "flexura/element/membrane.hpp"
#include "flexura/element/solid_shape.hpp"

namespace flexura {

void fibre_tension_fields(auto& p, auto&& field) {
  field(p.direction,
        Field{.name = "direction", .unit = "1", .doc = "of the fibres, by first, second and third direction"});
  field(p.factor, Field{.name = "factor", .unit = "1", .doc = "multiplies the tension", .value = 1});
}

/// Tension of fibres in a solid, whatever their stretch: muscles, braids that are pulled.
///
///     λ = |F a|:   virtual work ∫ T(t) δλ dV      r_i = −∫ T (a·B_i) u dV,  u = F a/λ,  B_i = ∂N_i/∂X
///     K_ij = ∫ T/λ (a·B_i)(a·B_j) (1 − u uᵀ) dV
///
/// T: per area of the reference across the fibres, stretch λ at constant T as a rope over a pulley. Directions as in
/// composite_solid.hpp. A load: its work is what the muscle does. Points: those of the solid. Kernel:
/// fibre_tension_kernel.hpp. Units: SI.
template <SolidKind its_kind>
struct FibreTension {
  static constexpr SolidKind kind = its_kind;
  static constexpr int dim = 3, nodes = node_count(kind);
  static constexpr std::string_view name = [] {
    constexpr std::string_view names[] = {"fibre_tension_hexahedron_8", "fibre_tension_hexahedron_20",
                                          "fibre_tension_hexahedron_27", "fibre_tension_tetrahedron_4",
                                          "fibre_tension_tetrahedron_10"};
    return names[static_cast<int>(kind)];
  }();
  static constexpr std::array slots = [] {
    std::array<SlotKind, nodes + 1> kinds{};
    kinds.fill(SlotKind::point);
    kinds[nodes] = SlotKind::signal;
    return kinds;
  }();
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  struct Params {
    Vec<3, T> center, axis, first, direction;
    T about{}, factor{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.center, Field{.name = "center", .unit = "m", .doc = "a point of the axis", .value = 0});
    field(p.axis, Field{.name = "axis", .unit = "1", .doc = "third direction, of any length"});
    field(p.first, Field{.name = "first", .unit = "1", .doc = "first direction, made perpendicular to the axis"});
    fibre_tension_fields(p, field);
    field(p.about, Field{.name = "about",
                         .unit = "1",
                         .doc = "1: directions from the axis, around it and along it",
                         .value = 0,
                         .min = 0,
                         .max = 1});
  }
};

/// The same in the wall of a full plate: directions as in composite_plate.hpp, F a = Σ a^α g_α, without the ties of the plate's strains.
/// Points: 3 × 3 on the surface, two in ζ.
template <int vectors>
struct PlateFibreTension {
  using Plate = FullPlate<vectors>;
  static constexpr int dim = 3, nodes = Plate::count;
  static constexpr std::string_view name = vectors == 1 ? "fibre_tension_plate_48" : "fibre_tension_plate_60";
  static constexpr std::array slots = [] {
    std::array<SlotKind, nodes + 1> kinds{};
    std::copy(Plate::slots.begin(), Plate::slots.end(), kinds.begin());
    kinds[nodes] = SlotKind::signal;
    return kinds;
  }();
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  struct Params {
    T length, width, thickness;
    Vec<3, T> direction;
    T factor{};
  };
  static void fields(auto& p, auto&& field) {
    Plate::size_fields(p, field);
    fibre_tension_fields(p, field);
  }
};

/// The same in a triangle of a membrane: directions as in composite_membrane.hpp, one point.
struct MembraneFibreTension {
  static constexpr int dim = 3, nodes = 3;
  static constexpr std::string_view name = "fibre_tension_membrane";
  static constexpr std::array slots{SlotKind::point, SlotKind::point, SlotKind::point, SlotKind::signal};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  struct Params {
    T thickness;
    Vec<2, T> stretch{};
    Vec<3, T> first;
    Vec<2, T> direction;
    T factor{};
  };
  static void fields(auto& p, auto&& field) {
    triangle_fields(p, field);
    fibre_tension_fields(p, field);
  }
};

}  // namespace flexura
