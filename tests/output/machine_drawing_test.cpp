// A machine is drawn from what it remembers: one of typed specifications looks like the one that a scene's words make.

#include <gtest/gtest.h>

#include "flexura/base/temporary_folder.hpp"
#include "flexura/body/point_mass.hpp"
#include "flexura/constraint/distance.hpp"
#include "flexura/load/coordinate_spring.hpp"
#include "flexura/load/motor.hpp"
#include "flexura/load/point_force.hpp"
#include "flexura/load/spring_damper.hpp"
#include "flexura/output/drawing_file.hpp"
#include "flexura/output/hdf5_results.hpp"
#include "flexura/output/journal.hpp"
#include "flexura/part/find_place.hpp"
#include "flexura/part/machine_builder.hpp"
#include "tests/output/drawing_testing.hpp"

namespace flexura {
namespace {

using namespace testing;

TermSpec at(TermSpec spec, std::vector<Place> places) {
  spec.places = {{places.size() == 1 ? "at" : "between", std::move(places)}};
  return spec;
}

TermSpec on_joint(TermSpec spec, const std::string& joint) {
  spec.joints = {{"at", joint}};
  return spec;
}

/// A hose that carries a head; an arm on a hinge beside it.
///
///     ▨═════════o═══▷ head        the head hangs on a rod and a spring
///     ▨───○ arm
Machine hose_and_arm() {
  MachineBuilder builder({.dim = 3});
  builder.add(CableSpec{.name = "hose",
                        .path = PathCurve::polyline({{0, 0, 0}, {0.4, 0, 0}}),
                        .section = section_of(SectionOutline::tube({0.006, 0.004}, 0.002), 5e7, 0.45, 1100),
                        .elements = 4,
                        .color = "#884422"});
  builder.add(BodySpec{.name = "head",
                       .shape = solid::Cone{.radius = 0.02, .height = 0.06, .axis = Triple{2, 0, 0}},
                       .density = 1000,
                       .reference = {.origin = {0.4, 0, 0}},
                       .points = {{"nose", {0.06, 0, 0}}},
                       .color = "#112233"});
  builder.add(BodySpec{.name = "arm",
                       .inertia = {.mass = 2, .center = {0.1, 0, 0}, .inertia = {0.1, 0.1, 0.1}},
                       .reference = {.origin = {0, 0.2, 0}}});
  builder.add(JointSpec{.name = "clamp", .type = JointType::weld, .of = {ground(), place_on("hose", "start")}});
  TermSpec rod = specify<Distance3d>("rod", {});
  rod.places = {{"of", {ground_at({0.46, 0, 0.3}), place_on("head", "nose")}}};
  builder.add(rod);
  builder.add(JointSpec{.name = "neck", .type = JointType::pin, .of = {place_on("hose", "end"), place_on("head")}});
  builder.add(JointSpec{.name = "hinge",
                        .type = JointType::revolute,
                        .of = {ground(), place_on("arm")},
                        .at = Triple{0.05, 0.2, 0},
                        .axis = Triple{0, 3, 0}});
  builder.add(at(specify<PointMass3d>("payload", {.m = 0.02}), {place_on("hose", 0.3)}));
  builder.add(at(specify<SpringDamper3d>("tendon", {.stiffness = 10, .damping = {}, .free_length = {}}),
                 {place_on("payload"), ground_at({0.2, 0, 0.3})}));
  builder.add(on_joint(specify<CoordinateSpring3d>("return", {.stiffness = 3}), "hinge"));
  builder.add(at(specify<PointForce3d>("pull", {.force = {0, 0, -1}}), {place_on("head", "nose")}));
  return builder.build();
}

const std::string the_same = R"(
space = "spatial"
[material.rubber]
E = 5e7
nu = 0.45
rho = 1100
[section.tube]
material = "rubber"
shape = { type = "tube", radius = [0.006, 0.004], wall = 0.002 }
[cable.hose]
section = "tube"
path = [[0, 0, 0], [0.4, 0, 0]]
elements = 4
color = "#884422"
[body.head]
position = [0.4, 0, 0]
shape = { type = "cone", radius = 0.02, height = 0.06, axis = [2, 0, 0] }
density = 1000
points = { nose = [0.06, 0, 0] }
color = "#112233"
[body.arm]
position = [0, 0.2, 0]
m = 2
center = [0.1, 0, 0]
inertia = [0.1, 0.1, 0.1]
[joint.clamp]
type = "weld"
of = ["ground", "hose.start"]
[joint.rod]
type = "distance"
of = [[0.46, 0, 0.3], "head.nose"]
[joint.neck]
type = "pin"
of = ["hose.end", "head"]
[joint.hinge]
type = "revolute"
of = ["ground", "arm"]
at = [0.05, 0.2, 0]
axis = [0, 3, 0]
[mass.payload]
at = "hose@0.3"
m = 0.02
[spring.tendon]
type = "linear"
between = ["payload", [0.2, 0, 0.3]]
stiffness = 10
[spring.return]
type = "joint"
at = "hinge"
stiffness = 3
[load.pull]
type = "force"
at = "head.nose"
force = [0, 0, -1]
[sensor.nose]
type = "position"
at = "head.nose"
[[analysis]]
name = "move"
type = "dynamic"
end = 1
step = 0.1
)";

SensorSpec position_at(const Machine& machine, const std::string& name, const Place& place) {
  SensorSpec sensor;
  sensor.name = name;
  sensor.quantity = find_quantity("position");
  sensor.at = {std::get<MaterialPlace>(find_place(machine, place))};
  sensor.place = form_at(machine, sensor.at[0], Carried::point);
  return sensor;
}

TEST(DrawnMachine, LooksLikeTheOneOfTheSameWords) {
  const Machine machine = hose_and_arm();
  const SensorSpec nose = position_at(machine, "nose", place_on("head", "nose"));
  const Drawing drawing = draw_model(machine, std::span(&nose, 1)).drawing;
  const Drawn words = Drawn::text(the_same);
  ASSERT_EQ(drawing.drawables.size(), words.drawing().drawables.size());
  for (size_t k = 0; k < drawing.drawables.size(); ++k)
    EXPECT_TRUE(drawing.drawables[k] == words.drawing().drawables[k]) << drawing.drawables[k].name;
  EXPECT_TRUE(drawing == words.drawing());
  EXPECT_EQ(words.find("body.head", Drawable::Kind::body).label, "body cone");
  EXPECT_EQ(words.find("cable.hose", Drawable::Kind::curve).sizes.size(), 2 * 65u) << "it tapers";
}

TEST(DrawnMachine, IsReadBackFromAFile) {
  const Machine machine = hose_and_arm();
  const Drawing drawing = draw_model(machine, {}).drawing;
  const TemporaryFolder folder;
  {
    auto writer = JournalWriter::create(folder / "run.journal");
    write_drawing(*writer, 0, drawing);
    writer->end("finished");
  }
  ASSERT_EQ(write_results(*JournalReader::open(folder / "run.journal"), folder / "results.h5"), "");
  const auto back = read_drawing(*ResultsFile::open(folder / "results.h5"), 0);
  ASSERT_TRUE(back) << back.error();
  EXPECT_TRUE(*back == drawing);
}

// What holds a body at other times shows on it now: it looks the same before and after it is let go.
TEST(DrawnMachine, KeepsTheLooksOfBodiesThatAreLetGo) {
  std::string scene = the_same;
  scene.replace(scene.find("axis = [0, 3, 0]"), 16, "axis = [0, 3, 0]\nuntil = 0.5");
  scene.erase(scene.find("[spring.return]"), scene.find("[load.pull]") - scene.find("[spring.return]"));
  const Drawn drawn = Drawn::text(scene);
  ASSERT_EQ(drawn.drawings.size(), 2u);
  const auto arm = [&](int model) {
    for (const Drawable& drawable : drawn.drawings[model].drawing.drawables)
      if (drawable.name == "body.arm") return drawable.shapes;
    return std::vector<BodyShape>{};
  };
  EXPECT_EQ(drawn.scene.models[1].joints.size() + 1, drawn.scene.models[0].joints.size());
  ASSERT_EQ(arm(0).size(), 2u) << "a solid that hangs on a link";
  EXPECT_TRUE(arm(0) == arm(1));
}

// In the order of the text; rods are terms, and drawn among the joints all the same.
TEST(DrawnMachine, HasItsJointsInTheirOrder) {
  std::vector<std::string> joints;
  for (const Drawable& drawable : draw_model(hose_and_arm(), {}).drawing.drawables)
    if (drawable.name.starts_with("joint.")) joints.push_back(drawable.label);
  EXPECT_EQ(joints, (std::vector<std::string>{"weld ground", "rod", "pin", "revolute ground"}));
}

}  // namespace
}  // namespace flexura
