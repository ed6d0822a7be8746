// Solids: shape functions, single elements and patches. Tangent, lanes and rigid motions are in the suites over all terms.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "flexura/element/solid_kernel.hpp"
#include "tests/support/random.hpp"
#include "tests/support/solids.hpp"

namespace flexura::test {
namespace {

const Context<double> none;
using Matrix = std::array<std::array<double, 3>, 3>;

// A function is 1 at its node and 0 at the others; linear fields, and quadratic ones of quadratic elements, are met with their
// slopes. A tenth of an ulp more than the sums.
TEST(SolidShape, IsNodalAndComplete) {
  for (SolidKind kind : all_solids) {
    const bool quadratic = node_count(kind) > 8;
    const auto field = [&](double x, double y, double z) {
      return 1 + 2 * x - y + 3 * z + (quadratic ? x * x - 2 * y * y + z * z + x * y - 3 * y * z + 2 * x * z : 0.0);
    };
    for (int n = 0; n < node_count(kind); ++n) {
      const auto at = solid_node(kind, n);
      const SolidFunctions f = solid_functions(kind, at[0], at[1], at[2]);
      for (int m = 0; m < node_count(kind); ++m) EXPECT_EQ(f.value[m], m == n) << name_of(kind) << ' ' << n << ' ' << m;
    }
    for (int k = 0; k < 8; ++k) {
      const SolidPlace p = gauss_place<2>(kind, k);
      const double *x = p.x, h = 1e-6;
      const SolidFunctions f = solid_functions(kind, x[0], x[1], x[2]);
      double value = 0, slope[3] = {};
      for (int n = 0; n < node_count(kind); ++n) {
        const auto at = solid_node(kind, n);
        value += f.value[n] * field(at[0], at[1], at[2]);
        for (int i = 0; i < 3; ++i) slope[i] += f.slope[n][i] * field(at[0], at[1], at[2]);
      }
      EXPECT_NEAR(value, field(x[0], x[1], x[2]), 1e-14);
      for (int i = 0; i < 3; ++i) {  // central differences are exact for parabolas but for their rounding
        double up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]};
        up[i] += h, down[i] -= h;
        EXPECT_NEAR(slope[i], (field(up[0], up[1], up[2]) - field(down[0], down[1], down[2])) / (2 * h), 1e-9);
      }
    }
  }
}

// Of hexahedra 2³ and 3³ points, exact to degree 3 and 5 in each direction; of tetrahedra to degree 1 and 3.
TEST(SolidShape, RulesAreExactToTheirDegree) {
  for (SolidKind kind : all_solids) {
    const int degree[] = {3, 5, 5, 1, 3};
    const auto monomial = [&](int a, int b, int c) {  // ∫ ξ^a η^b ζ^c
      if (is_hexahedron(kind)) return 1.0 / ((a + 1) * (b + 1) * (c + 1));
      return std::tgamma(a + 1) * std::tgamma(b + 1) * std::tgamma(c + 1) / std::tgamma(a + b + c + 4);
    };
    const int most = degree[static_cast<int>(kind)];
    for (int a = 0; a <= most; ++a)
      for (int b = 0; b <= most; ++b)
        for (int c = 0; c <= most; ++c) {
          if (!is_hexahedron(kind) && a + b + c > most) continue;
          double sum = 0;
          for (int k = 0; k < place_count(kind); ++k) {
            const SolidPlace p = solid_place(kind, k);
            sum += p.weight * std::pow(p.x[0], a) * std::pow(p.x[1], b) * std::pow(p.x[2], c);
          }
          EXPECT_NEAR(sum, monomial(a, b, c), 1e-15) << name_of(kind) << a << b << c;
        }
  }
}

