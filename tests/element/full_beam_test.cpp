// What is special about the full beam; tangent, lanes and rigid motions are in the suites over all terms.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "flexura/element/ancf_beam_24_kernel.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/full_beams.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using E = AncfBeam24Kernel;
using Strains = AncfBeam24::Strains;
constexpr Strains all_strains[] = {Strains::enhanced, Strains::selective, Strains::full};
const Context<double> none;
constexpr double pi = std::numbers::pi;

/// Along X, r_y along Y and r_z along Z.
struct Bar {
  E::Params<double> p{0.3, 0.2, 0.25, 0, 1100, {{1.3, 0.4, 0.02}}, 900, 0, 1, 1, 1, 0.4, 0.3};
  double X[24] = {};

  Bar() {
    for (int n = 0; n < 2; ++n) {
      X[12 * n] = n * p.length;
      for (int k = 0; k < 3; ++k) X[12 * n + 3 + 4 * k] = 1;
    }
  }
};

// x = F X with any F: energy V ψ(F), and the forces do the work V P:δF in every virtual homogeneous deformation; of all strains, since a
// section that is strained alike has nothing to contract.
TEST(FullBeam, HomogeneousDeformationHasTheExactEnergyAndStress) {
  for (const ElasticLaw law : {ElasticLaw::st_venant_kirchhoff, ElasticLaw::neo_hooke, ElasticLaw::mooney_rivlin,
                               ElasticLaw::yeoh, ElasticLaw::yeoh_paper})
    for (const Strains strains : all_strains) {
      SCOPED_TRACE(fmt::format("law {} strains {}", static_cast<int>(law), static_cast<int>(strains)));
      Random random(7);
      const Bar bar;
      const E::Options o{.law = law, .strains = strains};
      const auto data = E::prepare(bar.p, o, bar.X);
      double F[3][3], x[24], r[24], C[6], S[6];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) F[i][j] = (i == j) + random.uniform(-0.2, 0.2);
      for (int k = 0; k < 8; ++k)
        for (int i = 0; i < 3; ++i) {
          x[3 * k + i] = 0;
          for (int j = 0; j < 3; ++j) x[3 * k + i] += F[i][j] * bar.X[3 * k + j];
        }
      for (int p = 0; p < 6; ++p) {
        C[p] = 0;
        for (int i = 0; i < 3; ++i) C[p] += F[i][voigt_first[p]] * F[i][voigt_second[p]];
      }
      ElasticConstants<double> constants{{1.3, 0.4, 0.02}, law == ElasticLaw::st_venant_kirchhoff ? 0.0 : 900.0};
      if (law == ElasticLaw::st_venant_kirchhoff) constants.c[0] += 900;  // the element takes its bulk modulus as well
      elastic_stress(o.choice(), constants, C, S);
      const VolumeChange<double> change(C);
      double psi = elastic_energy(o.choice(), constants, C) + volume_energy(constants, change.J);
      if (law != ElasticLaw::st_venant_kirchhoff) add_volume_stress(constants, change, S);
      const double V = bar.p.length * bar.p.size_1 * bar.p.size_2;
      EXPECT_NEAR(E::energy(data, o, none, x), V * psi, 1e-13 * V * 900);
      E::residual(data, o, none, x, x, r);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          double work = 0, P = 0;  // of δx_i = X_j
          for (int k = 0; k < 8; ++k) work += r[3 * k + i] * bar.X[3 * k + j];
          for (int a = 0; a < 3; ++a) P += F[i][a] * S[voigt[a][j]];
          EXPECT_NEAR(work, -V * P, 3e-13 * V * 900) << i << j;
        }
    }
}

