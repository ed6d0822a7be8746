// Sections that change along a cable or beam.

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "flexura/scene/scene_model.hpp"
#include "flexura/solve/modes.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/scene/scene_testing.hpp"

namespace flexura::testing {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double R = 0.02, r = 0.005, length = 1.5, E = 1e9, rho = 1200;

/// A cone of 1.5 m held at its thick end. `kind`: cable or beam; `along`: the space's form of a path along X.
std::string cone(const std::string& space, const std::string& kind, int elements,
                 const std::string& shape = "radius = [0.02, 0.005]", const std::string& more = {}) {
  return fmt::format(R"(
space = "{}"
[material.m]
E = 1e9
nu = 0
rho = 1200
[section.cone]
material = "m"
shape = {{ type = "circle", {} }}
{}
[{}.rod]
section = "cone"
path = [[0, 0{}], [1.5, 0{}]]
elements = {}
[joint.clamp]
type = "weld"
of = ["ground", "rod.start"]
[load.tip]
type = "force"
at = "rod.end"
force = [0, 1e-3{}]
[[analysis]]
name = "s"
type = "static"
)",
                     space, shape, more, kind, space == "planar" ? "" : ", 0", space == "planar" ? "" : ", 0", elements,
                     space == "planar" ? "" : ", 0");
}

SceneModels models_of(const std::string& text) { return interpret_scene(read(text)); }

double parameter(const SceneModel& scene, int element, int index) {
  return scene.cables[0].elements[element].parameters[index];
}

/// Of the tip across, under the load.
double deflection(const std::string& text) {
  const SceneModels models = models_of(text);
  const SceneModel& scene = models.models[0];
  const Values* values = &scene.model.values;
  System<double> system(scene.model.topology, std::span(&values, 1));
  State<double> state = system.initial_state(0);
  EXPECT_TRUE(StaticSolver(system, {}).solve(state).converged);
  return state.q[scene.model.topology->slots[scene.cables[0].points.back()].offset + 1];
}

// ∫ P (L − x)²/(EI) dx with a radius from R to r: P L³/(3 E I_R) · R/r; of the beam also shear, ∫ P/(GA) dx = P L/(k G π R r).
// With the mean of the section over each element the error is of second order.
TEST(Taper, DeflectionOfAConeConvergesWithSecondOrder) {
  const double I = pi / 4 * std::pow(R, 4), exact = 1e-3 * std::pow(length, 3) / (3 * E * I) * R / r;
  for (const auto& [space, kind] :
       {std::pair("planar", "cable"), std::pair("spatial", "cable"), std::pair("spatial", "beam")}) {
    std::vector<double> error;
    const double shear = std::string(kind) == "beam" ? 1e-3 * length / (6.0 / 7 * E / 2 * pi * R * r) : 0;
    for (const int n : {8, 16, 32}) error.push_back(std::fabs(deflection(cone(space, kind, n)) / (exact + shear) - 1));
    fmt::print("taper, {} {}: {:.2e} {:.2e} {:.2e}\n", space, kind, error[0], error[1], error[2]);
    EXPECT_LT(error[2], 2e-3) << space << kind;
    for (const int k : {0, 1}) EXPECT_NEAR(std::log2(error[k] / error[k + 1]), 2, 0.15) << space << kind;
  }
}

TEST(Taper, MassOfAFrustumIsExact) {
  for (const char* kind : {"cable", "beam"}) {
    const SceneModels models = models_of(cone("spatial", kind, 3));
    double mass = 0;
    const SceneModel& scene = models.models[0];
    for (int e = 0; e < 3; ++e) mass += parameter(scene, e, kind == std::string("beam") ? 6 : 2) * length / 3;
    EXPECT_NEAR(mass, rho * pi * length / 3 * (R * R + R * r + r * r), 1e-15) << kind;
  }
}

/// First root k of a truncated cone, clamped at its base, in bending: with x from the apex over the length of the whole cone,
/// (x⁴ y'')'' = k⁴ x² y has the solutions x⁻¹ Z₂(2k√x), Z = J, Y, I, K [kirchhoff1879].
double first_root(double tip) {
  const auto determinant = [&](double k) {
    const double z = 2 * k, w = 2 * k * std::sqrt(tip);
    using std::cyl_bessel_i, std::cyl_bessel_j, std::cyl_bessel_k, std::cyl_neumann;
    double a[4][4] = {{cyl_bessel_j(2, z), cyl_neumann(2, z), cyl_bessel_i(2, z), cyl_bessel_k(2, z)},
                      {-cyl_bessel_j(3, z), -cyl_neumann(3, z), cyl_bessel_i(3, z), -cyl_bessel_k(3, z)},
                      {cyl_bessel_j(4, w), cyl_neumann(4, w), cyl_bessel_i(4, w), cyl_bessel_k(4, w)},
                      {cyl_bessel_j(3, w), cyl_neumann(3, w), cyl_bessel_i(3, w), -cyl_bessel_k(3, w)}};
    double out = 1;
    for (int i = 0; i < 4; ++i) {
      int p = i;
      for (int row = i + 1; row < 4; ++row)
        if (std::fabs(a[row][i]) > std::fabs(a[p][i])) p = row;
      if (p != i) std::swap(a[p], a[i]), out = -out;
      out *= a[i][i];
      for (int row = i + 1; row < 4; ++row)
        for (int c = 3; c >= i; --c) a[row][c] -= a[row][i] / a[i][i] * a[i][c];
    }
    return out;
  };
  double low = 1.0, high = low;
  const double sign = determinant(low);
  while (determinant(high) * sign > 0) low = high, high += 0.05;
  for (int k = 0; k < 60; ++k) (determinant(0.5 * (low + high)) * sign > 0 ? low : high) = 0.5 * (low + high);
  return low;
}

