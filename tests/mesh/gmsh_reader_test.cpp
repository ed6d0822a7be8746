#include "flexura/mesh/gmsh_reader.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "flexura/base/problem.hpp"
#include "flexura/mesh/surface_checks.hpp"
#include "flexura/mesh/surface_shapes.hpp"

namespace flexura {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Two quadrilaterals side by side, a clamped line, a tip; node 9 is the centre of an arc.
//     4 --- 3 --- 6
//     |     |     |
//     1 --- 2 --- 5
constexpr std::string_view old_format = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
0 3 "tip"
1 1 "clamped edge"
2 2 "wall"
$EndPhysicalNames
$Nodes
7
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
9 5 5 5
5 2 0 0
6 2 1 0
$EndNodes
$Elements
5
1 15 2 3 1 5
2 1 2 1 4 4 1
3 3 2 2 1 1 2 3 4
4 3 2 2 1 2 3 6 5
5 1 2 7 4 3 9
$EndElements
$Comments
nothing
$EndComments
)";

constexpr std::string_view new_format = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
0 3 "tip"
1 1 "clamped edge"
2 2 "wall"
$EndPhysicalNames
$Entities
1 1 2 0
5 2 0 0 1 3
4 0 0 0 0 1 0 1 -1 2 1 4
1 0 0 0 1 1 0 1 2 4 1 2 3 4
2 1 0 0 2 1 0 1 2 0
$EndEntities
$Nodes
2 7 1 9
2 1 0 5
1
2
3
4
9
0 0 0
1 0 0
1 1 0
0 1 0
5 5 5
2 2 1 2
5
6
2 0 0 0.5 0.5
2 1 0 0.5 0.5
$EndNodes
$Elements
4 4 1 4
0 5 15 1
1 5
1 4 1 1
2 1 4
2 1 3 1
3 1 2 3 4
2 2 3 1
4 2 5 6 3
$EndElements
)";