// ρ V of a translation, ρ A I/A l of the section's vectors: of a rectangle, a disc and a tube.
TEST(FullBeam, MassIsThatOfTheBody) {
  for (const int shape : {0, 1, 2}) {
    Bar bar;
    if (shape == 2) bar.p.hole = 0.6;
    const auto section = shape == 0 ? AncfBeam24::Section::rectangle : AncfBeam24::Section::ellipse;
    std::vector<double> m(64, 0.0);
    E::mass(E::prepare(bar.p, {.section = section}, bar.X), m.data());
    const auto sum = [&](int k, int l) {
      return m[k * 8 + l] + m[k * 8 + 4 + l] + m[(4 + k) * 8 + l] + m[(4 + k) * 8 + 4 + l];
    };
    const double h2 = bar.p.hole * bar.p.hole, a = bar.p.size_1, b = bar.p.size_2;
    const double mass = 1100 * bar.p.length * a * b * (shape == 0 ? 1 : pi / 4 * (1 - h2));
    const double per = shape == 0 ? 1.0 / 12 : (1 + h2) / 16;
    EXPECT_NEAR(sum(0, 0), mass, 1e-13 * mass);
    EXPECT_NEAR(sum(2, 2), mass * per * a * a, 1e-13 * mass);
    EXPECT_NEAR(sum(3, 3), mass * per * b * b, 1e-13 * mass);
    EXPECT_NEAR(sum(0, 2), 0, 1e-13 * mass);
    EXPECT_NEAR(sum(2, 3), 0, 1e-13 * mass);
  }
}

/// Compliances of a straight clamped bar over those of a beam of its moduli: stretch, rotation by an end moment about d₂ and d₁, deflection
/// by a force along d₁ and d₂, torsion.
struct Compliance {
  double stretch, bend_2, bend_1, tip_1, tip_2, twist;
};
Compliance compliance(const FullBeamCase& of, int elements, double L = 1) {
  ModelBuilder b(3);
  const FullBeamNodes beam = add_full_beam(b, elements, L, of, [L](double x) {
    return Frame{{x * L, 0, 0}, {Triple{0, 1, 0}, Triple{0, 0, 1}, Triple{1, 0, 0}}};
  });
  const Model model = b.build();
  Dense<double> dense(model);
  const std::vector<double> q = model.values.q0, v(q.size(), 0.0), K = dense.tangent(q, v, 0, 0);
  const Eigen::LDLT<Eigen::MatrixXd> factor(Eigen::Map<const Eigen::MatrixXd>(K.data(), dense.n, dense.n));
  using Load = std::vector<std::pair<int, double>>;
  const auto at = [&](int slot, int axis) { return model.topology->slots[beam.tip(slot)].offset + axis; };
  const auto solve = [&](const Load& load) {
    Eigen::VectorXd f = Eigen::VectorXd::Zero(dense.n);
    for (const auto& [i, value] : load) f[i] = value;
    return Eigen::VectorXd(factor.solve(f));
  };
  const ElasticModuli m = of.moduli();
  const double Ey = m.young() / (of.keeps_width ? 1 - m.poisson() * m.poisson() : 1);
  const SectionGeometry s = of.section();
  const double shear_1 = L / (s.shear1 * m.shear * s.A), shear_2 = L / (s.shear2 * m.shear * s.A);
  const Eigen::VectorXd turned = solve({{at(1, 2), 0.5}, {at(2, 1), -0.5}});
  return {solve({{at(0, 0), 1}})[at(0, 0)] * m.young() * s.A / L,
          -solve({{at(1, 0), -1}})[at(1, 0)] * Ey * s.I2 / L,
          -solve({{at(2, 0), -1}})[at(2, 0)] * m.young() * s.I1 / L,
          solve({{at(0, 1), 1}})[at(0, 1)] / (L * L * L / (3 * Ey * s.I2) + shear_1),
          solve({{at(0, 2), 1}})[at(0, 2)] / (L * L * L / (3 * m.young() * s.I1) + shear_2),
          0.5 * (turned[at(1, 2)] - turned[at(2, 1)]) * m.shear * s.J / L};
}

