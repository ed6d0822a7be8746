#include "flexura/mesh/gmsh_solid.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
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

constexpr int prism = 6, pyramid = 7, hexahedron = 5, tetrahedron = 4, quadrilateral = 3;
struct GmshElement {
  int type, group;
  std::vector<int> nodes;  ///< from 0
};

std::string as_gmsh(const std::vector<std::array<double, 3>>& nodes, const std::vector<GmshElement>& elements) {
  std::string text = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", nodes.size());
  for (size_t n = 0; n < nodes.size(); ++n)
    text += fmt::format("{} {} {} {}\n", n + 1, nodes[n][0], nodes[n][1], nodes[n][2]);
  text += fmt::format("$EndNodes\n$Elements\n{}\n", elements.size());
  int tag = 1;
  for (const GmshElement& e : elements) {
    text += fmt::format("{} {} 2 {} 1", tag++, e.type, e.group);
    for (const int n : e.nodes) text += fmt::format(" {}", n + 1);
    text += "\n";
  }
  return text + "$EndElements\n";
}

/// A unit cube of n × n × n cells, nodes in any order; each cell is two prisms, or six pyramids about its middle. Its face
/// x = 0 is the group 2 of quadrilaterals, its volume the group 3.
std::string cube(int n, int type, unsigned seed) {
  std::vector<int> order(static_cast<size_t>((n + 1) * (n + 1) * (n + 1) + n * n * n));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, std::mt19937(seed));
  std::vector<std::array<double, 3>> nodes(type == pyramid ? order.size() : order.size() - n * n * n);
  std::erase_if(order, [&](int k) { return k >= static_cast<int>(nodes.size()); });
  const auto node = [&](int i, int j, int k) { return order[(i * (n + 1) + j) * (n + 1) + k]; };
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      for (int k = 0; k <= n; ++k) nodes[node(i, j, k)] = {i * 1.0 / n, j * 1.0 / n, k * 1.0 / n};
  std::vector<GmshElement> elements;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const int c[8] = {node(i, j, k),     node(i + 1, j, k),     node(i + 1, j + 1, k),     node(i, j + 1, k),
                          node(i, j, k + 1), node(i + 1, j, k + 1), node(i + 1, j + 1, k + 1), node(i, j + 1, k + 1)};
        if (i == 0) elements.push_back({quadrilateral, 2, {c[0], c[3], c[7], c[4]}});
        if (type == prism) {
          elements.push_back({prism, 3, {c[0], c[1], c[2], c[4], c[5], c[6]}});
          elements.push_back({prism, 3, {c[0], c[2], c[3], c[4], c[6], c[7]}});
          continue;
        }
        const int middle = order[(n + 1) * (n + 1) * (n + 1) + (i * n + j) * n + k];
        nodes[middle] = {(i + 0.5) / n, (j + 0.5) / n, (k + 0.5) / n};
        constexpr int inward[6][4] = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1},
                                      {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
        for (const auto& face : inward)
          elements.push_back({pyramid, 3, {c[face[0]], c[face[1]], c[face[2]], c[face[3]], middle}});
      }
  return as_gmsh(nodes, elements);
}

// The volume is 1 to rounding; each face of a tetrahedron is of two, or on one of the six sides of the cube: 2 n² triangles
// each. 40 orders of the nodes cut the faces in as many ways.
TEST(GmshSolid, PrismsAndPyramidsBecomeTetrahedra) {
  for (const int type : {prism, pyramid})
    for (unsigned seed = 0; seed < 40; ++seed) {
      const int n = 1 + static_cast<int>(seed % 3);
      const GmshSolid read = read_gmsh_solid(cube(n, type, seed), "cube.msh");
      SCOPED_TRACE(fmt::format("type {}, seed {}", type, seed));
      EXPECT_THAT(read.mesh.elements, SizeIs((type == prism ? 6 : 12) * n * n * n));
      EXPECT_THAT(findings(statistics(read.mesh)), IsEmpty());
      EXPECT_NEAR(volume(read.mesh), 1, 1e-14);
      EXPECT_THAT(outer_faces(read.mesh), SizeIs(6 * 2 * n * n));
      EXPECT_THAT(read.mesh.find("physical_2_2")->faces, SizeIs(2 * n * n));
      for (const SolidFace& face : read.mesh.find("physical_2_2")->faces)
        for (const int k : face_nodes(read.mesh, face)) EXPECT_EQ(read.mesh.nodes[k][0], 0);
      EXPECT_THAT(read.mesh.find("physical_3_3")->elements, SizeIs(read.mesh.elements.size()));
      EXPECT_EQ(read.mesh.find("physical_3_3")->faces, outer_faces(read.mesh));
      EXPECT_EQ(read.mesh.element_tags.size(), read.mesh.elements.size());
      EXPECT_THAT(read.notices, ElementsAre(HasSubstr("prisms and pyramids were split into tetrahedra")));
      EXPECT_THAT(findings(statistics(read_gmsh_solid(cube(n, type, seed), "cube.msh", {.order = 2}).mesh)), IsEmpty());
    }
}

