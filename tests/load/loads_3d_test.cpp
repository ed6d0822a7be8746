// What is special about the loads that turn with parts in space; tangents, lanes and resultants are in the suite.

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "flexura/load/distributed_force_3d.hpp"
#include "flexura/load/follower_force.hpp"
#include "flexura/load/follower_force_3d.hpp"
#include "flexura/load/pneumatic_moment.hpp"
#include "flexura/load/pneumatic_moment_3d.hpp"

namespace flexura::test {
namespace {

using std::numbers::pi;
using Vec3 = Vec<3, double>;
constexpr double zero[40] = {};

Context<double> with(const double& signal) { return {.t = 0, .sig = &signal, .sig_rate = zero}; }

/// A right-handed frame in no special direction.
struct Turned {
  Vec3 x, y, z;
  explicit Turned(unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> number;
    const auto vector = [&] { return Vec3{number(random), number(random), number(random)}; };
    x = vector();
    x = x / norm(x);
    z = cross(x, vector());
    z = z / norm(z);
    y = cross(z, x);
  }
  Vec3 operator()(double a, double b, double c = 0) const { return a * x + b * y + c * z; }
  Vec3 operator()(const Vec3& v) const { return (*this)(v[0], v[1], v[2]); }
};
/// Planar numbers (n vectors) laid in the frame.
std::vector<double> laid(const Turned& frame, const double* planar, int n) {
  std::vector<double> out(3 * n);
  for (int k = 0; k < n; ++k) frame(planar[2 * k], planar[2 * k + 1]).store(&out[3 * k]);
  return out;
}
void expect_laid(const Turned& frame, const double* planar, const double* spatial, int n) {
  for (int k = 0; k < n; ++k) {
    const Vec3 expected = frame(planar[2 * k], planar[2 * k + 1]);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(spatial[3 * k + i], expected[i], 1e-14) << k << " " << i;
  }
}

// A planar problem in any plane of space has the planar forces; the length of the normal does not matter.
TEST(LoadsOfSpace, ArePlanarLoadsInEveryPlane) {
  const double signal = 1.7;
  for (unsigned seed = 1; seed < 6; ++seed) {
    const Turned frame(seed);
    const Vec3 normal = 2.5 * frame.z;
    const double at[] = {7, 8, 0.6, -1.1}, line[] = {0, 0, 1, 0.2, 0.4, 0.3, 0.5, 0.9}, ends[] = {0.8, 0.1, -0.3, 1.1};
    double f2[8], f3[12];
    FollowerForce2d::residual<double>({{3, 4}}, {}, with(signal), at, zero, f2);
    FollowerForce3d::residual<double>({{3, 4, 0}, normal}, {}, with(signal), laid(frame, at, 2).data(), zero, f3);
    expect_laid(frame, f2, f3, 2);
    for (const auto mode : {DistributedForce2d::Frame::fixed, DistributedForce2d::Frame::follower}) {
      const bool fixed = mode == DistributedForce2d::Frame::fixed;
      const auto planar = DistributedForce2d::prepare<double>({{0.2, -0.4}, 0.5}, {mode}, line);
      const std::vector<double> x = laid(frame, line, 4);
      const auto spatial = DistributedForce3d::prepare<double>(
          {fixed ? frame(0.2, -0.4) : Vec3{0.2, -0.4, 0}, 0.5, normal}, {mode}, x.data());
      DistributedForce2d::residual<double>(planar, {mode}, with(signal), line, zero, f2);
      DistributedForce3d::residual<double>(spatial, {mode}, with(signal), x.data(), zero, f3);
      expect_laid(frame, f2, f3, 4);
    }
    PneumaticMoment2d::residual<double>({.radius = 0.1, .arm = 0.3}, {}, with(signal), ends, zero, f2);
    PneumaticMoment3d::residual<double>({.radius = 0.1, .arm = 0.3, .angle = 0, .normal = normal}, {}, with(signal),
                                        laid(frame, ends, 2).data(), zero, f3);
    expect_laid(frame, f2, f3, 2);
  }
}

/// Three nodes of a beam: r, d1, d2, d3 each, turned by small angles against each other.
std::vector<double> bent_beam(const Turned& frame, double turn) {
  std::vector<double> x(36);
  for (int a = 0; a < 3; ++a) {
    const double c = std::cos(turn * a), s = std::sin(turn * a);
    frame(0.3 * a, 0.02 * a * a).store(&x[12 * a]);
    frame(0, 0, 1).store(&x[12 * a + 3]);  // d1 along z
    frame(s, -c).store(&x[12 * a + 6]);    // d2 = d3 x d1
    frame(c, s).store(&x[12 * a + 9]);     // d3 along the line
  }
  return x;
}

// Whatever the direction in space: forces turn with the beam.
TEST(LoadsOfSpace, TurnWithABeam) {
  const double signal = 2;
  const Turned one(3), other(4);
  const std::vector<double> a = bent_beam(one, 0.3), b = bent_beam(other, 0.3);
  const auto turned = [&](const double* f) {  // from one frame to the other
    const Vec3 v = Vec3::load(f);
    return other(dot(v, one.x), dot(v, one.y), dot(v, one.z));
  };
  const auto compare = [&](const double* fa, const double* fb, int vectors) {
    for (int k = 0; k < vectors; ++k) {
      const Vec3 expected = turned(fa + 3 * k);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(fb[3 * k + i], expected[i], 1e-14) << k;
    }
  };
  double fa[36], fb[36];
  const DistributedForceBeam3d::Options follower{DistributedForce2d::Frame::follower};
  const DistributedForceBeam3d::Params<double> force{{1, 2, 3}};
  DistributedForceBeam3d::residual<double>(DistributedForceBeam3d::prepare<double>(force, follower, a.data()), follower,
                                           with(signal), a.data(), zero, fa);
  DistributedForceBeam3d::residual<double>(DistributedForceBeam3d::prepare<double>(force, follower, b.data()), follower,
                                           with(signal), b.data(), zero, fb);
  compare(fa, fb, 12);
  const auto directors = [](const std::vector<double>& x) {
    std::vector<double> out;
    for (int n = 0; n < 3; ++n) out.insert(out.end(), x.begin() + 12 * n + 3, x.begin() + 12 * n + 12);
    return out;
  };
  const auto chamber = PneumaticMomentBeam3d::prepare<double>({.radius = 0.5, .arm = 0.3, .angle = 0.4}, {}, nullptr);
  PneumaticMomentBeam3d::residual<double>(chamber, {}, with(signal), directors(a).data(), zero, fa);
  PneumaticMomentBeam3d::residual<double>(chamber, {}, with(signal), directors(b).data(), zero, fb);
  compare(fa, fb, 9);
}

// Along a straight beam a pair of moments at its ends, nothing between: p A c x d3 at the far one.
TEST(PneumaticMomentBeam3d, IsAPairOfEndMomentsOnAStraightBeam) {
  const double p = 20e3, angle = 0.4;
  const Turned frame(7);
  const std::vector<double> x = bent_beam(frame, 0);
  std::vector<double> d;
  for (int n = 0; n < 3; ++n) d.insert(d.end(), x.begin() + 12 * n + 3, x.begin() + 12 * n + 12);
  double f[27];
  const auto data =
      PneumaticMomentBeam3d::prepare<double>({.radius = 0.006, .arm = 0.009, .angle = angle}, {}, nullptr);
  PneumaticMomentBeam3d::residual<double>(data, {}, with(p), d.data(), zero, f);
  const Vec3 d1 = Vec3::load(&d[0]), d2 = Vec3::load(&d[3]), d3 = Vec3::load(&d[6]);
  const Vec3 moment = (pi * 0.006 * 0.006 * p * 0.009) * cross(std::cos(angle) * d1 + std::sin(angle) * d2, d3);
  for (int node = 0; node < 3; ++node) {
    Vec3 sum{0, 0, 0};
    for (int k = 0; k < 3; ++k) sum += cross(Vec3::load(&d[9 * node + 3 * k]), Vec3::load(f + 9 * node + 3 * k));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(sum[i], (node - 1) * moment[i], 1e-16) << node;
  }
}

// f L/6, 2 f L/3, f L/6: the consistent loads of three nodes; along d3, d1, d2.
TEST(DistributedForceBeam3d, HasTheConsistentLoadsOfABeam) {
  const Turned frame(9);
  std::vector<double> x = bent_beam(frame, 0);
  for (int a = 0; a < 3; ++a) frame(0.3 * a, 0).store(&x[12 * a]);
  const double signal = 1, share[] = {0.1, 0.4, 0.1};
  double f[36];
  const DistributedForceBeam3d::Options follower{DistributedForce2d::Frame::follower};
  const auto data = DistributedForceBeam3d::prepare<double>({{1, 2, 3}}, follower, x.data());
  DistributedForceBeam3d::residual<double>(data, follower, with(signal), x.data(), zero, f);
  const Vec3 force = frame(1, -3, 2);  // d1 = z, d2 = -y of the frame
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(f[12 * a + i], share[a] * force[i], 1e-15) << a;
}

}  // namespace
}  // namespace flexura::test