// EA, EI about both axes and GJ are those of the section, to rounding with any number of elements, whatever the shape, the slenderness and
// k/μ; a force at the end, whose moment is linear, leaves 1/(4 n²) of bending: 0.9844, 0.9990 on 4 and 16.
TEST(FullBeam, EnhancedStrainsHaveTheStiffnessesOfTheSection) {
  std::vector<FullBeamCase> cases;
  for (const double ratio : {1.0, 10.0, 4000.0, 1e5})
    for (const double height : {0.1, 0.02, 0.002}) {
      cases.push_back(rubber_bar(1e5, ratio));
      cases.back().height = height;
    }
  cases.push_back(steel_bar(2e11, 0.3));
  cases.push_back(steel_bar(1e6, 0));
  cases.push_back(rubber_bar(1e5, 1e3));
  cases.back().round = true;
  cases.push_back(cases.back());
  cases.back().hole = 0.7;
  FullBeamCase yeoh = rubber_bar(1, 1);
  yeoh.law.law = ElasticLaw::yeoh, yeoh.constants = {{0.2712e6, 0.03053e6, -401.3}, 1e9};
  cases.push_back(yeoh);
  FullBeamCase ogden = rubber_bar(1, 1);
  ogden.law.law = ElasticLaw::ogden, ogden.constants = {{6e5, 1.3, 1e3, 5, -1e4, -2}, 1e9};
  cases.push_back(ogden);
  for (const FullBeamCase& of : cases)
    for (const int elements : {1, 4, 16}) {
      SCOPED_TRACE(fmt::format("law {} k {:.3g} height {} {}", static_cast<int>(of.law.law), of.constants.bulk,
                               of.height, of.round ? "round" : ""));
      const Compliance c = compliance(of, elements);
      const double rounding = 1e-6;  // of dense factors at k/μ = 1e5 and 500 times as long as thick
      EXPECT_NEAR(c.stretch, 1, rounding);
      EXPECT_NEAR(c.bend_2, 1, rounding);
      EXPECT_NEAR(c.bend_1, 1, rounding);
      EXPECT_NEAR(c.twist, 1, rounding);
      const ElasticModuli m = of.moduli();
      const SectionGeometry s = of.section();
      const auto tip = [&](double I, double correction) {  // the part of bending is short of 1/(4 n²)
        const double bend = 1 / (3 * m.young() * I), shear = 1 / (correction * m.shear * s.A);
        return 1 - 0.25 / (elements * elements) * bend / (bend + shear);
      };
      EXPECT_NEAR(c.tip_1, tip(s.I2, s.shear1), 1e-5);
      EXPECT_NEAR(c.tip_2, tip(s.I1, s.shear2), 1e-5);
    }
}
// E/(1 − ν²) about the axis of the width, E about the other.
TEST(FullBeam, AWideStripKeepsItsWidth) {
  for (const double ratio : {1.0, 4000.0}) {
    FullBeamCase of = rubber_bar(1e5, ratio);
    of.height = 0.01, of.keeps_width = true;
    const Compliance c = compliance(of, 4);
    EXPECT_NEAR(c.stretch, 1, 1e-7);
    EXPECT_NEAR(c.bend_2, 1, 1e-7);
  }
}
// What the fields have by themselves, as full_beam.hpp says: EI (1 − ν)/(1 + ν)(1 − 2ν), with U on the axis 2/(3 (1 + ν)) EI where ν = ½;
// torsion by the polar moment, 1/0.8436 of a square's.
TEST(FullBeam, PlainStrainsHoldBendingOrAreTooSoft) {
  FullBeamCase of = rubber_bar(1e5, 4000);
  of.strains = Strains::full;
  const double nu = of.moduli().poisson();
  Compliance c = compliance(of, 4);
  EXPECT_NEAR(c.stretch, 1, 1e-7);
  EXPECT_NEAR(c.bend_2, (1 + nu) * (1 - 2 * nu) / (1 - nu), 1e-7);
  EXPECT_NEAR(c.twist, 0.8435, 1e-3);
  of.strains = Strains::selective;
  c = compliance(of, 4);
  EXPECT_NEAR(c.bend_2, 1.5 * (1 + nu), 1e-5);
  EXPECT_NEAR(c.tip_1, 1.5 * (1 + nu), 0.05);
}

