// What parts remember, in whole runs: kept in checkpoints, carried over where the model changes, refused by name.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "flexura/run/session.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

SceneDocument document(const std::string& text) { return read_scene_text(text, "memory.toml", scene_terms()); }

RunOptions unrecorded(int threads = 1) {
  RunOptions options;
  options.record = false;
  options.threads = threads;
  return options;
}

/// A rubber cable that carries a bob, a bob on a rubber spring, a block that rubs, a bob on a drive that gives way and a hinge on one that
/// locks; a mass is let go on the way.
const std::string machine = R"(gravity = [0, -9.81]
[material.rubber]
E = 2e6
rho = 1100
relaxation = [[0.3, 0.01], [0.2, "1 s"]]
[section.strip]
shape = { type = "rectangle", width = 0.02, height = 0.01 }
material = "rubber"
[cable.strip]
section = "strip"
path = [[0, 0], [0.2, 0]]
elements = 3
[joint.clamp]
type = "weld"
of = ["ground", "strip.start"]
[mass.tip]
at = "strip.end"
m = 0.02
[mass.ballast]
at = "strip.end"
m = 0.02
until = 0.011
[point.bob]
position = [0.5, -0.2]
[mass.weight]
at = "bob"
m = 0.5
[spring.band]
type = "linear"
between = [[0.5, 0], "bob"]
stiffness = 200
relaxation = [[0.5, 0.02]]
[body.block]
position = [1, 0]
m = 1
inertia = 0.001
velocity = [0.3, 0]
[joint.rail]
type = "prismatic"
of = ["ground", "block"]
axis = [1, 0]
[load.rail]
type = "friction"
at = "rail"
coulomb = 8
static_ratio = 1.2
presliding = 1e-3
[spring.stop]
type = "joint"
at = "rail"
stiffness = 2000
relaxation = [[0.4, 0.005]]
[point.hook]
position = [2, -0.4]
[mass.cargo]
at = "hook"
m = 2
[truss.winch]
type = "drive"
between = [[2, 0], "hook"]
extension = { type = "ramp", from = 0.01, to = -0.1, start = 0.004, duration = 0 }
stiffness = 1e5
settling = 1e-3
max_force = 25
max_rate = 0.2
[body.arm]
position = [3, 0]
m = 1
inertia = 0.01
[joint.hinge]
type = "revolute"
of = ["ground", "arm"]
[load.screw]
type = "drive"
at = "hinge"
target = 1
stiffness = 300
limit = 0.4
max_rate = 2
overload = "holds"
[load.against]
type = "motor"
at = "hinge"
effort = -0.3
[sensor.moment]
type = "moment"
at = "strip@0.3"
[sensor.block]
type = "displacement"
of = "rail"
[sensor.energy]
type = "energy"
of = "dissipated"
)";

struct Method {
  std::string name, integrator;
  std::string before = {};
};
const std::vector<Method> methods{
    {"generalized-alpha", "integrator = { type = \"generalized-alpha\", rho_inf = 0.8 }\nstep = 1e-3\n"},
    {"projected", "integrator = { type = \"generalized-alpha\", project_velocities = true }\nstep = 1e-3\n"},
    {"adaptive", "step = 1e-3\nadaptive = { tolerance = 1e-5, max_step = 2e-3 }\n"},
    {"hht", "integrator = { type = \"hht\", alpha = -0.1 }\nstep = 1e-3\n"},
    {"energy-momentum", "integrator = { type = \"energy-momentum\" }\nstep = 1e-3\n"},
    {"statics", "step = 1e-3\n", "[[analysis]]\nname = \"hang\"\ntype = \"static\"\nload_step = 0.5\n"},
};

SceneDocument scene_of(const Method& method) {
  return document(machine + method.before + "[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = 0.02\n" +
                  method.integrator);
}

void expect_same(const Session& a, const Session& b, const std::string& where) {
  EXPECT_EQ(a.state().q, b.state().q) << where;
  EXPECT_EQ(a.state().v, b.state().v) << where;
  EXPECT_EQ(a.state().a, b.state().a) << where;
  EXPECT_EQ(a.state().history, b.state().history) << where;
  EXPECT_EQ(a.state().energy.dissipated, b.state().energy.dissipated) << where;
  EXPECT_EQ(a.state().energy.loads, b.state().energy.loads) << where;
  EXPECT_EQ(a.state().energy.prescribed, b.state().energy.prescribed) << where;
}

class Memory : public ::testing::TestWithParam<Method> {};

