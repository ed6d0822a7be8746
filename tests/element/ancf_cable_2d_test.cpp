// What is special about the planar cable: shape functions, patch tests, closed forms. The suite over all terms has
// tangents, rigid motions, lanes and energies.

#include <gtest/gtest.h>

#include <random>

#include "flexura/element/ancf_cable_2d_kernel.hpp"
#include "flexura/element/stiffness_damping.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using E = AncfCable2dKernel;
using Params = E::Params<double>;

struct Element {
  E::Data<double> data;
  E::Options options;

  Element(const Params& p, const double* X, const E::Options& o = {}) : data(E::prepare<double>(p, o, X)), options(o) {}
  std::vector<double> force(const double* x, const double* v) const {
    std::vector<double> r(8);
    E::residual<double>(data, options, {}, x, v, r.data());
    return r;
  }
  std::vector<double> force(const double* x) const { return force(x, x); }
  double energy(const double* x) const { return E::energy<double>(data, options, {}, x); }
};

constexpr double straight[] = {0, 0, 1, 0, 0.5, 0, 1, 0};
constexpr Params section{
    .EA = 2000, .EI = 0.02, .rhoA = 0.12, .length = 0.5, .stretch_retardation = 0.1, .bend_retardation = 0.2};

/// Nodes of an arc of angle `turn` and length l (end gradients of length one), and its middle.
struct Arc {
  double x[8];
  Arc(double l, double turn, double stretch = 1) {
    const double R = stretch * l / turn;
    const double nodes[] = {0,
                            0,
                            stretch,
                            0,
                            R * std::sin(turn),
                            R * (1 - std::cos(turn)),
                            stretch * std::cos(turn),
                            stretch * std::sin(turn)};
    std::copy(nodes, nodes + 8, x);
  }
};

std::vector<E::Options> all_options() {
  std::vector<E::Options> out;
  for (auto c : {E::Curvature::material, E::Curvature::geometric, E::Curvature::simplified})
    for (auto a : {E::Axial::green, E::Axial::engineering, E::Axial::chord})
      if (a != E::Axial::chord || c == E::Curvature::simplified) out.push_back({c, a, E::Damped::no});
  return out;
}

TEST(AncfCable2d, ShapeFunctionsAreNodalAndReproduceCubics) {
  for (int node : {0, 1}) {
    const auto S = E::position_shape(node);
    const auto d = E::shape(node);
    EXPECT_EQ(S[0], node == 0 ? 1 : 0);
    EXPECT_EQ(S[2], node == 1 ? 1 : 0);
    EXPECT_EQ(S[1], 0);
    EXPECT_EQ(S[3], 0);
    EXPECT_EQ(d.f[1], node == 0 ? 1 : 0) << "the slope at a node is its gradient";
    EXPECT_EQ(d.f[2], node == 1 ? 1 : 0);
    EXPECT_EQ(d.f[0], 0);
  }
  // x³ − 2x² + 3x − 1 on [0, l] from its nodal values and slopes.
  const double l = 0.7, a[] = {-1, 3, l * l * l - 2 * l * l + 3 * l - 1, 3 * l * l - 4 * l + 3};
  for (double xi = 0; xi <= 1; xi += 0.125) {
    const double x = xi * l;
    const auto S = E::position_shape(xi);
    const auto d = E::shape(xi);
    EXPECT_NEAR(S[0] * a[0] + l * S[1] * a[1] + S[2] * a[2] + l * S[3] * a[3], x * x * x - 2 * x * x + 3 * x - 1,
                1e-15);
    EXPECT_NEAR(d.f[0] * (a[2] - a[0]) / l + d.f[1] * a[1] + d.f[2] * a[3], 3 * x * x - 4 * x + 3, 1e-14);
    EXPECT_NEAR((d.df[0] * (a[2] - a[0]) / l + d.df[1] * a[1] + d.df[2] * a[3]) / l, 6 * x - 4, 1e-13);
    EXPECT_NEAR(S[0] + S[2], 1, 1e-15) << "partition of unity";
  }
}

