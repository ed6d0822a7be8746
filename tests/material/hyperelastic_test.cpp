#include "flexura/material/hyperelastic.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using D1 = Dual<double>;
using Matrix = std::array<std::array<double, 3>, 3>;
struct State {
  double C[6];
};

State state_of(const Matrix& F) {
  State out{};
  for (int p = 0; p < 6; ++p)
    for (int i = 0; i < 3; ++i) out.C[p] += F[i][voigt_first[p]] * F[i][voigt_second[p]];
  return out;
}

struct LawCase {
  std::string name;
  LawChoice choice;
  ElasticConstants<double> constants;
  double mu;  ///< at C = 1 [Pa]
};

std::vector<LawCase> law_cases() {
  using enum ElasticLaw;
  using enum VolumeForm;
  std::vector<LawCase> out{
      {"st_venant_kirchhoff", {st_venant_kirchhoff, isochoric}, {{4e5, 2.5e5}, 0}, 2.5e5},
      {"yeoh_paper", {yeoh_paper, isochoric}, {{2.7e5, 3e4, -400}, 1e9}, 0},
  };
  for (const VolumeForm form : {isochoric, coupled}) {
    const std::string suffix = form == isochoric ? "_isochoric" : "_coupled";
    out.push_back({"neo_hooke" + suffix, {neo_hooke, form}, {{4e5}, 1e7}, 4e5});
    out.push_back({"mooney_rivlin" + suffix, {mooney_rivlin, form}, {{2e5, 5e4}, 1e7}, 5e5});
    out.push_back({"yeoh" + suffix, {yeoh, form}, {{2.7e5, 3e4, -400}, 1e9}, 5.4e5});
    out.push_back({"gent" + suffix, {gent, form}, {{3e5, 60}, 1e8}, 3e5});
    out.push_back(
        {"ogden" + suffix, {ogden, form}, {{6.3e5, 1.3, 1.2e3, 5, -1e4, -2}, 1e8}, 0.5 * (6.3e5 * 1.3 + 6e3 + 2e4)});
    out.push_back({"ogden_one_term" + suffix, {ogden, form}, {{2e5, 7.5, 0, 0, 0, 1}, 1e8}, 7.5e5});
    const double stiffening = 1 + 3 / (5 * 9.0) + 99 / (175 * 81.0) + 513 / (875 * 729.0) + 42039 / (67375 * 6561.0);
    out.push_back({"arruda_boyce" + suffix, {arruda_boyce, form}, {{2e5, 3}, 1e8}, 2e5 * stiffening});
  }
  return out;
}

/// Near and far from F = 1, with two and three equal stretches, squeezed, and turned at will (J from 0.7 to 1.4).
std::vector<State> states() {
  std::vector<State> out{
      state_of({{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}), state_of({{{1.1, 0, 0}, {0, 1.1, 0}, {0, 0, 1.1}}}),
      state_of({{{3, 0, 0}, {0, 0.6, 0}, {0, 0, 0.6}}}), state_of({{{2, 0, 0}, {0, 2, 0}, {0, 0, 0.25}}})};
  Random random(7);
  for (const double size : {1e-8, 1e-4, 0.05, 0.3, 0.5})
    for (int k = 0; k < 4; ++k) {
      Matrix F{};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) F[i][j] = (i == j) + random.uniform(-size, size);
      out.push_back(state_of(F));
    }
  // two equal stretches in turned axes: F = 1 + x n⊗n
  for (const double x : {-0.4, 1e-6, 1.5}) {
    const double n[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7};
    Matrix F{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) F[i][j] = (i == j) + x * n[i] * n[j];
    out.push_back(state_of(F));
  }
  return out;
}

class EveryLaw : public testing::TestWithParam<LawCase> {
 protected:
  ElasticConstants<D1> dual_constants() const {
    ElasticConstants<D1> out{};
    for (int i = 0; i < most_elastic_constants; ++i) out.c[i] = GetParam().constants.c[i];
    out.bulk = GetParam().constants.bulk;
    return out;
  }
};

double largest(const double* x, int n) {
  double out = 0;
  for (int i = 0; i < n; ++i) out = std::max(out, std::abs(x[i]));
  return out;
}

// S_p = ∂ψ/∂E_p, E = C/2; off the diagonal one entry of the dual stands for two. Rounding: measured below 1e-15 of the law's
// modulus (taken as 1 MPa) and S.
TEST_P(EveryLaw, StressIsTheSlopeOfTheEnergy) {
  const LawCase& law = GetParam();
  for (const State& state : states()) {
    double S[6];
    elastic_stress(law.choice, law.constants, state.C, S);
    for (int p = 0; p < 6; ++p) {
      D1 C[6];
      for (int q = 0; q < 6; ++q) C[q] = D1(state.C[q], p == q ? 1.0 : 0.0);
      const double slope = elastic_energy(law.choice, dual_constants(), C).d * (p < 3 ? 2 : 1);
      EXPECT_NEAR(S[p], slope, 1e-14 * (largest(S, 6) + 1e6)) << p;
    }
  }
}

