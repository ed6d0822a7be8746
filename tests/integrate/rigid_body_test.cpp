// Spatial rigid bodies in natural coordinates beside Euler's equations: a free body about its unstable axis, and a heavy
// symmetric top. The reference is a Taylor series of order 24 for ω, R and gravity's direction in body axes; it shares
// nothing with the engine.

#include <gtest/gtest.h>

#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/vector_length.hpp"
#include "flexura/integrate/energy_momentum.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/integrate/runge_kutta.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

using std::array;
using Vector = array<double, 3>;

// ── Reference ────────────────────────────────────────────────────────────────────────────────────────────────────────

/// J ω̇ = Jω × ω + m g l e₃-torque,  γ̇ = γ × ω (γ: the upward direction in body axes),  q̇ = ½ q ω.
struct Euler {
  Vector J;           ///< principal moments about the fixed point (the centre of a free body) [kg m²]
  double moment = 0;  ///< m g l [N m], the centre being at l along the third axis
  Vector w;           ///< body axes [rad/s]
  array<double, 4> quat_xyzw{0, 0, 0, 1};

  /// Columns: the body's axes in space.
  array<Vector, 3> axes() const {
    const auto [x, y, z, s] = quat_xyzw;
    return {Vector{1 - 2 * (y * y + z * z), 2 * (x * y + s * z), 2 * (x * z - s * y)},
            Vector{2 * (x * y - s * z), 1 - 2 * (x * x + z * z), 2 * (y * z + s * x)},
            Vector{2 * (x * z + s * y), 2 * (y * z - s * x), 1 - 2 * (x * x + y * y)}};
  }

  void advance(double time, int steps) {
    constexpr int order = 24;
    const double h = time / steps;
    for (int step = 0; step < steps; ++step) {
      const array<Vector, 3> R = axes();
      double c[10][order + 1] = {};  // ω, γ, q
      for (int i = 0; i < 3; ++i) c[i][0] = w[i], c[3 + i][0] = R[i][2];
      for (int i = 0; i < 4; ++i) c[6 + i][0] = quat_xyzw[i];
      for (int k = 0; k < order; ++k) {
        const auto product = [&](int a, int b) {
          double sum = 0;
          for (int j = 0; j <= k; ++j) sum += c[a][j] * c[b][k - j];
          return sum;
        };
        const double s = 1.0 / (k + 1);
        c[0][k + 1] = s / J[0] * ((J[1] - J[2]) * product(1, 2) + moment * c[4][k]);
        c[1][k + 1] = s / J[1] * ((J[2] - J[0]) * product(2, 0) - moment * c[3][k]);
        c[2][k + 1] = s / J[2] * (J[0] - J[1]) * product(0, 1);
        for (int i = 0; i < 3; ++i) {
          const int j = (i + 1) % 3, l = (i + 2) % 3;
          c[3 + i][k + 1] = s * (product(3 + j, l) - product(3 + l, j));
          c[6 + i][k + 1] = 0.5 * s * (product(9, i) + product(6 + j, l) - product(6 + l, j));
        }
        c[9][k + 1] = -0.5 * s * (product(6, 0) + product(7, 1) + product(8, 2));
      }
      const auto at_end = [&](int a) {
        double sum = 0;
        for (int k = order; k >= 0; --k) sum = sum * h + c[a][k];
        return sum;
      };
      for (int i = 0; i < 3; ++i) w[i] = at_end(i);
      for (int i = 0; i < 4; ++i) quat_xyzw[i] = at_end(6 + i);
    }
  }
};

// ── Model ────────────────────────────────────────────────────────────────────────────────────────────────────────────

struct Body {
  int origin;
  array<int, 3> axis;
  Model model;
};

