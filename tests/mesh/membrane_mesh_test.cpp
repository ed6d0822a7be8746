// Triangles of membranes: of surfaces of quadrilaterals, of Gmsh files; what is said of them.

#include "flexura/mesh/membrane_mesh.hpp"

#include <gmock/gmock.h>

#include "flexura/base/problem.hpp"
#include "flexura/mesh/solid_checks.hpp"
#include "flexura/mesh/solid_place.hpp"
#include "flexura/mesh/solid_weights.hpp"
#include "flexura/mesh/surface_shapes.hpp"

namespace flexura {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(MembraneMesh, HasTwoTrianglesForEachQuadrilateral) {
  const SurfaceMesh plate = make_mesh(FlatPlate{.length = 3, .width = 2, .elements_u = 3, .elements_v = 2});
  const SolidMesh mesh = membrane_mesh(plate);
  EXPECT_EQ(mesh.elements.size(), 12u);
  EXPECT_EQ(mesh.nodes.size(), plate.nodes.size());
  EXPECT_TRUE(mesh.is_membrane());
  const SolidStatistics about = statistics(mesh);
  EXPECT_THAT(findings(about), IsEmpty());
  EXPECT_NEAR(about.volume, 6, 1e-14);
  EXPECT_EQ(about.face_parts, 1);
  EXPECT_THAT(summary(about), HasSubstr("6 m^2"));
  EXPECT_EQ(mesh.find("surface")->faces.size(), 12u);
  EXPECT_NEAR(area(mesh, *mesh.find("surface")), 6, 1e-13);  // digits of Gauss's weights
  const Vec3 at = mesh.at_shares(0.25, 0.75, 0);
  EXPECT_NEAR(at[0], 0.75, 1e-15);
  EXPECT_NEAR(at[1], 1.5, 1e-15);
}

// A force on an edge goes to its nodes as it does to those of a line of the same length: half as much to the ends.
TEST(MembraneMesh, SharesAnEdgeByLength) {
  const SolidMesh mesh = membrane_mesh(make_mesh(FlatPlate{.length = 3, .width = 2, .elements_u = 3, .elements_v = 2}));
  const SolidSet& end = *mesh.find("end");
  ASSERT_EQ(end.nodes.size(), 3u);
  EXPECT_THAT(mean_weights(mesh, end),
              UnorderedElementsAre(Pair(end.nodes[0], 0.25), Pair(end.nodes[1], 0.5), Pair(end.nodes[2], 0.25)));
}

TEST(MembraneMesh, FindsPlacesInItsTriangles) {
  const SolidMesh mesh = membrane_mesh(make_mesh(FlatPlate{.length = 3, .width = 2, .elements_u = 3, .elements_v = 2}));
  const PlaceInSolid inside = nearest_place(mesh, {1.3, 0.4, 0}), node = nearest_place(mesh, {2, 1, 0}),
                     above = nearest_place(mesh, {1.3, 0.4, 0.5});
  EXPECT_EQ(inside.distance, 0);
  EXPECT_GE(node.node, 0);
  EXPECT_NEAR(above.distance, 0.5, 1e-12);
}

std::string gmsh(const std::string& elements, int count) {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"rim\"\n2 2 \"sail\"\n$EndPhysicalNames\n"
         "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0 0\n$EndNodes\n$Elements\n" +
         std::to_string(count) + "\n" + elements + "$EndElements\n";
}

TEST(MembraneMesh, ReadsTrianglesAndQuadrilateralsOfGmsh) {
  const GmshSolid read =
      read_gmsh_membrane(gmsh("1 1 2 1 1 1 2\n2 3 2 2 2 1 2 3 4\n3 2 2 2 2 2 5 3\n", 3), "sail.msh", {.scale = 0.5});
  EXPECT_THAT(read.notices, IsEmpty());
  EXPECT_EQ(read.mesh.elements.size(), 3u);
  EXPECT_THAT(findings(statistics(read.mesh)), IsEmpty());
  EXPECT_NEAR(statistics(read.mesh).volume, 0.25 * 1.5, 1e-15);
  EXPECT_EQ(read.mesh.find("sail")->faces.size(), 3u);
  EXPECT_EQ(read.mesh.find("rim")->nodes.size(), 2u);
  EXPECT_TRUE(read.mesh.find("rim")->faces.empty());
}

TEST(MembraneMesh, SaysWhichNeighboursLookTheOtherWay) {
  const GmshSolid read = read_gmsh_membrane(gmsh("2 3 2 2 2 1 2 3 4\n3 2 2 2 2 2 3 5\n", 2), "sail.msh");
  const std::vector<MeshFinding> said = findings(statistics(read.mesh));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_FALSE(said[0].error);
  EXPECT_THAT(said[0].message, HasSubstr("look the other way than a neighbour"));
}

TEST(MembraneMesh, TrianglesOfMoreNodesBecomeThoseOfTheirCorners) {
  const GmshSolid read = read_gmsh_membrane(gmsh("3 9 2 2 2 1 2 3 4 5 1\n", 1), "sail.msh");
  EXPECT_DOUBLE_EQ(statistics(read.mesh).volume, 0.5);
  EXPECT_EQ(read.mesh.nodes.size(), 3u);
  EXPECT_THAT(read.notices, testing::ElementsAre(HasSubstr("1 triangles of more than 3 nodes")));
  EXPECT_THROW(read_gmsh_membrane(gmsh("1 1 2 1 1 1 2\n", 1), "sail.msh"), InputError);
}

}  // namespace
}  // namespace flexura
