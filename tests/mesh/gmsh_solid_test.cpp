#include "flexura/mesh/gmsh_solid.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <span>

#include "flexura/base/problem.hpp"
#include "flexura/mesh/solid_checks.hpp"
#include "flexura/mesh/solid_shapes.hpp"

namespace flexura {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// The mesh as Gmsh writes it in format 2.2: its volume in the group "body", its bottom face in "clamped".
std::string as_gmsh(const SolidMesh& mesh) {
  std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 7 \"clamped\"\n3 9 \"body\"\n$EndPhysicalNames\n";
  text += fmt::format("$Nodes\n{}\n", mesh.nodes.size());
  for (size_t n = 0; n < mesh.nodes.size(); ++n)
    text += fmt::format("{} {} {} {}\n", 10 + n, mesh.nodes[n][0], mesh.nodes[n][1], mesh.nodes[n][2]);
  const std::vector<SolidFace>& bottom = mesh.find("bottom")->faces;
  text += fmt::format("$EndNodes\n$Elements\n{}\n", mesh.elements.size() + bottom.size());
  int tag = 100;
  for (const SolidFace& face : bottom) {
    const std::vector<int> nodes = face_nodes(mesh, face);
    const int types[][2] = {{3, 2}, {4, 3}, {6, 9}, {8, 16}, {9, 10}};
    for (const auto& [count, type] : types)
      if (count == static_cast<int>(nodes.size())) text += fmt::format("{} {} 2 7 1", tag++, type);
    for (const int n : nodes) text += fmt::format(" {}", 10 + n);
    text += "\n";
  }
  for (const SolidCell& cell : mesh.elements) {
    const CellInfo& info = cell_info(cell.kind);
    std::array<int, most_solid_nodes> theirs{};
    for (int a = 0; a < info.nodes; ++a) theirs[info.from_gmsh[a]] = cell.nodes[a];
    text += fmt::format("{} {} 2 9 1", tag++, info.gmsh);
    for (int a = 0; a < info.nodes; ++a) text += fmt::format(" {}", 10 + theirs[a]);
    text += "\n";
  }
  return text + "$EndElements\n";
}

class EveryGmshSolid : public testing::TestWithParam<SolidKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, EveryGmshSolid, testing::ValuesIn(solid_kinds().begin(), solid_kinds().end()));

TEST_P(EveryGmshSolid, ComesBackAsItWas) {
  const SolidMesh mesh = make_mesh(ThickTube{.radial = 1, .around = 6, .along = 2, .kind = GetParam()});
  const GmshSolid read = read_gmsh_solid(as_gmsh(mesh), "tube.msh");
  EXPECT_THAT(read.notices, IsEmpty());
  EXPECT_EQ(volume(read.mesh), volume(mesh));
  EXPECT_THAT(findings(statistics(read.mesh)), IsEmpty());
  EXPECT_THAT(read.mesh.set_names(), ElementsAre("clamped", "body"));
  EXPECT_EQ(read.mesh.find("clamped")->faces, mesh.find("bottom")->faces);
  EXPECT_EQ(read.mesh.find("clamped")->nodes, mesh.find("bottom")->nodes);
  EXPECT_THAT(read.mesh.find("body")->elements, SizeIs(mesh.elements.size()));
  EXPECT_EQ(read.mesh.find("body")->faces, outer_faces(mesh));
}

// All nodes at −x in place of x: every element is its mirror image. Its volume stays, to rounding of another order of sums.
TEST_P(EveryGmshSolid, MirroredElementsAreTurnedOver) {
  SolidMesh mesh = make_mesh(ThickTube{.radial = 1, .around = 6, .along = 2, .kind = GetParam()});
  const double expected = volume(mesh);
  for (Vec3& node : mesh.nodes) node[0] = -node[0];
  const GmshSolid read = read_gmsh_solid(as_gmsh(mesh), "tube.msh");
  EXPECT_NEAR(volume(read.mesh), expected, 1e-13 * expected);
  EXPECT_THAT(findings(statistics(read.mesh)), IsEmpty());
  EXPECT_THAT(read.notices, ElementsAre(HasSubstr("elements were turned over")));
}

/// Where nodes are, in an order of their own.
std::vector<std::array<double, 3>> places_of(const SolidMesh& mesh, std::span<const int> nodes) {
  std::vector<std::array<double, 3>> out;
  for (const int n : nodes) out.push_back({mesh.nodes[n][0], mesh.nodes[n][1], mesh.nodes[n][2]});
  std::ranges::sort(out);
  return out;
}

