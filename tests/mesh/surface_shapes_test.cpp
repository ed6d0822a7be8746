#include "flexura/mesh/surface_shapes.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "flexura/mesh/surface_checks.hpp"
#include "flexura/mesh/surface_expression.hpp"

namespace flexura {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
constexpr double pi = std::numbers::pi;

/// Order of the area's error when both element counts are doubled twice; the finest error must be above rounding.
template <class Make>
double area_order(Make make, double exact) {
  const double coarse = std::abs(area(make(2)) - exact), fine = std::abs(area(make(4)) - exact);
  EXPECT_GT(fine, 1e-13 * exact);
  return std::log2(coarse / fine);
}

LoftedTube trunk(int along, int around) {
  LoftedTube tube;
  tube.path = arc_path({0, 0, 0}, {1, 0, 0}, {0, 0, -1}, 0.6, 2);
  tube.radius = linear_radius(0.16, 0.04, tube.path.length);
  tube.along = along, tube.around = around;
  return tube;
}

LoftedTube helix(int along, int around) {
  LoftedTube tube;
  tube.path = expression_path("cos(u)", "sin(u)", "0.3 * u", 0, 4);
  tube.radius = expression_radius("0.1 + 0.02 * sin(3 * s)");
  tube.along = along, tube.around = around;
  return tube;
}

std::vector<std::pair<const char*, SurfaceMesh>> all_shapes() {
  std::vector<std::pair<const char*, SurfaceMesh>> out;
  out.emplace_back("plate", make_mesh(FlatPlate{.length = 0.3, .width = 0.2, .elements_u = 5, .elements_v = 3}));
  out.emplace_back("graded plate", make_mesh(FlatPlate{.elements_u = 6, .grading_u = {4, true}, .grading_v = {3}}));
  out.emplace_back("warped plate", make_mesh(FlatPlate{.warp = 0.08}));
  out.emplace_back("distorted plate", make_mesh(FlatPlate{.distortion = 0.3}));
  out.emplace_back("panel", make_mesh(CylinderPanel{.radius = 0.6 / pi, .width = 0.3}));
  out.emplace_back("warped panel", make_mesh(CylinderPanel{.warp = 0.07}));
  out.emplace_back("cone", make_mesh(Cone{.radius_start = 0.16, .radius_end = 0.04, .length = 1.5}));
  out.emplace_back("open cone", make_mesh(Cone{.radius_end = 2, .around = 5, .angle = 1.3, .grading = {3}}));
  out.emplace_back("warped cone", make_mesh(Cone{.radius_end = 0.5, .warp = 0.05}));
  out.emplace_back("trunk", make_mesh(trunk(12, 10)));
  out.emplace_back("helix", make_mesh(helix(40, 12)));
  out.emplace_back("hemisphere", make_mesh(Hemisphere{}));
  out.emplace_back("full hemisphere", make_mesh(Hemisphere{.to = 2 * pi, .elements_u = 24}));
  out.emplace_back("slit annulus", make_mesh(Annulus{}));
  out.emplace_back("annulus", make_mesh(Annulus{.closed = true}));
  return out;
}

// Gaps are rounding of the interpolation: some ulp of the size.
TEST(SurfaceShapes, NeighboursShareTheirCommonCurves) {
  for (const auto& [name, mesh] : all_shapes()) {
    const SurfaceStatistics s = statistics(mesh);
    EXPECT_LE(s.largest_gap.value, 1e-15 * s.size) << name;
    EXPECT_GE(s.largest_gap.element, 0) << name;
  }
}

TEST(SurfaceShapes, NothingIsFoundWrongInAnyShape) {
  for (const auto& [name, mesh] : all_shapes())
    for (const MeshFinding& finding : findings(mesh)) EXPECT_FALSE(finding.error) << name << ": " << finding.message;
}

TEST(SurfaceShapes, EulerNumbersAndBoundariesTellPlatesFromTubes) {
  for (const auto& [name, mesh] : all_shapes()) {
    const SurfaceStatistics s = statistics(mesh);
    const bool tube = mesh.closed_u || mesh.closed_v;
    EXPECT_EQ(s.euler, tube ? 0 : 1) << name;
    EXPECT_EQ(s.boundaries, tube ? 2 : 1) << name;
    EXPECT_EQ(s.parts, 1) << name;
    EXPECT_THAT(s.unused, IsEmpty()) << name;
    EXPECT_EQ(s.opposed_sides, 0) << name;
  }
}

TEST(SurfaceShapes, AreasOfPlatesAreExact) {
  EXPECT_NEAR(area(make_mesh(FlatPlate{.length = 3, .width = 2, .grading_u = {5}})), 6, 1e-14);
  EXPECT_NEAR(area(make_mesh(FlatPlate{.length = 3, .width = 2, .distortion = 0.3})), 6, 1e-13);
  EXPECT_NEAR(area(make_mesh(FlatPlate{.warp = 0.08})), 1, 1e-14);  // common sides cancel
}

// Hermite curves are fourth order in position with exact gradients; so is the area (measured 3.9 … 4.4).
TEST(SurfaceShapes, AreasConvergeToClosedFormsInFourthOrder) {
  EXPECT_NEAR(
      area_order([](int n) { return make_mesh(CylinderPanel{.radius = 2, .elements_u = n, .elements_v = n}); }, pi), 4,
      0.3);
  const double slant = std::hypot(1.5, 0.12);
  EXPECT_NEAR(area_order(
                  [](int n) {
                    return make_mesh(
                        Cone{.radius_start = 0.16, .radius_end = 0.04, .length = 1.5, .along = n, .around = 4 * n});
                  },
                  pi * 0.2 * slant),
              4, 0.3);
  EXPECT_NEAR(area_order([](int n) { return make_mesh(Hemisphere{.elements_u = 2 * n, .elements_v = 2 * n}); },
                         pi / 2 * 100 * std::cos(pi / 10)),
              4, 0.5);
  EXPECT_NEAR(area_order([](int n) { return make_mesh(Annulus{.radial = n, .around = 6 * n}); }, pi * 64), 4, 0.3);
}

// Pappus: a tube of constant radius about any path has the area 2 π R L, if it does not cut through itself.
TEST(SurfaceShapes, TubesAboutCurvedPathsHavePappusArea) {
  for (const bool spatial : {false, true}) {
    const auto make = [&](int n) {
      LoftedTube tube = spatial ? helix(16 * n, 4 * n) : trunk(4 * n, 4 * n);
      tube.radius = linear_radius(0.1, 0.1, tube.path.length);
      return make_mesh(tube);
    };
    const double exact = 2 * pi * 0.1 * (spatial ? 4 * std::hypot(1, 0.3) : 1.2);
    EXPECT_NEAR(area_order(make, exact), 4, 0.5) << spatial;
    EXPECT_NEAR(area(make(4)) / exact, 1, 5e-5) << spatial;  // measured 4.2e-5 and 3.5e-5
  }
}

TEST(SurfaceShapes, LinesOfAConeAreStraightAndItsGradientsClosedForm) {
  const Cone cone{.radius_start = 0.16, .radius_end = 0.04, .length = 1.5, .along = 3, .around = 7, .first_angle = 0.2};
  const SurfaceMesh mesh = make_mesh(cone);
  for (int i = 0; i <= 3; ++i)
    for (int j = 0; j < 7; ++j) {
      const double s = 1.5 * i / 3, R = 0.16 - 0.08 * s, angle = 0.2 + 2 * pi * j / 7;
      const SurfaceNode& node = mesh.nodes[i * 7 + j];
      const Vec3 out{0, std::sin(angle), std::cos(angle)}, along{0, std::cos(angle), -std::sin(angle)};
      EXPECT_NEAR(norm(node.position - (Vec3{s, 0, 0} + R * out)), 0, 1e-15);
      EXPECT_NEAR(norm(node.gradient_u - (Vec3{1, 0, 0} - 0.08 * out)), 0, 1e-15);
      EXPECT_NEAR(norm(node.gradient_v - R / 0.1 * along), 0, 1e-14);  // parametric length: mean radius 0.1 × angle
    }
  for (const SurfaceElement& e : mesh.elements) EXPECT_NEAR(e.length_v, 0.1 * 2 * pi / 7, 1e-15);
}

// Seen with the axis +X towards the eye, Z up, Y to the right: from the top to the right.
TEST(SurfaceShapes, SlicesOfATubeRunClockwiseAndNormalsPointOutward) {
  const SurfaceMesh mesh = make_mesh(Cone{.along = 2, .around = 4});
  EXPECT_THAT(mesh.slice(0), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(mesh.slice(-1), ElementsAre(8, 9, 10, 11));
  EXPECT_NEAR(mesh.nodes[0].position[2], 1, 1e-15);
  EXPECT_NEAR(mesh.nodes[1].position[1], 1, 1e-15);
  for (const auto& tube : {mesh, make_mesh(trunk(10, 8)), make_mesh(helix(20, 8))})
    for (int e = 0; e < static_cast<int>(tube.elements.size()); ++e) {
      const SurfacePoint p = surface_point(tube, e, 0.5, 0.5);
      const int slice = e / 8 * 8;
      Vec3 axis{};
      for (int j = 0; j < tube.nodes_v; ++j)
        axis += tube.nodes[e / tube.nodes_v * tube.nodes_v + j].position / double(tube.nodes_v);
      EXPECT_GT(dot(cross(p.along_u, p.along_v), p.position - axis), 0) << slice;
    }
}

TEST(SurfaceShapes, ClosedTubesWrapFromTheLastNodeToTheFirst) {
  const SurfaceMesh mesh = make_mesh(Cone{.along = 1, .around = 5});
  EXPECT_EQ(mesh.nodes.size(), 10u);
  EXPECT_THAT(mesh.elements[4].nodes, ElementsAre(4, 9, 5, 0));
  EXPECT_TRUE(mesh.closed_v);
  EXPECT_EQ(mesh.find("bottom"), nullptr);
  ASSERT_NE(mesh.find("start"), nullptr);
  EXPECT_THAT(mesh.find("start")->nodes, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(mesh.find("end")->sides, testing::SizeIs(5));
}

TEST(SurfaceShapes, EdgesAndCornersAreNamedSets) {
  const SurfaceMesh mesh = make_mesh(FlatPlate{.length = 3, .width = 2, .elements_u = 3, .elements_v = 2});
  EXPECT_THAT(mesh.set_names(), ElementsAre("start", "end", "bottom", "top", "corner_start_bottom", "corner_start_top",
                                            "corner_end_bottom", "corner_end_top"));
  EXPECT_THAT(mesh.find("start")->nodes, ElementsAre(0, 1, 2));
  EXPECT_THAT(mesh.find("top")->nodes, ElementsAre(2, 5, 8, 11));
  EXPECT_THAT(mesh.find("top")->sides, ElementsAre(ElementSide{1, 2}, ElementSide{3, 2}, ElementSide{5, 2}));
  EXPECT_THAT(mesh.find("end")->sides, ElementsAre(ElementSide{4, 1}, ElementSide{5, 1}));
  EXPECT_THAT(mesh.find("corner_end_bottom")->nodes, ElementsAre(9));
  // A side's nodes lie on its edge.
  for (const char* name : {"start", "end", "bottom", "top"})
    for (const ElementSide& side : mesh.find(name)->sides) {
      const auto& n = mesh.elements[side.element].nodes;
      EXPECT_THAT(mesh.find(name)->nodes, testing::IsSupersetOf({n[side.side], n[(side.side + 1) % 4]})) << name;
    }
}

// Central differences of order h², h = 1e-5: 1e-10 and rounding.
TEST(SurfaceShapes, GradientsAreTheDerivativesOfTheSurface) {
  const auto compare = [](const SurfaceMap& map, double u, double v, const char* name) {
    const double h = 1e-5;
    const SurfacePoint p = map(u, v);
    const Vec3 by_u = (map(u + h, v).position - map(u - h, v).position) / (2 * h);
    const Vec3 by_v = (map(u, v + h).position - map(u, v - h).position) / (2 * h);
    EXPECT_LT(norm(p.along_u - by_u), 1e-9) << name;
    EXPECT_LT(norm(p.along_v - by_v), 1e-9) << name;
    EXPECT_GT(norm(p.along_u) * norm(p.along_v), 1e-3) << name;
  };
  compare(expression_surface("u * cos(v)", "u ^ 2 * sin(v)", "exp(u - v)"), 0.7, 0.4, "formula");
  compare(surface_map([]<class T>(const T& u, const T& v) { return Vec<3, T>{u * v, sin(u), cos(v) * u}; }), 0.7, 0.4,
          "duals");
}

TEST(SurfaceShapes, GradientsOfTubesAreTheDerivativesAlongTheirAxes) {
  for (const bool spatial : {false, true}) {
    const double h = 1e-4;
    const auto at = [&](double shift) {  // three slices, the middle one in the middle of the path or beside it
      LoftedTube tube = spatial ? helix(2, 8) : trunk(2, 8);
      const double half = tube.path.length / 2;
      tube.grading = {(half - shift) / (half + shift)};
      return make_mesh(tube);
    };
    const SurfaceMesh before = at(-h), here = at(0), after = at(h);
    for (const int n : here.slice(1)) {
      const Vec3 difference = (after.nodes[n].position - before.nodes[n].position) / (2 * h);
      // Slices are reached in 16 steps of double reflection: the frame's own error differs by some 1e-6.
      EXPECT_LT(norm(difference - here.nodes[n].gradient_u), spatial ? 1e-5 : 1e-7) << spatial;
    }
  }
}

// The helix's frame turns against the Frenet frame by ∫ τ ds, τ = c/(a² + c²); double reflection is fourth order.
TEST(SurfaceShapes, FramesTurnAsLittleAsTheTorsionAllows) {
  const TubePath path = expression_path("cos(u)", "sin(u)", "0.3 * u", 0, 4);
  const double torsion = 0.3 / 1.09;
  const Vec3 up = path.at(0).curvature;
  double last = 0;
  for (const int steps : {4, 8}) {
    const PathFrame frame = minimal_twist_frames(path, {0, path.length}, up, steps).back();
    const PathPoint end = path.at(path.length);
    const Vec3 normal = end.curvature / norm(end.curvature), binormal = cross(end.tangent, normal);
    const double angle = std::atan2(dot(frame.normal, binormal), dot(frame.normal, normal));
    const double error = std::abs(std::remainder(angle + torsion * path.length, 2 * pi));
    if (last > 0) {
      EXPECT_NEAR(std::log2(last / error), 4, 0.3);
    }
    last = error;
  }
}

TEST(SurfaceShapes, PathsByFormulaAreMeasuredByTheirLength) {
  const TubePath path = expression_path("cos(u ^ 2)", "sin(u ^ 2)", "0", 0.5, 1.5);
  EXPECT_NEAR(path.length, 2, 1e-13);
  for (const double s : {0.0, 0.3, 1.7, 2.0}) {
    const PathPoint p = path.at(s);
    EXPECT_NEAR(std::atan2(p.position[1], p.position[0]), std::remainder(0.25 + s, 2 * pi), 1e-13);
    EXPECT_NEAR(norm(p.curvature + p.position), 0, 1e-12);  // circle of radius 1: towards the centre
    EXPECT_NEAR(norm(p.tangent), 1, 1e-15);
  }
}

TEST(SurfaceShapes, LinesAreGradedAsAsked) {
  const std::vector<double> one = grid_lines(1, 3, 5, {8});
  EXPECT_EQ(one.front(), 1);
  EXPECT_EQ(one.back(), 3);
  EXPECT_NEAR((one[5] - one[4]) / (one[1] - one[0]), 8, 1e-12);
  for (const int count : {4, 5, 7, 8}) {
    const std::vector<double> both = grid_lines(0, 1, count, {3, true});
    for (int k = 0; k <= count; ++k) EXPECT_NEAR(both[k] + both[count - k], 1, 1e-15);
    const int middle = (count - 1) / 2;
    EXPECT_NEAR((both[middle + 1] - both[middle]) / both[1], 3, 1e-12) << count;
  }
  EXPECT_EQ(divisions_of_size(1.5, 0.5), 3);
  EXPECT_EQ(divisions_of_size(1.5, 0.49), 4);
  EXPECT_EQ(divisions_per_metre(1.5, 10), 15);
  EXPECT_EQ(divisions_per_metre(0.001, 10, 3), 3);
}

TEST(SurfaceShapes, ThicknessFollowsItsLaw) {
  const SurfaceMesh mesh =
      make_mesh(Cone{.along = 2, .around = 3, .thickness = [](double x, double) { return 1 - x / 2; }});
  EXPECT_EQ(mesh.nodes[0].thickness, 1);
  EXPECT_EQ(mesh.nodes[8].thickness, 0.5);
}

TEST(SurfaceShapes, MovedMeshesKeepTheirShape) {
  SurfaceMesh mesh = make_mesh(Hemisphere{});
  const double before = area(mesh);
  move(mesh, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {5, 6, 7});
  EXPECT_NEAR(area(mesh), before, 1e-12 * before);
  EXPECT_NEAR(norm(mesh.nodes[0].position - Vec3{5, 16, 7}), 0, 1e-14);
}

template <class Shape>
std::string refusal(const Shape& shape) {
  try {
    make_mesh(shape);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SurfaceShapes, ImpossibleParametersAreRefusedByName) {
  EXPECT_THAT(refusal(FlatPlate{.length = -1, .elements_u = 0}),
              testing::AllOf(HasSubstr("length"), HasSubstr("elements_u")));
  EXPECT_THAT(refusal(FlatPlate{.width = NAN}), HasSubstr("width"));
  EXPECT_THAT(refusal(FlatPlate{.elements_u = 2000000000}), HasSubstr("elements_u"));
  EXPECT_THAT(refusal(FlatPlate{.elements_u = 10000, .elements_v = 10000}), HasSubstr("too many"));
  EXPECT_THAT(refusal(FlatPlate{.grading_u = {0}}), HasSubstr("grading_u"));
  EXPECT_THAT(refusal(FlatPlate{.warp = 0.2}), HasSubstr("warp"));
  EXPECT_THAT(refusal(FlatPlate{.distortion = 0.5}), HasSubstr("distortion"));
  EXPECT_THAT(refusal(FlatPlate{.thickness = [](double x, double) { return 0.5 - x; }}), HasSubstr("thickness"));
  EXPECT_THAT(refusal(Cone{.radius_end = 0}), HasSubstr("radius_end"));
  EXPECT_THAT(refusal(Cone{.around = 2}), HasSubstr("around"));
  EXPECT_THAT(refusal(Cone{.angle = 7}), HasSubstr("angle"));
  EXPECT_THAT(refusal(Hemisphere{.hole = 0}), HasSubstr("pole"));
  EXPECT_THAT(refusal(Annulus{.inner = 6, .outer = 6}), HasSubstr("outer"));
  EXPECT_THAT(refusal(Annulus{.angle = 3, .closed = true}), HasSubstr("full turn"));
  EXPECT_THAT(refusal(LoftedTube{}), testing::AllOf(HasSubstr("path"), HasSubstr("radius")));
  LoftedTube thick = trunk(4, 8);
  thick.radius = linear_radius(0.7, 0.7, 1);
  EXPECT_THAT(refusal(thick), HasSubstr("cuts through itself"));
  EXPECT_THROW(divisions_of_size(1, 0), InputError);
  EXPECT_THROW(divisions_of_size(1e9, 1e-9), InputError);
  EXPECT_THROW(straight_path({1, 2, 3}, {1, 2, 3}), InputError);
  EXPECT_THROW(arc_path({0, 0, 0}, {1, 0, 0}, {2, 0, 0}, 1, 1), InputError);
}

}  // namespace
}  // namespace flexura
