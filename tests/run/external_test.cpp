// Values and laws from code in whole runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>

#include "flexura/run/session.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

RunOptions unrecorded() {
  RunOptions options;
  options.record = false;
  return options;
}

SceneDocument document(const std::string& text, ExternalFunctions functions = {}) {
  SceneOptions options;
  options.functions = std::move(functions);
  return read_scene_text(text, "external.toml", scene_terms(), options);
}

/// A bob that swings on a spring and damper, `k` and what holds it.
std::string bob(const std::string& holder, const std::string& integrator = "generalized-alpha") {
  return R"(gravity = [0, -9.81]
[point.bob]
position = [1, 0]
[mass.weight]
at = "bob"
m = 0.5
[sensor.place]
type = "position"
at = "bob"
[sensor.work]
type = "energy"
of = "work"
)" + holder +
         "[[analysis]]\nname = \"swing\"\ntype = \"dynamic\"\nend = 1\nstep = 0.005\nintegrator = \"" + integrator +
         "\"\n";
}
const std::string built_in =
    "[spring.s]\ntype = \"linear\"\nbetween = [[0, 0], \"bob\"]\nstiffness = 60\ndamping = 0.4\nfree_length = 0.9\n";
const std::string from_code = "[load.s]\ntype = \"external\"\nat = \"bob\"\nfunction = \"spring\"\n";

/// The same spring as a law.
int spring_law(void*, int n, double, const double* x, const double* v, double* f, double* dx, double* dv) {
  constexpr double k = 60, c = 0.4, l0 = 0.9;
  double square = 0, rate = 0;
  for (int i = 0; i < n; ++i) square += x[i] * x[i];
  const double l = std::sqrt(square);
  for (int i = 0; i < n; ++i) rate += x[i] / l * v[i];
  const double force = k * (l - l0) + c * rate;
  for (int i = 0; i < n; ++i) f[i] = -force * x[i] / l;
  for (int i = 0; i < n && dx != nullptr; ++i)
    for (int j = 0; j < n; ++j) {
      const double nn = x[i] * x[j] / square, P = (i == j) - nn;
      dx[i * n + j] = -(k * nn + force / l * P + c / l * x[i] / l * (v[j] - rate * x[j] / l));
      dv[i * n + j] = -c * nn;
    }
  return 0;
}
ExternalFunctions spring(bool with_tangent) {
  ExternalLaw law;
  law.force = spring_law;
  law.gives_tangent = with_tangent;
  return {{}, {{"spring", law}}};
}

struct Motion {
  std::vector<double> place;
  RunSummary summary;
};

Motion run(const SceneDocument& scene) {
  Motion motion;
  RunOptions options = unrecorded();
  options.sample = [&](const SensorSample& s) {
    if (s.sensor.name == "place") motion.place.insert(motion.place.end(), s.values.begin(), s.values.end());
  };
  motion.summary = run_scene(scene, options);
  EXPECT_EQ(motion.summary.status, RunStatus::finished) << motion.summary.message;
  return motion;
}

double farthest(const Motion& a, const Motion& b) {
  EXPECT_EQ(a.place.size(), b.place.size());
  double distance = 0;
  for (size_t i = 0; i < std::min(a.place.size(), b.place.size()); ++i)
    distance = std::max(distance, std::fabs(a.place[i] - b.place[i]));
  return distance;
}

// The law's tangent is the spring's, so the iterations are too; roots differ by Newton's tolerance at most.
TEST(ExternalForce, ASpringFromCodeMovesAsTheBuiltInOne) {
  for (const char* integrator : {"generalized-alpha", "energy-momentum", "rk45"}) {
    const Motion spring_motion = run(document(bob(built_in, integrator)));
    const Motion given = run(document(bob(from_code, integrator), spring(true)));
    const Motion differences = run(document(bob(from_code, integrator), spring(false)));
    const bool discrete_gradient = std::string(integrator) == "energy-momentum";  // the law has no energy to keep
    const double tolerance = discrete_gradient ? 1e-3 : 1e-8;
    EXPECT_LT(farthest(given, spring_motion), tolerance) << integrator;
    EXPECT_LT(farthest(differences, given), 1e-8) << integrator;
    EXPECT_GT(farthest(given, {std::vector<double>(given.place.size(), 1), {}}), 0.5) << "it moves";
    if (discrete_gradient) continue;
    EXPECT_EQ(given.summary.iterations, spring_motion.summary.iterations) << integrator;
    EXPECT_EQ(given.summary.factorizations, spring_motion.summary.factorizations) << integrator;
    // What the spring takes up or loses is work of the law; it begins with 0.3 J, and trapezoids count the rest.
    EXPECT_NEAR(given.summary.work, 0.3 - spring_motion.summary.strain - spring_motion.summary.dissipated, 1e-3);
  }
}