Vector cross3(const double* a, const double* b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Mass m with its centre at l along the third axis; a free body moves with `velocity`.
Body body(const Euler& e, double m, double l, bool fixed, const Vector& velocity = {}) {
  ModelBuilder b(3);
  Body out{};
  const int node = b.node(), rigidity = b.node();
  const array<Vector, 3> R = e.axes();
  Vector omega{};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) omega[k] += e.w[i] * R[i][k];
  out.origin = b.slot("body", SlotKind::point, Vector{}, node);
  if (fixed) {
    b.fix(out.origin, "pin");
    b.gravity(Vector{0, 0, -9.81}, b.constant_signal());
  } else {
    b.set_initial(out.origin, Vector{}, velocity);
  }
  for (int i = 0; i < 3; ++i) {
    out.axis[i] = b.slot(fmt::format("axis {}", i), SlotKind::vector, R[i], node);
    b.set_initial(out.axis[i], R[i], cross3(omega.data(), R[i].data()));
  }
  const double half = 0.5 * (e.J[0] + e.J[1] + e.J[2]);
  b.item("rigid_mass_3d", array{out.origin, out.axis[0], out.axis[1], out.axis[2]},
         array{m, 0.0, half - e.J[0], 0.0, 0.0, half - e.J[1], m * l, 0.0, 0.0, half - e.J[2]}, {}, "body");
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    b.item<VectorLength3d>({out.axis[i], b.multiplier(fmt::format("length {}", i), rigidity)}, {}, "body");
    b.item<InnerProduct3d>({out.axis[i], out.axis[j], b.multiplier(fmt::format("angle {}", i), rigidity)}, {}, "body");
  }
  out.model = b.build();
  return out;
}

