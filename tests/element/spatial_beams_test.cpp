// Spatial beams and cables as whole models: closed forms, third-party tables, and how fast each is reached.

#include <gtest/gtest.h>

#include "flexura/body/point_mass.hpp"
#include "flexura/constraint/distance.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/support/beams.hpp"

namespace flexura::test {
namespace {

using std::array;
constexpr double pi = std::numbers::pi;

StaticReport solve(Simulation<>& s, const StaticOptions& options = {}) {
  return StaticSolver(s.system, options).solve(s.state);
}
Triple place(const Simulation<>& s, int slot) { return {s.q(slot, 0), s.q(slot, 1), s.q(slot, 2)}; }
double distance(const Triple& a, const Triple& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }
void add_moment(ModelBuilder& b, const array<int, 4>& node, const Triple& m) {
  b.item("frame_moment_3d", array{node[1], node[2], node[3], b.constant_signal()}, m, {}, "moment");
}
Frame straight(double x) { return frame({x, 0, 0}, {1, 0, 0}, {0, 0, 1}); }

// ── Bathe & Bolourchi's bend of 45° [bathe1979]: R = 100, section 1 × 1, E = 1e7, ν = 0, force F across its plane ────

Triple bend_tip(double J, double F, int nodes, int elements) {
  constexpr double R = 100, E = 1e7, G = E / 2;
  const auto at = [&](double x) {
    const double a = x * pi / 4;
    return frame({R * std::sin(a), R * (1 - std::cos(a)), 0}, {std::cos(a), std::sin(a), 0}, {0, 0, 1});
  };
  ModelBuilder b(3);
  const BeamSection section{.GA1 = G * 5 / 6, .GA2 = G * 5 / 6, .EA = E, .EI1 = E / 12, .EI2 = E / 12, .GJ = G * J};
  const Beam beam = add_beam(b, elements, nodes, section, R * pi / 4, at);
  add_force(b, beam.tip(), {0, 0, F});
  Simulation s(b.build());
  EXPECT_TRUE(solve(s).converged);
  const Triple tip = place(s, beam.tip()), start = at(1).r;
  return {tip[0] - start[0], tip[1] - start[1], tip[2] - start[2]};
}

// Digits of the tables are all met by 32 elements of three nodes; 8 leave 6e-3 of 53.
TEST(DirectorBeam, BendOf45DegreesMeetsTheTables) {
  const struct {
    double J, F;
    Triple u;
  } table[] = {{1.0 / 6, 300, {-11.9318, -7.0446, 40.1924}},
               {1.0 / 6, 600, {-23.5606, -13.6046, 53.4755}},
               {.1406, 600, {-23.8188, -13.7315, 53.6079}}};
  for (const auto& row : table) {
    EXPECT_LE(distance(bend_tip(row.J, row.F, 3, 32), row.u), 1.5e-4) << row.F;
    EXPECT_LE(distance(bend_tip(row.J, row.F, 3, 8), row.u), 7e-3) << row.F;
  }
}

// Measured on 8, 16, 32 elements against 64 of three nodes.
TEST(DirectorBeam, TwoNodesAreOfOrderTwoAndThreeOfOrderFour) {
  const Triple exact = bend_tip(1.0 / 6, 600, 3, 64);
  for (const int nodes : {2, 3}) {
    double error[3];
    for (int k = 0; k < 3; ++k) error[k] = distance(bend_tip(1.0 / 6, 600, nodes, 8 << k), exact);
    for (int k = 0; k < 2; ++k) {
      const double order = std::log2(error[k] / error[k + 1]);
      EXPECT_NEAR(order, nodes == 2 ? 2 : 4, 0.4) << nodes << " nodes: " << error[k] << " → " << error[k + 1];
    }
    RecordProperty(fmt::format("errors_{}_nodes", nodes),
                   fmt::format("{:.2e} {:.2e} {:.2e}", error[0], error[1], error[2]));
  }
}

// ── Princeton beam [dowell1975]: a load at an angle to the section's axes; table of another program's beam ───────────

TEST(DirectorBeam, PrincetonBeamMeetsTheTable) {
  constexpr double L = .508, h = 12.377e-3, w = 3.2024e-3, E = 71.7e9, nu = .31, G = E / (2 * (1 + nu)), A = h * w;
  constexpr double uy[] = {.01071417630, .01061328706, .01011169630, .008837226265, .006604665004, .003538889001, 0};
  constexpr double uz[] = {0, .04208232124, .07939482948, .108987937, .129887616, .142194370, .146245978};
  double series = 0;  // St. Venant's torsion constant
  for (int k = 1; k < 100; k += 2) series += std::tanh(k * pi * h / (2 * w)) / std::pow(k, 5);
  const double J = h * w * w * w / 3 * (1 - 192 / std::pow(pi, 5) * w / h * series);
  EXPECT_NEAR(J / (h * w * w * w), .28, 5e-3);
  // d₁ = z, d₂ = −y: bending about d₁ is in the stiff plane x–y.
  const BeamSection section{.GA1 = G * A * 5 / 6,
                            .GA2 = G * A * 5 / 6,
                            .EA = E * A,
                            .EI1 = E * w * h * h * h / 12,
                            .EI2 = E * h * w * w * w / 12,
                            .GJ = G * J};
  for (int k = 0; k < 7; ++k) {
    const double angle = k * pi / 12;
    ModelBuilder b(3);
    const Beam beam = add_beam(b, 8, 3, section, L, [](double x) { return straight(x * L); });
    add_force(b, beam.tip(), {0, 8.896 * std::cos(angle), 8.896 * std::sin(angle)});
    Simulation s(b.build());
    ASSERT_TRUE(solve(s).converged);
    EXPECT_NEAR(s.q(beam.tip(), 1), uy[k], 1.5e-2 * uy[0]) << 15 * k << " degrees";
    EXPECT_NEAR(s.q(beam.tip(), 2), uz[k], 5e-3 * uz[6]) << 15 * k << " degrees";
  }
}

// ── Closed forms ─────────────────────────────────────────────────────────────────────────────────────────────────────

// M = 2π EI/L about an axis that is no axis of the section: a circle in a plane that is no coordinate plane.
double roll_up_gap(int nodes, int elements) {
  const double L = 2, EI = 30, M = 2 * pi * EI / L, c = std::cos(0.4), s = std::sin(0.4);
  ModelBuilder b(3);
  const BeamSection section{.GA1 = 1e6, .GA2 = 1e6, .EA = 3e6, .EI1 = EI, .EI2 = EI, .GJ = 20};
  const Beam beam = add_beam(b, elements, nodes, section, L, [&](double x) { return straight(x * L); });
  add_moment(b, beam.nodes.back(), {0, -M * s, M * c});
  Simulation sim(b.build());
  EXPECT_TRUE(solve(sim).converged);
  const Triple middle = place(sim, beam.nodes[beam.nodes.size() / 2][0]);
  EXPECT_NEAR(middle[1] * c + middle[2] * s, std::hypot(middle[1], middle[2]), 1e-2) << "the plane of the circle";
  return distance(place(sim, beam.tip()), {0, 0, 0}) / L;
}
TEST(DirectorBeam, EndMomentRollsItUpToACircle) {
  const double coarse = roll_up_gap(3, 8), fine = roll_up_gap(3, 16);
  EXPECT_LE(coarse, 2e-2);
  EXPECT_GT(std::log2(coarse / fine), 3.5) << coarse << " " << fine;
}

// φ = T L/GJ. A turn of 2 rad; the director's angle is of fourth order.
TEST(DirectorBeam, TwistsUniformlyByAnEndTorque) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    ModelBuilder b(3);
    const BeamSection section{.GA1 = 1e4, .GA2 = 1e4, .EA = 3e4, .EI1 = 3, .EI2 = 4, .GJ = 2};
    const Beam beam = add_beam(b, 4 << k, 3, section, 1, straight);
    add_moment(b, beam.nodes.back(), {4, 0, 0});
    Simulation s(b.build());
    ASSERT_TRUE(solve(s).converged);
    const double turn = std::atan2(-s.q(beam.tip(1), 1), s.q(beam.tip(1), 2));  // d₁ = z at rest
    error[k] = std::fabs(turn - 2);
    EXPECT_NEAR(s.q(beam.tip(), 0), 1, 1e-3);
  }
  EXPECT_LE(error[0], 2e-3);
  EXPECT_GT(std::log2(error[0] / error[1]), 3.5) << error[0] << " " << error[1];
}

