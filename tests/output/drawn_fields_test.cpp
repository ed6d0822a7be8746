#include "flexura/output/drawn_fields.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "flexura/observe/sensor_probe.hpp"
#include "tests/output/drawing_testing.hpp"

namespace flexura {
namespace {

using namespace testing;
using Kind = Drawable::Kind;

/// A drawing's numbers at one state, with the signals of time `at`; of a static analysis at that share of the loads.
struct Read {
  std::vector<double> values, quantities;
  Read(const Drawn& drawn, DrawnFields& fields, const std::vector<double>& q, const std::vector<double>& v, double at,
       bool is_static = false)
      : values(fields.fields().size() * drawn.drawing().field_points),
        quantities(3 * drawn.drawing().quantities.size()) {
    const Values* model = &drawn.model().model.values;
    System<double> system(drawn.model().model.topology, std::span(&model, 1));
    const State<double> state = system.initial_state(0);
    system.drives.enter(is_static ? 0 : at);
    system.assembler.set_signals(is_static ? system.drives.blend(0, state.lags, state.loads, at)
                                           : system.drives.at(at, state.lags));
    fields.evaluate(system.assembler, is_static ? 0 : at, q, v, values, quantities);
  }
  Triple quantity(int k) const { return {quantities[3 * k], quantities[3 * k + 1], quantities[3 * k + 2]}; }
};

int field_of(const DrawnFields& fields, const std::string& name) {
  for (size_t f = 0; f < fields.fields().size(); ++f)
    if (fields.fields()[f].name == name) return static_cast<int>(f);
  return -1;
}

const std::string head = R"(
space = "planar"
[[analysis]]
name = "move"
type = "dynamic"
end = 2.0
step = 0.1
)" + clamped_hose("[[0, 0], [1, 0]]", 4);

// The arrow of a force is signal times force, whatever the state; a table's signal between its rows too.
TEST(DrawnFields, TheArrowOfAForceIsItsSignalTimesItsForce) {
  const Drawn drawn = Drawn::text(head + R"(
[load.push]
type = "force"
at = "hose.end"
force = [3, -4]
signal = { type = "piecewise", points = [[0, 0], [1, 2], [2, 2]] }
until = 1.5
)");
  DrawnFields fields(drawn.model(), drawn.drawings.front());
  const Drawable& arrow = drawn.find("load.push", Kind::arrow);
  EXPECT_FALSE(arrow.is_moment);
  EXPECT_EQ(drawn.drawing().quantities.at(arrow.quantity).unit, "N");
  for (const double t : {0.0, 0.25, 0.5, 1.0, 1.25, 1.75}) {
    const Read read(drawn, fields, drawn.q0(), {}, t);
    const double signal = t >= 1.5 ? 0 : std::min(2.0, 2 * t);
    EXPECT_NEAR(apart(read.quantity(arrow.quantity), {3 * signal, -4 * signal, 0}), 0, 1e-15 * 10) << t;
  }
}

// In statics loads grow with the load factor.
TEST(DrawnFields, LoadsGrowInStatics) {
  const Drawn drawn = Drawn::text(head + R"(
[load.push]
type = "force"
at = "hose.end"
force = [0, -4]
)");
  DrawnFields fields(drawn.model(), drawn.drawings.front());
  for (const double share : {0.0, 0.25, 1.0})
    EXPECT_DOUBLE_EQ(Read(drawn, fields, drawn.q0(), {}, share, true).quantity(0)[1], -4 * share);
}

// Forces along the cable add up to force per length times length; those that follow turn with it; the moment of a
// chamber is pi R^2 a p, equal and opposite at its ends.
TEST(DrawnFields, ArrowsAddUpToWhatTheLoadsDo) {
  const Drawn drawn = Drawn::text(head + R"(
[load.wind]
type = "distributed"
on = "hose"
force = [0, -2]
[load.jet]
type = "follower_force"
at = "hose.end"
force = [1, 3]
[load.screw]
type = "moment"
at = "hose.end"
moment = 0.7
[load.air]
type = "pneumatic"
between = ["hose.start", "hose@0.5"]
pressure = 2e4
radius = 0.006
arm = 0.009
)");
  DrawnFields fields(drawn.model(), drawn.drawings.front());
  std::vector<double> q = drawn.q0();
  const double angle = 0.4;  // all turned about the start
  for (const Slot& slot : drawn.topology().slots) {
    if (slot.size != 2) continue;
    const double x = q[slot.offset], y = q[slot.offset + 1];
    q[slot.offset] = std::cos(angle) * x - std::sin(angle) * y;
    q[slot.offset + 1] = std::sin(angle) * x + std::cos(angle) * y;
  }
  const Read read(drawn, fields, q, {}, 0);
  Triple wind{};
  std::vector<double> air;
  for (const Drawable& d : drawn.drawing().drawables) {
    if (d.name == "load.wind") wind = plus(wind, read.quantity(d.quantity));
    if (d.name == "load.air") air.push_back(read.quantity(d.quantity)[2]);
  }
  EXPECT_NEAR(apart(wind, {0, -2, 0}), 0, 1e-14);
  const Triple jet = read.quantity(drawn.find("load.jet", Kind::arrow).quantity);
  EXPECT_NEAR(apart(jet, {std::cos(angle) - 3 * std::sin(angle), std::sin(angle) + 3 * std::cos(angle), 0}), 0, 1e-14);
  const Drawable& screw = drawn.find("load.screw", Kind::arrow);
  EXPECT_TRUE(screw.is_moment);
  EXPECT_NEAR(apart(read.quantity(screw.quantity), {0, 0, 0.7}), 0, 1e-15);
  const double moment = std::numbers::pi * 0.006 * 0.006 * 0.009 * 2e4;
  ASSERT_EQ(air.size(), 2u);
  EXPECT_NEAR(air[0], -moment, 1e-15);
  EXPECT_NEAR(air[1], moment, 1e-15);
  // The chamber's pressure colours the half of the cable where it is, and nothing else.
  const int pressure = field_of(fields, "pressure air"), n = drawn.drawing().field_points;
  ASSERT_GE(pressure, 0);
  for (int p = 0; p < n; ++p) {
    const double x = read.values[pressure * n + p];
    if (drawn.places().points[p].along <= 0.5) {
      EXPECT_EQ(x, 2e4);
    } else {
      EXPECT_TRUE(std::isnan(x));
    }
  }
}

// Stretched by 1 %: strain 0.01, tension EA (green: (1.01^2 - 1)/2 * 1.01); turned about its start at 2 rad/s: speed 2 s.
TEST(DrawnFields, AStretchedTurningCableHasItsStrainForceAndSpeed) {
  const Drawn drawn = Drawn::text(head);
  DrawnFields fields(drawn.model(), drawn.drawings.front());
  std::vector<double> q = drawn.q0(), v(q.size(), 0.0);
  for (const Slot& slot : drawn.topology().slots) {
    if (slot.size < 2) continue;  // coordinates of a direction that a clamp holds
    q[slot.offset] *= 1.01;
    v[slot.offset] = -2 * q[slot.offset + 1];
    v[slot.offset + 1] = 2 * q[slot.offset];
  }
  const Read read(drawn, fields, q, v, 0);
  const int n = drawn.drawing().field_points;
  const auto at = [&](const char* name, int p) { return read.values[field_of(fields, name) * n + p]; };
  const int shown = drawn.find("cable.hose", Kind::curve).field_count;
  for (int p = 0; p < shown; ++p) {
    const double s = drawn.places().points[p].along;
    EXPECT_NEAR(at("axial strain", p), 0.01, 1e-6);  // of floats
    EXPECT_NEAR(at("axial force", p), 2000 * 0.5 * (1.01 * 1.01 - 1) * 1.01, 1e-9);
    EXPECT_NEAR(at("curvature", p), 0, 1e-12);
    EXPECT_NEAR(at("speed", p), 2 * 1.01 * s, 2e-6);
  }
  EXPECT_EQ(field_of(fields, "torque"), -1);  // a cable has none
  EXPECT_EQ(field_of(fields, "stress"), -1);  // nor a section, in this scene
  EXPECT_EQ(field_of(fields, "pressure"), -1);
}

// Two ways to the same number: the field at a sample, and a sensor as the run reads it.
TEST(DrawnFields, FieldsAreWhatSensorsReadThere) {
  const Drawn drawn = Drawn::text(head + R"(
[sensor.force]
type = "axial_force"
at = "hose@0.375"
[sensor.bend]
type = "curvature"
at = "hose@0.375"
[sensor.moment]
type = "moment"
at = "hose@0.375"
)");
  std::vector<double> q = drawn.q0();
  for (size_t k = 0; k < q.size(); ++k) q[k] += 0.05 * std::sin(3.0 * static_cast<double>(k));
  const Values* values = &drawn.model().model.values;
  System<double> system(drawn.model().model.topology, std::span(&values, 1));
  State<double> state = system.initial_state(0);
  state.q = q;
  SensorProbe probe(drawn.model(), drawn.model().sensors, system);
  probe.update(state, false, {});
  DrawnFields fields(drawn.model(), drawn.drawings.front());
  const Read read(drawn, fields, q, {}, 0);
  const int n = drawn.drawing().field_points, sample = 24;  // of 16 for each of 4 elements: 0.375 of the length
  ASSERT_DOUBLE_EQ(drawn.places().points[sample].along, 0.375);
  const char* names[] = {"axial force", "curvature", "bending moment"};
  for (int k = 0; k < 3; ++k) {
    double out = 0, last = 0;
    probe.read(k, {&out, 1}, {&last, 1});
    EXPECT_NE(out, 0);
    EXPECT_EQ(read.values[field_of(fields, names[k]) * n + sample], out) << names[k];
  }
}

// At a corner of plate elements: the mean of what they have at the Gauss points nearest to it, 0.211 of their sides away.
TEST(DrawnFields, PlatesAreReadAtTheirBestPoints) {
  const double g = 0.5 - 0.5 / std::sqrt(3.0);
  std::string text = R"(
space = "spatial"
analysis = [{ name = "move", type = "dynamic", end = 2.0, step = 0.1 }]
material.m = { E = 1e6, nu = 0.25, rho = 1000 }
plate.sheet = { shape = { type = "flat", size = [2, 1] }, elements = [4, 2], material = "m", thickness = 0.02 }
)";
  for (const double u : {0.5 - 0.25 * g, 0.5 + 0.25 * g})
    for (const double v : {0.5 - 0.5 * g, 0.5 + 0.5 * g})
      text += fmt::format("[sensor.s{}{}]\ntype = \"membrane_force\"\nat = \"sheet@({:.17g}, {:.17g})\"\n",
                          u > 0.5 ? 1 : 0, v > 0.5 ? 1 : 0, u, v);
  const Drawn drawn = Drawn::text(text);
  const Values* values = &drawn.model().model.values;
  System<double> system(drawn.model().model.topology, std::span(&values, 1));
  State<double> state = system.initial_state(0);
  for (size_t k = 0; k < state.q.size(); ++k) state.q[k] += 0.01 * std::sin(3.0 * static_cast<double>(k));
  SensorProbe probe(drawn.model(), drawn.model().sensors, system);
  probe.update(state, false, {});
  std::vector<double> mean(3);
  for (int k = 0; k < 4; ++k) {
    std::vector<double> out(3), last(3);
    probe.read(k, out, last);
    for (int c = 0; c < 3; ++c) mean[c] += out[c] / 4;
  }
  const double wanted = find_quantity("membrane_force")->drawn.number(mean);
  DrawnFields fields(drawn.model(), drawn.drawings.front());
  const Read read(drawn, fields, state.q, state.v, 0);
  const Drawable& sheet = drawn.drawing().drawables.front();
  const int n = drawn.drawing().field_points;
  int found = 0;
  for (int v = 0; v < sheet.field_count; ++v) {
    if (apart(row_at(sheet.position, v, slots_at(drawn.drawing(), drawn.q0())), {1, 0.5, 0}) > 1e-6) continue;
    EXPECT_NEAR(read.values[field_of(fields, "membrane force") * n + sheet.field + v], wanted,
                1e-9 * std::fabs(wanted));
    ++found;
  }
  EXPECT_EQ(found, 1);
}

