// Every quantity there is, read where it can be.

#include <gtest/gtest.h>

#include <cmath>

#include "flexura/observe/sensor_probe.hpp"
#include "flexura/scene/scene_model.hpp"
#include "tests/scene/scene_testing.hpp"
#include "tests/support/count_allocations.hpp"

namespace flexura::testing {
namespace {

/// [sensor.NAME] with the quantity's own name.
std::string sensor_of(const Quantity& q) {
  std::string text = fmt::format("[sensor.{0}]\ntype = \"{0}\"\n", q.name);
  const auto add = [&](const char* key, const char* value) { text += fmt::format("{} = {}\n", key, value); };
  if (q.where & where::line) {
    add("at", "\"hose@0.3\"");
  } else if (q.where & (where::beam | where::shaped)) {
    add("at", "\"rod@0.3\"");
  } else if (q.where & where::node) {
    add("at", "\"hose.end\"");
  } else if (q.where & where::wall) {
    add("at", "\"sheet@(0.5, 0.5)\"");
  } else if (q.where & (where::solid | where::fibred)) {
    add("at", "\"block@(0.5, 0.4, 0.3)\"");
  } else if (q.where & where::edge) {
    add("at", "\"tarp@(0.25, 0)\"");
  } else if (q.where & where::body) {
    add("at", "\"box\"");
  } else if (q.where & where::joint_offset) {
    add("of", "\"slider\"");
  } else if (q.where & where::driven) {
    add("of", q.where & where::driven_angle ? "\"wheel\"" : "\"lift\"");
  } else if (q.where & where::any_joint) {
    add("of", "\"hinge\"");
  } else if (q.where & where::two_places) {
    add("between", R"(["hose.start", "sled"])");
  } else if (q.where & where::signal) {
    add("of", "\"pump\"");
  } else if (q.where & where::item_force) {
    add("of", "\"rub\"");
  } else if (q.where & where::item_torque) {
    add("of", "\"coil\"");
  } else if (q.where & where::chamber) {
    add("of", "\"wind\"");
  } else if (q.where & where::any_chamber) {
    add("of", "\"air\"");
  } else if (q.where & where::kept_length) {
    add("of", "\"line\"");
  } else if (q.where & where::kept_area) {
    add("of", "\"skin\"");
  } else if (q.where & where::touching) {
    add("of", "\"table\"");
  } else if (q.where & where::contact) {
    add("of", "\"floor\"");
  } else if (q.where & where::two_touching) {
    add("first", "\"ball\"");
    add("second", "\"table\"");
  }
  return text;
}

TEST(Readers, FindEveryQuantityAndUseNoHeap) {
  std::string text = R"(
space = "spatial"
[material.m]
E = 1e6
nu = 0.25
rho = 1000
[material.rubber]
type = "neo-hooke"
E = 1e5
rho = 1000
[solid.block]
shape = { type = "block", size = [0.1, 0.1, 0.1] }
elements = [1, 1, 1]
material = "rubber"
[membrane.tarp]
shape = { type = "flat", size = [1, 1] }
elements = [2, 2]
material = "rubber"
thickness = 0.001
[fibre.threads]
of = "block"
direction = [1, 0, 0]
stiffness = 1e4
[constraint.line]
type = "length"
at = ["sheet.start"]
[constraint.skin]
type = "area"
at = ["block.top"]
[plate.sheet]
shape = { type = "flat", size = [2, 1] }
elements = [4, 2]
material = "m"
thickness = 0.02
[section.wall]
EA = 100
EI = 0.01
rhoA = 0.1
[cable.hose]
section = "wall"
path = [[0, 0, 1], [1, 0, 1]]
elements = 3
[section.round]
shape = { type = "circle", radius = 0.01 }
material = "m"
[beam.rod]
section = "round"
path = [[0, 0, 2], [1, 0, 2]]
elements = 2
[load.wind]
type = "pressure"
on = "sheet"
pressure = 3
[body.box]
m = 1
inertia = [1, 1, 1]
position = [0, 0, 5]
[body.sled]
m = 1
inertia = [1, 1, 1]
position = [0, 0, -5]
[joint.hinge]
type = "revolute"
of = ["ground", "box"]
at = [0, 0.5, 5]
axis = [1, 0, 0]
method = "multipliers"
[joint.slider]
type = "prismatic"
of = ["ground", "sled"]
at = [0, 0, -5]
axis = [1, 0, 0]
[body.disc]
m = 1
inertia = [1, 1, 1]
position = [0, 9, 0]
[joint.wheel]
type = "revolute"
of = ["ground", "disc"]
at = [0, 9, 0]
axis = [0, 0, 1]
angle = "pump"
[body.cage]
m = 1
inertia = [1, 1, 1]
position = [0, 12, 0]
[joint.lift]
type = "prismatic"
of = ["ground", "cage"]
at = [0, 12, 0]
axis = [0, 0, 1]
displacement = "pump"
[load.rub]
type = "friction"
at = "slider"
coulomb = 1
[spring.coil]
type = "joint"
at = "hinge"
stiffness = 1
[sphere.ball]
position = [5, 5, 1]
radius = 0.1
m = 1
[plane.table]
point = [5, 5, 0]
normal = [0, 0, 1]
[contact.floor]
between = ["ball", "table"]
[plate.barrel]
shape = { type = "tube", axis = [[0, 3, 0], [1, 3, 0]], radius = [0.5, 0.5] }
elements = [2, 8]
material = "m"
thickness = 0.02
[chamber.air]
surfaces = ["barrel"]
lids = true
added = "pump"
[signal.pump]
type = "sine"
amplitude = 0.5
frequency = 3
[[analysis]]
name = "d"
type = "dynamic"
end = 1
step = 0.1
)";
  for (const Quantity& q : quantities()) text += sensor_of(q);
  const SceneModels scene = interpret_scene(read(text));
  const SceneModel& model = scene.models[0];
  const Values* values = &model.model.values;
  System<double> system(model.model.topology, std::span(&values, 1));
  State<double> state = system.initial_state(0);
  system.assembler.set_signals(system.drives.at(state.t, state.lags));
  for (size_t k = 0; k < state.v.size(); ++k) state.v[k] = std::sin(static_cast<double>(k));
  SensorProbe probe(model, model.sensors, system);
  probe.update(state, true, {});
  ASSERT_EQ(model.sensors.size(), quantities().size());
  for (size_t k = 0; k < model.sensors.size(); ++k) {
    std::vector<double> out(number_count(model.sensors[k], 3), std::nan("")), last(out.size());
    ASSERT_FALSE(out.empty()) << model.sensors[k].name;
    const long before = test::allocations();
    probe.read(static_cast<int>(k), out, last);
    EXPECT_EQ(test::allocations() - before, 0) << model.sensors[k].name;
    for (const double x : out) EXPECT_TRUE(std::isfinite(x)) << model.sensors[k].name;
  }
}

}  // namespace
}  // namespace flexura::testing
