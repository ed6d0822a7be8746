// COLLADA files: where nodes of the scene put their geometry, units, colours, and what is said of files that are wrong.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "flexura/scene/collada_mesh.hpp"

namespace flexura {
namespace {

using testing::HasSubstr;

const std::string positions =
    "<source id=\"p\"><float_array id=\"a\" count=\"15\">0 0 0  1 0 0  1 1 0  0 1 0  0 0 1</float_array>"
    "<technique_common><accessor source=\"#a\" count=\"5\" stride=\"3\"/></technique_common></source>"
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>";
const std::string one =
    "<triangles material=\"red\" count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
    "<input semantic=\"NORMAL\" source=\"#n\" offset=\"1\"/><p>0 7 1 7 2 7</p></triangles>";

/// A file of one geometry with these primitives, and of this scene.
std::string dae(const std::string& primitives, const std::string& nodes, const std::string& asset = "") {
  return "<?xml version=\"1.0\"?>\n<COLLADA version=\"1.4.1\"><asset>" + asset +
         "</asset>\n"
         "<library_effects><effect id=\"e\"><profile_COMMON><technique><phong><diffuse><color>1 0.5 0 "
         "1</color></diffuse>"
         "</phong></technique></profile_COMMON></effect></library_effects>\n"
         "<library_materials><material id=\"m\"><instance_effect url=\"#e\"/></material></library_materials>\n"
         "<library_geometries><geometry id=\"g\"><mesh>" +
         positions + primitives +
         "</mesh></geometry></library_geometries>\n<library_nodes><node id=\"n\"><translate>0 0 5</translate>"
         "<instance_geometry url=\"#g\"/></node></library_nodes>\n<library_visual_scenes><visual_scene id=\"s\">" +
         nodes + "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";
}
const std::string instance =
    "<instance_geometry url=\"#g\"><bind_material><technique_common><instance_material symbol=\"red\" target=\"#m\"/>"
    "</technique_common></bind_material></instance_geometry>";

ColladaMesh mesh_of(const std::string& text) {
  auto read = read_collada(text);
  if (const MeshError* error = std::get_if<MeshError>(&read)) {
    ADD_FAILURE() << error->line << ": " << error->message;
    return {};
  }
  return std::get<ColladaMesh>(read);
}
std::array<double, 3> corner(const ColladaMesh& mesh, size_t triangle, size_t k) {
  return mesh.surface.points[static_cast<size_t>(mesh.surface.triangles[triangle][k])];
}
std::string error_of(const std::string& text) {
  auto read = read_collada(text);
  const MeshError* error = std::get_if<MeshError>(&read);
  return error == nullptr ? "" : fmt::format("{}: {}", error->line, error->message);
}

void expect_near(const std::array<double, 3>& x, const std::array<double, 3>& wanted) {
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], wanted[i], 1e-15) << i;
}

TEST(Collada, NodesAndUnitsPutItsTriangles) {
  const ColladaMesh mesh = mesh_of(dae(
      one,
      "<node><translate>10 0 0</translate><rotate>0 0 1 90</rotate><node><scale>2 2 2</scale>" + instance +
          "</node></node><node><matrix>1 0 0 1  0 1 0 2  0 0 1 3  0 0 0 1</matrix><instance_node url=\"#n\"/></node>",
      "<unit meter=\"0.01\"/><up_axis>Y_UP</up_axis>"));
  ASSERT_EQ(mesh.surface.triangles.size(), 2U);
  expect_near(corner(mesh, 0, 0), {0.1, 0, 0});
  expect_near(corner(mesh, 0, 1), {0.1, 0.02, 0});
  expect_near(corner(mesh, 0, 2), {0.08, 0.02, 0});
  expect_near(corner(mesh, 1, 1), {0.02, 0.02, 0.08});
  EXPECT_EQ(mesh.color, "#ff8000");
}

TEST(Collada, WhatMirrorsKeepsItsOutside) {
  const ColladaMesh mesh = mesh_of(dae(one, "<node><scale>1 1 -1</scale>" + instance + "</node>"));
  expect_near(corner(mesh, 0, 1), {1, 1, 0});
  expect_near(corner(mesh, 0, 2), {1, 0, 0});
}

TEST(Collada, PolygonsStripsAndFansBecomeTriangles) {
  const std::string input = "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>";
  const auto count = [&](const std::string& primitives) {
    return mesh_of(dae(primitives, "<node>" + instance + "</node>")).surface.triangles.size();
  };
  EXPECT_EQ(count("<polylist count=\"2\">" + input + "<vcount>4 3</vcount><p>0 1 2 3 0 1 4</p></polylist>"), 3U);
  EXPECT_EQ(count("<polygons count=\"2\">" + input + "<p>0 1 2 3</p><p>0 1 4</p></polygons>"), 3U);
  EXPECT_EQ(count("<tristrips count=\"1\">" + input + "<p>0 1 3 2</p></tristrips>"), 2U);
  EXPECT_EQ(count("<trifans count=\"1\">" + input + "<p>0 1 2 3</p></trifans><lines count=\"1\"/>"), 2U);
  const ColladaMesh strip =
      mesh_of(dae("<tristrips count=\"1\">" + input + "<p>0 1 3 2</p></tristrips>", "<node>" + instance + "</node>"));
  expect_near(corner(strip, 1, 1), {1, 1, 0});  // 1 3 2 turned over: counter-clockwise as the first
}

TEST(Collada, WithoutASceneAllGeometryIsDrawn) {
  std::string text = dae(one, "");
  text.erase(text.find("<library_visual_scenes>"), text.find("</COLLADA>") - text.find("<library_visual_scenes>"));
  EXPECT_EQ(mesh_of(text).surface.triangles.size(), 1U);
}

TEST(Collada, SaysWhatIsWrong) {
  const std::string node = "<node>" + instance + "</node>";
  EXPECT_THAT(error_of("<COLLADA><a></COLLADA>"), HasSubstr("1: is not XML from here on"));
  EXPECT_THAT(error_of("<robot/>"), HasSubstr("has <COLLADA> at its top; this one has <robot>"));
  EXPECT_THAT(error_of(dae("", node)), HasSubstr("holds no triangles"));
  EXPECT_THAT(error_of(dae(one, "<node><instance_geometry url=\"#h\"/></node>")),
              HasSubstr("refers to \"#h\", and there is no <geometry> of this id"));
  std::string far = one, word = one, ring = dae(one, "<node><instance_node url=\"#n\"/></node>");
  far.replace(far.find("2 7</p>"), 1, "5");
  word.replace(word.find("2 7</p>"), 1, "x");
  EXPECT_EQ(error_of(dae(far, node)), "5: there is no vertex 5; there are 5");
  EXPECT_EQ(error_of(dae(word, node)), "5: \"x\" in <p> is no whole number");
  const std::string inside = "<instance_geometry url=\"#g\"/>";
  ring.replace(ring.find(inside), inside.size(), "<instance_node url=\"#n\"/>");
  EXPECT_THAT(error_of(ring), HasSubstr("in a ring"));
  EXPECT_THAT(error_of(dae(one, node, "<unit meter=\"-1\"/>")), HasSubstr("the unit must be a number > 0"));
  EXPECT_THAT(error_of(dae(one, "<node><skew>0</skew>" + instance + "</node>")),
              HasSubstr("<skew> of a node is not read"));
  std::string few = dae(one, node);
  few.replace(few.find("count=\"5\""), 9, "count=\"9\"");
  EXPECT_THAT(error_of(few), HasSubstr("asks for more than the 15 numbers"));
}

}  // namespace
}  // namespace flexura
