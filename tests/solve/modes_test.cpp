// Eigenfrequencies and modes against closed forms.

#include "flexura/solve/modes.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "flexura/model/model_builder.hpp"
#include "flexura/solve/statics.hpp"

namespace flexura {
namespace {

constexpr double pi = std::numbers::pi;

struct Cable {
  double length = 1, EA = 1e4, EI = 1, rhoA = 1;
  std::vector<int> points{}, gradients{};
};

/// Straight along x from the origin.
Cable add_cable(ModelBuilder& b, int elements, Cable c = {}) {
  for (int i = 0; i <= elements; ++i) {
    const int node = b.node();
    const double X[] = {c.length * i / elements, 0}, G[] = {1, 0};
    c.points.push_back(b.slot("r" + std::to_string(i), SlotKind::point, X, node));
    c.gradients.push_back(b.slot("g" + std::to_string(i), SlotKind::vector, G, node));
  }
  for (int i = 0; i < elements; ++i) {
    const int slots[] = {c.points[i], c.gradients[i], c.points[i + 1], c.gradients[i + 1]};
    const double p[] = {c.EA, c.EI, c.rhoA, c.length / elements, 0, 0};
    const int options[] = {0, 0, 0, 0};
    b.item("ancf_cable_2d", slots, p, options, "element " + std::to_string(i));
  }
  return c;
}

/// Keeps y of a point at its reference.
void hold_height(ModelBuilder& b, int slot) { b.relate({1, {{slot, {0, 1}}}, {-b.reference(slot)[1]}, {}}, "slider"); }

/// Clamp that leaves the gradient's length free.
void clamp_direction(ModelBuilder& b, const Cable& c) {
  b.fix(c.points[0], "clamp");
  const double one[] = {1};
  const int stretch = b.slot("stretch", SlotKind::scalar, one);
  b.equate(c.gradients[0], {2, {{stretch, {1, 0}}}, {}, {}}, "clamp");
}

/// r + lever · g of a node, or the middle of an element: a place that depends on other slots.
int place_beyond(ModelBuilder& b, const Cable& c, int node, double lever) {
  return b.combination("place", SlotKind::point,
                       {2, {{c.points[node], {1, 0, 0, 1}}, {c.gradients[node], {lever, 0, 0, lever}}}, {0, 0}, {}},
                       "weld");
}
int place_in(ModelBuilder& b, const Cable& c, int element, double l) {  // Hermite weights ½ and ± l/8
  const auto I = [](double x) { return std::vector<double>{x, 0, 0, x}; };
  return b.combination("place", SlotKind::point,
                       {2,
                        {{c.points[element], I(0.5)},
                         {c.gradients[element], I(l / 8)},
                         {c.points[element + 1], I(0.5)},
                         {c.gradients[element + 1], I(-l / 8)}},
                        {0, 0},
                        {}},
                       "weld");
}

struct Ready {
  explicit Ready(ModelBuilder& b)
      : model(b.build()), values(&model.values), system(model.topology, {&values, 1}), state(system.initial_state(0)) {}
  StaticReport settle() { return StaticSolver(system, {}).solve(state); }
  Modes modes(int count, ModesMethod method = ModesMethod::automatic) {
    ModesOptions options;
    options.count = count;
    options.method = method;
    return solve_modes(system, state, options);
  }
  Model model;
  const Values* values;
  System<double> system;
  State<double> state;
};

double square(double x) { return x * x; }

// Roots of cos x cosh x = ∓1.
constexpr double clamped_free[] = {1.875104068711961, 4.694091132974175, 7.854757438237613, 10.995540734875467};
constexpr double free_free[] = {4.730040744862704, 7.853204624095838, 10.995607838001671};

Modes cantilever_modes(int elements, int count) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, elements);
  b.fix(c.points[0], "clamp");
  b.fix(c.gradients[0], "clamp");
  return Ready(b).modes(count);
}

