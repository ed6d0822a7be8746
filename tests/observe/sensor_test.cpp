// What sensors of plates, distances and constraint violations read, in states that are given.

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <regex>

#include "flexura/math/triple.hpp"
#include "flexura/observe/sensor_probe.hpp"
#include "flexura/scene/scene_model.hpp"
#include "tests/scene/scene_testing.hpp"

namespace flexura::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

/// A scene in a state, and its sensors by name.
struct Seen {
  SceneModels models;
  System<double> system;
  State<double> state;
  SensorProbe probe;

  explicit Seen(const std::string& text, const Files& files = {})
      : models(interpret_scene(read(text, {}, files))),
        system(models.models[0].model.topology, values()),
        state(system.initial_state(0)),
        probe(scene(), scene().sensors, system) {}
  const SceneModel& scene() const { return models.models[0]; }
  std::vector<double> at(const std::string& sensor) {
    probe.look_at(state);
    for (size_t k = 0; k < scene().sensors.size(); ++k) {
      if (scene().sensors[k].name != sensor) continue;
      std::vector<double> out(number_count(scene().sensors[k], scene().model.topology->dim)), last(out.size());
      probe.read(static_cast<int>(k), out, last);
      return out;
    }
    return {};
  }
  /// Every slot becomes `linear` of itself: an affine map of all parts about the origin.
  void map(const std::function<Triple(const Triple&)>& linear) {
    for (const Slot& slot : scene().model.topology->slots) {
      if (slot.kind != SlotKind::point && slot.kind != SlotKind::vector) continue;
      double* x = &state.q[slot.offset];
      const Triple mapped = linear({x[0], x[1], x[2]});
      std::copy(mapped.begin(), mapped.end(), x);
    }
  }

 private:
  std::span<const Values* const> values() {
    pointer_ = &models.models[0].model.values;
    return {&pointer_, 1};
  }
  const Values* pointer_ = nullptr;
};

auto near(double x, double tolerance) { return DoubleNear(x, tolerance); }

std::string wall_sensors(const std::string& at) {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& type, const std::string& face = {}) {
    text += fmt::format("[sensor.{}]\ntype = \"{}\"\nat = \"{}\"\n", name, type, at);
    if (!face.empty()) text += fmt::format("face = \"{}\"\n", face);
  };
  for (const char* type : {"membrane_force", "bending_moment", "membrane_strain", "curvature_change"}) add(type, type);
  for (const char* face : {"top", "bottom", "middle"})
    for (const char* type : {"strain", "stress", "von_mises"}) add(fmt::format("{}_{}", type, face), type, face);
  return text;
}

std::string sheet(const std::string& more) {
  return R"(
space = "spatial"
[material.m]
E = 1e6
nu = 0.25
rho = 1000
[plate.sheet]
shape = { type = "flat", size = [2, 1] }
elements = [4, 2]
material = "m"
thickness = 0.02
[[analysis]]
name = "d"
type = "dynamic"
end = 1
step = 0.1
)" + more;
}