// Saved at every step and gone on from there in a session of its own.
TEST_P(Memory, GoesOnFromEveryStepBitForBit) {
  const SceneDocument scene = scene_of(GetParam());
  Session whole(scene, unrecorded());
  ASSERT_FALSE(whole.state().history.empty());
  std::vector<Checkpoint> saved;
  bool more = true;
  while (more) {
    saved.push_back(whole.save());
    more = whole.advance();
  }
  ASSERT_EQ(whole.status(), RunStatus::finished) << whole.message();
  ASSERT_GT(saved.size(), 15u);
  for (const double x : whole.state().history) EXPECT_TRUE(std::isfinite(x));
  EXPECT_GT(whole.state().energy.dissipated, 0);
  for (size_t k = 0; k < saved.size(); ++k) {
    Session session(scene, unrecorded(k % 2 == 0 ? 1 : 2));
    session.restore(saved[k]);
    for (size_t step = k; step < saved.size(); ++step) {
      session.save();
      session.advance();
    }
    expect_same(whole, session, "from step " + std::to_string(k));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Memory, ::testing::ValuesIn(methods), [](const auto& info) {
  std::string name = info.param.name;
  std::erase(name, '-');
  return name;
});

TEST(MemoryOfRuns, IsRefusedByNameWhereAMethodCannotFollowIt) {
  for (const char* method : {"adams", "rk4", "rk45", "rk853"}) {
    try {
      Session session(scene_of({method, "integrator = \"" + std::string(method) + "\"\nstep = 1e-3\n"}), unrecorded());
      ADD_FAILURE() << method << " was not refused";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(" cannot follow what remembers its past"));
      EXPECT_THAT(error.what(), ::testing::HasSubstr("\"generalized-alpha\""));
    }
  }
}

// The loss of the ballast at 0.011 s makes another model: what the others remember goes on.
TEST(MemoryOfRuns, IsCarriedOverWhereTheModelChanges) {
  Session session(scene_of(methods.front()), unrecorded());
  std::vector<double> before;
  while (session.time() < 0.0105) {
    session.advance();
    before = session.state().history;
  }
  const SceneModel* first = &session.model();
  const State<double> old = session.state();
  session.advance();
  const SceneModel* second = &session.model();
  if (first == second) session.advance(), second = &session.model();
  ASSERT_NE(first, second);
  // Shares of a step of 1 ms have moved the numbers by little; begun anew they would be zero.
  ASSERT_EQ(session.state().history.size(), old.history.size());
  double size = 0, moved = 0;
  for (size_t k = 0; k < old.history.size(); ++k) {
    size = std::max(size, std::fabs(old.history[k]));
    moved = std::max(moved, std::fabs(session.state().history[k] - old.history[k]));
  }
  EXPECT_LT(moved, 0.3 * size);
}

// A rubber spring, pulled for ever: m g/(0.5 k) after statics, and it stays there.
TEST(MemoryOfRuns, StaticsLeavesWhatIsRelaxed) {
  Session session(document(R"(gravity = [0, -9.81]
[point.bob]
position = [0, -0.2]
[mass.weight]
at = "bob"
m = 0.5
[spring.band]
type = "linear"
between = [[0, 0], "bob"]
stiffness = 200
relaxation = [[0.3, 0.02], [0.2, 3]]
[[analysis]]
type = "static"
name = "hang"
[[analysis]]
type = "dynamic"
name = "stay"
end = 0.5
step = 1e-3
)"),
                  unrecorded());
  ASSERT_TRUE(session.advance());
  EXPECT_NEAR(session.state().q[1], -0.2 - 0.5 * 9.81 / 100, 1e-12);
  while (session.advance()) {
  }
  EXPECT_NEAR(session.state().q[1], -0.2 - 0.5 * 9.81 / 100, 1e-12);
  EXPECT_NEAR(session.state().v[1], 0, 1e-11);
}

struct Wrong {
  const char *relaxation, *message;
};
TEST(Relaxation, SaysWhatIsWrong) {
  const Wrong cases[] = {{"[[0.5, 1], [0.6, 2]]", "the shares sum to 1.1; allowed: less than 1"},
                         {"[[0.5, 1], [0.5, 2]]", "the shares sum to 1; allowed: less than 1"},
                         {"[[1.5, 1]]", "1.5 is out of range; allowed: > 0 and < 1"},
                         {"[[0.5, 0]]", "0 is out of range; allowed: > 0 [s]"},
                         {"[[0.5, \"2 m\"]]", "has the wrong dimension; expected [s]"},
                         {"[[0.5]]", "must be a pair [share, time]; this is a list of 1"},
                         {"[0.5, 1]", "must be a pair [share, time]"},
                         {"[]", "must be a list of 1 to 8 pairs [share, time]"},
                         {"0.5", "must be a list of 1 to 8 pairs [share, time]"}};
  for (const Wrong& wrong : cases) {
    try {
      document(
          "[point.a]\nposition = [0, 0]\n[spring.s]\ntype = \"linear\"\nbetween = [[1, 0], \"a\"]\nstiffness = "
          "1\nrelaxation = " +
          std::string(wrong.relaxation) + "\n");
      ADD_FAILURE() << wrong.relaxation;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(wrong.message)) << wrong.relaxation;
      EXPECT_THAT(error.what(), ::testing::HasSubstr("spring.s.relaxation")) << wrong.relaxation;
    }
  }
}

}  // namespace
}  // namespace flexura