TEST(ExternalEffort, ASpringFromCodeTurnsAJointAsTheBuiltInOne) {
  const std::string arm = R"([body.arm]
m = 1
inertia = 0.1
center = [0.5, 0]
[joint.hinge]
type = "revolute"
of = ["ground", "arm"]
at = [0, 0]
[sensor.place]
type = "angle"
of = "hinge"
[[analysis]]
name = "swing"
type = "dynamic"
end = 1
step = 0.01
)";
  ExternalLaw law;
  law.force = [](void*, int, double, const double* s, const double* rate, double* f, double*, double*) {
    f[0] = 3 * (0.7 - s[0]) - 0.2 * rate[0];
    return 0;
  };
  const Motion spring_motion =
      run(document(arm + "[spring.s]\ntype = \"joint\"\nat = \"hinge\"\nstiffness = 3\ndamping = 0.2\nrest = 0.7\n"));
  const Motion given =
      run(document(arm + "[load.s]\ntype = \"external_effort\"\nat = \"hinge\"\n", {{}, {{"s", law}}}));
  EXPECT_LT(farthest(given, spring_motion), 1e-8);
  EXPECT_GT(*std::max_element(given.place.begin(), given.place.end()), 0.5);
}

TEST(ExternalSignal, ASineFromCodeDrivesAsTheBuiltInOne) {
  const std::string drive = built_in + "[load.push]\ntype = \"force\"\nat = \"bob\"\nforce = [5, 0]\nsignal = ";
  ExternalSignal sine;
  sine.value = [](void*, double t) { return std::sin(2 * std::numbers::pi * 3 * t); };
  const Motion built = run(document(bob(drive + "{ type = \"sine\", amplitude = 1, frequency = 3 }\n")));
  const Motion code =
      run(document(bob(drive + "{ type = \"external\", function = \"wave\" }\n"), {{{"wave", sine}}, {}}));
  EXPECT_LT(farthest(code, built), 1e-12) << "rounding of the two sines";
}

TEST(ExternalForce, StaticsLoadStepsAndFromAndUntilGateIt) {
  const std::string still = R"([point.p]
position = [0, 0]
[mass.weight]
at = "p"
m = 1
[spring.s]
type = "linear"
between = [[-1, 0], "p"]
stiffness = 100
[spring.t]
type = "linear"
between = [[0, -1], "p"]
stiffness = 100
[load.f]
type = "external"
at = "p"
until = "hold"
[sensor.place]
type = "position"
at = "p"
[[analysis]]
name = "hold"
type = "static"
[[analysis]]
name = "go"
type = "dynamic"
end = 0.1
step = 0.01
)";
  static int calls_in_motion = 0;
  ExternalLaw law;
  law.force = [](void*, int, double t, const double* x, const double*, double* f, double*, double*) {
    calls_in_motion += t > 0;
    f[0] = 3 - 50 * x[0], f[1] = 0;
    return 0;
  };
  Session session(document(still, {{}, {{"f", law}}}), unrecorded());
  EXPECT_TRUE(session.advance()) << session.message();
  EXPECT_NEAR(session.sensor(0)[0], 3.0 / 150, 1e-4);  // the other spring turns by this: it stiffens by its square
  while (session.advance()) {
  }
  EXPECT_EQ(session.status(), RunStatus::finished) << session.message();
  EXPECT_EQ(calls_in_motion, 0);
}

TEST(ExternalForce, AFailureEndsTheRunWithItsNameAndAFiniteState) {
  static double limit = 0;
  for (const double from : {0.0, 0.1})
    for (const char* integrator : {"generalized-alpha", "energy-momentum", "rk45"}) {
      limit = from;
      ExternalLaw law;
      law.force = [](void*, int n, double t, const double*, const double*, double* f, double*, double*) {
        for (int i = 0; i < n; ++i) f[i] = 0;
        return t > limit ? 7 : 0;
      };
      Session session(document(bob(built_in + from_code, integrator), {{}, {{"spring", law}}}), unrecorded());
      while (session.advance()) {
      }
      EXPECT_EQ(session.status(), RunStatus::failed) << integrator;
      EXPECT_THAT(session.message(), ::testing::StartsWith("the force law 'spring' gave no finite number at t = "))
          << integrator;
      for (const auto* x : {&session.state().q, &session.state().v, &session.state().a})
        for (const double xi : *x) EXPECT_TRUE(std::isfinite(xi)) << integrator;
      EXPECT_LE(session.time(), from + 0.005) << integrator;
    }
}