double axes_error(const Simulation<double>& s, const Body& b, const Euler& e) {
  const array<Vector, 3> R = e.axes();
  double worst = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) worst = std::max(worst, std::fabs(s.q(b.axis[i], k) - R[i][k]));
  return worst;
}
/// Σ m_ab s_a × ṡ_b
Vector angular_momentum(Simulation<double>& s) {
  const Topology& t = *s.model.topology;
  std::vector<double> p(t.nq, 0.0);
  s.system.assembler.subtract_mass_times(s.state.v.data(), -1.0, p.data());
  Vector sum{};
  for (const Slot& slot : t.slots) {
    if (slot.size != 3) continue;
    const Vector part = cross3(&s.state.q[slot.offset], &p[slot.offset]);
    for (int k = 0; k < 3; ++k) sum[k] += part[k];
  }
  return sum;
}
double kinetic(Simulation<double>& s) { return s.system.assembler.kinetic_energy(s.state.v.data()); }
double energy_defect(Simulation<double>& s, double before) { return kinetic(s) - before - s.state.energy.gravity; }
double distance(const Vector& a, const Vector& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

/// Turns over about its middle axis every 2 s.
Euler racket() { return {.J = {1, 2, 3}, .w = {0.02, 5, 0.01}}; }
constexpr double racket_time = 4;
/// Leans by 1 rad and precesses with nutation.
Euler top() {
  return {.J = {.2, .2, .05}, .moment = 9.81 * .4, .w = {0, 0, 40}, .quat_xyzw = {std::sin(.5), 0, 0, std::cos(.5)}};
}
constexpr double top_time = 2;

Euler at_end(Euler e, double time) {
  e.advance(time, 400);
  return e;
}

// Series with half the steps agree: the reference's own error.
TEST(RigidBody, ReferenceIsExactToTwelveDigits) {
  for (const auto& [start, time] : {std::pair{racket(), racket_time}, std::pair{top(), top_time}}) {
    Euler a = start, b = start;
    a.advance(time, 400), b.advance(time, 570);
    double flipped = 0;
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(a.quat_xyzw[i], b.quat_xyzw[i], 2e-12);
    for (int i = 0; i < 3; ++i) flipped = std::max(flipped, distance(a.axes()[i], start.axes()[i]));
    EXPECT_GT(flipped, 0.5);
  }
}

struct Errors {
  double axes, energy, momentum;
};

template <class Step>
Errors run(const Euler& start, bool is_top, int steps, bool unsymmetric, Step make) {
  const double time = is_top ? top_time : racket_time;
  const Vector velocity{1, -2, 0.5};
  const Body b = is_top ? body(start, 1, .4, true) : body(start, 2, 0, false, velocity);
  AssemblerOptions options;
  options.unsymmetric = unsymmetric;
  Simulation<double> s(b.model, options);
  auto step = make(s);
  const double before = kinetic(s);
  const Vector L = angular_momentum(s);
  Errors out{};
  for (int k = 1; k <= steps; ++k) {
    EXPECT_TRUE(step(time * k / steps)) << k;
    out.energy = std::max(out.energy, std::fabs(energy_defect(s, before)) / before);
    // Gravity leaves the vertical component.
    const Vector now = angular_momentum(s);
    out.momentum =
        std::max(out.momentum, (is_top ? std::fabs(now[2] - L[2]) : distance(now, L)) / std::hypot(L[0], L[1], L[2]));
  }
  out.axes = axes_error(s, b, at_end(start, time));
  for (int k = 0; k < 3 && !is_top; ++k) EXPECT_NEAR(s.q(b.origin, k), velocity[k] * time, 1e-10);
  return out;
}

Errors with_runge_kutta(const Euler& start, bool is_top, double tolerance) {
  return run(start, is_top, 20, false, [&](Simulation<double>& s) {
    auto integrator = std::make_shared<RungeKutta>(
        s.system, RungeKuttaOptions{.relative = tolerance, .absolute_q = tolerance, .absolute_v = tolerance});
    EXPECT_TRUE(integrator->start(s.state));
    return [integrator, &s](double t) { return integrator->advance(s.state, t).converged; };
  });
}
Errors with_energy_momentum(const Euler& start, bool is_top, int steps) {
  return run(start, is_top, steps, true, [&](Simulation<double>& s) {
    auto integrator = std::make_shared<EnergyMomentum>(s.system);
    EXPECT_TRUE(integrator->start(s.state));
    return [integrator, &s](double t) { return integrator->step(s.state, t).converged; };
  });
}
Errors with_generalized_alpha(const Euler& start, bool is_top, int steps) {
  return run(start, is_top, steps, false, [&](Simulation<double>& s) {
    auto integrator = std::make_shared<GeneralizedAlpha<double>>(s.system, NewmarkFamily::generalized_alpha(0.9),
                                                                 NewtonOptions{.tolerance = 1e-11});
    EXPECT_TRUE(integrator->start(s.state));
    return [integrator, &s](double t) { return integrator->step(s.state, t).converged; };
  });
}

std::string text(const Errors& e) { return fmt::format("{:.1e} {:.1e} {:.1e}", e.axes, e.energy, e.momentum); }

// The unstable axis amplifies errors by e^{2.9 t}: 1e5 in 4 s.
TEST(RigidBody, EighthOrderFollowsEulersEquations) {
  for (bool is_top : {false, true}) {
    const Errors e = with_runge_kutta(is_top ? top() : racket(), is_top, 1e-12);
    RecordProperty(is_top ? "top" : "racket", text(e));
    EXPECT_LE(e.axes, 1e-8);
    EXPECT_LE(e.energy, 1e-10);
    EXPECT_LE(e.momentum, 1e-10);
  }
}

TEST(RigidBody, EnergyMomentumKeepsBothAndIsSecondOrder) {
  for (bool is_top : {false, true}) {
    const Euler start = is_top ? top() : racket();
    const Errors a = with_energy_momentum(start, is_top, 8000), b = with_energy_momentum(start, is_top, 16000);
    RecordProperty(is_top ? "top" : "racket", text(a) + "; " + text(b));
    EXPECT_NEAR(std::log2(a.axes / b.axes), 2, 0.15);
    for (const Errors& e : {a, b}) {
      EXPECT_LE(e.energy, 1e-10);
      EXPECT_LE(e.momentum, 1e-10);
    }
    const Errors coarse = with_energy_momentum(start, is_top, 200);
    EXPECT_LE(coarse.energy, 1e-10) << "whatever h is";
    EXPECT_LE(coarse.momentum, 1e-10);
  }
}

TEST(RigidBody, GeneralizedAlphaIsSecondOrder) {
  for (bool is_top : {false, true}) {
    const Euler start = is_top ? top() : racket();
    const Errors a = with_generalized_alpha(start, is_top, 8000), b = with_generalized_alpha(start, is_top, 16000);
    RecordProperty(is_top ? "top" : "racket", text(a) + "; " + text(b));
    EXPECT_NEAR(std::log2(a.axes / b.axes), 2, 0.15);
  }
}

}  // namespace
}  // namespace flexura::test