// A strip bent by a force at its end: M = 6 c D (L - x) for w = c x^2 (3 L - x), at the clamp too (read at the Gauss points alone
// it was 5.3 % less there on 4 elements).
TEST(DrawnFields, WhatIsLinearIsExactAtEdgesOfPlates) {
  constexpr double c = 1e-5, length = 2, D = 1e6 * 0.02 * 0.02 * 0.02 / 12;
  const Drawn drawn = Drawn::text(R"(
space = "spatial"
analysis = [{ name = "move", type = "dynamic", end = 2.0, step = 0.1 }]
material.m = { E = 1e6, nu = 0, rho = 1000 }
plate.sheet = { shape = { type = "flat", size = [2, 1] }, elements = [4, 2], material = "m", thickness = 0.02 }
)");
  std::vector<double> q = drawn.q0();
  double x = 0;
  int after = 0;  // of a node: its place, then its gradients along u and v
  for (const Slot& slot : drawn.topology().slots) {
    if (slot.size != 3) continue;
    after = slot.kind == SlotKind::point ? 0 : after + 1;
    if (after == 0) x = q[slot.offset], q[slot.offset + 2] = c * x * x * (3 * length - x);
    if (after == 1) q[slot.offset + 2] = 3 * c * x * (2 * length - x);
  }
  DrawnFields fields(drawn.model(), drawn.drawings.front());
  const Read read(drawn, fields, q, {}, 0);
  const Drawable& sheet = drawn.drawing().drawables.front();
  const int n = drawn.drawing().field_points, first = field_of(fields, "plate bending moment") * n + sheet.field;
  int found = 0;
  for (int v = 0; v < sheet.field_count; ++v)
    for (const double at : {0.0, length}) {
      const Triple place = row_at(sheet.position, v, slots_at(drawn.drawing(), drawn.q0()));
      if (std::fabs(place[0] - at) > 1e-6) continue;
      EXPECT_NEAR(read.values[first + v], 6 * c * D * (length - at), 1e-5 * 6 * c * D * length) << place[1];
      ++found;
    }
  EXPECT_GE(found, 6);
}

