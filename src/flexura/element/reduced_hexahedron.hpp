#pragma once

#include "flexura/element/solid.hpp"

namespace flexura {

/// Hexahedron of 8 nodes with one point and hourglass modes that are held by assumed stresses; equations: reduced_hexahedron_kernel.hpp.
struct ReducedHexahedron8 {
  static constexpr SolidKind kind = SolidKind::hexahedron_8;
  static constexpr int dim = 3, nodes = 8;
  static constexpr std::string_view name = "solid_hexahedron_8_reduced";
  static constexpr Role role = Role::conservative;
  static constexpr auto slots = SolidHexahedron8::slots;
  static constexpr auto probes = std::to_array(Solid::probes);

  using Damped = Solid::Damped;
  struct Options {
    ElasticLaw law = ElasticLaw::neo_hooke;
    VolumeForm form = VolumeForm::isochoric;
    Damped damped = Damped::no;
    bool operator==(const Options&) const = default;
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view yes_no[] = {"no", "yes"};
    law_options(o, option);
    option(o.damped, Option{"damped", "whether the viscosity acts", yes_no});
  }
  static bool symmetric(const Options& o) { return o.damped == Damped::no; }
  static bool uses_velocity(const Options& o) { return o.damped == Damped::yes; }

  template <class T>
  using Params = Solid::Params<T>;
  static void fields(auto& p, auto&& field) { Solid::fields(p, field); }
};

}  // namespace flexura
