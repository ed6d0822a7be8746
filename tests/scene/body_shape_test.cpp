#include "flexura/scene/body_shape.hpp"

#include <cmath>
#include <numbers>

#include "scene_testing.hpp"

namespace flexura::testing {
namespace {

constexpr double pi = std::numbers::pi;

/// A shape as the reader would make it.
struct Shape {
  FieldSpec field;
  Record record;
  std::vector<ExternalFile> files;
  std::vector<Problem> problems;
  int dim;

  Shape(int d, const std::string& type) : field(body_shape_field(d, "")), dim(d) {
    record.path = "body.a.shape";
    record.type = type;
    record.spec = field.table.get();
    record.variant = field.table->find_variant(type);
  }
  Shape& with(const std::string& key, auto data) {
    Value value;
    value.data = std::move(data);
    EXPECT_NE(record.spec->find_field(key, record.variant), nullptr) << key;
    record.values.emplace_back(key, std::move(value));
    return *this;
  }
  std::optional<RigidInertia> found(double density) {
    const std::optional<SolidShape> solid = solid_shape(record, files, problems);
    return solid ? inertia_of_shape(record, *solid, density, files, problems) : std::nullopt;
  }
  RigidInertia inertia(double density) {
    const auto body = found(density);
    EXPECT_TRUE(body.has_value());
    return body.value_or(RigidInertia{});
  }
  std::string problem(double density = 1) {
    EXPECT_FALSE(found(density).has_value());
    return problems.empty() ? "" : problems[0].path + ": " + problems[0].message;
  }
};

void expect_inertia(const RigidInertia& body, double mass, std::array<double, 3> center,
                    std::array<double, 6> inertia) {
  EXPECT_NEAR(body.mass, mass, 1e-14 * mass);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(body.center[i], center[i], 1e-14) << i;
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(body.inertia[i], inertia[i], 1e-14 * mass) << i;
}

TEST(BodyShape, SolidsHaveTheirClosedForms) {
  const double m = 1000 * 0.2 * 0.3 * 0.4;
  expect_inertia(Shape(3, "box").with("size", Numbers{0.2, 0.3, 0.4}).with("center", Numbers{1, 2, 3}).inertia(1000), m,
                 {1, 2, 3}, {m * 0.25 / 12, m * 0.20 / 12, m * 0.13 / 12, 0, 0, 0});
  const double s = 500 * 4 * pi / 3 * 0.008;
  expect_inertia(Shape(3, "sphere").with("radius", 0.2).inertia(500), s, {0, 0, 0},
                 {0.4 * s * 0.04, 0.4 * s * 0.04, 0.4 * s * 0.04, 0, 0, 0});
  const double c = 700 * pi * 0.04 * 0.5;
  expect_inertia(Shape(3, "cylinder").with("radius", 0.2).with("length", 0.5).inertia(700), c, {0, 0, 0},
                 {c / 12 * 0.37, c / 12 * 0.37, c / 2 * 0.04, 0, 0, 0});
  const double k = 700 * pi * 0.04 * 0.5 / 3;
  expect_inertia(Shape(3, "cone").with("radius", 0.2).with("height", 0.5).inertia(700), k, {0, 0, 0.125},
                 {k * (0.15 * 0.04 + 0.0375 * 0.25), k * (0.15 * 0.04 + 0.0375 * 0.25), k * 0.3 * 0.04, 0, 0, 0});
}

// About an axis in the diagonal of x and y: J = J_t I + (J_z − J_t) a aᵀ.
TEST(BodyShape, AnAxisTurnsTensorAndCentre) {
  const double m = 700 * pi * 0.04 * 0.6 / 3, across = m * (0.15 * 0.04 + 0.0375 * 0.36), along = m * 0.3 * 0.04;
  const double half = (along - across) / 2, z = 0.15 / std::sqrt(2);
  expect_inertia(Shape(3, "cone")
                     .with("radius", 0.2)
                     .with("height", 0.6)
                     .with("axis", Numbers{3, 3, 0})
                     .with("center", Numbers{0, 0, 1})
                     .inertia(700),
                 m, {z, z, 1}, {across + half, across + half, across, half, 0, 0});
}

TEST(BodyShape, PlatesHaveTheirClosedForms) {
  const double m = 3 * 0.2 * 0.3, d = 3 * pi * 0.04, r = 3 * 0.5;
  expect_inertia(Shape(2, "rectangle").with("size", Numbers{0.2, 0.3}).with("center", Numbers{1, 2}).inertia(3), m,
                 {1, 2, 0}, {0, 0, m / 12 * 0.13, 0, 0, 0});
  expect_inertia(Shape(2, "disc").with("radius", 0.2).inertia(3), d, {0, 0, 0}, {0, 0, d / 2 * 0.04, 0, 0, 0});
  expect_inertia(Shape(2, "rod").with("length", 0.5).inertia(3), r, {0, 0, 0}, {0, 0, r / 12 * 0.25, 0, 0, 0});
}

TEST(BodyShape, PolygonsOfEitherSenseAreTheirRectangle) {
  Points corners{{1, 1}, {1.2, 1}, {1.2, 1.3}, {1, 1.3}};
  const double m = 3 * 0.2 * 0.3;
  for (int sense = 0; sense < 2; ++sense) {
    const RigidInertia body = Shape(2, "polygon").with("points", corners).inertia(3);
    expect_inertia(body, m, {1.1, 1.15, 0}, {0, 0, m / 12 * 0.13, 0, 0, 0});
    std::reverse(corners.begin(), corners.end());
  }
}

TEST(BodyShape, MeshesAreScaledAndMoved) {
  Shape shape(3, "mesh");
  // Tetrahedron with corners at the origin and on the axes, in mm.
  shape.files.push_back({"t.obj", "t.obj", "v 0 0 0\nv 6 0 0\nv 0 6 0\nv 0 0 6\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"});
  shape.with("file", FileIndex{0, {}}).with("scale", 1e-3).with("center", Numbers{0, 0, 1});
  const double m = 36e-9 * 2000;
  const RigidInertia body = shape.inertia(2000);
  EXPECT_NEAR(body.mass, m, 1e-14 * m);
  EXPECT_NEAR(body.center[0], 1.5e-3, 1e-16);
  EXPECT_NEAR(body.center[2], 1.0015, 1e-15);
  // ∫ x² = V a²/10, ∫ x y = V a²/20; the centre at a/4.
  EXPECT_NEAR(body.inertia[0], m * 36e-6 * 2 * (1.0 / 10 - 1.0 / 16), 1e-14 * m * 36e-6);
  EXPECT_NEAR(body.inertia[3], -m * 36e-6 * (1.0 / 20 - 1.0 / 16), 1e-14 * m * 36e-6);
}

TEST(BodyShape, WhatHasNoInertiaSaysWhy) {
  EXPECT_EQ(Shape(2, "polygon").with("points", Points{{0, 0}, {1, 0}}).problem(),
            "body.a.shape.points: a polygon has three or more corners");
  EXPECT_EQ(Shape(2, "polygon").with("points", Points{{0, 0}, {1, 1}, {2, 2}}).problem(),
            "body.a.shape.points: the corners enclose no area");
  EXPECT_EQ(Shape(2, "polygon").with("points", Points{{0, 0}, {1, 1}, {1, 0}, {0, 1}}).problem(),
            "body.a.shape.points: the edges after corners 1 and 3 cross");
  EXPECT_EQ(Shape(3, "cylinder").with("radius", 1.0).with("length", 1.0).with("axis", Numbers{0, 0, 0}).problem(),
            "body.a.shape.axis: must not be zero");
  Shape open(3, "mesh");
  open.files.push_back({"t.obj", "t.obj", "v 0 0 0\nv 6 0 0\nv 0 6 0\nf 1 2 3\n"});
  EXPECT_EQ(open.with("file", FileIndex{0, {}}).problem(),
            "body.a.shape.file: \"t.obj\" is not closed: 3 edges are without a second triangle, as that from (0, 0, 0) "
            "to (6, 0, 0)");
  EXPECT_EQ(Shape(3, "sphere").with("radius", 1e200).problem(),
            "body.a.shape: with this density the mass or the inertia is outside the range of numbers");
}

}  // namespace
}  // namespace flexura::testing