// A full plate is coloured as the rubber that it is: stretched to 1.2 along X all of it has λ₁ = J = 1.2 and −σ_m = −k (J − 1). A thin one is not.
TEST(DrawnFields, FullPlatesHaveStretchVolumeAndPressure) {
  const auto sheet_of = [](const std::string& element, const std::string& material) {
    return Drawn::text(fmt::format(R"(
space = "spatial"
analysis = [{{ name = "move", type = "dynamic", end = 2.0, step = 0.1 }}]
material.m = {{ {}, rho = 1000 }}
plate.sheet = {{ shape = {{ type = "flat", size = [2, 1] }}, elements = [4, 2], element = "{}", material = "m", thickness = 0.02 }}
)",
                                   material, element));
  };
  for (const char* element : {"full", "xing2022"}) {
    const Drawn drawn = sheet_of(element, "type = \"neo-hooke\", mu = 1e5, bulk = 1e7");
    std::vector<double> q = drawn.q0();
    for (const Slot& slot : drawn.topology().slots)
      if (slot.size == 3) q[slot.offset] *= 1.2;
    DrawnFields fields(drawn.model(), drawn.drawings.front());
    const Read read(drawn, fields, q, {}, 0);
    const Drawable& sheet = drawn.drawing().drawables.front();
    const int n = drawn.drawing().field_points;
    const std::pair<const char*, double> wanted[] = {
        {"largest stretch", 1.2}, {"volume ratio", 1.2}, {"hydrostatic pressure", -2e6}};
    for (const auto& [name, value] : wanted)
      for (int v = 0; v < sheet.field_count; ++v)
        EXPECT_NEAR(read.values[field_of(fields, name) * n + sheet.field + v], value, 1e-9 * std::fabs(value))
            << element << " " << name;
  }
  const Drawn thin = sheet_of("thin", "E = 1e6, nu = 0.25");
  for (const DrawnField& field : fields_of(thin.model(), thin.drawings.front())) EXPECT_NE(field.name, "volume ratio");
}

