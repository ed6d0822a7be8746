#include "flexura/study/linearise.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "flexura/scene/reader.hpp"
#include "flexura/solve/modes.hpp"

namespace flexura {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Complex = std::complex<double>;

Session session_of(const std::string& text) {
  RunOptions options;
  options.record = false;
  return Session(read_scene_text(text, "linear.toml", scene_terms(), {}), options);
}

Matrix matrix(const std::vector<double>& values, size_t rows) {
  const auto n = static_cast<Eigen::Index>(rows);
  return Eigen::Map<const Matrix>(values.data(), n, n == 0 ? 0 : static_cast<Eigen::Index>(values.size()) / n);
}

size_t place(const std::vector<NamedUnit>& of, const std::string& name) {
  for (size_t k = 0; k < of.size(); ++k)
    if (of[k].name == name) return k;
  ADD_FAILURE() << "no " << name;
  return 0;
}

double entry(const LinearModel& m, const std::string& row, const std::string& column) {
  return m.A[place(m.states, row) * m.states.size() + place(m.states, column)];
}

/// C (iω − A)⁻¹ B + D.
Eigen::MatrixXcd transfer(const LinearModel& m, double frequency) {
  const auto n = static_cast<Eigen::Index>(m.states.size());
  const Eigen::MatrixXcd s = Complex(0, 2 * std::numbers::pi * frequency) * Eigen::MatrixXcd::Identity(n, n);
  const Matrix A = matrix(m.A, m.states.size()), B = matrix(m.B, m.states.size()), C = matrix(m.C, m.outputs.size()),
               D = matrix(m.D, m.outputs.size());
  return C.cast<Complex>() * (s - A.cast<Complex>()).partialPivLu().solve(Eigen::MatrixXcd(B.cast<Complex>())) +
         D.cast<Complex>();
}

/// Of the largest response, how far the sparse matrices are from C (iω − A)⁻¹ B + D.
double apart(const Session& session, const LinearQuestion& question, const std::vector<double>& frequencies) {
  const LinearModel model = linearise(session, question);
  const FrequencyResponses sparse = frequency_response(session, question, frequencies);
  double most = 0, size = 0;
  for (size_t f = 0; f < frequencies.size(); ++f) {
    const Eigen::MatrixXcd H = transfer(model, frequencies[f]);
    for (Eigen::Index c = 0; c < H.rows(); ++c)
      for (Eigen::Index k = 0; k < H.cols(); ++k) {
        const Complex other =
            sparse
                .response[(f * static_cast<size_t>(H.rows()) + static_cast<size_t>(c)) * static_cast<size_t>(H.cols()) +
                          static_cast<size_t>(k)];
        most = std::max(most, std::abs(H(c, k) - other));
        size = std::max(size, std::abs(H(c, k)));
      }
  }
  return most / size;
}

const std::string motion = R"(
[[analysis]]
name = "move"
type = "dynamic"
end = "1 s"
step = "1 ms"
)";

const std::string oscillator = R"(
space = "planar"
gravity = [0, 0]
[point.bob]
position = [0, -1]
[mass.bob_mass]
at = "bob"
m = 2.0
[spring.coil]
type = "linear"
between = [[0, 0], "bob"]
stiffness = 50
damping = 0.4
[signal.push]
type = "input"
[load.force]
type = "force"
at = "bob"
force = [0, 1]
signal = "push"
[sensor.place]
type = "position"
at = "bob"
)" + motion;

TEST(Linearise, OscillatorIsItsEquation) {
  const LinearModel m = linearise(session_of(oscillator));
  EXPECT_EQ(m.states.size(), 4u);
  EXPECT_EQ(m.states[place(m.states, "d(bob.y)/dt")].unit, "m/s");
  EXPECT_NEAR(entry(m, "d(bob.y)/dt", "bob.y"), -25, 1e-12);
  EXPECT_NEAR(entry(m, "d(bob.y)/dt", "d(bob.y)/dt"), -0.2, 1e-13);
  EXPECT_NEAR(m.B[place(m.states, "d(bob.y)/dt")], 0.5, 1e-14);
  // m s² + c s + k; the output is read by differences of sixth order, which leave 1e-11
  const Complex s(0, 2 * std::numbers::pi * 0.7), exact = 1.0 / (2.0 * s * s + 0.4 * s + 50.0);
  EXPECT_LE(std::abs(transfer(m, 0.7)(static_cast<Eigen::Index>(place(m.outputs, "place.y")), 0) - exact),
            1e-10 * std::abs(exact));
  EXPECT_FALSE(m.shifted);
  EXPECT_LE(apart(session_of(oscillator), {.outputs = {"place.y"}}, {0.1, 0.7, 0.8, 3}), 1e-10);
}