// A full cone has ω = 8.719 √(E I/(ρ A))/L², the classical value; here a quarter of the cone is cut off.
TEST(Taper, FirstFrequencyOfATruncatedConeConvergesWithSecondOrder) {
  EXPECT_NEAR(std::pow(first_root(1e-5), 2), 8.719, 1e-3);
  const double whole = length / (1 - r / R), k = first_root(r / R);
  const double exact = k * k * std::sqrt(E * pi / 4 * std::pow(R, 4) / (rho * pi * R * R)) / (whole * whole);
  std::vector<double> error;
  for (const int n : {8, 16}) {
    std::string text = cone("planar", "cable", n);
    text.replace(text.find("type = \"static\""), 15, "type = \"modes\"");
    const SceneModels models = models_of(text);
    const SceneModel& scene = models.models[0];
    const Values* values = &scene.model.values;
    System<double> system(scene.model.topology, std::span(&values, 1));
    const State<double> state = system.initial_state(0);
    const Modes modes = solve_modes(system, state, {.count = 1});
    ASSERT_TRUE(modes.converged) << modes.problem;
    error.push_back(std::fabs(2 * pi * modes.frequency[0] / exact - 1));
  }
  fmt::print("taper, frequency: {:.2e} {:.2e}\n", error[0], error[1]);
  EXPECT_LT(error[1], 6e-3);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.2);
}

// One cone, written in three ways.
TEST(Taper, PairsFormulasAndStiffnessesSayTheSame) {
  const SceneModels pair = models_of(cone("planar", "cable", 4)),
                    factor = models_of(cone("planar", "cable", 4, "radius = 0.02", "size_factor = \"1 - 0.5 * s\""));
  for (int e = 0; e < 4; ++e)
    for (const int k : {0, 1, 2})
      EXPECT_NEAR(parameter(factor.models[0], e, k) / parameter(pair.models[0], e, k), 1, 1e-14);
  const SceneModels numbers = models_of(R"(
[section.s]
EA = [4, 2]
EI = 3
rhoA = ["2 kg/m", 1]
[cable.rod]
section = "s"
path = [[0, 0], [1, 0]]
elements = 2
[[analysis]]
name = "s"
type = "dynamic"
end = 1
step = 0.1
)");
  for (const auto& [e, k, value] : {std::tuple(0, 0, 3.5), std::tuple(1, 0, 2.5), std::tuple(1, 1, 3.0),
                                    std::tuple(0, 2, 1.75), std::tuple(1, 2, 1.25)})
    EXPECT_NEAR(parameter(numbers.models[0], e, k), value, 1e-15) << e << k;
}

std::vector<std::string> problems_in(const std::string& text) {
  try {
    models_of(text);
  } catch (const InputError& error) {
    std::vector<std::string> lines;
    for (const Problem& problem : error.problems()) lines.push_back(problem.path + ": " + problem.message);
    return lines;
  }
  return {};
}

TEST(Taper, SaysWhatIsWrong) {
  EXPECT_EQ(problems_in(cone("planar", "cable", 4, "radius = [1, -1]")),
            Lines{"section.cone.shape.radius[1]: -1 is out of range; allowed: > 0 [m]"});
  EXPECT_EQ(
      problems_in(cone("planar", "cable", 4, "radius = [1, 1, 1]")),
      Lines{
          "section.cone.shape.radius: must be a number [m], or two: at the start and at the end; this is a list of 3"});
  EXPECT_EQ(problems_in(cone("planar", "cable", 4, "radius = 1", "size_factor = \"1 - s\"")),
            Lines{"cable.rod.section: size_factor is -0.125 in element 3 of 4: it must be positive everywhere"});
  EXPECT_EQ(problems_in(cone("spatial", "beam", 2, "radius = 1", "size_factor = \"1 - 2 * x\"")).size(), 1u);
}

}  // namespace
}  // namespace flexura::testing
