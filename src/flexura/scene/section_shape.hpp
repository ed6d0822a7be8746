#pragma once
// Cross-sections of beams and cables from their shapes.

#include "flexura/scene/document.hpp"

namespace flexura::detail {

/// Of a section with axes 1 (a rectangle's height) and 2 (its width). Units: m.
struct SectionShape {
  double A = 0;                   ///< area
  double I1 = 0, I2 = 0;          ///< ∫ x₂² dA and ∫ x₁² dA: bending about axes 1 and 2
  double J = 0;                   ///< St. Venant's torsion constant
  double shear1 = 0, shear2 = 0;  ///< correction factors of shear along axes 1 and 2 [cowper1966]
};

/// A number of a section at a share of the length: linear between those at the start and at the end where it has two.
double number_at(const Record& record, std::string_view key, double share, double otherwise = 0);

/// `shape`: circle, rectangle or tube; nu: Poisson's ratio; share of the length, where it changes along it.
SectionShape section_shape(const Record& shape, double nu, double share);

}  // namespace flexura::detail