/// Relative error of ω of the cubic element with consistent mass, β h ≪ 1: (β h)⁴/1440, from its dispersion relation.
double dispersion(double beta_h) { return square(square(beta_h)) / 1440; }

// Euler–Bernoulli: ω = x² √(EI/ρA)/L². The element's error is that of its dispersion up to higher orders: (β h)² / 16.
TEST(Modes, CantileverConvergesToEulerBernoulliWithFourthOrder) {
  double before[3] = {};
  for (int n : {8, 16}) {
    const Modes modes = cantilever_modes(n, 3);
    ASSERT_TRUE(modes.converged) << modes.problem;
    for (int k = 0; k < 3; ++k) {
      const double error = modes.frequency[k] * 2 * pi / square(clamped_free[k]) - 1;
      EXPECT_NEAR(error / dispersion(clamped_free[k] / n), 1, 0.01 + square(clamped_free[k] / n) / 16);
      if (n > 8) {
        EXPECT_NEAR(std::log2(before[k] / error), 4, 0.07) << "mode " << k;
      }
      before[k] = error;
    }
  }
}

// 4000 coordinates whose largest and wanted eigenvalues are 14 decimals apart: the shift must be found from far away.
TEST(Modes, AThousandElementsGiveTheirLowestModesWithinRounding) {
  const Modes modes = cantilever_modes(1000, 4);
  ASSERT_TRUE(modes.converged) << modes.problem;
  EXPECT_EQ(modes.warning, "");
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(modes.eigenvalue[k], square(square(clamped_free[k])), modes.rounding) << k;
}

// A rod, clamped and free: ω = (k − ½) π √(EA/ρA)/L. The gradient's length must be free at the clamp: fixed, it would
// hold the strain there at zero. Measured on 8 elements: 1.2e-8 and 5.5e-7.
TEST(Modes, AxialModesOfACantileverAreThoseOfARod) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, 8, {.EA = 1, .EI = 100});  // axial modes lie lowest
  clamp_direction(b, c);
  const Modes modes = Ready(b).modes(2);
  ASSERT_TRUE(modes.converged) << modes.problem;
  const double tolerance[] = {2e-8, 1e-6};
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(modes.frequency[k] / ((k + 0.5) / 2), 1, tolerance[k]) << "mode " << k;
}

// ω_n = (nπ/L)² √(EI/ρA) √(1 + T L²/(n² π² EI)), up to the dispersion and to the stretch T/EA, which the formula lacks.
TEST(Modes, PinnedCableVibratesInHalfWavesAndTensionRaisesThem) {
  for (double tension : {0.0, 1.0, 100.0}) {
    constexpr int elements = 32;
    constexpr double EA = 1e8;
    ModelBuilder b(2);
    const Cable c = add_cable(b, elements, {.EA = EA});
    b.fix(c.points[0], "pin");
    hold_height(b, c.points[elements]);
    const double force[] = {tension, 0};
    const int slots[] = {c.points[elements], b.constant_signal()};
    b.item("point_force_2d", slots, force, {}, "tension");
    Ready ready(b);
    ASSERT_TRUE(ready.settle().converged);
    const Modes modes = ready.modes(4);
    ASSERT_TRUE(modes.converged) << modes.problem;
    EXPECT_EQ(modes.unstable, 0);
    for (int n = 1; n <= 4; ++n) {
      const double omega = square(n * pi) * std::sqrt(1 + tension / square(n * pi));
      EXPECT_NEAR(modes.frequency[n - 1] * 2 * pi / omega, 1, 1.02 * dispersion(n * pi / elements) + tension / EA)
          << "T = " << tension << " N, mode " << n;
    }
  }
}

