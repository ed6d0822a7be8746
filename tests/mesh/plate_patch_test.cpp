// Patch tests of the thin plate on plane and curved patches; tables in docs/validation/plates.md.
//
// r(ξ, η) of an element and any affine map of it are in the same space of twelve functions: constant membrane strain is exact
// on any mesh. w(x, y) of constant curvature is quadratic in the plane, and in ξ, η only where x and y are affine in them.

#include "tests/support/plate_patch.hpp"

#include <gtest/gtest.h>

namespace flexura::test {
namespace {

constexpr Rule rules[] = {Rule::full, Rule::reduced};
/// Rounding, magnified by a condition of 1e4 … 1e6 of bending.
constexpr double rounding = 1e-11;

bool is_membrane(const PatchState& state) {
  return state.strain[3] == 0 && state.strain[4] == 0 && state.strain[5] == 0;
}

TEST(PlatePatch, ConstantMembraneStrainIsExactOnAnyMesh) {
  for (const Rule rule : rules)
    for (const auto& mesh : {graded_patch(4), sheared_patch(4), warped_patch(4), bisected_patch(4), random_patch(4)})
      for (const PatchState& state : plane_states()) {
        if (!is_membrane(state)) continue;
        const PatchResult found = patch_test(mesh, wall(1e6, 0.3, 0.01, rule), state);
        EXPECT_LT(found.displacement, rounding) << state.name;
        EXPECT_LT(found.energy, rounding) << state.name;
        EXPECT_LT(found.strain, rounding) << state.name;
      }
}

TEST(PlatePatch, ConstantBendingAndTwistAreExactOnParallelograms) {
  for (const Rule rule : rules)
    for (const auto& mesh : {graded_patch(4), sheared_patch(4)})
      for (const PatchState& state : plane_states()) {
        const PatchResult found = patch_test(mesh, wall(1e6, 0.3, 0.01, rule), state);
        EXPECT_LT(found.displacement, rounding) << state.name;
        EXPECT_LT(found.energy, rounding) << state.name;
        EXPECT_LT(found.strain, rounding) << state.name;
      }
}

// Elements become parallelograms as they get smaller: second order, 6e-3, 2e-3, 6e-4 of the deflection on 4, 8, 16.
TEST(PlatePatch, BendingAndTwistConvergeOnLinesOfASmoothMap) {
  if (is_slow) GTEST_SKIP() << "too slow here";
  for (const PatchState& state : plane_states()) {
    if (is_membrane(state)) continue;
    const PlateSection section = wall(1e6, 0.3, 0.01);
    const PatchResult coarse = patch_test(warped_patch(8), section, state),
                      fine = patch_test(warped_patch(16), section, state);
    EXPECT_LT(fine.displacement, 8e-4) << state.name;
    EXPECT_LT(fine.displacement, coarse.displacement / 3) << state.name;
    EXPECT_LT(fine.strain, coarse.strain / 3.5) << state.name;
  }
}

// They become so too where each quadrilateral is cut along its middles, but for the lines at which the slopes jump: order ½ in
// the strain, 1e-4 of the deflection on 16.
TEST(PlatePatch, BendingAndTwistConvergeSlowlyOnBisectedQuadrilaterals) {
  if (is_slow) GTEST_SKIP() << "too slow here";
  for (const PatchState& state : plane_states()) {
    if (is_membrane(state)) continue;
    const PlateSection section = wall(1e6, 0.3, 0.01);
    const PatchResult coarse = patch_test(bisected_patch(4), section, state),
                      fine = patch_test(bisected_patch(16), section, state);
    EXPECT_LT(fine.displacement, 2e-4) << state.name;
    EXPECT_LT(fine.strain, coarse.strain / 1.9) << state.name;
  }
}

// Elements that keep their shapes keep their error in ξ²η²: on any number of them 1e-3 of the deflection, and 0.1 to 0.2 in the
// norm of the energy.
TEST(PlatePatch, BendingAndTwistKeepAnErrorOnRandomQuadrilaterals) {
  if (is_slow) GTEST_SKIP() << "too slow here";
  for (const PatchState& state : plane_states()) {
    if (is_membrane(state)) continue;
    for (const int n : {4, 16}) {
      const PatchResult found = patch_test(random_patch(n), wall(1e6, 0.3, 0.01), state);
      EXPECT_LT(found.displacement, 3e-3) << state.name;
      EXPECT_LT(found.strain, 0.25) << state.name;
      EXPECT_GT(found.strain, 0.05) << state.name;
    }
  }
}

// Stretch along the axis is affine: exact. What the cubics miss of the arc is of fourth order.
TEST(PlatePatch, ConstantStatesOfACylinderAreOfFourthOrder) {
  for (const Rule rule : rules)
    for (const double h : {0.05, 0.005})
      for (const PatchState& state : cylinder_states(1, h)) {
        const PlateSection section = wall(1e6, 0, h, rule);
        const PatchResult coarse = patch_test(cylinder_patch(4, 0), section, state),
                          fine = patch_test(cylinder_patch(8, 0), section, state);
        EXPECT_LT(fine.displacement, 1e-5) << state.name;
        EXPECT_LT(fine.strain, 6e-3) << state.name;
        if (state.strain[1] != 0) {
          EXPECT_LT(fine.displacement, 1e-12) << state.name;
          EXPECT_LT(fine.strain, 1e-12) << state.name;
          continue;
        }
        EXPECT_LT(fine.strain, coarse.strain / 10) << state.name;
        EXPECT_LT(fine.displacement, coarse.displacement / 5) << state.name;
      }
}

// Bent lines on a curved patch: the surface between its nodes is no cylinder any more, by an amount of third order.
TEST(PlatePatch, ConstantStatesConvergeOnACylinderWithBentLines) {
  if (is_slow) GTEST_SKIP() << "too slow here";
  for (const PatchState& state : cylinder_states(1, 0.05)) {
    const PlateSection section = wall(1e6, 0, 0.05);
    const PatchResult coarse = patch_test(cylinder_patch(8, 0.1), section, state),
                      fine = patch_test(cylinder_patch(16, 0.1), section, state);
    EXPECT_LT(fine.displacement, 1e-3) << state.name;
    EXPECT_LT(fine.strain, 0.03) << state.name;
    EXPECT_LT(fine.strain, coarse.strain / 4) << state.name;
  }
}

}  // namespace
}  // namespace flexura::test
