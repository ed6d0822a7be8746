// Slender and thin parts rolled up on few elements: right within the order of their element, or reported.
//
//     ▌━━━━━━━━ ↺ M = φ EI/L        the end is at L (sin φ/φ, (1 − cos φ)/φ), for φ = 360° at the clamp
//
// A new kind of element joins by a row of `kinds`. Membranes do not resist bending and are not here, nor are the
// strains "selective" and "full" of full beams, which hold bending stiff and are for comparison.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

constexpr double E = 1e9, L = 1, degree = std::numbers::pi / 180;

struct Strip {
  std::string parts, end;  ///< clamped at x = 0; what a body is welded to
  double EI;
  bool planar = false;        ///< the moment acts on the end itself
  double across = 0, up = 0;  ///< where its axis begins
};
struct Kind {
  std::string name;
  std::function<Strip(int)> strip;
  double order;      ///< of the end's place, measured on 4 and 8 elements rolled by 90°
  double rolled[3];  ///< bound of the end's error over L at 360° on 2, 3, 4 elements; 0: not right, to be reported
  std::string grip = "weld";
  int coarse = 2;
};

std::string material() { return fmt::format("[material.m]\nE = {}\nnu = 0\nrho = 1000\n", E); }
std::string clamp(const std::string& place) {
  return fmt::format("[joint.clamp]\ntype = \"weld\"\nof = [\"ground\", \"{}\"]\n", place);
}
Strip beam(int elements, const std::string& keys) {
  const double t = 0.002;
  return {material() +
              fmt::format("[section.s]\nshape = {{ type = \"rectangle\", width = {}, height = {} }}\nmaterial = "
                          "\"m\"\n[beam.b]\nsection = \"s\"\nup = [0, 0, 1]\npath = [[0, 0, 0], [{}, 0, 0]]\n"
                          "elements = {}\n{}",
                          t, t, L, elements, keys) +
              clamp("b.start"),
          "b.end", E * t * t * t * t / 12};
}
Strip cable(int elements) {
  return {fmt::format("[section.s]\nEA = 1e4\nEI = 1\nrhoA = 1\n[cable.b]\nsection = \"s\"\n"
                      "path = [[0, 0, 0], [{}, 0, 0]]\nelements = {}\n",
                      L, elements) +
              clamp("b.start"),
          "b.end", 1};
}
Strip planar_cable(int elements) {
  Strip out = cable(elements);
  const std::string spatial = fmt::format("[[0, 0, 0], [{}, 0, 0]]", L);
  out.parts.replace(out.parts.find(spatial), spatial.size(), fmt::format("[[0, 0], [{}, 0]]", L));
  out.planar = true;
  return out;
}
Strip plate(int elements, const std::string& keys) {
  const double t = 0.01, width = 0.25;
  return {material() +
              fmt::format("[plate.b]\nshape = {{ type = \"flat\", size = [{}, {}] }}\nelements = [{}, 1]\n"
                          "material = \"m\"\nthickness = {}\n{}",
                          L, width, elements, t, keys) +
              clamp("b.start"),
          "b.end", E * width * t * t * t / 12};
}
Strip solid(int elements, const std::string& keys) {
  const double t = 0.05, width = 0.1;
  return {material() +
              fmt::format("[solid.b]\nshape = {{ type = \"block\", size = [{}, {}, {}] }}\nelements = [{}, 1, "
                          "1]\nmaterial = \"m\"\n{}",
                          L, width, t, elements, keys) +
              clamp("b.left"),
          "b.right",
          E * width * t * t * t / 12,
          false,
          width / 2,
          t / 2};
}
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"beam", [](int n) { return beam(n, ""); }, 4, {4e-2, 1e-2, 2.5e-3}},
      {"full_beam", [](int n) { return beam(n, "element = \"full\"\n"); }, 4, {0, 1.1e-4, 1.1e-4}},
      {"planar_cable", planar_cable, 4, {0.27, 9e-2, 3.1e-2}},
      {"spatial_cable", cable, 4, {0.25, 8e-2, 3e-2}, "clamp_direction"},
      {"thin_plate", [](int n) { return plate(n, ""); }, 4, {6.4e-2, 4e-2, 1.3e-2}},
      {"full_plate", [](int n) { return plate(n, "element = \"full\"\n"); }, 2, {0, 0, 0}, "weld", 4},
      // Few cells hold bending stiff, by 0.03 (θ l/t)²: their errors fall with order 4 from there on.
      {"solid_20", [](int n) { return solid(n, ""); }, 4, {0.9, 0.71, 0.5}, "weld", 4},
      {"solid_27", [](int n) { return solid(n, "element = \"hexahedra-27\"\n"); }, 4, {0.9, 0.71, 0.5}, "weld", 4},
      {"solid_reduced",
       [](int n) { return solid(n, "element = \"hexahedra-8\"\nformulation = \"reduced\"\n"); },
       3,
       {0.98, 0.84, 0.62},
       "weld",
       4},
  };
  return all;
}