TEST(Modes, FreeCableHasThreeRigidMotionsAndThenItsBendingModes) {
  for (ModesMethod method : {ModesMethod::krylov, ModesMethod::dense}) {
    ModelBuilder b(2);
    add_cable(b, 16);
    Ready ready(b);
    const Modes modes = ready.modes(6, method);
    ASSERT_TRUE(modes.converged) << modes.problem;
    EXPECT_EQ(modes.unstable, 0);
    for (int k = 0; k < 3; ++k) EXPECT_LE(std::fabs(modes.eigenvalue[k]), modes.rounding) << k;
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(modes.frequency[3 + k] * 2 * pi / square(free_free[k]), 1, 1.02 * dispersion(free_free[k] / 16)) << k;
  }
}

TEST(Modes, PendulumSwingsByTheTensionOfItsRod) {
  constexpr double length = 0.7, g = 9.81;
  for (ModesMethod method : {ModesMethod::krylov, ModesMethod::dense}) {
    ModelBuilder b(2);
    const double O[] = {0, 0}, X[] = {0.1, -std::sqrt(length * length - 0.01)}, one[] = {length}, m[] = {2.5};
    const int pivot = b.slot("pivot", SlotKind::point, O), bob = b.slot("bob", SlotKind::point, X);
    const int tension = b.multiplier("tension");
    b.fix(pivot, "ground");
    const int mass_slots[] = {bob}, rod_slots[] = {pivot, bob, tension};
    b.item("point_mass_2d", mass_slots, m, {}, "bob");
    b.item("distance_2d", rod_slots, one, {}, "rod");
    const double down[] = {0, -g};
    b.gravity(down, b.constant_signal());
    Ready ready(b);
    ASSERT_TRUE(ready.settle().converged);
    const Modes modes = ready.modes(5, method);
    ASSERT_TRUE(modes.converged) << modes.problem;
    ASSERT_EQ(modes.count(), 1);                               // along the rod the frequency is infinite
    EXPECT_NEAR(modes.eigenvalue[0] / (g / length), 1, 1e-9);  // the static stop rule
    const int at = ready.model.topology->slots[bob].offset;
    EXPECT_NEAR(modes.shape(0)[at], 1 / std::sqrt(m[0]), 1e-9);  // mass-normalised, positive
    EXPECT_NEAR(modes.shape(0)[at + 1], 0, 1e-8);
  }
}

// Clamped–free column under a dead force: P = π² EI/(4 L²). With EA = 1e8 the shortening is 2.5e-8; the cubic
// element on 16 elements overestimates the load by (π/32)⁴/1440 = 6.4e-8 (measured 6.0e-8).
TEST(Modes, BucklingIsWhereTheFirstEigenvaluePassesThroughZero) {
  const double critical = pi * pi / 4;
  const auto lowest = [&](double load) {
    ModelBuilder b(2);
    const Cable c = add_cable(b, 16, {.EA = 1e8});
    b.fix(c.points[0], "clamp");
    b.fix(c.gradients[0], "clamp");
    const double force[] = {-load, 0};
    const int slots[] = {c.points[16], b.constant_signal()};
    b.item("point_force_2d", slots, force, {}, "dead load");
    Ready ready(b);
    // The straight column is an equilibrium: stretch e with N(e) = −load, found without statics, which would buckle.
    const double d = [&] {  // green strain: EA (d² − 1)/2 d = −load
      double x = 1;
      for (int i = 0; i < 50; ++i) x -= (0.5e8 * (x * x - 1) * x + load) / (0.5e8 * (3 * x * x - 1));
      return x;
    }();
    for (int s : c.points) ready.state.q[ready.model.topology->slots[s].offset] *= d;
    for (int s : c.gradients) ready.state.q[ready.model.topology->slots[s].offset] *= d;
    return ready.modes(2);
  };
  const Modes below = lowest(0.999 * critical), above = lowest(1.001 * critical);
  ASSERT_TRUE(below.converged && above.converged);
  EXPECT_GT(below.eigenvalue[0], below.rounding);
  EXPECT_LT(above.eigenvalue[0], -above.rounding);
  EXPECT_LT(above.frequency[0], 0);
  EXPECT_EQ(below.unstable, 0);
  EXPECT_EQ(above.unstable, 1);
  const double e0 = below.eigenvalue[0], e1 = above.eigenvalue[0];
  const double found = 0.999 + 0.002 * e0 / (e0 - e1);
  EXPECT_NEAR(found, 1, 2e-7);
  const Modes far = lowest(12 * critical);  // beyond the second (9 P) too
  ASSERT_TRUE(far.converged) << far.problem;
  EXPECT_EQ(far.unstable, 2);
}