// Stretches 1 + a along x, 1 + b along y and a shear: Green's strain is ((1+a)^2 − 1)/2 and so on everywhere, the stress that
// of the plane law, the same at all heights; a rotation of all changes nothing. Inside, on a side and at a node.
TEST(WallSensor, HomogeneousStrainIsReadExactlyAnywhere) {
  for (const char* at : {"sheet@(0.3, 0.4)", "sheet@(0.3, 0.5)", "sheet@(0.5, 0.3)", "sheet@(0.5, 0.5)",
                         "sheet.corner_end_top", "sheet@(0.1, 0)"}) {
    Seen s(sheet(wall_sensors(at)));
    const double a = 0.05, b = -0.02, shear = 0.03, c = std::cos(0.7), n = std::sin(0.7);
    s.map([&](const Triple& x) {
      const Triple y{(1 + a) * x[0] + shear * x[1], (1 + b) * x[1], x[2]};
      return Triple{c * y[0], n * y[0], 0} + y[1] * Triple{-n * 0.6, c * 0.6, 0.8} +
             y[2] * Triple{0.8 * n, -0.8 * c, 0.6};
    });
    const double e11 = 0.5 * ((1 + a) * (1 + a) - 1), e22 = 0.5 * (shear * shear + (1 + b) * (1 + b) - 1),
                 e12 = 0.5 * (1 + a) * shear;
    EXPECT_THAT(s.at("membrane_strain"), ElementsAre(near(e11, 1e-15), near(e22, 1e-15), near(e12, 1e-15))) << at;
    EXPECT_THAT(s.at("strain_top"), ElementsAre(near(e11, 1e-14), near(e22, 1e-14), near(e12, 1e-14))) << at;
    const double Q = 1e6 / (1 - 0.0625), s11 = Q * (e11 + 0.25 * e22), s22 = Q * (e22 + 0.25 * e11),
                 s12 = 0.75 * Q * e12;
    for (const char* face : {"stress_top", "stress_middle", "stress_bottom"})
      EXPECT_THAT(s.at(face), ElementsAre(near(s11, 1e-8), near(s22, 1e-8), near(s12, 1e-8))) << at;
    EXPECT_THAT(s.at("membrane_force"),
                ElementsAre(near(0.02 * s11, 1e-9), near(0.02 * s22, 1e-9), near(0.02 * s12, 1e-9)));
    EXPECT_THAT(s.at("von_mises_bottom"),
                ElementsAre(near(std::sqrt(s11 * s11 - s11 * s22 + s22 * s22 + 3 * s12 * s12), 1e-8)));
    EXPECT_THAT(s.at("bending_moment"), ElementsAre(near(0, 1e-12), near(0, 1e-12), near(0, 1e-12)));
  }
}

// z = c x²/2 is within the shapes: at x = 0 its curvature change is −c (the normal's side is shortened for c > 0), the faces
// have ε ± κ h/2, and M = D (κ_11 + ν κ_22).
TEST(WallSensor, BendingStretchesOneFaceAndShortensTheOther) {
  Seen s(sheet(wall_sensors("sheet@(0, 0.3)")));
  const double c = 1e-3;
  const auto& topology = *s.scene().model.topology;
  for (size_t k = 0; k < s.scene().plates[0].mesh.nodes.size(); ++k) {
    const PlateNode& node = s.scene().plates[0].model.nodes[k];
    const double x = s.state.q[topology.slots[node.r].offset];
    s.state.q[topology.slots[node.r].offset + 2] = 0.5 * c * x * x;
    s.state.q[topology.slots[node.g_u].offset + 2] = c * x;
  }
  const double D = 1e6 * 8e-6 / (12 * (1 - 0.0625));
  EXPECT_THAT(s.at("curvature_change"), ElementsAre(near(-c, 1e-15), near(0, 1e-15), near(0, 1e-15)));
  EXPECT_THAT(s.at("bending_moment"), ElementsAre(near(-D * c, 1e-15), near(-0.25 * D * c, 1e-15), near(0, 1e-15)));
  EXPECT_THAT(s.at("strain_top"), ElementsAre(near(-0.01 * c, 1e-15), near(0, 1e-15), near(0, 1e-15)));
  EXPECT_THAT(s.at("strain_bottom"), ElementsAre(near(0.01 * c, 1e-15), near(0, 1e-15), near(0, 1e-15)));
  const double top = s.at("stress_top")[0];
  EXPECT_NEAR(top, -6 * D * c / 4e-4, 1e-10);
  EXPECT_NEAR(s.at("stress_bottom")[0], -top, 1e-10);
  EXPECT_NEAR(s.at("stress_middle")[0], 0, 1e-10);
}

// In the middle of a wall of two materials the stress has two values: read is the mean, N/h. The faces have their own law.
TEST(WallSensor, LaminatesHaveTheMeanInTheMiddle) {
  std::string text = sheet(wall_sensors("sheet@(0.3, 0.4)"));
  const auto erase = [&](const std::string& line) { text.erase(text.find(line), line.size()); };
  erase("material = \"m\"\n");
  erase("thickness = 0.02\n");
  Seen s(text + R"(
[material.stiff]
E = 3e6
nu = 0
rho = 1000
[layer.low]
of = "sheet"
material = "m"
thickness = 0.01
[layer.high]
of = "sheet"
material = "stiff"
thickness = 0.03
)");
  s.map([](const Triple& x) { return Triple{1.01 * x[0], x[1], x[2]}; });
  const double e = 0.5 * (1.01 * 1.01 - 1), low = 1e6 / (1 - 0.0625) * e, high = 3e6 * e;
  EXPECT_NEAR(s.at("stress_top")[0], high, 1e-8);
  EXPECT_NEAR(s.at("stress_bottom")[0], low, 1e-8);
  EXPECT_NEAR(s.at("stress_middle")[0], 0.25 * low + 0.75 * high, 1e-8);
  EXPECT_NEAR(s.at("membrane_force")[0], 0.01 * low + 0.03 * high, 1e-9);
}

