// Weights are floats: places are exact to 6e-8 of the coordinates they are made of, which are of the model's size; 1e-6
// leaves room for sums of a few dozen.

#include "flexura/observe/drawing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "flexura/element/cubic_line.hpp"
#include "flexura/element/director_beam.hpp"
#include "flexura/observe/body_motion.hpp"
#include "flexura/observe/sensor_probe.hpp"
#include "tests/output/drawing_testing.hpp"

namespace flexura {
namespace {

using namespace testing;
using Kind = Drawable::Kind;

constexpr double of_floats = 1e-6;

const std::string a_cable = R"(
space = "planar"
[[analysis]]
name = "bend"
type = "static"
)" + clamped_hose("[[0.1, 0.2], [0.4, 0.6]]", 3);

std::vector<double> random_numbers(size_t count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> out(count);
  for (double& x : out) x = uniform(random);
  return out;
}

TEST(Drawing, KeepsTheColoursOfTheScene) {
  std::string painted = a_cable;
  painted.insert(painted.find("path"), "color = \"#8c8F96\"\n");
  EXPECT_EQ(Drawn::text(a_cable).drawing().drawables[0].color, "");
  EXPECT_EQ(Drawn::text(painted).drawing().drawables[0].color, "#8c8F96");
}

class DrawnExamples : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DrawnExamples);
INSTANTIATE_TEST_SUITE_P(All, DrawnExamples, ::testing::ValuesIn(example_files()),
                         [](const auto& scene) { return std::filesystem::path(scene.param).stem().string(); });

// Turned by 1 rad about an axis and moved, slots and all: every place moves with them, every direction turns.
TEST_P(DrawnExamples, MoveRigidlyWithTheirSlots) {
  const Drawn drawn = Drawn::file(GetParam());
  const bool planar = drawn.topology().dim == 2;
  const Triple n = planar ? Triple{0, 0, 1} : Triple{2.0 / 7, -3.0 / 7, 6.0 / 7}, move{0.3, -0.2, planar ? 0 : 0.5};
  const auto turned = [&](const Triple& x) {
    const double c = std::cos(1.0), s = std::sin(1.0);
    const Triple nx{n[1] * x[2] - n[2] * x[1], n[2] * x[0] - n[0] * x[2], n[0] * x[1] - n[1] * x[0]};
    return plus(plus({c * x[0], c * x[1], c * x[2]}, nx, s), n, (1 - c) * inner(n, x));
  };
  for (size_t m = 0; m < drawn.drawings.size(); ++m) {
    const Drawing& drawing = drawn.drawings[m].drawing;
    const std::vector<Triple> slots = slots_at(drawing, drawn.scene.models[m].model.values.q0);
    std::vector<Triple> points, directions;  // fixed slots are either, as the row that has them wants
    for (size_t k = 0; k < slots.size(); ++k) {
      const bool is_point = k >= drawing.slots.size() || !drawing.slots[k].is_vector;
      directions.push_back(k < drawing.slots.size() && is_point ? plus(turned(slots[k]), move) : turned(slots[k]));
      points.push_back(is_point ? plus(turned(slots[k]), move) : turned(slots[k]));
    }
    for (const Drawable& drawable : drawing.drawables) {
      for (int row = 0; row < drawable.position.size(); ++row)
        EXPECT_LT(
            apart(row_at(drawable.position, row, points), plus(turned(row_at(drawable.position, row, slots)), move)),
            5 * of_floats)
            << drawable.name;
      for (const SlotMap* map : {&drawable.tangent, &drawable.second, &drawable.third})
        for (int row = 0; row < map->size(); ++row)
          EXPECT_LT(std::min(apart(row_at(*map, row, directions), turned(row_at(*map, row, slots))),
                             apart(row_at(*map, row, points), turned(row_at(*map, row, slots)))),
                    5 * of_floats)
              << drawable.name;
    }
  }
}