TEST(ExternalForce, AFailureFromTheFirstMomentIsNamedToo) {
  ExternalLaw law;
  law.force = [](void*, int, double, const double*, const double*, double*, double*, double*) { return 1; };
  for (const char* integrator : {"generalized-alpha", "energy-momentum", "rk45"}) {
    Session session(document(bob(built_in + from_code, integrator), {{}, {{"spring", law}}}), unrecorded());
    while (session.advance()) {
    }
    EXPECT_EQ(session.status(), RunStatus::failed) << integrator;
    EXPECT_THAT(session.message(), ::testing::StartsWith("the force law 'spring' gave no finite number at t = 0 s"));
    for (const double xi : session.state().q) EXPECT_TRUE(std::isfinite(xi)) << integrator;
  }
}

TEST(ExternalSignal, AFailureOfAPrescribedMotionIsNamed) {
  ExternalSignal path;
  path.value = [](void*, double t) { return t < 0.3 ? t : std::numeric_limits<double>::quiet_NaN(); };
  const std::string driven = built_in + R"([joint.hand]
type = "prescribed"
of = ["ground", "bob"]
x = "path"
[signal.path]
type = "external"
)";
  Session session(document(bob(driven), {{{"path", path}}, {}}), unrecorded());
  while (session.advance()) {
  }
  EXPECT_EQ(session.status(), RunStatus::failed);
  EXPECT_THAT(session.message(), ::testing::StartsWith("the signal function 'path' gave no finite number at t = "));
  for (const double xi : session.state().q) EXPECT_TRUE(std::isfinite(xi));
}

// A function that gives up sets `stop`: the step that asked is not tried again, and the run ends as one that is stopped.
TEST(ExternalForce, AFunctionMayStopTheRunWhereItFails) {
  for (const std::string steps : {"", "adaptive = { tolerance = 1e-4 }\n"}) {
    static std::atomic<bool> stop;
    static int late;
    stop = false, late = 0;
    ExternalLaw law;
    law.force = [](void*, int, double t, const double*, const double*, double* f, double*, double*) {
      late += stop ? 1 : 0;
      if (t > 0.3) stop = true;
      if (!stop) std::fill(f, f + 2, 0.1);
      return stop ? 1 : 0;
    };
    std::string text = bob(from_code);
    text.insert(text.find("step = "), steps);
    RunOptions options = unrecorded();
    options.stop = &stop;
    Session session(document(text, {{}, {{"spring", law}}}), options);
    while (session.advance()) {
    }
    EXPECT_EQ(session.status(), RunStatus::interrupted) << steps << session.message();
    EXPECT_NEAR(session.time(), 0.3, 0.02) << steps;
    EXPECT_LT(late, 50) << steps << "one step asks 33 times";
    for (const double xi : session.state().q) EXPECT_TRUE(std::isfinite(xi));
  }
}

// Functions are not saved: the program gives them again.
TEST(ExternalForce, ASavedSessionGoesOnBitForBitWithTheSameFunctions) {
  const std::string text = bob(from_code +
                               "[load.push]\ntype = \"force\"\nat = \"bob\"\nforce = [1, 0]\n"
                               "signal = { type = \"input\", value = 1 }\n");
  Session first(document(text, spring(true)), unrecorded()), second(document(text, spring(true)), unrecorded());
  first.advance(50);
  first.set_input(0, -2);
  first.advance(10);
  const Checkpoint saved = first.save();
  second.restore(saved);
  EXPECT_EQ(second.input(0), -2);
  for (Session* session : {&first, &second}) {
    session->set_input(0, 3);
    session->advance(100);
  }
  EXPECT_EQ(first.state().q, second.state().q);
  EXPECT_EQ(first.state().v, second.state().v);
  EXPECT_EQ(first.state().lags, second.state().lags);
  EXPECT_EQ(first.state().energy.loads, second.state().energy.loads);
}

// Threads are for what may be called from them.
TEST(ExternalForce, IsCalledFromTheThreadThatStepsUnlessItIsSafe) {
  const std::string text = bob(from_code);
  RunOptions two = unrecorded();
  two.threads = 2;
  RunOptions one = unrecorded();
  const RunSummary a = run_scene(document(text, spring(true)), two), b = run_scene(document(text, spring(true)), one);
  EXPECT_EQ(a.kinetic, b.kinetic);
  EXPECT_EQ(a.work, b.work);
}

}  // namespace
}  // namespace flexura
