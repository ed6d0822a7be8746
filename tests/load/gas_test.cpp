// Gas in chambers and lines: states, masses, and how they go with time. A planar cylinder with a piston is the chamber.

#include <gtest/gtest.h>

#include <numbers>

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/load/chamber_2d.hpp"
#include "flexura/load/gas_line.hpp"
#include "flexura/load/gas_mass.hpp"
#include "flexura/load/spring_damper.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

using std::array;

constexpr double ambient = 1e5, R = 287.05, T = 293.15;

/// A cylinder of length, height and depth, closed by a piston on the right; points of the wall are fixed.
struct Cylinder {
  double length = 0.1, height = 0.02, depth = 0.05, exponent = 1, overpressure = 0, x = 0;
  bool moves = true, has_lines = true;

  double volume() const { return length * height * depth; }
  double area() const { return height * depth; }
  double filling() const { return (ambient + overpressure) * volume() / (R * T); }
};

struct Chamber {
  int x = -1, piston = -1, pressure = -1, mass = -1;  ///< x: of the piston [m]
};

Chamber add_cylinder(ModelBuilder& b, const Cylinder& c, const std::string& name = "cylinder") {
  Chamber out;
  const auto point = [&](const char* which, double x, double y) {
    return b.slot(name + which, SlotKind::point, array{c.x + x, y});
  };
  const int p0 = point(".p0", 0, 0), p3 = point(".p3", 0, c.height);
  const int p1 = out.piston = point(".p1", c.length, 0), p2 = point(".p2", c.length, c.height);
  for (int p : {p0, p3}) b.fix(p, name);
  out.x = b.slot(name + ".x", SlotKind::scalar, array{c.x + c.length});
  b.equate(p1, {2, {{out.x, {1, 0}}}, {0, 0}, {}}, name);
  b.equate(p2, {2, {{out.x, {1, 0}}}, {0, c.height}, {}}, name);
  if (!c.moves) b.fix(out.x, name);
  out.pressure = b.multiplier(name + ".p");
  b.set_initial(out.pressure, array{c.overpressure}, array{0.0});
  const int walls[5] = {p0, p1, p2, p3, p0};
  for (int k = 0; k < 4; ++k)
    b.item<ChamberWall2d>({walls[k], walls[k + 1], out.pressure}, {.depth = c.depth},
                          fmt::format("{} wall {}", name, k));
  if (c.has_lines) {
    out.mass = b.multiplier(name + ".m");
    b.set_initial(out.mass, array{c.filling()}, array{0.0});
    b.item<GasMass>({out.pressure, out.mass},
                    {.volume = c.volume(),
                     .exponent = c.exponent,
                     .ambient = ambient,
                     .overpressure = c.overpressure,
                     .mass = c.filling()},
                    name + " gas");
  } else {
    b.item<ChamberGas>(
        {out.pressure, b.constant_signal()},
        {.volume = c.volume(), .exponent = c.exponent, .ambient = ambient, .overpressure = c.overpressure},
        name + " gas");
  }
  return out;
}

// A force on the piston by weight alone, which is not there before: the pressure, the reaction of a slot that depends on others,
// begins at zero. n = 1, 1.4 and what no table has; P Vⁿ to rounding.
TEST(Gas, OfASyringeKeepsItsLaw) {
  for (double n : {1.0, 1.2345, 1.4})
    for (bool has_lines : {false, true}) {
      const Cylinder c{.exponent = n, .has_lines = has_lines};
      ModelBuilder b(2);
      const Chamber chamber = add_cylinder(b, c);
      b.item<PointMass2d>({chamber.piston}, {.m = 6}, "piston");
      b.gravity(array{-9.81, 0.0}, b.constant_signal());
      Simulation<double> s(b.build());
      const StaticReport report = StaticSolver(s.system, {}).solve(s.state);
      ASSERT_TRUE(report.converged) << "n = " << n << ", load factor " << report.load_factor;
      const double p = s.q(chamber.pressure, 0), V = s.q(chamber.piston, 0) * c.area();
      EXPECT_NEAR((ambient + p) * std::pow(V, n), ambient * std::pow(c.volume(), n),
                  1e-10 * ambient * std::pow(c.volume(), n));
      EXPECT_NEAR(p, 6 * 9.81 / c.area(), 1e-9 * p);
      EXPECT_LE(report.iterations, 30);
    }
}

