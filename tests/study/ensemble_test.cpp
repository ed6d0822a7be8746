#include "flexura/study/ensemble.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "flexura/scene/reader.hpp"

namespace flexura::test {
namespace {

// A cable that hangs first, then moves under a force that is set from outside, a lag of it, and a gust.
const std::string arm = R"(gravity = [0, -9.81]
mass_damping = 2
[section.wall]
EA = 2000
EI = 0.0186
rhoA = 0.12
[cable.arm]
section = "wall"
path = [[0, 0], [0.2, 0]]
elements = 3
[joint.clamp]
type = "weld"
of = ["ground", "arm.start"]
[mass.tip]
at = "arm.end"
m = 0.01
[signal.push]
type = "input"
[signal.late]
type = "lag"
of = "push"
time_constant = 0.01
[signal.gust]
type = "sine"
amplitude = 0.05
frequency = 7
[load.push]
type = "force"
at = "arm.end"
force = [0, 1]
signal = "push"
[load.late]
type = "force"
at = "arm@0.5"
force = [1, 0]
signal = "late"
[load.gust]
type = "force"
at = "arm.end"
force = [0.3, 1]
signal = "gust"
[sensor.tip]
type = "position"
at = "arm.end"
[sensor.bend]
type = "angle"
at = "arm.end"
[sensor.stored]
type = "energy"
of = "strain"
[sensor.clamp]
type = "reaction"
of = "clamp"
[[analysis]]
name = "hang"
type = "static"
[[analysis]]
name = "move"
type = "dynamic"
end = 0.1
step = 1e-3
)";

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

SceneDocument document(const std::vector<std::string>& set = {}) {
  SceneOptions options;
  options.set = set;
  return read_scene_text(arm, "arm.toml", scene_terms(), options);
}

/// By itself, as the ensemble should have it.
struct Alone {
  explicit Alone(const std::vector<std::string>& set = {}) : session(document(set), options()) { session.advance(); }
  static RunOptions options() {
    RunOptions o;
    o.record = false;
    return o;
  }
  void step(double push, double until) {
    session.set_input(0, push);
    session.advance_to(until);
  }
  std::vector<double> numbers() {
    std::vector<double> all = session.state().q;
    all.insert(all.end(), session.state().v.begin(), session.state().v.end());
    all.insert(all.end(), session.state().a.begin(), session.state().a.end());
    for (int k = 0; k < session.sensor_count(); ++k) {
      const std::span<const double> read = session.sensor(k);
      all.insert(all.end(), read.begin(), read.end());
    }
    all.push_back(session.time());
    return all;
  }
  Session session;
};

std::vector<double> numbers_of(Ensemble& ensemble, std::size_t k) {
  Session& session = ensemble.session(k);
  std::vector<double> all = session.state().q;
  all.insert(all.end(), session.state().v.begin(), session.state().v.end());
  all.insert(all.end(), session.state().a.begin(), session.state().a.end());
  for (int s = 0; s < session.sensor_count(); ++s) {
    const std::span<const double> read = session.sensor(s);
    all.insert(all.end(), read.begin(), read.end());
  }
  all.push_back(session.time());
  return all;
}

std::vector<std::size_t> all_of(const Ensemble& ensemble) {
  std::vector<std::size_t> members(ensemble.size());
  std::iota(members.begin(), members.end(), 0U);
  return members;
}

double push_of(std::size_t member, int k) { return 0.1 * std::sin(1.3 * static_cast<double>(member) + 0.7 * k); }

/// 13 members: groups that are full and one that is not, on any number of lanes.
constexpr std::size_t count = 13;

std::vector<std::string> settings_of(std::size_t member) {
  if (member % 3 == 0) return {};
  return {"mass.tip.m=" + std::to_string(0.01 + 0.002 * static_cast<double>(member)),
          "signal.gust.amplitude=" + std::to_string(0.01 * static_cast<double>(member))};
}

// Positions, velocities, accelerations and all sensors, energies among them, after each of five stretches: the same bits as a session by itself,
// with numbers and inputs of each member's own, in lanes or not, on one thread and on two.
TEST(Ensemble, HasTheBitsOfSessionsByThemselves) {
  std::vector<Alone> alone;
  for (std::size_t k = 0; k < count; ++k) alone.emplace_back(settings_of(k));
  std::vector<std::vector<double>> expected;
  for (int i = 1; i <= 5; ++i)
    for (std::size_t k = 0; k < count; ++k) {
      alone[k].step(push_of(k, i), 0.02 * i);
      expected.push_back(alone[k].numbers());
    }
  for (const auto& [threads, lanes] : {std::pair(1, true), {2, true}, {2, false}}) {
    Ensemble ensemble(document(), count, {.threads = threads, .lanes = lanes});
    for (std::size_t k = 0; k < count; ++k) ensemble.set(k, settings_of(k));
    EXPECT_THAT(ensemble.begin(all_of(ensemble)), testing::Each(""));
    for (int i = 1; i <= 5; ++i) {
      for (std::size_t k = 0; k < count; ++k) ensemble.session(k).set_input(0, push_of(k, i));
      ensemble.advance_to(std::vector<double>(count, 0.02 * i));
      for (std::size_t k = 0; k < count; ++k)
        EXPECT_EQ(numbers_of(ensemble, k), expected[static_cast<std::size_t>(i - 1) * count + k]) << k << " at " << i;
    }
    // 13 is three packs of four and one over, or one of eight and five: a member that is left over goes by itself.
    EXPECT_EQ(ensemble.in_lanes(),
              lanes ? 100L * static_cast<long>(count - (count % 4 == 1 && native_lanes == 4)) : 0L);
  }
}

// Episodes end at different times: who begins anew does so in another group, while the lanes that it has left go on.
TEST(Ensemble, MembersBeginAnewAtAnyTime) {
  Ensemble ensemble(document(), count, {.threads = 2});
  std::vector<std::size_t> everyone = all_of(ensemble);
  ensemble.begin(everyone);
  std::vector<Alone> alone(count);
  std::vector<int> steps(count, 0);
  for (int i = 1; i <= 12; ++i) {
    std::vector<std::size_t> ended;
    std::vector<double> until(count);
    for (std::size_t k = 0; k < count; ++k)
      if (steps[k] == 4 + static_cast<int>(k % 3)) {
        ended.push_back(k);
        const bool varied = (k + static_cast<std::size_t>(i)) % 2 == 0;
        const std::vector<std::string> set =
            varied ? std::vector<std::string>{"mass.tip.m=" + std::to_string(0.01 + 0.001 * i)}
                   : std::vector<std::string>();
        ensemble.set(k, set);
        alone[k] = Alone(set);
        steps[k] = 0;
      }
    if (!ended.empty()) ensemble.begin(ended);
    for (std::size_t k = 0; k < count; ++k) {
      const bool rests = (k + static_cast<std::size_t>(i)) % 5 == 0;
      until[k] = rests ? nowhere : 0.01 * ++steps[k];
      if (rests) continue;
      ensemble.session(k).set_input(0, push_of(k, i));
      alone[k].step(push_of(k, i), until[k]);
    }
    ensemble.advance_to(until);
    for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(numbers_of(ensemble, k), alone[k].numbers()) << k << " at " << i;
  }
}

// A force that no step can follow: that member leaves and fails as it does by itself, with the same message; its neighbours do not notice.
TEST(Ensemble, WhoFailsLeavesItsLane) {
  Ensemble ensemble(document(), 4, {});
  ensemble.begin(all_of(ensemble));
  std::vector<Alone> alone(4);
  for (int i = 1; i <= 3; ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      const double push = k == 2 && i == 2 ? 1e200 : push_of(k, i);
      ensemble.session(k).set_input(0, push);
      alone[k].step(push, 0.02 * i);
    }
    ensemble.advance_to(std::vector<double>(4, 0.02 * i));
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(ensemble.session(k).state().q, alone[k].session.state().q);
      EXPECT_EQ(ensemble.session(k).status(), alone[k].session.status());
      EXPECT_EQ(ensemble.session(k).message(), alone[k].session.message());
    }
  }
  EXPECT_EQ(ensemble.session(2).status(), RunStatus::failed);
  EXPECT_EQ(ensemble.session(1).status(), RunStatus::finished);
}