// A part, joint, spring, mass, load or sensor with a place that is not drawn would be missed by whoever looks.
TEST_P(DrawnExamples, AreDrawnWithEverythingInThem) {
  const Drawn drawn = Drawn::file(GetParam());
  std::set<std::string> names;
  for (const DrawnModel& model : drawn.drawings)
    for (const Drawable& drawable : model.drawing.drawables) names.insert(drawable.name);
  for (const Record& record : drawn.document.tables) {
    const std::set<std::string> kinds{"cable", "beam", "body", "point", "mass", "spring", "joint", "load"};
    const bool has_place = kinds.contains(record.kind) || (record.kind == "sensor" && record.has("at"));
    if (has_place) {
      EXPECT_TRUE(names.contains(record.path)) << record.path;
    }
  }
}

TEST_P(DrawnExamples, HaveMapsAndNumbersInRange) {
  const Drawn drawn = Drawn::file(GetParam());
  for (size_t m = 0; m < drawn.drawings.size(); ++m) {
    const auto& [drawing, places] = drawn.drawings[m];
    const size_t slots = drawing.slots.size() + drawing.fixed.size();
    std::set<int> offsets;
    for (const Drawing::MovingSlot& slot : drawing.slots) offsets.insert(slot.offset);
    EXPECT_EQ(offsets.size(), drawing.slots.size());
    EXPECT_EQ(places.points.size(), static_cast<size_t>(drawing.field_points));
    EXPECT_EQ(places.point_position.size(), drawing.field_points);
    EXPECT_EQ(places.efforts.size(), drawing.quantities.size());
    int fields = 0;
    for (const Drawable& d : drawing.drawables) {
      EXPECT_EQ(d.position.size(), d.kind == Kind::curve || d.kind == Kind::surface ? d.tangent.size()
                                   : d.kind == Kind::line                           ? 2
                                                                                    : 1)
          << d.name;
      for (const SlotMap* map : {&d.position, &d.tangent, &d.second, &d.third}) {
        EXPECT_TRUE(map->size() == 0 || map->size() == d.position.size()) << d.name;
        EXPECT_TRUE(std::is_sorted(map->start.begin(), map->start.end()));
        EXPECT_EQ(map->start.back(), map->slot.size());
        EXPECT_EQ(map->weight.size(), map->slot.size());
        for (const std::uint32_t slot : map->slot) EXPECT_LT(slot, slots) << d.name;
      }
      if (d.field >= 0) {
        EXPECT_EQ(d.field, fields) << d.name;
        fields += d.field_count;
      }
      EXPECT_LT(d.quantity, static_cast<int>(drawing.quantities.size())) << d.name;
      EXPECT_EQ(d.quantity >= 0, d.kind == Kind::arrow) << d.name;
      EXPECT_EQ(d.shapes.empty(), d.kind != Kind::body) << d.name;
      for (const BodyShape& shape : d.shapes) {
        EXPECT_GT(shape.type == BodyShape::Type::mesh ? 1.0 : shape.size[0], 0) << d.name;
        for (const std::uint32_t corner : shape.triangles) EXPECT_LT(3 * corner + 2, shape.vertices.size());
      }
      const bool is_rectangle = d.section.type == SectionShape::Type::rectangle;
      EXPECT_EQ((is_rectangle ? d.section.width : d.section.radius) > 0, d.kind == Kind::curve) << d.name;
    }
    EXPECT_EQ(fields, drawing.field_points);
  }
}

TEST_P(DrawnExamples, HaveBodiesWithOrthonormalAxesWhereTheyStart) {
  const Drawn drawn = Drawn::file(GetParam());
  if (drawn.document.head.boolean("assemble")) GTEST_SKIP() << "begins with a guess";
  const std::vector<Triple> slots = slots_at(drawn.drawing(), drawn.q0());
  for (const BodyPart& body : drawn.model().bodies) {
    const Drawable& d = drawn.find("body." + body.name, Kind::body);
    const BodyFrame frame = body_frame(body, drawn.topology(), drawn.q0());
    EXPECT_LT(apart(row_at(d.position, 0, slots), frame.origin), of_floats);
    const SlotMap* axes[] = {&d.tangent, &d.second, &d.third};
    for (int a = 0; a < body.axes; ++a)
      for (int b = 0; b <= a; ++b)
        EXPECT_NEAR(inner(row_at(*axes[a], 0, slots), row_at(*axes[b], 0, slots)), a == b ? 1 : 0, 3 * of_floats);
    EXPECT_EQ(d.third.size(), body.axes == 2 ? 0 : 1);
  }
}

