// What is special about the thin plate; tangent, lanes and rigid motions are in the suites over all terms.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "flexura/element/ancf_thin_plate_kernel.hpp"
#include "flexura/material/laminate.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using P = AncfThinPlateKernel;
using D = Dual<double>;
constexpr P::Options full, reduced{P::Integration::reduced};
const Context<double> none;

P::Params<double> parameters(const Laminate& l, double a, double b) {
  P::Params<double> p{};
  p.length = a, p.width = b, p.rho_h = l.rho_h, p.thickness = l.thickness;
  for (int i = 0; i < 6; ++i)
    p.A[i] = l.A[i], p.B[i] = l.B[i], p.D[i] = l.D[i], p.top[i] = l.top[i], p.bottom[i] = l.bottom[i];
  for (int i = 0; i < 4; ++i) p.thickness_factor[i] = 1;
  return p;
}
Laminate isotropic(double E, double nu, double h) {
  const Layer layer{isotropic_stiffness(E, nu), h, 1000, 0};
  return make_laminate({&layer, 1});
}

/// Nodes of an element on a surface r(x, y), x ∈ [0, a], y ∈ [0, b].
template <class Surface>
void nodes_on(const Surface& surface, double a, double b, double* X) {
  for (int n = 0; n < 4; ++n) {
    const double x = (n == 1 || n == 2) * a, y = (n >= 2) * b;
    const Vec<3, D> along = surface(D(x, 1), D(y, 0)), across = surface(D(x, 0), D(y, 1));
    for (int i = 0; i < 3; ++i) {
      X[9 * n + i] = along[i].v;
      X[9 * n + 3 + i] = along[i].d;
      X[9 * n + 6 + i] = across[i].d;
    }
  }
}
const auto flat = [](D x, D y) { return Vec<3, D>{x, y, D(0, 0)}; };

TEST(ThinPlateShape, DerivativesAreThoseOfTheFunctions) {
  for (const double x : {0.1, 0.5, 0.8})
    for (const double y : {0.0, 0.3, 0.9}) {
      const ThinPlateShape s = ThinPlateShape::at(x, y);
      constexpr double h = 1e-5;
      const ThinPlateShape right = ThinPlateShape::at(x + h, y), left = ThinPlateShape::at(x - h, y);
      const ThinPlateShape above = ThinPlateShape::at(x, y + h), below = ThinPlateShape::at(x, y - h);
      for (int i = 0; i < 12; ++i) {
        // Central differences of cubics: h² f'''/6 ≤ 2e-10.
        EXPECT_NEAR(s.d[i][0], (right.value[i] - left.value[i]) / (2 * h), 1e-9);
        EXPECT_NEAR(s.d[i][1], (above.value[i] - below.value[i]) / (2 * h), 1e-9);
        EXPECT_NEAR(s.d[i][2], (right.d[i][0] - left.d[i][0]) / (2 * h), 1e-9);
        EXPECT_NEAR(s.d[i][3], (above.d[i][1] - below.d[i][1]) / (2 * h), 1e-9);
        EXPECT_NEAR(s.d[i][4], (above.d[i][0] - below.d[i][0]) / (2 * h), 1e-9);
      }
    }
}

// r = F r₀ in the plane: ½ Ē:A:Ē a b with Green's strain, exactly.
TEST(AncfThinPlate, HomogeneousStretchHasTheExactEnergy) {
  const Layer layer{orthotropic_stiffness(3e6, 1e6, 0.3, 0.7e6), 0.01, 1000, 0.6};
  const Laminate l = make_laminate({&layer, 1});
  const double a = 0.3, b = 0.2, F[2][2] = {{1.2, 0.1}, {-0.05, 0.9}};
  double X[36], x[36];
  nodes_on(flat, a, b, X);
  for (int k = 0; k < 12; ++k) {
    for (int i = 0; i < 2; ++i) x[3 * k + i] = F[i][0] * X[3 * k] + F[i][1] * X[3 * k + 1];
    x[3 * k + 2] = X[3 * k + 2];
  }
  const double e[3] = {(F[0][0] * F[0][0] + F[1][0] * F[1][0] - 1) / 2, (F[0][1] * F[0][1] + F[1][1] * F[1][1] - 1) / 2,
                       F[0][0] * F[0][1] + F[1][0] * F[1][1]};
  double exact = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) exact += 0.5 * a * b * e[i] * l.A[triangle(i, j)] * e[j];
  for (const P::Options& o : {full, reduced}) {
    const auto data = P::prepare(parameters(l, a, b), o, X);
    EXPECT_NEAR(P::energy(data, o, none, x), exact, 1e-13 * exact);
  }
}