/// Departure in phase, over 2π, of a piston on its gas spring after one period of small amplitude in so many steps.
double late(int steps, double n) {
  const Cylinder c{.exponent = n, .has_lines = false};
  ModelBuilder b(2);
  const Chamber chamber = add_cylinder(b, c);
  b.item<PointMass2d>({chamber.piston}, {.m = 0.4}, "piston");
  const double omega = std::sqrt(n * ambient * c.area() * c.area() / (0.4 * c.volume()));
  const double period = 2 * std::acos(-1.0) / omega, v = 1e-4;
  b.set_initial(chamber.x, b.reference(chamber.x), array{v});
  Simulation<double> s(b.build());
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(1.0), {.tolerance = 1e-12});
  EXPECT_TRUE(integrator.start(s.state));
  for (int k = 1; k <= steps; ++k) EXPECT_TRUE(integrator.step(s.state, period * k / steps).converged);
  return std::asin((s.q(chamber.x, 0) - c.length) * omega / v) / (2 * std::acos(-1.0));
}

// ω² = n P A²/(m V); what is left is the method's own, (ωh)²/12 of the period.
TEST(Gas, SpringsBackAtTheFrequencyOfItsExponent) {
  constexpr double pi = std::numbers::pi;
  for (double n : {1.0, 1.4})
    for (int steps : {100, 200}) {
      const double own = std::pow(2 * pi / steps, 2) / 12;
      EXPECT_NEAR(late(steps, n), -own, 0.02 * own) << "n = " << n << ", " << steps << " steps";
    }
}

/// Overpressure at the end of a rigid cylinder that leaks, and its mass less what has passed.
struct Leak {
  double pressure = 0, mass_error = 0;
};
Leak leak(double h, double end, double time_constant) {
  const Cylinder c{.overpressure = 5e4, .moves = false};
  ModelBuilder b(2);
  const Chamber chamber = add_cylinder(b, c);
  const int other = b.slot("other", SlotKind::point, array{0.0, -1.0});
  b.item<PointMass2d>({other}, {.m = 1}, "other");
  const int W = b.multiplier("W"), one = b.constant_signal();
  // m' = −(P − p_a)/R_l and P = m R T/V (n = 1): P − p_a decays with τ = R_l V/(R T).
  b.item<GasSupply>({chamber.pressure, chamber.mass, W, one, one},
                    {.resistance = time_constant * R * T / c.volume(), .ambient = ambient}, "vent");
  Simulation<double> s(b.build());
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {.tolerance = 1e-12});
  EXPECT_TRUE(integrator.start(s.state));
  EXPECT_NEAR(s.q(chamber.pressure, 0), 5e4, 1e-6);
  Leak out;
  const int steps = static_cast<int>(std::lround(end / h));
  for (int k = 1; k <= steps; ++k) {
    EXPECT_TRUE(integrator.step(s.state, h * k).converged) << k;
    out.mass_error = std::max(out.mass_error, std::fabs(s.q(chamber.mass, 0) - s.q(W, 0) - c.filling()));
  }
  out.pressure = s.q(chamber.pressure, 0);
  return out;
}

// Second order of the two-step differences, and damped without ringing where a step is long against the line.
TEST(Gas, LeaksAwayWithTheTimeConstantOfItsLine) {
  const double tau = 0.2, end = 0.3, exact = 5e4 * std::exp(-end / tau);
  double before = 0;
  for (double h : {0.02, 0.01, 0.005, 0.0025}) {
    const Leak at = leak(h, end, tau);
    const double error = std::fabs(at.pressure / exact - 1);
    RecordProperty(fmt::format("error_{}", h), fmt::format("{:.3e}", error));
    EXPECT_LE(at.mass_error, 1e-15 * 1e-3);
    if (before > 0) {
      EXPECT_NEAR(before / error, 4, 0.6) << h;
    }
    before = error;
  }
  EXPECT_LE(before, 1e-3);
  EXPECT_NEAR(leak(0.01, 0.1, 1e-6).pressure, 0, 1e-3);
}

