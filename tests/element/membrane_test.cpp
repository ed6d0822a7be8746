// Elements of constant strain as the trusses along their edges [meijaard-truss]: the membrane's triangle, and the tetrahedron of 4 nodes,
// which is the paper's. Tangent, lanes and rigid motions are in the suites over all terms.

#include <gtest/gtest.h>

#include "flexura/element/membrane_kernel.hpp"
#include "flexura/element/solid_kernel.hpp"
#include "flexura/material/elastic_laws.hpp"
#include "flexura/material/homogeneous.hpp"
#include "flexura/math/dual.hpp"
#include "tests/support/random.hpp"
#include "tests/support/solids.hpp"

namespace flexura::test {
namespace {

const Context<double> none;
using Triangle = std::array<double, 9>;

Membrane::Params<double> sheet(std::array<double, most_elastic_constants> constants, double bulk,
                               double thickness = 0.02, double stretch = 1) {
  Membrane::Params<double> p{1100, thickness, {}, bulk, stretch};
  for (int i = 0; i < most_elastic_constants; ++i) p.constants[i] = constants[i];
  return p;
}
const Triangle oblique{0.1, 0.2, -0.3, 1.2, 0.1, 0.2, 0.3, 0.9, 0.5};

/// V ψ of a tetrahedron of which only the lengths of its edges are known, E from L and l: g = x₀_a·x₀_b by the cosines.
Dual<double> energy_of_lengths(const std::vector<double>& X, const ElasticConstants<double>& constants,
                               LawChoice choice, const std::array<Dual<double>, 6>& length, const int (&edges)[6][2]) {
  const auto number_of = [&](int a, int b) {
    for (int e = 0; e < 6; ++e)
      if ((edges[e][0] == a && edges[e][1] == b) || (edges[e][0] == b && edges[e][1] == a)) return e;
    return -1;
  };
  double G[9], inverse[9];  // columns: vectors from node 0 to the others
  for (int i = 0; i < 3; ++i)
    for (int a = 0; a < 3; ++a) G[3 * i + a] = X[3 * (a + 1) + i] - X[i];
  const double volume = solid_inverse(G, inverse) / 6;
  Dual<double> C[6];
  for (int p = 0; p < 6; ++p) {
    C[p] = Dual<double>(0.0);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const Dual<double> la = length[number_of(0, a + 1)], lb = length[number_of(0, b + 1)];
        const Dual<double> between = a == b ? Dual<double>(0.0) : length[number_of(a + 1, b + 1)];
        const Dual<double> g = Dual<double>(0.5) * (la * la + lb * lb - between * between);
        C[p] = C[p] + Dual<double>(inverse[3 * a + voigt_first[p]] * inverse[3 * b + voigt_second[p]]) * g;
      }
  }
  ElasticConstants<Dual<double>> lifted;
  for (int i = 0; i < most_elastic_constants; ++i) lifted.c[i] = Dual<double>(constants.c[i]);
  lifted.bulk = Dual<double>(constants.bulk);
  return Dual<double>(volume) *
         (elastic_energy(choice, lifted, C) + volume_energy(lifted, VolumeChange<Dual<double>>(C).J));
}

// The paper's tetrahedral solid of six trusses is the tetrahedron of 4 nodes: with f_i = −V F S B_i and Σ B_i = 0 its forces are
// Σ_j t_ij (x_j − x_i), t_ij = −V B_i·S B_j. Left are the roundings of an energy that is a function of six lengths and differentiated by
// dual numbers; forces are of order 1 to 100.
TEST(TrussSolid, IsTheTetrahedronOfFourNodes) {
  using Kernel = SolidKernel<SolidKind::tetrahedron_4>;
  constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  Random random(11);
  for (const ElasticLaw law : {ElasticLaw::st_venant_kirchhoff, ElasticLaw::neo_hooke, ElasticLaw::mooney_rivlin,
                               ElasticLaw::yeoh, ElasticLaw::ogden})
    for (const Solid::Formulation formulation : {Solid::Formulation::mixed, Solid::Formulation::full}) {
      Solid::Params<double> p{};
      for (int i = 0; i < most_elastic_constants; ++i) p.constants[i] = random.uniform(3, 5);
      p.rho = 900, p.bulk = law == ElasticLaw::st_venant_kirchhoff ? 0 : 40;
      std::vector<double> X, x;
      for (int n = 0; n < 4; ++n)
        for (int i = 0; i < 3; ++i) {
          X.push_back(solid_node(SolidKind::tetrahedron_4, n)[i] + random.uniform(-0.2, 0.2));
          x.push_back(X.back() + random.uniform(-0.1, 0.1));
        }
      const Solid::Options o{.law = law, .formulation = formulation};
      const auto data = Kernel::prepare(p, o, X.data());
      double r[12], along[12] = {}, largest = 0;
      Kernel::residual(data, o, none, x.data(), x.data(), r);
      for (int e = 0; e < 6; ++e) {
        std::array<Dual<double>, 6> length;
        double d[6][3], l[6];
        for (int k = 0; k < 6; ++k) {
          l[k] = 0;
          for (int i = 0; i < 3; ++i) {
            d[k][i] = x[3 * edges[k][1] + i] - x[3 * edges[k][0] + i];
            l[k] += d[k][i] * d[k][i];
          }
          l[k] = std::sqrt(l[k]);
          length[k] = Dual<double>(l[k], k == e ? 1.0 : 0.0);
        }
        const double force = energy_of_lengths(X, data.constants, {law, o.form}, length, edges).d;
        for (int i = 0; i < 3; ++i) {
          along[3 * edges[e][0] + i] += force * d[e][i] / l[e];
          along[3 * edges[e][1] + i] -= force * d[e][i] / l[e];
        }
        // and it is what the sensor reads in the middle of the edge
        double probed[std::size(SolidElement<SolidKind::tetrahedron_4>::probes)], at[3];
        for (int i = 0; i < 3; ++i)
          at[i] = 0.5 * (solid_node(Kernel::kind, edges[e][0])[i] + solid_node(Kernel::kind, edges[e][1])[i]);
        Kernel::probe(data, o, x.data(), at[0], at[1], at[2], probed);
        EXPECT_NEAR(probed[SolidElement<SolidKind::tetrahedron_4>::edge_probe], force, 2e-13 * (1 + std::fabs(force)));
      }
      for (const double f : r) largest = std::max(largest, std::fabs(f));
      EXPECT_GT(largest, 0.05);
      for (int i = 0; i < 12; ++i) EXPECT_NEAR(r[i], along[i], 2e-13 * largest);
      double m[16];  // trusses of 3m/10, nodes of −m/5 [meijaard-truss eq 5]
      Kernel::mass(data, m);
      double whole = 0;
      for (const double c : m) whole += c;
      EXPECT_NEAR(m[0], 3 * (0.3 * whole / 3) - whole / 5, 1e-13 * whole);
      EXPECT_NEAR(m[1], 0.3 * whole / 6, 1e-13 * whole);
    }
}

/// x = F X, whatever F does across the triangle.
Triangle mapped(const Triangle& X, const double (&F)[9]) {
  Triangle x{};
  for (int n = 0; n < 3; ++n)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) x[3 * n + i] += F[3 * i + j] * X[3 * n + j];
  return x;
}
Triangle flat(const Triangle& X, double along_x, double along_y) {
  const double F[9] = {along_x, 0, 0, 0, along_y, 0, 0, 0, 1};
  return mapped(X, F);
}
const Triangle in_plane{0, 0, 0, 0.5, 0.1, 0, 0.1, 0.4, 0};