TEST(Ensemble, SaysWhatIsWrongWithASetting) {
  Ensemble ensemble(document(), 2, {});
  ensemble.set(1, {"mass.tip.m=-1"});
  EXPECT_THROW(ensemble.begin(all_of(ensemble)), InputError);
  EXPECT_FALSE(ensemble.has_begun(0));
  EXPECT_FALSE(ensemble.has_begun(1));
  ensemble.set(1, {"mass.tip.m=0.02"});
  EXPECT_THAT(ensemble.begin(all_of(ensemble)), testing::Each(""));
  EXPECT_EQ(ensemble.session(1).time(), 0);
}

// Settings that are wrong leave the episodes that all are in, in their lanes too.
TEST(Ensemble, GoesOnWhereSettingsAreWrong) {
  Ensemble ensemble(document(), 2, {.threads = 2});
  ensemble.begin(all_of(ensemble));
  std::vector<Alone> alone(2);
  const auto step = [&](int i) {
    for (std::size_t k = 0; k < 2; ++k) {
      ensemble.session(k).set_input(0, push_of(k, i));
      alone[k].step(push_of(k, i), 0.02 * i);
    }
    ensemble.advance_to(std::vector<double>(2, 0.02 * i));
    for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(numbers_of(ensemble, k), alone[k].numbers()) << k << " at " << i;
  };
  step(1);
  for (const char* wrong : {"mass.tip.m=-1", "section.wall.EA=0"}) {
    ensemble.set(0, {"mass.tip.m=0.02"});
    ensemble.set(1, {wrong});
    EXPECT_THROW(ensemble.begin(all_of(ensemble)), InputError);
    ASSERT_TRUE(ensemble.has_begun(0) && ensemble.has_begun(1));
  }
  step(2);
  EXPECT_EQ(ensemble.in_lanes(), 80);
}