// Of a block, whose sides are straight, the mesh with middles is that which has them from the start.
TEST(GmshSolid, OrderTwoGivesMiddlesToStraightSides) {
  const std::pair<SolidKind, SolidKind> kinds[] = {{SolidKind::tetrahedron_4, SolidKind::tetrahedron_10},
                                                   {SolidKind::hexahedron_8, SolidKind::hexahedron_20}};
  for (const auto& [linear, quadratic] : kinds) {
    const SolidMesh from = make_mesh(Block{.size = {1, 2, 4}, .elements = {2, 1, 2}, .kind = linear});
    const SolidMesh to = make_mesh(Block{.size = {1, 2, 4}, .elements = {2, 1, 2}, .kind = quadratic});
    const SolidMesh read = read_gmsh_solid(as_gmsh(from), "block.msh", {.order = 2}).mesh;
    EXPECT_THAT(findings(statistics(read)), IsEmpty());
    ASSERT_EQ(read.elements.size(), to.elements.size());
    for (size_t e = 0; e < to.elements.size(); ++e) {
      ASSERT_EQ(read.elements[e].kind, quadratic);
      for (const int k : std::views::iota(0, cell_info(quadratic).nodes))
        EXPECT_EQ(places_of(read, {&read.elements[e].nodes[k], 1}), places_of(to, {&to.elements[e].nodes[k], 1}));
    }
    EXPECT_EQ(read.nodes.size(), to.nodes.size());
    EXPECT_EQ(read.node_tags.size(), to.nodes.size());
    EXPECT_EQ(places_of(read, read.find("clamped")->nodes), places_of(to, to.find("bottom")->nodes));
    EXPECT_THAT(read.find("body")->nodes, SizeIs(to.nodes.size()));
    const SolidMesh again = read_gmsh_solid(as_gmsh(to), "block.msh", {.order = 2}).mesh;
    EXPECT_EQ(again.nodes.size(), to.nodes.size());
  }
}

// As Gmsh 4 documents its hexahedron of 20 nodes: 8 is the middle of 0-1, 9 of 0-3, 10 of 0-4, 11 of 1-2.
TEST(GmshSolid, NodesAreReordered) {
  const CellInfo& hexahedron = cell_info(SolidKind::hexahedron_20);
  EXPECT_EQ(hexahedron.from_gmsh[8], 8);
  EXPECT_EQ(hexahedron.from_gmsh[9], 11);
  EXPECT_EQ(hexahedron.from_gmsh[11], 9);
  EXPECT_EQ(hexahedron.from_gmsh[16], 10);
  const CellInfo& tetrahedron = cell_info(SolidKind::tetrahedron_10);
  EXPECT_EQ(tetrahedron.from_gmsh[8], 9);
  EXPECT_EQ(tetrahedron.from_gmsh[9], 8);
}

constexpr std::string_view new_format = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
0 1 "tip"
2 2 "foot"
3 3 "rubber"
$EndPhysicalNames
$Entities
1 0 1 1
4 0 0 1 1 1
1 0 0 0 1 1 0 1 2 0
1 0 0 0 1 1 1 1 3 0
$EndEntities
$Nodes
2 5 1 5
0 4 0 1
4
0 0 1
3 1 0 4
1
2
3
5
0 0 0
1 0 0
0 1 0
7 7 7
$EndNodes
$Elements
3 3 1 3
0 4 15 1
1 4
2 1 2 1
2 1 2 3
3 1 4 1
3 1 2 3 4
$EndElements
)";

TEST(GmshSolid, ReadsFormat4WithTrianglesAndPoints) {
  const GmshSolid read = read_gmsh_solid(new_format, "tet.msh", {.scale = 0.001});
  EXPECT_NEAR(volume(read.mesh), 1e-9 / 6, 1e-24);
  EXPECT_THAT(read.notices, ElementsAre("1 node that no solid element has was left out."));
  EXPECT_THAT(read.mesh.set_names(), ElementsAre("tip", "foot", "rubber"));
  EXPECT_THAT(read.mesh.find("tip")->nodes, SizeIs(1));
  EXPECT_EQ(read.mesh.find("foot")->faces, (std::vector<SolidFace>{{0, 0}}));
  EXPECT_THAT(read.mesh.find("rubber")->faces, SizeIs(4));
  const GmshSolid with_middles = read_gmsh_solid(new_format, "tet.msh", {.order = 2});
  EXPECT_THAT(with_middles.notices, ElementsAre("1 node that no solid element has was left out."));
  EXPECT_THAT(with_middles.mesh.find("tip")->nodes, SizeIs(1));
  EXPECT_THAT(with_middles.mesh.find("foot")->nodes, SizeIs(6));
}

std::string message_of(const std::string& text) {
  try {
    read_gmsh_solid(text, "bad.msh");
  } catch (const InputError& error) {
    const Problem& first = error.problems()[0];
    return fmt::format("{}:{}: {}", first.source.file, first.source.line, first.message);
  }
  return "read";
}

TEST(GmshSolid, RefusesWhatItCannotBe) {
  std::string pyramid(new_format);
  pyramid.replace(pyramid.find("3 1 4 1\n3 1 2 3 4"), 17, "3 1 7 1\n3 1 2 3 4 5");
  EXPECT_EQ(
      message_of(pyramid),
      "bad.msh:38: element 3 is a pyramid of 5 nodes; solids are of hexahedra of 8, 20 or 27 nodes and tetrahedra "
      "of 4 or 10");
  std::string surface(new_format);
  surface.replace(surface.find("3 3 1 3"), 7, "2 2 1 2");
  surface.replace(surface.find("3 1 4 1\n3 1 2 3 4\n"), 18, "");
  EXPECT_THAT(message_of(surface), HasSubstr("bad.msh:0: has no hexahedra or tetrahedra"));
  std::string missing(new_format);
  missing.replace(missing.find("3 1 2 3 4"), 9, "3 1 2 3 6");
  EXPECT_EQ(message_of(missing), "bad.msh:38: element 3 has node 6, which does not exist");
}

}  // namespace
}  // namespace flexura
