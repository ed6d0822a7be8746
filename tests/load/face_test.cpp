// Faces that pressure acts on: what they enclose, and that both of their forms are the same around what is closed.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <numbers>

#include "flexura/load/chamber_face.hpp"
#include "flexura/load/face_pressure.hpp"
#include "flexura/load/plate_load.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using V3 = Vec<3, double>;

V3 on_sphere(const V3& x) { return 1 / norm(x) * x; }

/// Places of a face's nodes in its parameters: corners, middles of sides, centre.
template <class Shape>
std::vector<std::array<double, 2>> node_places() {
  if (Shape::is_triangle) return {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};
  return {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}, {0.5, 0.5}};
}

/// The unit sphere from a cube (quadrilaterals) or an octahedron (triangles), n × n faces on each side.
template <class Shape>
std::vector<std::array<V3, Shape::functions>> sphere(int n) {
  std::vector<std::array<V3, Shape::functions>> faces;
  const auto add = [&](const std::function<V3(double, double)>& at, double u, double v, double du, double dv) {
    std::array<V3, Shape::functions> face;
    for (int k = 0; k < Shape::functions; ++k) {
      const auto [xi, eta] = node_places<Shape>()[k];
      face[k] = on_sphere(at(u + du * xi, v + dv * eta));
    }
    faces.push_back(face);
  };
  const double h = 1.0 / n;
  for (int side = 0; side < (Shape::is_triangle ? 8 : 6); ++side)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        if (!Shape::is_triangle) {
          const int axis = side / 2;
          const double sign = side % 2 == 0 ? 1 : -1;
          const auto at = [&](double u, double v) {
            V3 x{};
            x[axis] = sign;
            x[(axis + 1) % 3] = sign * std::tan((u - 0.5) * std::numbers::pi / 2);
            x[(axis + 2) % 3] = std::tan((v - 0.5) * std::numbers::pi / 2);
            return x;
          };
          add(at, i * h, j * h, h, h);
        } else if (i + j < n) {
          const double s[3] = {side & 1 ? -1.0 : 1.0, side & 2 ? -1.0 : 1.0, side & 4 ? -1.0 : 1.0};
          const bool turned = s[0] * s[1] * s[2] < 0;
          const auto at = [&](double u, double v) {
            if (turned) std::swap(u, v);
            return V3{s[0] * (1 - u - v), s[1] * u, s[2] * v};
          };
          const double u = i * h, v = j * h;
          add(at, u, v, h, h);
          if (i + j + 1 < n) add(at, u + h, v + h, -h, -h);
        }
      }
  return faces;
}

template <class Shape>
double volume(const std::vector<std::array<V3, Shape::functions>>& faces) {
  double sum = 0;
  for (const auto& face : faces) {
    V3 F[Shape::functions];
    face_volume<Shape>.forces(face.data(), F);
    sum += enclosed<Shape::functions>(face.data(), F);
  }
  return sum;
}

template <class Shape>
void expect_order(double order, const char* name) {
  double before = 0;
  for (int n : {4, 8, 16}) {
    const double error = std::fabs(volume<Shape>(sphere<Shape>(n)) / (4 * std::numbers::pi / 3) - 1);
    ::testing::Test::RecordProperty(fmt::format("{}_{}", name, n), fmt::format("{:.3e}", error));
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), order, 0.25) << name << " " << n;
    }
    before = error;
  }
}

// Sides of a sphere by functions of first degree: second order; by those of second degree, nodes on the sphere: fourth.
TEST(Faces, EncloseASphereInTheOrderOfTheirFunctions) {
  expect_order<detail::TriangleFace<3>>(2, "t3");
  expect_order<detail::QuadrilateralFace<4>>(2, "q4");
  expect_order<detail::TriangleFace<6>>(4, "t6");
  expect_order<detail::QuadrilateralFace<8>>(4, "q8");
  expect_order<detail::QuadrilateralFace<9>>(4, "q9");
}

/// Σ of the forces on nodes at one place, by both forms.
template <class Shape>
void expect_same_forces(const std::vector<std::array<V3, Shape::functions>>& faces) {
  std::map<std::array<long, 3>, std::array<V3, 2>> nodes;
  for (const auto& face : faces) {
    V3 pull[Shape::functions], volume[Shape::functions];
    face_pull<Shape>.forces(face.data(), pull);
    face_volume<Shape>.forces(face.data(), volume);
    for (int k = 0; k < Shape::functions; ++k) {
      std::array<long, 3> at;
      for (int i = 0; i < 3; ++i) at[i] = std::lround(face[k][i] * 1e9);
      std::array<V3, 2>& sum = nodes.try_emplace(at).first->second;
      sum[0] += pull[k];
      sum[1] += volume[k];
    }
  }
  double largest = 0;
  for (const auto& [at, sum] : nodes) largest = std::max(largest, norm(sum[0]));
  EXPECT_GT(largest, 1e-3);
  for (const auto& [at, sum] : nodes) EXPECT_LE(norm(sum[0] - sum[1]), 1e-14 * largest * 10);
}