/// A distorted element, nodes off its edges too.
template <SolidKind kind>
std::vector<double> distorted(Random& random, double size) {
  std::vector<double> X;
  for (int n = 0; n < node_count(kind); ++n)
    for (int i = 0; i < 3; ++i) X.push_back(solid_node(kind, n)[i] + random.uniform(-size, size));
  return X;
}
template <SolidKind kind>
auto data_of(const Rubber& rubber, const std::vector<double>& X) {
  Solid::Params<double> p{};
  p.rho = rubber.rho, p.bulk = rubber.bulk, p.viscosity = rubber.viscosity;
  for (int i = 0; i < most_elastic_constants; ++i) p.constants[i] = rubber.constants[i];
  return SolidKernel<kind>::prepare(p, rubber.options, X.data());
}
double volume_of(const auto& data) {
  double sum = 0;
  for (const auto& point : data.point) sum += point.weight;
  return sum;
}

// x = F X with any F: energy V ψ(F), and the forces do the work −V P:δF in every homogeneous motion.
TEST(Solid, HomogeneousDeformationHasTheExactEnergyAndStress) {
  Random random(7);
  for (SolidKind kind : all_solids)
    with_kind(kind, [&]<SolidKind K>() {
      for (const Solid::Formulation formulation : {Solid::Formulation::mixed, Solid::Formulation::full}) {
        const Rubber rubber = neo_hooke(2, 700, formulation);
        const std::vector<double> X = distorted<K>(random, 0.05);
        const auto data = data_of<K>(rubber, X);
        double F[9], cof[9], x[3 * node_count(K)], r[3 * node_count(K)];
        for (int i = 0; i < 9; ++i) F[i] = (i % 4 == 0) + random.uniform(-0.3, 0.3);
        for (int k = 0; k < 3 * node_count(K); ++k) {
          x[k] = 0;
          for (int j = 0; j < 3; ++j) x[k] += F[3 * (k % 3) + j] * X[k - k % 3 + j];
        }
        solid_cofactors(F, cof);
        const double J = solid_determinant(F, cof), V = volume_of(data);
        double C[6], S[6], I1 = 0;
        for (int p = 0; p < 6; ++p) {
          C[p] = 0;
          for (int i = 0; i < 3; ++i) C[p] += F[3 * i + voigt_first[p]] * F[3 * i + voigt_second[p]];
          if (p < 3) I1 += C[p];
        }
        const LawChoice law{rubber.options.law, rubber.options.form};
        elastic_stress(law, data.constants, C, S);
        const double energy = V * (0.5 * 2 * (std::pow(J, -2.0 / 3) * I1 - 3) + 350 * (J - 1) * (J - 1));
        EXPECT_NEAR(SolidKernel<K>::energy(data, rubber.options, none, x), energy, 1e-12 * energy) << name_of(kind);
        SolidKernel<K>::residual(data, rubber.options, none, x, x, r);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            double P = 700 * (J - 1) * cof[3 * i + j], work = 0;
            for (int k = 0; k < 3; ++k) P += F[3 * i + k] * S[voigt[k][j]];
            for (int n = 0; n < node_count(K); ++n) work += r[3 * n + i] * X[3 * n + j];
            EXPECT_NEAR(work, -V * P, 1e-12 * V * 700) << name_of(kind);
          }
      }
    });
}

/// Eigenvalues of the tangent in the reference of a whole block.
Eigen::VectorXd eigenvalues(const SolidBlock& block, const Rubber& rubber) {
  const int n = 3 * static_cast<int>(block.X.size());
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  with_kind(block.kind, [&]<SolidKind kind>() {
    constexpr int count = 3 * node_count(kind);
    std::vector<double> X(count), local(count * count);
    for (const std::vector<int>& nodes : block.elements) {
      for (int i = 0; i < count; ++i) X[i] = block.X[nodes[i / 3]][i % 3];
      const auto data = data_of<kind>(rubber, X);
      SolidKernel<kind>::tangent(data, rubber.options, none, X.data(), X.data(), 0, local.data());
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
          K(3 * nodes[i / 3] + i % 3, 3 * nodes[j / 3] + j % 3) += local[i >= j ? i * count + j : j * count + i];
    }
  });
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K, Eigen::EigenvaluesOnly).eigenvalues();
}

