// A closed gas chamber: edges of planar cables, one gas, one shared pressure.

#include <gtest/gtest.h>

#include <numbers>

#include "flexura/element/ancf_cable_2d.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/load/chamber_2d.hpp"
#include "flexura/load/chamber_gas.hpp"
#include "flexura/math/block_graph.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

using std::array;
using std::numbers::pi;

struct Ring {
  double radius = 0.1, depth = 0.02;
  int elements = 16;
  Section section{.EA = 400, .EI = 0.002, .rhoA = 0.05};
  double exponent = 1, overpressure = 0, added = 0;
  double x = 0, y = 0;  ///< of the centre
  bool held = true;     ///< where it touches the X axis; else free
  bool clockwise = false;

  double volume() const { return depth * pi * radius * radius; }
};

constexpr double ambient = 1e5;

struct Chamber {
  Cable cable;
  int pressure = -1;
};

/// A ring of cable elements, its chamber inside; the gas is filled in at the reference configuration.
Chamber add_ring(ModelBuilder& b, const Ring& ring, int signal) {
  const int n = ring.elements;
  const double l = 2 * pi * ring.radius / n, turn = ring.clockwise ? -1 : 1;
  Chamber c;
  for (int i = 0; i < n; ++i) {
    const double angle = turn * 2 * pi * i / n;
    const int node = b.node();
    c.cable.r.push_back(b.slot(fmt::format("r{}", i), SlotKind::point,
                               array{ring.x + ring.radius * std::cos(angle), ring.y + ring.radius * std::sin(angle)},
                               node));
    c.cable.g.push_back(
        b.slot(fmt::format("g{}", i), SlotKind::vector, array{-turn * std::sin(angle), turn * std::cos(angle)}, node));
  }
  c.pressure = b.multiplier("pressure");
  const auto& s = ring.section;
  for (int i = 0; i < n; ++i) {
    const int k = (i + 1) % n;
    const std::vector<int>&r = c.cable.r, &g = c.cable.g;
    b.item<AncfCable2d>({r[i], g[i], r[k], g[k]}, {.EA = s.EA, .EI = s.EI, .rhoA = s.rhoA, .length = l},
                        fmt::format("cable {}", i));
    b.item<ChamberEdge2d>({r[i], g[i], r[k], g[k], c.pressure}, {.length = l, .depth = ring.depth},
                          {.side = ring.clockwise ? ChamberEdge2d::Side::right : ChamberEdge2d::Side::left},
                          fmt::format("edge {}", i));
  }
  b.item<ChamberGas>({c.pressure, signal},
                     {.volume = ring.volume(),
                      .exponent = ring.exponent,
                      .ambient = ambient,
                      .overpressure = ring.overpressure,
                      .added = ring.added},
                     "gas");
  if (ring.held) {
    b.relate({1, {{c.cable.r[0], {0, 1}}}, {-ring.y}, {}}, "hold");
    b.relate({1, {{c.cable.r[n / 2], {0, 1}}}, {-ring.y}, {}}, "hold");
    b.relate({1, {{c.cable.r[n / 4], {1, 0}}}, {-ring.x}, {}}, "hold");
  }
  return c;
}

/// p d R = EA ε λ, ε = (λ² − 1)/2, and P (λ² V₀)ⁿ = P₀ V₀ⁿ (1 + added)ⁿ: λ by bisection.
double stretch(const Ring& ring) {
  double low = 0.5, high = 10;
  for (int k = 0; k < 200; ++k) {
    const double x = 0.5 * (low + high);
    const double p = (ambient + ring.overpressure) * std::pow((1 + ring.added) / (x * x), ring.exponent) - ambient;
    const double hoop = ring.section.EA * 0.5 * (x * x - 1) / (ring.depth * ring.radius);
    (p > hoop ? low : high) = x;
  }
  return low;
}

