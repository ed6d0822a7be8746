// Spheres with their radii, planes where they can be seen.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/output/drawing_testing.hpp"

namespace flexura {
namespace {

using namespace testing;
using Kind = Drawable::Kind;

const std::string balls = R"(space = "spatial"
[plane]
table = { point = [0, 0, 0], normal = [0, 0, 2] }
ramp  = { point = [0, 0, 0], normal = [0.6, 0, 0.8], color = "#112233" }
wall  = { point = [0, 2, 0], normal = [0, -1, 0] }
[sphere]
a   = { position = [1, 0, 1], radius = 0.1, m = 1 }
b   = { position = [-1, 0, 1.2], radius = 0.1, m = 1 }
eye = { at = "a", radius = 0.02 }
[sensor.speed]
type = "velocity"
at = "eye"
[[analysis]]
name = "fall"
type = "dynamic"
end  = 1
step = 1e-2
)";

TEST(DrawingContact, SpheresAreBallsOfTheirRadius) {
  const Drawn drawn = Drawn::text(balls);
  const std::vector<Triple> slots = slots_at(drawn.drawing(), drawn.q0());
  const Drawable &a = drawn.find("sphere.a", Kind::point), &eye = drawn.find("sphere.eye", Kind::point);
  EXPECT_EQ(a.radius, 0.1);
  EXPECT_EQ(eye.radius, 0.02);
  for (const Drawable* ball : {&a, &eye}) EXPECT_LT(apart(row_at(ball->position, 0, slots), {1, 0, 1}), 1e-6);
  EXPECT_EQ(drawn.find("sensor.speed", Kind::sensor).position, eye.position);
  for (const Drawable& drawable : drawn.drawing().drawables) EXPECT_NE(drawable.name, "point.a") << "drawn twice";
}

// Every corner of a slab lies on its plane or behind it, and in front of the others.
TEST(DrawingContact, PlanesEndWhereOthersBegin) {
  const Drawn drawn = Drawn::text(balls);
  const Drawable &table = drawn.find("plane.table", Kind::body), &ramp = drawn.find("plane.ramp", Kind::body);
  EXPECT_EQ(ramp.color, "#112233");
  double least = 1, highest = 0;
  for (const auto& [plane, n] : {std::pair(&table, Triple{0, 0, 1}), {&ramp, {0.6, 0, 0.8}}}) {
    ASSERT_EQ(plane->shapes.size(), 1u);
    const std::vector<float>& x = plane->shapes[0].vertices;
    ASSERT_GE(x.size(), 24u);
    for (size_t k = 0; k < x.size() / 2; k += 3) {
      const Triple corner{x[k], x[k + 1], x[k + 2]};
      EXPECT_NEAR(inner(corner, n), 0, 1e-6);
      EXPECT_GE(corner[2], -1e-6);
      EXPECT_LE(corner[1], 2 + 1e-6);
      if (plane == &table) least = std::min(least, static_cast<double>(x[k]));
      if (plane == &ramp) highest = std::max(highest, static_cast<double>(x[k + 2]));
    }
  }
  EXPECT_NEAR(least, 0, 1e-6) << "the table begins where the ramp ends";
  EXPECT_GT(highest, 0.3);
  // A wall would hide what is behind it.
  for (const BodyShape& edge : drawn.find("plane.wall", Kind::body).shapes) EXPECT_EQ(edge.type, BodyShape::Type::link);
}

}  // namespace
}  // namespace flexura