// Six rigid motions and no other mode without energy, of one element and of curved chains.
TEST(FullBeam, HasSixModesWithoutEnergy) {
  for (const Strains strains : all_strains)
    for (const double height : {0.1, 0.01})
      for (const int elements : {1, 3}) {
        FullBeamCase of = rubber_bar(1, 100);
        of.strains = strains, of.height = of.width = height;
        ModelBuilder b(3);
        const FullBeamNodes beam = add_full_beam(
            b, elements, 1, of,
            [](double x) { return frame({std::sin(x), 1 - std::cos(x), 0}, {std::cos(x), std::sin(x), 0}, {0, 0, 1}); },
            true);
        const Model model = b.build();
        Dense<double> dense(model);
        std::vector<double> scale(dense.n, 1.0);
        for (const auto& node : beam.nodes)
          for (const int slot : {node[1], node[2]})
            for (int i = 0; i < 3; ++i) scale[model.topology->slots[slot].offset + i] = 1 / height;
        const std::vector<double> q = model.values.q0, v(q.size(), 0.0), K = dense.tangent(q, v, 0, 0);
        Eigen::MatrixXd A(dense.n, dense.n);
        for (int i = 0; i < dense.n; ++i)
          for (int j = 0; j < dense.n; ++j) A(i, j) = K[i * dense.n + j] * scale[i] * scale[j] / std::pow(height, 4);
        const Eigen::VectorXd values =
            Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
        for (int i = 0; i < 6; ++i) EXPECT_NEAR(values[i], 0, 1e-13 * values[values.size() - 1]) << i;
        EXPECT_GT(values[6], 1e-2) << static_cast<int>(strains) << " " << height << " " << elements;
      }
}

StaticReport solve(Simulation<>& s) { return StaticSolver(s.system, {}).solve(s.state); }

// The elastica under P L²/EI = 10 [bisshopp1945]: down by 0.81061 L, back by 0.55500 L. Of order 2: 7.4e-3, 1.9e-3, 4.7e-4 on 8, 16, 32
// elements, thick and thin alike.
TEST(FullBeam, BendsFarLikeTheElastica) {
  for (const double height : {0.01, 0.001})
    for (const double ratio : {10.0, 4000.0}) {
      double error[2];
      for (int k = 0; k < 2; ++k) {
        FullBeamCase of = rubber_bar(1e5, ratio);
        of.height = of.width = height;
        ModelBuilder b(3);
        const FullBeamNodes beam = add_full_beam(b, 8 << k, 1, of, [](double x) {
          return Frame{{x, 0, 0}, {Triple{0, 1, 0}, Triple{0, 0, 1}, Triple{1, 0, 0}}};
        });
        const double EI = of.moduli().young() * of.section().I2;
        add_force(b, beam.tip(), {0, 10 * EI, 0});
        Simulation s(b.build());
        ASSERT_TRUE(solve(s).converged);
        error[k] = std::hypot(s.q(beam.tip(), 0) - 0.44500, s.q(beam.tip(), 1) - 0.81061);
      }
      RecordProperty(fmt::format("elastica_{}_{}", height, ratio), fmt::format("{:.2e} {:.2e}", error[0], error[1]));
      EXPECT_LT(error[0], 1.2e-2) << height << " " << ratio;
      EXPECT_LT(error[1], 3e-3) << height << " " << ratio;
    }
}

