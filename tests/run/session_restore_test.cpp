// A session that goes back, or on in another: the same numbers, whatever it did before.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "flexura/run/session.hpp"
#include "flexura/scene/reader.hpp"
#include "tests/support/count_allocations.hpp"

namespace flexura {
namespace {

SceneDocument document(const std::string& text, ExternalFunctions functions = {}) {
  SceneOptions options;
  options.functions = std::move(functions);
  return read_scene_text(text, "session.toml", scene_terms(), options);
}
SceneDocument example(const std::string& name) { return read_scene("examples/" + name + ".toml", scene_terms()); }

RunOptions unrecorded() {
  RunOptions options;
  options.record = false;
  return options;
}

/// All sensors, one after the other.
std::vector<double> readings(Session& session) {
  std::vector<double> all;
  for (int k = 0; k < session.sensor_count(); ++k) {
    const auto values = session.sensor(k);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

void expect_same(Session& a, Session& b, const std::string& where) {
  EXPECT_EQ(a.time(), b.time()) << where;
  EXPECT_EQ(a.analysis(), b.analysis()) << where;
  EXPECT_EQ(a.state().q, b.state().q) << where;
  EXPECT_EQ(a.state().v, b.state().v) << where;
  EXPECT_EQ(a.state().a, b.state().a) << where;
  EXPECT_EQ(a.state().energy.loads, b.state().energy.loads) << where;
  EXPECT_EQ(readings(a), readings(b)) << where;
}

/// A bob on a spring, a wall's reaction, a load that comes and goes, a signal that jumps, another analysis before and after.
const std::string eventful = R"(gravity = [0, -9.81]
[point.bob]
position = [1, 0]
[mass.weight]
at = "bob"
m = 0.5
[mass.ballast]
at = "bob"
m = 0.2
until = 0.16
[point.wall]
position = [0, 0]
[joint.wall]
type = "pin"
of = ["ground", "wall"]
[spring.s]
type = "linear"
between = ["wall", "bob"]
stiffness = 60
damping = 0.4
free_length = 0.9
[load.push]
type = "force"
at = "bob"
force = [5, 0]
from = 0.05
until = 0.1
[load.knock]
type = "force"
at = "bob"
force = [0, 3]
signal = "= t < 0.13"
[load.lean]
type = "force"
at = "wall"
force = [2, 0]
signal = "= t < 0.13"
[sensor.place]
type = "position"
at = "bob"
[sensor.acceleration]
type = "acceleration"
at = "bob"
[sensor.wall]
type = "reaction"
of = "wall"
[sensor.work]
type = "energy"
of = "work"
[[analysis]]
name = "hang"
type = "static"
[[analysis]]
name = "swing"
type = "dynamic"
end = 0.2
step = 0.01
)";
const std::string more = R"([[analysis]]
name = "hold"
type = "static"
)";

TEST(SessionRestore, GoesOnFromEveryStep) {
  for (const std::string& text : {eventful, eventful + "adaptive = { tolerance = 1e-3 }\n", eventful + more}) {
    Session session(document(text), unrecorded());
    std::vector<Checkpoint> saved{session.save()};
    std::vector<std::vector<double>> read{readings(session)};
    while (session.advance()) {
      read.push_back(readings(session));
      saved.push_back(session.save());
    }
    ASSERT_EQ(session.status(), RunStatus::finished) << session.message();
    // Backwards: from a later state, another model, the other side of a jump.
    Session other(document(text), unrecorded());
    while (other.advance()) {
    }
    for (size_t k = saved.size(); k-- > 0;) {
      other.restore(saved[k]);
      EXPECT_EQ(readings(other), read[k]) << "saved after step " << k;
      Session fresh(document(text), unrecorded());
      fresh.restore(saved[k]);
      expect_same(fresh, other, "saved after step " + std::to_string(k));
      for (int step = 0; step < 3; ++step) {
        EXPECT_EQ(other.advance(), fresh.advance());
        other.save(), fresh.save();  // which makes the solver forget, as it did the first time
        if (k + step + 1 < read.size()) {
          EXPECT_EQ(readings(other), read[k + step + 1]) << "saved after step " << k << ", then " << step;
        }
      }
      expect_same(fresh, other, "three steps from step " + std::to_string(k));
    }
  }
}

TEST(SessionRestore, GoesBackToAModelThatIsGone) {
  Session fresh(example("trapdoor"), unrecorded()), used(example("trapdoor"), unrecorded());
  const Checkpoint start = fresh.save();
  ASSERT_TRUE(used.advance(300));  // the latch is gone
  used.restore(start);
  fresh.advance(300);
  used.advance(300);
  expect_same(fresh, used, "after 300 steps");
}

// Reading before the first step makes the accelerations known and projects the velocities; neither may show in what follows.
TEST(SessionRestore, ReadingBeforeTheFirstStepLeavesNoTrace) {
  for (const char* name : {"governor", "four_bar", "slider_crank", "free_body"}) {
    Session silent(example(name), unrecorded()), reading(example(name), unrecorded());
    readings(reading);
    Session restored(example(name), unrecorded());
    restored.restore(reading.save());
    for (Session* session : {&silent, &reading, &restored}) session->advance(20);
    EXPECT_EQ(reading.state().q, silent.state().q) << name;
    EXPECT_EQ(restored.state().q, silent.state().q) << name;
    EXPECT_EQ(restored.state().v, silent.state().v) << name;
  }
}

const std::string pushed = R"([point.p]
position = [1, 0]
[mass.bob]
at = "p"
m = 2
[load.push]
type = "force"
at = "p"
force = [1, 0]
signal = { type = "input", value = 0 }
[sensor.acceleration]
type = "acceleration"
at = "p"
[[analysis]]
name = "move"
type = "dynamic"
end = 1
step = 0.01
[output]
every_step = true
)";

TEST(Session, SamplesTheStartOnceWithTheInputsOfTheFirstStep) {
  std::vector<double> at_start;
  RunOptions options = unrecorded();
  options.sample = [&](const SensorSample& s) {
    if (s.at == 0) at_start.push_back(s.values[0]);
  };
  Session session(document(pushed), options);
  EXPECT_EQ(session.sensor(0)[0], 0);
  session.set_input(0, 3);
  EXPECT_NEAR(session.sensor(0)[0], 1.5, 1e-14);
  session.set_input(0, 4);
  ASSERT_TRUE(session.advance());
  ASSERT_EQ(at_start.size(), 1u);
  EXPECT_NEAR(at_start[0], 2, 1e-14);
}

// The number of steps so far says nothing of where an adaptive step stands.
TEST(Session, AnInputNeverBeginsAMotionAnewThatHasMoved) {
  std::string text = pushed;
  text.replace(text.find("step = 0.01"), 11, "step = 0.01\nadaptive = { tolerance = 1e-3, max_step = 0.02 }");
  text += "[load.other]\ntype = \"force\"\nat = \"p\"\nforce = [0, 0]\nfrom = 0.2\n";
  Session session(document(text), unrecorded());
  double before = 0;
  for (int step = 0; session.time() < 0.9; ++step) {
    ASSERT_TRUE(session.advance());
    const double now = session.sensor(0)[0];
    before = now;
    session.set_input(0, step % 2);
    EXPECT_EQ(session.sensor(0)[0], before) << "the input acts over the next step, at t = " << session.time();
  }
}

// A reading counts turns from the last one, be it a sample of the run or another reading.
TEST(Session, AnglesCountTurnsHoweverRarelyTheyAreRead) {
  const std::string spinning = R"([cable.rod]
path = [[0, 0], [0.1, 0]]
elements = 1
angular_velocity = 30
section = "rod"
[section.rod]
EA = 1e5
EI = 10
rhoA = 1
[sensor.turn]
type = "angle"
at = "rod@0.5"
[[analysis]]
name = "spin"
type = "dynamic"
end = 2
step = 0.002
)";
  Session often(document(spinning), unrecorded()), once(document(spinning), unrecorded());
  for (int step = 0; step < 900; ++step) {
    often.advance();
    often.sensor(0);
  }
  once.advance(900);
  EXPECT_GT(often.sensor(0)[0], 6) << "it turns";
  EXPECT_EQ(once.sensor(0)[0], often.sensor(0)[0]);
  Session restored(document(spinning), unrecorded());
  restored.restore(often.save());
  EXPECT_EQ(restored.sensor(0)[0], often.sensor(0)[0]);
}

