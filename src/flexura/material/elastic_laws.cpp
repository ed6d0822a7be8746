#include "flexura/material/elastic_laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flexura {

namespace {

const ElasticField kirchhoff_fields[] = {{.name = "lambda", .unit = "Pa", .doc = "Lamé's λ"},
                                         {.name = "mu", .unit = "Pa", .doc = "shear modulus μ", .above = 0}};
const ElasticField neo_hooke_fields[] = {{.name = "mu", .unit = "Pa", .doc = "shear modulus μ", .above = 0}};
const ElasticField mooney_fields[] = {{.name = "c10", .unit = "Pa", .doc = "factor C₁₀ of I₁ − 3"},
                                      {.name = "c01", .unit = "Pa", .doc = "factor C₀₁ of I₂ − 3", .value = 0}};
const ElasticField yeoh_fields[] = {{.name = "c10", .unit = "Pa", .doc = "factor C₁₀ of I₁ − 3", .above = 0},
                                    {.name = "c20", .unit = "Pa", .doc = "factor C₂₀ of (I₁ − 3)²", .value = 0},
                                    {.name = "c30", .unit = "Pa", .doc = "factor C₃₀ of (I₁ − 3)³", .value = 0}};
const ElasticField ogden_fields[] = {{.name = "mu1", .unit = "Pa", .doc = "μ₁ of the first term"},
                                     {.name = "alpha1", .unit = "1", .doc = "exponent α₁", .value = 2},
                                     {.name = "mu2", .unit = "Pa", .doc = "μ₂ of the second term", .value = 0},
                                     {.name = "alpha2", .unit = "1", .doc = "exponent α₂", .value = 4},
                                     {.name = "mu3", .unit = "Pa", .doc = "μ₃ of the third term", .value = 0},
                                     {.name = "alpha3", .unit = "1", .doc = "exponent α₃", .value = -2}};
const ElasticField gent_fields[] = {
    {.name = "mu", .unit = "Pa", .doc = "shear modulus μ", .above = 0},
    {.name = "Jm", .unit = "1", .doc = "I₁ − 3 at which the chains are stretched out", .above = 0}};
const ElasticField arruda_boyce_fields[] = {
    {.name = "mu", .unit = "Pa", .doc = "μ of the chains, a little less than the shear modulus", .above = 0},
    {.name = "lambda_m", .unit = "1", .doc = "stretch at which the chains are stretched out", .above = 1}};

const ElasticLawRow rows[] = {
    {.law = ElasticLaw::st_venant_kirchhoff,
     .name = "st-venant-kirchhoff",
     .doc = "½ λ (tr E)² + μ E:E: large turns, small strains",
     .fields = kirchhoff_fields,
     .stiffness = 1,
     .has_volume = false,
     .has_forms = false},
    {.law = ElasticLaw::neo_hooke,
     .name = "neo-hooke",
     .doc = "½ μ (I₁ − 3): rubber to about half its length again",
     .fields = neo_hooke_fields},
    {.law = ElasticLaw::mooney_rivlin,
     .name = "mooney-rivlin",
     .doc = "C₁₀ (I₁ − 3) + C₀₁ (I₂ − 3): softer in tension than in compression",
     .fields = mooney_fields},
    {.law = ElasticLaw::yeoh,
     .name = "yeoh",
     .doc = "Σ Cᵢ₀ (I₁ − 3)ⁱ, three terms: stiffens again at large stretch",
     .fields = yeoh_fields},
    {.law = ElasticLaw::ogden,
     .name = "ogden",
     .doc = "Σ μᵢ/αᵢ (λ₁^αᵢ + λ₂^αᵢ + λ₃^αᵢ − 3), three terms by principal stretches",
     .fields = ogden_fields},
    {.law = ElasticLaw::gent,
     .name = "gent",
     .doc = "−½ μ Jₘ ln(1 − (I₁ − 3)/Jₘ): chains of finite length",
     .fields = gent_fields},
    {.law = ElasticLaw::arruda_boyce,
     .name = "arruda-boyce",
     .doc = "network of eight chains of finite length, five terms",
     .fields = arruda_boyce_fields},
    {.law = ElasticLaw::yeoh_paper,
     .name = "yeoh-paper",
     .doc = "Σ Cᵢ₀ (I₁ − 3)ⁱ of C itself, as xing2022 prints it: not free of stress at rest",
     .fields = yeoh_fields,
     .has_forms = false,
     .stress_free = false},
};

const ElasticPreset presets[] = {
    {.name = "natural-rubber-treloar",
     .doc = "vulcanised natural rubber, unfilled",
     .source = "ogden1972",
     .range = "uniaxial to a stretch of 7, equibiaxial to 4.5, planar to 5, slow, 20 °C [treloar1944]",
     .choice = {ElasticLaw::ogden, VolumeForm::isochoric},
     .constants = {{6.3e5, 1.3, 1.2e3, 5.0, -1.0e4, -2.0}, 4.225e8},
     .rho = 930},
    {.name = "elastosil-m4601",
     .doc = "silicone, Shore A 28",
     .source = "holland2014",
     .range = "uniaxial tension; used there for pneumatic fingers",
     .choice = {ElasticLaw::yeoh, VolumeForm::isochoric},
     .constants = {{1.1e5, 2.0e4, 0.0}, 2.2e8},
     .rho = 1130},
    {.name = "ecoflex-00-30",
     .doc = "silicone, Shore 00-30",
     .source = "marechal2021",
     .range = "fitted to its uniaxial tension up to a stretch of 5, 450 mm/min, strain of the crosshead; within 2.8 %",
     .choice = {ElasticLaw::yeoh, VolumeForm::isochoric},
     .constants = {{7.585e3, 125.0, -1.172}, 1.517e7},
     .rho = 1070},
    {.name = "ecoflex-00-50",
     .doc = "silicone, Shore 00-50",
     .source = "marechal2021",
     .range = "fitted to its uniaxial tension up to a stretch of 5, 450 mm/min, strain of the crosshead; within 1.7 %",
     .choice = {ElasticLaw::yeoh, VolumeForm::isochoric},
     .constants = {{1.0447e4, 271.6, -2.946}, 2.089e7},
     .rho = 1070},
    {.name = "dragon-skin-30",
     .doc = "silicone, Shore A 30",
     .source = "marechal2021",
     .range = "fitted to its uniaxial tension up to a stretch of 5, 450 mm/min, strain of the crosshead; within 3.8 %",
     .choice = {ElasticLaw::yeoh, VolumeForm::isochoric},
     .constants = {{9.602e4, 6.161e3, -110.7}, 1.920e8},
     .rho = 1080},
    {.name = "smooth-sil-950",
     .doc = "silicone, Shore A 50",
     .source = "smoothon-950",
     .range = "through two figures of its maker, nothing measured here: the modulus at 100 %, 1.875 MPa, and at rest "
              "that of "
              "Shore A 50 [gent1958], to a stretch of 2",
     .choice = {ElasticLaw::yeoh, VolumeForm::isochoric},
     .constants = {{4.093e5, 3.162e4, 0.0}, 8.186e8},
     .rho = 1240},
    {.name = "silicone-xing2022",
     .doc = "silicone of the finger of xing2022",
     .source = "xing2022",
     .range = "not given; unstable in tension where C₃₀ < 0 takes over",
     .choice = {ElasticLaw::yeoh, VolumeForm::isochoric},
     .constants = {{2.712e5, 3.053e4, -401.3}, 1e9},
     .rho = 1100},
};

}  // namespace