// D_pq = ∂S_p/∂E_q, the same way.
TEST_P(EveryLaw, StiffnessIsTheSlopeOfTheStress) {
  const LawCase& law = GetParam();
  for (const State& state : states()) {
    double S[6], again[6], D[21];
    elastic_stress(law.choice, law.constants, state.C, again);
    elastic_stiffness(law.choice, law.constants, state.C, S, D);
    for (int p = 0; p < 6; ++p) EXPECT_EQ(S[p], again[p]);
    for (int q = 0; q < 6; ++q) {
      D1 C[6], s[6];
      for (int r = 0; r < 6; ++r) C[r] = D1(state.C[r], q == r ? 1.0 : 0.0);
      elastic_stress(law.choice, dual_constants(), C, s);
      for (int p = 0; p < 6; ++p)
        EXPECT_NEAR(D[triangle(p, q)], s[p].d * (q < 3 ? 2 : 1), 1e-14 * (largest(D, 21) + 1e6)) << p << ' ' << q;
    }
  }
}

// At C = 1: no stress but of yeoh_paper, shear modulus μ, and for isochoric forms no bulk modulus.
TEST_P(EveryLaw, StartsWithoutStressAndWithItsShearModulus) {
  const LawCase& law = GetParam();
  const double C[6] = {1, 1, 1, 0, 0, 0};
  double S[6], D[21];
  elastic_stiffness(law.choice, law.constants, C, S, D);
  if (law.choice.law == ElasticLaw::yeoh_paper) {
    for (int p = 0; p < 3; ++p) EXPECT_EQ(S[p], 2 * law.constants.c[0]);
    return;
  }
  EXPECT_NEAR(largest(S, 6), 0, 1e-15 * law.mu);
  EXPECT_NEAR(elastic_energy(law.choice, law.constants, C), 0, 1e-15 * law.mu);
  for (int p = 3; p < 6; ++p) EXPECT_NEAR(D[triangle(p, p)], law.mu, 1e-14 * law.mu);
  if (law.choice.form == VolumeForm::isochoric && law.choice.law != ElasticLaw::st_venant_kirchhoff) {
    EXPECT_NEAR(D[triangle(0, 0)] + 2 * D[triangle(0, 1)], 0, 1e-14 * law.mu);
  }
}

// Isochoric forms see C̄ only.
TEST_P(EveryLaw, IsochoricFormsIgnoreAChangeOfVolume) {
  const LawCase& law = GetParam();
  if (law.choice.form != VolumeForm::isochoric || law.choice.law == ElasticLaw::st_venant_kirchhoff ||
      law.choice.law == ElasticLaw::yeoh_paper)
    return;
  for (const State& state : states()) {
    double larger[6], S[6], trace = 0;
    for (int p = 0; p < 6; ++p) larger[p] = 1.44 * state.C[p];
    const double psi = elastic_energy(law.choice, law.constants, state.C);
    EXPECT_NEAR(elastic_energy(law.choice, law.constants, larger), psi, 1e-14 * (psi + 1e6));
    elastic_stress(law.choice, law.constants, state.C, S);
    for (int p = 0; p < 6; ++p) trace += (p < 3 ? 1 : 2) * S[p] * state.C[p];
    EXPECT_NEAR(trace, 0, 1e-14 * (largest(S, 6) + 1e6) * largest(state.C, 6));
  }
}