TEST(Session, FinishingSumsUpOnce) {
  Session session(document(pushed), unrecorded());
  const Checkpoint start = session.save();
  while (session.advance()) {
  }
  const RunSummary first = session.finish(), second = session.finish();
  EXPECT_EQ(first.status, RunStatus::finished);
  EXPECT_EQ(first.sensors.size(), 1u);
  EXPECT_EQ(second.sensors.size(), 1u);
  EXPECT_EQ(second.steps, 100);
  EXPECT_FALSE(session.advance());
  session.restore(start);
  EXPECT_FALSE(session.is_finished());
  while (session.advance()) {
  }
  EXPECT_EQ(session.finish().sensors.size(), 1u);
}

TEST(Session, FinishedBeforeTheEndIsNotCalledFinished) {
  Session session(document(pushed), unrecorded());
  session.advance(10);
  const RunSummary summary = session.finish();
  EXPECT_EQ(summary.status, RunStatus::interrupted);
  EXPECT_EQ(summary.message, "ended at t = 0.1 s, before the end of analysis 'move'");
}

TEST(SessionRestore, RefusesWhatIsNoStateOfTheScene) {
  Session session(document(eventful), unrecorded());
  session.advance(5);
  const Checkpoint good = session.save();
  for (size_t k = 0; k < good.arrays.size(); ++k) {
    const std::string& name = good.arrays[k].name;
    // Checkpoints from before have none of these; `drawn` counts rows of a record, which a session that is not recorded has not.
    if (name == "multistep" || name == "angles" || name == "term_history" || name == "drawn" || name == "notes" ||
        name == "energy_range" || name == "turned" || name == "rotated")
      continue;
    Checkpoint missing = good, shorter = good;
    missing.arrays.erase(missing.arrays.begin() + static_cast<long>(k));
    EXPECT_THROW(session.restore(missing), InputError) << name;
    if (good.arrays[k].reals.empty() && good.arrays[k].integers.empty()) continue;
    auto& array = shorter.arrays[k];
    if (!array.reals.empty()) array.reals.pop_back();
    if (!array.integers.empty()) array.integers.pop_back();
    EXPECT_THROW(session.restore(shorter), InputError) << name;
  }
  for (const std::int64_t segment : {-1, 0, 3, 100}) {
    Checkpoint elsewhere = good;
    elsewhere.arrays[0].integers[0] = segment;  // within the static analysis, or beyond the last
    EXPECT_THROW(session.restore(elsewhere), InputError) << segment;
  }
  EXPECT_NO_THROW(session.restore(good));
}