// The ring of Hermite cubics is not quite a circle: fourth order, 2.4e-6 at 16 elements.
TEST(Chamber2d, APressurisedRingHasTheStretchOfTheHoopFormula) {
  double before = 0;
  for (int elements : {8, 16, 32}) {
    Ring ring{.elements = elements, .exponent = 1.4, .overpressure = 2e4, .added = 0.3};
    ModelBuilder b(2);
    const Chamber c = add_ring(b, ring, b.constant_signal());
    Simulation<double> s(b.build());
    StaticSolver statics(s.system, {});
    const StaticReport report = statics.solve(s.state);
    ASSERT_TRUE(report.converged);
    const double expected = stretch(ring), x0 = s.q(c.cable.r[0], 0), x1 = s.q(c.cable.r[elements / 2], 0);
    const double error = std::fabs((x0 - x1) / (2 * ring.radius) / expected - 1);
    RecordProperty(fmt::format("error_{}", elements), fmt::format("{:.2e}", error));
    RecordProperty(fmt::format("iterations_{}", elements), report.iterations);
    if (before > 0) {
      EXPECT_LE(error, before / 12);
    }
    before = error;
    if (elements == 16) {
      EXPECT_LE(error, 3e-6);
      const double hoop = ring.section.EA * 0.5 * (expected * expected - 1) / (ring.depth * ring.radius);
      EXPECT_NEAR(s.q(c.pressure, 0), hoop, 1e-4 * hoop);
    }
  }
}

TEST(Chamber2d, TheSenseOfTheContourDoesNotMatter) {
  array<double, 2> p{};
  for (int k = 0; k < 2; ++k) {
    Ring ring{.overpressure = 3e4, .clockwise = k == 1};
    ModelBuilder b(2);
    const Chamber c = add_ring(b, ring, b.constant_signal());
    Simulation<double> s(b.build());
    ASSERT_TRUE(StaticSolver(s.system, {}).solve(s.state).converged);
    p[k] = s.q(c.pressure, 0);
  }
  EXPECT_NEAR(p[0], p[1], 1e-9 * p[0]);
  EXPECT_GT(p[0], 1e3);
}

// Around a closed contour the pressure has no resultant, wherever the ring is; and moving it changes no volume. What is
// left is rounding: 1e-16 of the forces times the distance from the origin over the size of the ring.
TEST(Chamber2d, AClosedContourHasNoResultantAndItsVolumeMovesWithIt) {
  for (double away : {0.0, 10.0}) {
    Ring ring{.elements = 7, .section = {.EA = 0, .EI = 0, .rhoA = 1}, .x = away, .y = -away, .held = false};
    ModelBuilder b(2);
    const Chamber c = add_ring(b, ring, b.constant_signal());
    Simulation<double> s(b.build());
    std::vector<double> q = s.state.q;
    for (size_t i = 0; i < q.size(); ++i) q[i] += 0.03 * std::sin(7.0 * i + 1);
    const int p = s.at(c.pressure, 0);
    q[p] = 2e4;
    const auto forces = [&](const std::vector<double>& at) {
      std::vector<double> f(s.system.assembler.residual_size());
      s.system.assembler.residual(0, at.data(), s.state.v.data(), f.data());
      return f;
    };
    const std::vector<double> f = forces(q);
    double sum[2] = {0, 0}, moment = 0, size = 0;
    for (int i = 0; i < ring.elements; ++i)
      for (int slot : {c.cable.r[i], c.cable.g[i]}) {
        const int k = s.at(slot, 0);
        if (slot == c.cable.r[i]) sum[0] += f[k], sum[1] += f[k + 1];
        moment += q[k] * f[k + 1] - q[k + 1] * f[k];
        size = std::max({size, std::fabs(f[k]), std::fabs(f[k + 1])});
      }
    const double rounding = 1e-14 * (1 + away / ring.radius) * size;
    EXPECT_GT(size, 1);
    EXPECT_NEAR(sum[0], 0, rounding);
    EXPECT_NEAR(sum[1], 0, rounding);
    EXPECT_NEAR(moment, 0, rounding * (1 + away));
    std::vector<double> moved = q;
    const double cos = std::cos(0.7), sin = std::sin(0.7);
    for (int i = 0; i < ring.elements; ++i)
      for (int slot : {c.cable.r[i], c.cable.g[i]}) {
        const int k = s.at(slot, 0);
        const double shift = slot == c.cable.r[i] ? 0.5 : 0;
        moved[k] = cos * q[k] - sin * q[k + 1] + shift;
        moved[k + 1] = sin * q[k] + cos * q[k + 1] - shift;
      }
    EXPECT_GT(std::fabs(f[p]), 1e-6);
    EXPECT_NEAR(forces(moved)[p], f[p], 1e-15 * (1 + away * away));
  }
}

