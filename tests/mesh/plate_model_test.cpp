// Plates of many elements: rigid motions, and the pendulums of ghoneimy2025.

#include "flexura/mesh/plate_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "flexura/integrate/energy_momentum.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/mesh/surface_shapes.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

PlateSection section_of(std::initializer_list<Layer> layers) {
  const std::vector<Layer> stack(layers);
  PlateSection out;
  out.laminate = make_laminate(stack);
  return out;
}

// Turned by two radians about a skew axis and moved: strains are rounding of the coordinates, 1e-16 of 1.5 m in elements of
// 0.1 m, and the membrane force E h times that.
TEST(PlateModel, CurvedAndLayeredShellsFeelNoForceUnderRigidMotion) {
  const PlateSection soft = section_of({{isotropic_stiffness(1e6, 0.3), 0.02, 1000, 0}});
  const PlateSection layered = section_of({{orthotropic_stiffness(1e7, 1e6, 0.3, 5e5), 0.005, 1500, 0.7},
                                           {isotropic_stiffness(1e6, 0.3), 0.01, 1000, 0},
                                           {orthotropic_stiffness(1e7, 1e6, 0.3, 5e5), 0.002, 1500, -0.2}});
  LoftedTube bent;
  bent.path = arc_path({0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 0.8, 1.5);
  bent.radius = linear_radius(0.16, 0.04, bent.path.length);
  bent.along = 8, bent.around = 8;
  const SurfaceMesh cone =
      make_mesh(Cone{.radius_start = 0.16, .radius_end = 0.04, .length = 1.5, .along = 8, .around = 8});
  PlateSection reduced = layered, cubed = soft;
  reduced.integration = AncfThinPlate::Integration::reduced;
  cubed.curvature = AncfThinPlate::Curvature::cubed_normal;
  const std::pair<SurfaceMesh, PlateSection> shells[] = {{cone, soft},
                                                         {make_mesh(bent), soft},
                                                         {make_mesh(bent), layered},
                                                         {make_mesh(bent), reduced},
                                                         {make_mesh(bent), cubed}};
  for (const auto& [mesh, section] : shells) {
    ModelBuilder b(3);
    const PlateModel plate = add_plate(b, "shell", mesh, section);
    Simulation<double> s(b.build());
    const Vec3 axis = Vec3{1, 2, -1} / std::sqrt(6.0);
    const auto turned = [&](const Vec3& x) {
      const double c = std::cos(2.0);
      return c * x + std::sin(2.0) * cross(axis, x) + ((1 - c) * dot(axis, x)) * axis;
    };
    for (size_t k = 0; k < mesh.nodes.size(); ++k) {
      const SurfaceNode& n = mesh.nodes[k];
      const PlateNode& slots = plate.nodes[k];
      const std::pair<int, Vec3> moved[] = {{slots.r, turned(n.position) + Vec3{0.3, -0.2, 0.5}},
                                            {slots.g_u, turned(n.gradient_u)},
                                            {slots.g_v, turned(n.gradient_v)}};
      for (const auto& [slot, x] : moved)
        for (int i = 0; i < 3; ++i) s.state.q[s.at(slot, i)] = x[i];
    }
    std::vector<double> r(s.system.assembler.residual_size());
    s.system.assembler.residual(0, s.state.q.data(), s.state.v.data(), r.data());
    double largest = 0;
    for (double f : r) largest = std::max(largest, std::fabs(f));
    EXPECT_LT(largest, 1e-13 * section.laminate.A[0]);
    EXPECT_LT(s.system.assembler.potential_energy(0, s.state.q.data()), 1e-24 * section.laminate.A[0]);
  }
}

/// Minutes under sanitizers: a tenth of the way is enough there.
#ifdef __SANITIZE_ADDRESS__
constexpr int share = 10;
#else
constexpr int share = 1;
#endif

/// The plate of figs 6-8 on 8 x 8 elements, pinned at a corner.
struct Pendulum {
  PlateModel plate;
  std::unique_ptr<Simulation<double>> s;

  explicit Pendulum(const SurfaceMesh& mesh, double E, const EffectiveSignal& gravity = {},
                    std::shared_ptr<const SignalSet> signals = nullptr) {
    ModelBuilder b(3);
    if (signals) b.set_signals(std::move(signals));
    plate = add_plate(b, "plate", mesh, section_of({{isotropic_stiffness(E, 0.3), 0.01, 7810, 0}}));
    b.fix(plate.nodes[0].r, "joint.pin");
    b.gravity(std::array{0.0, 0.0, -9.81}, b.effective(gravity));
    s = std::make_unique<Simulation<double>>(b.build());
  }
  double far(int i) const { return s->q(plate.nodes.back().r, i); }
  double strain() const { return s->system.assembler.potential_energy(s->state.t, s->state.q.data()); }
  double energy() const { return s->system.assembler.kinetic_energy(s->state.v.data()) + strain(); }
};
const FlatPlate sheet{.length = 0.3, .width = 0.3, .elements_u = 8, .elements_v = 8};

// Reference on the same mesh: 0.295680, -0.196176 at 0.2 s, and another code's 0.232466, -0.438810 at 0.3 s [benchmarks]. A point
// support on a membrane has no mesh limit: x at 0.2 s is 0.29527, 0.29563, 0.29586 and 0.29600 on 4, 8, 12 and 16 elements a side.
TEST(PlatePendulum, MeetsTheReferenceOnTheSameMesh) {
  Pendulum p(make_mesh(sheet), 1e5);
  GeneralizedAlpha<double> method(p.s->system, NewmarkFamily::generalized_alpha(1), {}, {});
  ASSERT_TRUE(method.start(p.s->state));
  const double h = 2.5e-4;
  for (int k = 1; k <= 1200 / share; ++k) {
    ASSERT_TRUE(method.step(p.s->state, k * h).converged) << k;
    if (k == 400) {
      EXPECT_NEAR(p.far(2), -0.049049, 1e-5);
    }
    if (k == 800) {
      EXPECT_NEAR(p.far(0), 0.295680, 1e-4);
      EXPECT_NEAR(p.far(1), p.far(0), 1e-12);
      EXPECT_NEAR(p.far(2), -0.196176, 1e-4);
    }
  }
  if (share > 1) return;
  EXPECT_NEAR(p.far(0), 0.232466, 1e-3);
  EXPECT_NEAR(p.far(2), -0.438810, 1e-3);
}

// By the energy-momentum method: kinetic and strain energy are the work of gravity, 12.5 J, to the tolerance of its steps.
TEST(PlatePendulum, KeepsItsEnergy) {
  Pendulum p(make_mesh(sheet), 1e5);
  EnergyMomentum method(p.s->system);
  ASSERT_TRUE(method.start(p.s->state));
  for (int k = 1; k <= 200 / share; ++k) ASSERT_TRUE(method.step(p.s->state, 1e-3 * k).converged) << k;
  EXPECT_GT(p.s->state.energy.gravity, share > 1 ? 0.01 : 12);
  EXPECT_NEAR(p.energy(), p.s->state.energy.gravity, 1e-6 * p.energy());
}

// A quarter of a cylinder, gravity from 0.1 s (figs 9-11): until then nothing moves, to the last bit; after it all is energy.
TEST(PlatePendulum, CurvedReferenceIsFreeOfStress) {
  const SurfaceMesh mesh = make_mesh(CylinderPanel{
      .radius = 0.6 / std::numbers::pi, .angle = std::numbers::pi / 2, .width = 0.3, .elements_u = 8, .elements_v = 8});
  EffectiveSignal from;
  from.from = 0.1;
  Pendulum p(mesh, 1e7, from);
  GeneralizedAlpha<double> method(p.s->system, NewmarkFamily::generalized_alpha(1), {}, {});
  p.s->system.drives.enter(0);
  ASSERT_TRUE(method.start(p.s->state));
  for (int k = 1; k <= 100 / share; ++k) {
    ASSERT_TRUE(method.step(p.s->state, 1e-3 * k).converged) << k;
    ASSERT_LE(p.strain(), 1e-14) << k;
  }
}

}  // namespace
}  // namespace flexura::test
