#include "flexura/mesh/triangle_mesh.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <random>

namespace flexura {
namespace {

using Point = std::array<double, 3>;

/// Box from −a/2 to a/2, corners numbered by bits x, y, z.
TriangleMesh box(const Point& a, const Point& center = {}) {
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.points.push_back({center[0] + a[0] * ((k & 1) - 0.5), center[1] + a[1] * ((k >> 1 & 1) - 0.5),
                           center[2] + a[2] * ((k >> 2 & 1) - 0.5)});
  const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    mesh.triangles.push_back({f[0], f[1], f[2]});
    mesh.triangles.push_back({f[0], f[2], f[3]});
  }
  return mesh;
}

std::string ascii_stl(const TriangleMesh& mesh) {
  std::string text = "solid part\n";
  for (const auto& t : mesh.triangles) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const int k : t) {
      const Point& p = mesh.points[k];
      text += fmt::format("   vertex {} {:e} {}\n", p[0], p[1], p[2]);
    }
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid part\n";
}

std::string binary_stl(const TriangleMesh& mesh) {
  std::string text(80, ' ');
  text.replace(0, 5, "solid");  // some programs write this into binary files, too
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  text.append(reinterpret_cast<const char*>(&count), 4);
  for (const auto& t : mesh.triangles) {
    float facet[12] = {};
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) facet[3 + 3 * k + i] = static_cast<float>(mesh.points[t[k]][i]);
    text.append(reinterpret_cast<const char*>(facet), sizeof facet);
    text.append(2, '\0');
  }
  return text;
}

void expect_near(const SolidProperties& a, const SolidProperties& b, double tolerance, double length) {
  EXPECT_NEAR(a.volume, b.volume, tolerance * b.volume);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.center[i], b.center[i], tolerance * length) << i;
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(a.inertia[i], b.inertia[i], tolerance * b.volume * length * length) << i;
}

std::string error_of(const std::string& contents, const std::string& name) {
  const auto read = read_triangle_mesh(contents, name);
  const MeshError* error = std::get_if<MeshError>(&read);
  return error == nullptr ? "" : fmt::format("{}: {}", error->line, error->message);
}

// Exact but for rounding: the integrands are polynomials.
TEST(TriangleMesh, ABoxHasItsClosedFormWhereverItIs) {
  const Point a{0.2, 0.3, 0.7};
  const double V = a[0] * a[1] * a[2];
  for (const Point& center : {Point{0, 0, 0}, Point{12, -7, 3}}) {
    const SolidProperties expected{V,
                                   center,
                                   {V / 12 * (a[1] * a[1] + a[2] * a[2]), V / 12 * (a[0] * a[0] + a[2] * a[2]),
                                    V / 12 * (a[0] * a[0] + a[1] * a[1]), 0, 0, 0}};
    EXPECT_EQ(why_not_solid(box(a, center)), "");
    expect_near(solid_properties(box(a, center)), expected, 1e-13, 1);
  }
}

// V = det/6, centre the mean of the corners, ∫ x xᵀ about the centre = V/20 Σ (x_k − c)(x_k − c)ᵀ.
TEST(TriangleMesh, RandomTetrahedraHaveTheirClosedForm) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int n = 0; n < 100; ++n) {
    TriangleMesh mesh;
    Point c{};
    for (int k = 0; k < 4; ++k) mesh.points.push_back({uniform(random), uniform(random), 5 + uniform(random)});
    for (const Point& p : mesh.points)
      for (int i = 0; i < 3; ++i) c[i] += p[i] / 4;
    Point e[3];
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) e[k][i] = mesh.points[k + 1][i] - mesh.points[0][i];
    const double det = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
                       e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                       e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    if (det < 0)
      for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
    const double V = std::fabs(det) / 6;
    double S[3][3] = {};
    for (const Point& p : mesh.points)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) S[i][j] += V / 20 * (p[i] - c[i]) * (p[j] - c[j]);
    EXPECT_EQ(why_not_solid(mesh), "");
    // Rounding of moments of size 1 by a volume that may be small.
    expect_near(solid_properties(mesh),
                {V, c, {S[1][1] + S[2][2], S[0][0] + S[2][2], S[0][0] + S[1][1], -S[0][1], -S[1][2], -S[0][2]}},
                1e-14 / V, 1);
  }
}