// Of the same sizes, it would go on at a time between two steps.
TEST(SessionRestore, RefusesTheStateOfASceneThatDiffersInNumbersOnly) {
  Session session(document(eventful), unrecorded());
  session.advance(5);
  const Checkpoint saved = session.save();
  std::string other = eventful;
  other.replace(other.find("m = 0.5"), 7, "m = 0.6");
  Session heavier(document(other), unrecorded());
  EXPECT_THROW(heavier.restore(saved), InputError);
}

// What failed in a future that was given up is not to blame.
TEST(SessionRestore, ForgetsWhichFunctionsFailed) {
  static double first_until = 0, second_until = 0;
  first_until = 0.05, second_until = 1;
  ExternalLaw first, second;
  first.force = [](void*, int n, double t, const double*, const double*, double* f, double*, double*) {
    for (int i = 0; i < n; ++i) f[i] = 0;
    return t > first_until ? 1 : 0;
  };
  second.force = [](void*, int n, double t, const double*, const double*, double* f, double*, double*) {
    for (int i = 0; i < n; ++i) f[i] = 0;
    return t > second_until ? 1 : 0;
  };
  const std::string text = pushed +
                           "[load.first]\ntype = \"external\"\nat = \"p\"\n[load.second]\ntype = \"external\"\nat = "
                           "\"p\"\n";
  Session session(document(text, {{}, {{"first", first}, {"second", second}}}), unrecorded());
  const Checkpoint start = session.save();
  EXPECT_FALSE(session.advance(100));
  EXPECT_THAT(session.message(), ::testing::StartsWith("the force law 'first' gave no finite number"));
  EXPECT_FALSE(session.advance()) << "it stays failed";
  session.restore(start);
  EXPECT_EQ(session.status(), RunStatus::finished);
  EXPECT_EQ(session.message(), "");
  first_until = 1, second_until = 0.02;
  EXPECT_FALSE(session.advance(100));
  EXPECT_THAT(session.message(), ::testing::StartsWith("the force law 'second' gave no finite number"));
  EXPECT_THAT(session.message(), ::testing::Not(::testing::HasSubstr("first")));
}