Triple slightly_bent(const Triple& x) {
  return {x[0] + 0.1 * x[1] * x[1], x[1] + 0.07 * x[0] * x[2], x[2] - 0.05 * x[0] * x[1]};
}

// Six rigid motions and nothing else is free, in one element and in eight: there are no hourglass modes.
TEST(Solid, HasSixModesWithoutEnergy) {
  for (SolidKind kind : all_solids)
    for (const Solid::Formulation formulation : {Solid::Formulation::mixed, Solid::Formulation::full})
      for (int cells : {1, 2}) {
        SolidBlock block = solid_block(kind, {cells, cells, cells}, slightly_bent);
        if (cells == 1) block.elements.resize(1);
        if (!is_hexahedron(kind) && cells == 1) {  // the nodes of the first of six
          SolidBlock one;
          one.kind = kind;
          for (int n : block.elements[0]) one.X.push_back(block.X[n]);
          one.elements.push_back({});
          for (int n = 0; n < node_count(kind); ++n) one.elements[0].push_back(n);
          block = one;
        }
        const Eigen::VectorXd values = eigenvalues(block, neo_hooke(1, 2, formulation));
        const double most = values[values.size() - 1];
        for (int i = 0; i < 6; ++i) EXPECT_NEAR(values[i], 0, 1e-14 * most) << name_of(kind);
        EXPECT_GT(values[6], 1e-3 * most) << name_of(kind);
        RecordProperty(fmt::format("{}_{}_{}", name_of(kind), cells, static_cast<int>(formulation)),
                       fmt::format("{:.2e}", values[6] / most));
      }
}

// ρ V, and first moments ρ ∫ X dV of a bent body by 4³ points.
TEST(Solid, MassIsThatOfTheBody) {
  Random random(3);
  for (SolidKind kind : all_solids)
    with_kind(kind, [&]<SolidKind K>() {
      const std::vector<double> X = distorted<K>(random, 0);
      const auto data = data_of<K>(neo_hooke(1, 1), X);
      std::vector<double> m(node_count(K) * node_count(K));
      SolidKernel<K>::mass(data, m.data());
      double whole = 0, moment = 0;
      for (size_t k = 0; k < m.size(); ++k) {
        whole += m[k];
        moment += m[k] * X[3 * (k / node_count(K))] * X[3 * (k % node_count(K)) + 1];
      }
      const bool cube = is_hexahedron(K);
      EXPECT_NEAR(whole, cube ? 1000.0 : 1000.0 / 6, 1e-11) << name_of(kind);
      EXPECT_NEAR(moment, cube ? 250.0 : 1000.0 / 120, 1e-11) << name_of(kind);
    });
}

// The surface of a distorted block goes where a homogeneous deformation takes it: so do the nodes inside. 1e-9: Newton's stop.
TEST(Solid, PassesThePatchTest) {
  const Matrix F{{{1.2, 0.1, -0.05}, {0.05, 0.9, 0.15}, {-0.1, 0.2, 1.1}}};
  for (SolidKind kind : all_solids)
    for (const Solid::Formulation formulation : {Solid::Formulation::mixed, Solid::Formulation::full}) {
      Random random(5);
      const SolidBlock block = solid_block(kind, {2, 2, 2}, [&](const Triple& x) {
        Triple at = x;
        for (double& c : at) c += random.uniform(-0.04, 0.04);
        return at;
      });
      ModelBuilder b(3);
      const std::vector<int> slots = add_solid(b, block, neo_hooke(1, 50, formulation));
      int inside = 0;
      for (size_t n = 0; n < slots.size(); ++n) {
        const Triple& s = block.share[n];
        bool on_surface = false;
        for (double c : s) on_surface |= c == 0 || c == 1;
        inside += !on_surface;
        Triple u{};
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) u[i] += (F[i][j] - (i == j)) * block.X[n][j];
        if (on_surface) move(b, slots[n], u);
      }
      ASSERT_GT(inside, 0);
      Simulation<double> sim(b.build());
      ASSERT_TRUE(StaticSolver(sim.system, {}).solve(sim.state).converged) << name_of(kind);
      for (size_t n = 0; n < slots.size(); ++n)
        for (int i = 0; i < 3; ++i) {
          double x = 0;
          for (int j = 0; j < 3; ++j) x += F[i][j] * block.X[n][j];
          EXPECT_NEAR(sim.q(slots[n], i), x, 1e-9) << name_of(kind);
        }
    }
}

