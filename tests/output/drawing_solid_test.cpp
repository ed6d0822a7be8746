// Solids in drawings: their outer faces and the numbers that colour them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "flexura/material/homogeneous.hpp"
#include "flexura/output/drawn_fields.hpp"
#include "tests/output/drawing_testing.hpp"

namespace flexura {
namespace {

using namespace testing;

std::string block(const std::string& element) {
  return fmt::format(R"(
space = "spatial"
[material.m]
type = "neo-hooke"
mu = 1e5
bulk = 1e7
rho = 1000
[solid.b]
shape = {{ type = "block", size = [0.2, 0.1, 0.1] }}
elements = [2, 1, 1]
element = "{}"
material = "m"
[[analysis]]
name = "move"
type = "dynamic"
end = 1
step = 0.1
)",
                     element);
}

// A force at a face is an item of each node, and one arrow.
TEST(DrawnSolid, ShowsAForceOnAFaceAsOneArrow) {
  const Drawn drawn =
      Drawn::text(block("hexahedra-20") + "[load.f]\ntype = \"force\"\nat = \"b.top\"\nforce = [1, 2, -3]\n");
  DrawnFields fields(drawn.model(), drawn.drawings.front());
  std::vector<double> values(fields.fields().size() * drawn.drawing().field_points), quantities(3);
  ASSERT_EQ(drawn.drawing().quantities.size(), 1u);
  const Values* model = &drawn.model().model.values;
  System<double> system(drawn.model().model.topology, std::span(&model, 1));
  const State<double> state = system.initial_state(0);
  system.assembler.set_signals(system.drives.at(0, state.lags));
  fields.evaluate(system.assembler, 0, drawn.q0(), {}, values, quantities);
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(quantities[i], (std::array{1.0, 2.0, -3.0}[i]), 1e-14);
}

class EveryDrawnSolid : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Elements, EveryDrawnSolid,
                         ::testing::Values("hexahedra-8", "hexahedra-20", "hexahedra-27", "tetrahedra-4",
                                           "tetrahedra-10"));

// Quadrilaterals look outwards and close: what they enclose is the volume.
TEST_P(EveryDrawnSolid, IsItsClosedSurface) {
  const Drawn drawn = Drawn::text(block(GetParam()));
  const Drawable& solid = drawn.drawing().drawables.at(0);
  EXPECT_EQ(solid.kind, Drawable::Kind::surface);
  EXPECT_EQ(solid.name, "solid.b");
  const std::vector<double>& q = drawn.model().model.values.reference;
  const auto at = [&](const SlotMap& map, std::uint32_t row) {
    Triple x{};
    for (std::uint32_t k = map.start[row]; k < map.start[row + 1]; ++k)
      for (size_t i = 0; i < 3; ++i) x[i] += map.weight[k] * q[drawn.drawing().slots[map.slot[k]].offset + i];
    return x;
  };
  double volume = 0;
  for (size_t k = 0; k < solid.quads.size(); k += 4) {
    Triple corner[4];
    for (size_t c = 0; c < 4; ++c) corner[c] = at(solid.position, solid.quads[k + c]);
    volume += (dot(corner[0], cross(corner[1], corner[2])) + dot(corner[0], cross(corner[2], corner[3]))) / 6;
    const Triple normal = cross(corner[2] - corner[0], corner[3] - corner[1]);
    for (size_t c = 0; c < 4; ++c) {
      const Triple own = cross(at(solid.tangent, solid.quads[k + c]), at(solid.second, solid.quads[k + c]));
      EXPECT_GT(dot(normal, own), 0.99 * norm(normal) * norm(own)) << "edges keep their crease";
    }
  }
  EXPECT_NEAR(volume, 0.002, 1e-9) << "weights are numbers of 24 bits";
}

// A block that is stretched to 1.5 along X, and across as a bar without stress there: the same number everywhere.
TEST_P(EveryDrawnSolid, HasTheColoursOfItsStress) {
  const Drawn drawn = Drawn::text(block(GetParam()));
  const CompressibleTension bar =
      compressible_tension(TensionTest::uniaxial, {}, ElasticConstants<double>{{1e5}, 1e7}, 1.5);
  std::vector<double> q = drawn.model().model.values.reference;
  for (size_t k = 0; k < q.size(); ++k) q[k] *= bar.stretches.of[k % 3];
  DrawnFields fields(drawn.model(), drawn.drawings.front());
  std::vector<double> values(fields.fields().size() * drawn.drawing().field_points), quantities;
  const Values* model = &drawn.model().model.values;
  System<double> system(drawn.model().model.topology, std::span(&model, 1));
  const State<double> state = system.initial_state(0);
  system.assembler.set_signals(system.drives.at(0, state.lags));
  fields.evaluate(system.assembler, 0, q, {}, values, quantities);
  const double across = bar.stretches.of[1], stress = bar.stress / (across * across);
  const std::map<std::string, double> wanted{{"von Mises stress", stress},
                                             {"largest stretch", 1.5},
                                             {"volume ratio", 1.5 * across * across},
                                             {"hydrostatic pressure", -stress / 3}};
  size_t found = 0;
  for (size_t f = 0; f < fields.fields().size(); ++f) {
    const auto field = wanted.find(fields.fields()[f].name);
    if (field == wanted.end()) continue;
    ++found;
    for (int k = 0; k < drawn.drawing().field_points; ++k)
      EXPECT_NEAR(values[f * drawn.drawing().field_points + k], field->second, 1e-9 * std::fabs(field->second))
          << field->first;
  }
  EXPECT_EQ(found, wanted.size());
}

}  // namespace
}  // namespace flexura