// Plane stress of the law that solids have: the energy of the test of the two stretches, by another solver. 1e-13 is rounding times k/μ.
TEST(Membrane, HasThePlaneStressOfTheLawsOfSolids) {
  for (const double ratio : {2.0, 1000.0})
    for (const ElasticLaw law : {ElasticLaw::neo_hooke, ElasticLaw::mooney_rivlin, ElasticLaw::yeoh}) {
      const Membrane::Options o{.law = law};
      const Membrane::Params<double> p = sheet({2e5, 5e4, 1e4}, ratio * 4e5);
      const auto data = MembraneKernel::prepare(p, o, in_plane.data());
      const Triangle x = flat(in_plane, 1.4, 1.4);
      double probed[std::size(Membrane::probes)];
      MembraneKernel::probe(data, o, x.data(), 0.3, 0.3, 0, probed);
      const CompressibleTension test =
          compressible_tension(TensionTest::equibiaxial, {law, o.form}, data.constants, 1.4);
      EXPECT_NEAR(probed[Solid::piola_probe] * 1.4, test.stress, 1e-12 * ratio * test.stress);
      EXPECT_NEAR(probed[Solid::stretch_probe + 2], test.stretches.of[2], 1e-12 * ratio);
      EXPECT_NEAR(probed[Solid::cauchy_probe + 2], 0, 1e-12 * ratio * test.stress);
    }
}