TEST_P(EveryLaw, HasTheSameBitsInLanes) {
  const LawCase& law = GetParam();
  const std::vector<State> all = states();
  ElasticConstants<Lanes> constants{};
  for (int i = 0; i < most_elastic_constants; ++i) constants.c[i] = law.constants.c[i];
  constants.bulk = law.constants.bulk;
  constexpr int W = native_lanes;
  for (size_t first = 0; first + W <= all.size(); first += W) {
    Lanes C[6], S[6], D[21];
    for (int p = 0; p < 6; ++p)
      for (int w = 0; w < W; ++w) C[p].set(w, all[first + w].C[p]);
    elastic_stiffness(law.choice, constants, C, S, D);
    const Lanes psi = elastic_energy(law.choice, constants, C);
    for (int w = 0; w < W; ++w) {
      double s[6], d[21];
      elastic_stiffness(law.choice, law.constants, all[first + w].C, s, d);
      for (int p = 0; p < 6; ++p) EXPECT_EQ(S[p][w], s[p]);
      for (int p = 0; p < 21; ++p) EXPECT_EQ(D[p][w], d[p]);
      EXPECT_EQ(psi[w], elastic_energy(law.choice, law.constants, all[first + w].C));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, EveryLaw, testing::ValuesIn(law_cases()),
                         [](const auto& info) { return info.param.name; });

// Σ μ_p/α_p (Σ λ^α − 3) with α = 2 is neo-Hooke's law, with α = −2 the part of Mooney and Rivlin in I₂. Powers of stretches lose
// a digit or two: measured below 2e-15 of 1 MPa and the largest component.
TEST(Ogden, HasMooneyRivlinAsASpecialCase) {
  const ElasticConstants<double> ogden{{4e5, 2, -1e5, -2, 0, 1}, 0}, mooney{{2e5, 5e4}, 0};
  for (const State& state : states()) {
    double S[6], D[21], s[6], d[21];
    elastic_stiffness({ElasticLaw::ogden, VolumeForm::isochoric}, ogden, state.C, S, D);
    elastic_stiffness({ElasticLaw::mooney_rivlin, VolumeForm::isochoric}, mooney, state.C, s, d);
    for (int p = 0; p < 6; ++p) EXPECT_NEAR(S[p], s[p], 1e-14 * (largest(s, 6) + 1e6));
    for (int p = 0; p < 21; ++p) EXPECT_NEAR(D[p], d[p], 1e-14 * (largest(d, 21) + 1e6));
  }
}

// What duals carry through D, of C and of the constants, against central differences; equal stretches included. The differences
// lose h² = 1e-10 and 1e-16/h = 1e-11 of the size.
TEST(Ogden, StiffnessHasItsDerivatives) {
  const LawChoice choice{ElasticLaw::ogden, VolumeForm::isochoric};
  const double c[6] = {6.3e5, 1.3, 1.2e3, 5, -1e4, -2};
  Random random(3);
  for (const State& state : states()) {
    double X[6], e[6];
    for (int p = 0; p < 6; ++p) X[p] = random.uniform(-0.2, 0.2), e[p] = c[p] * random.uniform(-0.3, 0.3);
    const auto at = [&](double h, double(&D)[21]) {
      ElasticConstants<double> constants{};
      double C[6], S[6];
      for (int p = 0; p < 6; ++p) C[p] = state.C[p] + h * X[p], constants.c[p] = c[p] + h * e[p];
      elastic_stiffness(choice, constants, C, S, D);
    };
    ElasticConstants<D1> constants{};
    D1 C[6], S[6], D[21];
    for (int p = 0; p < 6; ++p) C[p] = D1(state.C[p], X[p]), constants.c[p] = D1(c[p], e[p]);
    elastic_stiffness(choice, constants, C, S, D);
    double up[21], down[21], slope[21];
    at(1e-5, up), at(-1e-5, down);
    for (int p = 0; p < 21; ++p) slope[p] = (up[p] - down[p]) / 2e-5;
    for (int p = 0; p < 21; ++p) EXPECT_NEAR(D[p].d, slope[p], 2e-8 * (largest(slope, 21) + 1e6)) << p;
  }
}

// U at the point's own J: slope of the energy, slope of the stress.
TEST(VolumeEnergy, HasItsDerivatives) {
  const ElasticConstants<D1> constants{{}, 3e6};
  const ElasticConstants<double> plain{{}, 3e6};
  for (const State& state : states())
    for (int q = 0; q < 6; ++q) {
      double S[6] = {}, D[21] = {};
      const VolumeChange<double> change(state.C);
      add_volume_stress(plain, change, S);
      add_volume_stiffness(plain, change, D);
      D1 C[6], s[6];
      for (int r = 0; r < 6; ++r) C[r] = D1(state.C[r], q == r ? 1.0 : 0.0), s[r] = 0.0;
      const VolumeChange<D1> dual(C);
      add_volume_stress(constants, dual, s);
      const double twice = q < 3 ? 2 : 1;
      EXPECT_NEAR(S[q], twice * volume_energy(constants, dual.J).d, 1e-14 * (largest(S, 6) + 1e6));
      for (int p = 0; p < 6; ++p) EXPECT_NEAR(D[triangle(p, q)], twice * s[p].d, 1e-13 * (largest(D, 21) + 1e6));
    }
}

// Points side by side are points one by one.
TEST(ElasticPoints, SideBySideAreTheSame) {
  const LawCase law = law_cases()[4];
  const std::vector<State> all = states();
  double C[6][3], S[6][3], D[21][3], psi[3];
  for (int p = 0; p < 6; ++p)
    for (int k = 0; k < 3; ++k) C[p][k] = all[static_cast<size_t>(8 + k)].C[p];
  elastic_stiffness<3>(law.choice, law.constants, C, S, D);
  elastic_energy<3>(law.choice, law.constants, C, psi);
  for (int k = 0; k < 3; ++k) {
    double s[6], d[21];
    elastic_stiffness(law.choice, law.constants, all[static_cast<size_t>(8 + k)].C, s, d);
    for (int p = 0; p < 6; ++p) EXPECT_EQ(S[p][k], s[p]);
    for (int p = 0; p < 21; ++p) EXPECT_EQ(D[p][k], d[p]);
  }
}

}  // namespace
}  // namespace flexura::test