TEST(Session, ReadsTheSameAfterAStepThatFailed) {
  ExternalLaw law;
  law.force = [](void*, int n, double t, const double*, const double*, double* f, double*, double*) {
    for (int i = 0; i < n; ++i) f[i] = 0;
    return t > 0.07 ? 1 : 0;
  };
  std::string text = eventful;
  text.replace(text.find("signal = \"= t < 0.13\"\n[sensor"), 22, "signal = \"= 1 + t\"\n");
  text.insert(text.find("[point.bob]"), "[load.law]\ntype = \"external\"\nat = \"bob\"\n");
  for (const char* adaptive : {"", "adaptive = { tolerance = 1e-3 }\n"}) {
    Session session(document(text + adaptive, {{}, {{"law", law}}}), unrecorded());
    std::vector<double> before;
    do before = readings(session);
    while (session.advance());
    ASSERT_EQ(session.status(), RunStatus::failed);
    EXPECT_EQ(readings(session), before);
  }
}

TEST(Session, AFunctionThatFailsInStaticsOrModesIsNamed) {
  ExternalLaw law;
  law.force = [](void*, int, double, const double*, const double*, double*, double*, double*) { return 1; };
  for (const char* analysis : {"type = \"static\"\n", "type = \"static\"\narc_length = true\n", "type = \"modes\"\n"}) {
    const std::string text = pushed.substr(0, pushed.find("[[analysis]]")) +
                             "[spring.s]\ntype = \"linear\"\nbetween = [[0, 0], \"p\"]\nstiffness = 1\n"
                             "[spring.t]\ntype = \"linear\"\nbetween = [[1, 1], \"p\"]\nstiffness = 1\n"
                             "[load.law]\ntype = \"external\"\nat = \"p\"\n[[analysis]]\nname = \"still\"\n" +
                             analysis;
    Session session(document(text, {{}, {{"law", law}}}), unrecorded());
    EXPECT_FALSE(session.advance());
    EXPECT_EQ(session.status(), RunStatus::failed) << analysis;
    EXPECT_THAT(session.message(), ::testing::StartsWith("the force law 'law' gave no finite number at t = 0 s"))
        << analysis;
  }
}

TEST(Session, UsesNoHeapOnceWarm) {
  for (const char* adaptive : {"", "adaptive = { tolerance = 1e-3, max_step = 0.001 }\n"}) {
    std::string text = eventful + adaptive;
    text.insert(text.find("[point.bob]"),
                "[sensor.signal]\ntype = \"signal\"\nof = \"wave\"\n[signal.wave]\ntype = \"expression\"\n"
                "formula = \"sin(t)\"\n");
    Session session(document(text), unrecorded());
    while (session.time() < 0.01) {
      session.advance();
      for (int k = 0; k < session.sensor_count(); ++k) session.sensor(k);
    }
    const long before = test::allocations();
    while (session.time() < 0.04) {
      session.advance();
      for (int k = 0; k < session.sensor_count(); ++k) session.sensor(k);
    }
    EXPECT_EQ(test::allocations() - before, 0);
  }
}

// What a sensor cannot read ends the run at 0.051 s; gone back, the session steps as it did.
TEST(SessionRestore, GoesBackToBeforeASensorReadNoNumber) {
  Session session(document(R"toml(
[point.p]
position = [0, 0]
[mass.m]
at = "p"
m = 1
[signal.z]
type = "expression"
formula = "sqrt(0.05 - t)"
[sensor.z]
type = "signal"
of = "z"
[[analysis]]
name = "d"
type = "dynamic"
end = 0.1
step = 0.001
)toml"),
                  unrecorded());
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(session.advance());
  const Checkpoint saved = session.save();
  while (session.advance()) {
  }
  EXPECT_EQ(session.status(), RunStatus::failed);
  session.restore(saved);
  EXPECT_TRUE(session.advance()) << session.message();
  EXPECT_NEAR(session.time(), 0.006, 1e-12);
}

}  // namespace
}  // namespace flexura
