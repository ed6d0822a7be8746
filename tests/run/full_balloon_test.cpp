// A balloon of full plates: its pressure against that of a thick sphere that keeps its volume, its contents against its inner face.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "flexura/math/quadrature.hpp"
#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

constexpr double inner = 0.05, outer = 0.052, mu = 0.32e6, pressure = 6e3;

/// p = ∫ W′(λ)/(λ³ − 1) dλ from λ outside to λ inside, of W = μ/2 (2 λ² + λ⁻⁴ − 3).
double pressure_at(double stretch) {
  const double out = std::cbrt(1 + (stretch * stretch * stretch - 1) * std::pow(inner / outer, 3));
  double sum = 0;
  for (int k = 0; k < 5; ++k) {
    const double s = out + Gauss<5>::x[k] * (stretch - out);
    sum += Gauss<5>::w[k] * (stretch - out) * mu * (2 * s - 2 * std::pow(s, -5)) / (s * s * s - 1);
  }
  return sum;
}
/// Of the wall's middle, which is between two radii whose difference of cubes stays.
double radius_at_rest() {
  double low = 1.001, high = 1.3;
  for (int k = 0; k < 60; ++k) (pressure_at(0.5 * (low + high)) < pressure ? low : high) = 0.5 * (low + high);
  const double middle = 0.5 * (inner + outer);
  return std::cbrt(std::pow(low * inner, 3) + middle * middle * middle - inner * inner * inner);
}

/// A 24th of the sphere, between planes of symmetry.
std::string balloon(int n, const std::string& blown) {
  const std::string size = "0.051 / sqrt(1 + tan(u)^2 + tan(v)^2)";
  return fmt::format(R"(
space = "spatial"
[material.rubber]
type = "neo-hooke"
mu = {1}
bulk = 2e9
rho = 1000
[plate.skin]
shape = {{ type = "formula", x = "{2}", y = "tan(u) * {2}", z = "tan(v) * {2}", u = [0, 0.7853981633974483], v = [0, 0.7853981633974483] }}
elements = [{0}, {0}]
element = "full"
material = "rubber"
thickness = 0.002
[joint.a]
type = "planar"
of = ["ground", "skin.start"]
normal = [0, 1, 0]
[joint.b]
type = "planar"
of = ["ground", "skin.end"]
normal = [1, -1, 0]
[joint.c]
type = "planar"
of = ["ground", "skin.bottom"]
normal = [0, 0, 1]
[joint.d]
type = "planar"
of = ["ground", "skin.top"]
normal = [1, 0, -1]
[sensor.radius]
type = "position"
at = "skin.corner_start_bottom"
[sensor.pull]
type = "reaction"
of = "a"
{3}
[[analysis]]
name = "blow"
type = "static"
)",
                     n, mu, size, blown);
}
std::string pressed(const char* face) {
  return fmt::format("[load.air]\ntype = \"pressure\"\non = \"skin\"\npressure = {}\nface = \"{}\"\n", pressure, face);
}

// What planes of symmetry hold of the wall counts: with r_z and r_zz free there the displacement was 1.3 % too large on any mesh, and
// did not converge. Measured 3.2e-2, 7.8e-3, 2.2e-3 on 2, 4 and 8 elements.
TEST(FullBalloon, ConvergesToTheThickSphereWithTheSecondOrder) {
  const double exact = radius_at_rest() - 0.051;
  for (const char* face : {"bottom", "middle"}) {
    double error[2];
    for (const int k : {0, 1}) error[k] = (end_of(balloon(2 << k, pressed(face))).at("radius")[0] - 0.051) / exact - 1;
    RecordProperty(fmt::format("error_{}", face), fmt::format("{:.2e} {:.2e}", error[0], error[1]));
    EXPECT_GT(std::log2(error[0] / error[1]), 1.8) << face << " " << error[0] << " " << error[1];
    EXPECT_LT(std::fabs(error[1]), 0.01) << face;
  }
}

// The force on a plane of symmetry is the pressure on what it cuts out of the face that is pressed: at 1 Pa of the reference. 1e-4: the
// sphere's mesh of 4 elements.
TEST(FullBalloon, APressureActsOnTheFaceThatIsNamed) {
  const std::pair<const char*, double> faces[] = {{"bottom", inner}, {"middle", 0.051}, {"top", outer}};
  for (const auto& [face, radius] : faces) {
    std::string text = balloon(4, pressed(face));
    text.replace(text.find("pressure = 6000"), 15, "pressure = 1");
    const double force = radius * radius * std::numbers::pi / 8;
    EXPECT_NEAR(end_of(text).at("pull")[1], -force, 2e-4 * force) << face;
  }
}

// Gas fills the room inside the wall and not half of the wall: 4π/72 r³, of the middle 6 % more. 4 elements whose fibres are linear
// between nodes miss it by 2.7e-4. Its pressure does what a load on the inner face does.
TEST(FullBalloon, AChamberIsInsideTheInnerFace) {
  const std::string planes =
      "[plane.a]\npoint = [0, 0, 0]\nnormal = [0, 1, 0]\n[plane.b]\npoint = [0, 0, 0]\nnormal = [1, -1, 0]\n"
      "[plane.c]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n[plane.d]\npoint = [0, 0, 0]\nnormal = [1, 0, -1]\n";
  const auto chamber = [&](double p) {
    return planes + fmt::format(
                        "[chamber.air]\ntype = \"pressure\"\nsurfaces = [\"skin\"]\nplanes = [\"a\", \"b\", "
                        "\"c\", \"d\"]\npressure = {}\n[sensor.volume]\ntype = \"volume\"\nof = \"air\"\n",
                        p);
  };
  const double volume = std::numbers::pi / 18 * inner * inner * inner;
  EXPECT_NEAR(end_of(balloon(4, chamber(0))).at("volume")[0], volume, 5e-4 * volume);
  const double blown = end_of(balloon(4, chamber(pressure))).at("radius")[0];
  EXPECT_NEAR(blown, end_of(balloon(4, pressed("bottom"))).at("radius")[0], 1e-9);
}

}  // namespace
}  // namespace flexura::test
