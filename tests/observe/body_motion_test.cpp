#include "flexura/observe/body_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "flexura/math/triple.hpp"

namespace flexura {
namespace {

/// A body carried by its origin and its own axes.
struct Carried {
  Topology topology;
  BodyPart body;
  explicit Carried(int dim) {
    topology.dim = dim;
    const int slots = 1 + dim;
    for (int s = 0; s < slots; ++s) {
      topology.slots.push_back({s == 0 ? SlotKind::point : SlotKind::vector, dim, s * dim});
      body.slots.push_back(s);
    }
    body.axes = dim;
    body.weights.assign(static_cast<size_t>(slots) * slots, 0.0);
    for (int s = 0; s < slots; ++s) body.weights[s * slots + s] = 1;
  }
};

/// Origin and axes turned by `angle` about the unit vector n: Rodrigues.
std::vector<double> turned(const Triple& n, double angle) {
  std::vector<double> q{1, 2, 3};
  const double c = std::cos(angle), s = std::sin(angle);
  for (int k = 0; k < 3; ++k) {
    Triple e{};
    e[k] = 1;
    const Triple ne = cross(n, e);
    for (int i = 0; i < 3; ++i) q.push_back(c * e[i] + s * ne[i] + (1 - c) * n[k] * n[i]);
  }
  return q;
}

// quat_xyzw = (n sin(φ/2), cos(φ/2)); over two turns it stays continuous, so it ends where it began, not at its negative.
TEST(BodyMotion, QuaternionsFollowTheHalfAngleThroughTwoTurns) {
  const Carried c(3);
  const Triple n{2.0 / 7, -3.0 / 7, 6.0 / 7};
  std::vector<double> last(7, 0.0), out(7);
  for (int k = 0; k <= 400; ++k) {
    const double angle = 4 * std::numbers::pi * k / 400;
    read_frame(c.body, c.topology, turned(n, angle), out, last);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(out[3 + i], n[i] * std::sin(angle / 2), 4e-16 * 8) << k;
    EXPECT_NEAR(out[6], std::cos(angle / 2), 4e-16 * 8) << k;
    last = out;
  }
}

TEST(BodyMotion, PlanarAnglesCountTurns) {
  const Carried c(2);
  std::vector<double> last(3, 0.0), out(3);
  for (int k = 0; k <= 100; ++k) {
    const double angle = -0.2 * k;
    read_frame(c.body, c.topology, {1, 2, std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle)}, out,
               last);
    EXPECT_NEAR(out[2], angle, 1e-14);
    last = out;
  }
}

// ė = ω × e and ë = α × e + ω × (ω × e) give back ω and α: the centripetal part does not count.
TEST(BodyMotion, TurningGivesAngularVelocityAndAcceleration) {
  const Carried c(3);
  const Triple omega{0.3, -1.7, 2.2}, alpha{-5, 0.4, 1.1};
  const std::vector<double> q = turned({0.6, 0, 0.8}, 0.7);
  std::vector<double> v(12, 0.0), a(12, 0.0);
  for (int k = 1; k <= 3; ++k) {
    const Triple e{q[3 * k], q[3 * k + 1], q[3 * k + 2]}, rate = cross(omega, e);
    const Triple first = cross(alpha, e), second = cross(omega, rate);
    for (int i = 0; i < 3; ++i) v[3 * k + i] = rate[i], a[3 * k + i] = first[i] + second[i];
  }
  const BodyFrame frame = body_frame(c.body, c.topology, q);
  const Triple w = turning(c.body.axes, frame, body_frame(c.body, c.topology, v));
  const Triple b = turning(c.body.axes, frame, body_frame(c.body, c.topology, a));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(w[i], omega[i], 1e-15 * 4);
    EXPECT_NEAR(b[i], alpha[i], 1e-15 * 16);
  }
}

}  // namespace
}  // namespace flexura
