// A machine made of typed specifications is the one that a scene's words make, and says as much where it is wrong.

#include "flexura/part/machine_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "flexura/body/point_mass.hpp"
#include "flexura/load/coordinate_spring.hpp"
#include "flexura/load/point_force.hpp"
#include "flexura/mesh/surface_shapes.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

Model model_of_scene(const std::string& text) {
  const std::string analysis = "[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = 1\nstep = 0.1\n";
  return interpret_scene(read_scene_text(text + analysis, "scene.toml", scene_terms())).models.at(0).model;
}

void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(a.topology->slot_names, b.topology->slot_names);
  EXPECT_EQ(a.topology->item_names, b.topology->item_names);
  EXPECT_EQ(a.values.reference, b.values.reference);
  EXPECT_EQ(a.values.q0, b.values.q0);
  EXPECT_EQ(a.values.v0, b.values.v0);
  EXPECT_EQ(a.values.weights, b.values.weights);
  EXPECT_EQ(a.values.parameters, b.values.parameters);
}

SectionSpec tube() { return {.law = section_numbers(round_section(0.005, 0.003, 0.45), 5e7, 0.45, 1100)}; }

BodySpec bar(const std::string& name, const Triple& position) {
  return {.name = name,
          .inertia = {.mass = 2, .center = {}, .inertia = {0.1, 0.1, 0.1}},
          .reference = {.origin = position},
          .points = {{"tip", {0.5, 0, 0}}}};
}

Laminate sheet() {
  const Layer layer{isotropic_stiffness(1e9, 0.3), 1e-3, 1000, 0};
  return make_laminate({&layer, 1});
}

std::vector<std::string> messages(MachineBuilder& builder) {
  try {
    builder.build();
  } catch (const InputError& error) {
    std::vector<std::string> out;
    for (const Problem& problem : error.problems()) out.push_back(problem.path + ": " + problem.message);
    return out;
  }
  return {};
}

