#pragma once
// Andrews' squeezing mechanism [schiehlen1990, hairer1996]: seven planar bodies, five moving points, 1 degree of freedom.
//
//     Points O, A, B, C fixed; F, E, G, H free. Bodies by two of them:
//     OF (crank, driven)   FE   EBD (E, B; D carries the spring to C)   GE   AG   EH   AH
//
//     7 distances for 8 coordinates. Angles of the source by the directions of the bodies.

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "flexura/constraint/distance.hpp"
#include "flexura/load/node_moment.hpp"
#include "flexura/load/spring_damper.hpp"
#include "flexura/model/model_builder.hpp"

namespace flexura::test {

struct Andrews {
  Model model;
  int O, A, B, F, E, G, H;
};

/// Angles (β, Θ, γ, Φ, δ, Ω, ε) or their rates.
using AndrewsAngles = std::array<double, 7>;

inline constexpr AndrewsAngles andrews_start{
    -0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885884, 0.487364979543842550, -0.222668390165885884,
    1.23054744454982119};
/// At t = 0.03 s, from the test set (good to 1.4e-9).
inline constexpr AndrewsAngles andrews_end{15.81077119629904,  -15.75637105984298, .04082224013073101,
                                           -.5347301163226948, .5244099658805304,  .5347301163226948,
                                           1.048080741042263};
inline constexpr AndrewsAngles andrews_end_rates{1139.920302151208, -1424.379294994111, 11.03291221937134,
                                                 19.29337464421385, .5735699284790808,  -19.29337464421385,
                                                 .3231791658026955};

namespace andrews_data {
inline constexpr double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072, c0 = 4530,
                        l0 = .07785, moment = .033, d = .028, e = .02, rr = .007, ss = .035, zf = .02, zt = .04,
                        u = .04;
}

/// A rigid body of mass m between two points, the second at `length` along the local direction `along` from the first;
/// c: its centre of mass in the frame at the first, J: its moment of inertia about c.
inline void add_planar_body(ModelBuilder& b, const std::string& name, std::array<int, 2> at, double length,
                            std::array<double, 2> along, double m, double J, std::array<double, 2> c) {
  // r = (1 − ξ) s₀ + ξ s₁ + η n, n = J (s₁ − s₀)/L: ξ and η of the centre.
  const double x = (c[0] * along[0] + c[1] * along[1]) / length;
  const double y = -c[0] * along[1] + c[1] * along[0];
  // Second moments; only the polar one acts on a rigid motion.
  const double Jxx = (J / 2) / (length * length) + m * x * x, Jyy = J / 2 + m * y * y, Jxy = m * x * y;
  const double inv = 1 / length;
  const int n = b.combination(name + ".n", SlotKind::vector,
                              {2, {{at[0], {0, inv, -inv, 0}}, {at[1], {0, -inv, inv, 0}}}, {}, {}}, name);
  const std::array parameters{m - 2 * m * x + Jxx, m * x - Jxx, Jxx, m * y - Jxy, Jxy, Jyy};
  b.item("rigid_mass_2d", std::array{at[0], at[1], n}, parameters, {}, name);
  b.item<Distance2d>({at[0], at[1], b.multiplier(name + ".length")}, {.length = length}, name);
}

inline Andrews andrews() {
  using namespace andrews_data;
  const auto [beta, Theta, gamma, Phi, delta, Omega, eps] = andrews_start;
  ModelBuilder b(2);
  Andrews out;
  const int node = b.node();
  const auto fixed = [&](const char* name, double x, double y) {
    const int s = b.slot(name, SlotKind::point, std::array{x, y});
    b.fix(s, name);
    return s;
  };
  const auto free = [&](const char* name, double x, double y) {
    return b.slot(name, SlotKind::point, std::array{x, y}, node);
  };
  out.O = fixed("O", 0, 0), out.A = fixed("A", xa, ya), out.B = fixed("B", xb, yb);
  const int C = fixed("C", xc, yc);
  const double fx = rr * std::cos(beta), fy = rr * std::sin(beta);
  const double ex = fx - d * std::cos(beta + Theta), ey = fy - d * std::sin(beta + Theta);
  out.F = free("F", fx, fy), out.E = free("E", ex, ey);
  out.G = free("G", xa + zt * std::cos(delta), ya + zt * std::sin(delta));
  out.H = free("H", xa + u * std::sin(eps), ya - u * std::cos(eps));
  add_planar_body(b, "OF", {out.O, out.F}, rr, {1, 0}, .04325, 2.194e-6, {.00092, 0});
  add_planar_body(b, "EF", {out.E, out.F}, d, {1, 0}, .00365, 4.410e-7, {.0165, 0});
  add_planar_body(b, "EBD", {out.E, out.B}, ss, {0, 1}, .02373, 5.255e-6, {.01043, .01626});
  add_planar_body(b, "GE", {out.G, out.E}, e, {1, 0}, .00706, 5.667e-7, {.00579, 0});
  add_planar_body(b, "AG", {out.A, out.G}, zt, {1, 0}, .07050, 1.169e-5, {.02308, .00916});
  add_planar_body(b, "HE", {out.H, out.E}, zf, {1, 0}, .00706, 5.667e-7, {.00579, 0});
  add_planar_body(b, "AH", {out.A, out.H}, u, {1, 0}, .05498, 1.912e-5, {.01228, -.00449});
  // D = E + (.02 ex + .017 ey), ey = (B − E)/ss, ex = −J ey.
  const double p = .02 / ss, q = .017 / ss;
  const int D =
      b.combination("D", SlotKind::point, {2, {{out.E, {1 - q, -p, p, 1 - q}}, {out.B, {q, p, -p, q}}}, {}, {}}, "EBD");
  b.item<SpringDamper2d>({D, C}, {.stiffness = c0, .free_length = l0}, "spring");
  const int crank =
      b.combination("crank", SlotKind::vector, {2, {{out.O, {-1, 0, 0, -1}}, {out.F, {1, 0, 0, 1}}}, {}, {}}, "crank");
  b.item<NodeMoment2d>({crank, b.constant_signal()}, {.moment = moment}, "motor");
  out.model = b.build();
  return out;
}

/// Angles modulo 2π and rates at coordinates q and velocities v in q order.
inline void andrews_angles(const Andrews& m, const std::vector<double>& q, const std::vector<double>& v,
                           AndrewsAngles& angle, AndrewsAngles& rate) {
  const auto at = [&](int slot) { return m.model.topology->slots[slot].offset; };
  struct Turn {
    double angle, rate;
  };
  const auto direction = [&](int from, int to) -> Turn {
    const int i = at(from), j = at(to);
    const double x = q[j] - q[i], y = q[j + 1] - q[i + 1], dx = v[j] - v[i], dy = v[j + 1] - v[i + 1];
    return {std::atan2(y, x), (x * dy - y * dx) / (x * x + y * y)};
  };
  constexpr double quarter = std::numbers::pi / 2;
  const Turn of = direction(m.O, m.F), ef = direction(m.E, m.F), eb = direction(m.E, m.B), ag = direction(m.A, m.G),
             ge = direction(m.G, m.E), ah = direction(m.A, m.H), he = direction(m.H, m.E);
  angle = {of.angle, ef.angle - of.angle, eb.angle - quarter, ge.angle + quarter, ag.angle,
           he.angle, ah.angle + quarter};
  rate = {of.rate, ef.rate - of.rate, eb.rate, ge.rate, ag.rate, he.rate, ah.rate};
  angle[3] -= angle[4], rate[3] -= rate[4];
  angle[5] -= angle[6], rate[5] -= rate[6];
}

}  // namespace flexura::test