// Second order in the size of the triangles: measured ratio 4.0 per doubling.
TEST(TriangleMesh, SpheresOfTrianglesApproachTheSphere) {
  const auto error = [](int n) {
    constexpr double pi = std::numbers::pi;
    TriangleMesh mesh;
    mesh.points = {{0, 0, 1}};
    for (int i = 1; i < n; ++i)
      for (int j = 0; j < 2 * n; ++j)
        mesh.points.push_back({std::sin(pi * i / n) * std::cos(pi * j / n), std::sin(pi * i / n) * std::sin(pi * j / n),
                               std::cos(pi * i / n)});
    mesh.points.push_back({0, 0, -1});
    const int last = static_cast<int>(mesh.points.size()) - 1;
    const auto at = [&](int i, int j) { return 1 + (i - 1) * 2 * n + j % (2 * n); };
    for (int j = 0; j < 2 * n; ++j) {
      mesh.triangles.push_back({0, at(1, j), at(1, j + 1)});
      for (int i = 1; i + 1 < n; ++i) {
        mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
        mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      }
      mesh.triangles.push_back({last, at(n - 1, j + 1), at(n - 1, j)});
    }
    EXPECT_EQ(why_not_solid(mesh), "");
    const SolidProperties solid = solid_properties(mesh);
    const double V = 4 * pi / 3;
    EXPECT_NEAR(solid.inertia[0], solid.inertia[1], 1e-12);
    return std::pair((V - solid.volume) / V, (0.4 * V - solid.inertia[2]) / (0.4 * V));
  };
  const auto [volume16, inertia16] = error(16);
  const auto [volume32, inertia32] = error(32);
  EXPECT_NEAR(volume16 / volume32, 4, 0.05);
  EXPECT_NEAR(inertia16 / inertia32, 4, 0.05);
  EXPECT_LT(volume32, 0.01);
}

TEST(TriangleMesh, AllFormatsReadTheSame) {
  const TriangleMesh mesh = box({0.5, 0.25, 2}, {1, -0.125, 0});  // exact as floats
  std::string obj = "# box\no part\n";
  for (const Point& p : mesh.points) obj += fmt::format("v {} {} {}\n", p[0], p[1], p[2]);
  obj += "vn 0 0 1\nf 1//1 3//1 4//1 2//1\nf 5/1 6/1 8/1 7/1\r\nf 1 2 6 5\nf -6 -2 -1 -5\nf 1 5 7 3\nf 2 4 8 6\n";
  const SolidProperties expected = solid_properties(mesh);
  for (const auto& [contents, name] :
       {std::pair(ascii_stl(mesh), "a.stl"), std::pair(binary_stl(mesh), "a.STL"), std::pair(obj, "a.obj")}) {
    const auto read = read_triangle_mesh(contents, name);
    ASSERT_TRUE(std::holds_alternative<TriangleMesh>(read)) << name << ": " << error_of(contents, name);
    EXPECT_EQ(std::get<TriangleMesh>(read).points.size(), 8u) << name;
    EXPECT_EQ(why_not_solid(std::get<TriangleMesh>(read)), "") << name;
    expect_near(solid_properties(std::get<TriangleMesh>(read)), expected, 1e-14, 2);
  }
}

TEST(TriangleMesh, WhatEnclosesNothingSaysWhy) {
  EXPECT_EQ(why_not_solid({}), "has no triangles");
  TriangleMesh mesh = box({1, 1, 1});
  mesh.triangles.pop_back();
  EXPECT_EQ(why_not_solid(mesh),
            "is not closed: 3 edges are without a second triangle, as that from (0.5, -0.5, -0.5) to (0.5, -0.5, 0.5)");
  mesh = box({1, 1, 1});
  std::swap(mesh.triangles[0][1], mesh.triangles[0][2]);
  EXPECT_EQ(why_not_solid(mesh),
            "has triangles that look to different sides: they meet at 3 edges, as that from (-0.5, -0.5, -0.5) to "
            "(-0.5, 0.5, -0.5)");
  mesh = box({1, 1, 1});
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  EXPECT_EQ(why_not_solid(mesh), "has triangles that look inward: the volume is negative");
  EXPECT_EQ(why_not_solid(box({1, 1, 0})), "encloses no volume");
}

