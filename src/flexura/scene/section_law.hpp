#pragma once
// Cross-sections along a cable or beam.

#include <functional>

#include "flexura/scene/document.hpp"

namespace flexura::detail {

/// What a section is at a place; 0 where it is not given. `EI`: of a cable, in the plane of bending.
struct SectionNumbers {
  double GA1 = 0, GA2 = 0, EA = 0, EI = 0, EI1 = 0, EI2 = 0, GJ = 0;
  double rhoA = 0, rhoI1 = 0, rhoI2 = 0;
};

/// A [section.NAME], which may taper: numbers given as [at the start, at the end] are linear between, and a size factor f(s)
/// multiplies its lengths, so that EA, GA and ρA grow with f², EI, GJ and ρI with f⁴.
class SectionLaw {
 public:
  /// `material`: that of its shape; null where it has none. `factor`: f at the arc length s; null: 1.
  SectionLaw(const Record& section, const Record* material, std::function<double(double s)> factor);

  bool tapers() const { return tapers_; }
  const Record& section() const { return *section_; }
  double factor(double s) const { return factor_ == nullptr ? 1 : factor_(s); }
  /// At a share, without the size factor.
  SectionNumbers plain(double share) const;
  /// At a share of a part of that length.
  SectionNumbers at(double share, double length) const;
  /// Mean over a stretch between two shares. Elements of constant section hold it: exact mass; deflections, with
  /// the stiffness right on average, are in error by the square of the element's length.
  SectionNumbers mean(double from, double to, double length) const;
  /// Least f where the mean looks at it, and at both ends; NaN if it is one.
  double least_factor(double from, double to, double length) const;

 private:
  const Record* section_;
  const Record *shape_, *material_;
  std::function<double(double)> factor_;
  bool tapers_ = false;
};

/// Of a [section.NAME] of the scene. Throws InputError for what is wrong with its size factor.
SectionLaw section_law(const Record& section, const SceneDocument& scene);

}  // namespace flexura::detail