std::span<const ElasticLawRow> elastic_laws() { return rows; }
const ElasticLawRow& elastic_law(ElasticLaw law) { return rows[static_cast<size_t>(law)]; }
const ElasticLawRow* find_elastic_law(std::string_view name) {
  const auto found = std::ranges::find(rows, name, &ElasticLawRow::name);
  return found == std::end(rows) ? nullptr : &*found;
}

std::vector<std::string> fittable_laws() {
  std::vector<std::string> out;
  for (const ElasticLawRow& row : elastic_laws())
    if (row.can_be_fitted()) out.emplace_back(row.name);
  return out;
}

std::span<const ElasticPreset> elastic_presets() { return presets; }
const ElasticPreset* find_elastic_preset(std::string_view name) {
  const auto found = std::ranges::find(presets, name, &ElasticPreset::name);
  return found == std::end(presets) ? nullptr : &*found;
}

ElasticModuli moduli_at_rest(LawChoice choice, const ElasticConstants<double>& constants) {
  const double C[6] = {1, 1, 1, 0, 0, 0};
  double S[6], D[21];
  elastic_stiffness(choice, constants, C, S, D);
  add_volume_stiffness(constants, VolumeChange<double>(C), D);
  const double stress = elastic_law(choice.law).stress_free ? 0 : S[0];
  return {.shear = D[triangle(3, 3)] + stress, .bulk = (D[triangle(0, 0)] + 2 * D[triangle(0, 1)] - stress) / 3};
}