// Six rigid motions and no other mode without energy, with both rules, flat and on a cone.
TEST(AncfThinPlate, HasSixModesWithoutEnergy) {
  const auto cone = [](D s, D t) {
    const D radius = D(0.2, 0) - D(0.15, 0) * s, angle = t / D(0.2, 0);
    return Vec<3, D>{s, radius * sin(angle), radius * cos(angle)};
  };
  const Laminate l = isotropic(1e6, 0.3, 0.02);
  const auto check = [&](const auto& surface) {
    double X[36];
    nodes_on(surface, 0.1, 0.12, X);
    for (const P::Options& o : {full, reduced}) {
      const auto data = P::prepare(parameters(l, 0.1, 0.12), o, X);
      std::vector<double> K(36 * 36);
      P::tangent(data, o, none, X, X, 0, K.data());
      Eigen::MatrixXd k(36, 36);
      for (int i = 0; i < 36; ++i)
        for (int j = 0; j <= i; ++j)
          k(i, j) = k(j, i) = K[i * 36 + j] / (data.factor[i / 3 % 3] * data.factor[j / 3 % 3]);
      const Eigen::VectorXd values =
          Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k, Eigen::EigenvaluesOnly).eigenvalues();
      for (int i = 0; i < 6; ++i) EXPECT_NEAR(values[i], 0, 1e-13 * values[35]);
      EXPECT_GT(values[6], 1e-4 * values[35]);
    }
  };
  check(flat);
  check(cone);
}

// Small bending w = ½ (κx x² + κy y²) + κxy x y is in the functions: ½ κᵀ D κ a b, up to the strains' squares.
TEST(AncfThinPlate, BendsAndTwistsAsAPlate) {
  const Layer layer{orthotropic_stiffness(3e6, 1e6, 0.3, 0.7e6), 0.01, 1000, 0.6};
  const Laminate l = make_laminate({&layer, 1});
  const double a = 0.3, b = 0.2, kappa[3] = {2e-4, -3e-4, 1e-4};
  const auto bent = [&](D x, D y) {
    return Vec<3, D>{x, y, -(D(kappa[0] / 2, 0) * x * x + D(kappa[1] / 2, 0) * y * y + D(kappa[2], 0) * x * y)};
  };
  const double e[3] = {kappa[0], kappa[1], 2 * kappa[2]};
  double exact = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) exact += 0.5 * a * b * e[i] * l.D[triangle(i, j)] * e[j];
  double X[36], x[36];
  nodes_on(flat, a, b, X);
  nodes_on(bent, a, b, x);
  for (const P::Options& o : {full, reduced, P::Options{P::Integration::full, P::Curvature::cubed_normal}}) {
    const auto data = P::prepare(parameters(l, a, b), o, X);
    // Membrane energy of the slopes squared: A (κ a)⁴ against D κ², (κ a²/h)² = 3e-6.
    EXPECT_NEAR(P::energy(data, o, none, x), exact, 1e-5 * exact);
  }
}

