#include "flexura/material/elastic_laws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace flexura::test {
namespace {

using enum ElasticLaw;
using enum VolumeForm;

TEST(ElasticLaws, AreFoundByTheirNames) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < elastic_laws().size(); ++i) {
    const ElasticLawRow& row = elastic_laws()[i];
    EXPECT_EQ(static_cast<size_t>(row.law), i);
    EXPECT_EQ(find_elastic_law(row.name), &row);
    EXPECT_LE(row.fields.size(), static_cast<size_t>(most_elastic_constants));
    names.insert(row.name);
  }
  EXPECT_EQ(names.size(), 8u);
  EXPECT_EQ(find_elastic_law("rubber"), nullptr);
}

ElasticInput with(std::vector<std::optional<double>> constants) {
  ElasticInput out;
  out.constants = std::move(constants);
  return out;
}

// Whatever is given, ψ has it at rest: for each law and form, from E and ν and from μ and k.
TEST(ElasticLaws, HaveTheModuliThatWereAskedFor) {
  for (const ElasticLawRow& row : elastic_laws()) {
    for (const VolumeForm form : {isochoric, coupled}) {
      if (form == coupled && !row.has_forms) continue;
      const LawChoice choice{row.law, form};
      ElasticInput input;
      input.constants.resize(row.fields.size());
      if (row.law == gent) input.constants[1] = 50;
      if (row.law == arruda_boyce) input.constants[1] = 2.5;
      if (row.law == mooney_rivlin) input.constants[1] = 2e4;
      if (row.law == ogden) input.constants = {{}, 1.3, 1.2e3, 5.0, -1e4, -2.0};
      input.E = 1.2e6;
      input.nu = 0.49;
      const ElasticOutcome out = complete_constants(choice, input);
      ASSERT_TRUE(out.problems.empty()) << row.name << ": " << out.problems[0];
      const ElasticModuli moduli = moduli_at_rest(choice, out.constants);
      EXPECT_NEAR(moduli.young(), 1.2e6, 1e-6) << row.name;
      EXPECT_NEAR(moduli.poisson(), 0.49, 1e-12) << row.name;

      input.E.reset(), input.nu.reset();
      input.mu = 3e5;
      input.bulk = 4e8;
      const ElasticOutcome other = complete_constants(choice, input);
      ASSERT_TRUE(other.problems.empty()) << row.name;
      EXPECT_NEAR(moduli_at_rest(choice, other.constants).shear, 3e5, 1e-6) << row.name;
      EXPECT_EQ(other.constants.bulk, row.has_volume ? 4e8 : 0) << row.name;
    }
  }
}

TEST(ElasticLaws, AreNearlyIncompressibleIfNothingIsSaidOfTheVolume) {
  for (const ElasticLaw law : {yeoh, yeoh_paper}) {
    const ElasticOutcome out = complete_constants({law, isochoric}, with({2e5, 3e4}));
    ASSERT_TRUE(out.problems.empty());
    EXPECT_EQ(out.constants.c[2], 0);
    EXPECT_NEAR(out.constants.bulk, 4e8, 1e-6);
  }
}

// The moduli are those of Cauchy's stress about the state at rest, also of a law that has stress S I there: σ = F S(C) Fᵀ/J
// by differences of simple shear and of even swelling. Central differences of 1e-5 leave 1e-10 of the law's own scale.
TEST(ElasticLaws, HaveTheModuliThatASampleShows) {
  const double h = 1e-5;
  for (const ElasticLaw law : {yeoh, yeoh_paper}) {
    const LawChoice choice{law, isochoric};
    const ElasticConstants<double> constants = complete_constants(choice, with({2e5, 3e4})).constants;
    double S[6];
    const auto stretch = [&](const double(&C)[6]) {
      elastic_stress(choice, constants, C, S);
      add_volume_stress(constants, VolumeChange<double>(C), S);
    };
    const auto sheared = [&](double g) {  // σ₁₂ of F = 1 + γ e₁⊗e₂
      stretch({1, 1 + g * g, 1, 0, 0, g});
      return S[5] + g * S[1];
    };
    const auto swollen = [&](double l) { return stretch({l * l, l * l, l * l, 0, 0, 0}), S[0] / l; };
    const ElasticModuli moduli = moduli_at_rest(choice, constants);
    EXPECT_NEAR((sheared(h) - sheared(-h)) / (2 * h), moduli.shear, 1e-7 * moduli.shear);
    EXPECT_NEAR((swollen(1 + h) - swollen(1 - h)) / (6 * h), moduli.bulk, 1e-7 * moduli.bulk);
  }
}

TEST(ElasticLaws, TellEveryProblemAtOnce) {
  ElasticInput input = with({std::nullopt, -3.0});
  input.nu = 0.5;
  const ElasticOutcome out = complete_constants({gent, isochoric}, input);
  ASSERT_EQ(out.problems.size(), 3u);
  EXPECT_EQ(out.problems[0], "Jm = -3 is out of bounds: more than 0 is needed");
  EXPECT_EQ(
      out.problems[1],
      "nu = 0.5 is not between −1 and 0.5; leave it out for a material that is nearly incompressible, or give bulk");
  EXPECT_EQ(out.problems[2], "mu is missing: shear modulus μ; or give E or mu");

  input = with({2e5});
  input.E = 1e6, input.mu = 3e5;
  EXPECT_EQ(complete_constants({neo_hooke, isochoric}, input).problems.at(0),
            "E and mu say the same; give one of them");
  input = with({-1e5, 2e4});
  EXPECT_EQ(complete_constants({mooney_rivlin, isochoric}, input).problems.at(0),
            "the shear modulus at rest, -160000 Pa, is not positive");
  input = with({2e5});
  input.nu = 0.1;
  EXPECT_EQ(complete_constants({neo_hooke, coupled}, input).problems.size(), 0u);
  input.nu = -0.2;
  EXPECT_EQ(complete_constants({neo_hooke, coupled}, input).problems.size(), 1u);

  input = with({3e5});
  input.bulk = 1e5;
  EXPECT_EQ(complete_constants({yeoh_paper, isochoric}, input).problems.at(0),
            "bulk = 100000 Pa is too low: yeoh-paper alone has -200000 Pa at rest");
}

TEST(ElasticPresets, HaveASourceThatIsListed) {
  std::ifstream file("docs/references.bib");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const ElasticPreset& preset : elastic_presets()) {
    EXPECT_NE(text.find("{" + std::string(preset.source) + ","), std::string::npos) << preset.name;
    EXPECT_FALSE(preset.range.empty());
    EXPECT_GT(moduli_at_rest(preset.choice, preset.constants).shear, 0);
    EXPECT_EQ(find_elastic_preset(preset.name), &preset);
  }
}

}  // namespace
}  // namespace flexura::test
