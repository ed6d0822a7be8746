#include "flexura/study/identify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "flexura/base/file.hpp"
#include "flexura/base/temporary_folder.hpp"
#include "flexura/study/identify_file.hpp"
#include "flexura/study/identify_output.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// 1 kg on a spring of 100 N/m with a damper of 0.4 N s/m, let go 0.1 m below its rest.
const std::string oscillator = R"(title = "oscillator"
[parameters]
start = -0.1
[point.mass]
position = [0, -1]
initial = [0, "= -1 + start"]
[mass.weight]
at = "mass"
m = 1
[spring.coil]
type = "linear"
between = [[0, 0], "mass"]
stiffness = 100
damping = 0.4
[sensor.mass]
type = "position"
at = "mass"
[[analysis]]
name = "swing"
type = "dynamic"
end = 2
step = "2 ms"
[output]
sensor_interval = "2 ms"
)";

double closed_form(double t, double start = -0.1) {
  const double decay = 0.2, omega = std::sqrt(100 - decay * decay);
  return -1 + start * std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
}

/// The closed form in mm, on a clock that is late by `delay` [s]; each 20th sample is missing.
std::string record(double noise = 0, int seed = 1, double start = -0.1, double delay = 0.3) {
  Random random(static_cast<std::uint64_t>(seed));
  std::ostringstream out;
  out.precision(12);
  out << "t [s],height [mm]\n";
  for (int k = 0; k < 100; ++k) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += random.uniform(0, 1);
    out << delay + 0.02 * k << ',';
    if (k % 20 != 7) out << 1e3 * (closed_form(0.02 * k, start) + noise * sum);
    out << '\n';
  }
  return out.str();
}

const std::string study = R"(scene = "oscillator.toml"
[parameter.k]
path = "spring.coil.stiffness"
start = 80
low = 10
high = 1000
scale = "log"
[parameter.c]
path = "spring.coil.damping"
start = 1
low = 0
high = 5
[experiment.drop]
record = "drop.csv"
shift = { start = -0.29, low = -0.32, high = -0.28 }
[measured.height]
sensor = "mass"
component = "y"
)";

StudyOptions files(std::map<std::string, std::string> more = {}) {
  StudyOptions options;
  more.emplace("here/oscillator.toml", oscillator);
  more.emplace("here/drop.csv", record());
  options.scene.load = [more = std::move(more)](const std::string& path) -> std::optional<std::string> {
    const auto found = more.find(path);
    if (found == more.end()) return {};
    return found->second;
  };
  return options;
}

Identification read(const std::string& text, const StudyOptions& options = files()) {
  return read_identification_text(text, "here/study.toml", options);
}

