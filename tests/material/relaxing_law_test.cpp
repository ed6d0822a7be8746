// Laws over a step of relaxation, and fibres: stress and stiffness against duals, limits.

#include "flexura/material/relaxing_law.hpp"

#include <gtest/gtest.h>

#include "flexura/material/fibre_law.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using D1 = Dual<double>;

/// C of a random F with stretches from about 0.6 to 1.5.
void random_C(Random& random, double (&C)[6]) {
  double F[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) F[i][j] = (i == j) + random.uniform(-0.3, 0.3);
  for (int p = 0; p < 6; ++p) {
    C[p] = 0;
    for (int i = 0; i < 3; ++i) C[p] += F[i][voigt_first[p]] * F[i][voigt_second[p]];
  }
}
/// C with a derivative of ε_q = ½ (1 for shears) C_q.
void seeded(const double (&C)[6], int q, D1 (&out)[6]) {
  for (int p = 0; p < 6; ++p) out[p] = {C[p], p != q ? 0.0 : q < 3 ? 2.0 : 1.0};
}

// 1e-13 of the largest: rounding.
void expect_derivatives(const auto& law, const auto& dual, const double (&C)[6]) {
  double S[6], again[6], D[21], size = 0;
  law.stress(0, C, S);
  law.stiffness(0, C, again, D);
  for (double d : D) size = std::max(size, std::fabs(d));
  for (int q = 0; q < 6; ++q) {
    D1 c[6], s[6];
    seeded(C, q, c);
    EXPECT_NEAR(dual.energy(0, c).d, S[q], 1e-13 * size);
    EXPECT_NEAR(again[q], S[q], 1e-14 * size);
    dual.stress(0, c, s);
    for (int p = 0; p <= q; ++p) EXPECT_NEAR(s[p].d, D[triangle(q, p)], 1e-13 * size) << p << q;
  }
}

TEST(LawOfStep, StressAndStiffnessAreDerivatives) {
  Random random(1);
  const std::pair<LawChoice, ElasticConstants<double>> laws[] = {
      {{ElasticLaw::yeoh, VolumeForm::isochoric}, {{2.0, 0.5, 0.1}, 0}},
      {{ElasticLaw::mooney_rivlin, VolumeForm::coupled}, {{1.0, 0.5}, 0}},
      {{ElasticLaw::st_venant_kirchhoff, VolumeForm::isochoric}, {{-1.0, 1.5}, 0}}};
  for (const auto& [choice, constants] : laws)
    for (int sample = 0; sample < 20; ++sample) {
      double C[6], N[6];
      random_C(random, C);
      for (double& n : N) n = random.uniform(-2, 2);
      ElasticConstants<D1> dual_constants{};
      D1 dual_N[6];
      for (int i = 0; i < most_elastic_constants; ++i) dual_constants.c[i] = constants.c[i];
      for (int p = 0; p < 6; ++p) dual_N[p] = N[p];
      expect_derivatives(LawOfStep<double>{choice, constants, 0.7, N},
                         LawOfStep<D1>{choice, dual_constants, D1(0.7), dual_N}, C);
    }
}

// What relaxes of an isochoric law never pulls apart or presses together: S:C = 0. 1e-14 of its terms.
TEST(LawOfStep, IsochoricOverstressHasNoPressure) {
  Random random(2);
  const ElasticConstants<double> constants{{2.0, 0.5, 0.1}, 0};
  for (int sample = 0; sample < 20; ++sample) {
    double C[6], N[6], S[6];
    random_C(random, C);
    for (double& n : N) n = random.uniform(-2, 2);
    LawOfStep<double>{{ElasticLaw::yeoh, VolumeForm::isochoric}, constants, 0.7, N}.stress(0, C, S);
    EXPECT_NEAR(double_product(S, C), 0, 2e-14 * (std::fabs(S[0]) + std::fabs(S[1]) + 10));
  }
}

template <class T>
struct Fibres {
  FibreLaw<T> law;
  T direction[3];
  FibresAtPoints<T> at() const { return {1, &law, direction}; }
  T energy(int k, const T (&C)[6]) const { return at().energy(k, C); }
  void stress(int k, const T (&C)[6], T (&S)[6]) const {
    for (T& s : S) s = T(0.0);
    at().add_stress(k, C, S);
  }
  void stiffness(int k, const T (&C)[6], T (&S)[6], T (&D)[21]) const {
    for (T& s : S) s = T(0.0);
    for (T& d : D) d = T(0.0);
    at().add_stiffness(k, C, S, D);
  }
};

TEST(FibreLaw, StressAndStiffnessAreDerivatives) {
  Random random(3);
  for (const double exponent : {0.0, 1e-9, 0.3, 4.0})
    for (const double compression : {0.0, 1.0})
      for (int sample = 0; sample < 10; ++sample) {
        double C[6], a[3];
        random_C(random, C);
        for (double& x : a) x = random.uniform(-1, 1);
        const double size = std::hypot(a[0], a[1], a[2]);
        const Fibres<double> one{{3.0, exponent, compression}, {a[0] / size, a[1] / size, a[2] / size}};
        const Fibres<D1> dual{{D1(3.0), D1(exponent), D1(compression)},
                              {D1(one.direction[0]), D1(one.direction[1]), D1(one.direction[2])}};
        double S[6];
        one.stress(0, C, S);
        if (compression == 0 && S[0] == 0) continue;  // slack: nothing to compare
        expect_derivatives(one, dual, C);
      }
}

// λ = 1.2 along the fibre: x = 0.44, S = 2 k₁ x exp(k₂ x²); slack at λ = 0.8; the modulus at rest is 4 k₁.
TEST(FibreLaw, MeetsItsClosedForm) {
  const Fibres<double> fibre{{1.5, 0.7, 0.0}, {1, 0, 0}};
  double S[6], D[21];
  const double stretched[6] = {1.44, 1, 1, 0, 0, 0}, pressed[6] = {0.64, 1, 1, 0, 0, 0}, rest[6] = {1, 1, 1, 0, 0, 0};
  fibre.stress(0, stretched, S);
  EXPECT_NEAR(S[0], 2 * 1.5 * 0.44 * std::exp(0.7 * 0.44 * 0.44), 1e-15);
  EXPECT_NEAR(fibre.energy(0, stretched), 1.5 / 1.4 * std::expm1(0.7 * 0.44 * 0.44), 1e-16);
  for (int p = 1; p < 6; ++p) EXPECT_EQ(S[p], 0);
  fibre.stress(0, pressed, S);
  EXPECT_EQ(S[0], 0);
  EXPECT_EQ(fibre.energy(0, pressed), 0);
  fibre.stiffness(0, rest, S, D);
  EXPECT_EQ(D[0], 4 * 1.5);
}

}  // namespace
}  // namespace flexura::test
