#include "flexura/output/snapshot.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "flexura/output/draw_model.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura {
namespace {

/// How many pixels have a colour, and where their middle is, in pixels from the upper left.
struct Patch {
  int pixels = 0;
  double x = 0, y = 0;
};
Patch patch_of(const std::vector<std::uint8_t>& picture, int width, auto&& is) {
  Patch out;
  for (size_t k = 0; 3 * k < picture.size(); ++k) {
    if (!is(picture[3 * k], picture[3 * k + 1], picture[3 * k + 2])) continue;
    ++out.pixels;
    out.x += static_cast<double>(k % width) + 0.5;
    out.y += static_cast<double>(k / width) + 0.5;
  }
  out.x /= out.pixels, out.y /= out.pixels;
  return out;
}

SceneModels models_of(const std::string& text) {
  return interpret_scene(read_scene_text(text, "snapshot.toml", scene_terms()));
}

// A disc in the plane: as many pixels as its area has, edges are counted whole or not; where
// it is, and where it goes.
TEST(Snapshot, DiscWhereItIs) {
  const SceneModels scene = models_of(R"(
space = "planar"
[body.disc]
shape = { type = "disc", radius = 0.2 }
m = 1
color = "#ff0000"
[body.other]
shape = { type = "disc", radius = 0.1 }
position = [1, 0.5]
m = 1
color = "#0000ff"
[[analysis]]
name = "go"
type = "dynamic"
end = 1
step = 0.1
)");
  const Model& model = scene.models[0].model;
  const Drawing drawing = draw_model(scene.models[0], {}).drawing;
  const SnapshotCamera camera = snapshot_camera(drawing);
  constexpr int width = 320, height = 200;
  std::vector<double> q = model.values.q0;
  const auto red = [](int r, int g, int b) { return r > 60 && g < r / 2 && b < r / 2; };
  const double pixel = camera.height / height;
  const auto look = [&] { return patch_of(draw_snapshot(drawing, q, camera, width, height), width, red); };
  const Patch first = look();
  const double area = 24 * std::sin(std::acos(-1.0) / 12) / 2 * 0.2 * 0.2;  // of its 24 corners
  EXPECT_NEAR(first.pixels * pixel * pixel, area, 0.05 * area);
  EXPECT_NEAR(first.x, width / 2.0 + (0 - camera.center[0]) / pixel, 0.5);
  EXPECT_NEAR(first.y, height / 2.0 - (0 - camera.center[1]) / pixel, 0.5);
  for (size_t s = 0; s < model.topology->slots.size(); ++s)  // all places 0.3 m up
    if (const Slot& slot = model.topology->slots[s]; slot.kind == SlotKind::point) q[slot.offset + 1] += 0.3;
  const Patch moved = look();
  EXPECT_NEAR(moved.x, first.x, 0.3);
  EXPECT_NEAR(moved.y, first.y - 0.3 / pixel, 0.5);
}

// Of two balls the nearer hides the other; none is seen through it.
TEST(Snapshot, WhatIsNearHidesWhatIsFar) {
  const SceneModels scene = models_of(R"(
space = "spatial"
[body.near]
shape = { type = "sphere", radius = 0.1 }
position = [-0.48, -0.78, 0.4]
density = 1000
color = "#ff0000"
[body.far]
shape = { type = "sphere", radius = 0.05 }
density = 1000
color = "#0000ff"
[[analysis]]
name = "go"
type = "dynamic"
end = 1
step = 0.1
)");
  const Drawing drawing = draw_model(scene.models[0], {}).drawing;
  const std::vector<std::uint8_t> picture =
      draw_snapshot(drawing, scene.models[0].model.values.q0, snapshot_camera(drawing), 200, 200);
  EXPECT_GT(patch_of(picture, 200, [](int r, int, int b) { return r > 2 * b; }).pixels, 100);
  EXPECT_EQ(patch_of(picture, 200, [](int r, int, int b) { return b > 2 * r; }).pixels, 0);
}

// Every kind of part of the examples leaves something on the paper, and numbers that are none do no harm.
TEST(Snapshot, ExamplesAreSeen) {
  for (const char* name : {"soft_actuator", "delta_robot", "excavator", "plate_pendulum", "rubber_arm", "springs",
                           "scissor_arch", "swelling_strip", "quadruped", "beam"}) {
    const SceneModels scene = interpret_scene(read_scene(std::string("examples/") + name + ".toml", scene_terms()));
    const Drawing drawing = draw_model(scene.models[0], {}).drawing;
    const SnapshotCamera camera = snapshot_camera(drawing);
    std::vector<double> q = scene.models[0].model.values.q0;
    const auto paper = [](int r, int g, int b) { return r + g + b == 3 * 255; };
    const std::vector<std::uint8_t> picture = draw_snapshot(drawing, q, camera, 160, 120);
    EXPECT_LT(patch_of(picture, 160, paper).pixels, 160 * 120 - 30) << name;
    EXPECT_GT(patch_of(picture, 160, paper).pixels, 160 * 120 / 4) << name;
    for (double& x : q) x = NAN;
    draw_snapshot(drawing, q, camera, 16, 12);
  }
}

}  // namespace
}  // namespace flexura