std::string pendulum(double x, double y) {
  return fmt::format(R"(
space = "planar"
gravity = [0, -9.81]
[point.bob]
position = [{}, {}]
[mass.bob_mass]
at = "bob"
m = 1.0
[joint.rod]
type = "distance"
of = [[0, 0], "bob"]
[sensor.place]
type = "position"
at = "bob"
)",
                     x, y) +
         motion;
}

// A rod of 2 m: ±√(g/L), imaginary hanging and real standing. One constraint, one coordinate.
TEST(Linearise, PendulumHangsAndStands) {
  const LinearModel hanging = linearise(session_of(pendulum(0, -2))), standing = linearise(session_of(pendulum(0, 2)));
  ASSERT_EQ(hanging.states.size(), 2u);
  EXPECT_EQ(hanging.states[0].name, "bob.x");
  EXPECT_EQ(hanging.constraints, 1);
  const double omega = std::sqrt(9.81 / 2);
  EXPECT_LE(std::abs(poles_of(hanging)[1] - Complex(0, omega)), 1e-12 * omega);
  ASSERT_EQ(standing.states.size(), 2u);
  for (const Complex& s : poles_of(standing)) EXPECT_LE(std::fabs(std::abs(s.real()) - omega), 1e-12 * omega);
}

// Two equal rods and masses: ω² = (2 ∓ √2) g/L.
TEST(Linearise, ChainOfPendulums) {
  const std::string text = pendulum(0, -1) + R"(
[point.lower]
position = [0, -2]
[mass.lower_mass]
at = "lower"
m = 1.0
[joint.link]
type = "distance"
of = ["bob", "lower"]
)";
  const LinearModel m = linearise(session_of(text));
  ASSERT_EQ(m.states.size(), 4u);
  const std::vector<Complex> s = poles_of(m);
  EXPECT_NEAR(std::abs(s[0]), std::sqrt((2 - std::sqrt(2.0)) * 9.81), 1e-11);
  EXPECT_NEAR(std::abs(s[3]), std::sqrt((2 + std::sqrt(2.0)) * 9.81), 1e-11);
}

// Along a swing: ẍ = −x ẋ²/(L² − x²) − g x √(1 − x²/L²)/L, differentiated. Φ_q turns, and the rod's force is not at rest.
TEST(Linearise, SwingingPendulum) {
  Session session = session_of(pendulum(0.8, -1.5));
  session.advance_to(0.3);
  const LinearModel m = linearise(session);
  ASSERT_EQ(m.states.size(), 2u);
  ASSERT_EQ(m.states[0].name, "bob.x");
  const double x = m.x[0], w = m.x[1], L2 = 0.8 * 0.8 + 1.5 * 1.5, L = std::sqrt(L2), c = std::sqrt(1 - x * x / L2),
               g = 9.81 / L, d = L2 - x * x;
  ASSERT_GT(std::fabs(w), 0.3);
  EXPECT_NEAR(m.A[2], -w * w / d - 2 * x * x * w * w / (d * d) - g * (c - x * x / L2 / c),
              1e-8 * std::fabs(m.A[2]));  // Φ is closed to 1e-9
  EXPECT_NEAR(m.A[3], -2 * x * w / d, 1e-8);
  EXPECT_NEAR(m.drift[1], -x * w * w / d - g * x * c, 1e-8);
}

std::string cantilever(const std::string& more) {
  return R"(
space = "planar"
gravity = [0, -9.81]
mass_damping = "0.7 1/s"
[section.strip]
EA = 1e3
EI = 0.05
rhoA = 0.2
[cable.strip]
section = "strip"
path = [[0, 0], [0.5, 0]]
elements = 4
[joint.clamp]
type = "weld"
of = ["ground", "strip.start"]
[sensor.tip]
type = "position"
at = "strip.end"
[sensor.bend]
type = "angle"
at = "strip.end"
[sensor.moment]
type = "moment"
at = "strip@0.3"
[[analysis]]
name = "hang"
type = "static"
)" + motion +
         more;
}

