// Meijaard: robots of trusses beside the same of bodies: the handbook robot, and inverse dynamics of the Delta robot.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "validation/meijaard-truss/cases.hpp"

namespace flexura::detail {
namespace {

using Vector = std::array<double, 3>;

Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector operator*(double c, const Vector& a) { return {c * a[0], c * a[1], c * a[2]}; }
double inner(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector outer(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Largest difference of any component over all samples.
double off(const SceneRun& a, const SceneRun& b, const std::string& sensor) {
  const Series &x = a.of(sensor), &y = b.of(sensor);
  double worst = 0;
  for (size_t c = 0; c < x.x.size(); ++c)
    for (size_t i = 0; i < x.t.size(); ++i) worst = std::max(worst, std::fabs(x.x[c][i] - y.x[c][i]));
  return worst;
}

double largest(const Series& s) {
  double out = 0;
  for (const auto& component : s.x)
    for (const double x : component) out = std::max(out, std::fabs(x));
  return out;
}

/// Path of the platform in delta-robot-path.toml: position, velocity, acceleration.
struct Motion {
  Vector p, v, a;
};
Motion path_at(double t) {
  constexpr double T = 0.5, z0 = -0.18027756377319942;
  const double u = t / T, s = u * u * u * (10 - 15 * u + 6 * u * u), ds = 30 * u * u * (1 - u) * (1 - u) / T,
               dds = 60 * u * (1 - u) * (1 - 2 * u) / (T * T);
  return {{0.06 * s, -0.04 * s, z0 - 0.16 * s * (1 - s)},
          {0.06 * ds, -0.04 * ds, -0.16 * (1 - 2 * s) * ds},
          {0.06 * dds, -0.04 * dds, -0.16 * ((1 - 2 * s) * dds - 2 * ds * ds)}};
}

/// Moments of the cranks by virtual work, from the mass of the arms, rods and platform alone:
///
///     Σ M_i δθ_i = Σ_i (J θ̈_i − m_a g·r′_i) δθ_i + Σ_i f_e·e′_i δθ_i + (m_p (p̈ − g) + Σ f_h)·δp,   d_i·δp = d_i·e′_i δθ_i
///
/// e, h: ends of the rods at the crank and the platform, d = h − e; of both rods of an arm together m, distributed evenly:
/// f_e = m (2 ë + ḧ)/6 − m g/2,  f_h = m (ë + 2 ḧ)/6 − m g/2.
std::array<double, 3> crank_moments(double t) {
  constexpr double L = 0.15, l = 0.35, inwards = -0.15, pivots = 0.2, arm = 0.16, rods = 0.08, platform = 0.15;
  constexpr double along = 0.084375, up = 0.0125, inertia = 0.0004026041666666669 + arm * (along * along + up * up);
  const Vector g{1.5, -0.8, -9.81};
  const Motion m = path_at(t);
  std::array<Vector, 3> d{}, turned{};  // d; e′
  std::array<double, 3> moment{};
  Vector force = platform * (m.a - g);
  for (int i = 0; i < 3; ++i) {
    const double phi = 2 * std::numbers::pi * i / 3;
    const Vector u{std::cos(phi), std::sin(phi), 0}, z{0, 0, 1}, w = outer(z, u);
    const double a = inner(m.p, u) + inwards, b = inner(m.p, w), c = m.p[2];
    const double theta =
        std::atan2(-c, a) - std::acos((a * a + b * b + c * c + L * L - l * l) / (2 * L * std::hypot(a, c)));
    const Vector x = std::cos(theta) * u - std::sin(theta) * z, y = -1.0 * std::sin(theta) * u - std::cos(theta) * z;
    const Vector h = m.p + (inwards + pivots) * u, e = pivots * u + L * x, ep = L * y;
    d[i] = h - e;
    turned[i] = ep;
    const double reach = inner(d[i], ep), rate = inner(d[i], m.v) / reach;
    const Vector de = rate * ep, dd = m.v - de, dep = -1.0 * rate * L * x;
    const double turn = (inner(dd, m.v) + inner(d[i], m.a) - (inner(dd, ep) + inner(d[i], dep)) * rate) / reach;
    const Vector dde = turn * ep + rate * dep;
    const Vector center = along * y + up * x;  // of the arm, its derivative by θ
    moment[i] = inertia * turn - arm * inner(g, center) + inner((rods / 6) * (2.0 * dde + m.a) - (rods / 2) * g, ep);
    force = force + (rods / 6) * (dde + 2.0 * m.a) - (rods / 2) * g;
  }
  // μ with Σ μ_i d_i = force, by Cramer: then force·δp = Σ μ_i d_i·e′_i δθ_i.
  const double det = inner(d[0], outer(d[1], d[2]));
  for (int i = 0; i < 3; ++i)
    moment[i] += inner(force, outer(d[(i + 1) % 3], d[(i + 2) % 3])) / det * inner(d[i], turned[i]);
  return moment;
}

}  // namespace

void handbook_robot(Case& one) {
  one.chosen(
      "lengths of 0.15 m to 0.4 m, trusses of 0.5 kg in the first body, 0.2 kg in the intermediate, 0.04 kg in the "
      "Sarrus linkage, 0.15 kg in "
      "the second body and 0.1 kg in the effector; the two actuators have no mass");
  one.chosen(
      "z rises by 0.1 m and y by 0.08 m within 1 s (smooth steps), gamma is turned by a moment of 3 sin(2 pi t) N m, "
      "beta and alpha follow "
      "0.4 and -0.5 sin(pi t) rad by servos of 60 N m/rad, 6 N m s/rad and 20 N m/rad, 1 N m s/rad; gravity 9.81 "
      "m/s^2");
  one.chosen("rk853, relative tolerance 1e-12: what methods of fixed steps leave is not the models' difference");
  const SceneRun trusses = one.run("handbook-robot", {}, "trusses"),
                 bodies = one.run("handbook-robot-bodies", {}, "bodies");
  // Two angles that servos act on are coordinates with an equation each; seven coordinates are fixed.
  one.quantity("coordinates", trusses.summary.coordinates - 2 + 7, {paper(63, 0)});
  one.quantity("trusses", trusses.summary.multipliers - 2, {paper(53, 0)});
  one.quantity("degrees_of_freedom", std::vector{trusses.summary.degrees_of_freedom, bodies.summary.degrees_of_freedom},
               {closed_form(std::vector{3, 3}, 0)});
  double apart = 0;
  for (const char* name : {"C", "R", "M1", "H1", "N2", "H2", "G", "T2", "U", "V", "W"})
    apart = std::max(apart, off(trusses, bodies, name));
  one.quantity("apart", apart, {closed_form(0, 1e-8)});
  double turned = 0;
  for (const char* name : {"beta", "alpha", "first", "spin"}) turned = std::max(turned, off(trusses, bodies, name));
  one.quantity("angles_apart", turned, {closed_form(0, 1e-8)});
  double forces = 0;
  for (const char* name : {"lift", "push"}) {
    const Series &tension = trusses.of(name), &drive = bodies.of(name);
    for (size_t i = 0; i < drive.t.size(); ++i)
      forces = std::max(forces, std::fabs(tension.x[0][i] + drive.x[0][i]) / largest(drive));
  }
  one.quantity("forces_apart", forces, {closed_form(0, 1e-8)});
  one.finding(
      "The edges G T1 and G T2 of the second body need no truss between them: each pair of pyramids keeps the "
      "direction of one. With it the "
      "linkage would be redundant once.");
}

void delta_inverse_dynamics(Case& one) {
  one.chosen(
      "path of the platform: 60 mm along x, -40 mm along y through a dip of 40 mm in 0.5 s, polynomial of fifth "
      "degree");
  const SceneRun trusses = one.run("delta-robot-path", {}, "path"),
                 bodies = one.run("delta-robot-path-bodies", {}, "path_bodies");
  double apart = 0, closed = 0, most = 0;
  for (int i = 0; i < 3; ++i) {
    const std::string name = fmt::format("moment{}", i + 1);
    apart = std::max(apart, off(trusses, bodies, name));
    const Series& moment = trusses.of(name);
    most = std::max(most, largest(moment));
    for (size_t k = 0; k < moment.t.size(); ++k)
      closed = std::max(closed, std::fabs(moment.x[0][k] - crank_moments(moment.t[k])[i]));
  }
  double strayed = 0;
  const Series& apex = trusses.of("apex");
  for (size_t k = 0; k < apex.t.size(); ++k)
    for (int c = 0; c < 3; ++c)
      strayed = std::max(strayed, std::fabs(apex.x[c][k] - path_at(apex.t[k]).p[c] - (c == 2 ? 0.03 : 0)));
  one.quantity("largest_moment", most);
  one.quantity("moments_apart", apart / most, {closed_form(0, 1e-8)});
  one.quantity("moments_off_virtual_work", closed / most, {closed_form(0, 1e-8)});
  one.quantity("off_path", strayed, {closed_form(0, 1e-9)});
}

}  // namespace flexura::detail
