// Dual numbers against central differences and known derivatives; quadrature; small vectors.

#include "flexura/math/dual.hpp"

#include <gtest/gtest.h>

#include "flexura/math/quadrature.hpp"
#include "flexura/math/vec.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using D = Dual<double>;

template <class T>
T formula(const T& x) {
  const T a = sin(x) * exp(T(0.3) * x) - cos(x) / (T(2.0) + x * x);
  return fma(a, log(T(3.0) + x), sqrt(abs(a) + T(1.0))) + atan2(x, T(1.5)) * max(x, T(0.2)) - min(a, T(0.1));
}

// Central difference with step 1e-5: error 1e-10 of the third derivative.
TEST(Dual, IsTheDerivative) {
  for (double x = -1.95; x < 2; x += 0.1) {
    const D y = formula(D(x, 1.0));
    EXPECT_DOUBLE_EQ(y.v, formula(x)) << x;
    EXPECT_NEAR(y.d, (formula(x + 1e-5) - formula(x - 1e-5)) / 2e-5, 1e-8) << x;
  }
}

TEST(Dual, OfLanesIsTheDualOfEachLane) {
  Lanes x, dx;
  for (int i = 0; i < native_lanes; ++i) x.set(i, 0.4 * i - 0.7), dx.set(i, 1.0 + i);
  const Dual<Lanes> y = formula(Dual<Lanes>(x, dx));
  for (int i = 0; i < native_lanes; ++i) {
    const D one = formula(D(x[i], dx[i]));
    EXPECT_EQ(y.v[i], one.v);
    EXPECT_EQ(y.d[i], one.d);
  }
}

TEST(Dual, QuotientsAndCompoundAssignments) {
  D a(3, 2), b(4, 5);
  EXPECT_DOUBLE_EQ((a / b).d, (2 * 4.0 - 3 * 5.0) / 16);
  D c = a;
  c *= b;
  EXPECT_EQ(c.d, 2 * 4 + 3 * 5);
  c /= b;
  EXPECT_DOUBLE_EQ(c.d, 2);
  c -= a;
  EXPECT_EQ(c.v, 0);
  EXPECT_EQ(abs(D(-2, 3)).d, -3);
  EXPECT_EQ(D(7).d, 0) << "constants have no derivative";
}

/// ∫₀¹ x^k of an n-point rule.
template <int N>
double moment(int k) {
  double sum = 0;
  for (int g = 0; g < N; ++g) sum += Gauss<N>::w[g] * std::pow(Gauss<N>::x[g], k);
  return sum;
}

// n points integrate degree 2n − 1 exactly, and not 2n.
template <int N>
void expect_exact() {
  for (int k = 0; k < 2 * N; ++k) EXPECT_NEAR(moment<N>(k), 1.0 / (k + 1), 1e-15) << N << " points, x^" << k;
  EXPECT_GT(std::fabs(moment<N>(2 * N) - 1.0 / (2 * N + 1)), 1e-7) << N;
}
TEST(Gauss, IntegratesPolynomialsOfDegreeTwiceThePointsLessOne) {
  expect_exact<1>();
  expect_exact<2>();
  expect_exact<3>();
  expect_exact<4>();
  expect_exact<5>();
}

TEST(Vec, PlanarOperations) {
  using V = Vec<2, double>;
  const V a{3, 4}, b{-1, 2};
  EXPECT_EQ(norm(a), 5);
  EXPECT_EQ(dot(a, b), 5);
  EXPECT_EQ(cross(a, b), 10);
  EXPECT_EQ(dot(perp(a), a), 0);
  EXPECT_EQ(cross(a, perp(a)), 25) << "perp turns counter-clockwise";
  double out[2] = {1, 1};
  (2.0 * (a - b)).add_to(out);
  EXPECT_EQ(out[0], 9);
  EXPECT_EQ(out[1], 5);
  EXPECT_EQ(V::load(out)[1], 5);
}

}  // namespace
}  // namespace flexura::test