// Two ways to the same place: the drawing's map, and the sensor as the run reads it.
TEST_P(DrawnExamples, DrawSensorsWhereTheyAreRead) {
  const Drawn drawn = Drawn::file(GetParam());
  const Values* values = &drawn.model().model.values;
  System<double> system(drawn.model().model.topology, std::span(&values, 1));
  const State<double> state = system.initial_state(0);
  SensorProbe probe(drawn.model(), drawn.model().sensors, system);
  system.assembler.set_signals(system.drives.at(0, state.lags));
  probe.update(state, false, {});
  const std::vector<Triple> slots = slots_at(drawn.drawing(), state.q);
  for (size_t k = 0; k < drawn.model().sensors.size(); ++k) {
    const SensorSpec& sensor = drawn.model().sensors[k];
    if (sensor.quantity->name != "position") continue;
    std::vector<double> x(number_count(sensor, drawn.topology().dim)), last(x.size());
    probe.read(static_cast<int>(k), x, last);
    x.resize(3);
    const Triple shown = row_at(drawn.find("sensor." + sensor.name, Kind::sensor).position, 0, slots);
    EXPECT_LT(apart(shown, {x[0], x[1], x[2]}), of_floats) << sensor.name;
  }
}

TEST(Drawing, AStraightCableIsDrawnStraightAndUnstretched) {
  const Drawn drawn = Drawn::text(a_cable);
  const Drawable& cable = drawn.find("cable.hose", Kind::curve);
  const std::vector<Triple> slots = slots_at(drawn.drawing(), drawn.q0());
  const int n = cable.position.size() - 1;
  EXPECT_EQ(n, 3 * 16);
  for (int k = 0; k <= n; ++k) {
    const double share = static_cast<double>(k) / n;
    EXPECT_LT(apart(row_at(cable.position, k, slots), {0.1 + 0.3 * share, 0.2 + 0.4 * share, 0}), of_floats);
    EXPECT_LT(apart(row_at(cable.tangent, k, slots), {0.6, 0.8, 0}), of_floats);
  }
}

TEST(Drawing, ACurvedCableHasUnitTangentsInItsReference) {
  const Drawn drawn = Drawn::file("examples/curved_cable.toml");
  const std::vector<Triple> slots = slots_at(drawn.drawing(), drawn.model().model.values.reference);
  for (const CablePart& part : drawn.model().cables) {
    const Drawable& cable = drawn.find("cable." + part.name, Kind::curve);
    for (int k = 0; k < cable.tangent.size(); ++k)
      EXPECT_NEAR(size(row_at(cable.tangent, k, slots)), 1, of_floats) << k;
  }
}

TEST(Drawing, SamplesOfACableAreWhatItsElementInterpolates) {
  const Drawn drawn = Drawn::text(a_cable);
  const CablePart& part = drawn.model().cables[0];
  const Drawable& cable = drawn.find("cable.hose", Kind::curve);
  const std::vector<double> q = random_numbers(drawn.topology().nq);
  const std::vector<Triple> slots = slots_at(drawn.drawing(), q);
  const auto at = [&](int slot) {
    const double* x = &q[drawn.topology().slots[slot].offset];
    return Triple{x[0], x[1], 0};
  };
  EXPECT_LT(apart(row_at(cable.position, 0, slots), at(part.points.front())), of_floats);
  EXPECT_LT(apart(row_at(cable.position, cable.position.size() - 1, slots), at(part.points.back())), of_floats);
  const int per_element = (cable.position.size() - 1) / 3;
  for (int k = 0; k < cable.position.size(); ++k) {
    const int e = std::min(k / per_element, 2);
    const double xi = static_cast<double>(k - e * per_element) / per_element;
    const ElementRef& element = part.elements[e];
    std::array<double, 4> c = cubic_position_shape(xi);
    c[1] *= element.length, c[3] *= element.length;
    Triple r{};
    for (int a = 0; a < 4; ++a) r = plus(r, at(element.slots[a]), c[a]);
    EXPECT_LT(apart(row_at(cable.position, k, slots), r), of_floats);
  }
}