// ρA l/420 [156 22l 54 −13l; 4l² 13l −3l²; 156 −22l; 4l²], exact with 5 points.
TEST(AncfCable2d, MassOfAStraightElementIsTheCubicBeams) {
  const Element e(section, straight);
  double m[16];
  E::mass<double>(e.data, m);
  const double l = 0.5, s = 0.12 * l / 420;
  const double exact[16] = {156, 22 * l, 54,  -13 * l, 22 * l,  4 * l * l,  13 * l,  -3 * l * l,
                            54,  13 * l, 156, -22 * l, -13 * l, -3 * l * l, -22 * l, 4 * l * l};
  for (int i = 0; i < 16; ++i) EXPECT_NEAR(m[i], s * exact[i], 1e-16) << i;
}

// Uniform stretch λ: N λ at the ends (second Piola–Kirchhoff N = EA (λ² − 1)/2) or EA (λ − 1), nothing inside.
TEST(AncfCable2d, UniformStretchIsExact) {
  const double k = 1.3;
  const double x[] = {0, 0, k, 0, 0.5 * k, 0, k, 0};
  for (const E::Options& o : all_options()) {
    const Element e(section, straight, o);
    const std::vector<double> f = e.force(x);
    const double green = 0.5 * (k * k - 1);
    const double pull = o.axial == E::Axial::green ? 2000 * green * k : 2000 * (k - 1);
    const double energy = 0.5 * 2000 * 0.5 * (o.axial == E::Axial::green ? green * green : (k - 1) * (k - 1));
    EXPECT_NEAR(f[0], pull, 1e-12 * pull);
    EXPECT_NEAR(f[4], -pull, 1e-12 * pull);
    for (int i : {1, 2, 3, 5, 6, 7}) EXPECT_NEAR(f[i], 0, 1e-12 * pull) << i;
    EXPECT_NEAR(e.energy(x), energy, 1e-12 * energy);
  }
}

// A chain of stretched elements is in equilibrium at its inner node: the patch test.
TEST(AncfCable2d, NeighboursOfUnequalLengthPassThePatchTest) {
  const double k = 1.1;
  Params first = section, second = section;
  first.length = 0.3;
  second.length = 0.2;
  const double X1[] = {0, 0, 1, 0, 0.3, 0, 1, 0}, X2[] = {0.3, 0, 1, 0, 0.5, 0, 1, 0};
  double x1[8], x2[8];
  for (int i = 0; i < 8; ++i) x1[i] = k * X1[i], x2[i] = k * X2[i];
  const auto f1 = Element(first, X1).force(x1), f2 = Element(second, X2).force(x2);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(f1[4 + i] + f2[i], 0, 1e-11);
}

// Bent to an arc the energy tends to EI κ² l/2 with the fourth power of the element's length: ratio 16 when halved.
TEST(AncfCable2d, EnergyOfAnArcConvergesWithOrderFour) {
  for (const E::Options& o : all_options()) {
    double error[3];
    for (int k = 0; k < 3; ++k) {
      const double l = 0.5 / (1 << k), turn = 0.8 / (1 << k), kappa = turn / l;
      const double X[] = {0, 0, 1, 0, l, 0, 1, 0};
      Params p = section;
      p.length = l;
      p.EA = 0;
      error[k] = std::fabs(Element(p, X, o).energy(Arc(l, turn).x) / (0.5 * p.EI * kappa * kappa * l) - 1);
    }
    EXPECT_LT(error[0], 1e-2);
    EXPECT_GT(std::log2(error[0] / error[1]), 3.8) << error[0] << " " << error[1];
    EXPECT_GT(std::log2(error[1] / error[2]), 3.8) << error[1] << " " << error[2];
  }
}

// Stretching an arc by λ keeps its material curvature dθ/dX, divides the geometric one by λ, multiplies ‖r_xx‖ by λ.
TEST(AncfCable2d, CurvaturesDifferByTheStretch) {
  Params p = section;
  p.EA = 0;
  for (const auto& [curvature, power] :
       {std::pair{E::Curvature::material, 0}, {E::Curvature::geometric, -1}, {E::Curvature::simplified, 1}}) {
    const Element e(p, straight, {curvature, E::Axial::green, E::Damped::no});
    const double plain = e.energy(Arc(0.5, 0.3).x), stretched = e.energy(Arc(0.5, 0.3, 1.5).x);
    EXPECT_NEAR(stretched / plain, std::pow(1.5, 2 * power), 1e-12);
  }
}