std::string message_of(auto&& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// The record is the closed form: what is left is the error of steps of 2 ms, (ω h)²/12 = 3e-5 of the frequency.
TEST(Identify, FindsStiffnessDampingAndClockOfAnOscillator) {
  const IdentifyReport report = identify(read(study));
  EXPECT_TRUE(report.converged) << report.message;
  ASSERT_EQ(report.numbers.size(), 3u);
  EXPECT_NEAR(report.numbers[0].value, 100, 2e-2);
  EXPECT_NEAR(report.numbers[1].value, 0.4, 1e-3);
  EXPECT_EQ(report.numbers[2].sought.name, "drop.shift");
  EXPECT_NEAR(report.numbers[2].value, -0.3, 1e-4);
  EXPECT_EQ(report.series[0].measured.missing, 5);
  EXPECT_EQ(report.series[0].measured.unit, "m");
  EXPECT_NEAR(report.series[0].measured.y[0], -1.1, 0.01);
  EXPECT_THAT(report.warnings, Contains(HasSubstr("5 samples without a number")));
  EXPECT_EQ(report.failed, 0);
}

// One run with its slopes takes the place of two for each number; the spline through slopes is the slope of the spline.
TEST(Identify, ExactSlopesFindTheSameWithFewerRuns) {
  const IdentifyReport exact = identify(read(study));
  const IdentifyReport differences = identify(read("slopes = \"differences\"\n" + study));
  EXPECT_EQ(exact.slopes, "exact");
  EXPECT_GT(exact.differentiated, 0);
  EXPECT_EQ(differences.differentiated, 0);
  EXPECT_THAT(differences.slopes, HasSubstr("as asked for"));
  EXPECT_LT(2 * exact.runs, differences.runs + 4);
  for (size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(exact.numbers[k].value, differences.numbers[k].value, 1e-2 * exact.numbers[k].standard_error) << k;
    EXPECT_NEAR(exact.numbers[k].standard_error, differences.numbers[k].standard_error,
                1e-3 * exact.numbers[k].standard_error)
        << k;
  }
}

// Where a run has no derivative it is told, and differences do.
TEST(Identify, TellsWhereThereAreNoSlopes) {
  std::string adaptive = oscillator;
  adaptive.replace(adaptive.find("step = \"2 ms\""), 13,
                   "step = \"2 ms\"\nintegrator = { type = \"generalized-alpha\", project_velocities = true }");
  const IdentifyReport report = identify(read(study, files({{"here/oscillator.toml", adaptive}})));
  EXPECT_TRUE(report.converged) << report.message;
  EXPECT_THAT(report.slopes,
              HasSubstr("differences of runs of drop: analysis.swing: no derivative of steps with project_velocities"));
  EXPECT_EQ(report.differentiated, 0);
  EXPECT_NEAR(report.numbers[0].value, 100, 2e-2);
}

// Standard errors against the scatter of 20 records with other noise, which is itself known to 16 %; three times that.
TEST(Identify, StandardErrorsAreThoseOfTheScatter) {
  constexpr int records = 20;
  double scatter[2]{}, told[2]{};
  const double truth[2]{100, 0.4};
  std::string text = study;
  text.erase(text.find("shift = {"), text.find("[measured") - text.find("shift = {"));
  for (int seed = 1; seed <= records; ++seed) {
    const IdentifyReport report =
        identify(read(text, files({{"here/drop.csv", record(1e-3, 100003 * seed, -0.1, 0)}})));
    for (int k = 0; k < 2; ++k) {
      scatter[k] += std::pow(report.numbers[k].value - truth[k], 2) / records;
      told[k] += std::pow(report.numbers[k].standard_error, 2) / records;
    }
    EXPECT_NEAR(report.series[0].noise, 1e-3, 3e-4);
  }
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(std::sqrt(told[k] / scatter[k]), 1, 0.48) << k;
}

// Of a free oscillation only k/m and c/m are seen.
TEST(Identify, NamesWhatTheRecordCannotTellApart) {
  const IdentifyReport report = identify(read(study + R"([parameter.m]
path = "mass.weight.m"
start = 0.9
low = 0.1
high = 10
scale = "log"
)"));
  EXPECT_THAT(report.warnings, Contains(HasSubstr("the records cannot tell these apart: changed together, k +10 %")));
  EXPECT_TRUE(std::isnan(report.numbers[0].standard_error));
  EXPECT_NEAR(report.numbers[0].value / report.numbers[2].value, 100, 0.5);
}

// The time since the start and the velocity there say the same of a record: k and c have their errors nevertheless.
TEST(Identify, TellsEachCombinationAndKeepsWhatIsTold) {
  const std::string begun = R"([parameter.speed]
path = "point.mass.velocity[1]"
start = 0.01
low = -1
high = 1
[parameter.start]
path = "parameters.start"
low = -0.2
high = -0.05
)";
  const StudyOptions moving =
      files({{"here/oscillator.toml",
              std::string(oscillator).replace(oscillator.find("[mass.weight]"), 0, "velocity = [0, 0]\n")}});
  const IdentifyReport two = identify(read(study + begun, moving));
  EXPECT_GT(two.numbers[0].standard_error, 0);
  EXPECT_LT(two.numbers[0].standard_error, 0.01 * two.numbers[0].value);
  EXPECT_GT(two.numbers[1].standard_error, 0);
  const IdentifyReport three = identify(read(study + begun + R"([parameter.m]
path = "mass.weight.m"
start = 0.9
low = 0.1
high = 10
scale = "log"
)",
                                             moving));
  EXPECT_THAT(two.warnings, Contains(HasSubstr("the records cannot tell these apart: changed together, speed")));
  EXPECT_THAT(three.warnings, Contains(HasSubstr("the records cannot tell these apart: changed together, k +10 %")));
  EXPECT_THAT(three.warnings, Contains(HasSubstr("the records cannot tell these apart: changed together, speed")));
}

