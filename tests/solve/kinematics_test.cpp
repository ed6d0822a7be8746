// Kinematic analysis and inverse dynamics against closed forms.

#include "flexura/solve/kinematics.hpp"

#include <gtest/gtest.h>

#include "flexura/constraint/distance.hpp"
#include "mechanisms.hpp"

namespace flexura::test {
namespace {

using std::array;

// Closed form of the slider of the spatial slider-crank at constant speed, over five turns.
TEST(Kinematics, SpatialSliderCrankFollowsItsClosedForm) {
  const double rate = 6;
  const Signal angle = constant_speed(rate);
  const SliderCrank m = slider_crank(&angle);
  Simulation<double> s(m.model);
  Kinematics kinematics(s.system);
  KinematicReport report = kinematics.solve(s.state);
  ASSERT_TRUE(report.ok) << report.problem;
  const Assembler<double>& assembler = s.system.assembler;
  std::vector<double> energy, torque;
  const double h = 5e-3;
  for (int k = 0; k <= 1000; ++k) {
    if (k > 0) {
      report = kinematics.step(s.state, k * h);
      ASSERT_TRUE(report.ok) << report.problem;
    }
    const auto [x, v, a] = SliderCrank::closed_form(rate * k * h, rate);
    EXPECT_NEAR(s.q(m.slider, 0), x, 1e-12);
    EXPECT_NEAR(s.v(m.slider, 0), v, 1e-11);
    EXPECT_NEAR(s.state.a[s.at(m.slider, 0)], a, 1e-9);
    const double height = 0.12 * 0.5 * (SliderCrank::z + s.q(m.p, 2)) + 0.5 * 0.5 * s.q(m.p, 2);
    energy.push_back(assembler.kinetic_energy(s.state.v.data()) + 9.81 * height);
    torque.push_back(kinematics.reactions()[s.at(m.theta, 0)]);
  }
  // The drive's power is the rate of the energy: fourth-order differences at 5 ms, h⁴ of the fifth derivative.
  double most = 0, off = 0;
  for (size_t k = 2; k + 2 < energy.size(); ++k) {
    const double power = (8 * (energy[k + 1] - energy[k - 1]) - (energy[k + 2] - energy[k - 2])) / (12 * h);
    most = std::max(most, std::fabs(power));
    off = std::max(off, std::fabs(power - torque[k] * rate));
  }
  EXPECT_GT(most, 1);
  EXPECT_LE(off, 1e-4 * most);
}

TEST(Kinematics, FourBarFollowsItsClosedFormThroughWholeTurns) {
  const Signal angle = constant_speed(3);
  const FourBar m = four_bar(&angle);
  Simulation<double> s(m.model);
  Kinematics kinematics(s.system);
  s.state.t = 0.4 / 3;
  KinematicReport report = kinematics.solve(s.state);
  ASSERT_TRUE(report.ok) << report.problem;
  for (int k = 0; k < 500; ++k) {
    const double t = 0.4 / 3 + 0.02 * k;
    if (k > 0) report = kinematics.step(s.state, t);
    ASSERT_TRUE(report.ok) << report.problem;
    const auto X = FourBar::closed_form(3 * t);
    for (int i : {0, 1}) {
      EXPECT_NEAR(s.q(m.p, i), X[i], 1e-12);
      EXPECT_NEAR(s.q(m.q, i), X[2 + i], 1e-12);
    }
  }
}

TEST(Kinematics, SaysWhatMovesFreely) {
  const FourBar m = four_bar(nullptr);
  Simulation<double> s(m.model);
  Kinematics kinematics(s.system);
  const std::vector<double> q = s.state.q;
  const KinematicReport report = kinematics.solve(s.state);
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.problem.find("= 1 degree of freedom; moves freely: '"), std::string::npos) << report.problem;
  EXPECT_EQ(s.state.q, q);
  const FreedomCount count = count_dof(kinematics.constraints(), *m.model.topology, s.state);
  EXPECT_EQ(count.dof, 1);
  EXPECT_EQ(count.coordinates - count.eliminated - count.multipliers + static_cast<int>(count.redundant.size()),
            count.dof);
  ASSERT_EQ(count.free.size(), 1u);
}

// The rocker held as well as driven: the report names what is held twice or is off.
TEST(Kinematics, SaysWhatIsDrivenTwice) {
  ModelBuilder b(2);
  const int o = b.slot("O", SlotKind::point, array{0.0, 0.0}), q = b.slot("Q", SlotKind::point, array{1.0, 0.0});
  b.fix(o, "ground");
  const int x = ground_vector(b, "X", {1, 0, 0}), y = ground_vector(b, "Y", {0, 1, 0});
  add_rod(b, o, q, 1, "rod");
  const int theta = add_angle(b, x, y, o, q, 1, 0, 1);
  b.equate(theta, {1, {}, {0.0}, {{add_signal(b, constant_speed(1)), {1.0}}}}, "drive");
  const int post = b.slot("post", SlotKind::point, array{2.0, 0.0});
  b.fix(post, "ground");
  b.item<Distance2d>({q, post, b.multiplier("stop")}, {.length = 1.0}, "joint.stop");
  Simulation<double> s(b.build());
  s.state.t = 0.5;
  const KinematicReport report = Kinematics(s.system).solve(s.state);
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.problem.find("cannot close at t = 0.5 s"), std::string::npos) << report.problem;
  EXPECT_NE(report.problem.find("joint."), std::string::npos) << report.problem;
}

}  // namespace
}  // namespace flexura::test
