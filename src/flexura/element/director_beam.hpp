#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Spatial beam with torsion, shear and section directions: geometrically exact, of N nodes.
///
///     r₀,d₀ ├────┼────┤ r₂,d₂       d = (d₁, d₂, d₃) orthonormal at the nodes: constraints vector_length, inner_product;
///          ╱    ╱    ╱              d₁, d₂ along the principal axes of the section, d₃ its normal
///                                   equations: director_beam_kernel.hpp
template <int N>
struct DirectorBeam {
  static constexpr std::string_view name = N == 2 ? "director_beam_2" : "director_beam_3";
  static constexpr int dim = 3;
  static constexpr auto slots = [] {
    std::array<SlotKind, 4 * N> kinds{};
    for (int a = 0; a < 4 * N; ++a) kinds[a] = a % 4 == 0 ? SlotKind::point : SlotKind::vector;
    return kinds;
  }();
  static constexpr Role role = Role::conservative;

  enum class Damped { no, yes };
  struct Options {
    Damped damped = Damped::no;
    bool operator==(const Options&) const = default;
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view yes_no[] = {"no", "yes"};
    option(o.damped, Option{"damped", "whether the retardation times act", yes_no});
  }
  static bool symmetric(const Options& o) { return o.damped == Damped::no; }
  static bool uses_velocity(const Options& o) { return o.damped == Damped::yes; }

  template <class T>
  struct Params {
    T GA1, GA2, EA, EI1, EI2, GJ, rhoA, rhoI1, rhoI2, stretch_retardation{}, bend_retardation{}, twist_retardation{};
  };
  static void fields(auto& p, auto&& field) {
    const auto stiffness = [&](auto& member, std::string_view name, std::string_view unit, std::string_view doc) {
      field(member, Field{.name = name, .unit = unit, .doc = doc, .min = 0});
    };
    stiffness(p.GA1, "GA1", "N", "shear stiffness along d1");
    stiffness(p.GA2, "GA2", "N", "shear stiffness along d2");
    stiffness(p.EA, "EA", "N", "axial stiffness");
    stiffness(p.EI1, "EI1", "N m^2", "bending stiffness about d1");
    stiffness(p.EI2, "EI2", "N m^2", "bending stiffness about d2");
    stiffness(p.GJ, "GJ", "N m^2", "torsional stiffness");
    stiffness(p.rhoA, "rhoA", "kg/m", "mass per length");
    stiffness(p.rhoI1, "rhoI1", "kg m", "moment of inertia about d1 per length");
    stiffness(p.rhoI2, "rhoI2", "kg m", "moment of inertia about d2 per length");
    const auto retardation = [&](auto& member, std::string_view name, std::string_view doc) {
      field(member, Field{.name = name, .unit = "s", .doc = doc, .value = 0, .min = 0});
    };
    retardation(p.stretch_retardation, "stretch_retardation", "Kelvin–Voigt time of stretch and shear");
    retardation(p.bend_retardation, "bend_retardation", "Kelvin–Voigt time of bending");
    retardation(p.twist_retardation, "twist_retardation", "Kelvin–Voigt time of torsion");
  }

  /// Lagrange polynomials at nodes ξ = 0, (½,) 1 and their derivatives.
  struct Shape {
    double f[N], df[N];
  };
  static constexpr Shape shape(double x) {
    if constexpr (N == 2) {
      return {{1 - x, x}, {-1, 1}};
    } else {
      return {{(1 - x) * (1 - 2 * x), 4 * x * (1 - x), x * (2 * x - 1)}, {4 * x - 3, 4 - 8 * x, 4 * x - 1}};
    }
  }
};

using DirectorBeam2 = DirectorBeam<2>;
using DirectorBeam3 = DirectorBeam<3>;

}  // namespace flexura
