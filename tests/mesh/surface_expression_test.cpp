#include "flexura/mesh/surface_expression.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "flexura/mesh/surface_checks.hpp"

namespace flexura {
namespace {

using testing::HasSubstr;

ExpressionSurface torus(int n) {
  ExpressionSurface out;
  out.x = "(R + r * cos(v)) * cos(u)", out.y = "(R + r * cos(v)) * sin(u)", out.z = "r * sin(v)";
  out.parameters = {{"R", 3}, {"r", 1}};
  out.to_u = out.to_v = 2 * std::numbers::pi;
  out.elements_u = 3 * n, out.elements_v = 2 * n;
  out.closed_u = out.closed_v = true;
  return out;
}

std::string refusal(const ExpressionSurface& surface) {
  try {
    make_mesh(surface);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SurfaceExpression, ATorusClosesBothWays) {
  const SurfaceMesh mesh = make_mesh(torus(6));
  const SurfaceStatistics s = statistics(mesh);
  EXPECT_EQ(s.euler, 0);
  EXPECT_EQ(s.boundary_sides, 0);
  EXPECT_EQ(s.nodes, s.elements);
  EXPECT_LE(s.largest_gap.value, 1e-15 * s.size);
  for (const MeshFinding& finding : findings(s)) EXPECT_FALSE(finding.error) << finding.message;
}

TEST(SurfaceExpression, TheAreaOfATorusConvergesInFourthOrder) {
  const double exact = 12 * std::numbers::pi * std::numbers::pi;
  const double coarse = std::abs(area(make_mesh(torus(4))) - exact), fine = std::abs(area(make_mesh(torus(8))) - exact);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3);
}

TEST(SurfaceExpression, NodesLieOnTheSurfaceWithItsGradients) {
  ExpressionSurface saddle{.x = "u", .y = "v", .z = "u * v", .from_u = -1, .from_v = -1};
  const SurfaceMesh mesh = make_mesh(saddle);
  const double scale_u = mesh.elements[0].length_u / 0.25, scale_v = mesh.elements[0].length_v / 0.25;
  for (const SurfaceNode& node : mesh.nodes) {
    EXPECT_DOUBLE_EQ(node.position[2], node.position[0] * node.position[1]);
    EXPECT_NEAR(norm(scale_u * node.gradient_u - Vec3{1, 0, node.position[1]}), 0, 1e-15);
    EXPECT_NEAR(norm(scale_v * node.gradient_v - Vec3{0, 1, node.position[0]}), 0, 1e-15);
  }
  // u v is in the span of the shape functions: the area only has the quadrature's error.
  EXPECT_NEAR(surface_point(mesh, 9, 0.3, 0.7).position[2],
              surface_point(mesh, 9, 0.3, 0.7).position[0] * surface_point(mesh, 9, 0.3, 0.7).position[1], 1e-15);
}

TEST(SurfaceExpression, MistakesAreNamedWithFieldAndColumn) {
  ExpressionSurface s{.x = "u +", .y = "w", .z = "t"};
  const std::string text = refusal(s);
  EXPECT_THAT(text, HasSubstr("x: column 4"));
  EXPECT_THAT(text, HasSubstr("y: column 1: unknown name 'w', expected a parameter, u, v, pi, e"));
  EXPECT_THAT(text, HasSubstr("z: column 1: the time t is not known here"));
  EXPECT_THAT(refusal({.x = "u", .y = "v", .z = "sqrt(u - 2)"}), HasSubstr("not finite at u = 0, v = 0"));
  EXPECT_THAT(refusal({.x = "u", .y = "u", .z = "u"}), HasSubstr("does not change"));
  EXPECT_THAT(refusal({.x = "u", .y = "v", .z = "0", .from_u = 2}), HasSubstr("to_u"));
  EXPECT_THAT(refusal({.x = "u", .y = "v", .z = "0", .thickness = "u - 1"}), HasSubstr("thickness"));
}

TEST(SurfaceExpression, SurfacesThatDoNotCloseAreNotClosed) {
  ExpressionSurface open = torus(4);
  open.z = "r * sin(v) + u";
  EXPECT_THAT(refusal(open), HasSubstr("edges are 6.28 m apart"));
  ExpressionSurface drop{.x = "sin(u) * (1 + 0.2 * sin(u / 2))", .y = "v", .z = "cos(u) * (1 + 0.2 * sin(u / 2))"};
  drop.to_u = 2 * std::numbers::pi;
  drop.closed_u = true;
  EXPECT_THAT(refusal(drop), HasSubstr("crease"));
}

TEST(SurfaceExpression, DegeneratePlacesAreFoundByTheChecks) {
  ExpressionSurface pole{.x = "u * cos(v)", .y = "u * sin(v)", .z = "0"};
  const std::vector<MeshFinding> found = findings(make_mesh(pole));
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(found[0].error);
  EXPECT_THAT(found[0].message, HasSubstr("no tangent plane"));
}

}  // namespace
}  // namespace flexura