// Each row that colours a drawing, as a sensor reads it where the field has a point: of cables, beams, plates, lines.
TEST(DrawnFields, EveryDrawnRowIsWhatItsSensorReads) {
  std::string text = R"(
space = "spatial"
[[analysis]]
name = "move"
type = "dynamic"
end = 2.0
step = 0.1
[material.m]
E = 1e6
nu = 0.25
rho = 1000
[section.round]
material = "m"
shape = { type = "tube", radius = [0.02, 0.01], wall = 0.004 }
[section.strip]
material = "m"
shape = { type = "rectangle", width = 0.02, height = 0.003 }
[cable.hose]
section = "round"
path = [[0, 0, 0], [1, 0, 0]]
elements = 4
[beam.bar]
section = "strip"
path = [[0, 2, 0], [1, 2, 0]]
elements = 2
[plate.sheet]
shape = { type = "flat", size = [2, 1] }
elements = [4, 2]
material = "m"
thickness = 0.02
[spring.coil]
type = "linear"
between = ["hose.end", "bar.end"]
stiffness = 10
damping = 1
)";
  struct Asked {
    std::string field, drawable;
    double share;  ///< of its points
  };
  std::map<std::string, Asked> asked;
  for (const Quantity* row : drawn_quantities()) {
    const auto ask = [&](const std::string& key, const std::string& place, const std::string& drawable, double share) {
      const std::string name = fmt::format("{}_{}", row->name, asked.size());
      text += fmt::format("[sensor.{}]\ntype = \"{}\"\n{} = \"{}\"\n", name, row->name, key, place);
      if (row->drawn.choice > 0)
        text += fmt::format("{} = \"{}\"\n", row->selection.key, row->selection.choices[row->drawn.choice].name);
      asked[name] = {std::string(row->drawn.name), drawable, share};
    };
    if (row->where & (where::line | where::shaped)) ask("at", "hose@0.3125", "cable.hose", 0.3125);
    if (row->where & (where::line | where::beam | where::shaped)) ask("at", "bar@0.3125", "beam.bar", 0.3125);
    if (row->where & where::wall) {
      ask("at", "sheet@(0.375, 0.25)", "plate.sheet", -1);  // the middle of an element
    } else if (row->where & where::plate) {
      ask("at", "sheet@(0.5, 0.5)", "plate.sheet", -2);  // a node
    }
    if (row->where & where::item_force) ask("of", "coil", "spring.coil", 0);
  }
  const Drawn drawn = Drawn::text(text);
  const Values* values = &drawn.model().model.values;
  System<double> system(drawn.model().model.topology, std::span(&values, 1));
  State<double> state = system.initial_state(0);
  for (size_t k = 0; k < state.q.size(); ++k) {
    state.q[k] += 0.01 * std::sin(3.0 * static_cast<double>(k));
    state.v[k] = std::cos(2.0 * static_cast<double>(k));
  }
  system.assembler.set_signals(system.drives.at(0, state.lags));
  SensorProbe probe(drawn.model(), drawn.model().sensors, system);
  probe.update(state, false, {});
  DrawnFields fields(drawn.model(), drawn.drawings.front());
  const Read read(drawn, fields, state.q, state.v, 0);
  const int n = drawn.drawing().field_points;
  const std::vector<SensorSpec>& sensors = drawn.model().sensors;
  ASSERT_EQ(sensors.size(), asked.size());
  for (size_t k = 0; k < sensors.size(); ++k) {
    const Asked& where_asked = asked.at(sensors[k].name);
    const Quantity& row = *sensors[k].quantity;
    std::vector<double> out(number_count(sensors[k], 3)), last(out.size());
    probe.read(static_cast<int>(k), out, last);
    const double wanted = row.drawn.number == nullptr ? out[0] : row.drawn.number(out);
    EXPECT_NE(wanted, 0) << sensors[k].name;
    const Drawable* drawable = nullptr;
    for (const Drawable& d : drawn.drawing().drawables)
      if (d.name == where_asked.drawable && d.field >= 0) drawable = &d;
    ASSERT_NE(drawable, nullptr) << sensors[k].name;
    int point = static_cast<int>(std::lround(where_asked.share * (drawable->field_count - 1)));
    for (int v = 0; where_asked.share < 0 && v < drawable->field_count; ++v)
      if (apart(row_at(drawable->position, v, slots_at(drawn.drawing(), drawn.q0())),
                where_asked.share < -1 ? Triple{1, 0.5, 0} : Triple{0.75, 0.25, 0}) < 1e-6)
        point = v;
    const int field = field_of(fields, where_asked.field);
    ASSERT_GE(field, 0) << sensors[k].name;
    // Weights of drawings are of single precision: speeds and extensions.
    EXPECT_NEAR(read.values[field * n + drawable->field + point], wanted, 1e-6 * std::fabs(wanted) + 1e-6)
        << sensors[k].name;
  }
}