// Closed form: a tube of radius R is inflated by λ. With the unit normal κ = (λ − 1)/R, by n/‖n‖³ the change of the geometric
// curvature, (1/λ − 1)/R; what stretches is the same. The element's cubics miss an arc of 0.05 rad by 2e-4.
TEST(AncfThinPlate, CubedNormalIsTheChangeOfTheGeometricCurvature) {
  const double R = 1, h = 0.01, a = 0.05, b = 0.05, lambda = 1.2;
  const Laminate l = isotropic(1e6, 0, h);
  const auto tube = [&](double radius) {
    return [=](D x, D y) { return Vec<3, D>{x, D(radius, 0) * sin(y / D(R, 0)), D(radius, 0) * cos(y / D(R, 0))}; };
  };
  double X[36], x[36];
  nodes_on(tube(R), a, b, X);
  nodes_on(tube(lambda * R), a, b, x);
  const P::Options cubed{P::Integration::full, P::Curvature::cubed_normal};
  const auto data = P::prepare(parameters(l, a, b), full, X);
  const double unit = (lambda - 1) / R, geometric = (1 / lambda - 1) / R;
  const double exact = 0.5 * a * b * l.D[0] * (unit * unit - geometric * geometric);
  EXPECT_NEAR(P::energy(data, full, none, x) - P::energy(data, cubed, none, x), exact, 1e-3 * exact);
}

// A layer bonded to a stiffer one: stretching bends it, energy ½ (ε A ε + 2 ε B κ + κ D κ) with κ = −w''. The face "top" is that
// of r_x × r_y.
TEST(AncfThinPlate, CouplesStretchAndBendingOnTheRightSide) {
  const std::vector<Layer> layers = {{isotropic_stiffness(1e6, 0), 0.01, 1, 0},
                                     {isotropic_stiffness(2e6, 0), 0.01, 1, 0}};
  const Laminate l = make_laminate(layers);
  const double a = 0.3, b = 0.2, strain = 1e-6, kappa = 2e-4;
  const auto shape = [&](D x, D y) { return Vec<3, D>{D(1 + strain, 0) * x, y, -(D(kappa / 2, 0) * x * x)}; };
  double X[36], x[36];
  nodes_on(flat, a, b, X);
  nodes_on(shape, a, b, x);
  const double exact = a * b * (l.A[0] * strain * strain / 2 + l.B[0] * strain * kappa + l.D[0] * kappa * kappa / 2);
  const auto data = P::prepare(parameters(l, a, b), full, X);
  EXPECT_NEAR(P::energy(data, full, none, x), exact, 2e-3 * exact);  // slopes' squares again: κ² a²/6 against strain
  EXPECT_GT(std::fabs(l.B[0] * strain * kappa), 1e-2 * exact / (a * b));
}

// A thickness factor f scales mass by f, stretching by f and bending by f³.
TEST(AncfThinPlate, ThicknessFactorScalesMassStretchAndBending) {
  double X[36], x[36], bent[36];
  nodes_on(flat, 0.3, 0.2, X);
  nodes_on([](D s, D t) { return Vec<3, D>{D(1.1, 0) * s, t, D(0, 0)}; }, 0.3, 0.2, x);
  nodes_on([](D s, D t) { return Vec<3, D>{s, t, D(1e-5, 0) * s * s}; }, 0.3, 0.2, bent);
  P::Params<double> p = parameters(isotropic(1e6, 0.3, 0.02), 0.3, 0.2), thick = p;
  for (int i = 0; i < 4; ++i) thick.thickness_factor[i] = 1.5;
  const auto one = P::prepare(p, full, X), other = P::prepare(thick, full, X);
  EXPECT_NEAR(P::energy(other, full, none, x) / P::energy(one, full, none, x), 1.5, 1e-13);
  EXPECT_NEAR(P::energy(other, full, none, bent) / P::energy(one, full, none, bent), 3.375, 1e-6);
  std::vector<double> m(144);
  P::mass(other, m.data());
  double whole = 0;
  for (int i = 0; i < 12; i += 3)
    for (int j = 0; j < 12; j += 3) whole += m[i * 12 + j];
  EXPECT_NEAR(whole, 1.5 * 1000 * 0.02 * 0.3 * 0.2, 1e-14);
}

}  // namespace
}  // namespace flexura::test