/// Two rigid chambers joined by a line: pressures at the end and the sum of masses less that at the beginning.
struct Pair {
  double p[2], lost;
};
Pair equalise(double h, double end, bool statics, LineLaw::Kind law = LineLaw::Kind::laminar) {
  const Cylinder full{.overpressure = 8e4, .moves = false}, empty{.length = 0.25, .x = 1, .moves = false};
  ModelBuilder b(2);
  const Chamber a = add_cylinder(b, full, "a"), e = add_cylinder(b, empty, "b");
  const int other = b.slot("other", SlotKind::point, array{0.0, -1.0});
  b.item<PointMass2d>({other}, {.m = 1}, "other");
  const int wall = b.slot("wall", SlotKind::point, array{0.0, -0.5});
  b.fix(wall, "wall");
  b.relate({1, {{other, {1, 0}}}, {0}, {}}, "guide");
  b.item<SpringDamper2d>({wall, other}, {.stiffness = 100, .damping = 0, .free_length = 0.5}, "spring");
  b.gravity(array{0.0, -9.81}, b.constant_signal());
  const int W = b.multiplier("W");
  b.item<GasLine>({a.pressure, a.mass, e.pressure, e.mass, W, b.constant_signal()},
                  {.resistance = 1e8, .conductance = 1e-9, .ambient = ambient}, {.law = law}, "line");
  Simulation<double> s(b.build());
  if (statics) {
    EXPECT_TRUE(StaticSolver(s.system, {}).solve(s.state).converged);
  } else {
    GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {.tolerance = 1e-12});
    EXPECT_TRUE(integrator.start(s.state));
    for (int k = 1; k <= std::lround(end / h); ++k) EXPECT_TRUE(integrator.step(s.state, h * k).converged) << k;
  }
  return {{s.q(a.pressure, 0), s.q(e.pressure, 0)}, s.q(a.mass, 0) + s.q(e.mass, 0) - full.filling() - empty.filling()};
}

// Isothermal: P_a − P_b decays with 1/τ = (R T/R_l)(1/V_a + 1/V_b), Σ P V stays.
TEST(Gas, OfTwoChambersEqualisesAsTheClosedFormSays) {
  const Cylinder full, empty{.length = 0.25};
  const double Va = full.volume(), Vb = empty.volume(), mean = 8e4 * Va / (Va + Vb);
  const double tau = 1e8 / (R * T) / (1 / Va + 1 / Vb), end = 1.5 * tau, difference = 8e4 * std::exp(-end / tau);
  double before = 0;
  for (int steps : {20, 40, 80, 160}) {
    const Pair at = equalise(end / steps, end, false);
    const double error = std::fabs((at.p[0] - at.p[1]) / difference - 1);
    RecordProperty(fmt::format("error_{}", steps), fmt::format("{:.3e}", error));
    EXPECT_LE(std::fabs(at.lost), 1e-18);
    EXPECT_NEAR(at.p[0] * Va + at.p[1] * Vb, mean * (Va + Vb), 1e-9 * mean * (Va + Vb));
    if (before > 0) {
      EXPECT_NEAR(before / error, 4, 0.6) << steps;
    }
    before = error;
  }
  for (LineLaw::Kind law : {LineLaw::Kind::laminar, LineLaw::Kind::orifice}) {
    const Pair rest = equalise(0, 0, true, law);
    EXPECT_NEAR(rest.p[0], mean, 1e-4 * mean);
    EXPECT_NEAR(rest.p[1], mean, 1e-4 * mean);
    EXPECT_LE(std::fabs(rest.lost), 1e-18);
  }
}