// From five chambers on there is one field: the largest pressure of those that are there.
TEST(DrawnFields, ManyChambersShareAField) {
  std::string text = head;
  for (int k = 1; k <= 5; ++k)
    text += fmt::format(
        "[load.air{0}]\ntype = \"pneumatic\"\nbetween = [\"hose.start\", \"hose@{1}\"]\npressure = {2}\n"
        "radius = 0.006\narm = 0.009\n",
        k, 0.2 * k, k == 4 ? -2000 : 100 * k);
  const Drawn drawn = Drawn::text(text);
  DrawnFields fields(drawn.model(), drawn.drawings.front());
  const Read read(drawn, fields, drawn.q0(), {}, 0);
  const int field = field_of(fields, "pressure"), n = drawn.drawing().field_points;
  ASSERT_GE(field, 0);
  EXPECT_EQ(fields.fields()[field].doc, "largest of the chambers there");
  for (int p = 0; p < drawn.find("cable.hose", Kind::curve).field_count; ++p)
    EXPECT_EQ(read.values[field * n + p], drawn.places().points[p].along <= 0.8 + 1e-9 ? -2000 : 500);
}

// Stretched by 1 %, whatever the forces have become of it.
TEST(DrawnFields, ARelaxingBeamHasItsStrain) {
  const Drawn drawn = Drawn::text(R"(
space = "spatial"
[[analysis]]
name = "move"
type = "dynamic"
end = 2.0
step = 0.1
[material.m]
E = 1e6
nu = 0.25
rho = 1000
relaxation = [[0.5, 1.0]]
[section.round]
material = "m"
shape = { type = "circle", radius = 0.02 }
[beam.bar]
section = "round"
path = [[0, 0, 0], [1, 0, 0]]
elements = 4
)");
  DrawnFields fields(drawn.model(), drawn.drawings.front());
  std::vector<double> q = drawn.q0();
  for (const int slot : drawn.model().cables[0].points) q[drawn.topology().slots[slot].offset] *= 1.01;
  const Read read(drawn, fields, q, {}, 0);
  const int strain = field_of(fields, "axial strain"), n = drawn.drawing().field_points;
  ASSERT_GE(strain, 0);
  for (int p = 0; p < drawn.find("beam.bar", Kind::curve).field_count; ++p)
    EXPECT_NEAR(read.values[strain * n + p], 0.01, 1e-6);  // of floats
}