// A prism beside a tetrahedron on a triangle, and beside a pyramid on a quadrilateral: 1/2 + 1/6 and 1/2 + 1/3 m³.
TEST(GmshSolid, SplitElementsFitTheirNeighbours) {
  const std::vector<std::array<double, 3>> nodes{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                                 {1, 0, 1}, {0, 1, 1}, {0, 0, 2}, {0, -1, 0}};
  const GmshElement a_prism{prism, 1, {0, 1, 2, 3, 4, 5}};
  const SolidMesh on_triangle =
      read_gmsh_solid(as_gmsh(nodes, {a_prism, {tetrahedron, 1, {3, 4, 5, 6}}}), "two.msh").mesh;
  EXPECT_NEAR(volume(on_triangle), 2.0 / 3, 1e-15);
  EXPECT_THAT(findings(statistics(on_triangle)), IsEmpty());
  const SolidMesh on_square = read_gmsh_solid(as_gmsh(nodes, {{pyramid, 1, {0, 1, 4, 3, 7}}, a_prism}), "two.msh").mesh;
  EXPECT_NEAR(volume(on_square), 5.0 / 6, 1e-15);
  EXPECT_THAT(findings(statistics(on_square)), IsEmpty());
}

// In the order of a mirror image, and with middles of sides, which are left out.
TEST(GmshSolid, PrismsOfOtherOrdersAreRead) {
  std::vector<std::array<double, 3>> nodes{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  const GmshSolid mirrored = read_gmsh_solid(as_gmsh(nodes, {{prism, 1, {3, 4, 5, 0, 1, 2}}}), "one.msh");
  EXPECT_NEAR(volume(mirrored.mesh), 0.5, 1e-15);
  EXPECT_THAT(mirrored.notices, ElementsAre(HasSubstr("1 element was turned over"), HasSubstr("1 prism or pyramid")));
  // Gmsh's prism of 15 nodes: middles of 0-1, 0-2, 0-3, 1-2, 1-4, 2-5, 3-4, 3-5, 4-5.
  constexpr int sides[9][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}};
  GmshElement fifteen{18, 1, {0, 1, 2, 3, 4, 5}};
  for (const auto& [a, b] : sides) {
    fifteen.nodes.push_back(static_cast<int>(nodes.size()));
    std::array<double, 3> middle{};
    for (int i = 0; i < 3; ++i) middle[i] = 0.5 * (nodes[a][i] + nodes[b][i]);
    nodes.push_back(middle);
  }
  const GmshElement eight{16, 2, {0, 1, 4, 3, 6, 10, 12, 8}};  // a quadrilateral of 8 nodes on its front
  const GmshSolid read = read_gmsh_solid(as_gmsh(nodes, {eight, fifteen}), "one.msh");
  EXPECT_NEAR(volume(read.mesh), 0.5, 1e-15);
  EXPECT_THAT(findings(statistics(read.mesh)), IsEmpty());
  EXPECT_THAT(read.mesh.find("physical_2_2")->faces, SizeIs(2));
  EXPECT_THAT(read.notices, testing::Contains("1 prisms of more than 6 nodes became those of their corners."));
}

TEST(GmshSolid, RefusesPrismsOnHexahedra) {
  const std::vector<std::array<double, 3>> nodes{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1},
                                                 {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {2, 0, 0}, {2, 0, 1}};
  const GmshElement cell{hexahedron, 1, {0, 1, 2, 3, 4, 5, 6, 7}};
  EXPECT_EQ(message_of(as_gmsh(nodes, {cell, {prism, 1, {1, 8, 2, 5, 9, 6}}})),
            "bad.msh:20: element 2 is a prism on a face of the hexahedron 1: prisms and pyramids are split into "
            "tetrahedra, whose triangles do not fit there; mesh with tetrahedra or hexahedra alone");
  EXPECT_THAT(message_of(as_gmsh(nodes, {{pyramid, 1, {1, 2, 6, 5, 8}}, cell})),
              HasSubstr("element 1 is a pyramid on a face of the hexahedron 2"));
}

TEST(GmshSolid, RefusesWhatItCannotBe) {
  std::string surface(new_format);
  surface.replace(surface.find("3 3 1 3"), 7, "2 2 1 2");
  surface.replace(surface.find("3 1 4 1\n3 1 2 3 4\n"), 18, "");
  EXPECT_THAT(message_of(surface), HasSubstr("bad.msh:0: has no hexahedra, tetrahedra, prisms or pyramids"));
  std::string missing(new_format);
  missing.replace(missing.find("3 1 2 3 4"), 9, "3 1 2 3 6");
  EXPECT_EQ(message_of(missing), "bad.msh:38: element 3 has node 6, which does not exist");
}

}  // namespace
}  // namespace flexura