// ── Motions ──────────────────────────────────────────────────────────────────────────────────────────────────────────

// Spin-up [simo1986]: the root turns by ψ = 6/15 (t²/2 + (15/2π)² (cos 2πt/15 − 1)) until 15 s, then by 6 rad/s. In the
// steady turn the tip is stretched by ρA ω² L³/3EA = 5.143e-4; on the way it lags behind by up to 0.57.
TEST(DirectorBeam, SpinsUp) {
  const double L = 10, EA = 2.8e7, rhoA = 1.2;
  const std::string psi = "if(t < 15, 0.4*(t*t/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1)), 6*t - 45)";
  auto signals = std::make_shared<SignalSet>();
  for (const std::string& f : {"cos(" + psi + ") - 1", "sin(" + psi + ")"}) {
    auto parsed = Expression::parse(f);
    ASSERT_TRUE(parsed.ok()) << f;
    signals->add(f.substr(0, 3), Signal(std::move(parsed.expression)));
  }
  ASSERT_TRUE(signals->finish().empty());
  ModelBuilder b(3);
  b.set_signals(signals);
  const BeamSection section{.GA1 = 1e7,
                            .GA2 = 1e7,
                            .EA = EA,
                            .EI1 = 1.4e4,
                            .EI2 = 1.4e4,
                            .GJ = 1e4,
                            .rhoA = rhoA,
                            .rhoI1 = 6e-4,
                            .rhoI2 = 6e-4};
  const Beam beam = add_beam(b, 6, 3, section, L, [&](double x) { return straight(x * L); }, true);
  const array<int, 4>& root = beam.nodes[0];
  const int cosine = b.effective({.signal = 0}), sine = b.effective({.signal = 1});
  b.fix(root[0], "hub");
  b.fix(root[1], "hub");  // d₁ = z
  b.prescribe(root[2], {{cosine, {0, -1, 0}}, {sine, {1, 0, 0}}}, "hub");
  b.prescribe(root[3], {{cosine, {1, 0, 0}}, {sine, {0, 1, 0}}}, "hub");
  Simulation s(b.build());
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.7), {});
  ASSERT_TRUE(integrator.start(s.state));
  double lag = 0, stretch = 0;
  int samples = 0;
  const double h = 0.01;
  for (int k = 1; k <= 2000; ++k) {
    ASSERT_TRUE(integrator.step(s.state, h * k).converged) << k;
    const double cx = s.q(root[3], 0), cy = s.q(root[3], 1), x = s.q(beam.tip(), 0), y = s.q(beam.tip(), 1);
    lag = std::min(lag, -cy * x + cx * y);
    EXPECT_NEAR(s.q(beam.tip(), 2), 0, 1e-9);
    if (s.state.t > 17) stretch += cx * x + cy * y - L, ++samples;
  }
  EXPECT_NEAR(lag, -0.57, 0.02) << "Simo & Vu-Quoc 1986, read from their figure";
  EXPECT_NEAR(stretch / samples, rhoA * 36 * L * L * L / (3 * EA), 3e-6);
}