// Bathe and Bolourchi's bend of 45°, ν = 0, torsion constant of the square [bathe1979]: curved reference, bending and twist together. Of
// 53.6: 0.490 and 0.126 with 8 and 16 elements, and extrapolated by order 2 the table.
TEST(FullBeam, BendOf45DegreesMeetsTheTable) {
  constexpr double R = 100;
  Triple u[2], extrapolated;
  const Triple table{-23.8188, -13.7315, 53.6079};
  for (int k = 0; k < 2; ++k) {
    FullBeamCase of = steel_bar(1e7, 0);
    of.height = of.width = 1;
    ModelBuilder b(3);
    const FullBeamNodes beam = add_full_beam(b, 8 << k, R * pi / 4, of, [](double x) {
      const double a = x * pi / 4;
      return frame({R * std::sin(a), R * (1 - std::cos(a)), 0}, {std::cos(a), std::sin(a), 0}, {0, 0, 1});
    });
    const Triple start{R * std::sin(pi / 4), R * (1 - std::cos(pi / 4)), 0};
    add_force(b, beam.tip(), {0, 0, 600});
    Simulation s(b.build());
    ASSERT_TRUE(solve(s).converged);
    for (int i = 0; i < 3; ++i) u[k][i] = s.q(beam.tip(), i) - start[i];
  }
  double error[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    extrapolated[i] = (4 * u[1][i] - u[0][i]) / 3;
    error[0] = std::hypot(error[0], u[0][i] - table[i]);
    error[1] = std::hypot(error[1], u[1][i] - table[i]);
    error[2] = std::hypot(error[2], extrapolated[i] - table[i]);
  }
  RecordProperty("errors", fmt::format("{:.3g} {:.3g} {:.3g}", error[0], error[1], error[2]));
  EXPECT_LT(error[0], 0.5);
  EXPECT_LT(error[1], 0.13);
  EXPECT_LT(error[2], 1e-2);
}

// Bent to a circle: M = EI κ about d₂, N = 0. Pulled: N = A times the nominal stress of uniaxial tension. Twisted: T = GJ φ′.
TEST(FullBeam, ProbesReadTheResultants) {
  Bar bar;
  bar.p = {0.1, 0.02, 0.03, 0, 1100, {{1e5}}, 1e8, 0, 1, 1, 1, 0, 0};
  const LawChoice law{ElasticLaw::neo_hooke, VolumeForm::isochoric};
  const ElasticModuli m = moduli_at_rest(law, {{1e5}, 1e8});
  bar.p.contraction_1 = bar.p.contraction_2 = m.poisson();
  bar.X[12] = bar.p.length;
  const auto data = E::prepare(bar.p, {}, bar.X);
  const double A = bar.p.size_1 * bar.p.size_2, I2 = A * bar.p.size_1 * bar.p.size_1 / 12,
               I1 = A * bar.p.size_2 * bar.p.size_2 / 12;
  double x[24], out[9];
  const auto read = [&](auto&& place) {
    for (int n = 0; n < 2; ++n) place(n * bar.p.length, x + 12 * n);
    E::probe(data, {}, x, 0.3, out);
  };
  const double kappa = 0.01;
  read([&](double s, double* at) {
    const double c = std::cos(kappa * s), d = std::sin(kappa * s);
    const double frame[12] = {d / kappa, (1 - c) / kappa, 0, c, d, 0, -d, c, 0, 0, 0, 1};
    std::copy_n(frame, 12, at);
  });
  EXPECT_NEAR(out[7], m.young() * I2 * kappa, 1e-4 * m.young() * I2 * kappa);
  EXPECT_NEAR(out[2], m.young() * I2 * kappa, 1e-4 * m.young() * I2 * kappa);
  EXPECT_NEAR(out[1], kappa, 1e-4 * kappa);
  EXPECT_NEAR(out[0], 0, 1e-4 * m.young() * A * kappa * bar.p.size_1);
  const double stretch = 1.3, pressure = 1e5 * (stretch * stretch - 1 / stretch) / 3;  // of a free surface
  const double thin = std::sqrt((1 + pressure / 1e8) / stretch);
  read([&](double s, double* at) {
    const double frame[12] = {stretch * s, 0, 0, stretch, 0, 0, 0, thin, 0, 0, 0, thin};
    std::copy_n(frame, 12, at);
  });
  const double nominal = 1e5 * (stretch - 1 / (stretch * stretch));
  EXPECT_NEAR(out[0], nominal * A, 2e-3 * nominal * A);  // μ/k
  const double twist = 0.01, J = 4 * I1 * I2 / (I1 + I2);
  read([&](double s, double* at) {
    const double c = std::cos(twist * s), d = std::sin(twist * s);
    const double frame[12] = {s, 0, 0, 1, 0, 0, 0, c, d, 0, -d, c};
    std::copy_n(frame, 12, at);
  });
  EXPECT_NEAR(out[5], 1e5 * J * twist, 1e-4 * 1e5 * J * twist);
}

