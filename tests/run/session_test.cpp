#include "flexura/run/session.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

SceneDocument document(const std::string& text) { return read_scene_text(text, "session.toml", scene_terms()); }

SceneDocument example(const std::string& name, const std::vector<std::string>& set = {}) {
  SceneOptions options;
  options.set = set;
  return read_scene("examples/" + name + ".toml", scene_terms(), options);
}

RunOptions unrecorded() {
  RunOptions options;
  options.record = false;
  return options;
}

using Series = std::map<std::string, std::vector<double>>;

/// Every sensor's numbers after each step.
Series stepped(Session& session) {
  Series series;
  do {
    session.advance();
    for (int k = 0; k < session.sensor_count(); ++k) {
      const auto values = session.sensor(k);
      auto& all = series[session.sensor_spec(k).name];
      all.insert(all.end(), values.begin(), values.end());
    }
  } while (!session.is_finished());
  return series;
}

/// The same from a whole run that samples every step, and besides where an analysis begins.
Series whole(const SceneDocument& scene) {
  Series series;
  RunOptions options = unrecorded();
  options.sample = [&](const SensorSample& s) {
    auto& all = series[s.sensor.name];
    if (s.at > s.analysis.begin) all.insert(all.end(), s.values.begin(), s.values.end());
  };
  EXPECT_EQ(run_scene(scene, options).status, RunStatus::finished);
  return series;
}

/// A soft plate of n × n elements that falls about a hinge, in steps of 1 ms.
std::string hinged_plate(int n, int steps) {
  return "space = \"spatial\"\ngravity = [0, 0, -9.81]\n[plate.sheet]\nelements = [" + std::to_string(n) + ", " +
         std::to_string(n) + "]\n" + R"(shape = { type = "flat", size = [0.3, 0.3] }
material = "soft"
thickness = 0.01
[material.soft]
E = 1e5
nu = 0.3
rho = 7810
[joint.hinge]
type = "pin"
of = ["ground", "sheet.start"]
[[analysis]]
name = "swing"
type = "dynamic"
step = "1 ms"
end = )" +
         std::to_string(steps) + "e-3\n";
}

// Checkpoints forget the factor. They were a hundredth of the analysis apart, so that 40 steps made 40 factors.
TEST(Session, AShortAnalysisKeepsItsFactor) {
  const RunSummary kept = run_scene(document(hinged_plate(2, 40)), unrecorded());
  EXPECT_EQ(kept.steps, 40);
  EXPECT_LE(kept.factorizations, 4);  // measured: 2
  const RunSummary asked = run_scene(document(hinged_plate(2, 40) + "checkpoint = \"1 ms\"\n"), unrecorded());
  EXPECT_EQ(asked.factorizations, 40) << "every step, where every step is a checkpoint";
}

// A factor of a plate costs as much as many solves: it is kept while a step takes no more than four of them, not two.
TEST(Session, APlateKeepsItsFactorForFourSolvesAStep) {
  const RunSummary summary = run_scene(document(hinged_plate(8, 100)), unrecorded());
  EXPECT_EQ(summary.steps, 100);
  EXPECT_LE(summary.factorizations, 10);  // measured: 5; 29 where two were the limit
  EXPECT_LE(summary.iterations, 4 * summary.steps);
}

// A run and its steps are the same computation, so not a bit may differ.
TEST(Session, StepsAreThoseOfAWholeRun) {
  for (const char* name : {"delta_robot", "two_fingers", "adaptive_step"}) {
    const std::string every = "output.every_step=true";
    Session session(example(name, {every}), unrecorded());
    const Series steps = stepped(session), run = whole(example(name, {every}));
    ASSERT_FALSE(steps.empty()) << name;
    ASSERT_EQ(steps.size(), run.size());
    for (const auto& [sensor, values] : steps) {
      const auto& others = run.at(sensor);
      ASSERT_EQ(values.size(), others.size()) << name << ", " << sensor;
      const auto [a, b] = std::mismatch(values.begin(), values.end(), others.begin());
      EXPECT_EQ(a, values.end()) << name << ", " << sensor << ", number " << a - values.begin() << ": " << *a
                                 << ", not " << *b;
    }
  }
}