namespace {

/// Fills in `constants` from `input`, step by step; each step says what is missing or contradicts what was given.
class Completion {
 public:
  Completion(LawChoice choice, const ElasticInput& input)
      : choice_(choice), row_(elastic_law(choice.law)), input_(input), given_(input.constants) {
    given_.resize(row_.fields.size());
  }

  ElasticOutcome finish() && {
    check_bounds();
    if (!row_.has_volume) take_kirchhoff();
    take_constants();
    if (out_.problems.empty() && row_.has_volume) take_bulk();
    if (out_.problems.empty() && !row_.has_volume) check_kirchhoff();
    return std::move(out_);
  }

 private:
  void say(std::string_view problem) { out_.problems.emplace_back(problem); }
  double& constant(size_t i) { return out_.constants.c[i]; }
  size_t stiffness() const { return static_cast<size_t>(row_.stiffness); }

  static std::string bounds(const ElasticField& field) {
    return std::isnan(field.above) ? std::string("a finite number")
                                   : fmt::format("more than {:g} is needed", field.above);
  }

  void check_bounds() {
    for (size_t i = 0; i < given_.size(); ++i)
      if (given_[i] && !row_.fields[i].allows(*given_[i]))
        say(fmt::format("{} = {:g} is out of bounds: {}", row_.fields[i].name, *given_[i], bounds(row_.fields[i])));
    if (input_.E && !(*input_.E > 0)) say(fmt::format("E = {:g} Pa is not positive", *input_.E));
    if (input_.mu && !(*input_.mu > 0)) say(fmt::format("mu = {:g} Pa is not positive", *input_.mu));
    if (input_.bulk && !(*input_.bulk > 0)) say(fmt::format("bulk = {:g} Pa is not positive", *input_.bulk));
    if (input_.nu && !(*input_.nu > -1 && *input_.nu < 0.5))
      say(
          fmt::format("nu = {:g} is not between −1 and 0.5; leave it out for a material that is nearly incompressible, "
                      "or give bulk",
                      *input_.nu));
    if (input_.E && input_.bulk && *input_.E > 0 && *input_.bulk > 0 && *input_.E >= 9 * *input_.bulk)
      say(fmt::format("bulk = {:g} Pa is too low: with E = {:g} Pa it is more than {:g} Pa, a ninth", *input_.bulk,
                      *input_.E, *input_.E / 9));
    if (input_.E && input_.mu) say("E and mu say the same; give one of them");
    if (input_.nu && input_.bulk) say("nu and bulk say the same; give one of them");
    has_modulus_ = input_.E || input_.mu;
    if (has_modulus_ && given_[stiffness()] && out_.problems.empty())
      say(fmt::format("{} and {} say the same; give one of them", input_.E ? "E" : "mu",
                      row_.fields[stiffness()].name));
  }