TEST(Identify, SaysThatABoundHolds) {
  std::string text = study;
  text.replace(text.find("high = 1000"), 11, "high = 90");
  const IdentifyReport report = identify(read(text));
  EXPECT_EQ(report.numbers[0].value, 90);
  EXPECT_TRUE(report.numbers[0].at_bound);
  EXPECT_THAT(report.warnings, Contains(HasSubstr("k = 90 is its upper bound")));
  EXPECT_THAT(report.warnings, Contains(HasSubstr("residuals follow each other")));
}

// A tenth of the samples are nonsense: with squares they drag the damping along, Cauchy's loss hardly sees them.
TEST(Identify, LossesLeaveNonsenseAside) {
  std::istringstream lines(record(2e-4));
  std::string spoilt, line;
  for (int k = 0; std::getline(lines, line); ++k)
    spoilt += k % 10 == 3 ? line.substr(0, line.find(',')) + ",-1300\n" : line + "\n";
  const StudyOptions options = files({{"here/drop.csv", spoilt}});
  const auto damping = [&](const std::string& head) { return identify(read(head + study, options)).numbers[1]; };
  EXPECT_GT(std::abs(damping("").value - 0.4), 0.05);
  EXPECT_NEAR(damping("loss = \"cauchy\"\n").value, 0.4, 0.02);
  EXPECT_NEAR(damping("loss = \"huber\"\n").value, 0.4, 0.05);
}

TEST(Identify, ALogGoesOnWhereItWasCutAndThreadsDoNotMatter) {
  const TemporaryFolder folder;
  const std::string log = folder / "log.jsonl";
  const Identification what = read(study);
  const IdentifyReport first = identify(what, {.log = log});
  EXPECT_EQ(first.recalled, 0);
  const std::string whole = *read_file(log);
  std::ofstream(log) << whole.substr(0, whole.size() / 2);  // as kill -9 leaves it, within a line
  const IdentifyReport again = identify(what, {.threads = 2, .log = log});
  EXPECT_GT(again.recalled, first.runs / 3);
  EXPECT_EQ(again.runs + again.recalled, first.runs);
  for (size_t k = 0; k < 3; ++k) EXPECT_EQ(again.numbers[k].value, first.numbers[k].value);
  const IdentifyReport third = identify(what, {.log = log});
  EXPECT_EQ(third.runs, 0);
  EXPECT_EQ(identify_page(third).size() > 1000, true);
  // Another study does not take them for its own.
  const IdentifyReport other = identify(read("set = { \"mass.weight.m\" = 1.1 }\n" + study), {.log = log});
  EXPECT_EQ(other.recalled, 0);
}

// Two experiments with their own starts, both unknown; a third only compared. The start of each is found from its record.
const std::string three = R"(scene = "oscillator.toml"
cross_validation = true
[parameter.k]
path = "spring.coil.stiffness"
start = 90
[parameter.start]
each = true
low = -0.5
high = 0.5
experiments = ["far", "near"]
[experiment.far]
record = "drop.csv"
shift = { start = -0.3, low = -0.31, high = -0.29 }
[experiment.near]
record = "near.csv"
shift = { start = -0.3, low = -0.31, high = -0.29 }
[experiment.last]
record = "drop.csv"
left_out = true
shift = { start = -0.3, low = -0.31, high = -0.29 }
[measured.height]
sensor = "mass"
component = "y"
noise = "1 mm"
)";

TEST(Identify, ExperimentsHaveNumbersOfTheirOwn) {
  const IdentifyReport report = identify(read(three, files({{"here/near.csv", record(0, 1, -0.05)}})));
  ASSERT_EQ(report.numbers.size(), 6u);
  EXPECT_NEAR(report.numbers[0].value, 100, 0.02);
  EXPECT_EQ(report.numbers[1].sought.name, "far.start");
  EXPECT_NEAR(report.numbers[1].value, -0.1, 1e-4);
  EXPECT_NEAR(report.numbers[2].value, -0.05, 1e-4);
  ASSERT_EQ(report.left_out.size(), 2u);
  EXPECT_NEAR(report.left_out[1].values[0], 100, 0.02);
  EXPECT_TRUE(report.series[2].left_out);
  EXPECT_LT(report.series[2].rms, 1e-4);
  EXPECT_THAT(report.warnings, Contains(HasSubstr("times the noise that is stated: it is too large")));
  EXPECT_EQ(identified_settings(report).size(), 1u);
}