// 2 η Ė:Ė of bending and of pulling a free bar is 2 η (1 + 2 ν²) ε̇², 3 η ε̇² where ν = ½: Kelvin–Voigt's E θ with η = μ θ.
TEST(FullBeam, DampsBendingAndStretchAlike) {
  Bar bar;
  bar.p.contraction_1 = bar.p.contraction_2 = 0.5;
  bar.p.viscosity = 7;
  const E::Options o{.damped = AncfBeam24::Damped::yes};
  const auto data = E::prepare(bar.p, o, bar.X);
  const double l = bar.p.length, A = bar.p.size_1 * bar.p.size_2, I2 = A * bar.p.size_1 * bar.p.size_1 / 12;
  double bend[24] = {}, pull[24] = {};
  for (int n = 0; n < 2; ++n) {
    const double x = n * l;
    const double bending[12] = {0, x * x / 2, 0, 0, x, 0, -x, 0, 0, 0, 0, 0};
    const double pulling[12] = {x, 0, 0, 1, 0, 0, 0, -0.5, 0, 0, 0, -0.5};
    std::copy_n(bending, 12, bend + 12 * n);
    std::copy_n(pulling, 12, pull + 12 * n);
  }
  EXPECT_NEAR(E::dissipation(data, o, none, bar.X, bend), 3 * 7 * I2 * l, 1e-13 * I2);
  EXPECT_NEAR(E::dissipation(data, o, none, bar.X, pull), 3 * 7 * A * l, 1e-13 * A);
}

// A wide block of neo-Hooke's rubber bent to a sector [rivlin1949]: the square of the stretch along it is ρ² + 2 X κ, ρ₁ρ₂ = 1. It is
// here, too; what is left are nine points of a section: 1.0000, 0.9999, 0.9971 of the energy at κ h = 0.1, 0.2, 0.5.
TEST(FullBeam, BendsAWideBlockAsRivlinDoes) {
  const double h = 0.1, mu = 1e5, l = 1e-3;
  Bar bar;
  bar.p = {l, h, 0.3, 0, 1100, {{mu}}, 4000 * mu, 0, 1, 1, 1, 1, 0};
  bar.X[12] = l;
  const auto data = E::prepare(bar.p, {}, bar.X);
  for (const double bent : {0.1, 0.2, 0.5}) {
    const double kappa = bent / h;
    const auto psi = [mu](double square) { return 0.5 * mu * (square + 1 / square - 2); };
    double exact = 0;
    for (int k = 0; k < 2000; ++k) exact += psi(std::sqrt(bent * bent + 1) - bent + 2 * bent * (k + 0.5) / 2000) / 2000;
    double least = 1e300;
    for (double a = 0.95; a < 1.2; a += 1e-4) {  // stretch of the axis
      double x[24];
      for (int n = 0; n < 2; ++n) {
        const double phi = kappa * l * (n - 0.5), c = std::cos(phi), d = std::sin(phi), R = a / kappa;
        const double frame[12] = {R * d, R * (c - 1), 0, a * c, -a * d, 0, d / a, c / a, 0, 0, 0, 1};
        std::copy_n(frame, 12, x + 12 * n);
      }
      least = std::min(least, E::energy(data, {}, none, x) / (l * h * 0.3));
    }
    RecordProperty(fmt::format("bent_{}", bent), fmt::format("{:.5f}", least / exact));
    EXPECT_NEAR(least / exact, 1, bent < 0.5 ? 2e-4 : 4e-3) << bent;
  }
}

}  // namespace
}  // namespace flexura::test
