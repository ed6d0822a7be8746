#pragma once
// The laws of hyperelastic.hpp as rows: what a scene, a fit and the documentation say of them comes from here.

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/material/hyperelastic.hpp"

namespace flexura {

/// A constant of a law. `value` NaN: required; `above`: open bound, NaN: none.
struct ElasticField {
  std::string_view name, unit, doc;
  double value = std::numeric_limits<double>::quiet_NaN();
  double above = std::numeric_limits<double>::quiet_NaN();

  bool required() const { return std::isnan(value); }
  bool allows(double x) const { return std::isfinite(x) && !(x <= above); }
};

struct ElasticLawRow {
  ElasticLaw law;
  std::string_view name, doc;
  std::span<const ElasticField> fields;  ///< constants c[0], c[1], … in order; those with a default may be left out
  int stiffness = 0;        ///< the constant that follows from a modulus of shear where it is given in its place
  bool has_volume = true;   ///< W and U apart; else all of ψ in W, and bulk is 0
  bool has_forms = true;    ///< isochoric and coupled
  bool stress_free = true;  ///< no stress at C = 1

  /// Whether tension of an incompressible body alone tells its constants.
  bool can_be_fitted() const { return has_volume && stress_free; }
};

/// In the order of ElasticLaw.
std::span<const ElasticLawRow> elastic_laws();
const ElasticLawRow& elastic_law(ElasticLaw law);
/// Null if there is none.
const ElasticLawRow* find_elastic_law(std::string_view name);
std::vector<std::string> fittable_laws();

/// Of ψ at C = 1 [Pa].
struct ElasticModuli {
  double shear = 0, bulk = 0;

  double young() const { return 9 * bulk * shear / (3 * bulk + shear); }
  double poisson() const { return (3 * bulk - 2 * shear) / (2 * (3 * bulk + shear)); }
};
ElasticModuli moduli_at_rest(LawChoice choice, const ElasticConstants<double>& constants);

/// What people know of a material beside, or in place of, constants of its law.
struct ElasticInput {
  std::vector<std::optional<double>> constants;  ///< as in the law's fields
  std::optional<double> E, nu, mu, bulk;  ///< Young's, Poisson's, shear, bulk at C = 1; nothing of nu, bulk: k = 1000 μ
};
inline constexpr double nearly_incompressible = 1000;  ///< k/μ where nothing is said of the volume

/// Constants with which ψ has all that was given at C = 1, or what is wrong, all of it.
struct ElasticOutcome {
  ElasticConstants<double> constants{};
  std::vector<std::string> problems;
};
ElasticOutcome complete_constants(LawChoice choice, const ElasticInput& input);

/// A material with a source that can be named.
struct ElasticPreset {
  std::string_view name, doc;
  std::string_view source;  ///< key of docs/references.bib
  std::string_view range;   ///< where it was measured
  LawChoice choice;
  ElasticConstants<double> constants;
  double rho;  ///< [kg/m³]
};
std::span<const ElasticPreset> elastic_presets();
const ElasticPreset* find_elastic_preset(std::string_view name);

}  // namespace flexura
