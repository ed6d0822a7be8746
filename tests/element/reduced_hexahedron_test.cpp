// The hexahedron of one point: single elements and patches. Tangent, lanes and rigid motions are in the suites over all terms, bending
// and whole bodies in solid_bodies_test.cpp.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "flexura/element/reduced_hexahedron_kernel.hpp"
#include "tests/support/random.hpp"
#include "tests/support/solids.hpp"

namespace flexura::test {
namespace {

using Kernel = ReducedHexahedron8Kernel;
const Context<double> none;

std::vector<double> distorted(Random& random, double size) {
  std::vector<double> X;
  for (int n = 0; n < 8; ++n)
    for (int i = 0; i < 3; ++i) X.push_back(solid_node(SolidKind::hexahedron_8, n)[i] + random.uniform(-size, size));
  return X;
}
Kernel::Data<double> data_of(double mu, double bulk, const std::vector<double>& X) {
  Solid::Params<double> p{};
  p.rho = 1000, p.bulk = bulk, p.constants[0] = mu;
  return Kernel::prepare(p, {}, X.data());
}
std::vector<double> homogeneous(const double (&F)[9], const std::vector<double>& X) {
  std::vector<double> x(X.size());
  for (size_t k = 0; k < X.size(); ++k)
    for (int j = 0; j < 3; ++j) x[k] += F[3 * (k % 3) + j] * X[k - k % 3 + j];
  return x;
}

// x = F X with any F: energy V ψ(F), however the element is distorted; V by the points of the solid of 8 nodes.
TEST(ReducedHexahedron, HomogeneousDeformationHasTheExactEnergy) {
  Random random(7);
  for (int trial = 0; trial < 5; ++trial) {
    const std::vector<double> X = distorted(random, 0.15);
    const Kernel::Data<double> data = data_of(2, 700, X);
    double F[9], cof[9], I1 = 0;
    for (int i = 0; i < 9; ++i) F[i] = (i % 4 == 0) + random.uniform(-0.3, 0.3);
    for (double c : F) I1 += c * c;
    solid_cofactors(F, cof);
    const double J = solid_determinant(F, cof);
    SolidGaussPoint<double> point[8];
    solid_points(Kernel::rule, X.data(), point);
    double V = 0;
    for (const auto& at : point) V += at.weight;
    const double energy = V * ((std::pow(J, -2.0 / 3) * I1 - 3) + 350 * (J - 1) * (J - 1));
    EXPECT_NEAR(Kernel::energy(data, {}, none, homogeneous(F, X).data()), energy, 1e-12 * energy);
  }
}

/// Of the tangent at x.
Eigen::VectorXd eigenvalues(const Kernel::Data<double>& data, const std::vector<double>& x) {
  Eigen::MatrixXd K(24, 24);
  std::vector<double> local(24 * 24);
  Kernel::tangent(data, {}, none, x.data(), x.data(), 0, local.data());
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < 24; ++j) K(i, j) = local[i >= j ? i * 24 + j : j * 24 + i];
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K, Eigen::EigenvaluesOnly).eigenvalues();
}

// Six rigid motions and no hourglass mode: the softest of the others is bending, with μ t³ of a cell of 1 × 1 × t.
TEST(ReducedHexahedron, HasSixModesWithoutEnergy) {
  Random random(4);
  for (double bulk : {10.0, 1e5})
    for (double flat : {1.0, 0.02}) {
      std::vector<double> X = distorted(random, 0.1);
      for (size_t n = 2; n < X.size(); n += 3) X[n] *= flat;
      const Kernel::Data<double> data = data_of(1, bulk, X);
      const Eigen::VectorXd values = eigenvalues(data, X);
      const double most = values[23];
      for (int i = 0; i < 6; ++i) EXPECT_NEAR(values[i], 0, 1e-14 * most);
      EXPECT_GT(values[6], 0.1 * flat * flat * flat) << bulk << ' ' << flat;
      EXPECT_GT(values[6], 1e-13 * most) << bulk << ' ' << flat;
      RecordProperty(fmt::format("{:g}_{:g}", bulk, flat), fmt::format("{:.2e}", values[6] / most));
    }
}

