// Random mechanisms run to their end, keep their constraints and their energy, and move alike however they are written.
//
// FLEXURA_MECHANISMS=FROM:TO runs these seeds in place of the first hundred; scripts/validate runs a thousand.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>

#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"
#include "tests/run/random_mechanism.hpp"
#include "tests/support/random.hpp"

namespace flexura {
namespace {

using test::Mechanism;
using test::random_mechanism;

struct Outcome {
  std::string failure;  ///< "refused", "failed", "not a number", "violation", "energy"; empty: none
  std::string message;
  RunSummary summary;
  double loss = 0;  ///< of energy by the integration, relative to what is in play
  double seconds = 0;
};

const SensorSummary* find(const RunSummary& summary, const std::string& sensor) {
  for (const auto& [name, values] : summary.sensors)
    if (name == sensor) return &values;
  return nullptr;
}

double range(const RunSummary& summary, const std::string& sensor) {
  const SensorSummary* s = find(summary, sensor);
  return s == nullptr ? 0 : s->greatest[0] - s->least[0];
}

bool finite(const RunSummary& summary) {
  bool all = std::isfinite(summary.kinetic + summary.strain + summary.gravity + summary.numerical + summary.violation);
  for (const auto& [name, values] : summary.sensors)
    for (const auto& x : {values.last, values.least, values.greatest})
      for (double v : x) all = all && std::isfinite(v);
  return all;
}

constexpr double most_violation = 1e-8, most_loss = 0.05;

Outcome run(const std::string& scene) {
  Outcome out;
  const auto start = std::chrono::steady_clock::now();
  try {
    RunOptions options;
    options.record = false;
    out.summary = run_scene(read_scene_text(scene, "mechanism.toml", scene_terms()), options);
    const RunSummary& s = out.summary;
    out.message = s.message;
    double play = std::fabs(s.work) + s.dissipated + range(s, "gravity") + range(s, "strain") + 1e-9;
    if (const SensorSummary* kinetic = find(s, "kinetic")) play += kinetic->greatest[0];
    out.loss = std::fabs(s.numerical) / play;
    if (!finite(s)) {
      out.failure = "not a number";
    } else if (s.status != RunStatus::finished) {
      out.failure = "failed";
    } else if (s.violation > most_violation) {
      out.failure = "violation";
    } else if (out.loss > most_loss) {
      out.failure = "energy";
    }
  } catch (const InputError& error) {
    out.failure = "refused";
    out.message = error.what();
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

/// Without sensors of what joints share that hold the same, which are refused. `more`: keys behind the scene.
Outcome run(const Mechanism& mechanism, const std::string& more = "") {
  Outcome out = run(mechanism.scene() + more);
  if (out.message.find("cannot be told") == std::string::npos &&
      out.message.find("is not determined") == std::string::npos)
    return out;
  return run(mechanism.without("sensor.force").without("sensor.moment").scene() + more);
}

/// What kind of failure it is: the message without the names in it.
std::string kind_of(const Outcome& out) {
  std::string kind = out.failure + ": ";
  for (const char* part :
       {"contradicts", "cannot be closed", "slender", "value =", "no convergence", "singular", "do not fit"})
    if (out.message.find(part) != std::string::npos) kind += part;
  return kind;
}

/// Without all that the failure does not need.
Mechanism shrunk(Mechanism mechanism, const std::function<bool(const Mechanism&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (size_t i = mechanism.tables.size(); i-- > 0;) {
      if (i >= mechanism.tables.size()) continue;
      const std::string& name = mechanism.tables[i].name;
      if (name == "sensor.kinetic" || name == "sensor.strain" || name == "sensor.gravity")
        continue;  // by these it is seen
      const Mechanism less = mechanism.without_table(i);
      if (less.tables.size() < mechanism.tables.size() && fails(less)) mechanism = less, smaller = true;
    }
  }
  return mechanism;
}

/// Largest difference of where things are at the end, between sensors that both have [m, rad].
double difference(const RunSummary& a, const RunSummary& b) {
  double most = 0;
  for (const auto& [name, values] : a.sensors) {
    if (!name.starts_with("at_") && !name.starts_with("angle_") && !name.starts_with("slide_")) continue;
    const SensorSummary* other = find(b, name);
    if (other == nullptr) continue;
    for (size_t i = 0; i < values.last.size(); ++i) most = std::max(most, std::fabs(values.last[i] - other->last[i]));
  }
  return most;
}

std::pair<std::uint64_t, std::uint64_t> seeds() {
  const char* text = std::getenv("FLEXURA_MECHANISMS");
  unsigned long long from = 1, to = 100;
  if (text != nullptr && std::sscanf(text, "%llu:%llu", &from, &to) != 2) ADD_FAILURE() << "FLEXURA_MECHANISMS=FROM:TO";
  return {from, to};
}

/// Where FLEXURA_MECHANISMS_SHRUNK names a folder, what fails is shrunk and written there.
void report(const Mechanism& mechanism, const std::string& kind, const std::string& what,
            const std::function<bool(const Mechanism&)>& fails) {
  std::printf("%llu: %s: %s\n", static_cast<unsigned long long>(mechanism.seed), kind.c_str(), what.c_str());
  std::fflush(stdout);
  const char* folder = std::getenv("FLEXURA_MECHANISMS_SHRUNK");
  if (folder == nullptr) return;
  std::ofstream(fmt::format("{}/{}_{}.toml", folder, kind, mechanism.seed)) << shrunk(mechanism, fails).scene();
}

TEST(RandomMechanisms, RunToTheirEndAndKeepTheirConstraintsAndEnergy) {
  const auto [from, to] = seeds();
  std::map<std::string, int> count;
  double loss = 0, violation = 0, slowest = 0;
  for (std::uint64_t seed = from; seed <= to; ++seed) {
    const Mechanism mechanism = random_mechanism(seed);
    const Outcome out = run(mechanism);
    ++count[out.failure];
    slowest = std::max(slowest, out.seconds);
    if (out.failure.empty()) loss = std::max(loss, out.loss), violation = std::max(violation, out.summary.violation);
    if (out.failure.empty()) continue;
    report(mechanism, out.failure,
           fmt::format("{} (loss {:.2g}, violation {:.2g}, {} steps)", out.message, out.loss, out.summary.violation,
                       out.summary.steps),
           [&](const Mechanism& less) { return kind_of(run(less)) == kind_of(out); });
    EXPECT_NE(out.failure, "not a number") << seed;
    EXPECT_FALSE(out.failure == "failed" && out.message.empty()) << seed;
  }
  for (const auto& [failure, n] : count) std::printf("%s: %d\n", failure.empty() ? "fine" : failure.c_str(), n);
  std::printf("worst loss %.2g, violation %.2g, slowest %.2g s\n", loss, violation, slowest);
  const auto all = static_cast<double>(to - from + 1);
  EXPECT_GE(count[""], 0.99 * all);
}

/// Of what a warning says whether it is so: rows that depend on each other need a loop, an element that bends by 60 degrees is of a
/// flexible part, and energy that is put in is in the balance too.
bool is_true(const std::string& warning, const Mechanism& mechanism, const Outcome& out) {
  const auto says = [&](const char* what) { return warning.find(what) != std::string::npos; };
  if (says("redundant")) return mechanism.loops;
  if (says(
          "is not determined along")) {  // then joints hold more than they need: by multipliers, rows depend on each other
    const std::vector<std::string> others = run(mechanism.with_multipliers(true)).summary.warnings;
    return std::ranges::any_of(others,
                               [](const std::string& other) { return other.find("redundant") != std::string::npos; });
  }
  if (says("turned against each other")) return mechanism.flexible;
  if (says("do not trust the motion")) return out.loss > 0.01;
  return false;
}

// Of a thousand mechanisms 107 warn: 101 of redundant constraints, all in loops, 5 of elements that bend by more than 60 degrees, one of
// an integration that fails. Without stated velocities: random ones do not fit their joints, which a warning says.
TEST(RandomMechanisms, RaiseNoFalseAlarms) {
  const auto [from, to] =
      std::getenv("FLEXURA_MECHANISMS") != nullptr ? seeds() : std::pair<std::uint64_t, std::uint64_t>(1, 200);
  int warned = 0;
  for (std::uint64_t seed = from; seed <= to; ++seed) {
    const Mechanism mechanism = random_mechanism(seed).at_rest();
    const Outcome out = run(mechanism);
    warned += !out.summary.warnings.empty();
    for (const std::string& warning : out.summary.warnings)
      EXPECT_TRUE(is_true(warning, mechanism, out)) << "seed " << seed << ": " << warning;
  }
  std::printf("%d warn\n", warned);
  EXPECT_LE(warned, 0.15 * static_cast<double>(to - from + 1));
}

// By a method whose formulas are the same for every combination of coordinates: generalized-alpha lets each body turn, and a
// place that two share turns with one of them.
TEST(RandomMechanisms, MoveAlikeHoweverTheyAreWritten) {
  const auto [from, to] = seeds();
  double worst[4] = {};
  const auto move = [](const Mechanism& m) { return run(m, "integrator = \"energy-momentum\"\n"); };
  for (std::uint64_t seed = from; seed <= to; seed += 4) {
    const Mechanism mechanism = random_mechanism(seed).at_rest();
    const Outcome out = move(mechanism);
    if (!out.failure.empty()) continue;
    const std::function<Mechanism(const Mechanism&)> ways[] = {
        [&](const Mechanism& m) { return m.shuffled(seed); },
        [](const Mechanism& m) { return m.without("sensor.force").without("sensor.moment"); },
        [](const Mechanism& m) { return m.with_multipliers(true); }, [](const Mechanism& m) { return m.of_trusses(); }};
    const char* names[] = {"order", "sensors", "method", "trusses"};
    for (int k = 0; k < 4; ++k) {
      const Outcome other = move(ways[k](mechanism));
      const double d = difference(out.summary, other.summary);
      constexpr double tolerance = 1e-8;  // [m, rad]; measured on 250 mechanisms: 4e-11, 1e-9, 1.3e-9
      if (other.failure.empty() && d <= tolerance) {
        worst[k] = std::max(worst[k], d);
        continue;
      }
      report(mechanism, names[k], fmt::format("{} {} differs by {:.2g}", other.failure, other.message, d),
             [&](const Mechanism& less) {
               const Outcome a = move(less), b = move(ways[k](less));
               return a.failure.empty() && (b.failure != "" || difference(a.summary, b.summary) > tolerance);
             });
      ADD_FAILURE() << "seed " << seed << ", " << names[k];
    }
  }
  std::printf("order %.2g, sensors %.2g, method %.2g, trusses %.2g\n", worst[0], worst[1], worst[2], worst[3]);
}

/// Largest difference of what joints carry at the end, relative to the largest force.
double difference_of_reactions(const RunSummary& a, const RunSummary& b) {
  double most = 0, size = 1;
  for (const auto& [name, values] : a.sensors) {
    if (!name.starts_with("force_") && !name.starts_with("moment_")) continue;
    const SensorSummary* other = find(b, name);
    if (other == nullptr) continue;
    for (size_t i = 0; i < values.last.size(); ++i) {
      most = std::max(most, std::fabs(values.last[i] - other->last[i]));
      size = std::max(size, std::fabs(values.last[i]));
    }
  }
  return most / size;
}

// What joints carry, read from relations that are eliminated, is what multipliers say where these keep the joints: 1.5e-10 of the largest
// force in 169 mechanisms.
TEST(RandomMechanisms, CarryAlikeHoweverTheyAreWritten) {
  const auto [from, to] = seeds();
  double worst = 0;
  int compared = 0;
  const auto move = [](const Mechanism& m) {
    std::string scene = m.scene();
    scene.replace(scene.find("end = 0.2"), 9, "end = 0.01");
    return run(scene + "integrator = { type = \"rk853\", rtol = 1e-10, atol = 1e-12 }\n");
  };
  for (std::uint64_t seed = from; seed <= to; seed += 7) {
    const Mechanism mechanism = random_mechanism(seed).at_rest();
    const Outcome out = move(mechanism), other = move(mechanism.with_multipliers(true));
    if (!out.failure.empty() || !other.failure.empty() || other.summary.redundant > 0) continue;
    const double d = difference_of_reactions(out.summary, other.summary);
    EXPECT_LE(d, 1e-8) << "seed " << seed;
    worst = std::max(worst, d);
    ++compared;
  }
  std::printf("%d compared, %.2g\n", compared, worst);
  EXPECT_GT(compared, 0);
}

// Shrunk from random mechanisms that once failed. "# fails: NAME" on the first line: there is no motion to compute, and the
// message names where.
TEST(RandomMechanisms, ShrunkCasesStayMended) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/run/mechanism_cases")) {
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const Outcome out = run(text);
    const std::string mark = "# fails: ";
    ++count;
    if (!text.starts_with(mark)) {
      EXPECT_EQ(out.failure, "") << entry.path() << " " << out.message << " loss " << out.loss;
      continue;
    }
    EXPECT_EQ(out.failure, "failed") << entry.path();
    EXPECT_THAT(out.message, ::testing::HasSubstr(text.substr(mark.size(), text.find('\n') - mark.size())));
  }
  EXPECT_GE(count, 15);
}

// Numbers that make no sense are refused, or run to an end that is said: never a crash, and never a result that is no
// number and called finished.
TEST(RandomMechanisms, NonsenseIsRefusedOrSaid) {
  static constexpr const char* numbers[] = {"0", "-1", "1e300", "-1e300", "1e-300", "nan", "inf", "1e9", "\"x\""};
  const auto [from, to] = seeds();
  std::map<std::string, int> count;
  for (std::uint64_t seed = from; seed <= to; ++seed) {
    Mechanism mechanism = random_mechanism(seed);
    mechanism.end = 0.003;
    std::string text = mechanism.scene();
    test::Random random(seed);
    for (int change = 0; change < 3; ++change) {  // numbers after an equals sign, a bracket or a comma
      const auto place = static_cast<size_t>(random.uniform(0, static_cast<double>(text.find("[[analysis]]"))));
      const size_t begin = text.find_first_of("0123456789", text.find_first_of("=[,", place));
      if (begin >= text.find("[[analysis]]")) continue;
      const size_t end = text.find_first_not_of("0123456789.e-", begin);
      text.replace(begin, end - begin, numbers[static_cast<size_t>(random.uniform(0, std::size(numbers)))]);
    }
    const Outcome out = run(text);
    ++count[out.failure];
    EXPECT_FALSE(out.failure == "not a number" && out.summary.status == RunStatus::finished) << text;
    EXPECT_FALSE(out.failure == "refused" && out.message.empty()) << text;
  }
  for (const auto& [failure, n] : count) std::printf("nonsense %s: %d\n", failure.c_str(), n);
  EXPECT_GT(count["refused"], 0);
}

// A body of any shape that nothing holds. Read from its angular velocity the angular momentum has an error of second order
// with both methods: measured 1.7e-6 kg m^2/s at 1 ms. The linear one has none.
TEST(RandomMechanisms, FreeBodiesKeepTheirMomentum) {
  const auto [from, to] = seeds();
  for (const char* integrator : {"energy-momentum", "generalized-alpha"}) {
    double worst = 0, drift = 0;
    for (std::uint64_t seed = from; seed <= std::min(to, from + 49); ++seed) {
      test::Random random(seed);
      const auto vector = [&] {
        return std::array{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
      };
      const auto text = [](const std::array<double, 3>& x) { return fmt::format("[{}, {}, {}]", x[0], x[1], x[2]); };
      const double E[3] = {random.uniform(0.01, 0.1), random.uniform(0.01, 0.1), random.uniform(0.01, 0.1)};
      const std::array<double, 3> J{E[1] + E[2], E[0] + E[2], E[0] + E[1]}, center = vector(), v = vector();
      std::array<double, 3> w = vector();
      for (double& x : w) x *= 5;
      const std::string scene =
          "space = \"spatial\"\n[body.b]\nm = 2\ninertia = " + text(J) + "\ncenter = " + text(center) +
          "\nvelocity = " + text(v) + "\nangular_velocity = " + text(w) +
          "\n[sensor.frame]\ntype = \"frame\"\nat = \"b\"\n[sensor.w]\ntype = \"angular_velocity\"\nat = "
          "\"b\"\n[sensor.v]\ntype = \"velocity\"\nat = \"b.center\"\n[[analysis]]\nname = \"fly\"\ntype "
          "= \"dynamic\"\nend = 0.5\nstep = 1e-3\nintegrator = \"" +
          integrator + "\"\n";
      const Outcome out = run(scene);
      ASSERT_NE(find(out.summary, "frame"), nullptr) << out.message;
      const std::vector<double>& frame = find(out.summary, "frame")->last;
      ASSERT_EQ(frame.size(), 7u);
      const double x = frame[3], y = frame[4], z = frame[5], s = frame[6];
      const double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * s), 2 * (x * z + y * s)},
                              {2 * (x * y + z * s), 1 - 2 * (x * x + z * z), 2 * (y * z - x * s)},
                              {2 * (x * z - y * s), 2 * (y * z + x * s), 1 - 2 * (x * x + y * y)}};
      const std::vector<double>&spin = find(out.summary, "w")->last, &speed = find(out.summary, "v")->last;
      const double start[3] = {v[0] + w[1] * center[2] - w[2] * center[1], v[1] + w[2] * center[0] - w[0] * center[2],
                               v[2] + w[0] * center[1] - w[1] * center[0]};
      for (int i = 0; i < 3; ++i) {
        double L = 0;  // R J Rᵀ ω
        for (int k = 0; k < 3; ++k) L += R[i][k] * J[k] * (R[0][k] * spin[0] + R[1][k] * spin[1] + R[2][k] * spin[2]);
        worst = std::max(worst, std::fabs(L - J[i] * w[i]));
        drift = std::max(drift, std::fabs(speed[i] - start[i]));
      }
    }
    EXPECT_LT(worst, 1e-5) << integrator;
    EXPECT_LT(drift, 1e-10) << integrator;
    std::printf("momentum, %s: angular %.2g, linear %.2g\n", integrator, worst, drift);
  }
}

}  // namespace
}  // namespace flexura