// Of a homogeneous deformation everything is known: Yeoh's law, stretched along X and sheared.
TEST(Solid, ProbesReadAHomogeneousState) {
  Random random(9);
  for (SolidKind kind : all_solids)
    with_kind(kind, [&]<SolidKind K>() {
      const Rubber rubber{{.law = ElasticLaw::neo_hooke}, {3}, 40};
      const std::vector<double> X = distorted<K>(random, 0.04);
      const auto data = data_of<K>(rubber, X);
      const double stretch = 1.3, shear = 0.4;  // x = (λ X + γ Y, Y, Z)
      std::vector<double> x = X;
      for (int n = 0; n < node_count(K); ++n) x[3 * n] = stretch * X[3 * n] + shear * X[3 * n + 1];
      double out[std::size(SolidElement<K>::probes)];
      SolidKernel<K>::probe(data, rubber.options, x.data(), 0.2, 0.3, 0.15, out);
      const double J = stretch,
                   green[6] = {(stretch * stretch - 1) / 2, shear * shear / 2, 0, 0, 0, stretch * shear / 2};
      for (int p = 0; p < 6; ++p) EXPECT_NEAR(out[Solid::green_probe + p], green[p], 1e-14) << name_of(kind);
      // σ = μ J^(−5/3) dev b + k (J − 1) 1, b = F Fᵀ
      const double b[6] = {stretch * stretch + shear * shear, 1, 1, 0, 0, shear}, mean = (b[0] + 2) / 3;
      double sigma[6], mises = 0, product = 0;
      for (int p = 0; p < 6; ++p) {
        const double deviator = 3 * std::pow(J, -5.0 / 3) * (b[p] - (p < 3) * mean);
        sigma[p] = deviator + (p < 3) * 40 * (J - 1);
        mises += (p < 3 ? 1.5 : 3) * deviator * deviator;
        EXPECT_NEAR(out[Solid::cauchy_probe + p], sigma[p], 1e-12) << name_of(kind) << p;
      }
      // S = J F⁻¹ σ F⁻ᵀ
      const double inverse[9] = {1 / stretch, -shear / stretch, 0, 0, 1, 0, 0, 0, 1};
      for (int p = 0; p < 6; ++p) {
        product = 0;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            product += J * inverse[3 * voigt_first[p] + i] * sigma[voigt[i][j]] * inverse[3 * voigt_second[p] + j];
        EXPECT_NEAR(out[Solid::piola_probe + p], product, 1e-12) << name_of(kind) << p;
      }
      EXPECT_NEAR(out[Solid::volume_probe], J, 1e-14);
      EXPECT_NEAR(out[Solid::stretch_probe] * out[Solid::stretch_probe + 1] * out[Solid::stretch_probe + 2], J, 1e-14);
      EXPECT_NEAR(out[Solid::stretch_probe + 1], 1, 1e-14);  // along Z
      EXPECT_NEAR(std::pow(out[Solid::stretch_probe], 2) + std::pow(out[Solid::stretch_probe + 2], 2), b[0] + 1, 1e-14);
      EXPECT_NEAR(out[Solid::pressure_probe], -40 * (J - 1), 1e-12);
      EXPECT_NEAR(out[Solid::energy_probe], 1.5 * (std::pow(J, -2.0 / 3) * (b[0] + 2) - 3) + 20 * (J - 1) * (J - 1),
                  1e-13);
      EXPECT_NEAR(out[Solid::von_mises_probe], std::sqrt(mises), 1e-12);
    });
}

}  // namespace
}  // namespace flexura::test
