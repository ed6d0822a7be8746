// Modes of systems with multipliers against closed forms.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "flexura/constraint/distance.hpp"
#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/offset.hpp"
#include "flexura/constraint/vector_length.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/solve/modes.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/mechanism_chains.hpp"

namespace flexura::test {
namespace {

using std::array;
constexpr double g = 9.81;

/// Multipliers that hold the state at rest.
void hold(Simulation<double>& s) {
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.9), {});
  ASSERT_TRUE(integrator.start(s.state));
}

/// A box of 1 m and 1 kg hung on a hinge along y; 0.2 m across in the plane it swings in.
TEST(ModesOfMechanisms, ABodyOnAHingeIsACompoundPendulum) {
  ModelBuilder b(3);
  const int p = b.slot("p", SlotKind::point, array{0.0, 0.0, 0.0}),
            v = b.slot("v", SlotKind::vector, array{0.0, 1.0, 0.0});
  const int node = b.node(), rows = b.node();
  const int q = b.slot("q", SlotKind::point, array{0.0, 0.0, -1.0}, node),
            w = b.slot("w", SlotKind::vector, array{1.0, 0.0, 0.0}, node);
  b.fix(p, "hinge");
  b.fix(v, "hinge");
  const auto row = [&] { return b.multiplier("body", rows); };
  b.item("rigid_mass_3d", array{p, q, v, w}, box_mass(1, 0.1, 0.2), {}, "body");
  b.item<Distance3d>({p, q, row()}, {.length = 1.0}, "body");
  b.item<VectorLength3d>({w, row()}, {}, "body");
  b.item<InnerProduct3d>({v, w, row()}, {}, "body");
  b.item<Offset3d>({p, q, v, row()}, {}, "body");
  b.item<Offset3d>({p, q, w, row()}, {}, "body");
  b.gravity(array{0.0, 0.0, -g}, b.constant_signal());
  Simulation<double> s(b.build());
  hold(s);
  const Modes modes = solve_modes(s.system, s.state);
  ASSERT_TRUE(modes.converged) << modes.problem;
  ASSERT_EQ(modes.count(), 1);
  const double expected = 0.5 * g / (1.0 / 3 + 0.2 * 0.2 / 12);
  EXPECT_NEAR(modes.eigenvalue[0], expected, 1e-10 * expected);
}

// Posts of I = mL²/3 each and a beam that moves in parallel: (2/3 + 1) mL² θ̈ = 2 m g L θ.
TEST(ModesOfMechanisms, AStandingWindowIsUnstable) {
  Simulation<double> s(windows(1));
  std::fill(s.state.v.begin(), s.state.v.end(), 0.0);
  hold(s);
  const Modes modes = solve_modes(s.system, s.state);
  ASSERT_TRUE(modes.converged) << modes.problem;
  ASSERT_EQ(modes.count(), 1);
  EXPECT_EQ(modes.unstable, 1);
  EXPECT_NEAR(modes.eigenvalue[0], -1.2 * g, 1e-10 * g);
}

/// Both ways find the same modes of a chain: the lowest of a hanging one, in Bessel functions' place the dense solver.
TEST(ModesOfMechanisms, KrylovAndDenseAgreeOnAChainOfRods) {
  ModelBuilder b(2);
  int last = b.slot("r0", SlotKind::point, array{0.0, 0.0});
  b.fix(last, "pin");
  for (int i = 1; i <= 40; ++i) {
    const int next = b.slot(fmt::format("r{}", i), SlotKind::point, array{0.0, -0.025 * i});
    add_rod(b, last, next, 0.025, fmt::format("rod{}", i));
    last = next;
  }
  b.gravity(array{0.0, -g}, b.constant_signal());
  Simulation<double> s(b.build());
  hold(s);
  const Modes krylov = solve_modes(s.system, s.state, {.count = 4, .method = ModesMethod::krylov});
  const Modes dense = solve_modes(s.system, s.state, {.count = 4, .method = ModesMethod::dense});
  ASSERT_TRUE(krylov.converged) << krylov.problem;
  ASSERT_TRUE(dense.converged) << dense.problem;
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(krylov.eigenvalue[i], dense.eigenvalue[i], 1e-8 * dense.eigenvalue[i]);
  // A hanging chain: ω = z/2 √(g/L), z₁ = 2.404826; rods of L/40 leave their square.
  const double first = 0.25 * 2.404826 * 2.404826 * g;
  EXPECT_NEAR(krylov.eigenvalue[0], first, 1e-3 * first);
}

/// Massless cantilever with a rod of length a welded to its end: two coordinates, tip deflection and slope.
TEST(ModesOfMechanisms, ABeamCarriesARigidBody) {
  const double EI = 2, L = 1, a = 0.3, m = 0.7;
  ModelBuilder b(2);
  const Cable c = add_cable(b, 4, {.length = L}, {.EA = 1e5, .EI = EI, .rhoA = 0});
  clamp(b, c);
  const int end = b.combination("end", SlotKind::point,
                                {2, {{c.tip(), {1, 0, 0, 1}}, {c.g.back(), {a, 0, 0, a}}}, {0, 0}, {}}, "weld");
  b.item("rod_mass_2d", array{c.tip(), end}, rod_mass(m), {}, "body");
  Simulation<double> s(b.build());
  const Modes modes = solve_modes(s.system, s.state, {.count = 2});
  ASSERT_TRUE(modes.converged) << modes.problem;
  Eigen::Matrix2d K, M;
  K << 12 / (L * L * L), -6 / (L * L), -6 / (L * L), 4 / L;
  M << m, m * a / 2, m * a / 2, m * a * a / 3;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d> expected(EI * K, M);
  for (int i : {0, 1}) EXPECT_NEAR(modes.eigenvalue[i], expected.eigenvalues()[i], 1e-4 * expected.eigenvalues()[i]);
}

}  // namespace
}  // namespace flexura::test
