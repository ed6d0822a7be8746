// Tubes with helical fibres against the theory of thin walls.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <numbers>

#include "flexura/load/face_pressure.hpp"
#include "flexura/mesh/solid_model.hpp"
#include "flexura/mesh/solid_shapes.hpp"
#include "tests/support/solids.hpp"

namespace flexura::test {
namespace {

constexpr double mu = 1e5, fibre_modulus = 8e5, radius = 0.02, height = 0.02, pressure = 0.01;

/// Strains (ε_θ, ε_z, γ) of a wall of thickness t under the hoop stress p R/t: plane stress of E = 3 μ, ν = ½ and fibres at α from z.
Eigen::Vector3d wall_strains(double t, double angle) {
  const double E = 3 * mu, nu = 0.5, s = std::sin(angle), c = std::cos(angle);
  Eigen::Matrix3d Q;
  Q << 1, nu, 0, nu, 1, 0, 0, 0, (1 - nu) / 2;
  Q *= E / (1 - nu * nu);
  const Eigen::Vector3d m(s * s, c * c, s * c);
  Q += fibre_modulus * m * m.transpose();
  return Q.inverse() * Eigen::Vector3d(pressure * radius / t, 0, 0);
}

/// The same of an open tube of solids: mean of the top nodes.
Eigen::Vector3d tube_strains(double t, double angle) {
  const SolidMesh mesh = make_mesh(ThickTube{.inner = radius - t / 2,
                                             .outer = radius + t / 2,
                                             .height = height,
                                             .angle = 2 * std::numbers::pi,
                                             .radial = 1,
                                             .around = 24,
                                             .along = 2,
                                             .kind = SolidKind::hexahedron_20});
  SolidSection section{
      .rho = 1000, .law = {ElasticLaw::neo_hooke, VolumeForm::isochoric}, .constants = {{mu}, 1e4 * mu}};
  section.fibres.push_back({.name = "braid",
                            .direction = {{0, std::sin(angle), std::cos(angle)}},
                            .about_axis = true,
                            .stiffness = fibre_modulus / 4,
                            .bears_compression = true});
  ModelBuilder b(3);
  const SolidModel model = add_solid(b, "tube", mesh, section);
  const auto set = [&](const char* name) {
    return *std::find_if(mesh.sets.begin(), mesh.sets.end(), [&](const SolidSet& s) { return s.name == name; });
  };
  for (const SolidFace& face : set("inner").faces) {
    std::array<int, 9> slots{};
    const std::vector<int> nodes = face_nodes(mesh, face);
    for (size_t k = 0; k < nodes.size(); ++k) slots[k] = model.nodes[nodes[k]];
    slots[8] = b.constant_signal();
    b.item<FacePressureQ8>(slots, {.factor = pressure}, "pressure");
  }
  for (const int node : set("bottom").nodes) {
    const Vec3& X = mesh.nodes[node];
    hold(b, model.nodes[node], 2);
    if (X[0] > 0 && std::fabs(X[1]) < 1e-9) hold(b, model.nodes[node], 1);  // neither turns nor goes aside
    if (std::fabs(X[0]) < 1e-9 && X[1] > 0) hold(b, model.nodes[node], 0);
  }
  Simulation<double> s(b.build());
  EXPECT_TRUE(StaticSolver(s.system, {}).solve(s.state).converged);
  Eigen::Vector3d sum(0, 0, 0);
  const SolidSet top = set("top");
  for (const int node : top.nodes) {
    const Vec3& X = mesh.nodes[node];
    const double x = s.q(model.nodes[node], 0), y = s.q(model.nodes[node], 1), R = std::hypot(X[0], X[1]);
    sum[0] += std::hypot(x, y) / R - 1;
    sum[1] += s.q(model.nodes[node], 2) / height - 1;
    sum[2] += std::atan2(X[0] * y - X[1] * x, X[0] * x + X[1] * y) * radius / height;
  }
  return sum / static_cast<double>(top.nodes.size());
}

// Pressure twists a tube with one family of helical fibres, the other hand the other way. What the theory leaves out is of the
// order t/R = 0.02.
TEST(HelicalTube, TwistsUnderPressureAsThinWallsDo) {
  for (const double angle : {0.5, -0.5, 1.0}) {
    const Eigen::Vector3d exact = wall_strains(4e-4, angle), thin = tube_strains(4e-4, angle);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(thin[i], exact[i], 0.02 * exact.lpNorm<Eigen::Infinity>()) << angle << i;
    EXPECT_GT(std::fabs(thin[2]), 0.1 * exact.lpNorm<Eigen::Infinity>());
    EXPECT_GT(thin[2] * exact[2], 0);
  }
}

}  // namespace
}  // namespace flexura::test