// A sonic orifice lets through C ρ₀ P_1, whatever is behind it [iso6358].
TEST(Gas, FlowsThroughAnOrificeAtTheSpeedOfSoundAtMost) {
  const GasLine::Params<double> p{1, 2e-9, 0.3, ambient};
  const LineLaw::Options o{LineLaw::Kind::orifice};
  const double most = 2e-9 * LineLaw::density * 6e5;
  EXPECT_NEAR(LineLaw::flow(p, o, 0, 1.0, 5e5, 0.0).f, most, 1e-12 * most);
  EXPECT_NEAR(LineLaw::flow(p, o, 0, 1.0, 0.0, 5e5).f, -most, 1e-12 * most);
  EXPECT_NEAR(LineLaw::flow(p, o, 0, 0.5, 5e5, 0.0).f, 0.5 * most, 1e-12 * most);
  const double r = 0.7, expected = most * std::sqrt(1 - std::pow((r - 0.3) / 0.7, 2));
  EXPECT_NEAR(LineLaw::flow(p, o, 0, 1.0, 5e5, r * 6e5 - ambient).f, expected, 1e-12 * most);
  EXPECT_EQ(LineLaw::flow(p, o, 0, 1.0, 5e5, 5e5).f, 0);
}

// Upstream of an orifice counts how warm the gas is: √(T₀/T₁), with T₁ falling as the filling's state does where n > 1.
TEST(Gas, FlowsThroughAnOrificeByTheTemperatureUpstream) {
  const GasLine::Params<double> p{1, 2e-9, 0.3, ambient};
  const LineLaw::Options o{LineLaw::Kind::orifice};
  const GasAtEnd<double> hot{400, 6e5, 1}, cold{250, 1e5, 1.4};
  const double most = 2e-9 * LineLaw::density;
  EXPECT_NEAR(LineLaw::flow(p, o, 0, 1.0, 5e5, 0.0, hot, cold).f, most * 6e5 * std::sqrt(293.15 / 400),
              1e-12 * most * 6e5);
  const double backwards = most * 8e5 * std::sqrt(293.15 / (250 * std::pow(8.0, 0.4 / 1.4)));
  EXPECT_NEAR(LineLaw::flow(p, o, 0, 1.0, 0.0, 7e5, hot, cold).f, -backwards, 1e-12 * backwards);
}

/// Overpressure of a rigid cylinder of ten bar of the filling that empties through a sonic orifice, adiabatically.
double blow_down(int steps, double end, double conductance) {
  const Cylinder c{.exponent = 1.4, .overpressure = 9 * ambient, .moves = false};
  ModelBuilder b(2);
  const Chamber chamber = add_cylinder(b, c);
  const int other = b.slot("other", SlotKind::point, array{0.0, -1.0});
  b.item<PointMass2d>({other}, {.m = 1}, "other");
  const int W = b.multiplier("W"), one = b.constant_signal();
  b.item<GasSupply>({chamber.pressure, chamber.mass, W, one, one},
                    {.conductance = conductance,
                     .critical_ratio = 0.3,
                     .ambient = ambient,
                     .chamber = {.temperature = T, .filling = 10 * ambient, .exponent = 1.4}},
                    {.law = LineLaw::Kind::orifice}, "vent");
  Simulation<double> s(b.build());
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {.tolerance = 1e-12});
  EXPECT_TRUE(integrator.start(s.state));
  for (int k = 1; k <= steps; ++k) EXPECT_TRUE(integrator.step(s.state, end * k / steps).converged) << k;
  return s.q(chamber.pressure, 0);
}

// Isentropic blow-down while the flow is sonic: P = P₀ (1 + (n − 1)/2 t/τ)^(−2n/(n − 1)) with τ = m₀/ṁ₀; second order.
TEST(Gas, EmptiesThroughASonicOrificeAsTheClosedFormSays) {
  const Cylinder c{.exponent = 1.4, .overpressure = 9 * ambient};
  const double conductance = 1e-9, tau = c.filling() / (conductance * LineLaw::density * 10 * ambient);
  const double end = 0.6 * tau, P = 10 * ambient * std::pow(1 + 0.2 * end / tau, -7.0);
  ASSERT_GT(P, ambient / 0.3) << "sonic to the end";
  double before = 0;
  for (int steps : {20, 40, 80}) {
    const double error = std::fabs((ambient + blow_down(steps, end, conductance)) / P - 1);
    if (before > 0) {
      EXPECT_NEAR(before / error, 4, 0.6) << steps;
    }
    before = error;
  }
  EXPECT_LE(before, 1e-3);
}