std::string scene(const Kind& kind, int elements, double phi) {
  const Strip strip = kind.strip(elements);
  const std::string analysis = "[[analysis]]\nname = \"roll\"\ntype = \"static\"\n";
  if (strip.planar)
    return "space = \"planar\"\n" + strip.parts +
           fmt::format(
               "[load.roll]\ntype = \"moment\"\nat = \"{0}\"\nmoment = {1:.17g}\n[sensor.end]\ntype = "
               "\"position\"\nat = \"{0}\"\n",
               strip.end, phi * strip.EI / L) +
           analysis;
  return "space = \"spatial\"\n" + strip.parts +
         fmt::format(
             "[body.cap]\nm = 10\ninertia = [1, 1, 1]\nposition = [{}, {}, {}]\n[joint.grip]\n"
             "type = \"{}\"\nof = [\"{}\", \"cap\"]\n[joint.plane]\ntype = \"planar\"\nof = [\"ground\", "
             "\"cap\"]\nnormal = [0, 1, 0]\n[load.roll]\ntype = \"moment\"\nat = \"cap\"\nmoment = [0, "
             "{:.17g}, 0]\n[sensor.end]\ntype = \"position\"\nat = \"cap\"\n",
             L, strip.across, strip.up, kind.grip, strip.end, -phi * strip.EI / L) +
         analysis;
}
struct Rolled {
  double error;  ///< of the end over L
  bool reported;
  std::string warnings;
};
Rolled roll(const Kind& kind, int elements, double phi) {
  const double up = kind.strip(elements).up;
  const RunSummary run = run_text(scene(kind, elements, phi));
  Rolled out{1e300, run.status != RunStatus::finished, run.message};
  for (const std::string& warning : run.warnings) {
    out.reported |= warning.find("turned against each other") != std::string::npos;
    out.warnings += "\n" + warning;
  }
  for (const auto& [name, sensor] : run.sensors)
    if (name == "end")
      out.error =
          std::hypot(sensor.last[0] - L * std::sin(phi) / phi, sensor.last.back() - up - L * (1 - std::cos(phi)) / phi);
  return out;
}

class FewElements : public ::testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, FewElements, ::testing::ValuesIn(kinds()),
                         [](const auto& kind) { return kind.param.name; });

// Rolled through 360° on 2, 3 and 4 elements. Bounds: measured, 1.2 times as large.
TEST_P(FewElements, RolledThroughACircleAreRightOrReported) {
  const Kind& kind = GetParam();
  for (int elements = 2; elements <= 4; ++elements) {
    const Rolled end = roll(kind, elements, 360 * degree);
    RecordProperty(fmt::format("error_{}", elements),
                   fmt::format("{:.2e}{}", end.error, end.reported ? " reported" : ""));
    const double bound = kind.rolled[elements - 2];
    if (bound > 0)
      EXPECT_LT(end.error, bound) << elements << end.warnings;
    else
      EXPECT_TRUE(end.reported) << elements << " elements, error " << end.error;
  }
}

// A quarter of a circle: errors fall by the order of the element.
TEST_P(FewElements, ConvergeByTheirOrder) {
  const Kind& kind = GetParam();
  if (kind.order == 0) return;
  const double coarse = roll(kind, kind.coarse, 90 * degree).error;
  const double fine = roll(kind, 2 * kind.coarse, 90 * degree).error;
  RecordProperty("order", fmt::format("{:.2f} of {:.2e}", std::log2(coarse / fine), coarse));
  EXPECT_GT(std::log2(coarse / fine), kind.order - 0.3) << coarse << " " << fine;
}

}  // namespace
}  // namespace flexura::test
