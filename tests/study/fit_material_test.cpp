#include "flexura/study/fit_material.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "flexura/base/problem.hpp"
#include "flexura/study/fit_material_output.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using enum TensionTest;

TensionData tension(TensionTest test, LawChoice choice, const ElasticConstants<double>& constants, double most,
                    double noise = 0) {
  TensionData out{.name = "made", .test = test, .stretch = {}, .stress = {}};
  Random random(static_cast<std::uint64_t>(test) + 11);
  for (int i = 1; i <= 20; ++i) {
    out.stretch.push_back(1 + (most - 1) * i / 20);
    const double P = incompressible_tension(test, choice, constants, out.stretch.back());
    out.stress.push_back(P * (1 + noise * random.uniform(-1, 1)));
  }
  return out;
}

std::vector<TensionData> all_tests(LawChoice choice, const ElasticConstants<double>& constants, double noise = 0) {
  return {tension(uniaxial, choice, constants, 4, noise), tension(equibiaxial, choice, constants, 2.5, noise),
          tension(planar, choice, constants, 3, noise)};
}

struct KnownRubber {
  ElasticLaw law;
  ElasticConstants<double> constants;
};
const KnownRubber known[] = {
    {ElasticLaw::neo_hooke, {{4e5}, 0}},          {ElasticLaw::mooney_rivlin, {{1.5e5, 3e4}, 0}},
    {ElasticLaw::yeoh, {{1.8e5, -1.5e3, 40}, 0}}, {ElasticLaw::ogden, {{6.3e5, 1.3, 1.2e3, 5, -1e4, -2}, 0}},
    {ElasticLaw::gent, {{2.7e5, 60}, 0}},         {ElasticLaw::arruda_boyce, {{2.7e5, 3.2}, 0}},
};

// What a law made, it finds again: constants within 1e-5, whatever else tries, and no law is better.
TEST(FitMaterial, FindsTheConstantsThatMadeTheData) {
  for (const KnownRubber& rubber : known) {
    const LawChoice choice{rubber.law, VolumeForm::isochoric};
    const MaterialFit fit = fit_material(all_tests(choice, rubber.constants));
    const LawFit& law = *std::ranges::find(fit.laws, choice, &LawFit::choice);
    EXPECT_TRUE(law.converged) << law.row().name;
    for (size_t i = 0; i < law.fitted.size(); ++i)
      EXPECT_NEAR(law.fitted[i].value / rubber.constants.c[i], 1, 1e-5) << law.row().name << ' ' << law.fitted[i].name;
    EXPECT_LT(law.rms, 1) << law.row().name;
    EXPECT_GT(law.r_squared, 1 - 1e-10);
  }
}

// With noise the true constants lie within four standard errors, and those are of the noise's size.
TEST(FitMaterial, KnowsHowWellItKnows) {
  for (const KnownRubber& rubber : known) {
    const LawChoice choice{rubber.law, VolumeForm::isochoric};
    FitMaterialOptions options{.laws = {std::string(elastic_law(rubber.law).name)}, .fixed = {}, .relative = true};
    const MaterialFit fit = fit_material(all_tests(choice, rubber.constants, 0.01), options);
    for (size_t i = 0; i < fit.laws[0].fitted.size(); ++i) {
      const FittedConstant& c = fit.laws[0].fitted[i];
      if (c.at_bound) continue;
      EXPECT_GT(c.standard_error, 0) << c.name;
      EXPECT_LT(std::abs(c.value - rubber.constants.c[i]), 4 * c.standard_error)
          << fit.laws[0].row().name << ' ' << c.name;
    }
    EXPECT_NEAR(fit.laws[0].rms_relative, 0.01 / std::sqrt(3.0), 0.002);
  }
}