// k (l - l0) = 100 * (1.3 - 1) of a spring from the ground to a point; c l' = 0.4 * 0.5 of its damper.
TEST(DrawnFields, ASpringIsColouredByItsForce) {
  const Drawn drawn = Drawn::file("examples/springs.toml");
  std::vector<double> q = drawn.q0(), v(q.size(), 0.0);
  const Slot& mass = drawn.topology().slots[drawn.model().points.at(0).slot];
  q[mass.offset + 1] = -1.3, v[mass.offset + 1] = -0.5;
  DrawnFields fields(drawn.model(), drawn.drawings.front());
  const Read read(drawn, fields, q, v, 0);
  const Drawable& spring = drawn.find("spring.coil", Kind::line);
  EXPECT_EQ(spring.label, "spring linear");
  ASSERT_EQ(spring.field_count, 2);
  const int n = drawn.drawing().field_points;
  for (int end : {0, 1}) {
    EXPECT_NEAR(read.values[field_of(fields, "axial force") * n + spring.field + end], 30 + 0.2, 1e-13);
    EXPECT_NEAR(read.values[field_of(fields, "speed") * n + spring.field + end], end == 0 ? 0 : 0.5, 1e-7);
  }
}

// M = 2 N m on a strip of 20 x 3 mm bent about its weak axis: 6 M/(b h^2) = 66.7 MPa. The end moment makes an arc.
TEST(DrawnFields, BendingStressIsMomentOverModulus) {
  const Drawn drawn = Drawn::text(R"(
space = "planar"
[[analysis]]
name = "bend"
type = "static"
[material.steel]
E = 2e11
rho = 7800
[section.strip]
material = "steel"
shape = { type = "rectangle", width = 0.02, height = 0.003 }
[cable.strip]
section = "strip"
path = [[0, 0], [1, 0]]
elements = 4
[joint.clamp]
type = "weld"
of = ["ground", "strip.start"]
)");
  // A parabola of small slope: curvature 2 N m/EI at its start, unstretched to second order.
  const double EI = 2e11 * 0.02 * std::pow(0.003, 3) / 12, k = 2 / EI * 1e-3;
  std::vector<double> q = drawn.q0();
  const CablePart& cable = drawn.model().cables[0];
  for (size_t node = 0; node < cable.points.size(); ++node) {
    const double x = static_cast<double>(node) / 4;
    q[drawn.topology().slots[cable.points[node]].offset + 1] = k * x * x / 2;
    q[drawn.topology().slots[cable.vectors[node]].offset + 1] = k * x;
  }
  DrawnFields fields(drawn.model(), drawn.drawings.front());
  const Read read(drawn, fields, q, {}, 1);
  const int n = drawn.drawing().field_points;
  EXPECT_NEAR(read.values[field_of(fields, "bending moment") * n], 2e-3, 1e-12);
  EXPECT_NEAR(read.values[field_of(fields, "stress") * n], 6 * 2e-3 / (0.02 * 0.003 * 0.003), 1e-3);
}