std::string with(std::string_view text, std::string_view from, std::string_view to) {
  std::string out(text);
  const size_t at = out.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return out.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
  try {
    read_gmsh(text, "wall.msh");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// In format 4.1 the group of the curve has a sign: its lines run from their second node to the first.
TEST(GmshReader, BothFormatsGiveTheSameMesh) {
  for (const std::string_view text : {old_format, new_format}) {
    const GmshSurface read = read_gmsh(text, "wall.msh");
    EXPECT_EQ(read.mesh.nodes.size(), 6u);
    EXPECT_THAT(read.mesh.node_tags, ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(read.mesh.element_tags, ElementsAre(3, 4));
    EXPECT_THAT(read.mesh.set_names(), ElementsAre("tip", "clamped edge", "wall"));
    EXPECT_THAT(read.mesh.find("tip")->nodes, ElementsAre(4));
    EXPECT_THAT(read.mesh.find("clamped edge")->nodes, ElementsAre(3, 0));
    EXPECT_THAT(read.mesh.find("clamped edge")->sides, ElementsAre(ElementSide{0, 3}));
    EXPECT_THAT(read.mesh.find("wall")->elements, ElementsAre(0, 1));
    EXPECT_THAT(read.mesh.find("wall")->nodes, testing::SizeIs(6));
    EXPECT_DOUBLE_EQ(area(read.mesh), 2);
    EXPECT_THAT(findings(read.mesh), IsEmpty());
  }
}

TEST(GmshReader, NoticesSayWhatWasLeftOutOrTurned) {
  const GmshSurface read = read_gmsh(old_format, "wall.msh");
  EXPECT_THAT(read.notices,
              ElementsAre(HasSubstr("1 elements were turned over"), HasSubstr("1 nodes that are no corner"),
                          HasSubstr("1 lines of physical groups are no side")));
  EXPECT_EQ(statistics(read.mesh).opposed_sides, 0);
  EXPECT_THAT(read_gmsh(new_format, "wall.msh").notices, ElementsAre(HasSubstr("1 nodes that are no corner")));
}

TEST(GmshReader, CarriageReturnsBlankLinesAndScaleAreUnderstood) {
  std::string text;
  for (const char c : old_format) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const GmshSurface read = read_gmsh(with(text, "$Nodes", "\r\n$Nodes"), "wall.msh", {.scale = 1e-3});
  EXPECT_DOUBLE_EQ(area(read.mesh), 2e-6);
}

TEST(GmshReader, QuadrilateralsOfMoreNodesBecomeThoseOfTheirCorners) {
  for (const int nodes : {8, 9}) {
    std::string text = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", nodes);
    const int x[] = {0, 2, 2, 0, 1, 2, 1, 0, 1}, y[] = {0, 0, 2, 2, 0, 1, 2, 1, 1};
    for (int k = 0; k < nodes; ++k) text += fmt::format("{} {} {} 0\n", k + 1, x[k], y[k]);
    text += fmt::format("$EndNodes\n$Elements\n2\n1 {} 2 0 1 1 2 3 4 5 6 7 8{}\n2 8 2 7 1 1 2 5\n$EndElements\n",
                        nodes == 8 ? 16 : 10, nodes == 9 ? " 9" : "");
    const GmshSurface read = read_gmsh(text, "a.msh");
    EXPECT_DOUBLE_EQ(area(read.mesh), 4);
    EXPECT_THAT(read.mesh.set_names(), ElementsAre("physical_1_7"));
    EXPECT_THAT(read.mesh.find("physical_1_7")->sides, ElementsAre(ElementSide{0, 0}));
    EXPECT_THAT(read.notices, testing::Contains(HasSubstr("1 quadrilaterals of more than 4 nodes")));
  }
}

std::string written(const SurfaceMesh& mesh, const MeshSet& edge) {
  std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 5 \"rim\"\n$EndPhysicalNames\n$Nodes\n";
  text += fmt::format("{}\n", mesh.nodes.size());
  for (size_t k = 0; k < mesh.nodes.size(); ++k) {
    const Vec3& r = mesh.nodes[k].position;
    text += fmt::format("{} {} {} {}\n", k + 1, r[0], r[1], r[2]);
  }
  text += fmt::format("$EndNodes\n$Elements\n{}\n", mesh.elements.size() + edge.sides.size());
  int tag = 0;
  for (size_t k = edge.sides.size(); k-- > 0;) {  // backwards
    const auto& n = mesh.elements[edge.sides[k].element].nodes;
    text += fmt::format("{} 1 2 5 1 {} {}\n", ++tag, n[edge.sides[k].side] + 1, n[(edge.sides[k].side + 1) % 4] + 1);
  }
  for (const SurfaceElement& e : mesh.elements)
    text +=
        fmt::format("{} 3 2 0 1 {} {} {} {}\n", ++tag, e.nodes[0] + 1, e.nodes[1] + 1, e.nodes[2] + 1, e.nodes[3] + 1);
  return text + "$EndElements\n";
}

TEST(GmshReader, AWrittenTubeComesBackWithConformingGradients) {
  const SurfaceMesh tube =
      make_mesh(Cone{.radius_start = 0.16, .radius_end = 0.04, .length = 1.5, .along = 12, .around = 24});
  const GmshSurface read = read_gmsh(written(tube, *tube.find("end")), "tube.msh");
  ASSERT_EQ(read.mesh.nodes.size(), tube.nodes.size());
  for (size_t k = 0; k < tube.nodes.size(); ++k)
    EXPECT_EQ(norm(read.mesh.nodes[k].position - tube.nodes[k].position), 0);
  const SurfaceStatistics s = statistics(read.mesh);
  EXPECT_LE(s.largest_gap.value, 1e-15 * s.size);
  EXPECT_EQ(s.boundaries, 2);
  EXPECT_NEAR(s.area / area(tube), 1, 1e-4);  // measured 2e-5
  for (const MeshFinding& finding : findings(s)) EXPECT_FALSE(finding.error) << finding.message;
  const MeshSet& rim = *read.mesh.find("rim");
  ASSERT_EQ(rim.nodes.size(), 24u);
  EXPECT_EQ(rim.sides.size(), 24u);
  for (int k = 0; k < 24; ++k) EXPECT_EQ((rim.nodes[k] - rim.nodes[(k + 1) % 24] + 24) % 24 % 22, 1) << k;  // in order
}

TEST(GmshReader, TrianglesAreRefusedWithTheirLineAndSolidsLeftOut) {
  EXPECT_THAT(refusal(with(old_format, "3 3 2 2 1 1 2 3 4", "3 2 2 2 1 1 2 3")),
              testing::AllOf(HasSubstr("wall.msh:24:"), HasSubstr("element 3 is a triangle"), HasSubstr("recombine")));
  EXPECT_THAT(read_gmsh(with(old_format, "3 3 2 2 1 1 2 3 4", "3 4 2 2 1 1 2 3 4"), "wall.msh").notices,
              testing::Contains("1 tetrahedra of the file were left out: this part is a surface."));
  EXPECT_THAT(refusal(with(new_format, "2 2 3 1\n4 2 5 6 3", "2 2 2 1\n4 2 5 6")), HasSubstr("wall.msh:45:"));
}

TEST(GmshReader, MistakesAreNamedWithFileAndLine) {
  const auto expect = [](std::string_view text, std::string_view from, std::string_view to, int line,
                         const char* words) {
    const std::string message = refusal(with(text, from, to));
    EXPECT_THAT(message, HasSubstr(words)) << to;
    EXPECT_THAT(message, HasSubstr(line > 0 ? fmt::format("wall.msh:{}:", line) : "wall.msh: ")) << to;
  };
  expect(old_format, "2.2 0 8", "2.2 1 8", 0, "the number 1, in either byte order");
  expect(old_format, "2.2 0 8", "3 0 8", 2, "format 3 is not read");
  expect(old_format, "2.2 0 8", "2.2 2 8", 2, "0 (ASCII) or 1 (binary), it is 2");
  expect(old_format, "2.2 0 8", "2.2", 2, "found 1 words");
  expect(old_format, "$MeshFormat", "MeshFormat", 1, "no Gmsh mesh");
  expect(old_format, "2 1 0 0", "2 nan 0 0", 13, "x, a finite number, found \"nan\"");
  expect(old_format, "2 1 0 0", "2 1 1e999 0", 13, "y, a finite number");
  expect(old_format, "2 1 0 0", "2 1 0", 13, "found 3 words");
  expect(old_format, "2 1 0 0", "-2 1 0 0", 13, "must be 0 or above, it is -2");
  expect(old_format, "2 1 0 0", "1 1 0 0", 13, "two nodes 1");
  expect(old_format, "2 1 0 0", "2.5 1 0 0", 13, "a whole number");
  expect(old_format, "$Nodes\n7", "$Nodes\n6", 18, "expected $EndNodes");
  expect(old_format, "$Nodes\n7", "$Nodes\n8", 19, "ends too early");
  expect(old_format, "$Nodes\n7", "$Nodes\n4000000000000", 11, "more than the rest of the file can hold");
  expect(old_format, "$Nodes\n7", "$Nodes\n-7", 11, "0 or above");
  expect(old_format, "$Nodes\n7", "$Nodes\n99999999999999999999999", 11, "whole number");
  expect(old_format, "1 1 2 3 4\n", "1 1 2 3 44\n", 24, "node 44, which does not exist");
  expect(old_format, "1 1 2 3 4\n", "1 1 2 3 3\n", 24, "node 3 twice");
  expect(old_format, "1 1 2 3 4\n", "1 1 2 3\n", 24, "quadrilateral of 4 nodes, found 3");
  expect(old_format, "3 3 2 2 1 1 2", "3 99 2 2 1 1 2", 24, "hexahedron of 32 nodes, found 4");
  expect(old_format, "3 3 2 2 1 1 2", "3 3 -2 2 1 1 2", 24, "-2 tags are announced");
  expect(old_format, "3 3 2 2 1 1 2", "3 3 2000000000000 2 1 1 2", 24, "tags are announced");
  expect(old_format, "3 3 2 2 1 1 2", "-3 3 2 2 1 1 2", 24, "must be 0 or above, it is -3");
  expect(old_format, "0 3 \"tip\"", "0 3 tip", 6, "name in quotes");
  expect(old_format, "$EndComments", "", 28, "has no $EndComments");
  expect(old_format, "$Comments\nnothing\n$EndComments", "junk", 28, "expected a section");
  expect(old_format, "$Comments\nnothing\n$EndComments", "$Nodes\n0\n$EndNodes", 28, "a second time");
  expect(old_format, "$Comments\nnothing\n$EndComments", "$EndNodes", 28, "closes no section");
  expect(new_format, "2 7 1 9", "2 8 1 9", 18, "8 nodes are announced, the blocks have 7");
  expect(new_format, "4 4 1 4", "4 5 1 4", 37, "5 elements are announced, the blocks have 4");
  expect(new_format, "2 1 0 5", "2 1 0 50000000", 19, "more than the rest");
  expect(new_format, "2 1 3 1\n", "1 1 3 1\n", 42, "does not fit dimension 1");
  expect(new_format, "1 1 2 0\n5", "1 1 2000000 0\n5", 11, "more than the rest");
  expect(new_format, "0 1 2 4 1 2 3 4\n", "0 900000000 2\n", 14, "physical groups are announced");
}

TEST(GmshReader, EveryTruncationIsRefusedOrReadWhole) {
  for (const std::string_view whole : {old_format, new_format})
    for (size_t length = 0; length < whole.size(); ++length) {
      const std::string text(whole.substr(0, length));
      const std::string message = refusal(text);
      if (message == "accepted") {
        EXPECT_GE(length, whole.find("$EndElements") + 12);
      } else {
        EXPECT_THAT(message, testing::StartsWith("wall.msh:")) << length;
      }
    }
}

TEST(GmshReader, EverySpoiledCharacterIsRefusedOrRead) {
  for (const std::string_view whole : {old_format, new_format})
    for (size_t at = 0; at < whole.size(); ++at)
      for (const char c : {'-', '9', '\n', '$', '\0', '"', ' '}) {
        std::string text(whole);
        text[at] = c;
        const std::string message = refusal(text);
        EXPECT_TRUE(message == "accepted" || message.starts_with("wall.msh:")) << at << c << message;
      }
}

TEST(GmshReader, FilesWithoutQuadrilateralsAreRefused) {
  EXPECT_THAT(refusal("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"), HasSubstr("has no section $Nodes"));
  EXPECT_THAT(refusal("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n0\n$EndNodes\n"), HasSubstr("$Elements"));
  EXPECT_THAT(refusal("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n0\n$EndNodes\n$Elements\n0\n$EndElements\n"),
              HasSubstr("has no quadrilaterals"));
  EXPECT_THAT(refusal("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Elements\n0 0 0 0\n$EndElements\n"),
              HasSubstr("has no section $Nodes"));
  EXPECT_THROW(read_gmsh(old_format, "wall.msh", {.scale = 0}), InputError);
}

}  // namespace
}  // namespace flexura