TEST(Modes, DenseAndKrylovAgreeOnACableWithAWeldedMassInsideAnElement) {
  for (double mass : {0.0, 0.05}) {
    ModelBuilder b(2);
    const Cable c = add_cable(b, 60, {.EA = 2000, .EI = 0.0186, .rhoA = 0.12});
    b.fix(c.points[0], "clamp");
    b.fix(c.gradients[0], "clamp");
    if (mass > 0) {
      const int slots[] = {place_in(b, c, 30, 1.0 / 60)};
      b.item("point_mass_2d", slots, {&mass, 1}, {}, "payload");
    }
    const double down[] = {0, -9.81};
    b.gravity(down, b.constant_signal());
    Ready ready(b);
    ASSERT_TRUE(ready.settle().converged);
    const Modes krylov = ready.modes(12, ModesMethod::krylov), dense = ready.modes(12, ModesMethod::dense);
    ASSERT_TRUE(krylov.converged && dense.converged) << krylov.problem << dense.problem;
    EXPECT_EQ(krylov.warning, "");
    double worst = 0, worst_shape = 0;
    for (int k = 0; k < 12; ++k) {
      worst = std::max(worst, std::fabs(krylov.eigenvalue[k] - dense.eigenvalue[k]));
      for (size_t i = 0; i < krylov.shape(k).size(); ++i)
        worst_shape = std::max(worst_shape, std::fabs(krylov.shape(k)[i] - dense.shape(k)[i]));
    }
    EXPECT_LE(worst, krylov.rounding);  // that of the dense one: ε times the largest eigenvalue
    EXPECT_LE(worst_shape, 1e-5);
  }
}

// A mass in the middle of an element against the same mass on a node of a mesh twice as fine: the coarse cubic lacks the
// kink of the shear force there. Measured: at most 5.2e-7 in the first three frequencies.
TEST(Modes, MassInsideAnElementActsLikeOneOnANode) {
  const double mass = 0.05;
  const auto frequencies = [&](int n, bool inside) {
    ModelBuilder b(2);
    const Cable c = add_cable(b, n, {.EA = 2000, .EI = 0.0186, .rhoA = 0.12});
    b.fix(c.points[0], "clamp");
    b.fix(c.gradients[0], "clamp");
    const int slots[] = {inside ? place_in(b, c, 30, 1.0 / n) : c.points[61]};
    b.item("point_mass_2d", slots, {&mass, 1}, {}, "payload");
    return Ready(b).modes(3).frequency;
  };
  const std::vector<double> inside = frequencies(60, true), on_node = frequencies(120, false);
  ASSERT_EQ(inside.size(), 3u);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(inside[k] / on_node[k], 1, 1e-6) << "mode " << k;
  }
}

