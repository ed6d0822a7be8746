#pragma once

#include "flexura/element/composite_fields.hpp"
#include "flexura/element/solid.hpp"

namespace flexura {

/// What solids have in common of which more than a law of rubber is said: it relaxes, has fibres, grows. Equations:
/// composite_solid_kernel.hpp.
struct CompositeSolid {
  static constexpr int dim = 3;
  static constexpr Role role = Role::conservative;

  using Branches = PronyBranches;
  using Families = FibreFamilies;
  enum class Grows { no, along_axes, about_axis };
  struct Options {
    Solid::Options elastic{};
    Grows grows = Grows::no;
    Families families = Families::none;
    Branches branches = Branches::none;
    bool operator==(const Options&) const = default;
    int fibres() const { return static_cast<int>(families); }
    int count() const { return static_cast<int>(branches); }
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view growths[] = {"no", "along_axes", "about_axis"};
    Solid::options(o.elastic, option);
    option(o.grows, Option{"grows", "whether growth acts, and along which directions", growths});
    composite_options(o, option);
  }
  static bool symmetric(const Options& o) { return Solid::symmetric(o.elastic); }
  static bool uses_velocity(const Options& o) { return Solid::uses_velocity(o.elastic); }

  /// Directions at X by (first, second, third): of unit length along the axes, third = axis; or from the axis away, around it, along it.
  template <class T>
  struct Params {
    Solid::Params<T> elastic;
    Vec<3, T> center{}, axis, first;
    Vec<3 * most_fibres, T> fibre_direction{};
    Vec<most_fibres, T> fibre_about{}, fibre_stiffness{}, fibre_exponent{}, fibre_compression{};
    Vec<3, T> growth{};
    Vec<most_branches, T> share{}, time{};
  };
  static void fields(auto& p, auto&& field) {
    Solid::fields(p.elastic, field);
    field(p.center, Field{.name = "center", .unit = "m", .doc = "a point of the axis", .value = 0});
    field(p.axis, Field{.name = "axis", .unit = "1", .doc = "third direction of fibres and growth, of any length"});
    field(p.first, Field{.name = "first", .unit = "1", .doc = "first direction, made perpendicular to the axis"});
    field(p.fibre_direction, Field{.name = "fibre_direction",
                                   .unit = "1",
                                   .doc = "of each family, by first, second and third direction, of any length",
                                   .value = 0});
    field(p.fibre_about, Field{.name = "fibre_about",
                               .unit = "1",
                               .doc = "1: of each family, directions from the axis, around it and along it",
                               .value = 0,
                               .min = 0,
                               .max = 1});
    composite_law_fields(p, field);
  }

  /// Those of a solid but for its energy, in whose place stands the stretch of the fibres, of several families the largest. With growth strains,
  /// stresses and J are of what is left of the motion beside growth.
  static constexpr auto probes = [] {
    auto out = std::to_array(Solid::probes);
    out[Solid::energy_probe] = "fibre_stretch";
    return out;
  }();
  static constexpr int fibre_probe = Solid::energy_probe;
};

/// Slots: nodes, then the signals of growth along the three directions.
template <SolidKind its_kind>
struct CompositeSolidElement : CompositeSolid {
  static constexpr SolidKind kind = its_kind;
  static constexpr int nodes = node_count(kind);
  static constexpr std::string_view name = [] {
    constexpr std::string_view names[] = {"composite_solid_hexahedron_8", "composite_solid_hexahedron_20",
                                          "composite_solid_hexahedron_27", "composite_solid_tetrahedron_4",
                                          "composite_solid_tetrahedron_10"};
    return names[static_cast<int>(kind)];
  }();
  static constexpr std::array slots = [] {
    std::array<SlotKind, nodes + 3> kinds{};
    kinds.fill(SlotKind::point);
    for (int i = 0; i < 3; ++i) kinds[nodes + i] = SlotKind::signal;
    return kinds;
  }();
};

}  // namespace flexura
