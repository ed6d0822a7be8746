#pragma once

#include "flexura/element/composite_fields.hpp"
#include "flexura/element/membrane.hpp"
#include "flexura/material/orthotropic_sheet.hpp"

namespace flexura {

/// Triangle of a membrane of which more than a law of rubber is said: it is woven, relaxes, has fibres, grows, is damped. Equations:
/// composite_membrane_kernel.hpp. Slots: points as of Membrane, then the signals of growth along the three directions.
struct CompositeMembrane {
  static constexpr std::string_view name = "composite_membrane_triangle";
  static constexpr int dim = 3, nodes = 3;
  static constexpr std::array slots{SlotKind::point,  SlotKind::point,  SlotKind::point,
                                    SlotKind::signal, SlotKind::signal, SlotKind::signal};
  static constexpr Role role = Role::conservative;

  using Branches = PronyBranches;
  using Families = FibreFamilies;
  enum class Weave { isotropic, orthotropic };
  enum class Grows { no, yes };
  enum class Damped { no, yes };
  struct Options {
    Membrane::Options elastic{};
    Weave weave = Weave::isotropic;
    Damped damped = Damped::no;
    Grows grows = Grows::no;
    Families families = Families::none;
    Branches branches = Branches::none;
    bool operator==(const Options&) const = default;
    int fibres() const { return static_cast<int>(families); }
    int count() const { return static_cast<int>(branches); }
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view weaves[] = {"isotropic", "orthotropic"};
    static constexpr std::string_view no_yes[] = {"no", "yes"};
    Membrane::options(o.elastic, option);
    option(o.weave, Option{"weave", "whether the law or six moduli say its stress", weaves});
    option(o.damped, Option{"damped", "whether the retardation acts", no_yes});
    option(o.grows, Option{"grows", "whether growth acts", no_yes});
    composite_options(o, option);
  }
  static bool symmetric(const Options& o) { return o.damped == Damped::no; }
  static bool uses_velocity(const Options& o) { return o.damped == Damped::yes; }

  /// Directions: the first as given, made tangent; across it in the surface; the normal.
  template <class T>
  struct Params {
    T rho, thickness;
    Vec<2, T> stretch{};
    Vec<3, T> first;
    Vec<most_elastic_constants, T> constants{};
    T bulk{}, retardation{};
    Vec<sheet_moduli, T> moduli{};
    Vec<2 * most_fibres, T> fibre_direction{};
    Vec<most_fibres, T> fibre_stiffness{}, fibre_exponent{}, fibre_compression{};
    Vec<3, T> growth{};
    Vec<most_branches, T> share{}, time{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.rho, Field{.name = "rho", .unit = "kg/m^3", .doc = "density", .min = 0});
    triangle_fields(p, field);
    field(p.constants, Field{.name = "constants", .unit = "SI", .doc = "of the law, in its order", .value = 0});
    field(p.bulk, Field{.name = "bulk", .unit = "Pa", .doc = "bulk modulus k of k/2 (J - 1)^2", .value = 0, .min = 0});
    field(p.retardation, Field{.name = "retardation", .unit = "s", .doc = "Kelvin-Voigt time", .value = 0, .min = 0});
    field(p.moduli, Field{.name = "moduli",
                          .unit = "Pa",
                          .doc = "of weave = orthotropic by the first two directions: 11, 12, 22, 16, 26, 66",
                          .value = 0});
    field(p.fibre_direction, Field{.name = "fibre_direction",
                                   .unit = "1",
                                   .doc = "of each family, by the first two directions, of any length",
                                   .value = 0});
    composite_law_fields(p, field);
  }

  /// Those of a membrane but for its energy, in whose place stands the stretch of the fibres, of several families the largest. With growth
  /// strains, stresses and J are of what is left of the motion beside growth.
  static constexpr auto probes = [] {
    auto out = Membrane::probes;
    out[Solid::energy_probe] = "fibre_stretch";
    return out;
  }();
  static constexpr int fibre_probe = Solid::energy_probe;
};

}  // namespace flexura