// Of a model that is linear in its number the cost is a parabola: 95 % lies ± 1.96 standard errors about the best.
TEST(Identify, ProfilesOfALinearModelAreParabolas) {
  const IdentifyReport report = identify(read(R"(scene = "oscillator.toml"
profile = true
[parameter.start]
low = -0.3
high = -0.01
[experiment.drop]
record = "drop.csv"
[measured.height]
sensor = "mass"
component = "y"
noise = "1 mm"
)",
                                              files({{"here/drop.csv", record(1e-3, 1, -0.1, 0)}})));
  const IdentifiedNumber& n = report.numbers[0];
  ASSERT_TRUE(n.profile.has_value());
  EXPECT_NEAR((n.profile->high - n.value) / n.standard_error, 1.96, 0.02);
  EXPECT_NEAR((n.profile->low - n.value) / n.standard_error, -1.96, 0.02);
}

/// The same mass at rest in a field of gravity.
std::string hanging() {
  std::string scene = "gravity = [0, -9.81]\n" + oscillator;
  const std::string motion = "type = \"dynamic\"\nend = 2\nstep = \"2 ms\"";
  scene.replace(scene.find(motion), motion.size(), "type = \"static\"");
  return scene;
}

const std::string sag = R"([measured.sag]
sensor = "mass"
component = "y"
value = "-1049.05 mm"
noise = "0.5 mm"
)";

// The sag of a mass on a spring is m g/k: 49.05 mm ± 0.5 mm are k = 200 N/m ± 1 %.
TEST(Identify, AValueAtRestIsEnoughWhereItsNoiseIsKnown) {
  const IdentifyReport report = identify(read(R"(scene = "sag.toml"
[parameter.k]
path = "spring.coil.stiffness"
start = 50
scale = "log"
)" + sag,
                                              files({{"here/sag.toml", hanging()}})));
  EXPECT_NEAR(report.numbers[0].value, 200, 1e-3);
  EXPECT_NEAR(report.numbers[0].standard_error, 200 * 0.5 / 49.05, 0.01);
}

// k = 100 √(1.15 − s): beyond 1.15 there is no number, and the first step from −30, by the slope there, ends at 500.
TEST(Identify, GoesRoundRunsThatFail) {
  std::string scene = hanging();
  scene.replace(scene.find("stiffness = 100"), 15, "stiffness = \"= 100 * sqrt(1.15 - s)\"");
  scene.replace(scene.find("start = -0.1"), 12, "start = -0.1\ns = 0.1");
  const IdentifyReport report =
      identify(read("scene = \"half.toml\"\n[parameter.s]\nstart = -30\n" + sag, files({{"here/half.toml", scene}})));
  EXPECT_NEAR(report.numbers[0].value, 1.15 - 4, 1e-3);
  EXPECT_GT(report.failed, 0);
  EXPECT_THAT(report.warnings,
              Contains(HasSubstr("runs failed, and the search went round them; the first, scene at parameters.s=")));
}

TEST(Identify, ARunThatFailsAtTheStartIsTold) {
  const std::string message = message_of([] {
    identify(read(
        "scene = \"sag.toml\"\nset = { \"spring.coil.stiffness\" = 0 }\n[parameter.m]\npath = \"mass.weight.m\"\n" +
            sag,
        files({{"here/sag.toml", hanging()}})));
  });
  EXPECT_THAT(message, HasSubstr("experiment.scene: the run from which the search begins fails (mass.weight.m=1)"));
}