TEST(Drawing, SamplesOfABeamAreWhatItsElementInterpolatesWithDirectors) {
  const Drawn drawn = Drawn::file("examples/princeton_beam.toml");
  const CablePart& part = drawn.model().cables[0];
  const Drawable& beam = drawn.find("beam.strip", Kind::curve);
  EXPECT_EQ(beam.section.type, SectionShape::Type::rectangle);
  EXPECT_DOUBLE_EQ(beam.section.width, 12.377e-3);  // along d1, where the scene's height is
  EXPECT_DOUBLE_EQ(beam.section.height, 3.2024e-3);
  EXPECT_FALSE(beam.section.is_nominal);
  const std::vector<double> q = random_numbers(drawn.topology().nq);
  const std::vector<Triple> slots = slots_at(drawn.drawing(), q);
  const auto at = [&](int slot) {
    const double* x = &q[drawn.topology().slots[slot].offset];
    return Triple{x[0], x[1], x[2]};
  };
  const int elements = static_cast<int>(part.elements.size()), per_element = (beam.position.size() - 1) / elements;
  for (int k = 0; k < beam.position.size(); ++k) {
    const int e = std::min(k / per_element, elements - 1);
    const auto shape = DirectorBeam3::shape(static_cast<double>(k - e * per_element) / per_element);
    Triple r{}, d1{}, d2{};
    for (int a = 0; a < 3; ++a) {
      r = plus(r, at(part.points[2 * e + a]), shape.f[a]);
      d1 = plus(d1, at(part.frames[2 * e + a][0]), shape.f[a]);
      d2 = plus(d2, at(part.frames[2 * e + a][1]), shape.f[a]);
    }
    EXPECT_LT(apart(row_at(beam.position, k, slots), r), of_floats);
    EXPECT_LT(apart(row_at(beam.second, k, slots), d1), of_floats);
    EXPECT_LT(apart(row_at(beam.third, k, slots), d2), of_floats);
  }
}

// EI/EA = radius^2/4 of a solid round section: 2 sqrt(0.02/2000) = 6.32 mm of 0.5 m lies between 0.5 % and 3 %.
TEST(Drawing, ACableOfStiffnessesGetsARadiusThatFitsThem) {
  const Drawn drawn = Drawn::text(a_cable);
  const SectionShape& section = drawn.find("cable.hose", Kind::curve).section;
  EXPECT_TRUE(section.is_nominal);
  EXPECT_NEAR(section.radius, 2 * std::sqrt(0.02 / 2000), 1e-15);
}

// The four-bar's crank: one link from its pivot to its end. The coupler with a mark beside it: a triangle.
TEST(Drawing, BodiesWithoutShapesAreLinksBetweenTheirPlaces) {
  const Drawn drawn = Drawn::file("examples/four_bar.toml");
  const auto links = [](const Drawable& body) {
    return std::count_if(body.shapes.begin(), body.shapes.end(),
                         [](const BodyShape& shape) { return shape.type == BodyShape::Type::link; });
  };
  const Drawable& crank = drawn.find("body.crank", Kind::body);
  EXPECT_EQ(links(crank), 1);
  EXPECT_NEAR(apart(crank.shapes[0].center, crank.shapes[0].to), 0.1, 1e-15);
  EXPECT_EQ(links(drawn.find("body.coupler", Kind::body)), 3);
}

