#pragma once
// Cross-sections of cables and beams, and how they change along them.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "flexura/element/ancf_cable_2d.hpp"
#include "flexura/material/prony.hpp"
#include "flexura/part/origin.hpp"

namespace flexura {

/// Geometry of a section with axes 1 (a rectangle's height) and 2 (its width). Units: m.
struct SectionGeometry {
  double A = 0;                   ///< area
  double I1 = 0, I2 = 0;          ///< ∫ x₂² dA and ∫ x₁² dA: bending about axes 1 and 2
  double J = 0;                   ///< St. Venant's torsion constant
  double shear1 = 0, shear2 = 0;  ///< correction factors of shear along axes 1 and 2 [cowper1966]
};

/// nu: Poisson's ratio.
SectionGeometry rectangle_section(double width, double height, double nu);
/// inner = 0: solid.
SectionGeometry round_section(double radius, double inner, double nu);

/// What a section is at a place; 0 where it is not given. `EI`: of a cable, in the plane of bending.
struct SectionNumbers {
  double GA1 = 0, GA2 = 0, EA = 0, EI = 0, EI1 = 0, EI2 = 0, GJ = 0;  ///< [N, N, N, N m², …]
  double rhoA = 0, rhoI1 = 0, rhoI2 = 0;                              ///< [kg/m, kg m, kg m]
};

/// E [Pa], nu [1], rho [kg/m³].
SectionNumbers section_numbers(const SectionGeometry& shape, double E, double nu, double rho);

/// A section along a part, which may taper: a size factor f(s) multiplies its lengths, so that EA, GA and ρA grow with f²,
/// EI, GJ and ρI with f⁴.
class SectionLaw {
 public:
  SectionLaw(const SectionNumbers& everywhere = {}) : plain_([everywhere](double) { return everywhere; }) {}
  /// `plain`: at a share of the length, without the factor. `factor`: f at the arc length s [m]; null: 1.
  SectionLaw(std::function<SectionNumbers(double share)> plain, bool changes, std::function<double(double s)> factor)
      : plain_(std::move(plain)), factor_(std::move(factor)), tapers_(changes || factor_ != nullptr) {}

  bool tapers() const { return tapers_; }
  double factor(double s) const { return factor_ == nullptr ? 1 : factor_(s); }
  /// At a share, without the size factor.
  SectionNumbers plain(double share) const { return plain_(share); }
  /// At a share of a part of that length.
  SectionNumbers at(double share, double length) const;
  /// Mean over a stretch between two shares. Elements of constant section hold it: exact mass; deflections, with
  /// the stiffness right on average, are in error by the square of the element's length.
  SectionNumbers mean(double from, double to, double length) const;
  /// Least f where the mean looks at it, and at both ends; NaN if it is one.
  double least_factor(double from, double to, double length) const;

 private:
  std::function<SectionNumbers(double)> plain_;
  std::function<double(double)> factor_;
  bool tapers_ = false;
};

/// A number along a part: the same everywhere, or linear between those at its ends.
struct Along {
  double start = 0, end = 0;

  Along(double everywhere = 0) : start(everywhere), end(everywhere) {}
  Along(double at_start, double at_end) : start(at_start), end(at_end) {}
  double at(double share) const { return start + share * (end - start); }
  bool changes() const { return start != end; }
};

/// What a section looks like. Units: m.
struct SectionOutline {
  enum class Type { round, tube, rectangle };
  Type type = Type::round;
  Along radius = {}, wall = {};   ///< round, tube
  Along width = {}, height = {};  ///< rectangle: along axes 2 and 1

  static SectionOutline round(Along radius) { return {.type = Type::round, .radius = radius}; }
  static SectionOutline tube(Along radius, Along wall) { return {.type = Type::tube, .radius = radius, .wall = wall}; }
  static SectionOutline rectangle(Along width, Along height) {
    return {.type = Type::rectangle, .width = width, .height = height};
  }

  SectionGeometry at(double share, double nu) const;
  bool changes() const { return radius.changes() || wall.changes() || width.changes() || height.changes(); }
};

/// What a cable or beam is made of.
struct SectionSpec {
  Origin origin = {};
  SectionLaw law = {};
  std::optional<SectionOutline> outline = {};  ///< how it looks, without the law's size factor; else nobody knows
  AncfCable2d::Curvature curvature = AncfCable2d::Curvature::material;       ///< of cables
  AncfCable2d::Axial axial = AncfCable2d::Axial::green;                      ///< of cables
  AncfCable2d::Integration integration = AncfCable2d::Integration::reduced;  ///< of cables: points of stretch
  /// Kelvin–Voigt retardation times [s]; of torsion: of beams.
  double damping_stretch = 0, damping_bend = 0, damping_twist = 0;
  double mass_damping = 0;  ///< c of −c M v [1/s]
  /// Of planar cables: b of EI (1 + b κ²) [m²], κ from the reference; c₂ of −c₂ K v as published [s].
  double bend_stiffening = 0, stiffness_damping = 0;
  PronySeries relaxation = {};
  bool bends_alike = true;  ///< in all directions
  std::string rubber =
      {};  ///< its material, where that is a law of rubber, which beams of full elements have: "material.NAME"
};

/// Of a shape and a material: E [Pa], nu [1], rho [kg/m³].
SectionSpec section_of(const SectionOutline& outline, double E, double nu, double rho);

/// Means over elements of equal length; empty after a problem, which is `part`'s.
std::vector<SectionNumbers> sections_along(const SectionLaw& law, double length, long elements, const Origin& part,
                                           Problems& problems);

}  // namespace flexura
