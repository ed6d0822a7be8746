// Triangles of membranes that are woven, relax, have fibres, grow or are damped. Tangent, lanes, loss and rigid motions are in the suites
// over all terms.

#include <gtest/gtest.h>

#include <numbers>

#include "flexura/element/composite_membrane_kernel.hpp"
#include "flexura/element/composite_solid_kernel.hpp"
#include "flexura/load/fibre_tension_kernel.hpp"
#include "tests/support/random.hpp"
#include "tests/support/solids.hpp"

namespace flexura::test {
namespace {

using Triangle = std::array<double, 9>;
using Kernel = CompositeMembraneKernel;
const Triangle in_plane{0, 0, 0, 0.5, 0.1, 0, 0.1, 0.4, 0};
const Triangle oblique{0.1, 0.2, -0.3, 1.2, 0.1, 0.2, 0.3, 0.9, 0.5};

CompositeMembrane::Params<double> sheet() {
  CompositeMembrane::Params<double> p{};
  p.rho = 1100, p.thickness = 0.02;
  p.constants[0] = 2e5, p.constants[1] = 5e4, p.constants[2] = 1e4;
  p.bulk = 4e7;
  p.stretch = {1, 1};
  p.first = {1, 0, 0};
  for (int i = 0; i < most_branches; ++i) p.time[i] = 1;
  return p;
}
Triangle stretched(const Triangle& X, double along_x, double along_y) {
  Triangle x = X;
  for (int n = 0; n < 3; ++n) x[3 * n] *= along_x, x[3 * n + 1] *= along_y;
  return x;
}
Triangle moved(const Triangle& X, Random& random, double by) {
  Triangle x = X;
  for (double& c : x) c += random.uniform(-by, by);
  return x;
}

// With nothing more it is the plain triangle: forces, stiffness and energy to rounding times k/μ = 100.
TEST(CompositeMembrane, WithoutMoreIsTheMembrane) {
  Random random(3);
  const Triangle x = moved(oblique, random, 0.05);
  for (const ElasticLaw law : {ElasticLaw::st_venant_kirchhoff, ElasticLaw::yeoh, ElasticLaw::mooney_rivlin}) {
    CompositeMembrane::Params<double> p = sheet();
    p.bulk = law == ElasticLaw::st_venant_kirchhoff ? 0 : 4e7;
    p.stretch = {1.1, 1.1};
    Membrane::Params<double> plain{p.rho, p.thickness, p.constants, p.bulk, 1.1};
    const CompositeMembrane::Options o{.elastic = {.law = law}};
    const auto data = Kernel::prepare(p, o, oblique.data());
    const auto same = MembraneKernel::prepare(plain, o.elastic, oblique.data());
    const Context<double> c{};
    double r[2][9], K[2][81];
    Kernel::residual(data, o, c, x.data(), x.data(), r[0]);
    MembraneKernel::residual(same, o.elastic, c, x.data(), x.data(), r[1]);
    Kernel::tangent(data, o, c, x.data(), x.data(), 0, K[0]);
    MembraneKernel::tangent(same, o.elastic, c, x.data(), x.data(), 0, K[1]);
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(r[0][i], r[1][i], 1e-12 * 4e7 * 0.02);
    for (int i = 0; i < 81; ++i) EXPECT_NEAR(K[0][i], K[1][i], 1e-11 * 4e7 * 0.02);
    const double energy = MembraneKernel::energy(same, o.elastic, c, x.data());
    EXPECT_NEAR(Kernel::energy(data, o, c, x.data()), energy, 1e-11 * energy);
  }
}

// A wall of a solid that relaxes, has fibres and has grown, as wide and thick as it is free to be: strains, stresses and fibres of both
// after three steps, by two kernels that share the law but neither the elements nor how the thickness is found.
TEST(CompositeMembrane, IsAThinSolidWhoseFacesAreFree) {
  using Solids = CompositeSolidHexahedron8;
  constexpr int nodes = 8;
  for (const ElasticLaw law : {ElasticLaw::neo_hooke, ElasticLaw::yeoh, ElasticLaw::st_venant_kirchhoff}) {
    const bool is_hooke = law == ElasticLaw::st_venant_kirchhoff;
    CompositeMembrane::Params<double> p = sheet();
    CompositeSolid::Params<double> of{};
    p.bulk = is_hooke ? 0 : 4e6;
    if (is_hooke) p.constants[0] = 3e5, p.constants[1] = 2e5;
    p.fibre_direction = {std::cos(0.4), std::sin(0.4), 1, 0, 0, 0};
    p.fibre_stiffness = {7e4, 3e4, 0}, p.fibre_exponent = {0.7, 0, 0}, p.fibre_compression = {0, 1, 0};
    p.growth = {1, 1, 1};
    p.share[0] = 0.3, p.share[1] = 0.2, p.time[0] = 0.05, p.time[1] = 0.4;
    of.elastic = {.rho = p.rho, .constants = p.constants, .bulk = p.bulk};
    of.axis = {0, 0, 1}, of.first = {1, 0, 0};
    of.fibre_direction = {std::cos(0.4), std::sin(0.4), 0, 1, 0, 0, 0, 0, 0};
    of.fibre_stiffness = p.fibre_stiffness, of.fibre_exponent = p.fibre_exponent;
    of.fibre_compression = p.fibre_compression;
    of.growth = p.growth, of.share = p.share, of.time = p.time;
    const CompositeMembrane::Options o{.elastic = {.law = law},
                                       .grows = CompositeMembrane::Grows::yes,
                                       .families = FibreFamilies::two,
                                       .branches = PronyBranches::two};
    const CompositeSolid::Options options{.elastic = {.law = law},
                                          .grows = CompositeSolid::Grows::along_axes,
                                          .families = FibreFamilies::two,
                                          .branches = PronyBranches::two};
    std::vector<double> X;
    for (int n = 0; n < nodes; ++n)
      for (int i = 0; i < 3; ++i) X.push_back(solid_node(SolidKind::hexahedron_8, n)[i]);
    const auto data = Kernel::prepare(p, o, in_plane.data());
    const auto solid = Solids::prepare(of, options, X.data());
    const double grown[3] = {0.05, -0.03, 0.1};
    std::vector<double> past(Kernel::most_history, 0.0), next = past, before(Solids::most_history, 0.0), after = before;
    const double stretches[3][2] = {{1.2, 1.05}, {1.4, 0.9}, {1.4, 0.95}};
    for (const auto& [along, across] : stretches) {
      const Context<double> c{.sig = grown, .past = past.data(), .h = 0.07},
          d{.sig = grown, .past = before.data(), .h = 0.07};
      const Triangle x = stretched(in_plane, along, across);
      double read[std::size(CompositeMembrane::probes)], seen[std::size(CompositeSolid::probes)];
      Kernel::probe(data, o, c, x.data(), 0.3, 0.3, 0, read);
      // F_33 = λ_e (1 + growth), λ_e = J_e/(λ_1 λ_2)_e
      const double in_surface = along / 1.05 * across / 0.97, thick = 1.1 * read[Solid::volume_probe] / in_surface;
      std::vector<double> y = X;
      for (int n = 0; n < nodes; ++n) y[3 * n] *= along, y[3 * n + 1] *= across, y[3 * n + 2] *= thick;
      Solids::probe(solid, options, d, y.data(), 0.5, 0.5, 0.5, seen);
      const double size = std::fabs(seen[Solid::piola_probe]);
      for (int k = 0; k < 6; ++k) {
        EXPECT_NEAR(read[Solid::green_probe + k], seen[Solid::green_probe + k], 1e-12);
        EXPECT_NEAR(read[Solid::piola_probe + k], seen[Solid::piola_probe + k], 1e-9 * size);
        EXPECT_NEAR(read[Solid::cauchy_probe + k], seen[Solid::cauchy_probe + k], 1e-9 * size);
      }
      EXPECT_NEAR(seen[Solid::piola_probe + 2], 0, 1e-9 * size);
      EXPECT_NEAR(read[CompositeMembrane::fibre_probe], seen[CompositeSolid::fibre_probe], 1e-13);
      Kernel::remember(data, o, c, x.data(), x.data(), next.data());
      Solids::remember(solid, options, d, y.data(), y.data(), after.data());
      const double lost = Kernel::loss(data, o, c, x.data(), x.data()) / data.sheet.shape.volume;
      EXPECT_NEAR(lost, Solids::loss(solid, options, d, y.data(), y.data()), 1e-9 * std::fabs(lost));
      const double stored = Kernel::energy(data, o, c, x.data()) / data.sheet.shape.volume;
      EXPECT_NEAR(stored, Solids::energy(solid, options, d, y.data()), 1e-9 * stored);
      past = next, before = after;
    }
  }
}

// S = Q E by its own axes, which lie at 35 degrees to X: E_X, shear and all. Held, it falls as the series says.
TEST(CompositeMembrane, WovenHasTheModuliOfItsAxes) {
  CompositeMembrane::Params<double> p = sheet();
  const double angle = 35 * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
  p.first = {c, s, 0.7};  // what is across the sheet does not count
  p.moduli = {9e6, 1e6, 3e6, 0, 0, 8e5};
  p.share[0] = 0.4, p.time[0] = 0.3;
  const CompositeMembrane::Options o{.weave = CompositeMembrane::Weave::orthotropic, .branches = PronyBranches::one};
  const auto data = Kernel::prepare(p, o, in_plane.data());
  const Triangle x = stretched(in_plane, 1.1, 0.96);
  const double Ex = 0.5 * (1.1 * 1.1 - 1), Ey = 0.5 * (0.96 * 0.96 - 1);
  const double E1 = c * c * Ex + s * s * Ey, E2 = s * s * Ex + c * c * Ey, E12 = c * s * (Ey - Ex);
  const double S1 = 9e6 * E1 + 1e6 * E2, S2 = 1e6 * E1 + 3e6 * E2, S12 = 8e5 * 2 * E12;
  const double expected[3] = {c * c * S1 + s * s * S2 - 2 * c * s * S12, s * s * S1 + c * c * S2 + 2 * c * s * S12,
                              c * s * (S1 - S2) + (c * c - s * s) * S12};
  std::vector<double> past(Kernel::most_history, 0.0), next = past;
  double read[std::size(CompositeMembrane::probes)];
  Kernel::remember(data, o, {.past = past.data(), .h = 1e-12}, x.data(), x.data(), next.data());
  for (const double t : {0.0, 0.1, 1.0, 100.0}) {
    Kernel::probe(data, o, {.past = next.data(), .h = t}, x.data(), 0.3, 0.3, 0, read);
    const double left = 0.6 + 0.4 * std::exp(-t / 0.3);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(read[Solid::piola_probe + plane_voigt[k]], left * expected[k], 1e-11 * 9e6);
    EXPECT_NEAR(read[Solid::volume_probe], 1.1 * 0.96, 1e-14);  // as thick as it was
  }
}

// While its nodes rest the thickness goes on, through S₃₃ ≠ 0 within a step: what no account has of it falls with the square of the step.
TEST(CompositeMembrane, EnergyWhileItRelaxesIsOfSecondOrder) {
  CompositeMembrane::Params<double> p = sheet();
  p.bulk = 8e5, p.share[0] = 0.5, p.time[0] = 0.2;
  const CompositeMembrane::Options o{.elastic = {.law = ElasticLaw::yeoh}, .branches = PronyBranches::one};
  const auto data = Kernel::prepare(p, o, in_plane.data());
  const Triangle x = stretched(in_plane, 1.5, 1.2);
  double missing[2];
  for (const int fine : {0, 1}) {
    const int steps = fine ? 32 : 16;
    std::vector<double> past(Kernel::most_history, 0.0), next = past;
    Kernel::remember(data, o, {.past = past.data()}, x.data(), x.data(), next.data());
    past = next;
    const double stored = Kernel::energy(data, o, {.past = past.data()}, x.data());
    double lost = 0;
    for (int k = 0; k < steps; ++k) {
      const Context<double> c{.past = past.data(), .h = 0.4 / steps};
      lost += Kernel::loss(data, o, c, x.data(), x.data());
      Kernel::remember(data, o, c, x.data(), x.data(), next.data());
      past = next;
    }
    missing[fine] = (stored - lost - Kernel::energy(data, o, {.past = past.data()}, x.data())) / stored;
  }
  EXPECT_LT(missing[0], 1e-4);
  EXPECT_NEAR(missing[0] / missing[1], 4, 0.4);
}

// 2 μ θ (Ė + β² tr Ė 1), in a sheet that is held while it moves: β = ν/(1 − ν) is 1 of rubber, 3/7 of ν = 0.3. A pull of rate ε̇ along X
// alone has 4 μ θ ε̇ and 2 μ θ ε̇ in rubber, as a solid of no change of volume.
TEST(CompositeMembrane, IsDampedAsTheSolidOfSmallStrains) {
  for (const bool is_rubber : {true, false}) {
    CompositeMembrane::Params<double> p = sheet();
    const double mu = is_rubber ? 2e5 : 3e5;
    p.bulk = is_rubber ? 2e13 : 0;
    if (!is_rubber) p.constants[0] = mu * 2 * 0.3 / (1 - 2 * 0.3), p.constants[1] = mu;
    if (is_rubber) p.constants[0] = mu;
    p.retardation = 0.02;
    const CompositeMembrane::Options o{
        .elastic = {.law = is_rubber ? ElasticLaw::neo_hooke : ElasticLaw::st_venant_kirchhoff},
        .damped = CompositeMembrane::Damped::yes};
    const auto data = Kernel::prepare(p, o, in_plane.data());
    Triangle v{};
    for (int n = 0; n < 3; ++n) v[3 * n] = 0.5 * in_plane[3 * n];
    const Context<double> c{};
    double r[9];
    Kernel::residual(data, o, c, in_plane.data(), v.data(), r);
    const double beta = is_rubber ? 1 : 3.0 / 7, both = beta * beta;
    const double Sx = 2 * mu * 0.02 * (1 + both) * 0.5, Sy = 2 * mu * 0.02 * both * 0.5;
    double virial[2] = {};  // Σ f_i X_i = V S
    for (int n = 0; n < 3; ++n)
      for (int i = 0; i < 2; ++i) virial[i] -= r[3 * n + i] * in_plane[3 * n + i];
    const double volume = data.sheet.shape.volume, rounding = is_rubber ? 1e-5 : 1e-11;  // of C33, times k/μ
    EXPECT_NEAR(virial[0], volume * Sx, rounding * volume * Sx);
    EXPECT_NEAR(virial[1], volume * Sy, rounding * volume * Sx);
    EXPECT_NEAR(Kernel::dissipation(data, o, c, in_plane.data(), v.data()), volume * Sx * 0.5, 1e-7 * volume * Sx);
  }
}

// T along the fibres per area across them, whatever their length: Σ f_i x_i = V T λ.
TEST(CompositeMembrane, FibresPullWhateverTheirLength) {
  const double signal[1] = {5e4};
  const MembraneFibreTension::Params<double> p{
      .thickness = 0.02, .stretch = {1, 1}, .first = {1, 0, 0}, .direction = {0, 2}, .factor = 1};
  const auto data = FibreTensionMembrane::prepare(p, {}, in_plane.data());
  for (const double stretch : {0.7, 1.0, 1.6}) {
    const Triangle x = stretched(in_plane, 1.1, stretch);
    double r[9], along = 0, across = 0;
    FibreTensionMembrane::residual(data, {}, {.sig = signal}, x.data(), x.data(), r);
    for (int n = 0; n < 3; ++n) along -= r[3 * n + 1] * x[3 * n + 1], across -= r[3 * n] * x[3 * n];
    const double volume = 0.5 * (0.5 * 0.4 - 0.1 * 0.1) * 0.02;
    EXPECT_NEAR(along, volume * 5e4 * stretch, 1e-12 * volume * 5e4);
    EXPECT_NEAR(across, 0, 1e-12 * volume * 5e4);
  }
}

}  // namespace
}  // namespace flexura::test
