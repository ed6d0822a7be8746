// Orders of what remembers, measured: a mass on a spring that relaxes, against a solution of its three equations.

#include <gtest/gtest.h>

#include <cmath>

#include "flexura/integrate/energy_momentum.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/material/prony.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

using std::array;

constexpr double m = 1.3, k = 40, share = 0.6, speed = 1.7;

Simulation<> oscillator(double tau) {
  ModelBuilder b(2);
  const int s = b.slot("s", SlotKind::scalar, array{0.0});
  b.set_initial(s, array{0.0}, array{speed});
  const int p = b.slot("bob", SlotKind::point, array{0.0, 0.0});
  b.equate(p, {2, {{s, {1, 0}}}, {0, 0}, {}}, "line");
  b.item("point_mass_2d", array{p}, array{m}, {}, "bob");
  std::vector<double> numbers{k, 0.0, 0.0, -1e9, 1e9, 0.0, 0.0, 1e-3};
  for (int i = 0; i < most_branches; ++i) numbers.push_back(i == 0 ? share : 0.0);
  for (int i = 0; i < most_branches; ++i) numbers.push_back(i == 0 ? tau : 1.0);
  b.item("viscoelastic_coordinate_spring_2d", array{s}, numbers, array{0}, "rubber");
  return Simulation<>(b.build());
}

struct End {
  double x, v, lost;
};

/// m ẍ = −k (g∞ x + g ε), ε̇ = ẋ − ε/τ, lost: k g ε²/τ, from x = ε = 0 with a speed: by the classical method in steps that leave 1e-13.
End exact(double tau, double end) {
  using Y = std::array<double, 4>;
  const auto rate = [&](const Y& y) {
    const auto [x, v, e, lost] = y;
    return Y{v, -k / m * ((1 - share) * x + share * e), v - e / tau, k * share * e * e / tau};
  };
  const long steps = std::lround(end / std::min(1e-4, tau / 50));
  const double h = end / static_cast<double>(steps);
  Y y{0, speed, 0, 0};
  const auto moved = [&](const Y& by, double share_of_step) {
    Y out = y;
    for (int i = 0; i < 4; ++i) out[i] += share_of_step * h * by[i];
    return out;
  };
  for (long n = 0; n < steps; ++n) {
    const Y a = rate(y), b = rate(moved(a, 0.5)), c = rate(moved(b, 0.5)), d = rate(moved(c, 1));
    for (int i = 0; i < 4; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return {y[0], y[1], y[3]};
}

template <class Method>
End simulated(Method& method, Simulation<>& s, double end, int steps) {
  EXPECT_TRUE(method.start(s.state));
  for (int n = 1; n <= steps; ++n) EXPECT_TRUE(method.step(s.state, end * n / steps).converged) << n;
  return {s.state.q[0], s.state.v[0], s.state.energy.dissipated};
}

struct Family {
  const char* name;
  NewmarkFamily weights;
};
const Family families[] = {{"generalized-alpha, 1", NewmarkFamily::generalized_alpha(1.0)},
                           {"generalized-alpha, 0.8", NewmarkFamily::generalized_alpha(0.8)},
                           {"generalized-alpha, 0", NewmarkFamily::generalized_alpha(0.0)},
                           {"hht, -0.1", NewmarkFamily::hht(-0.1)},
                           {"newmark", NewmarkFamily::newmark()}};

void expect_second_order(const char* name, double tau, const End (&found)[3]) {
  const End right = exact(tau, 1);
  const auto orders = [&](double End::* what) {
    return std::array{std::log2(std::fabs((found[0].*what - right.*what) / (found[1].*what - right.*what))),
                      std::log2(std::fabs((found[1].*what - right.*what) / (found[2].*what - right.*what)))};
  };
  const auto x = orders(&End::x), v = orders(&End::v), lost = orders(&End::lost);
  std::printf("%-24s tau %-6g x %.3f %.3f (%.1e)  v %.3f %.3f  lost %.3f %.3f (%.1e of %.2f J)\n", name, tau, x[0],
              x[1], found[2].x - right.x, v[0], v[1], lost[0], lost[1], found[2].lost - right.lost, right.lost);
  // A branch far faster than the step is a damper, k g τ, at the rate of the step's middle: τ h is left, small as τ.
  EXPECT_NEAR(found[2].x, right.x, tau < 1e-3 ? 2e-5 : 5e-5) << name;
  EXPECT_NEAR(found[2].lost, right.lost, 5e-5) << name;
  if (tau < 1e-3) return;
  EXPECT_NEAR(x[1], 2, 0.1) << name << " " << tau;
  EXPECT_NEAR(v[1], 2, 0.1) << name << " " << tau;
  EXPECT_NEAR(lost[1], 2, 0.1) << name << " " << tau;
}

// Two: the update is exact for a strain that is linear in time, and over a step a smooth strain is that to h² of its second
// derivative, as positions are to the methods themselves.
TEST(OrderWithMemory, IsTwo) {
  for (const double tau : {0.2, 20.0, 1e-4}) {
    for (const Family& family : families) {
      End found[3];
      for (int i = 0; i < 3; ++i) {
        Simulation<> s = oscillator(tau);
        GeneralizedAlpha<double> method(s.system, family.weights, {.tolerance = 1e-13});
        found[i] = simulated(method, s, 1, 200 << i);
      }
      expect_second_order(family.name, tau, found);
    }
    End found[3];
    for (int i = 0; i < 3; ++i) {
      Simulation<> s = oscillator(tau);
      EnergyMomentum method(s.system);
      found[i] = simulated(method, s, 1, 200 << i);
    }
    expect_second_order("energy-momentum", tau, found);
  }
}

// Energy that the oscillator had is stored or lost: exactly with energy-momentum, to the second order otherwise.
TEST(OrderWithMemory, TheBalanceOfEnergyClosesToTheOrderOfTheMethod) {
  const double first = 0.5 * m * speed * speed;
  const auto gap = [&](Simulation<>& s) {
    return s.system.assembler.kinetic_energy(s.state.v.data()) +
           s.system.assembler.potential_energy(s.state.t, s.state.q.data()) + s.state.energy.dissipated - first;
  };
  double gaps[2];
  for (int i = 0; i < 2; ++i) {
    Simulation<> s = oscillator(0.2);
    GeneralizedAlpha<double> method(s.system, NewmarkFamily::generalized_alpha(1.0), {.tolerance = 1e-13});
    simulated(method, s, 1, 200 << i);
    gaps[i] = gap(s);
  }
  std::printf("generalized-alpha: %.2e and %.2e J of %.2f J\n", gaps[0], gaps[1], first);
  EXPECT_LT(std::fabs(gaps[1]), 1e-3 * first);
  EXPECT_GT(std::log2(std::fabs(gaps[0] / gaps[1])), 1.9);
  Simulation<> s = oscillator(0.2);
  EnergyMomentum method(s.system);
  simulated(method, s, 1, 200);
  EXPECT_NEAR(gap(s), 0, 1e-11 * first);
}

}  // namespace
}  // namespace flexura::test
