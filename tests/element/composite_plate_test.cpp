// Full plates that grow and have fibres: single elements against closed forms. Tangent, lanes, memory and rigid motions are in the
// suites over all terms, relaxation in tests/term/relaxation_test.cpp.

#include <gtest/gtest.h>

#include "flexura/element/composite_plate_kernel.hpp"

namespace flexura::test {
namespace {

/// A rectangle in the plane z = 0, thickness along Z.
template <class E, int vectors>
struct Wall {
  static constexpr int functions = FullPlate<vectors>::functions, dofs = FullPlate<vectors>::dofs;
  typename E::Options options{};
  typename E::template Params<double> parameters{.elastic = {0.3, 0.2, 0.05, 1100, {{1e5, 2e4, 1e3}}, 1e8}};
  typename E::template Data<double> data{};
  double X[dofs] = {}, signals[E::growths] = {};
  std::vector<double> past = std::vector<double>(E::most_history);

  Wall() {
    options.elastic.law = ElasticLaw::yeoh;
    for (int n = 0; n < 4; ++n) {
      double* x = X + 3 * functions * n;
      x[0] = (n == 1 || n == 2) * parameters.elastic.length, x[1] = (n >= 2) * parameters.elastic.width;
      x[3] = x[7] = x[11] = 1;
    }
  }
  void prepare() { data = E::prepare(parameters, options, X); }
  Context<double> context() const { return {0, signals, signals, past.data(), 0}; }
  std::vector<double> moved(double fx, double fy, double fz) const {
    const double F[3] = {fx, fy, fz};
    std::vector<double> x(dofs);
    for (int i = 0; i < dofs; ++i) x[i] = F[i % 3] * X[i];
    return x;
  }
  double largest_force(const std::vector<double>& x) const {
    double r[dofs], out = 0;
    E::residual(data, options, context(), x.data(), x.data(), r);
    for (double f : r) out = std::max(out, std::fabs(f));
    return out;
  }
  double energy(const std::vector<double>& x) const { return E::energy(data, options, context(), x.data()); }
};
using Wall48 = Wall<CompositeAncfPlate48, 1>;
using Wall60 = Wall<CompositeAncfPlate60, 2>;

template <class W>
class EveryWall : public ::testing::Test {};
using Walls = ::testing::Types<Wall48, Wall60>;
TYPED_TEST_SUITE(EveryWall, Walls);

// The wall that has grown carries nothing, and in its old shape it does; 1e-15 of the bulk modulus is rounding.
TYPED_TEST(EveryWall, IsFreeOfStressWhereNothingHoldsIt) {
  TypeParam w;
  w.options.grows = decltype(w.options.grows){1};
  w.parameters.growth = {{1, 1, 1, 1, 1}};
  w.signals[0] = 0.3, w.signals[1] = -0.2, w.signals[2] = 0.05;
  w.prepare();
  const std::vector<double> grown = w.moved(1.3, 0.8, 1.05);
  EXPECT_LE(w.largest_force(grown), 1e-15 * 1e8);
  EXPECT_LE(w.energy(grown), 1e-30 * 1e8);
  EXPECT_GT(w.largest_force(w.moved(1, 1, 1)), 1e2);
}

// Two families: ψ grows by Σ k₁/(2 k₂) (exp(k₂ x²) − 1) over the volume, a alike at all places; 1e-14 of the energy is rounding.
TYPED_TEST(EveryWall, FibresAddTheirEnergyToTheMatrix) {
  TypeParam plain;
  TypeParam reinforced = plain;
  reinforced.options.families = FibreFamilies::two;
  reinforced.parameters.fibre_direction[0] = 3 * 0.6, reinforced.parameters.fibre_direction[1] = 3 * 0.8;
  reinforced.parameters.fibre_direction[4] = 2;  // slack
  reinforced.parameters.fibre_stiffness = {{2e5, 1e6, 0}};
  reinforced.parameters.fibre_exponent = {{1.5, 1, 0}};
  plain.prepare(), reinforced.prepare();
  const std::vector<double> x = plain.moved(1.2, 0.95, 0.9);
  const double strain = 1.44 * 0.36 + 0.9025 * 0.64 - 1;
  const double volume = 0.3 * 0.2 * 0.05, psi = 2e5 / 3 * std::expm1(1.5 * strain * strain);
  EXPECT_NEAR(reinforced.energy(x) - plain.energy(x), volume * psi, 1e-14 * plain.energy(x));
}

}  // namespace
}  // namespace flexura::test
