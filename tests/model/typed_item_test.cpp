// An item written by names of parameters and options is the one that numbers in the declared order make.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flexura/element/ancf_cable_3d.hpp"
#include "flexura/element/ancf_thin_plate.hpp"
#include "flexura/load/chamber_gas.hpp"
#include "flexura/load/point_force.hpp"
#include "flexura/model/model_builder.hpp"

namespace flexura::test {
namespace {

using std::array;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Slots r₀, g₀, r₁, g₁ of a straight cable of length 0.5 m.
array<int, 4> ends(ModelBuilder& b) {
  const int first = b.node(), second = b.node();
  return {b.slot("0.r", SlotKind::point, array{0.0, 0.0, 0.0}, first),
          b.slot("0.g", SlotKind::vector, array{1.0, 0.0, 0.0}, first),
          b.slot("1.r", SlotKind::point, array{0.5, 0.0, 0.0}, second),
          b.slot("1.g", SlotKind::vector, array{1.0, 0.0, 0.0}, second)};
}

TEST(TypedItem, PutsNumbersAndChoicesInTheDeclaredOrder) {
  ModelBuilder b(3);
  b.item<AncfCable3d>(ends(b), {.EA = 1, .EI = 2, .rhoA = 3, .length = 0.5, .bend_retardation = 4},
                      {.axial = AncfCable3d::Axial::engineering, .damped = AncfCable3d::Damped::yes}, "cable", 0.25);
  const Model model = b.build();
  const ItemBatch& batch = model.topology->batches.at(0);
  EXPECT_EQ(batch.type, find_term("ancf_cable_3d"));
  EXPECT_THAT(batch.options, ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(model.values.parameters[0], ElementsAre(1, 2, 3, 0.5, 0, 4)) << "stretch_retardation has its default";
  EXPECT_THAT(model.values.mass_damping[0], ElementsAre(0.25));
}

TEST(TypedItem, TakesVectorsByComponents) {
  ModelBuilder b(3);
  const int r = b.slot("r", SlotKind::point, array{0.0, 0.0, 0.0});
  b.item<PointForce3d>({r, b.constant_signal()}, {.force = {1, 2, 3}}, "force");
  EXPECT_THAT(b.build().values.parameters[0], ElementsAre(1, 2, 3));
}

TEST(TypedItem, TakesTheDefaultThatTheFieldDeclares) {
  EXPECT_THAT(numbers_of<ChamberGas>(GivenParams<ChamberGas>{.volume = 1e-3, .overpressure = 7}),
              ElementsAre(1e-3, 1, 101325, 7, 0));
  const std::vector<double> plate = numbers_of<AncfThinPlate>({.length = 1, .width = 2, .rho_h = 3, .A = {}, .D = {}});
  EXPECT_EQ(plate[21], 1) << "thickness_factor of the first corner";
  EXPECT_TRUE(std::isnan(plate[3])) << "A has no default";
}

TEST(TypedItem, WithoutARequiredParameterIsAProblem) {
  ModelBuilder b(3);
  GivenParams<AncfCable3d> parameters{.EA = 1, .EI = 2, .rhoA = 3, .length = {}};
  b.item<AncfCable3d>(ends(b), parameters, "cable");
  ASSERT_EQ(b.problems().size(), 1u);
  EXPECT_THAT(b.problems()[0].message,
              HasSubstr("length (length of the parameter x) is missing, or comes out as no number"));
}

TEST(TypedItem, NumbersComeBackAsTheSameParametersAndOptions) {
  const std::vector<double> numbers{1, 2, 3, 4, 5, 6};
  const auto p = params_from<AncfCable3d>(numbers);
  EXPECT_EQ(p.length, 4);
  EXPECT_EQ(p.bend_retardation, 6);
  const AncfCable3d::Options options{.curvature = AncfCable3d::Curvature::geometric,
                                     .damped = AncfCable3d::Damped::yes};
  EXPECT_EQ(options_from<AncfCable3d>(choices_of<AncfCable3d>(options)), options);
}

}  // namespace
}  // namespace flexura::test