class DrawnExampleFields : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DrawnExampleFields);
INSTANTIATE_TEST_SUITE_P(All, DrawnExampleFields, ::testing::ValuesIn(example_files()),
                         [](const auto& scene) { return std::filesystem::path(scene.param).stem().string(); });

// Each field has a number at some place of what it colours, and none is infinite; arrows are finite.
TEST_P(DrawnExampleFields, AreFinite) {
  const Drawn drawn = Drawn::file(GetParam());
  for (size_t m = 0; m < drawn.drawings.size(); ++m) {
    const SceneModel& model = drawn.scene.models[m];
    const Drawing& drawing = drawn.drawings[m].drawing;
    DrawnFields fields(model, drawn.drawings[m]);
    EXPECT_EQ(fields.fields(), drawing.fields);
    const size_t n = drawing.field_points;
    std::vector<double> values(n * fields.fields().size(), 1e300), quantities(3 * drawing.quantities.size(), 1e300);
    const Values* numbers_of_model = &model.model.values;
    System<double> system(model.model.topology, std::span(&numbers_of_model, 1));
    const State<double> state = system.initial_state(0.01);
    system.assembler.set_signals(system.drives.at(0.01, state.lags));
    fields.evaluate(system.assembler, 0.01, model.model.values.q0, model.model.values.v0, values, quantities);
    for (size_t f = 0; f < fields.fields().size(); ++f) {
      size_t numbers = 0;
      for (size_t p = 0; p < n; ++p) {
        EXPECT_FALSE(std::isinf(values[f * n + p])) << fields.fields()[f].name;
        EXPECT_LT(std::isnan(values[f * n + p]) ? 0.0 : values[f * n + p], 1e299) << fields.fields()[f].name;
        numbers += !std::isnan(values[f * n + p]);
      }
      EXPECT_GT(numbers, 0u) << fields.fields()[f].name;
    }
    for (const double x : quantities) EXPECT_LT(std::fabs(x), 1e299);
  }
}

}  // namespace
}  // namespace flexura