  /// Of E or μ, with ν or k or nearly incompressible.
  double shear() const {
    if (input_.mu) return *input_.mu;
    const double E = *input_.E;
    if (input_.nu) return E / (2 * (1 + *input_.nu));
    if (input_.bulk) return 3 * *input_.bulk * E / (9 * *input_.bulk - E);
    return E * (3 * nearly_incompressible + 1) / (9 * nearly_incompressible);
  }
  static double bulk_of(double mu, double nu) { return 2 * mu * (1 + nu) / (3 * (1 - 2 * nu)); }

  /// λ = K − ⅔ μ from what is known of the volume.
  void take_kirchhoff() {
    if (!out_.problems.empty() || given_[0]) return;
    if (!input_.nu && !input_.bulk) return;
    if (!has_modulus_ && !given_[1]) return;
    const double mu = given_[1] ? *given_[1] : shear();
    given_[0] = (input_.bulk ? *input_.bulk : bulk_of(mu, *input_.nu)) - mu * 2 / 3;
  }

  void check_kirchhoff() {
    const ElasticModuli own = moduli_at_rest(choice_, out_.constants);
    if (!(own.bulk > 0))
      say(fmt::format(
          "lambda = {:g} Pa leaves no resistance to a change of volume: the bulk modulus, lambda + 2/3 mu, is "
          "{:g} Pa",
          constant(0), own.bulk));
  }

  void take_constants() {
    for (size_t i = 0; i < given_.size(); ++i) {
      const ElasticField& field = row_.fields[i];
      if (has_modulus_ && i == stiffness()) continue;
      if (!given_[i] && field.required())
        say(i == stiffness() ? fmt::format("{} is missing: {}; or give E or mu", field.name, field.doc)
                             : fmt::format("{} is missing: {}{}", field.name, field.doc,
                                           row_.has_volume ? "" : "; or give nu or bulk"));
      constant(i) = given_[i].value_or(field.value);
    }
    if (has_modulus_ && out_.problems.empty()) take_stiffness();
  }

  /// The shear modulus is linear in the constant.
  void take_stiffness() {
    const double mu = shear();
    const auto with = [&](double c) {
      ElasticConstants<double> trial = out_.constants;
      trial.c[stiffness()] = c;
      return moduli_at_rest(choice_, trial).shear;
    };
    const double rest = with(0), slope = (with(mu) - rest) / mu;
    constant(stiffness()) = (mu - rest) / slope;
    if (!row_.fields[stiffness()].allows(constant(stiffness())))
      say(fmt::format("with these constants a shear modulus of {:g} Pa asks for {} = {:g}", mu,
                      row_.fields[stiffness()].name, constant(stiffness())));
  }

  /// k = K − that of W; `bulk` is k itself.
  void take_bulk() {
    const ElasticModuli own = moduli_at_rest(choice_, out_.constants);
    if (row_.stress_free && !(own.shear > 0))
      say(fmt::format("the shear modulus at rest, {:g} Pa, is not positive", own.shear));
    if (input_.nu) {
      out_.constants.bulk = bulk_of(own.shear, *input_.nu) - own.bulk;
      if (!(out_.constants.bulk >= 0))
        say(fmt::format("the coupled form of {} resists a change of volume by itself, too much for nu = {:g}",
                        row_.name, *input_.nu));
    } else {
      out_.constants.bulk = input_.bulk.value_or(nearly_incompressible * own.shear);
      if (own.shear > 0 && !(out_.constants.bulk + own.bulk >= 0))
        say(fmt::format("bulk = {:g} Pa is too low: {} alone has {:g} Pa at rest", out_.constants.bulk, row_.name,
                        own.bulk));
    }
  }

  LawChoice choice_;
  const ElasticLawRow& row_;
  const ElasticInput& input_;
  std::vector<std::optional<double>> given_;
  bool has_modulus_ = false;
  ElasticOutcome out_;
};

}  // namespace

ElasticOutcome complete_constants(LawChoice choice, const ElasticInput& input) {
  return Completion(choice, input).finish();
}

}  // namespace flexura