TEST(MachineBuilder, MakesTheCableThatASceneDescribes) {
  MachineBuilder builder({.dim = 3});
  builder.add(CableSpec{.name = "hose",
                        .path = PathCurve::polyline({{0, 0, 0}, {0.4, 0, 0}}),
                        .section = tube(),
                        .elements = 4,
                        .motion = {.velocity = Triple{0, 1, 0}}});
  builder.add(JointSpec{.name = "clamp", .type = JointType::weld, .of = {ground(), place_on("hose", "start")}});
  TermSpec weight = specify<PointMass3d>("weight", {.m = 0.02});
  weight.places = {{"at", {place_on("hose", "end")}}};
  builder.add(weight);
  builder.gravity({0, 0, -9.81});
  expect_same(builder.build().model, model_of_scene(R"(
space = "spatial"
gravity = [0, 0, -9.81]
[material.rubber]
E = 5e7
nu = 0.45
rho = 1100
[section.tube]
material = "rubber"
shape = { type = "tube", radius = 0.005, wall = 0.002 }
[cable.hose]
section = "tube"
path = [[0, 0, 0], [0.4, 0, 0]]
elements = 4
velocity = [0, 1, 0]
[joint.clamp]
type = "weld"
of = ["ground", "hose.start"]
[mass.weight]
at = "hose.end"
m = 0.02
)"));
}

TEST(MachineBuilder, MakesTheMechanismThatASceneDescribes) {
  MachineBuilder builder({.dim = 3});
  builder.add(bar("upper", {}));
  builder.add(bar("lower", {0.5, 0, 0}));
  builder.add(JointSpec{
      .name = "hip", .type = JointType::revolute, .of = {ground(), place_on("upper")}, .axis = Triple{0, 1, 0}});
  builder.add(JointSpec{.name = "knee",
                        .type = JointType::revolute,
                        .of = {place_on("upper", "tip"), place_on("lower")},
                        .axis = Triple{0, 2, 0}});
  TermSpec spring = specify<CoordinateSpring3d>("tendon", {.stiffness = 3});
  spring.joints = {{"at", "knee"}};
  builder.add(spring);
  expect_same(builder.build().model, model_of_scene(R"(
space = "spatial"
[body.upper]
m = 2
inertia = [0.1, 0.1, 0.1]
points = { tip = [0.5, 0, 0] }
[body.lower]
m = 2
inertia = [0.1, 0.1, 0.1]
position = [0.5, 0, 0]
points = { tip = [0.5, 0, 0] }
[joint.hip]
type = "revolute"
of = ["ground", "upper"]
axis = [0, 1, 0]
[joint.knee]
type = "revolute"
of = ["upper.tip", "lower"]
axis = [0, 2, 0]
[spring.tendon]
type = "joint"
at = "knee"
stiffness = 3
)"));
}

TEST(MachineBuilder, ClampsTheDirectionOfACableInSpace) {
  MachineBuilder builder({.dim = 3});
  builder.add(CableSpec{.name = "hose", .path = PathCurve::polyline({{0, 0, 0}, {1, 2, 3}}), .section = tube()});
  builder.add(
      JointSpec{.name = "clamp", .type = JointType::clamp_direction, .of = {ground(), place_on("hose", "start")}});
  const Machine machine = builder.build();
  EXPECT_EQ(machine.joints.at(0).eliminated, 5);
  EXPECT_EQ(machine.model.topology->ny, 7) << "two points and two gradients, the first of which may only stretch";
}

TEST(MachineBuilder, GivesBodiesTheInertiaOfTheirShape) {
  MachineBuilder builder({.dim = 3});
  builder.add(BodySpec{.name = "ball", .shape = solid::Sphere{.radius = 0.2, .center = {0, 0, 1}}, .density = 500});
  const BodyPart ball = builder.build().bodies.at(0);
  const double m = 500 * 4 * std::numbers::pi / 3 * 0.008;
  EXPECT_NEAR(ball.mass, m, 1e-14 * m);
  EXPECT_NEAR(ball.spec->inertia.inertia[1], 0.4 * m * 0.04, 1e-14 * m);
  EXPECT_EQ(ball.spec->inertia.center[2], 1);
}

TEST(MachineBuilder, TellsWhatOfAShapeIsWrong) {
  MachineBuilder builder({.dim = 3});
  builder.add(BodySpec{.name = "rod",
                       .shape = solid::Cylinder{.radius = 0.1, .length = 1, .center = {}, .axis = Triple{}},
                       .density = 500});
  builder.add(BodySpec{.name = "open", .shape = solid::Mesh{.surface = {{{0, 0, 0}}, {}}}, .density = 500});
  builder.add(BodySpec{.name = "flat", .shape = solid::Box{.size = {1, 0, 1}}, .density = 500});
  EXPECT_THAT(
      messages(builder),
      ElementsAre("body.rod.shape.axis: must not be zero", HasSubstr("body.open.shape.surface: "),
                  "body.flat.shape: with this density the mass or the inertia is outside the range of numbers"));
}

// Numbers that change along a part, given by shape and material, are those of the scene's pairs.
TEST(MachineBuilder, MakesSectionsOfOutlines) {
  const auto spec = section_of(SectionOutline::rectangle({0.01, 0.02}, 0.004), 2e9, 0.3, 1000);
  EXPECT_TRUE(spec.law.tapers());
  EXPECT_FALSE(spec.bends_alike);
  EXPECT_DOUBLE_EQ(spec.law.plain(0.5).EA, 2e9 * 0.015 * 0.004);
  EXPECT_DOUBLE_EQ(spec.law.plain(1).EI2, 2e9 * 0.02 * 0.004 * 0.004 * 0.004 / 12);
  EXPECT_TRUE(section_of(SectionOutline::round(0.01), 2e9, 0.3, 1000).bends_alike);
}

TEST(MachineBuilder, TellsEveryProblemByTheNameOfWhatIsWrong) {
  MachineBuilder builder({.dim = 3});
  builder.add(CableSpec{.name = "hose", .path = PathCurve::polyline({{0, 0, 0}, {1, 0, 0}}), .section = tube()});
  builder.add(PointSpec{.name = "free", .position = {1, 1, 1}});
  builder.add(JointSpec{.name = "loop", .type = JointType::pin, .of = {ground(), ground_at({0, 1, 0})}});
  builder.add(
      JointSpec{.name = "apart", .type = JointType::pin, .of = {ground_at({0, 1, 0}), place_on("hose", "start")}});
  EXPECT_THAT(messages(builder),
              UnorderedElementsAre("joint.loop.of: both places are on the ground",
                                   "joint.apart.of: \"[0, 1, 0]\" and \"hose.start\" are 1 m apart in the reference "
                                   "configuration; a pin needs them together",
                                   HasSubstr("point.free: has no mass")));
}

TEST(MachineBuilder, TellsThatAPlaceOrAJointIsNotThere) {
  MachineBuilder builder({.dim = 3});
  builder.add(bar("arm", {}));
  builder.add(JointSpec{.name = "pin", .type = JointType::pin, .of = {ground(), place_on("amr")}});
  EXPECT_THAT(messages(builder), ElementsAre("joint.pin.of[1]: there is no part named \"amr\""));
  MachineBuilder other({.dim = 3});
  other.add(bar("arm", {}));
  TermSpec spring = specify<CoordinateSpring3d>("tendon", {.stiffness = 3});
  spring.joints = {{"at", "knee"}};
  other.add(spring);
  EXPECT_THAT(messages(other), ElementsAre("spring.tendon.at: there is no joint named \"knee\""));
}

// Every kind of part against every way to write a place: those that it has are found, of the others each is told.
TEST(MachineBuilder, GuessesNoPlaceOfAnyPart) {
  const auto length = [](const std::string& part, double x) {
    Place place = place_on(part, x);
    place.at = Place::At::length, place.length = x;
    return place;
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto told = [](const Place& place) {
    MachineBuilder builder({.dim = 3});
    const PathCurve path = PathCurve::polyline({{0, 0, 0}, {1, 0, 0}});
    builder.add(CableSpec{.name = "cable", .path = path, .section = tube(), .elements = 2});
    builder.add(BeamSpec{{.name = "beam", .path = path, .section = tube(), .elements = 2}});
    builder.add(PlateSpec{.name = "plate",
                          .mesh = make_mesh(FlatPlate{.elements_u = 2, .elements_v = 2}),
                          .section = {.laminate = sheet()}});
    builder.add(PointSpec{.name = "point", .position = {1, 1, 1}, .fixed = true});
    builder.add(bar("body", {}));
    TermSpec mass = specify<PointMass3d>("mass", {.m = 1});
    mass.places = {{"at", {place_on("cable", "end")}}};
    builder.add(mass);
    TermSpec push = specify<PointForce3d>("push", {.force = {1, 0, 0}});
    push.places = {{"at", {place}}};
    builder.add(push);
    const std::vector<std::string> found = messages(builder);
    return found.empty() ? std::string() : found[0];
  };
  for (const Place& place :
       {place_on("cable", "start"), place_on("beam", "end"), place_on("cable", 1.0), place_on("beam", 0.3),
        length("beam", 0.5), place_on("plate", 0.2, 0.7), place_on("plate", "end"), place_on("plate", 0.5),
        place_on("point"), place_on("body"), place_on("body", "tip"), place_on("mass")})
    EXPECT_EQ(told(place), "") << place.text;
  for (const std::string part : {"cable", "beam"}) {
    for (const std::string name : {"tip", "center", "starts", ""})
      EXPECT_EQ(told(place_on(part, name)),
                "load.push.at: a " + part + " has no place named \"" + name + "\"; it has \"start\" and \"end\"");
    EXPECT_THAT(told(place_on(part)), HasSubstr("which place of the " + part));
    EXPECT_THAT(told(place_on(part, 0.2, 0.7)), HasSubstr("'s places need one share, as in @0.5"));
    for (const double share : {-0.1, 1.1, nan})
      EXPECT_THAT(told(place_on(part, share)), HasSubstr("must be from 0 to 1")) << share;
    EXPECT_THAT(told(length(part, 1.01)), HasSubstr("is beyond the end: the " + part + " is 1 m long"));
    for (const double x : {-0.1, nan}) EXPECT_THAT(told(length(part, x)), HasSubstr("must be 0 or more")) << x;
  }
  EXPECT_THAT(told(place_on("plate")), HasSubstr("which place of \"plate\"?"));
  EXPECT_THAT(told(place_on("plate", "tip")), HasSubstr("the plate \"plate\" has no place named \"tip\""));
  EXPECT_THAT(told(place_on("plate", 0.3)), HasSubstr("no line of nodes"));
  for (const double share : {-0.1, 1.1, nan}) {
    EXPECT_THAT(told(place_on("plate", share)), HasSubstr("must be from 0 to 1")) << share;
    EXPECT_THAT(told(place_on("plate", share, 0.5)), HasSubstr("must be numbers from 0 to 1")) << share;
    EXPECT_THAT(told(place_on("plate", 0.5, share)), HasSubstr("must be numbers from 0 to 1")) << share;
  }
  EXPECT_THAT(told(length("plate", 0.5)), HasSubstr("need two shares"));
  for (const Place& place : {place_on("point", "end"), place_on("point", 0.5), place_on("point", 0.2, 0.7)})
    EXPECT_THAT(told(place), HasSubstr("\"point\" is a point: it has no places of its own")) << place.text;
  for (const Place& place : {place_on("mass", "end"), place_on("mass", 0.5), length("mass", 0.1)})
    EXPECT_THAT(told(place), HasSubstr("\"mass\" is a mass: it has no places of its own")) << place.text;
  EXPECT_THAT(told(place_on("body", "tipp")), HasSubstr("the body \"body\" has no place named \"tipp\""));
  for (const Place& place : {place_on("body", 0.5), place_on("body", 0.2, 0.7), length("body", 0.1)})
    EXPECT_THAT(told(place), HasSubstr("\"body\" is a body: its places are")) << place.text;
  for (const Place& place : {place_on("ground", "x"), place_on("ground", 0.5)})
    EXPECT_THAT(told(place), HasSubstr("a point of the ground is written by its coordinates")) << place.text;
}

TEST(MachineBuilder, HoldsPartsTogetherInStatics) {
  MachineBuilder builder({.dim = 3, .statics = "rest"});
  builder.add(bar("arm", {}));
  EXPECT_THAT(messages(builder), ElementsAre(HasSubstr("body.arm: nothing holds this part in the static analysis")));
}

TEST(MachineBuilder, GivesAPinBetweenBodiesNoEquation) {
  MachineBuilder builder({.dim = 3});
  builder.add(bar("upper", {}));
  builder.add(bar("lower", {0.5, 0, 0}));
  builder.add(
      JointSpec{.name = "ball", .type = JointType::spherical, .of = {place_on("upper", "tip"), place_on("lower")}});
  const Machine machine = builder.build();
  EXPECT_EQ(machine.joints.at(0).eliminated, 3);
  EXPECT_THAT(machine.joints.at(0).multipliers, IsEmpty());
}

// Series that no scene can write: from C++ they come to the builder.
TEST(MachineBuilder, RefusesAPronySeriesThatLeavesNothing) {
  const auto said = [](const PronySeries& series) {
    MachineBuilder builder({.dim = 3});
    SectionSpec section = tube();
    section.relaxation = series;
    builder.add(BeamSpec{{.name = "hose", .path = PathCurve::polyline({{0, 0, 0}, {0.4, 0, 0}}), .section = section}});
    return messages(builder);
  };
  EXPECT_THAT(said({{0.5, 1}, {0.4, 1}}), IsEmpty());
  EXPECT_THAT(said({{0.5, 1}, {0.5, 2}}), ElementsAre(HasSubstr("sum to less than 1")));
  EXPECT_THAT(said({{0.5, -1}}), ElementsAre(HasSubstr("are positive")));
  EXPECT_THAT(said(PronySeries(9, {0.1, 1})), ElementsAre(HasSubstr("9 pairs; allowed: 8")));
}

}  // namespace
}  // namespace flexura::test