TEST(Identify, FindsEveryProblemOfAStudyAtOnce) {
  const std::string message = message_of([] {
    read(R"(scene = "oscillator.toml"
[parameter.k]
path = "spring.coi.stiffness"
start = 80
[parameter.c]
path = "spring.coil.damping"
low = 5
high = 1
[parameter.m]
path = "mass.weight.m"
start = "2 mm"
[experiment.drop]
record = "drop.csv"
[experiment.late]
record = "late.csv"
[measured.height]
sensor = "mas"
[measured.high]
sensor = "mass"
component = "z"
[measured.y]
sensor = "mass"
component = "y"
column = "height"
noise = "2 s"
experiments = ["drop"]
[measured.depth]
sensor = "mass"
component = "y"
experiments = ["late"]
[measured.bare]
sensor = "mass"
component = "y"
experiments = ["late"]
[measured.late]
sensor = "mass"
component = "y"
unit = "mm"
column = "bare"
experiments = ["latte"]
)",
         files({{"here/late.csv", "t [s],depth [kg],bare\n100,1,2\n101,1,2\n101,x,2\n"},
                {"here/other.csv", "t,x\n1,2\n"}}));
  });
  for (const char* expected :
       {"here/study.toml:3:8: error: parameter.k.path: spring.coi.stiffness: the scene has no \"spring.coi\"",
        "nearest: \"coil\"", "parameter.c.low: the bounds are the wrong way: 5 is not less than 1",
        "\"2 mm\" has the wrong dimension", "measured.height.sensor: the scene has no sensor \"mas\"",
        "no component \"z\", but \"x\" and \"y\"", "\"2 s\" has the wrong dimension; the sensor reads [m]",
        "here/late.csv:4:5: error: 'x' is not a number", "there is no experiment \"latte\""})
    EXPECT_THAT(message, HasSubstr(expected));
}

// What a study sets and seeks at once, a path that is wrong where its start is missing, and units beside a component that is wrong.
TEST(Identify, ProblemsDoNotHideEachOther) {
  const std::string message = message_of([] {
    read(R"(scene = "oscillator.toml"
set = { "spring.coil.stiffness" = 90, "mass.weight.m" = 2 }
[parameter.k]
path = "spring.coil.stiffness"
start = 80
[parameter.m]
path = "mass.weight.m"
[parameter.c]
path = "spring.coil.dampin"
low = 0.1
high = 2
[experiment.drop]
record = "heavy.csv"
set = { spring.coil.stiffness = 100, "mass.weight.m" = 3 }
[measured.height]
sensor = "mass"
component = "q"
noise = "2 s"
)",
         files({{"here/heavy.csv", "t [s],height [kg]\n0,1\n0.1,1\n"}}));
  });
  for (const char* expected :
       {"set.spring.coil.stiffness: is without effect: parameter.k gives this number a value in each run",
        "experiment.drop.set.spring.coil.stiffness: is without effect: parameter.k",
        "experiment.drop.set.mass.weight.m: is without effect: parameter.m", "parameter.c: \"start\" is missing",
        "spring.coil.dampin: unknown key", "nearest: \"damping\"", "no component \"q\"",
        "\"2 s\" has the wrong dimension; the sensor reads [m]",
        "here/heavy.csv:1:7: error: \"kg\" has the wrong dimension"})
    EXPECT_THAT(message, HasSubstr(expected));
  EXPECT_THAT(message, Not(HasSubstr(" set.mass.weight.m")));  // where the search begins
}

TEST(Identify, FindsProblemsOfRecords) {
  const std::string message = message_of([] {
    read(R"(scene = "oscillator.toml"
[parameter.k]
path = "spring.coil.stiffness"
[experiment.late]
record = "late.csv"
[measured.depth]
sensor = "mass"
component = "y"
[measured.bare]
sensor = "mass"
component = "y"
[measured.other]
sensor = "mass"
component = "y"
column = "bar"
[measured.late]
sensor = "mass"
component = "y"
unit = "mm"
column = "bare"
)",
         files({{"here/late.csv", "t [s],depth [kg],bare\n100,1,2\n101,1,2\n"}}));
  });
  for (const char* expected :
       {"here/late.csv:1:7: error: \"kg\" has the wrong dimension; expected [m] (measured.depth)",
        "this column has no unit; measured.bare is in [m]",
        "no data in the window: here/late.csv goes from 100 to 101 s, and the scene simulates 0 to 2 s",
        "has no column \"bar\"", "nearest: \"bare\""})
    EXPECT_THAT(message, HasSubstr(expected));
}

}  // namespace
}  // namespace flexura::test
