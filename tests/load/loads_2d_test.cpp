// What is special about the planar loads and springs; tangents, lanes and rigid motions are in the suite over all terms.

#include <gtest/gtest.h>

#include <numbers>

#include "flexura/load/distributed_force.hpp"
#include "flexura/load/follower_force.hpp"
#include "flexura/load/node_moment.hpp"
#include "flexura/load/pneumatic_moment.hpp"
#include "flexura/load/spring_damper.hpp"
#include "flexura/load/torsional_spring.hpp"

namespace flexura::test {
namespace {

using std::numbers::pi;
constexpr double zero[8] = {};

Context<double> with(const double& signal) { return {.t = 0, .sig = &signal, .sig_rate = zero}; }

// Work along g = ρ(θ)(cos θ, sin θ): exact M Δθ for any ρ; simplified ∫ M ρ² dθ. Midpoint rule, 1e-6.
TEST(NodeMoment2d, ExactFormWorksMTimesTheAngleWhateverTheLength) {
  const double signal = 2, moment = 0.7;
  for (const auto& [form, expected] :
       {std::pair{NodeMoment2d::Form::exact, 1.4 * 1.5}, std::pair{NodeMoment2d::Form::simplified, 0.0}}) {
    double work = 0, square = 0;
    const int n = 20000;
    const auto g = [&](double s) {
      const double rho = 1 + 0.5 * s;
      return std::array{rho * std::cos(1.5 * s), rho * std::sin(1.5 * s)};
    };
    for (int k = 0; k < n; ++k) {
      const auto a = g(double(k) / n), b = g(double(k + 1) / n), m = g((k + 0.5) / n);
      double f[2];
      NodeMoment2d::residual<double>({moment}, {form}, with(signal), m.data(), zero, f);
      work += f[0] * (b[0] - a[0]) + f[1] * (b[1] - a[1]);
      square += std::pow(1 + 0.5 * (k + 0.5) / n, 2) * 1.5 / n;
    }
    EXPECT_NEAR(work, form == NodeMoment2d::Form::exact ? expected : 1.4 * square, 1e-6);
  }
}

// M = π R² a p, as a pair: no resultant moment.
TEST(PneumaticMoment2d, IsAPairOfMomentsOfPressureTimesAreaTimesArm) {
  const double p = 20e3, x[] = {0.8, 0.1, -0.3, 1.1};
  double f[4];
  PneumaticMoment2d::residual<double>({.radius = 0.006, .arm = 0.009}, {}, with(p), x, zero, f);
  const double M = pi * 0.006 * 0.006 * 0.009 * p;
  EXPECT_NEAR(x[2] * f[3] - x[3] * f[2], M, 1e-15);
  EXPECT_NEAR(x[0] * f[1] - x[1] * f[0], -M, 1e-15);
  EXPECT_NEAR(M, 1.0179e-6 * 20e3, 1e-4 * M) << "the reproductions' factor";
}

// f l/2 at the ends and ± f l²/12 on the gradients, the consistent loads of a straight element.
TEST(DistributedForce2d, HasTheConsistentLoadsOfABeam) {
  const double X[] = {0, 0, 1, 0, 0.5, 0, 1, 0}, signal = 3;
  const DistributedForce2d::Params<double> p{{0.2, -0.4}, 0.5};
  double f[8];
  const auto data = DistributedForce2d::prepare<double>(p, {}, X);
  DistributedForce2d::residual<double>(data, {}, with(signal), X, zero, f);
  const double share[] = {0.25, 0.25 / 12, 0.25, -0.25 / 12};
  for (int a = 0; a < 4; ++a)
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(f[2 * a + i], signal * p.force[i] * share[a], 1e-15) << a;
}

// Per length of the reference: on a curved element the sum is f times the length of the arc.
TEST(DistributedForce2d, ActsPerLengthOfTheReference) {
  const double turn = 0.6, l = 0.5, R = l / turn;
  const double X[] = {0, 0, 1, 0, R * std::sin(turn), R * (1 - std::cos(turn)), std::cos(turn), std::sin(turn)};
  const double signal = 1;
  for (auto frame : {DistributedForce2d::Frame::fixed, DistributedForce2d::Frame::follower}) {
    double f[8];
    const auto data = DistributedForce2d::prepare<double>({{0, 2}, l}, {frame}, X);
    DistributedForce2d::residual<double>(data, {frame}, with(signal), X, zero, f);
    const double sum[] = {f[0] + f[4], f[1] + f[5]};
    if (frame == DistributedForce2d::Frame::fixed) {
      EXPECT_NEAR(sum[0], 0, 1e-15);
      EXPECT_NEAR(sum[1], 2 * l, 2e-4) << "the cubic is 0.9e-4 shorter than the arc";
    } else {  // ∫ 2 n ds = 2 J (r₁ − r₀) exactly, as n ds = J dr
      EXPECT_NEAR(sum[0], -2 * X[5], 2e-4);
      EXPECT_NEAR(sum[1], 2 * X[4], 2e-4);
    }
  }
}

TEST(FollowerForce2d, TurnsWithItsDirectionAndIgnoresItsLength) {
  const double signal = 2;
  for (double length : {0.5, 1.0, 3.0}) {
    const double a = 0.9, x[] = {7, 8, length * std::cos(a), length * std::sin(a)};
    double f[4];
    FollowerForce2d::residual<double>({{3, 4}}, {}, with(signal), x, zero, f);
    EXPECT_NEAR(f[0], 2 * (3 * std::cos(a) - 4 * std::sin(a)), 1e-14);
    EXPECT_NEAR(f[1], 2 * (3 * std::sin(a) + 4 * std::cos(a)), 1e-14);
    EXPECT_EQ(f[2], 0);
    EXPECT_EQ(f[3], 0);
  }
}

TEST(SpringDamper2d, PullsItsPointsTogetherWhenStretchedOrStretching) {
  const double x[] = {1, 1, 4, 5}, v[] = {0, 0, 1, 0};
  double f[4];
  SpringDamper2d::residual<double>({.stiffness = 10, .damping = 2, .free_length = 3}, {}, {}, x, v, f);
  const double pull = 10 * (5 - 3) + 2 * 0.6;
  EXPECT_NEAR(f[0], pull * 0.6, 1e-14);
  EXPECT_NEAR(f[1], pull * 0.8, 1e-14);
  EXPECT_NEAR(f[2], -pull * 0.6, 1e-14);
  EXPECT_NEAR(f[3], -pull * 0.8, 1e-14);
}

// M = k (θ − θ_free) all the way to half a turn on either side, wherever the reference angle is.
TEST(TorsionalSpring2d, IsLinearWithinHalfATurnOfItsFreeAngle) {
  for (double reference : {0.0, 1.0, 3.0, -2.5})
    for (double turn : {0.0, 0.4, -1.0}) {
      const double X[] = {1, 0, 2 * std::cos(reference), 2 * std::sin(reference)};
      const auto data = TorsionalSpring2d::prepare<double>({.stiffness = 5, .damping = 0, .turn = turn}, {}, X);
      for (double excess : {-3.1, -1.0, 0.0, 0.5, 3.1}) {
        const double angle = 0.3 + reference + turn + excess;
        const double x[] = {std::cos(0.3), std::sin(0.3), 1.7 * std::cos(angle), 1.7 * std::sin(angle)};
        double f[4];
        TorsionalSpring2d::residual<double>(data, {}, {}, x, zero, f);
        EXPECT_NEAR(x[2] * f[3] - x[3] * f[2], -5 * excess, 1e-12) << reference << " " << turn << " " << excess;
        EXPECT_NEAR(TorsionalSpring2d::energy<double>(data, {}, {}, x), 2.5 * excess * excess, 1e-12);
      }
    }
}

}  // namespace
}  // namespace flexura::test