// What `modes` finds with dampers and a follower load, by a method of its own.
TEST(Linearise, EigenvaluesAreTheModes) {
  Session session = session_of(cantilever(R"(
[load.pull]
type = "follower_force"
at = "strip.end"
force = [-0.2, 0.1]
[spring.damper]
type = "linear"
between = [[0.5, -0.4], "strip.end"]
stiffness = 2
damping = 0.3
)"));
  session.advance(1);
  const LinearModel m = linearise(session);
  const Values* values = &session.model().model.values;
  System<double> system(session.model().model.topology, std::span(&values, 1));
  State<double> state = session.state();
  system.drives.enter(state.t);
  system.assembler.set_signals(system.drives.at(state.t, state.lags));
  const Modes modes = solve_modes(system, state, {.count = 4, .damped = true});
  ASSERT_TRUE(modes.converged) << modes.problem;
  const std::vector<Complex> s = poles_of(m);
  for (int k = 0; k < 4; ++k) {
    const Complex mode(modes.growth[k], 2 * std::numbers::pi * modes.frequency[k]);
    double nearest = 1e300;
    for (const Complex& other : s) nearest = std::min(nearest, std::abs(other - mode));
    EXPECT_LE(nearest, 1e-7 * std::abs(mode))
        << k << ' ' << mode;  // Newton's tolerance of 1e-8 in the state that modes are about
  }
}

// Dual numbers in few coordinates against sparse tangents in all: a bent cable with a lag, an expression and a table between its input
// and its load.
TEST(Linearise, FrequencyResponseIsThatOfTheStates) {
  Session session = session_of(cantilever(R"toml(
[signal.valve]
type = "input"
value = 0.3
[signal.line]
type = "lag"
of = "valve"
time_constant = 0.05
[signal.thrust]
type = "expression"
formula = "signal(line)^2 + 0.1*signal(valve)"
[load.pull]
type = "force"
at = "strip.end"
force = [0, 1]
signal = "thrust"
)toml"));
  session.advance(1);
  const LinearModel m = linearise(session);
  EXPECT_EQ(m.states.back().name, "line");
  EXPECT_EQ(m.outputs.size(), 4u);
  EXPECT_LE(apart(session, {}, {0, 0.5, 2, 11}), 1e-7);  // the moment, of stiffness EA, is read by differences
  // At 0 Hz, ∂/∂valve of a static solution
  const double step = 1e-4;
  std::vector<double> tips;
  for (const double at : {0.3 - step, 0.3 + step}) {
    Session other = session_of(cantilever(fmt::format(R"(
[load.pull]
type = "force"
at = "strip.end"
force = [0, {:.17g}]
)",
                                                      at * at + 0.1 * at)));
    other.advance(1);
    tips.push_back(other.sensor(other.find_sensor("tip"))[1]);
  }
  const double gain = transfer(m, 0)(static_cast<Eigen::Index>(place(m.outputs, "tip.y")), 0).real();
  EXPECT_NEAR(gain, (tips[1] - tips[0]) / (2 * step), 1e-5 * std::fabs(gain));  // 1e-8 of Newton's tolerance over 2e-4
}

// A base that moves as the input says drags the oscillator along: (c s + k)/(m s² + c s + k), of which u̇ is taken out of the states.
TEST(Linearise, PrescribedMotion) {
  const std::string text = R"(
space = "planar"
gravity = [0, 0]
[point.bob]
position = [0, -1]
[point.base]
position = [0, 0]
[mass.bob_mass]
at = "bob"
m = 2.0
[spring.coil]
type = "linear"
between = ["base", "bob"]
stiffness = 50
damping = 0.4
[signal.shake]
type = "input"
[joint.hand]
type = "prescribed"
of = ["ground", "base"]
x = 0
y = "shake"
[sensor.place]
type = "position"
at = "bob"
[sensor.fast]
type = "velocity"
at = "base"
)" + motion;
  const Session session = session_of(text);
  const LinearModel m = linearise(session);
  EXPECT_TRUE(m.shifted);
  ASSERT_FALSE(m.warnings.empty());
  EXPECT_NE(m.warnings[0].find("sensor.fast.y is left out: it feels rates of the input 'shake'"), std::string::npos);
  const Complex s(0, 2 * std::numbers::pi * 0.7), exact = (0.4 * s + 50.0) / (2.0 * s * s + 0.4 * s + 50.0);
  EXPECT_LE(std::abs(transfer(m, 0.7)(static_cast<Eigen::Index>(place(m.outputs, "place.y")), 0) - exact),
            1e-9 * std::abs(exact));
  const FrequencyResponses f = frequency_response(session, {.outputs = {"place.y", "fast.y"}}, std::vector{0.7});
  EXPECT_LE(std::abs(f.response[0] - exact), 1e-9 * std::abs(exact));
  EXPECT_LE(std::abs(f.response[1] - s), 1e-9 * std::abs(s));
}

