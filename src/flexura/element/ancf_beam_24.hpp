#pragma once

#include "flexura/element/law_options.hpp"
#include "flexura/material/hyperelastic.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// Fully parameterised ANCF beam: two nodes × (r, r_x, r_y, r_z), 24 coordinates [yakoub2001]; curved and twisted references too.
///
///      r_z ↑  ↗ r_y                 x ∈ [0, l] along the axis, y along r_y and z along r_z in the section; ξ = x/l
///        0 o────────o 1             r = m(ξ) + y n_y(ξ) + z n_z(ξ)
///            → r_x                  m: cubic Hermite of r and r_x,   n_y, n_z: linear between the nodes' r_y, r_z
///
/// Any law of rubber, integrated over the section. Equations: ancf_beam_24_kernel.hpp.
struct AncfBeam24 {
  static constexpr std::string_view name = "ancf_beam_24";
  static constexpr std::array slots{SlotKind::point, SlotKind::vector, SlotKind::vector, SlotKind::vector,
                                    SlotKind::point, SlotKind::vector, SlotKind::vector, SlotKind::vector};
  static constexpr int dim = 3;
  static constexpr Role role = Role::conservative;
  static constexpr int count = 8, dofs = 24;  ///< functions, coordinates

  /// enhanced: bends, shears and twists as the section does and locks in none of it; selective: U(J) on the axis alone [xing2022 eq 25];
  /// full: all of it everywhere [yakoub2001].
  enum class Strains { enhanced, selective, full };
  /// Within the box size_1 × size_2: all of it, or the ellipse in it less that of `hole` times its size.
  enum class Section { rectangle, ellipse };
  /// Points of a section: 9, exact to degree 5, of ellipses 12, exact to degree 7; or 4, exact to degree 3.
  enum class Points { fine, coarse };
  enum class Damped { no, yes };
  struct Options {
    ElasticLaw law = ElasticLaw::neo_hooke;
    VolumeForm form = VolumeForm::isochoric;
    Strains strains = Strains::enhanced;
    Section section = Section::rectangle;
    Points points = Points::fine;
    Damped damped = Damped::no;
    bool operator==(const Options&) const = default;
    LawChoice choice() const { return {law, form}; }
  };
  static bool symmetric(const Options& o) { return o.damped == Damped::no; }
  static bool uses_velocity(const Options& o) { return o.damped == Damped::yes; }
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view strains[] = {"enhanced", "selective", "full"};
    static constexpr std::string_view sections[] = {"rectangle", "ellipse"};
    static constexpr std::string_view points[] = {"fine", "coarse"};
    static constexpr std::string_view yes_no[] = {"no", "yes"};
    law_options(o, option);
    option(o.strains,
           Option{"strains", "as a section has them, change of volume on the axis only, or as they are", strains});
    option(o.section, Option{"section", "its shape", sections});
    option(o.points, Option{"points", "of a section: 9 or of an ellipse 12, or 4", points});
    option(o.damped, Option{"damped", "whether the viscosity acts", yes_no});
  }

  template <class T>
  struct Params {
    T length, size_1, size_2, hole{}, rho;
    Vec<most_elastic_constants, T> constants;
    T bulk, viscosity{}, shear_1{}, shear_2{}, torsion{}, contraction_1{}, contraction_2{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.length, Field{.name = "length", .unit = "m", .doc = "length l of the parameter x", .above = 0});
    field(p.size_1, Field{.name = "size_1", .unit = "m", .doc = "extent of the section along r_y", .above = 0});
    field(p.size_2, Field{.name = "size_2", .unit = "m", .doc = "extent of the section along r_z", .above = 0});
    field(p.hole, Field{.name = "hole",
                        .unit = "1",
                        .doc = "size of the hole of an ellipse over that of the ellipse",
                        .value = 0,
                        .min = 0,
                        .max = 0.999999});
    field(p.rho, Field{.name = "rho", .unit = "kg/m^3", .doc = "density", .min = 0});
    field(p.constants, Field{.name = "constants", .unit = "Pa", .doc = "of the law, in its order", .value = 0});
    field(p.bulk, Field{.name = "bulk", .unit = "Pa", .doc = "bulk modulus k of k/2 (J - 1)^2", .min = 0});
    field(p.viscosity, Field{.name = "viscosity",
                             .unit = "Pa s",
                             .doc = "of the stress 2 eta dE/dt: retardation time times modulus of shear",
                             .value = 0,
                             .min = 0});
    const auto factor = [&](auto& member, std::string_view name, std::string_view doc, double value, double min) {
      field(member, Field{.name = name, .unit = "1", .doc = doc, .value = value, .min = min, .max = 1});
    };
    factor(p.shear_1, "shear_1", "enhanced: correction factor of shear along r_y", 1, 0);
    factor(p.shear_2, "shear_2", "enhanced: correction factor of shear along r_z", 1, 0);
    factor(p.torsion, "torsion", "enhanced: torsion constant over 4 I1 I2/(I1 + I2), which warping by y z has", 1, 0);
    factor(p.contraction_1, "contraction_1", "enhanced: nu along r_y of what bending stretches", 0, -1);
    factor(p.contraction_2, "contraction_2", "enhanced: nu along r_z of what bending stretches", 0, -1);
  }
};

}  // namespace flexura