/// A piston driven by gas that flows in: its place and the pressure at the end.
Pair blow(double h, double end) {
  const Cylinder c{.exponent = 1.4};
  ModelBuilder b(2);
  const Chamber chamber = add_cylinder(b, c);
  b.item<PointMass2d>({chamber.piston}, {.m = 0.4}, "piston");
  const int W = b.multiplier("W"), vented = b.multiplier("vented"), one = b.constant_signal();
  b.item<GasInflow>({chamber.mass, W, one}, {.rate = 2e-3}, "inflow");
  b.item<GasSupply>({chamber.pressure, chamber.mass, vented, one, one}, {.resistance = 2e7, .ambient = ambient},
                    "vent");
  Simulation<double> s(b.build());
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {.tolerance = 1e-12});
  EXPECT_TRUE(integrator.start(s.state));
  for (int k = 1; k <= std::lround(end / h); ++k) EXPECT_TRUE(integrator.step(s.state, h * k).converged) << k;
  EXPECT_NEAR(s.q(W, 0), 2e-3 * end, 1e-12);
  EXPECT_NEAR(s.q(chamber.mass, 0), c.filling() + s.q(W, 0) + s.q(vented, 0), 1e-18);
  return {{s.q(chamber.pressure, 0), s.q(chamber.piston, 0)}, 0};
}

// The history of the pressure does not depend on the step: second order in place and pressure.
TEST(Gas, ThatFlowsInMovesThePistonTheSameAtAnyStep) {
  const double end = 0.05;
  const Pair fine = blow(end / 3200, end);
  double before[2] = {0, 0};
  for (int steps : {100, 200, 400}) {
    const Pair at = blow(end / steps, end);
    for (int k : {0, 1}) {
      const double error = std::fabs(at.p[k] - fine.p[k]);
      RecordProperty(fmt::format("error_{}_{}", k == 0 ? "p" : "x", steps), fmt::format("{:.3e}", error));
      if (before[k] > 0) {
        EXPECT_NEAR(before[k] / error, 4, 1) << steps << (k == 0 ? " p" : " x");
      }
      before[k] = error;
    }
  }
}

// An incompressible liquid lets the piston move only by what is pumped in: its pressure is the multiplier of V = V_fill.
TEST(Liquid, MovesThePistonByWhatIsPumpedIn) {
  const Cylinder c{.has_lines = false};
  for (double compressibility : {0.0, 4.5e-10}) {
    ModelBuilder b(2);
    Cylinder open = c;
    const int p0 = b.slot("p0", SlotKind::point, array{0.0, 0.0}),
              p3 = b.slot("p3", SlotKind::point, array{0.0, c.height});
    const int p1 = b.slot("p1", SlotKind::point, array{c.length, 0.0}),
              p2 = b.slot("p2", SlotKind::point, array{c.length, c.height});
    for (int p : {p0, p3}) b.fix(p, "wall");
    b.equate(p2, {2, {{p1, {1, 0, 0, 1}}}, {0, c.height}, {}}, "piston");
    b.relate({1, {{p1, {0, 1}}}, {0}, {}}, "piston");
    const int p = b.multiplier("p");
    const int walls[5] = {p0, p1, p2, p3, p0};
    for (int k = 0; k < 4; ++k)
      b.item<ChamberWall2d>({walls[k], walls[k + 1], p}, {.depth = c.depth}, fmt::format("wall {}", k));
    b.item<ChamberLiquid>({p, b.constant_signal()},
                          {.volume = c.volume(), .compressibility = compressibility, .added = 0.2}, "oil");
    b.item<PointMass2d>({p1}, {.m = 6}, "piston");
    b.gravity(array{-9.81, 0.0}, b.constant_signal());
    Simulation<double> s(b.build());
    ASSERT_TRUE(StaticSolver(s.system, {}).solve(s.state).converged);
    const double pressure = 6 * 9.81 / open.area();
    EXPECT_NEAR(s.q(p, 0), pressure, 1e-9 * pressure);
    EXPECT_NEAR(s.q(p1, 0), 1.2 * c.length * (1 - compressibility * pressure), 1e-12);
  }
}

}  // namespace
}  // namespace flexura::test