// The curve is what counts: twice the parameter with half the gradients is the same element.
TEST(AncfCable2d, DoesNotDependOnTheParameter) {
  Random random(3);
  for (const E::Options& o : all_options()) {
    double X[8], x[8], X2[8], x2[8];
    for (int i = 0; i < 8; ++i) {
      X[i] = Arc(0.5, 0.7).x[i];
      x[i] = X[i] + random.uniform(-0.1, 0.1);
      const bool gradient = i % 4 >= 2;
      X2[i] = gradient ? X[i] / 2 : X[i];
      x2[i] = gradient ? x[i] / 2 : x[i];
    }
    Params p2 = section;
    p2.length = 1.0;
    const Element one(section, X, o), two(p2, X2, o);
    EXPECT_NEAR(two.energy(x2), one.energy(x), 1e-12 * one.energy(x));
    const auto f = one.force(x), f2 = two.force(x2);
    double size = 0, m[16], m2[16];
    for (double fi : f) size = std::max(size, std::fabs(fi));
    for (int i = 0; i < 8; ++i) EXPECT_NEAR(f2[i], (i % 4 >= 2 ? 2 : 1) * f[i], 1e-12 * size);
    E::mass<double>(one.data, m);
    E::mass<double>(two.data, m2);
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) EXPECT_NEAR(m2[a * 4 + b], (a % 2 ? 2 : 1) * (b % 2 ? 2 : 1) * m[a * 4 + b], 1e-15);
  }
}

// A curved reference bent straight stores what a straight one stores bent to the same arc, as the mesh is refined.
TEST(AncfCable2d, ACurvedReferenceIsStressFreeAndStoresWhenStraightened) {
  for (const E::Options& o : all_options()) {
    const double l = 0.1, turn = 0.1;
    Params p = section;
    p.length = l;
    const double X[] = {0, 0, 1, 0, l, 0, 1, 0};
    const Arc arc(l, turn);
    const Element curved(p, arc.x, o);
    EXPECT_LE(curved.energy(arc.x), 1e-28);
    for (double f : curved.force(arc.x)) EXPECT_NEAR(f, 0, 1e-12);
    const double exact = 0.5 * p.EI * (turn / l) * (turn / l) * l;
    EXPECT_NEAR(curved.energy(X), exact, 2e-2 * exact);
  }
}

// N = EA (ε + θ ε̇) with ε̇ = λ λ̇ (green) or λ̇.
TEST(AncfCable2d, KelvinVoigtAddsTheRetardationTimesTheRate) {
  const double k = 1.2, rate = 0.7;
  const double x[] = {0, 0, k, 0, 0.5 * k, 0, k, 0}, v[] = {0, 0, rate, 0, 0.5 * rate, 0, rate, 0};
  for (E::Options o : all_options()) {
    o.damped = E::Damped::yes;
    const Element e(section, straight, o);
    const bool green = o.axial == E::Axial::green;
    const double strain = green ? 0.5 * (k * k - 1) : k - 1, strain_rate = green ? k * rate : rate;
    const double pull = 2000 * (strain + 0.1 * strain_rate) * (green ? k : 1);
    EXPECT_NEAR(e.force(x, v)[0], pull, 1e-11 * pull);
    EXPECT_NEAR(E::dissipation<double>(e.data, o, {}, x, v), 0.1 * 2000 * strain_rate * strain_rate * 0.5, 1e-10);
  }
}

// −c₂ K v, K of the cable as it is integrated.
TEST(StiffnessDamping2d, IsTheCablesOwnStiffnessTimesTheVelocity) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-0.1, 0.1);
  double x[8], v[8];
  for (int i = 0; i < 8; ++i) x[i] = straight[i] + number(random), v[i] = number(random);
  for (const auto rule : {E::Integration::full, E::Integration::reduced}) {
    const E::Options o{.curvature = E::Curvature::simplified, .integration = rule};
    double K[64], r[8];
    E::tangent<double>(E::prepare<double>(section, o, straight), o, {}, x, x, 0, K);
    const StiffnessDamping2d::Params<double> p{.EA = section.EA, .EI = section.EI, .length = 0.5, .time = 0.3};
    StiffnessDamping2d::residual<double>(p, {.integration = rule}, {}, x, v, r);
    for (int i = 0; i < 8; ++i) {
      double expected = 0;
      for (int j = 0; j < 8; ++j) expected -= 0.3 * K[std::max(i, j) * 8 + std::min(i, j)] * v[j];
      EXPECT_NEAR(r[i], expected, 1e-11) << i;
    }
  }
}

}  // namespace
}  // namespace flexura::test