const std::string strips = R"(
space = "planar"
gravity = [0, 0]
mass_damping = "0.7 1/s"
[section.strip]
EA = 1e3
EI = 0.05
rhoA = 0.2
[cable.lower]
section = "strip"
path = [[0, 0], [0.5, 0]]
elements = 3
[cable.upper]
section = "strip"
path = [[0.5, 0.1], [0, 0.1]]
elements = 3
[joint.lower_clamp]
type = "weld"
of = ["ground", "lower.start"]
[joint.upper_clamp]
type = "weld"
of = ["ground", "upper.end"]
[chamber.air]
surfaces = ["lower", "upper"]
depth = "20 mm"
lids = true
[signal.push]
type = "input"
[load.push_up]
type = "force"
at = "lower.end"
force = [0, 1]
signal = "push"
[sensor.tip]
type = "position"
at = "upper.start"
)";

// The pressure of the gas between two strips has no inertia: it follows at once, and is no state.
TEST(Linearise, WhatHasNoInertiaFollowsAtOnce) {
  const Session session = session_of(strips + motion);
  const LinearModel m = linearise(session);
  ASSERT_EQ(m.without_inertia.size(), 1u);
  EXPECT_NE(m.without_inertia[0].find("air"), std::string::npos) << m.without_inertia[0];
  EXPECT_EQ(m.states.size(), 2u * 2 * (4 * 4 - 3));  // a weld leaves the stretch of its node free
  EXPECT_GT(std::abs(transfer(m, 3)(1, 0)), 1e-9);   // the gas alone takes the push from strip to strip
  EXPECT_LE(apart(session, {}, {0.5, 3, 20}), 1e-8);
}

const std::string supply_and_vent = R"(
[sensor.p]
type = "pressure"
of = "air"
[signal.u]
type = "input"
value = 10
[line.supply]
type = "supply"
of = "air"
pressure = "u"
resistance = 3e5
[line.vent]
type = "vent"
of = "air"
resistance = 1e5
)";

// Gas that lines bring is a state, one for a chamber; at 0 Hz its pressure is a quarter of the supply's.
TEST(Linearise, GasOfLinesIsAState) {
  const Session session = session_of(strips + supply_and_vent + motion);
  const LinearQuestion question{.inputs = {"u"}, .outputs = {"p", "tip.y"}};
  const LinearModel m = linearise(session, question);
  EXPECT_EQ(m.states.size(), 2u * 2 * (4 * 4 - 3) + 1);
  EXPECT_EQ(m.states[place(m.states, "line.supply.passed")].unit, "kg");
  EXPECT_NEAR(transfer(m, 0)(0, 0).real(), 0.25, 1e-8);
  EXPECT_GT(std::abs(transfer(m, 3)(1, 0)), 1e-9);
  EXPECT_LE(apart(session, question, {0, 0.5, 3, 20}), 1e-8);
}

// What flows in whatever the pressure is adds up: no response at 0 Hz, and 1/s times the same above.
TEST(Linearise, InflowOfGasAddsUp) {
  const std::string inflow = R"(
[sensor.m]
type = "gas_mass"
of = "air"
[signal.u]
type = "input"
[line.pump]
type = "inflow"
of = "air"
rate = "u"
)";
  const Session session = session_of(strips + inflow + motion);
  const LinearQuestion question{.inputs = {"u"}, .outputs = {"m"}};
  EXPECT_THROW(frequency_response(session, question, std::vector{0.0}), LinearisationError);
  const Complex once = frequency_response(session, question, std::vector{0.5}).response[0];
  EXPECT_LE(std::abs(once * Complex(0, std::numbers::pi) - 1.0), 1e-9);
  EXPECT_LE(apart(session, question, {0.5, 3}), 1e-8);
}

// A line that no pressure and no input reaches stays shut: a pump by another signal gives no state that only adds up.
TEST(Linearise, LinesThatNothingReachesAreShut) {
  const std::string pump = R"(
[signal.w]
type = "input"
[line.pump]
type = "inflow"
of = "air"
rate = "w"
)";
  const LinearModel m = linearise(session_of(strips + pump + motion), {.inputs = {"push"}, .outputs = {"tip"}});
  EXPECT_EQ(m.states.size(), 2u * 2 * (4 * 4 - 3));
}

TEST(Linearise, SaysAllThatIsWrongAtOnce) {
  try {
    linearise(session_of(oscillator), {.inputs = {"pusj"}, .outputs = {"place.y", "plase"}});
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 2u);
    EXPECT_EQ(error.problems()[0].nearest, "push");
    EXPECT_EQ(error.problems()[1].nearest, "place");
  }
}

}  // namespace
}  // namespace flexura