// St. Venant–Kirchhoff: S = E/(1 − ν²) ((1 − ν) E + ν tr E 1), and the mass m/6, m/12.
TEST(Membrane, IsHookesSheetOfGreensStrain) {
  const double E = 3e6, nu = 0.3, mu = E / 2 / (1 + nu), lambda = E * nu / (1 + nu) / (1 - 2 * nu);
  const Membrane::Options o{};
  const auto data = MembraneKernel::prepare(sheet({lambda, mu}, 0), o, oblique.data());
  const double F[9] = {1.1, 0.05, -0.02, 0.1, 0.95, 0.03, 0.04, -0.1, 1.2};
  const Triangle x = mapped(oblique, F);
  double probed[std::size(Membrane::probes)], C[9];
  MembraneKernel::probe(data, o, x.data(), 0.2, 0.5, 0, probed);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      C[3 * i + j] = 0;
      for (int k = 0; k < 3; ++k) C[3 * i + j] += F[3 * k + i] * F[3 * k + j];
    }
  double in[2][2], trace = 0;  // E in the axes of the triangle
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) {
      in[a][b] = a == b ? -0.5 : 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          in[a][b] += 0.5 * data.sheet.shape.axes[3 * a + i] * C[3 * i + j] * data.sheet.shape.axes[3 * b + j];
    }
  trace = in[0][0] + in[1][1];
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) {
      double S = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          S += data.sheet.shape.axes[3 * a + i] * probed[Solid::piola_probe + voigt[i][j]] *
               data.sheet.shape.axes[3 * b + j];
      EXPECT_NEAR(S, E / (1 - nu * nu) * ((1 - nu) * in[a][b] + (a == b ? nu * trace : 0)), 1e-13 * E);
    }
  double m[9];
  MembraneKernel::mass(data, m);
  const double whole = 1100 * data.sheet.shape.volume;
  EXPECT_NEAR(m[0], whole / 6, 1e-15 * whole);
  EXPECT_NEAR(m[1], whole / 12, 1e-15 * whole);
}

// As it is meshed it has the stretch that was stated, and the tension of it.
TEST(Membrane, IsPrestressedByItsStretch) {
  const Membrane::Options o{.law = ElasticLaw::neo_hooke};
  const auto data = MembraneKernel::prepare(sheet({2e5}, 4e5, 0.02, 1.25), o, oblique.data());
  double probed[std::size(Membrane::probes)];
  MembraneKernel::probe(data, o, oblique.data(), 0.3, 0.3, 0, probed);
  const CompressibleTension test =
      compressible_tension(TensionTest::equibiaxial, {o.law, o.form}, data.constants, 1.25);
  EXPECT_NEAR(probed[Solid::stretch_probe], 1.25, 1e-14);
  EXPECT_NEAR(probed[Solid::piola_probe + 0] + probed[Solid::piola_probe + 1] + probed[Solid::piola_probe + 2],
              2 * test.stress / 1.25, 1e-10 * test.stress);
}

// A strip that is only pulled has the width w. Narrower it is folded: the same stress along it, none across; shorter than it was it has none.
TEST(Membrane, WrinklesAndGoesSlack) {
  for (const ElasticLaw law : {ElasticLaw::st_venant_kirchhoff, ElasticLaw::neo_hooke}) {
    const bool is_hooke = law == ElasticLaw::st_venant_kirchhoff;
    const Membrane::Options o{.law = law, .carries = Membrane::Carries::tension}, both{.law = law};
    const auto p = is_hooke ? sheet({1.7e6, 1.2e6}, 0) : sheet({2e5}, 9e5);
    const auto data = MembraneKernel::prepare(p, o, in_plane.data());
    const CompressibleTension strip = compressible_tension(TensionTest::uniaxial, {law, o.form}, data.constants, 1.3);
    const double width = strip.stretches.of[1], force = strip.stress;
    const auto probe = [&](const Membrane::Options& options, double along, double across) {
      std::array<double, std::size(Membrane::probes)> out{};
      MembraneKernel::probe(data, options, flat(in_plane, along, across).data(), 0.3, 0.3, 0, out.data());
      return out;
    };
    for (const double share : {1.02, 0.98, 0.6, 0.1}) {
      const auto folded = probe(o, 1.3, share * width), plain = probe(both, 1.3, share * width);
      if (share > 1) {
        for (size_t k = 0; k < folded.size(); ++k) EXPECT_EQ(folded[k], plain[k]);
        continue;
      }
      EXPECT_LT(plain[Solid::piola_probe + 1], 0);
      EXPECT_NEAR(folded[Solid::piola_probe] * 1.3, force, 1e-11 * force);
      EXPECT_NEAR(folded[Solid::piola_probe + 1], 0, 1e-11 * force);
      EXPECT_NEAR(folded[Solid::piola_probe + 5], 0, 1e-11 * force);
      EXPECT_LT(folded[Solid::energy_probe], plain[Solid::energy_probe]);
    }
    const Triangle slack = flat(in_plane, 0.97, 0.8);
    double r[9];
    MembraneKernel::residual(data, o, none, slack.data(), slack.data(), r);
    for (const double f : r) EXPECT_EQ(f, 0);
    EXPECT_EQ(MembraneKernel::energy(data, o, none, slack.data()), 0);
  }
}

}  // namespace
}  // namespace flexura::test
