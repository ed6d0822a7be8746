// What has no energy in a free cable: rigid motions, and of a spatial cable what needs torsion; by both rules of stretch.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "flexura/element/ancf_cable_2d_kernel.hpp"
#include "flexura/element/ancf_cable_3d_kernel.hpp"

namespace flexura::test {
namespace {

constexpr double length = 1;

/// A plane arc of `turn` radians along which the cable is stretched; turn 0: a line.
struct Shape {
  double turn = 0, stretch = 1;
};

template <class Cable>
std::vector<double> nodes(const Shape& shape, int elements) {
  constexpr int D = Cable::dim;
  std::vector<double> x;
  for (int k = 0; k <= elements; ++k) {
    const double s = length * k / elements, a = shape.turn * s / length, l = shape.stretch;
    const double place[] = {shape.turn == 0 ? l * s : l * length / shape.turn * std::sin(a),
                            shape.turn == 0 ? 0 : l * length / shape.turn * (1 - std::cos(a)), 0};
    const double along[] = {l * std::cos(a), l * std::sin(a), 0};
    x.insert(x.end(), place, place + D);
    x.insert(x.end(), along, along + D);
  }
  return x;
}

/// Eigenvalues of the stiffness, the least in size first; gradients times the element's length.
template <class Cable>
std::vector<double> stiffness(const typename Cable::Options& o, int elements, const Shape& reference,
                              const Shape& state) {
  constexpr int n = 4 * Cable::dim, half = n / 2;
  const double l = length / elements;
  const std::vector<double> X = nodes<Cable>(reference, elements), x = nodes<Cable>(state, elements);
  const int size = half * (elements + 1);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size, size);
  for (int k = 0; k < elements; ++k) {
    const typename Cable::template Params<double> p{.EA = 1e4, .EI = 1, .rhoA = 1, .length = l};
    const auto data = Cable::template prepare<double>(p, o, X.data() + half * k);
    double block[n * n];
    Cable::template tangent<double>(data, o, {}, x.data() + half * k, x.data() + half * k, 0, block);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const auto scale = [&](int at) { return at % half < Cable::dim ? 1 : 1 / l; };
        K(half * k + i, half * k + j) += block[std::max(i, j) * n + std::min(i, j)] * scale(i) * scale(j);
      }
  }
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K, Eigen::EigenvaluesOnly).eigenvalues();
  std::vector<double> out(values.begin(), values.end());
  std::sort(out.begin(), out.end(), [](double a, double b) { return std::fabs(a) < std::fabs(b); });
  return out;
}

template <class Cable>
class CableRank : public ::testing::Test {};
using Cables = ::testing::Types<AncfCable2dKernel, AncfCable3dKernel>;
TYPED_TEST_SUITE(CableRank, Cables);

/// How many have none, and the least of the others, for all measures of bending and stretch and `elements` of 1 m together.
template <class Cable>
void expect_without_energy(int zeros, int elements, const Shape& reference, const Shape& state) {
  using Curvature = typename Cable::Curvature;
  std::vector<Curvature> curvatures{Curvature::material, Curvature::geometric};
  if constexpr (Cable::dim == 2) curvatures.push_back(Curvature::simplified);
  for (const Curvature curvature : curvatures)
    for (const auto axial : {Cable::Axial::green, Cable::Axial::engineering})
      for (const auto rule : {Cable::Integration::full, Cable::Integration::reduced}) {
        const auto values =
            stiffness<Cable>({.curvature = curvature, .axial = axial, .integration = rule}, elements, reference, state);
        const double largest = values.back();
        EXPECT_LT(std::fabs(values[zeros - 1]), 1e-12 * largest) << elements << " elements";
        EXPECT_GT(values[zeros], 2e-5 * largest) << elements << " elements";
      }
}

// Straight: rigid motions; a spatial cable has no torsion, so that to spin about itself is none of them.
TYPED_TEST(CableRank, ALineHasItsRigidMotionsAlone) {
  for (const int n : {1, 2, 3, 8}) expect_without_energy<TypeParam>(TypeParam::dim == 2 ? 3 : 5, n, {}, {});
}
// Curved without stress: in space each element adds two, out of the plane, which only torsion would hold.
TYPED_TEST(CableRank, AnArcHasNoneThatTheRuleMakes) {
  for (const double turn : {1.5, 6.0})
    for (const int n : {1, 2, 3, 8})
      expect_without_energy<TypeParam>(TypeParam::dim == 2 ? 3 : 5 + 2 * n, n, {turn}, {turn});
}
// Pulled to twice its length, straight or along a ring: what turns it works against the pull.
TYPED_TEST(CableRank, APulledCableMovesFreelyOnly) {
  for (const int n : {2, 3, 8}) {
    expect_without_energy<TypeParam>(TypeParam::dim, n, {}, {0, 2});
    if (n > 2) expect_without_energy<TypeParam>(TypeParam::dim, n, {}, {6, 1.5});
  }
}

}  // namespace
}  // namespace flexura::test
