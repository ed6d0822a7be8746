// Solids of typed specifications: what a scene's words make, places, and what is refused with a reason.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "flexura/load/point_force.hpp"
#include "flexura/mesh/solid_shapes.hpp"
#include "flexura/mesh/solid_weights.hpp"
#include "flexura/part/find_place.hpp"
#include "flexura/part/machine_builder.hpp"
#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;

SolidSpec leg(SolidKind kind = SolidKind::hexahedron_20, const Triple& origin = {}) {
  return {.name = "leg",
          .mesh = make_mesh(Block{.size = {0.1, 0.02, 0.03}, .elements = {2, 1, 1}, .kind = kind}),
          .placed = {.origin = origin},
          .section = {.rho = 1000, .law = {}, .constants = {{1e5}, 1e8}}};
}

Machine built(SolidSpec spec) {
  MachineBuilder builder({.dim = 3});
  builder.add(std::move(spec));
  return builder.build();
}

TEST(SolidPart, IsWhatASceneMakes) {
  MachineBuilder builder({.dim = 3});
  builder.add(leg());
  builder.add(JointSpec{.name = "clamp", .type = JointType::weld, .of = {ground(), place_on("leg", "left")}});
  const Model of_types = builder.build().model;
  const Model of_words = interpret_scene(read_scene_text(R"(
space = "spatial"
[material.rubber]
type = "neo-hooke"
mu = 1e5
bulk = 1e8
rho = 1000
[solid.leg]
shape = { type = "block", size = [0.1, 0.02, 0.03] }
elements = [2, 1, 1]
material = "rubber"
[joint.clamp]
type = "weld"
of = ["ground", "leg.left"]
[[analysis]]
name = "s"
type = "static"
)",
                                                         "scene.toml", scene_terms()))
                             .models.at(0)
                             .model;
  EXPECT_EQ(of_types.topology->slot_names, of_words.topology->slot_names);
  EXPECT_EQ(of_types.topology->item_names, of_words.topology->item_names);
  EXPECT_EQ(of_types.values.reference, of_words.values.reference);
  EXPECT_EQ(of_types.values.parameters, of_words.values.parameters);
}

Triple at(const Machine& machine, const Place& place, Carried what = Carried::point) {
  const MaterialPlace found = std::get<MaterialPlace>(find_place(machine, place));
  Triple out{};
  evaluate(form_at(machine, found, what), *machine.model.topology, machine.model.values.reference, out);
  return out;
}

/// Rounding of places about 3 m from the origin, over elements of 0.02 m where it is a derivative.
void expect_near(const Triple& a, const Triple& b) {
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << i;
}

TEST(SolidPart, PlacesAreWhereTheirWordsSay) {
  for (const SolidKind kind : solid_kinds()) {
    const Machine machine = built(leg(kind, {1, 2, 3}));
    expect_near(at(machine, place_on("leg", 0.3, 0.4, 0.9)), {1.03, 2.008, 3.027});
    expect_near(at(machine, place_in("leg", {0.03, 0.008, 0.027})), {1.03, 2.008, 3.027});
    expect_near(at(machine, place_on("leg", "right")), {1.1, 2.01, 3.015});
    expect_near(at(machine, place_on("leg", "top")), {1.05, 2.01, 3.03});
    // Directions of the reference.
    expect_near(at(machine, place_on("leg", 0.3, 0.4, 0.9), Carried::along), {1, 0, 0});
    expect_near(at(machine, place_on("leg", 0.3, 0.4, 0.9), Carried::across), {0, 1, 0});
    expect_near(at(machine, place_on("leg", 0, 0, 0), Carried::third), {0, 0, 1});
    EXPECT_EQ(std::get<MaterialPlace>(find_place(machine, place_on("leg", 0, 0, 0))).nodes.size(), 1u);
  }
}

TEST(SolidPart, MeansOfSetsAreThoseOfTheirArea) {
  const SolidMesh mesh = make_mesh(Block{.size = {1, 2, 3}, .elements = {2, 2, 2}});
  const SolidSet& top = *mesh.find("top");
  EXPECT_NEAR(area(mesh, top), 2, 1e-14);
  double sum = 0, corner = 0;
  for (const auto& [node, weight] : mean_weights(mesh, top)) {
    sum += weight;
    const Vec3& r = mesh.nodes[node];
    if ((r[0] == 0 || r[0] == 1) && (r[1] == 0 || r[1] == 2)) corner += weight;
  }
  EXPECT_NEAR(sum, 1, 1e-14);
  EXPECT_NEAR(corner, -4.0 / 48, 1e-14) << "of a serendipity quadrilateral: -1/12 of its area at each corner";
}

const std::string block = R"(
space = "spatial"
[material.rubber]
type = "neo-hooke"
E = 3e5
rho = 1100
[solid.leg]
shape = { type = "block", size = [0.1, 0.02, 0.02] }
elements = [2, 1, 1]
material = "rubber"
[cable.string]
section = "s"
path = [[0.1, 0, 0], [0.2, 0, 0]]
elements = 2
[section.s]
EA = 1
EI = 1
rhoA = 1
[[analysis]]
name = "move"
type = "dynamic"
end = 1
step = 0.1
)";
std::string told(const std::string& type, const std::string& first, const std::string& second,
                 const std::string& keys = {}) {
  return message_of(block +
                    fmt::format("[joint.j]\ntype = \"{}\"\nof = [\"{}\", \"{}\"]\n{}", type, first, second, keys));
}

TEST(SolidPart, WhatCannotBeIsRefusedWithAReason) {
  EXPECT_THAT(told("revolute", "ground", "leg.left", "axis = [0, 0, 1]\n"),
              HasSubstr("\"revolute\" does not go with a solid, whose points have no directions"));
  EXPECT_THAT(told("weld", "ground", "leg@(0, 0, 0)"),
              HasSubstr("a weld holds the nodes of a face or volume; \"leg@(0, 0, 0)\" is one place"));
  EXPECT_THAT(told("pin", "ground", "leg.left"), HasSubstr("a pin holds one place and \"leg.left\" has 8 nodes"));
  EXPECT_THAT(told("weld", "string.start", "leg.right"),
              HasSubstr("a solid is welded to the ground, a body, another solid or an edge of a full plate"));
  EXPECT_THAT(told("pin", "string.start", "leg@(0, 0, 0)"), HasSubstr("0.1 m apart in the reference configuration"));
  EXPECT_THAT(told("point_on_plane", "ground", "leg.left", "at = [0.1, 0, 0]\nnormal = [1, 0, 0]\n"),
              HasSubstr("is 0.1 m off the plane in the reference configuration"));
  EXPECT_EQ(told("pin", "string.start", "leg@(1, 0, 0)"), "");
  EXPECT_EQ(told("weld", "ground", "leg.left"), "");
  EXPECT_EQ(told("point_on_plane", "ground", "leg.left", "normal = [1, 0, 0]\n"), "");
}

}  // namespace
}  // namespace flexura::test
