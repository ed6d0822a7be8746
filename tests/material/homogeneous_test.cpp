#include "flexura/material/homogeneous.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "flexura/material/elastic_laws.hpp"
#include "flexura/material/stability.hpp"

namespace flexura::test {
namespace {

using enum ElasticLaw;
using enum TensionTest;
using enum VolumeForm;

constexpr TensionTest tests[] = {uniaxial, equibiaxial, planar};
const ElasticConstants<double> silicone{{0.2712e6, 0.03053e6, -0.0004013e6}, 1e9};

// benchmarks: closed forms 2 (λ − λ⁻²) w₁, 2 (λ − λ⁻⁵) w₁, 2 (λ − λ⁻³) w₁ with the constants of [xing2022], printed to 1e-3 Pa.
TEST(Tension, OfAnIncompressibleYeohMaterialIsTheClosedForm) {
  const double expected[3][2] = {{646862.754, 1359765.400}, {1016333.629, 2163505.089}, {753571.947, 1509338.461}};
  for (const TensionTest test : tests)
    for (int k = 0; k < 2; ++k)
      for (const VolumeForm form : {isochoric, coupled}) {
        const double l = k == 0 ? 1.5 : 2, P = expected[static_cast<int>(test)][k];
        EXPECT_NEAR(incompressible_tension(test, {yeoh, form}, silicone, l) / P, 1, 1e-9);
      }
}

// The same at 1e-12 for other stretches, compression included.
TEST(Tension, IsTheClosedFormAtAnyStretch) {
  for (const double l : {0.3, 0.7, 1.01, 2.7, 4.0}) {
    const double powers[3] = {-2, -5, -3};
    for (const TensionTest test : tests) {
      const auto [a, b, c] = incompressible_stretches(test, l).of;
      const double x = a * a + b * b + c * c - 3;
      const double w1 = silicone.c[0] + 2 * silicone.c[1] * x + 3 * silicone.c[2] * x * x;
      const double P = 2 * (l - std::pow(l, powers[static_cast<int>(test)])) * w1;
      EXPECT_NEAR(incompressible_tension(test, {yeoh, isochoric}, silicone, l), P, 1e-12 * (std::abs(P) + 1e6)) << l;
    }
  }
}

// [ogden1972]: P = Σ μ (λ^(α − 1) − λ^(−α/2 − 1)) in uniaxial tension.
TEST(Tension, OfOgdensRubberIsTheClosedForm) {
  const ElasticPreset& rubber = *find_elastic_preset("natural-rubber-treloar");
  for (const double l : {0.5, 1.2, 3.0, 7.0}) {
    double P = 0;
    for (int n = 0; n < 3; ++n) {
      const double mu = rubber.constants.c[2 * n], alpha = rubber.constants.c[2 * n + 1];
      P += mu * (std::pow(l, alpha - 1) - std::pow(l, -alpha / 2 - 1));
    }
    EXPECT_NEAR(incompressible_tension(uniaxial, rubber.choice, rubber.constants, l), P, 1e-12 * (std::abs(P) + 1e6));
  }
}

// Records of [marechal2021] at stretches 2, 3.5 and 5, nominal [Pa]. Fitted within 2.8, 1.7 and 3.8 % rms of sixteen points; single
// ones lie up to twice as far.
TEST(Tension, OfSiliconesIsWhatWasMeasured) {
  const struct {
    std::string_view name;
    double stress[3];
  } records[] = {{"ecoflex-00-30", {29.72e3, 65.93e3, 114.76e3}},
                 {"ecoflex-00-50", {40.95e3, 101.295e3, 182.995e3}},
                 {"dragon-skin-30", {437.1e3, 1238.7e3, 2143.1e3}}};
  const double stretches[3] = {2, 3.5, 5};
  for (const auto& record : records) {
    const ElasticPreset& rubber = *find_elastic_preset(record.name);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(incompressible_tension(uniaxial, rubber.choice, rubber.constants, stretches[k]), record.stress[k],
                  0.06 * record.stress[k])
          << record.name << " at " << stretches[k];
  }
}

// Its data sheet: 272 psi at 100 %. E at rest by hardness [gent1958], in MPa: 0.0981 (56 + 7.62336 S)/(0.137505 (254 − 2.54 S)). The
// constants have four digits.
TEST(Tension, OfSmoothSilGoesThroughItsDataSheet) {
  const ElasticPreset& rubber = *find_elastic_preset("smooth-sil-950");
  EXPECT_NEAR(incompressible_tension(uniaxial, rubber.choice, rubber.constants, 2), 272 * 6894.757, 1e-3 * 1.875e6);
  const double S = 50, E = 0.0981e6 * (56 + 7.62336 * S) / (0.137505 * (254 - 2.54 * S));
  EXPECT_NEAR(moduli_at_rest(rubber.choice, rubber.constants).shear, E / 3, 1e-3 * E / 3);
}

// dP/dλ against central differences, h² = 1e-10.
TEST(Tension, HasItsSlope) {
  for (const TensionTest test : tests)
    for (const double l : {0.6, 1.0, 1.8}) {
      double slope = 0;
      incompressible_tension(test, {yeoh, isochoric}, silicone, l, &slope);
      const double up = incompressible_tension(test, {yeoh, isochoric}, silicone, l + 1e-5);
      const double down = incompressible_tension(test, {yeoh, isochoric}, silicone, l - 1e-5);
      EXPECT_NEAR(slope, (up - down) / 2e-5, 1e-8 * slope + 1);
    }
}

// The free directions have no stress, so P is the slope of the energy along the test: central differences, h² = 1e-8.
TEST(CompressibleTension, IsTheSlopeOfItsEnergy) {
  for (const TensionTest test : tests)
    for (const VolumeForm form : {isochoric, coupled})
      for (const double l : {0.7, 1.3, 2.5}) {
        const LawChoice choice{mooney_rivlin, form};
        const ElasticConstants<double> constants{{2e5, 5e4}, 2e6};
        const auto energy = [&](double stretch) {
          const auto [a, b, c] = compressible_tension(test, choice, constants, stretch).stretches.of;
          const double C[6] = {a * a, b * b, c * c, 0, 0, 0};
          return elastic_energy(choice, constants, C) + volume_energy(constants, a * b * c);
        };
        const double sides = test == equibiaxial ? 2 : 1;
        const double slope = (energy(l + 1e-4) - energy(l - 1e-4)) / 2e-4;
        EXPECT_NEAR(sides * compressible_tension(test, choice, constants, l).stress, slope, 2e-7 * std::abs(slope));
      }
}

// P = E (λ − 1) at first; the difference to the incompressible one is of order μ/k.
TEST(CompressibleTension, TendsToTheIncompressibleOne) {
  ElasticInput input;
  input.E = 1e6, input.nu = 0.3;
  const LawChoice choice{neo_hooke, coupled};
  const ElasticConstants<double> soft = complete_constants(choice, input).constants;
  EXPECT_NEAR(compressible_tension(uniaxial, choice, soft, 1 + 1e-7).stress, 0.1, 1e-6);
  for (const TensionTest test : tests) {
    ElasticConstants<double> constants = silicone;
    double last = 0;
    for (const double k : {1e8, 1e9, 1e10}) {
      constants.bulk = k;
      const double P = compressible_tension(test, {yeoh, isochoric}, constants, 2).stress;
      const double error = std::abs(P / incompressible_tension(test, {yeoh, isochoric}, constants, 2) - 1);
      EXPECT_LT(error, 4e6 / k);
      if (last > 0) {
        EXPECT_NEAR(error / last, 0.1, 0.01);
      }
      last = error;
    }
  }
}

// Ŵ = ½ μ Σ λᵢ²: M = 2 μ [λ₁² + λ₃², λ₃²; λ₃², λ₂² + λ₃²], definite everywhere.
TEST(Drucker, OfNeoHookeIsTheClosedForm) {
  const ElasticConstants<double> constants{{4e5}, 0};
  for (const VolumeForm form : {isochoric, coupled})
    for (const double l : {0.4, 1.0, 3.0}) {
      const Stretches<double> at = incompressible_stretches(planar, l);
      const double a = l * l + 1 / (l * l), b = 1 + 1 / (l * l), c = 1 / (l * l);
      const double least = 0.5 * (a + b) - std::hypot(0.5 * (a - b), c);
      EXPECT_NEAR(drucker_margin({neo_hooke, form}, constants, at), 8e5 * least, 1e-8 * 8e5);
      const StableRange range = stable_range(planar, {neo_hooke, form}, constants);
      EXPECT_EQ(range.low, 0);
      EXPECT_EQ(range.high, std::numeric_limits<double>::infinity());
    }
}

// With C₃₀ < 0 a Yeoh material gives way: at the end of the range the margin is zero, and just inside positive. In uniaxial tension
// M's stretch along the bar gives way, so that λ dσ/dλ = 0 there: λ P passes its maximum.
TEST(Drucker, EndsWhereTheStressIsLargest) {
  const StableRange range = stable_range(uniaxial, {yeoh, isochoric}, silicone);
  EXPECT_GT(range.high, 3);
  EXPECT_LT(range.high, 10);
  const auto cauchy = [](double l) { return l * incompressible_tension(uniaxial, {yeoh, isochoric}, silicone, l); };
  EXPECT_NEAR((cauchy(range.high + 1e-4) - cauchy(range.high - 1e-4)) / 2e-4, 0, 1);
}

// A neo-Hookean body is stable at every stretch, M is positive definite: the search ends without a limit, wherever it ends.
TEST(Drucker, FindsNoLimitWhereThereIsNone) {
  for (const double high : {2.0, 13.0, 100.0})
    for (const TensionTest test : tests) {
      const StableRange range = stable_range(test, {neo_hooke, isochoric}, {{1e5}, 0}, {1 / high, high});
      EXPECT_EQ(range.low, 0) << high;
      EXPECT_EQ(range.high, std::numeric_limits<double>::infinity()) << high;
    }
}

TEST(Drucker, KnowsThatALawIsUnstableAtRest) {
  const StableRange range = stable_range(equibiaxial, {mooney_rivlin, isochoric}, {{1e5, -2e5}, 1e8});
  EXPECT_EQ(range.low, 1);
  EXPECT_EQ(range.high, 1);
}

}  // namespace
}  // namespace flexura::test