// Two walls and a cable that bulges: ½ ∮ r × dr of the half disc, to the third order of the cable.
TEST(Chamber2d, WallsCloseAContour) {
  const ChamberWall2d::Params<double> p{0.5};
  const double X[] = {0, 0, 2, 0}, moved[] = {1, 1, 3, 2, 1e3};
  const auto data = ChamberWall2d::prepare<double>(p, {}, X);
  double r[5], signal = 0;
  ChamberWall2d::residual<double>(data, {}, Context<double>{0, &signal, &signal}, moved, moved, r);
  EXPECT_DOUBLE_EQ(r[4], 0.5 * 0.5 * (1 * 2 - 1 * 3));  // depth · ½ r₀ × r₁
  EXPECT_DOUBLE_EQ(r[0], 1e3 * 0.5 * 0.5 * 2);
}

TEST(ChamberGas, HasNoPressureThatLeavesItsDomain) {
  const ChamberGas::Params<double> p{1e-3, 1.4, 1e5, 0, 0};
  const double signal = 1;
  const Context<double> c{0, &signal, &signal};
  double last = 1e300;
  for (double over = -2e5; over <= 5e5; over += 500) {
    const auto law = ChamberGas::law(p, c, over);
    EXPECT_TRUE(std::isfinite(law.volume) && law.slope < 0);
    EXPECT_LT(law.volume, last);
    last = law.volume;
  }
  EXPECT_DOUBLE_EQ(ChamberGas::law(p, c, 0.0).volume, 1e-3);
}

/// Breathing and ovalling of a free ring of gas; returns position of node 0 and the total energy at its extremes.
struct Motion {
  double x = 0, pressure = 0, energy_range = 0, account_range = 0, energy = 0;
};
Motion swing(double h, double end, double exponent = 1.4) {
  Ring ring{.exponent = exponent, .overpressure = 2e4, .held = false};
  ModelBuilder b(2);
  const Chamber c = add_ring(b, ring, b.constant_signal());
  for (int i = 0; i < ring.elements; ++i) {  // the pressure is not in balance, and an ovalling velocity
    const double angle = 2 * pi * i / ring.elements;
    b.set_initial(c.cable.r[i], b.reference(c.cable.r[i]), array{0.8 * std::cos(angle), -0.8 * std::sin(angle)});
  }
  Simulation<double> s(b.build());
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(1.0), {.tolerance = 1e-11});
  EXPECT_TRUE(integrator.start(s.state));
  Motion m;
  double low = 1e300, high = -1e300, low_account = 1e300, high_account = -1e300;
  const int steps = static_cast<int>(std::lround(end / h));
  const ChamberGas::Params<double> gas{ring.volume(), exponent, ambient, ring.overpressure, 0};
  for (int k = 0; k <= steps; ++k) {
    if (k > 0) {
      EXPECT_TRUE(integrator.step(s.state, h * k).converged) << "step " << k;
    }
    const auto& a = s.system.assembler;
    const double elastic = a.potential_energy(s.state.t, s.state.q.data()),
                 kinetic = a.kinetic_energy(s.state.v.data());
    const double total = elastic + kinetic + ChamberGas::stored(gas, s.q(c.pressure, 0));
    low = std::min(low, total), high = std::max(high, total);
    const double account = elastic + kinetic - s.state.energy.loads;
    low_account = std::min(low_account, account), high_account = std::max(high_account, account);
    m.energy = std::max(m.energy, kinetic);
  }
  m.x = s.q(c.cable.r[0], 0);
  m.pressure = s.q(c.pressure, 0);
  m.energy_range = high - low, m.account_range = high_account - low_account;
  return m;
}

