// What is special about laws from code; tangents, lanes and bits are in the suite over all terms.

#include "flexura/load/external_force.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace flexura::test {
namespace {

/// A damped spring to the origin that hardens, n numbers: f = −(1 + x·x) x − v/2.
ExternalLaw spring(bool with_tangent) {
  ExternalLaw law;
  law.gives_tangent = with_tangent;
  law.force = [](void*, int n, double, const double* x, const double* v, double* f, double* dx, double* dv) {
    double square = 0;
    for (int i = 0; i < n; ++i) square += x[i] * x[i];
    for (int i = 0; i < n; ++i) f[i] = -(1 + square) * x[i] - 0.5 * v[i];
    for (int i = 0; i < n && dx != nullptr; ++i)
      for (int j = 0; j < n; ++j) {
        dx[i * n + j] = -(i == j ? 1 + square : 0.0) - 2 * x[i] * x[j];
        dv[i * n + j] = i == j ? -0.5 : 0.0;
      }
    return 0;
  };
  return law;
}

// h = 1e-6: h² f‴/6 = 1e-12, rounding ε |f|/h = 2e-10.
TEST(ExternalLaw, TangentByDifferencesIsThatGivenToNineDigits) {
  const auto given = RegisteredLaw::make("given", spring(true)), found = RegisteredLaw::make("found", spring(false));
  const double x[] = {0.3, -1.2, 0.7}, v[] = {2, -30, 0.1};
  double f[2][3], dx[2][9], dv[2][9];
  given->call(3, 0, x, v, f[0], dx[0], dv[0]);
  found->call(3, 0, x, v, f[1], dx[1], dv[1]);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(f[0][i], f[1][i]);
  for (int k = 0; k < 9; ++k) {
    EXPECT_NEAR(dx[1][k], dx[0][k], 1e-8);
    EXPECT_NEAR(dv[1][k], dv[0][k], 1e-8);
  }
}

TEST(ExternalLaw, FailureGivesNaNAndIsRemembered) {
  ExternalLaw law;
  law.force = [](void*, int n, double t, const double*, const double*, double* f, double*, double*) {
    for (int i = 0; i < n; ++i) f[i] = t == 2 && i == 1 ? std::numeric_limits<double>::infinity() : 1.0;
    return t == 3 ? 1 : 0;
  };
  const double x[] = {0, 0}, nothing[] = {std::nan(""), 0};
  double f[2], dx[4], dv[4];
  const auto good = RegisteredLaw::make("contact", law);
  EXPECT_EQ(good->what(), "the force law 'contact'");
  good->call(2, 1, x, x, f, dx, dv);
  EXPECT_EQ(f[1], 1);
  EXPECT_EQ(dx[3], 0);
  EXPECT_FALSE(good->has_failed());
  for (const double t : {2.0, 3.0}) {
    good->call(2, t, x, x, f, dx, dv);
    EXPECT_TRUE(std::isnan(f[0]) && std::isnan(f[1]) && std::isnan(dx[0]) && std::isnan(dv[3]));
    EXPECT_TRUE(good->has_failed());
    EXPECT_EQ(good->failed_at(), t);
  }
  const auto innocent = RegisteredLaw::make("innocent", spring(true));
  innocent->call(2, 0, nothing, x, f);
  EXPECT_TRUE(std::isnan(f[0]));
  EXPECT_FALSE(innocent->has_failed()) << "it was asked about a place that is none";
}

TEST(ExternalLaw, IsFoundByItsNumberAsLongAsItLives) {
  auto law = RegisteredLaw::make("a", spring(true));
  const int id = law->id();
  EXPECT_GT(id, 0);
  EXPECT_NE(RegisteredLaw::make("b", spring(true))->id(), id);
  EXPECT_EQ(RegisteredLaw::find(id), law);
  law.reset();
  EXPECT_EQ(RegisteredLaw::find(id), nullptr);
  EXPECT_EQ(RegisteredLaw::find(0), nullptr);
}

struct Counted {
  int calls = 0;
};

ExternalLaw counted(const std::shared_ptr<Counted>& count) {
  ExternalLaw law;
  law.context = count;
  law.force = [](void* context, int n, double, const double* x, const double*, double* f, double*, double*) {
    ++static_cast<Counted*>(context)->calls;
    for (int i = 0; i < n; ++i) f[i] = -x[i];
    return 0;
  };
  return law;
}

TEST(ExternalForce, AsksOnceForLanesThatRepeatAndNotAtAllWhereItDoesNotAct) {
  const auto count = std::make_shared<Counted>();
  const auto law = RegisteredLaw::make("counted", counted(count));
  using P = Pack<4>;
  const LawCalls<2, P> calls{P(static_cast<double>(law->id()))};
  P x[2] = {P(3.0), P(1.0)}, v[2] = {P(0.0), P(0.0)}, sig(2.0), f[2], K[4];
  x[0].set(0, 5);
  const Context<P> c{.t = 0, .sig = &sig, .sig_rate = &sig};
  calls.force(c, x, v, f);
  EXPECT_EQ(count->calls, 2) << "lanes 1, 2 and 3 are alike";
  EXPECT_EQ(f[0][0], -10);
  for (int lane : {1, 2, 3}) EXPECT_EQ(f[0][lane], -6);
  calls.tangent(c, x, v, 0, K);
  EXPECT_EQ(count->calls, 2 + 2 * 5) << "the force, and two for each of x";
  EXPECT_NEAR(K[0][3], 2, 1e-9);
  sig = P(0.0);
  calls.force(c, x, v, f);
  calls.tangent(c, x, v, 1, K);
  EXPECT_EQ(count->calls, 12);
  EXPECT_EQ(f[0][0], 0);
  EXPECT_EQ(K[0][0], 0);
}

TEST(ExternalForce, WithoutItsLawItIsNotANumber) {
  const LawCalls<1, double> calls{12345678.0};
  const double x = 1, v = 0, sig = 1;
  double f = 0;
  calls.force({.t = 0, .sig = &sig, .sig_rate = &sig}, &x, &v, &f);
  EXPECT_TRUE(std::isnan(f));
}

}  // namespace
}  // namespace flexura::test