// What pulls at a face by itself and the derivative of what it encloses differ by what acts on its edge: nothing if closed.
TEST(Faces, PullAsTheirVolumeDoesAroundAClosedSurface) {
  expect_same_forces<detail::TriangleFace<3>>(sphere<detail::TriangleFace<3>>(3));
  expect_same_forces<detail::TriangleFace<6>>(sphere<detail::TriangleFace<6>>(3));
  expect_same_forces<detail::QuadrilateralFace<4>>(sphere<detail::QuadrilateralFace<4>>(3));
  expect_same_forces<detail::QuadrilateralFace<8>>(sphere<detail::QuadrilateralFace<8>>(3));
  expect_same_forces<detail::QuadrilateralFace<9>>(sphere<detail::QuadrilateralFace<9>>(3));
}

// A plane face of area A under p: p A along its normal, whichever its functions.
TEST(Faces, OfAPlanePullWithItsArea) {
  const auto check = [&]<class Shape>(double area) {
    V3 x[Shape::functions], F[Shape::functions];
    for (int k = 0; k < Shape::functions; ++k) {
      const auto [xi, eta] = node_places<Shape>()[k];
      x[k] = {2 * xi + 0.3 * eta, 1.5 * eta, 7};
    }
    face_pull<Shape>.forces(x, F);
    V3 sum{};
    for (const V3& f : F) sum += f;
    EXPECT_NEAR(sum[0], 0, 1e-14);  // rounding, 7 m from the origin
    EXPECT_NEAR(sum[1], 0, 1e-14);
    EXPECT_NEAR(sum[2], area, 1e-14);
  };
  check.operator()<detail::TriangleFace<3>>(1.5);
  check.operator()<detail::TriangleFace<6>>(1.5);
  check.operator()<detail::QuadrilateralFace<4>>(3);
  check.operator()<detail::QuadrilateralFace<8>>(3);
  check.operator()<detail::QuadrilateralFace<9>>(3);
}

// ∫ S_i (r_ξ × r_η) dξ dη by 5 × 5 points, which are enough.
TEST(Faces, OfPlatesPullAsTheirIntegralSays) {
  using Rule = Gauss<5>;
  Random random{7};
  double x[36], r[36], expected[36] = {}, p = 1.0;
  for (double& xi : x) xi = random.uniform(-1, 1);
  PlatePressure::residual<double>({0.7, 1.3}, {}, Context<double>{0, &p, &p}, x, x, r);
  const double factor[3] = {1, 0.7, 1.3};
  for (int k = 0; k < 25; ++k) {
    const ThinPlateShape shape = ThinPlateShape::at(Rule::x[k % 5], Rule::x[k / 5]);
    V3 h[2] = {};
    for (int d = 0; d < 2; ++d)
      for (int i = 0; i < 12; ++i) h[d] += (shape.d[i][d] * factor[i % 3]) * V3::load(x + 3 * i);
    const V3 f = (Rule::w[k % 5] * Rule::w[k / 5]) * cross(h[0], h[1]);
    for (int i = 0; i < 12; ++i)
      for (int a = 0; a < 3; ++a) expected[3 * i + a] += factor[i % 3] * shape.value[i] * f[a];
  }
  for (int i = 0; i < 36; ++i) EXPECT_NEAR(r[i], expected[i], 1e-14);
}

// Cubics over arcs of a circle, and the cone over them about a point 3 below: ⅓ π r² · 3, to the fourth order of the cubics.
TEST(Faces, AConeOverARimClosesIt) {
  constexpr double pi = std::numbers::pi;
  double before = 0;
  for (int n : {8, 16, 32}) {
    const double l = 2 * pi / n;
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      const double a = k * l, b = a + l;
      const V3 x[5] = {{std::cos(a), std::sin(a), 0},
                       l * V3{-std::sin(a), std::cos(a), 0},
                       {std::cos(b), std::sin(b), 0},
                       l * V3{-std::sin(b), std::cos(b), 0},
                       {0, 0, -3}};
      V3 F[5];
      face_volume<detail::ConeFace>.forces(x, F);
      sum += enclosed<5>(x, F);  // a disc at z = 0 adds nothing
    }
    const double error = std::fabs(sum - pi);
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), 4, 0.1);
    }
    before = error;
  }
  EXPECT_LE(before, 1e-4);
}

// Parabolas over arcs of a circle, middles on it: the same to their fourth order.
TEST(Faces, AConeOverSidesOfThreeNodesClosesThem) {
  constexpr double pi = std::numbers::pi;
  double before = 0;
  for (int n : {8, 16, 32}) {
    const double l = 2 * pi / n;
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      const auto at = [&](double turn) { return V3{std::cos(turn * l), std::sin(turn * l), 0}; };
      const V3 x[4] = {at(k), at(k + 1), at(k + 0.5), {0, 0, -3}};
      V3 F[4];
      face_volume<detail::ParabolaConeFace>.forces(x, F);
      sum += enclosed<4>(x, F);
    }
    const double error = std::fabs(sum - pi);
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), 4, 0.1);
    }
    before = error;
  }
  EXPECT_LE(before, 1e-4);
}

}  // namespace
}  // namespace flexura::test
