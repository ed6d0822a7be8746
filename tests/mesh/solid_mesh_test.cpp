#include "flexura/mesh/solid_mesh.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "flexura/base/problem.hpp"
#include "flexura/mesh/solid_checks.hpp"
#include "flexura/mesh/solid_place.hpp"
#include "flexura/mesh/solid_shapes.hpp"

namespace flexura {
namespace {

using std::numbers::pi;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class EverySolidKind : public testing::TestWithParam<SolidKind> {};
INSTANTIATE_TEST_SUITE_P(Cells, EverySolidKind, testing::ValuesIn(solid_kinds().begin(), solid_kinds().end()),
                         [](const auto& cell) {
                           std::string name(cell_info(cell.param).name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(EverySolidKind, ShapeFunctionsAreOneAtTheirNodeAndSumToOne) {
  const CellInfo& info = cell_info(GetParam());
  for (int a = 0; a < info.nodes; ++a) {
    const SolidFunctions shape = solid_functions(GetParam(), info.places[a][0], info.places[a][1], info.places[a][2]);
    for (int b = 0; b < info.nodes; ++b) EXPECT_NEAR(shape.value[b], a == b, 1e-15) << a << ' ' << b;
  }
  const SolidFunctions shape = solid_functions(GetParam(), 0.2, 0.3, 0.1);
  const double X[3] = {0.2, 0.3, 0.1};
  double sum = 0, slope[3] = {0, 0, 0}, place[3] = {0, 0, 0};
  for (int a = 0; a < info.nodes; ++a) {
    sum += shape.value[a];
    for (int i = 0; i < 3; ++i) slope[i] += shape.slope[a][i], place[i] += shape.value[a] * info.places[a][i];
  }
  EXPECT_NEAR(sum, 1, 1e-15);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(slope[i], 0, 1e-15);
    EXPECT_NEAR(place[i], X[i], 1e-15);
  }
}

TEST_P(EverySolidKind, FacesLookOutwards) {
  const CellInfo& info = cell_info(GetParam());
  for (int f = 0; f < info.face_count; ++f) {
    const CellFace& face = info.faces[f];
    EXPECT_EQ(face.count, !info.is_quadratic ? face.corners : info.is_simplex ? 6 : info.nodes == 20 ? 8 : 9);
    const auto at = [&](int k) { return Vec3::load(info.places[face.nodes[k]].data()); };
    const Vec3 normal = cross(at(1) - at(0), at(2) - at(0));
    EXPECT_GT(dot(normal, at(0) - Vec3::load(info.center.data())), 0) << f;
  }
}

TEST_P(EverySolidKind, ABlockHasItsVolumeSetsAndNoFindings) {
  const SolidMesh mesh = make_mesh(Block{.size = {2, 1, 0.5}, .elements = {3, 2, 2}, .kind = GetParam()});
  EXPECT_NEAR(volume(mesh), 1, 1e-14);
  EXPECT_THAT(findings(statistics(mesh)), IsEmpty());
  EXPECT_THAT(mesh.set_names(), ElementsAre("left", "right", "front", "back", "bottom", "top"));
  const int split = cell_info(GetParam()).is_simplex ? 2 : 1;
  EXPECT_THAT(mesh.find("left")->faces, SizeIs(4 * split));
  EXPECT_THAT(mesh.find("top")->faces, SizeIs(6 * split));
  EXPECT_THAT(outer_faces(mesh), SizeIs(32 * split));
}

/// Σ over faces of ∫ x·n dA / 3: the volume inside, of flat faces by their corners.
double enclosed(const SolidMesh& mesh, const std::vector<SolidFace>& faces) {
  double sum = 0;
  for (const SolidFace& face : faces) {
    const int corners = cell_info(mesh.elements[face.element].kind).faces[face.face].corners;
    const std::vector<int> n = face_nodes(mesh, face);
    for (int k = 1; k + 1 < corners; ++k)
      sum += dot(mesh.nodes[n[0]], cross(mesh.nodes[n[k]], mesh.nodes[n[k + 1]])) / 6;
  }
  return sum;
}

TEST_P(EverySolidKind, OuterFacesEncloseTheVolume) {
  const SolidMesh mesh = make_mesh(Block{.size = {2, 1, 0.5}, .elements = {2, 2, 2}, .kind = GetParam()});
  EXPECT_NEAR(enclosed(mesh, outer_faces(mesh)), 1, 1e-14);
}

// Quadratic elements follow the round sides: their volume is of fourth order in the angle, that of linear ones of second.
TEST_P(EverySolidKind, CylindersAndTubesConvergeToTheirVolume) {
  const auto errors = [&](auto&& shape_of, double exact) {
    std::array<double, 2> out{};
    for (int k = 0; k < 2; ++k) {
      const SolidMesh mesh = make_mesh(shape_of(8 << k));
      EXPECT_THAT(findings(statistics(mesh)), IsEmpty());
      out[k] = std::fabs(volume(mesh) / exact - 1);
    }
    return out;
  };
  const double order = cell_info(GetParam()).is_quadratic ? 4 : 2;
  const auto tube = errors(
      [&](int n) {
        return ThickTube{
            .inner = 0.5, .outer = 1, .height = 2, .radial = 1, .around = n, .along = 2, .kind = GetParam()};
      },
      2 * pi * 0.75);
  EXPECT_NEAR(std::log2(tube[0] / tube[1]), order, 0.1);
  const auto cylinder = errors(
      [&](int n) {
        return Cylinder{.radius = 1, .height = 2, .radial = 2, .around = n, .along = 2, .kind = GetParam()};
      },
      2 * pi);
  EXPECT_NEAR(std::log2(cylinder[0] / cylinder[1]), order, 0.1);
}

TEST_P(EverySolidKind, PlacesAreFoundWhereTheyAre) {
  const SolidMesh mesh = make_mesh(
      ThickTube{.inner = 0.5, .outer = 1, .height = 2, .radial = 2, .around = 12, .along = 2, .kind = GetParam()});
  std::mt19937 random(1);
  std::uniform_real_distribution<double> share(0, 1);
  for (int k = 0; k < 50; ++k) {
    const int e = static_cast<int>(share(random) * mesh.elements.size());
    std::array<double, 3> at{share(random), share(random), share(random)};
    if (cell_info(GetParam()).is_simplex) {
      for (double& c : at) c /= 3;
    }
    const Vec3 X = solid_point(mesh, e, at).position;
    const PlaceInSolid found = nearest_place(mesh, X);
    EXPECT_EQ(found.distance, 0);
    EXPECT_LT(norm(solid_point(mesh, found.element, found.at).position - X), 1e-12);
  }
  for (int n = 0; n < static_cast<int>(mesh.nodes.size()); n += 7)
    EXPECT_EQ(nearest_place(mesh, mesh.nodes[n]).node, n);
  // A place beside it: the nearest is on the side.
  const PlaceInSolid above = nearest_place(mesh, {0.75, 0, 2.5});
  EXPECT_NEAR(above.distance, 0.5, 1e-6);
}

TEST(SolidMesh, APartOfATubeHasEnds) {
  const SolidMesh mesh = make_mesh(ThickTube{.angle = pi / 2, .radial = 1, .around = 3, .along = 2});
  EXPECT_THAT(mesh.set_names(), ElementsAre("inner", "outer", "bottom", "top", "start", "end"));
  EXPECT_THAT(mesh.find("start")->faces, SizeIs(2));
  EXPECT_THAT(mesh.find("inner")->faces, SizeIs(6));
  EXPECT_THAT(findings(statistics(mesh)), IsEmpty());
}

TEST(SolidMesh, GradingMakesElementsOfDifferentSize) {
  const SolidMesh mesh = make_mesh(Block{.size = {1, 1, 1},
                                         .elements = {1, 1, 3},
                                         .grading = {Grading{}, {}, {.ratio = 4}},
                                         .kind = SolidKind::hexahedron_8});
  EXPECT_NEAR(element_volume(mesh, 2) / element_volume(mesh, 0), 4, 1e-12);
}

std::vector<std::string> texts(const SolidMesh& mesh) {
  std::vector<std::string> out;
  for (const MeshFinding& finding : findings(statistics(mesh)))
    out.push_back((finding.error ? "error: " : "notice: ") + finding.message);
  return out;
}

// Every problem at once.
TEST(SolidMesh, BadMeshesAreToldInSentences) {
  SolidMesh mesh = make_mesh(Block{.size = {3, 1, 1}, .elements = {3, 1, 1}, .kind = SolidKind::hexahedron_8});
  std::swap(mesh.elements[0].nodes[0], mesh.elements[0].nodes[4]);  // element 0 inside out
  std::swap(mesh.elements[0].nodes[1], mesh.elements[0].nodes[5]);
  std::swap(mesh.elements[0].nodes[2], mesh.elements[0].nodes[6]);
  std::swap(mesh.elements[0].nodes[3], mesh.elements[0].nodes[7]);
  std::swap(mesh.elements[1].nodes[0], mesh.elements[1].nodes[1]);  // 1 folded
  mesh.elements[2].nodes[7] = mesh.elements[2].nodes[6];            // 2 with a node twice
  mesh.nodes.push_back({9, 9, 9});
  mesh.nodes.push_back(mesh.nodes[0]);
  EXPECT_THAT(
      texts(mesh),
      AllOf(Contains(HasSubstr("error: 1 element has a node twice: 2.")),
            Contains(HasSubstr("error: 1 element is inside out, the nodes in the order of a mirror image: 0.")),
            Contains(HasSubstr("error: 1 element is folded over itself or without volume")),
            Contains(HasSubstr("error: 2 nodes belong to no element: 16, 17.")),
            Contains(HasSubstr("error: 1 pair of nodes lie in one place and are not joined: first 0 and 17."))));
}

TEST(SolidMesh, FacesJoinTwoElementsAtMost) {
  SolidMesh mesh = make_mesh(Block{.size = {2, 1, 1}, .elements = {2, 1, 1}, .kind = SolidKind::hexahedron_8});
  mesh.elements.push_back(mesh.elements[1]);
  EXPECT_THAT(texts(mesh),
              AllOf(Contains(HasSubstr("3 elements share a face with two others or more")),
                    Contains(HasSubstr("2 elements lie on the same side of a common face as another: 1, 2."))));
}

// Of four elements about an edge two opposite ones.
TEST(SolidMesh, ElementsThatShareAnEdgeAloneAreAHinge) {
  SolidMesh mesh = make_mesh(Block{.size = {2, 2, 1}, .elements = {2, 2, 1}, .kind = SolidKind::hexahedron_8});
  EXPECT_EQ(statistics(mesh).face_parts, 1);
  mesh.elements = {mesh.elements[0], mesh.elements[3]};
  EXPECT_THAT(texts(mesh), Contains(HasSubstr("notice: 2 parts of the mesh hang together by an edge or a node alone")));
}

TEST(SolidMesh, NeighboursHaveTheSameNodesOnAFace) {
  SolidMesh mesh = make_mesh(Block{.size = {2, 1, 1}, .elements = {2, 1, 1}, .kind = SolidKind::hexahedron_20});
  mesh.elements[1].kind = SolidKind::hexahedron_8;
  EXPECT_THAT(texts(mesh), Contains(HasSubstr("2 elements have other nodes within a common face than the neighbour")));
}

// Nodes on the sphere: fourth order by quadratic elements, and no finding.
TEST(SolidMesh, AHollowSphereHasItsVolume) {
  using Part = HollowSphere::Part;
  for (const auto& [part, share] : {std::pair{Part::full, 1.0}, {Part::half, 0.5}, {Part::octant, 0.125}}) {
    const double exact = share * 4 * pi / 3 * (1 - 0.512);
    double before = 0;
    for (const int n : {2, 4, 8}) {
      const SolidMesh mesh = make_mesh(HollowSphere{.inner = 0.8, .outer = 1, .part = part, .along_quarter = n});
      EXPECT_THAT(findings(statistics(mesh)), IsEmpty());
      const double error = std::fabs(volume(mesh) / exact - 1);
      if (before > 0) {
        EXPECT_NEAR(std::log2(before / error), 4, 0.4) << n;
      }
      before = error;
    }
  }
}

// A bent block is a quarter of a tube; closed, all of one: the nodes are on it, the volume of fourth order by quadratic elements.
TEST_P(EverySolidKind, AMappedBlockIsWhatItsMapSays) {
  const auto tube = [](double u, double v, double w) { return Vec3{u, (1 + w) * std::sin(v), (1 + w) * std::cos(v)}; };
  const bool is_quadratic = cell_info(GetParam()).is_quadratic;
  for (const bool closed : {false, true}) {
    const double turn = closed ? 2 * pi : pi / 2, exact = 2 * turn / 2 * (1.21 - 1);
    double before = 0;
    for (const int n : {1, 2}) {
      const SolidMesh mesh = make_mesh(MappedBlock{.map = tube,
                                                   .to = {2, turn, 0.1},
                                                   .closed_v = closed,
                                                   .layer = [](double u, double, double) { return u - 1; },
                                                   .elements = {2, (closed ? 16 : 4) * n, 1},
                                                   .kind = GetParam()});
      EXPECT_THAT(findings(statistics(mesh)), IsEmpty());
      EXPECT_THAT(mesh.set_names(), AllOf(Contains("left"), Contains("right"), Contains("bottom"), Contains("top")));
      EXPECT_EQ(mesh.find("front") == nullptr && mesh.find("back") == nullptr, closed);
      EXPECT_THAT(mesh.find("layer")->elements, SizeIs(mesh.elements.size() / 2));
      for (const int node : mesh.find("layer")->nodes) EXPECT_GE(mesh.nodes[node][0], 1);
      for (const int node : mesh.find("bottom")->nodes)
        EXPECT_NEAR(std::hypot(mesh.nodes[node][1], mesh.nodes[node][2]), 1, 1e-14);
      EXPECT_NEAR(norm(mesh.at_shares(0.5, 0.25, 1) - tube(1, turn / 4, 0.1)), 0, 1e-15);
      const double error = std::fabs(volume(mesh) / exact - 1);
      if (before > 0) {
        EXPECT_NEAR(std::log2(before / error), is_quadratic ? 4 : 2, 0.1) << closed;
      }
      before = error;
    }
  }
}

TEST(SolidMesh, AMappedBlockRefusesEndsThatDoNotMeet) {
  const auto half = [](double u, double v, double w) { return Vec3{u, (1 + w) * std::sin(v), (1 + w) * std::cos(v)}; };
  EXPECT_THROW(make_mesh(MappedBlock{.map = half, .to = {1, pi, 0.1}, .closed_v = true}), InputError);
  EXPECT_THROW(make_mesh(MappedBlock{.map = half, .from = {0, 1, 0}, .to = {1, 1, 0.1}}), InputError);
  const auto pole = [](double u, double v, double w) { return Vec3{u / v, v, w}; };
  EXPECT_THROW(make_mesh(MappedBlock{.map = pole}), InputError);
}

TEST_P(EverySolidKind, AFingerIsItsBoxWithoutItsRooms) {
  const PneumaticFinger f{.pockets = 3, .layer = 1e-3, .elements = {1, 3, 1}, .kind = GetParam()};
  const SolidMesh mesh = make_mesh(f);
  EXPECT_THAT(findings(statistics(mesh)), IsEmpty());
  const double length = f.base + 3 * f.pocket + 2 * (f.gap + 2 * f.wall) + f.tip;
  const double rooms = 3 * f.pocket * (f.width - 2 * f.side) * f.inside_height(),
               channel = 2 * (f.gap + 2 * f.wall) * f.channel[0] * f.channel[1],
               gaps = 2 * f.gap * f.width * (f.height - f.bottom - f.channel[1] - f.wall);
  const double exact = length * f.width * f.height - rooms - channel - gaps;
  EXPECT_NEAR(volume(mesh), exact, 1e-12 * exact);
  for (const char* name : {"base", "tip", "bottom", "top", "front", "back", "cavity", "layer"})
    EXPECT_NE(mesh.find(name), nullptr) << name;
}

TEST(SolidMesh, GeneratorsRefuseWhatIsNoShapeAllAtOnce) {
  try {
    make_mesh(ThickTube{.inner = 1, .outer = 0.5, .height = -1, .radial = 0, .around = 2});
    FAIL();
  } catch (const InputError& error) {
    std::set<std::string> fields;
    for (const Problem& problem : error.problems()) fields.insert(problem.path);
    EXPECT_THAT(fields, ElementsAre("elements", "height", "outer"));
    EXPECT_THAT(error.problems(), SizeIs(4));
  }
  EXPECT_THROW(make_mesh(Cylinder{.around = 6}), InputError);
}

}  // namespace
}  // namespace flexura