// J = 1, 2, 3 kg m^2 and m = 2 kg: a^2 = 5/(2 m) (J_j + J_k - J_i) = 5, 2.5, 0 m^2.
TEST(Drawing, AFreeBodyIsTheEllipsoidOfItsInertia) {
  const Drawn drawn = Drawn::file("examples/free_body.toml");
  const BodyShape& shape = drawn.find("body.racket", Kind::body).shapes.at(0);
  EXPECT_EQ(shape.type, BodyShape::Type::ellipsoid);
  EXPECT_NEAR(shape.size[0], std::sqrt(5), 1e-12);
  EXPECT_NEAR(shape.size[1], std::sqrt(2.5), 1e-12);
  EXPECT_NEAR(shape.size[2], 0.05 * std::sqrt(5), 1e-12);  // flat, but to be seen
}

// An arrow-shaped plate with a re-entrant corner, clockwise: area 1 * 1 / 2 - 1 * 0.4 / 2 = 0.3 on both faces.
TEST(Drawing, APolygonBecomesAPlateOfItsArea) {
  const Drawn drawn = Drawn::text(R"(
space = "planar"
[[analysis]]
name = "fly"
type = "dynamic"
end = 1.0
step = 0.1
[body.arrow]
shape = { type = "polygon", points = [[0, 0], [0.5, 1], [1, 0], [0.5, 0.4]] }
density = 1.0
)");
  const BodyShape& plate = drawn.find("body.arrow", Kind::body).shapes.at(0);
  ASSERT_EQ(plate.type, BodyShape::Type::mesh);
  double top = 0, volume = 0;
  for (size_t k = 0; k + 2 < plate.triangles.size(); k += 3) {
    Triple x[3];
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 3; ++i) x[c][i] = plate.vertices[3 * plate.triangles[k + c] + i];
    const Triple u = plus(x[1], x[0], -1), v = plus(x[2], x[0], -1);
    const Triple n{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    if (x[0][2] > 0 && x[1][2] > 0 && x[2][2] > 0) top += n[2] / 2;
    volume += inner(x[0], n) / 6;
  }
  const double thickness = 2 * plate.vertices.back();
  EXPECT_NEAR(top, 0.3, of_floats);
  EXPECT_NEAR(volume, 0.3 * thickness, of_floats);  // closed, and its triangles look outward
}

// The trapdoor's latch ends at 0.2 s: the second model has none.
TEST(Drawing, WhatWasLetGoIsNotDrawn) {
  const Drawn drawn = Drawn::file("examples/trapdoor.toml");
  ASSERT_EQ(drawn.drawings.size(), 2u);
  const auto has_latch = [](const Drawing& drawing) {
    return std::any_of(drawing.drawables.begin(), drawing.drawables.end(),
                       [](const Drawable& d) { return d.name == "joint.latch"; });
  };
  EXPECT_TRUE(has_latch(drawn.drawings[0].drawing));
  EXPECT_FALSE(has_latch(drawn.drawings[1].drawing));
}

// The axis of a revolute joint turns with its first place: the Delta robot's third arm is turned by 240 deg about z.
TEST(Drawing, AxesOfJointsTurnWithTheirScene) {
  const Drawn drawn = Drawn::file("examples/delta_robot.toml");
  const std::vector<Triple> slots = slots_at(drawn.drawing(), drawn.q0());
  const double angle = -120 * std::numbers::pi / 180;
  const Drawable& motor = drawn.find("joint.third.motor", Kind::joint);
  EXPECT_EQ(motor.label, "revolute ground");
  EXPECT_LT(apart(row_at(motor.tangent, 0, slots), {-std::sin(angle), std::cos(angle), 0}), of_floats);
  EXPECT_LT(apart(row_at(motor.position, 0, slots), {0.2 * std::cos(angle), 0.2 * std::sin(angle), 0}), of_floats);
}

}  // namespace
}  // namespace flexura