// Pressed flat to 0.4 at constant volume the 12 hourglass modes bear work still.
TEST(ReducedHexahedron, HourglassModesBearWorkFarFromTheReference) {
  Random random(11);
  const std::vector<double> X = distorted(random, 0.1);
  const Kernel::Data<double> data = data_of(1, 1000, X);
  for (double pressed : {0.4, 2.5}) {
    const double side = 1 / std::sqrt(pressed), F[9] = {side, 0, 0, 0, side, 0, 0, 0, pressed};
    const std::vector<double> x = homogeneous(F, X);
    std::vector<double> local(24 * 24);
    Kernel::tangent(data, {}, none, x.data(), x.data(), 0, local.data());
    Eigen::MatrixXd K(24, 24), Q(24, 12);
    for (int i = 0; i < 24; ++i) {
      for (int j = 0; j < 24; ++j) K(i, j) = local[i >= j ? i * 24 + j : j * 24 + i];
      for (int m = 0; m < 4; ++m)
        for (int a = 0; a < 3; ++a)
          Q(i, 3 * m + a) = i % 3 == a ? data.field[Kernel::fields_of_node * (i / 3) + 3 + m] : 0;
    }
    const Eigen::MatrixXd of_modes = Q.transpose() * K * Q;
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(of_modes).eigenvalues()[0], 1e-3);
  }
}

// The surface of a distorted block goes where a homogeneous deformation takes it: so do the nodes inside. 1e-9: Newton's stop.
TEST(ReducedHexahedron, PassesThePatchTest) {
  const double F[3][3] = {{1.2, 0.1, -0.05}, {0.05, 0.9, 0.15}, {-0.1, 0.2, 1.1}};
  Random random(5);
  const SolidBlock block = solid_block(SolidKind::hexahedron_8, {2, 2, 2}, [&](const Triple& x) {
    Triple at = x;
    for (double& c : at) c += random.uniform(-0.06, 0.06);
    return at;
  });
  ModelBuilder b(3);
  const std::vector<int> slots = add_solid(b, block, reduced(neo_hooke(1, 50)));
  for (size_t n = 0; n < slots.size(); ++n) {
    if (block.share[n] == Triple{0.5, 0.5, 0.5}) continue;
    Triple u{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) u[i] += (F[i][j] - (i == j)) * block.X[n][j];
    move(b, slots[n], u);
  }
  Simulation<double> sim(b.build());
  ASSERT_TRUE(StaticSolver(sim.system, {}).solve(sim.state).converged);
  for (size_t n = 0; n < slots.size(); ++n)
    for (int i = 0; i < 3; ++i) {
      double x = 0;
      for (int j = 0; j < 3; ++j) x += F[i][j] * block.X[n][j];
      EXPECT_NEAR(sim.q(slots[n], i), x, 1e-9);
    }
}

// A cell bent about Y to a slope of 2 κ: stress ±E κ/(1 − ν²) at its faces and none of shear; both sides are held from becoming
// wider, the thickness is free. To first order of κ = 1e-6.
TEST(ReducedHexahedron, ProbesReadTheStressOfBending) {
  const double mu = 3, bulk = 400, E = 9 * bulk * mu / (3 * bulk + mu),
               nu = (3 * bulk - 2 * mu) / (2 * (3 * bulk + mu));
  std::vector<double> X;
  for (int n = 0; n < 8; ++n) {
    const auto at = solid_node(SolidKind::hexahedron_8, n);
    X.insert(X.end(), {4 * at[0], at[1], 0.1 * (at[2] - 0.5)});
  }
  const Kernel::Data<double> data = data_of(mu, bulk, X);
  const double kappa = 1e-6;
  std::vector<double> x = X;
  for (int n = 0; n < 8; ++n) x[3 * n] += kappa * (X[3 * n] - 2) * X[3 * n + 2];
  double out[std::size(Solid::probes)];
  for (double zeta : {0.0, 0.5, 1.0}) {
    Kernel::probe(data, {}, x.data(), 0.3, 0.7, zeta, out);
    const double stress = E / (1 - nu * nu) * kappa * 0.1 * (zeta - 0.5);
    EXPECT_NEAR(out[Solid::cauchy_probe], stress, 1e-4 * E * kappa);
    EXPECT_NEAR(out[Solid::cauchy_probe + 1], nu * stress, 1e-4 * E * kappa);
    for (int p = 2; p < 6; ++p) EXPECT_NEAR(out[Solid::cauchy_probe + p], 0, 1e-4 * E * kappa) << p;
    EXPECT_NEAR(out[Solid::green_probe], kappa * 0.1 * (zeta - 0.5), 1e-4 * kappa);
  }
}

}  // namespace
}  // namespace flexura::test