TriangleMesh both(TriangleMesh a, const TriangleMesh& b, bool inward = false) {
  const int first = static_cast<int>(a.points.size());
  a.points.insert(a.points.end(), b.points.begin(), b.points.end());
  for (auto t : b.triangles) {
    if (inward) std::swap(t[1], t[2]);
    a.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  return a;
}

// Its mass would count twice: a second skin with the other diagonals has no triangle of the first, and each edge is walked as often
// one way as the other.
TEST(TriangleMesh, WhatIsCountedTwiceIsRefused) {
  TriangleMesh mesh = box({1, 1, 1});
  for (int f = 0; f < 6; ++f) {
    const std::array<int, 3> t = mesh.triangles[2 * f], u = mesh.triangles[2 * f + 1];
    mesh.triangles.push_back({t[0], t[1], u[2]});
    mesh.triangles.push_back({t[1], t[2], u[2]});
  }
  EXPECT_DOUBLE_EQ(solid_properties(mesh).volume, 2);
  EXPECT_THAT(why_not_solid(mesh), ::testing::StartsWith("goes around a part of its volume more than once, as at ("));
  // Solids that overlap, and one inside another.
  EXPECT_NE(why_not_solid(both(box({1, 1, 1}), box({1, 1, 1}, {0.3, 0.2, 0.1}))), "");
  EXPECT_NE(why_not_solid(both(box({2, 2, 2}), box({1, 1, 1}))), "");
  // A cavity, two solids side by side, and a solid in a cavity are none of these.
  EXPECT_EQ(why_not_solid(both(box({2, 2, 2}), box({1, 1, 1}), true)), "");
  EXPECT_EQ(why_not_solid(both(box({1, 1, 1}), box({1, 1, 1}, {3, 0, 0}))), "");
  EXPECT_EQ(why_not_solid(both(both(box({3, 3, 3}), box({2, 2, 2}), true), box({1, 1, 1}))), "");
}

TEST(TriangleMesh, FaultsOfFilesHaveTheirLine) {
  EXPECT_EQ(error_of("v 0 0 0\n", "a.ply"),
            "0: must be an STL, OBJ or COLLADA file, whose name ends with .stl, .obj or .dae");
  EXPECT_EQ(error_of("", "a.stl"), "0: is no STL file: it neither begins with \"solid\" nor has a binary header");
  EXPECT_EQ(error_of("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n", "a.stl"),
            "4: expected a coordinate, found \"x\"");
  EXPECT_EQ(error_of("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n", "a.stl"),
            "5: expected \"vertex\", found \"endloop\"");
  EXPECT_EQ(error_of("solid a\nfacet normal 0 0 1\nouter loop", "a.stl"),
            "3: expected \"vertex\", found the end of the file");
  EXPECT_EQ(error_of("v 0 0 0\nv 1 0\n", "a.obj"), "2: a vertex needs three finite numbers");
  EXPECT_EQ(error_of("v 0 0 0\nf 1 2 3\n", "a.obj"), "2: there is no vertex \"2\" up to here; there are 1");
  EXPECT_EQ(error_of("v 0 0 0\nf 1 1\n", "a.obj"), "2: a face needs three or more vertices");
  const std::string binary = binary_stl(box({1, 1, 1}));
  EXPECT_EQ(error_of("x" + binary.substr(1, 300), "a.stl"),
            "0: is no whole STL file: 12 triangles would take 684 bytes, it has 301");
}

// Programs that cut or turn a part write a corner once for each of its triangles: digits differ by rounding. One corner up to 1e-12 of
// the size, which rounding of 1e-16 of coordinates a thousand times the size stays below; 1e-9 apart they are two.
TEST(TriangleMesh, CornersThatDifferByRoundingAreOne) {
  const TriangleMesh whole = box({0.5, 0.25, 2}, {1, -0.125, 0});
  for (const auto& [difference, is_closed] : {std::pair(1e-13, true), std::pair(1e-9, false)}) {
    TriangleMesh parted;
    for (const auto& triangle : whole.triangles) {
      for (const int corner : triangle) {
        parted.points.push_back(whole.points[corner]);
        parted.points.back()[0] += difference * static_cast<double>(parted.triangles.size() % 3);
      }
      const int n = static_cast<int>(parted.points.size());
      parted.triangles.push_back({n - 3, n - 2, n - 1});
    }
    std::string obj;
    for (const Point& p : parted.points) obj += fmt::format("v {:.17g} {:.17g} {:.17g}\n", p[0], p[1], p[2]);
    for (const auto& t : parted.triangles) obj += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    std::string stl = "solid a\n";
    for (const auto& t : parted.triangles) {
      stl += "facet normal 0 0 0\nouter loop\n";
      for (const int k : t)
        stl += fmt::format("vertex {:.17g} {:.17g} {:.17g}\n", parted.points[k][0], parted.points[k][1],
                           parted.points[k][2]);
      stl += "endloop\nendfacet\n";
    }
    for (const auto& [contents, name] : {std::pair(obj, "a.obj"), std::pair(stl + "endsolid\n", "a.stl")}) {
      const auto read = read_triangle_mesh(contents, name);
      ASSERT_TRUE(std::holds_alternative<TriangleMesh>(read)) << error_of(contents, name);
      EXPECT_EQ(why_not_solid(std::get<TriangleMesh>(read)).empty(), is_closed) << name << difference;
      if (is_closed) {
        EXPECT_EQ(std::get<TriangleMesh>(read).points.size(), 8u);
      }
    }
  }
}

}  // namespace
}  // namespace flexura