// Scenes that call functions are varied as they were read: with the functions, on one thread.
TEST(Ensemble, FunctionsOfScenesWithSettings) {
  std::string text = arm;
  const std::string sine = "type = \"sine\"\namplitude = 0.05\nfrequency = 7\n";
  text.replace(text.find(sine), sine.size(), "type = \"external\"\nfunction = \"gust\"\n");
  SceneOptions reading;
  reading.functions.signals["gust"].value = [](void*, double t) { return 0.05 * std::sin(44 * t); };
  const auto read = [&](const std::vector<std::string>& set) {
    SceneOptions options = reading;
    options.set = set;
    return read_scene_text(text, "arm.toml", scene_terms(), options);
  };
  const std::vector<std::string> heavy{"mass.tip.m=0.02"};
  Ensemble ensemble(read({}), 2, {.threads = 2, .reading = reading});
  ensemble.set(1, heavy);
  EXPECT_THAT(ensemble.begin(all_of(ensemble)), testing::Each(""));
  ensemble.advance_to(std::vector<double>(2, 0.05));
  for (std::size_t k = 0; k < 2; ++k) {
    Session alone(read(k == 0 ? std::vector<std::string>() : heavy), Alone::options());
    alone.advance();
    alone.advance_to(0.05);
    EXPECT_EQ(ensemble.session(k).state().q, alone.state().q);
  }
  EXPECT_NE(ensemble.session(0).state().q, ensemble.session(1).state().q);
  EXPECT_EQ(ensemble.in_lanes(), 0);
  Ensemble without(read({}), 1, {});
  without.set(0, heavy);
  EXPECT_THROW(without.begin(all_of(without)), InputError);
}

}  // namespace
}  // namespace flexura::test