// Massless cantilever with a mass welded at a lever e beyond its tip: exact for cubics,
//     ω² = EI / (m (L³/3 + e L² + e² L))    across; and one mode along. All other coordinates are massless.
TEST(Modes, MasslessCableWithAWeldedMassHasTwoModes) {
  for (ModesMethod method : {ModesMethod::krylov, ModesMethod::dense}) {
    ModelBuilder b(2);
    const Cable c = add_cable(b, 4, {.EA = 1e3, .rhoA = 0});
    clamp_direction(b, c);
    const double mass = 2, lever = 0.1;
    const int place = place_beyond(b, c, 4, lever), slots[] = {place};
    b.item("point_mass_2d", slots, {&mass, 1}, {}, "payload");
    Ready ready(b);
    const Modes modes = ready.modes(5, method);
    ASSERT_TRUE(modes.converged) << modes.problem;
    ASSERT_EQ(modes.count(), 2);
    EXPECT_NEAR(modes.eigenvalue[0] * mass * (1.0 / 3 + lever + lever * lever), 1, 1e-10);
    const int at = ready.model.topology->slots[place].offset;
    EXPECT_NEAR(modes.shape(0)[at + 1], 1 / std::sqrt(mass), 1e-9);
    EXPECT_NEAR(modes.shape(1)[at], 1 / std::sqrt(mass), 1e-9);
  }
}

TEST(Modes, ShiftGivesTheModesAboveIt) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, 20);
  b.fix(c.points[0], "clamp");
  b.fix(c.gradients[0], "clamp");
  Ready ready(b);
  const Modes all = ready.modes(6);
  ModesOptions options;
  options.count = 3;
  options.shift = 0.5 * (all.eigenvalue[2] + all.eigenvalue[3]);
  for (ModesMethod method : {ModesMethod::krylov, ModesMethod::dense}) {
    options.method = method;
    const Modes upper = solve_modes(ready.system, ready.state, options);
    ASSERT_TRUE(upper.converged) << upper.problem;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(upper.eigenvalue[k] / all.eigenvalue[3 + k], 1, 1e-9);
  }
}

// Twenty equal pendulums: one eigenvalue, twenty times. A method that follows one vector finds it once.
TEST(Modes, RepeatedEigenvaluesAreAllFound) {
  ModelBuilder b(2);
  for (int i = 0; i < 20; ++i) {
    const double O[] = {1.0 * i, 0}, X[] = {1.0 * i, -1}, m[] = {1}, length[] = {1};
    const int pivot = b.slot("pivot" + std::to_string(i), SlotKind::point, O);
    const int bob = b.slot("bob" + std::to_string(i), SlotKind::point, X);
    const int tension = b.multiplier("tension" + std::to_string(i));
    b.fix(pivot, "ground");
    const int mass_slots[] = {bob}, rod_slots[] = {pivot, bob, tension};
    b.item("point_mass_2d", mass_slots, m, {}, "bob" + std::to_string(i));
    b.item("distance_2d", rod_slots, length, {}, "rod" + std::to_string(i));
  }
  const double down[] = {0, -9.81};
  b.gravity(down, b.constant_signal());
  Ready ready(b);
  ASSERT_TRUE(ready.settle().converged);
  const Modes modes = ready.modes(25, ModesMethod::krylov);
  ASSERT_TRUE(modes.converged) << modes.problem;
  ASSERT_EQ(modes.count(), 20);
  for (double e : modes.eigenvalue) EXPECT_NEAR(e, 9.81, 1e-8);
}

TEST(Modes, WithoutMassThereIsAProblemAndNoModes) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, 2, {.rhoA = 0});
  b.fix(c.points[0], "clamp");
  Ready ready(b);
  const Modes modes = ready.modes(3);
  EXPECT_FALSE(modes.converged);
  EXPECT_EQ(modes.problem, "nothing that can move has a mass");
}

TEST(Modes, TheSystemKeepsItsFactorAndTheSameCallGivesTheSameBits) {
  ModelBuilder b(2);
  const Cable c = add_cable(b, 12);
  b.fix(c.points[0], "pin");
  Ready ready(b);
  const std::vector<double> values = ready.system.values;
  const Modes first = ready.modes(5, ModesMethod::krylov), second = ready.modes(5, ModesMethod::krylov);
  EXPECT_EQ(first.eigenvalue, second.eigenvalue);
  EXPECT_EQ(first.shapes, second.shapes);
  EXPECT_EQ(values, ready.system.values);
}

}  // namespace
}  // namespace flexura