/// A cable of `elements` from the origin along e, of `dim` dimensions.
Cable add_line(ModelBuilder& b, int elements, double length, std::span<const double> e) {
  Cable c;
  for (int i = 0; i <= elements; ++i) {
    const int node = b.node();
    std::vector<double> X(e.begin(), e.end());
    c.g.push_back(-1);
    for (double& x : X) x *= length * i / elements;
    c.r.push_back(b.slot(fmt::format("r{}", i), SlotKind::point, X, node));
    c.g.back() = b.slot(fmt::format("g{}", i), SlotKind::vector, e, node);
  }
  const double p[] = {2000, 0.0186, 0.12, length / elements, 1e-4, 1e-2};
  for (int i = 0; i < elements; ++i)
    b.item(b.dim() == 2 ? "ancf_cable_2d" : "ancf_cable_3d", array{c.r[i], c.g[i], c.r[i + 1], c.g[i + 1]}, p,
           array{0, 0, 1, 0}, fmt::format("element {}", i));
  return c;
}

// The planar cable's pendulum in a plane of space that is no coordinate plane.
TEST(AncfCable3d, MovesInAPlaneAsThePlanarCable) {
  const double e1[] = {0.48, 0.64, 0.6}, e2[] = {-0.8, 0.6, 0}, along[] = {1, 0};
  ModelBuilder plane(2), space(3);
  const Cable c2 = add_line(plane, 4, 0.5, along), c3 = add_line(space, 4, 0.5, e1);
  plane.fix(c2.r[0], "pin");
  space.fix(c3.r[0], "pin");
  plane.gravity(array{0.0, -9.81}, plane.constant_signal());
  space.gravity(array{-9.81 * e2[0], -9.81 * e2[1], -9.81 * e2[2]}, space.constant_signal());
  Simulation a(plane.build()), b(space.build());
  GeneralizedAlpha<double> first(a.system, NewmarkFamily::generalized_alpha(0.9), {.tolerance = 1e-13});
  GeneralizedAlpha<double> second(b.system, NewmarkFamily::generalized_alpha(0.9), {.tolerance = 1e-13});
  ASSERT_TRUE(first.start(a.state) && second.start(b.state));
  for (int k = 1; k <= 400; ++k) {
    ASSERT_TRUE(first.step(a.state, 1e-3 * k).converged);
    ASSERT_TRUE(second.step(b.state, 1e-3 * k).converged);
    for (const int node : {1, 2, 4})
      for (int i = 0; i < 3; ++i)
        ASSERT_NEAR(b.q(c3.r[node], i), a.q(c2.r[node], 0) * e1[i] + a.q(c2.r[node], 1) * e2[i], 1e-10) << k;
  }
  EXPECT_LT(a.q(c2.r[4], 1), -0.3) << "it has swung";
}