const std::string pendulum = R"(
title = "a mass that hangs on a spring, pushed by code"
[point.p]
position = [1, 0]
[mass.bob]
at = "p"
m = 2
[load.push]
type = "force"
at = "p"
force = [1, 0]
signal = { type = "input", value = 0 }
[sensor.place]
type = "position"
at = "p"
[sensor.speed]
type = "velocity"
at = "p"
[sensor.acceleration]
type = "acceleration"
at = "p"
[sensor.kinetic]
type = "energy"
of = "kinetic"
[[analysis]]
name = "move"
type = "dynamic"
end = 1
step = 0.01
)";

TEST(Session, InputActsFromTheNextStep) {
  Session session(document(pendulum), unrecorded());
  ASSERT_EQ(session.inputs(), std::vector<std::string>{"load.push.signal"});
  const int push = session.find_input("load.push.signal"), speed = session.find_sensor("speed");
  ASSERT_EQ(push, 0);
  EXPECT_EQ(session.sensor(speed)[0], 0.0);
  session.set_input(push, 4.0);
  EXPECT_EQ(session.input(push), 4.0);
  // Set before the first step it acts from the start: 4 N on 2 kg, constant, which the Newmark family integrates exactly.
  EXPECT_NEAR(session.sensor(session.find_sensor("acceleration"))[0], 2.0, 1e-14);
  ASSERT_TRUE(session.advance_to(0.5));
  EXPECT_NEAR(session.sensor(speed)[0], 1.0, 1e-12);
  EXPECT_NEAR(session.sensor(session.find_sensor("kinetic"))[0], 1.0, 1e-12);
  session.set_input(push, 0.0);
  ASSERT_TRUE(session.advance(10));
  const double after = session.sensor(speed)[0];
  EXPECT_NEAR(after, 1.0, 0.01 * 2.0);  // the change is spread over one step
  ASSERT_TRUE(session.advance(20));
  EXPECT_NEAR(session.sensor(speed)[0], after, 1e-3);
}

TEST(Session, ReadingChangesNoBit) {
  Session silent(example("delta_robot"), unrecorded()), read(example("delta_robot"), unrecorded());
  for (int step = 0; step < 50; ++step) {
    silent.advance();
    read.advance();
    for (int k = 0; k < read.sensor_count(); ++k) read.sensor(k);
  }
  EXPECT_EQ(silent.state().q, read.state().q);
  EXPECT_EQ(silent.state().v, read.state().v);
}

TEST(Session, SavedStateGoesOnBitForBit) {
  for (const char* name : {"soft_actuator", "trapdoor", "adaptive_step", "adams_drift"}) {
    Session session(example(name), unrecorded());
    std::vector<Checkpoint> saved{session.save()};
    std::vector<std::vector<double>> then;
    for (int part = 0; part < 6 && !session.is_finished(); ++part) {
      session.advance(37);
      then.push_back(session.state().q);
      saved.push_back(session.save());
    }
    ASSERT_GE(then.size(), 2u) << name;
    Session other(example(name), unrecorded());
    for (size_t k = 0; k < then.size(); ++k) {
      other.restore(saved[k]);
      other.advance(37);
      EXPECT_EQ(other.state().q, then[k]) << name << ", part " << k;
    }
  }
}

TEST(Session, RefusesAStateOfAnotherScene) {
  Session actuator(example("soft_actuator"), unrecorded()), mass(document(pendulum), unrecorded());
  EXPECT_THROW(mass.restore(actuator.save()), InputError);
  EXPECT_NO_THROW(mass.restore(mass.save()));
}

}  // namespace
}  // namespace flexura
