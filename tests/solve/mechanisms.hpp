#pragma once
// Driven mechanisms with closed forms: a planar four-bar and the spatial slider-crank of the benchmarks.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>

#include "flexura/body/point_mass.hpp"
#include "flexura/constraint/offset.hpp"
#include "flexura/model/model_builder.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/mechanism_chains.hpp"

namespace flexura::test {

/// A signal of its own in a fresh set: index of the effective signal.
inline int add_signal(ModelBuilder& b, const Signal& signal) {
  auto set = std::make_shared<SignalSet>();
  set->add("drive", signal);
  EXPECT_TRUE(set->finish().empty());
  b.set_signals(set);
  return b.effective({.signal = 0});
}
/// u = rate (t + 10 s) for an hour: constant speed, no corner near t = 0.
inline Signal constant_speed(double rate) {
  return RampSignal{.from = -10 * rate, .to = 3600 * rate, .start = -10, .duration = 3610};
}

/// Unit vectors of the ground.
inline int ground_vector(ModelBuilder& b, const char* name, std::array<double, 3> x) {
  const int s = b.slot(name, SlotKind::vector, std::span<const double>(x.data(), b.dim()));
  b.fix(s, name);
  return s;
}
/// A massless angle of the direction from p to q (`length` apart) from x towards y.
inline int add_angle(ModelBuilder& b, int x, int y, int p, int q, double length, double start, double penalty) {
  const int D = b.dim();
  std::vector<double> plus(D * D, 0.0), minus(D * D, 0.0);
  for (int i = 0; i < D; ++i) plus[i * D + i] = 1 / length, minus[i * D + i] = -1 / length;
  const int e = b.combination("direction", SlotKind::vector, {D, {{q, plus}, {p, minus}}, {}, {}}, "direction");
  const int theta = b.slot("angle", SlotKind::scalar, std::array{start});
  b.item(D == 2 ? "joint_angle_2d" : "joint_angle_3d", std::array{x, y, e, theta, b.multiplier("hinge.angle")},
         std::array{penalty}, {}, "joint.hinge");
  return theta;
}

/// Crank 1 m, coupler 3 m, rocker 2.5 m, ground 3.2 m; every rod 1 kg per metre. The crank's angle follows a signal.
struct FourBar {
  static constexpr double crank = 1, coupler = 3, rocker = 2.5, ground = 3.2;
  int p, q, theta;
  Model model;

  /// Positions of p and q, q above the ground.
  static std::array<double, 4> closed_form(double theta) {
    const double px = crank * std::cos(theta), py = crank * std::sin(theta);
    const double dx = ground - px, dy = -py, d2 = dx * dx + dy * dy, d = std::sqrt(d2);
    const double along = (d2 + coupler * coupler - rocker * rocker) / (2 * d),
                 up = std::sqrt(coupler * coupler - along * along);
    return {px, py, px + (along * dx - up * dy) / d, py + (along * dy + up * dx) / d};
  }
};
inline FourBar four_bar(const Signal* signal, double start = 0.4, double penalty = 1, double shift = 0) {
  ModelBuilder b(2);
  FourBar out;
  const auto X = FourBar::closed_form(start);
  const int o = b.slot("O", SlotKind::point, std::array{0.0, 0.0});
  const int c = b.slot("C", SlotKind::point, std::array{FourBar::ground, 0.0});
  b.fix(o, "ground"), b.fix(c, "ground");
  const int x = ground_vector(b, "X", {1, 0, 0}), y = ground_vector(b, "Y", {0, 1, 0});
  out.p = b.slot("P", SlotKind::point, std::array{X[0], X[1]});
  out.q = b.slot("Q", SlotKind::point, std::array{X[2], X[3]});
  add_rod(b, o, out.p, FourBar::crank, "crank");
  add_rod(b, out.p, out.q, FourBar::coupler, "coupler");
  add_rod(b, c, out.q, FourBar::rocker, "rocker");
  out.theta = add_angle(b, x, y, o, out.p, FourBar::crank, start, penalty);
  if (signal) {
    LinearForm form{1, {}, {0.0}, {{add_signal(b, *signal), {1.0}}}};
    b.equate(out.theta, form, "joint.hinge.angle");
  }
  if (shift != 0) {
    const std::array p{X[0] + shift, X[1] - 0.5 * shift}, q{X[2] - shift, X[3] + 0.7 * shift}, still{0.0, 0.0};
    b.set_initial(out.p, p, still);
    b.set_initial(out.q, q, still);
  }
  b.gravity(std::array{0.0, -9.81}, b.constant_signal());
  out.model = b.build();
  return out;
}

/// The spatial slider-crank of the IFToMM library: crank 0.08 m about x at (0, 0.1, 0.12), rod 0.3 m, block along x.
/// Crank and rod are slender rods here.
struct SliderCrank {
  static constexpr double crank = 0.08, rod = 0.3, y = 0.1, z = 0.12;
  int p, slider, theta;
  Model model;

  /// Slider's x, its rate and acceleration for θ, θ̇ (θ̈ = 0).
  static std::array<double, 3> closed_form(double theta, double rate) {
    const double py = y - crank * std::sin(theta), pz = z + crank * std::cos(theta);
    const double x = std::sqrt(rod * rod - py * py - pz * pz);
    // x ẋ = −(p_y ṗ_y + p_z ṗ_z) = r θ̇ (p_y cos θ + p_z sin θ) =: g
    const double g = crank * rate * (py * std::cos(theta) + pz * std::sin(theta));
    const double dg =
        crank * rate * rate * (-crank + (-py * std::sin(theta) + pz * std::cos(theta)));  // ṗ = r θ̇ (−cos θ, −sin θ)
    return {x, g / x, (dg - g * g / (x * x)) / x};
  }
};
inline SliderCrank slider_crank(const Signal* signal) {
  ModelBuilder b(3);
  SliderCrank out;
  const double x0 = SliderCrank::closed_form(0, 0)[0];
  const int a = b.slot("A", SlotKind::point, std::array{0.0, SliderCrank::y, SliderCrank::z});
  b.fix(a, "ground");
  const int ex = ground_vector(b, "X", {1, 0, 0}), back = ground_vector(b, "minus Y", {0, -1, 0}),
            up = ground_vector(b, "Z", {0, 0, 1});
  out.p = b.slot("P", SlotKind::point, std::array{0.0, SliderCrank::y, SliderCrank::z + SliderCrank::crank});
  const int block = b.slot("block", SlotKind::point, std::array{x0, 0.0, 0.0});
  out.slider = b.slot("s", SlotKind::scalar, std::array{x0});
  b.equate(block, {3, {{out.slider, {1, 0, 0}}}, {}, {}}, "joint.slide");
  add_rod(b, a, out.p, 0.12, "crank");
  b.item<Offset3d>({a, out.p, ex, b.multiplier("crank.plane")}, {}, "joint.hinge");
  add_rod(b, out.p, block, 0.5, "rod");
  b.item<PointMass3d>({block}, {.m = 2.0}, "block");
  out.theta = add_angle(b, up, back, a, out.p, SliderCrank::crank, 0, 1e-3);
  if (signal) b.equate(out.theta, {1, {}, {0.0}, {{add_signal(b, *signal), {1.0}}}}, "joint.hinge.angle");
  b.gravity(std::array{0.0, 0.0, -9.81}, b.constant_signal());
  out.model = b.build();
  return out;
}

}  // namespace flexura::test