// Around the middle node of this mesh each element counts its corners from another side. Components are those along the
// node's own u, whatever the elements' axes.
TEST(WallSensor, ElementsOfAnyDirectionAgreeInTheAxesOfTheNode) {
  const Files files{{{"patch.msh", R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
0 1 "middle"
2 2 "wall"
$EndPhysicalNames
$Nodes
9
1 0 0 0
2 1 0 0
3 2 0 0
4 0 1 0
5 1.1 0.9 0
6 2 1 0
7 0 2 0
8 1 2 0
9 2 2 0
$EndNodes
$Elements
5
1 15 2 1 1 5
2 3 2 2 1 1 2 5 4
3 3 2 2 1 3 6 5 2
4 3 2 2 1 9 8 5 6
5 3 2 2 1 5 8 7 4
$EndElements
)"}}};
  Seen s(R"(
space = "spatial"
[material.m]
E = 1e6
nu = 0.25
rho = 1000
[plate.wall]
shape = { type = "gmsh", file = "patch.msh" }
material = "m"
thickness = 0.02
[sensor.u]
type = "direction"
at = "wall.middle"
[[analysis]]
name = "d"
type = "dynamic"
end = 1
step = 0.1
)" + wall_sensors("wall.middle"),
         files);
  const std::vector<double> u = s.at("u");
  s.map([](const Triple& x) { return Triple{1.1 * x[0], x[1], x[2]}; });
  const double e = 0.5 * (1.1 * 1.1 - 1);
  EXPECT_EQ(s.scene().sensors[1].elements.size(), 4u);
  // Recovered gradients of a flat patch reproduce a linear map, so the strain is homogeneous.
  EXPECT_THAT(s.at("membrane_strain"),
              ElementsAre(near(e * u[0] * u[0], 1e-14), near(e * u[1] * u[1], 1e-14), near(-e * u[0] * u[1], 1e-14)));
}

// On a cylinder about X: u along it, v around it, the normal outwards.
TEST(WallSensor, DirectionsFollowTheWall) {
  std::string sensors;
  for (const char* axis : {"u", "v", "normal"})
    for (const char* at : {"0.5, 0.25", "0.31, 0.4"})
      sensors += fmt::format("[sensor.{}_{}]\ntype = \"direction\"\nat = \"tube@({})\"\naxis = \"{}\"\n", axis,
                             at[2] == '5' ? "node" : "inside", at, axis);
  Seen s(R"(
space = "spatial"
[material.m]
E = 1e6
nu = 0.25
rho = 1000
[plate.tube]
shape = { type = "tube", axis = [[0, 0, 0], [1, 0, 0]], radius = [0.1, 0.1] }
elements = [4, 32]
material = "m"
thickness = 0.01
[[analysis]]
name = "d"
type = "dynamic"
end = 1
step = 0.1
)" + sensors);
  for (const char* where : {"node", "inside"}) {
    const double share = std::string(where) == "node" ? 0.25 : 0.4;
    const auto [c, n] = std::pair(std::cos(2 * std::numbers::pi * share), std::sin(2 * std::numbers::pi * share));
    const std::vector<double> normal = s.at(fmt::format("normal_{}", where)), v = s.at(fmt::format("v_{}", where));
    // Thirty-two cubics around follow the circle's directions to 7e-5 inside, exactly at nodes.
    EXPECT_THAT(s.at(fmt::format("u_{}", where)), ElementsAre(near(1, 1e-12), near(0, 1e-12), near(0, 1e-12)));
    const double tolerance = std::string(where) == "node" ? 1e-12 : 1e-4;
    EXPECT_NEAR(normal[2], c, tolerance);
    EXPECT_NEAR(std::fabs(normal[1]), n, tolerance);
    EXPECT_NEAR(normal[1] * v[1] + normal[2] * v[2], 0, 1e-12);
    // u × v points outwards.
    EXPECT_NEAR(-v[2] * normal[1] + v[1] * normal[2], 1, 1e-12);
  }
}

TEST(DistanceSensor, MeasuresBetweenPlacesOfAllKinds) {
  Seen s(sheet(R"x(
[section.wall]
EA = 100
EI = 0.01
rhoA = 0.1
[cable.hose]
section = "wall"
path = [[0, 0, 1], [1, 0, 1]]
elements = 3
[body.box]
m = 1
inertia = [1, 1, 1]
position = [0, 0, 5]
points = { tip = [3, 4, 0] }
[point.nail]
position = [2, 2, 2]
fixed = true
[sensor.cable_ground]
type = "distance"
between = ["hose@0.5", [0.5, 0, 0]]
[sensor.body_body]
type = "distance"
between = ["box", "box.tip"]
[sensor.plate_point]
type = "distance"
between = ["sheet.end", "nail"]
[sensor.inside]
type = "distance"
between = ["sheet@(0.3, 0.4)", "hose.start"]
)x"));
  ;
  EXPECT_NEAR(s.at("cable_ground")[0], 1, 1e-15);
  EXPECT_NEAR(s.at("body_body")[0], 5, 1e-15);
  EXPECT_NEAR(s.at("plate_point")[0], std::hypot(1.5, 2), 1e-14);  // from the middle of the edge, (2, 0.5, 0)
  EXPECT_NEAR(s.at("inside")[0], std::hypot(0.6, 0.4, 1), 1e-14);
  s.map([](const Triple& x) { return 2.0 * x; });  // the ground too, as its slots are among all
  EXPECT_NEAR(s.at("inside")[0], 2 * std::hypot(0.6, 0.4, 1), 1e-14);
  Seen planar(R"(
[body.rod]
m = 1
inertia = 0.1
points = { end = [3, 0] }
[sensor.gap]
type = "distance"
between = ["rod.end", [0, 4]]
[[analysis]]
name = "d"
type = "dynamic"
end = 1
step = 0.1
)");
  EXPECT_NEAR(planar.at("gap")[0], 5, 1e-15);
}

// An affine map F takes each tangent t of a line to F t, at nodes, inside elements, on curved cables and on beams, of which it
// does not ask how their sections turned. At the reference the stretch is 1.
TEST(StretchSensor, IsThatOfTheLine) {
  std::string sensors;
  for (const char* at : {"cable@0.5", "cable@0.3", "arc@0.2", "beam@0.5", "beam@0.3"})
    sensors += fmt::format("[sensor.{}]\ntype = \"stretch\"\nat = \"{}\"\n",
                           std::regex_replace(at, std::regex("@0."), "_0_"), at);
  Seen s(R"(
space = "spatial"
[material.m]
E = 1e7
nu = 0
rho = 1
[section.square]
shape = { type = "rectangle", width = 0.1, height = 0.1 }
material = "m"
[cable.cable]
section = "square"
path = [[0, 0, 0], [1, 1, 0]]
elements = 2
[cable.arc]
section = "square"
path = { arc = { through = [[0, 0, 0], [38.26834323650898, 7.612046748871322, 0], [70.71067811865474, 29.289321881345254, 0]] } }
elements = 4
[beam.beam]
section = "square"
path = [[0, 0, 1], [1, 1, 1]]
elements = 2
up = [0, 0, 1]
[[analysis]]
name = "d"
type = "dynamic"
end = 1
step = 0.1
)" + sensors);
  const std::vector<std::string> straight{"cable_0_5", "cable_0_3", "beam_0_5", "beam_0_3"};
  for (const std::string& name : straight) EXPECT_NEAR(s.at(name)[0], 1, 1e-15) << name;
  EXPECT_NEAR(s.at("arc_0_2")[0], 1, 1e-15);
  s.map([](const Triple& x) { return Triple{1.2 * x[0], x[1], x[2]}; });
  for (const std::string& name : straight) EXPECT_NEAR(s.at(name)[0], std::sqrt(0.5 * (1.44 + 1)), 1e-14) << name;
  s.map([](const Triple& x) { return Triple{1.5 / 1.2 * x[0], 1.5 * x[1], 1.5 * x[2]}; });
  EXPECT_NEAR(s.at("arc_0_2")[0], 1.5, 1e-14);
}

/// A head on a ball joint, with a trunk of eight nodes around by the relations of [ghoneimy2025].
std::string head(const std::string& sensors) {
  return R"(
space = "spatial"
[body.head]
m = 10
inertia = [1, 1, 1]
position = [-0.2, 0, 0]
[material.m]
E = 1e6
nu = 0.3
rho = 1000
[plate.trunk]
shape = { type = "tube", axis = [[0, 0, 0], [0.5, 0, 0]], radius = [0.1, 0.05], first_angle = 0.3 }
elements = [2, 8]
material = "m"
thickness = 0.01
[joint.neck]
type = "spherical"
of = ["ground", "head"]
at = [-0.2, 0, 0]
[joint.face]
type = "weld"
method = "relations"
of = ["head", "trunk.start"]
[[analysis]]
name = "d"
type = "dynamic"
end = 0.1
step = 1e-3
)" + sensors;
}

std::string violation(const std::string& of, const std::string& part = {}) {
  return fmt::format("[sensor.{}{}]\ntype = \"constraint_violation\"\nof = \"{}\"\n{}", of, part, of,
                     part.empty() ? "" : fmt::format("part = \"{}\"\n", part));
}

// Six equations keep the head rigid, whatever their terms; each of the ring's nodes has one distance, one angle and three
// orthogonalities.
TEST(Violations, BelongToTheFamiliesOfThePaper) {
  Seen s(head(""));
  const ViolationProbe& probe = s.probe.violations();
  EXPECT_THAT(probe.families(), ::testing::UnorderedElementsAre("rigidity", "distance", "angle", "orthogonality"));
  EXPECT_EQ(probe.select("all", "").size(), 46u);
  EXPECT_EQ(probe.select("rigidity", "").size(), 6u);
  EXPECT_EQ(probe.select("distance", "").size(), 8u);
  EXPECT_EQ(probe.select("angle", "face").size(), 8u);
  EXPECT_EQ(probe.select("orthogonality", "face").size(), 24u);
  EXPECT_EQ(probe.select("all", "head").size(), 6u);
  EXPECT_EQ(probe.select("all", "neck").size(), 0u);  // eliminated
  // Names of terms go on to mean all of these terms.
  EXPECT_EQ(probe.select("vector_length", "").size(), 3u);
  EXPECT_EQ(probe.select("inner_product", "").size(), 3u + 8u);
}

// A node moved along the tube's axis breaks its orthogonalities; one turned about the axis its angle; one moved outwards its
// distance: each is seen by its own sensor.
TEST(Violations, EachShowsInItsOwnSensor) {
  Seen s(head(violation("rigidity") + violation("distance") + violation("orthogonality", "face") +
              violation("angle", "head")));
  const auto& topology = *s.scene().model.topology;
  const Triple axis{1, 0, 0};
  const PlatePart& trunk = s.scene().plates[0];
  double* x = &s.state.q[topology.slots[trunk.model.nodes[trunk.mesh.find("start")->nodes[2]].r].offset];
  const auto update = [&] { s.probe.update(s.state, false, {}); };
  update();
  for (const char* name : {"rigidity", "distance", "orthogonalityface"}) EXPECT_NEAR(s.at(name)[0], 0, 1e-15) << name;
  const Triple before{x[0], x[1], x[2]}, outwards = (1 / norm(before)) * before;
  const auto move = [&](const Triple& by) {
    for (int i = 0; i < 3; ++i) x[i] = before[i] + by[i];
    update();
  };
  move(1e-4 * outwards);
  EXPECT_NEAR(s.at("distance")[0], 1e-4 + 1e-8 / 0.2, 1e-15);  // Φ = (‖d‖² − l²)/(2 l), l = 0.1
  EXPECT_NEAR(s.at("rigidity")[0], 0, 1e-15);
  move(1e-4 * axis);
  EXPECT_GT(s.at("orthogonalityface")[0], 0.99e-4);
  EXPECT_NEAR(s.at("distance")[0], 1e-8 / 0.2, 1e-15);
  EXPECT_EQ(s.at("anglehead")[0], 0);  // the head has none
}

}  // namespace
}  // namespace flexura::testing