// A mass on a rod, and a damped cable on the mass, thrown out of their plane: energy and losses balance with order two.
TEST(AncfCable3d, DoublePendulumOfRodAndCableBalancesItsEnergy) {
  double gap[2];
  for (int k = 0; k < 2; ++k) {
    ModelBuilder b(3);
    const double e[] = {0.6, 0, -0.8}, down[] = {0, 0, 0};
    const Cable cable = add_line(b, 3, 0.5, e);
    const int hook = b.slot("hook", SlotKind::point, array{-1.0, 0.0, 0.0});
    b.fix(hook, "ground");
    b.item<Distance3d>({hook, cable.r[0], b.multiplier("rod")}, {.length = 1.0}, "rod");
    b.item<PointMass3d>({cable.r[0]}, {.m = 0.2}, "mass");
    b.set_initial(cable.r[0], down, array{0.0, 1.0, 0.0});
    b.gravity(array{0.0, 0.0, -9.81}, b.constant_signal());
    Simulation s(b.build());
    GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(1.0), {.tolerance = 1e-11});
    ASSERT_TRUE(integrator.start(s.state));
    const auto stored = [&] {
      return s.system.assembler.kinetic_energy(s.state.v.data()) +
             s.system.assembler.potential_energy(s.state.t, s.state.q.data());
    };
    const double start = stored(), h = 1e-3 / (1 << k);
    gap[k] = 0;
    for (int n = 1; n * h <= 0.5; ++n) {
      ASSERT_TRUE(integrator.step(s.state, h * n).converged);
      gap[k] = std::max(gap[k], std::fabs(stored() - start - s.state.energy.gravity + s.state.energy.dissipated));
    }
    EXPECT_GT(s.state.energy.dissipated, 1e-5);
    EXPECT_GT(std::fabs(s.q(cable.tip(), 1)), 0.05) << "out of the plane";
  }
  EXPECT_LE(gap[0], 1e-2);
  EXPECT_GT(std::log2(gap[0] / gap[1]), 1.5) << gap[0] << " " << gap[1];
}

}  // namespace
}  // namespace flexura::test