// Second order of the integrator (ρ = 1): errors fall by four when h is halved, the energy of gas, cable and motion is
// kept to the same order, and nothing of the gas depends on the step by itself.
TEST(Chamber2d, MotionConvergesWithTheStepAndKeepsItsEnergy) {
  const double end = 0.02;
  const Motion fine = swing(6.25e-6, end), a = swing(5e-5, end), b = swing(2.5e-5, end);
  const double ratio = std::fabs(a.x - fine.x) / std::fabs(b.x - fine.x);
  RecordProperty("x", fmt::format("{:.9g} {:.9g} {:.9g}", a.x, b.x, fine.x));
  RecordProperty("energy", fmt::format("{:.3e} {:.3e} {:.3e} of {:.3e}", a.energy_range, b.energy_range,
                                       fine.energy_range, fine.energy));
  EXPECT_NEAR(ratio, 4.0 * (1 - 1.0 / 64) / (1 - 1.0 / 16), 0.6);
  EXPECT_LE(std::fabs(a.pressure - fine.pressure), 1e-3 * ambient);
  EXPECT_NEAR(a.energy_range / b.energy_range, 4, 0.8);
  EXPECT_LE(fine.energy_range, 1e-3 * fine.energy);
  EXPECT_LE(fine.account_range, 1e-3 * fine.energy);
}

// The pressure's own row determines it: whatever it was before, the start of a motion finds that of the gas at rest.
TEST(Chamber2d, StartFindsThePressureOfTheGas) {
  for (double overpressure : {0.0, 2e4, 3e6}) {
    Ring ring{.exponent = 1.4, .overpressure = overpressure, .held = false};
    ModelBuilder b(2);
    const Chamber c = add_ring(b, ring, b.constant_signal());
    b.set_initial(c.pressure, array{-3e4}, array{0.0});
    Simulation<double> s(b.build());
    GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {});
    ASSERT_TRUE(integrator.start(s.state));
    EXPECT_NEAR(s.q(c.pressure, 0), overpressure, 1e-9 * (ambient + overpressure));
    // p d l of an element on its ρA l, radially
    EXPECT_NEAR(s.state.a[s.at(c.cable.r[0], 0)], overpressure * ring.depth / ring.section.rhoA,
                1e-3 * (1 + overpressure * ring.depth / ring.section.rhoA));
  }
}

// Statics gives the same whatever the load steps, as the gas has no memory.
TEST(Chamber2d, StaticResultDoesNotDependOnLoadSteps) {
  array<double, 2> x{};
  for (int k = 0; k < 2; ++k) {
    Ring ring{.added = 2.5};
    ModelBuilder b(2);
    const Chamber c = add_ring(b, ring, b.constant_signal());
    Simulation<double> s(b.build());
    StaticOptions options;
    options.first_step = options.largest_step = k == 0 ? 0.25 : 0.02;
    ASSERT_TRUE(StaticSolver(s.system, options).solve(s.state).converged);
    x[k] = s.q(c.pressure, 0);
  }
  EXPECT_NEAR(x[0], x[1], 1e-8 * x[0]);
  EXPECT_GT(x[0], 1e4);
}

// The pressure touches every node and is eliminated last: a ring's factor has a closing block and a pressure block per
// node beside the chain, whatever the number of elements.
TEST(Chamber2d, FactorOfALongRingGrowsWithItsElements) {
  for (int elements : {64, 1024, 16384}) {
    Ring ring{.elements = elements};
    ModelBuilder b(2);
    add_ring(b, ring, b.constant_signal());
    Model m = b.build();
    const Values* values = &m.values;
    const Assembler<double> assembler(m.topology, {&values, 1});
    const CouplingPattern& pattern = assembler.pattern();
    const BlockGraph graph(static_cast<int>(pattern.sizes.size()), pattern.pairs);
    const std::vector<int> order = elimination_order(graph, pattern.multipliers);
    const FactorStructure factor(graph.renumbered(order));
    EXPECT_TRUE(pattern.multipliers[order.back()]) << "the pressure comes last";
    EXPECT_LE(factor.column.size(), 3.01 * elements);
    EXPECT_TRUE(pattern.symmetric);
  }
}

}  // namespace
}  // namespace flexura::test