// [treloar1944] with relative residuals: Ogden's law comes close to the constants that [ogden1972] drew by hand, 0.63 MPa, 1.3,
// 1.2 kPa, 5.0, −10 kPa, −2.0, and is the best of all laws; neo-Hooke's is the worst.
TEST(FitMaterial, OfTreloarsRubber) {
  std::vector<TensionFile> files;
  for (const char* test : {"uniaxial", "equibiaxial", "planar"})
    files.push_back({std::string("examples/treloar_") + test + ".csv", {}});
  TensionReading reading = read_tension_files(files, "");
  EXPECT_TRUE(reading.warnings.empty());
  const MaterialFit fit = fit_material(reading.data, {.laws = {}, .fixed = {}, .relative = true});
  const LawFit& best = fit.laws[fit.best];
  ASSERT_EQ(best.row().name, "ogden");
  EXPECT_TRUE(best.is_stable);
  EXPECT_LT(best.rms_relative, 0.06);
  EXPECT_NEAR(best.fitted[0].value, 6.3e5, 0.7e5);
  EXPECT_NEAR(best.fitted[1].value, 1.3, 0.1);
  EXPECT_NEAR(best.fitted[3].value, 5.0, 0.5);
  EXPECT_NEAR(best.fitted[5].value, -2.0, 0.1);
  for (const LawFit& law : fit.laws) EXPECT_LE(law.rms_relative, fit.laws[0].rms_relative) << law.row().name;
  // Ogden's own constants are no better than those found
  const ElasticPreset& preset = *find_elastic_preset("natural-rubber-treloar");
  double sum = 0;
  size_t points = 0;
  for (const TensionData& test : reading.data) {
    double largest = 0;
    for (const double P : test.stress) largest = std::max(largest, P);
    for (size_t i = 0; i < test.stretch.size(); ++i, ++points)
      sum += std::pow(
          (incompressible_tension(test.test, preset.choice, preset.constants, test.stretch[i]) - test.stress[i]) /
              std::max(test.stress[i], largest / 20),
          2);
  }
  EXPECT_GT(std::sqrt(sum / static_cast<double>(points)), best.rms_relative);
  EXPECT_LT(std::sqrt(sum / static_cast<double>(points)), 0.2);
}

TEST(FitMaterial, LeavesFixedConstantsAlone) {
  const LawChoice choice{ElasticLaw::ogden, VolumeForm::isochoric};
  const MaterialFit fit = fit_material(all_tests(choice, known[3].constants),
                                       {.laws = {"ogden"}, .fixed = {{"alpha1", 1.3}, {"mu3", -1e4}}});
  EXPECT_TRUE(fit.laws[0].fitted[1].fixed);
  EXPECT_EQ(fit.laws[0].fitted[1].value, 1.3);
  EXPECT_EQ(fit.laws[0].fitted[4].value, -1e4);
  EXPECT_NEAR(fit.laws[0].fitted[0].value, 6.3e5, 1);
}

TEST(FitMaterial, SaysWhereALawGivesWay) {
  const LawChoice choice{ElasticLaw::yeoh, VolumeForm::isochoric};
  const ElasticConstants<double> silicone{{2.712e5, 3.053e4, -401.3}, 1e9};
  const MaterialFit fit = fit_material({tension(uniaxial, choice, silicone, 8)}, {.laws = {"yeoh"}});
  EXPECT_FALSE(fit.laws[0].is_stable);
  ASSERT_FALSE(fit.laws[0].notes.empty());
  EXPECT_NE(fit.laws[0].notes[0].find("unstable in uniaxial tension beyond a stretch of"), std::string::npos);
  EXPECT_NE(fit.warnings.at(0).find("only uniaxial tension was measured"), std::string::npos);
}

TEST(FitMaterial, RefusesWhatItCannotDo) {
  const std::vector<TensionData> data = all_tests({ElasticLaw::neo_hooke, VolumeForm::isochoric}, known[0].constants);
  try {
    fit_material(data, {.laws = {"yeo", "st-venant-kirchhoff", "neo-hooke"}, .fixed = {{"Jn", 3}}});
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 3u);
    EXPECT_EQ(error.problems()[0].nearest, "yeoh");
    EXPECT_EQ(error.problems()[1].message,
              "tension of an incompressible body does not tell the constants of st-venant-kirchhoff");
    EXPECT_EQ(error.problems()[2].message, "none of these laws has a constant \"Jn\"");
  }
}

TEST(FitMaterial, WritesWhatAPersonReads) {
  const MaterialFit fit =
      fit_material(all_tests({ElasticLaw::yeoh, VolumeForm::isochoric}, known[2].constants), {.laws = {"yeoh"}});
  EXPECT_EQ(fit_toml(fit.laws[0], "wall"),
            "[material.wall]\ntype = \"yeoh\"\nc10 = \"0.18 MPa\"\nc20 = \"-1.5 kPa\"\nc30 = \"40 Pa\"\n"
            "bulk = \"360 MPa\"  # not measured: 1000 times the shear modulus\n"
            "rho = \"1100 kg/m^3\"  # not measured: put in that of your material\n");
  const std::string page = fit_page(fit, "wall");
  for (const char* part : {"<svg", "residual", "Correlation", "[material.wall]", "</html>"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace flexura::test
