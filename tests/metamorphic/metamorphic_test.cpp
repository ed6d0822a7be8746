// Random machines and the same machines written or computed otherwise: turned, moved, in other units, with other
// names, in another order, by multipliers, in two analyses, resumed, by several threads, in lanes. What every sensor
// must read then is known from the original.
//
//     FLEXURA_METAMORPHIC=FROM:TO           these seeds in place of the first hundred; scripts/validate: 5000
//     FLEXURA_METAMORPHIC_ONLY=turned       this transformation alone
//     FLEXURA_METAMORPHIC_SHRUNK=FOLDER     what fails is shrunk and written there, with its transformed scene
//     FLEXURA_METAMORPHIC_LIST=1            prints the largest difference of each machine and transformation

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "flexura/run/session.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/study/ensemble.hpp"
#include "tests/metamorphic/random_machine.hpp"
#include "tests/metamorphic/scene_tree.hpp"
#include "tests/support/random.hpp"

namespace flexura {
namespace {

using test::Machine;
using test::random_machine;
using test::SceneTree;
using test::UnitFactors;

// ------------------------------------------------------------------------------------------------ results of a run

/// What a sensor read, at times of analyses that have time [s], and at the end of those that have none (`at` = −1).
struct Series {
  struct Sample {
    double at;
    std::vector<double> x;
  };
  const Quantity* quantity = nullptr;
  std::string of;                  ///< joint or signal
  int choice = 0;                  ///< of the quantity's selection
  std::vector<std::string> units;  ///< of each number
  std::vector<Sample> samples;
};

struct Outcome {
  std::string failure;  ///< "refused", "failed", "not a number"; empty: none
  std::string message;
  std::map<std::string, Series> series;
  std::vector<double> frequencies;  ///< of modes [Hz]
  long iterations = 0, steps = 0, redundant = 0;
  bool ends_unstable = false, starts_singular = false;
  bool gives_way = false;              ///< a cable whose curved shape at rest nothing keeps in its plane
  std::set<std::string> undetermined;  ///< paths of joints of whose reactions a warning says so
};

Series series_of(const SensorSpec& sensor, int dim) {
  Series series;
  series.quantity = sensor.quantity;
  series.of = sensor.of;
  series.choice = sensor.choice;
  for (const ChannelColumn& column : columns_of(sensor, dim))
    series.units.insert(series.units.end(), column.size(), column.unit);
  return series;
}

SceneDocument document_of(const std::string& scene) { return read_scene_text(scene, "machine.toml", scene_terms()); }

Outcome run(const std::string& scene, int threads = 1) {
  Outcome out;
  try {
    const SceneDocument document = document_of(scene);
    RunOptions options;
    options.record = false;
    options.threads = threads;
    std::string last_analysis;
    options.sample = [&](const SensorSample& sample) {
      Series& series = out.series[sample.sensor.name];
      if (series.quantity == nullptr) series = series_of(sample.sensor, document.dim);
      const double at = sample.analysis.over_time() ? sample.at : -1;
      // The beginning of a motion is the end of the one before, but for what jumps there; of load steps the last counts.
      const double nearness = 1e-9 * std::fabs(at);
      if (!series.samples.empty() && std::fabs(series.samples.back().at - at) <= nearness) {
        if (at >= 0) return;
        series.samples.pop_back();
      }
      series.samples.push_back({at, {sample.values.begin(), sample.values.end()}});
    };
    const RunSummary summary = run_scene(document, options);
    out.message = summary.message;
    out.iterations = summary.iterations;
    out.steps = summary.steps;
    out.redundant = summary.redundant;
    for (const ModesFact& modes : summary.at_rest.modes) out.frequencies = modes.frequency;
    if (summary.status != RunStatus::finished) out.failure = "failed";
    for (const std::string& warning : summary.warnings) {
      out.ends_unstable = out.ends_unstable || warning.find("changes its stability") != std::string::npos ||
                          warning.find("unstable equilibrium") != std::string::npos ||
                          warning.find("the state is unstable") != std::string::npos;
      out.starts_singular = out.starts_singular || warning.starts_with("where the motion starts");
      out.gives_way = out.gives_way || warning.find("gives way across it like a mechanism") != std::string::npos;
      for (std::string_view text = warning;;) {
        constexpr std::string_view before = "the reaction of ", after = " is not determined along";
        const size_t at = text.find(before), end = text.find(after);
        if (at == std::string_view::npos || end == std::string_view::npos || end < at) break;
        out.undetermined.emplace(text.substr(at + before.size(), end - at - before.size()));
        text.remove_prefix(end + after.size());
      }
    }
    for (const auto& [name, series] : out.series)
      for (const Series::Sample& sample : series.samples)
        for (const double x : sample.x)
          if (!std::isfinite(x)) out.failure = "not a number";
  } catch (const InputError& error) {
    out.failure = "refused";
    out.message = error.what();
  }
  return out;
}

// ------------------------------------------------------------------------------------------------ what must be read

/// How the results of a scene follow from those of the original.
struct Relation {
  Placement placement;
  UnitFactors units;
  std::map<std::string, std::string> original_names;  ///< new → old; empty: the same
  std::map<std::string, double> signals;              ///< factors of named signals
  bool without_second_order = false;                  ///< nothing is said of forces and accelerations
  bool without_joint_forces = false;                  ///< nothing is said of what joints carry
  bool without_work = false;                          ///< nor of work and dissipation
};

/// R T Rᵀ of xx, yy, zz, yz, xz, xy.
void turn_tensor(const Placement& placement, std::vector<double>& x) {
  const double T[3][3] = {{x[0], x[5], x[4]}, {x[5], x[1], x[3]}, {x[4], x[3], x[2]}};
  const auto& R = placement.R;
  double out[3][3] = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) out[i][j] += R[3 * i + k] * T[k][l] * R[3 * j + l];
  x = {out[0][0], out[1][1], out[2][2], out[1][2], out[0][2], out[0][1]};
}

void place_frame(const Placement& placement, std::vector<double>& x) {
  if (x.size() == 3) {  // x, y, angle
    placement.place(std::span(x).first(2));
    x[2] += placement.angle();
    return;
  }
  placement.place(std::span(x).first(3));
  const Placement turned = placement * Placement::turned_by(std::array{x[3], x[4], x[5], x[6]});
  const auto quat = turned.quat_xyzw();
  std::copy(quat.begin(), quat.end(), x.begin() + 3);
}

/// What the sensor must read where the original reads x.
std::vector<double> expected(const Series& series, std::vector<double> x, const Relation& relation) {
  for (size_t i = 0; i < x.size(); ++i) x[i] *= relation.units.of(series.units[i]);
  if (relation.placement.is_identity()) return x;
  const std::string_view name = series.quantity->name;
  switch (series.quantity->shape) {
    case Shape::vector:
      name == "position" ? relation.placement.place(x) : relation.placement.turn(x);
      break;
    case Shape::turning:
      if (x.size() == 3) relation.placement.turn(x);
      break;
    case Shape::frame:
      place_frame(relation.placement, x);
      break;
    case Shape::space_tensor:
      turn_tensor(relation.placement, x);
      break;
    default:
      if (name == "angle" && series.of.empty()) x[0] += relation.placement.angle();
  }
  return x;
}

bool is_force_of_joint(const Series& series) {
  static const std::set<std::string_view> names{"reaction", "reaction_moment", "drive_torque", "drive_force"};
  return names.contains(series.quantity->name);
}

/// A reading of which the relation says nothing.
bool is_unrelated(const Series& series, const Relation& relation, const Outcome& original) {
  const std::string_view name = series.quantity->name;
  const bool moved = relation.placement.p != std::array<double, 3>{};
  if (name == "angular_momentum" && moved) return true;  // about the origin
  // Where equations are redundant, reactions are those of least size, and forces count beside moments as the unit of
  // length has it.
  if ((original.redundant > 0 || relation.without_joint_forces) && is_force_of_joint(series)) return true;
  if (is_force_of_joint(series) && original.undetermined.contains("joint." + series.of)) return true;
  // Of equilibria an integral over load steps, whose sizes follow from numbers of iterations.
  if (name == "energy" && series.choice == 5 && series.samples.front().at < 0) return true;
  if (name == "energy" && relation.without_work && series.choice >= 4) return true;
  return series.quantity->shape == Shape::multipliers || series.quantity->shape == Shape::violation;
}
/// Of a force, a stress, an acceleration: found from second derivatives, which rounding of positions enters by
/// 1/step².
bool is_of_second_order(const std::string& unit) {
  const std::optional<Unit> parsed = parse_unit(unit.empty() || unit == "*" ? "1" : unit);
  return parsed && parsed->dimension.power[2] == -2 && unit != "J";
}

/// Of weight only differences mean something.
bool is_relative(const Series& series) { return series.quantity->name == "energy" && series.choice == 3; }
bool is_angle(const Series& series, size_t i) {
  return series.units[i] == "rad" && (series.quantity->shape == Shape::frame || series.of.empty());
}

/// By which differences of each unit are divided: the largest value of that unit, at least a thousandth of what is
/// usual in these machines of some 0.3 m, 0.3 kg and 0.1 s.
class Sizes {
 public:
  explicit Sizes(const Outcome& original) {
    for (const auto& [name, series] : original.series)
      for (const Series::Sample& sample : series.samples)
        for (size_t i = 0; i < sample.x.size(); ++i) {
          double& size = sizes_.try_emplace(series.units[i], usual(series.units[i])).first->second;
          const double x = is_relative(series) ? sample.x[i] - series.samples.front().x[i] : sample.x[i];
          size = std::max(size, std::fabs(x));
        }
  }
  double of(const std::string& unit, const UnitFactors& factors) const { return sizes_.at(unit) * factors.of(unit); }

 private:
  static double usual(const std::string& unit) { return 1e-3 * UnitFactors{0.3, 0.3, 0.1}.of(unit); }
  std::map<std::string, double> sizes_;
};

/// How much farther forces and accelerations may differ than positions.
constexpr double second_order = 10;

struct Difference {
  /// Of the size of what has the unit, of forces and accelerations ten times that; infinite: something is missing.
  double relative = 0;
  std::string what;  ///< sensor, time and both values

  void note(double d, const std::function<std::string()>& text) {
    if (d > relative || std::isnan(d)) relative = std::isnan(d) ? HUGE_VAL : d, what = text();
  }
};

double distance(const Series& series, const std::vector<double>& x, const std::vector<double>& y, size_t i) {
  if (series.quantity->shape == Shape::frame && x.size() == 7 && i >= 3) {  // q and −q are one orientation
    double same = 0;
    for (size_t k = 3; k < 7; ++k) same += x[k] * y[k];
    return std::fabs(x[i] - (same < 0 ? -y[i] : y[i]));
  }
  if (is_angle(series, i)) return std::fabs(std::remainder(x[i] - y[i], 2 * 3.14159265358979323846));
  return std::fabs(x[i] - y[i]);
}

void compare_series(const std::string& name, const Series& original, const Series& other, const Relation& relation,
                    const Sizes& sizes, Difference& worst) {
  const double time = relation.units.time;
  size_t k = 0;
  for (const Series::Sample& sample : original.samples) {
    const double at = sample.at < 0 ? sample.at : sample.at * time;
    while (k < other.samples.size() && std::fabs(other.samples[k].at - at) > 1e-7 * std::fabs(at)) ++k;
    if (k == other.samples.size())
      return worst.note(HUGE_VAL, [&] { return fmt::format("{} has no sample at {:g} s", name, at); });
    std::vector<double> must = expected(original, sample.x, relation), is = other.samples[k].x;
    if (is_relative(original))
      must[0] -= expected(original, original.samples.front().x, relation)[0], is[0] -= other.samples.front().x[0];
    for (size_t i = 0; i < must.size(); ++i) {
      const bool second = is_of_second_order(original.units[i]);
      if (second && relation.without_second_order) continue;
      const double size = sizes.of(original.units[i], relation.units) * (second ? second_order : 1);
      worst.note(distance(original, must, is, i) / size, [&] {
        return fmt::format("{} ({}[{}]) at {:g} s reads {:.17g}, must be {:.17g}; size {:.3g} {}", name,
                           original.quantity->name, i, at, is[i], must[i], size, original.units[i]);
      });
    }
  }
}

Difference compare(const Outcome& original, const Outcome& other, const Relation& relation) {
  Difference worst;
  const Sizes sizes(original);
  std::map<std::string, std::string> new_names;
  for (const auto& [now, before] : relation.original_names) new_names[before] = now;
  for (const auto& [name, series] : original.series) {
    if (is_unrelated(series, relation, original)) continue;
    const std::string other_name = new_names.empty() ? name : new_names.at(name);
    const auto found = other.series.find(other_name);
    if (found == other.series.end())
      worst.note(HUGE_VAL, [&] { return "there is no sensor " + other_name; });
    else
      compare_series(name, series, found->second, relation, sizes, worst);
  }
  if (original.frequencies.size() != other.frequencies.size())
    worst.note(HUGE_VAL,
               [&] { return fmt::format("{} modes for {}", other.frequencies.size(), original.frequencies.size()); });
  else
    for (size_t i = 0; i < original.frequencies.size(); ++i) {
      const double must = original.frequencies[i] / relation.units.time, is = other.frequencies[i];
      worst.note(std::fabs(is - must) / (std::fabs(must) + 1e-3 / relation.units.time),
                 [&] { return fmt::format("mode {} has {:.17g} Hz, must have {:.17g}", i + 1, is, must); });
    }
  return worst;
}

// ------------------------------------------------------------------------------------------------ transformations

/// A machine written otherwise.
struct Variant {
  std::string scene;
  Relation relation = {};
  int threads = 1;
};

struct Transformation {
  std::string name;
  /// How near the results must be: bit for bit; to the rounding that conditions of the machine enlarge; or as near as
  /// the step of an implicit method lets them, see is_of_the_step().
  enum class Exactness { bits, rounding, step } exactness;
  /// Nothing: it does not apply.
  std::function<std::optional<Variant>(const Machine&)> apply;
};

/// Relative to the size of what has the unit. Rounding of 1e-16 of a metre is 1e-10 in forces of parts as stiff as
/// these (E A / l of up to 1e6 N/m for forces of 1 N) and 1e-9 in accelerations found from positions over steps of 1
/// ms; most differences are below 1e-8.
constexpr double rounding_tolerance = 1e-6;
/// Of the differences from half the step: a method of second order differs so by three quarters of its error.
constexpr double step_allowance = 2;

Placement random_placement(std::uint64_t seed, int dim, bool turned, bool moved) {
  test::Random random(seed * 31 + 7);
  Placement placement;
  if (turned) {
    std::array<double, 4> q{};
    double size = 0;
    do {
      for (double& c : q) c = random.uniform(-1, 1);
      if (dim == 2) q[0] = q[1] = 0;
      size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    } while (size < 0.1);
    placement = Placement::turned_by(q);
  }
  if (moved)
    for (int i = 0; i < dim; ++i) placement.p[i] = random.uniform(-2, 2);
  return placement;
}

std::optional<Variant> placed(const Machine& machine, bool turned, bool moved) {
  SceneTree tree(machine.scene());
  Variant variant;
  variant.relation.placement = random_placement(machine.seed, machine.dim, turned, moved);
  if (!test::place(tree, variant.relation.placement)) return {};
  variant.scene = tree.text();
  return variant;
}

std::optional<Variant> rescaled(const Machine& machine, const UnitFactors& factors) {
  SceneTree tree(machine.scene());
  Variant variant;
  variant.relation.units = factors;
  test::rescale(tree, factors, variant.relation.signals);
  variant.scene = tree.text();
  return variant;
}

std::optional<Variant> renamed(const Machine& machine) {
  SceneTree tree(machine.scene());
  test::Random random(machine.seed + 5);
  Variant variant;
  int count = 0;
  variant.relation.original_names = test::rename(tree, [&](const std::string&) {
    return fmt::format("{}{}{}", static_cast<char>('a' + static_cast<int>(random.uniform(0, 26))),
                       static_cast<char>('a' + static_cast<int>(random.uniform(0, 26))), ++count);
  });
  variant.scene = tree.text();
  return variant;
}

std::optional<Variant> reordered(const Machine& machine) {
  SceneTree tree(machine.scene());
  test::reorder(tree, machine.seed);
  return Variant{tree.text()};
}

std::optional<Variant> split(const Machine& machine) {
  if (machine.end == 0) return {};
  SceneTree tree(machine.scene());
  test::split_analysis(tree, machine.timed_analysis, std::round(machine.end / machine.step / 20) * 10 * machine.step);
  Variant variant{tree.text()};
  // Generalized-alpha starts anew with accelerations that its own lag behind: its multipliers ring for some ten steps
  // by the order of the step, which halves with it and not with its square.
  // Accelerations of the energy-momentum method are carried on from those that a motion starts with, undamped.
  static const std::set<std::string> carries_on{"generalized-alpha", "hht", "energy-momentum"};
  variant.relation.without_second_order = carries_on.contains(machine.integrator);
  return variant;
}

std::optional<Variant> by_method(const Machine& machine, const std::string& method) {
  SceneTree tree(machine.scene());
  const std::string before = tree.text();
  test::set_method(tree, method);
  if (tree.text() == before) return {};
  return Variant{tree.text()};
}

std::optional<Variant> sampled_twice_as_often(const Machine& machine) {
  if (machine.end == 0) return {};
  SceneTree tree(machine.scene());
  tree.root.find("output")->find("sensor_interval")->number = 5 * machine.step;
  return Variant{tree.text()};
}

const std::vector<Transformation>& transformations() {
  using enum Transformation::Exactness;
  static const std::vector<Transformation> all{
      {"moved", rounding, [](const Machine& m) { return placed(m, false, true); }},
      {"renamed", rounding, renamed},
      {"turned", step, [](const Machine& m) { return placed(m, true, false); }},
      {"units", step, [](const Machine& m) { return rescaled(m, {1e3, 1e3, 1e3}); }},
      {"other_units", step, [](const Machine& m) { return rescaled(m, {0.01, 30, 0.2}); }},
      {"reordered", step, reordered},
      {"split", step, split},
      {"multipliers", step, [](const Machine& m) { return by_method(m, "multipliers"); }},
      {"elimination", step, [](const Machine& m) { return by_method(m, "eliminated"); }},
      {"samples", bits, sampled_twice_as_often},
      {"threads", bits, [](const Machine& m) -> std::optional<Variant> { return Variant{m.scene(), {}, 2}; }}};
  return all;
}

Outcome run(const Variant& variant) { return run(variant.scene, variant.threads); }

/// The same with half the steps over time.
std::string with_half_steps(const std::string& scene) {
  SceneTree tree(scene);
  for (RawNode& analysis : tree.root.find("analysis")->items)
    if (RawNode* step = analysis.find("step")) step->number /= 2;
  return tree.text();
}

/// Implicit methods take a step with the rotation of each body about one of its points, found from points and directions
/// together (SteadyTurning, StepMotion): which points and directions carry a body depends on the joints' method, their
/// order and their axes, and how much points count beside directions on the unit of length. So results agree as the step
/// goes to 0. The sum of the differences of both runs from those with half the step; 0 where that is no excuse.
double step_errors(const Machine& machine, const Outcome& original, const Variant& variant, const Outcome& other) {
  static const std::set<std::string> implicit{"generalized-alpha", "hht", "energy-momentum"};
  if (!implicit.contains(machine.integrator)) return 0;
  return compare(original, run(with_half_steps(machine.scene())), {}).relative +
         compare(other, run(with_half_steps(variant.scene)), {}).relative;
}

// ------------------------------------------------------------------------------------------------ the suite

std::pair<std::uint64_t, std::uint64_t> seeds() {
  const char* text = std::getenv("FLEXURA_METAMORPHIC");
  unsigned long long from = 1, to = 100;
  if (text != nullptr && std::sscanf(text, "%llu:%llu", &from, &to) != 2)
    ADD_FAILURE() << "FLEXURA_METAMORPHIC=FROM:TO";
  return {from, to};
}

bool is_chosen(const std::string& name) {
  const char* only = std::getenv("FLEXURA_METAMORPHIC_ONLY");
  return only == nullptr || name == only;
}

/// Calls it with each seed, on two threads.
void for_each_seed(const std::function<void(std::uint64_t)>& what) {
  const auto [from, to] = seeds();
  std::atomic<std::uint64_t> next{from};
  const auto work = [&, to = to] {
    for (std::uint64_t seed = next++; seed <= to; seed = next++) what(seed);
  };
  std::thread other(work);
  work();
  other.join();
}

/// Without the reactions of joints that share a place, which are refused.
Machine runnable_machine(std::uint64_t seed) {
  Machine machine = random_machine(seed);
  try {
    interpret_scene(document_of(machine.scene()));
  } catch (const InputError&) {
    std::erase_if(machine.tables, [](const test::MachineTable& table) {
      return table.name.starts_with("sensor.") && table.text.find("\"reaction") != std::string::npos;
    });
  }
  return machine;
}

struct Verdict {
  std::string failure;   ///< empty: none
  bool is_said = false;  ///< by the program: it refused the machine, or ended with an error
  double difference = 0;
  bool applies = true;
  long more_iterations = 0;  ///< than the original
};

/// Equations that are redundant among joints that are eliminated are not counted where they are eliminated.
long redundant_by_multipliers(const Machine& machine) {
  const std::optional<Variant> variant = by_method(machine, "multipliers");
  return variant ? run(*variant).redundant : 0;
}

/// The largest difference that rounding of the numbers in the scene makes: each is written in other units and back again.
double differences_from_rounding(const std::string& scene, const Outcome& original) {
  double largest = 0;
  for (const double factor : {3.0, 7.0, 11.0}) {
    SceneTree tree(scene);
    std::map<std::string, double> signals;
    test::rescale(tree, {factor, factor, factor}, signals);
    test::rescale(tree, {1 / factor, 1 / factor, 1 / factor}, signals);
    const Outcome rounded = run(tree.text());
    if (rounded.failure.empty()) largest = std::max(largest, compare(original, rounded, {}).relative);
  }
  return largest;
}

/// Whether gravity turned by 1e-9 to one side or the other, or a little of it where there is none, moves the machine elsewhere: a curved
/// cable is neutral at rest, and rounding chooses the side to which statics move it.
bool rounding_chooses_the_side(const Machine& machine, const Outcome& original) {
  if (!original.gives_way) return false;
  for (const double nudge : {1e-9, -1e-9}) {
    Machine other = machine;
    double x = 0, y = 0, z = 0;
    const std::size_t at = other.head.find("gravity = [");
    if (std::sscanf(other.head.c_str() + at, "gravity = [%lf, %lf, %lf]", &x, &y, &z) != 3) return false;
    const double least = x == 0 && y == 0 && z == 0 ? 9.81 * nudge : 0;
    const double a = x + nudge * (y - z) + least, b = y + nudge * (z - x) - least, c = z + nudge * (x - y) + least;
    other.head.replace(at, other.head.find('\n', at) - at, fmt::format("gravity = [{}, {}, {}]", a, b, c));
    const Outcome nudged = run(other.scene());
    if (nudged.failure.empty() && compare(original, nudged, {}).relative > 1e-3) return true;
  }
  return false;
}

Verdict judge(const Machine& machine, const Outcome& original, const Transformation& transformation) {
  Verdict verdict;
  std::optional<Variant> variant = transformation.apply(machine);
  // From where an equilibrium loses its stability rounding chooses the branch.
  if (original.ends_unstable && transformation.exactness != Transformation::Exactness::bits) variant.reset();
  verdict.applies = variant.has_value();
  if (!variant) return verdict;
  // Multipliers of the energy-momentum method are those halfway of a step. Nothing damps them: they swing from step
  // to step about what joints carry, from the first step on, and which way depends on the coordinates.
  variant->relation.without_joint_forces =
      transformation.exactness == Transformation::Exactness::step && machine.integrator == "energy-momentum";
  // Work and dissipation of steps of varying size are sums over these steps, which follow from errors that rounding changes.
  const bool adapts = machine.integrator == "rk45" || machine.integrator == "rk853" || machine.integrator == "adams";
  variant->relation.without_work = adapts && transformation.exactness != Transformation::Exactness::bits;
  const Outcome other = run(*variant);
  // At a dead point rounding decides which constraints are redundant, and with them whether anything moves.
  verdict.applies = !(original.starts_singular || other.starts_singular);
  if (other.ends_unstable && transformation.exactness != Transformation::Exactness::bits) verdict.applies = false;
  if (!verdict.applies) return verdict;
  verdict.more_iterations = other.iterations - original.iterations;
  if (other.failure != original.failure) {
    verdict.failure = other.failure + ": " + other.message;
    verdict.is_said = !other.failure.empty() && other.failure != "not a number";
    return verdict;
  }
  const Difference difference = compare(original, other, variant->relation);
  verdict.difference = difference.relative;
  using enum Transformation::Exactness;
  if (difference.relative <= (transformation.exactness == bits ? 0 : rounding_tolerance)) return verdict;
  if (transformation.exactness == step &&
      difference.relative <= step_allowance * step_errors(machine, original, *variant, other))
    return verdict;
  if (const long redundant = redundant_by_multipliers(machine); redundant > original.redundant) {
    Outcome same = original;
    same.redundant = redundant;
    return judge(machine, same, transformation);
  }
  // What a machine makes of the last digits of its numbers is no fault of how it is written, where that is little.
  constexpr double little = 1e-4, as_much = 10;
  if (difference.relative <= little && transformation.exactness != bits &&
      difference.relative <= as_much * (differences_from_rounding(machine.scene(), original) +
                                        differences_from_rounding(variant->scene, other)))
    return verdict;
  verdict.applies = !rounding_chooses_the_side(machine, original);
  if (verdict.applies) verdict.failure = fmt::format("differs by {:.3g}: {}", difference.relative, difference.what);
  return verdict;
}

/// Without all that the failure does not need.
Machine shrunk(Machine machine, const std::function<bool(const Machine&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (size_t i = machine.tables.size(); i-- > 0;) {
      if (i >= machine.tables.size()) continue;
      const Machine less = machine.without_table(i);
      if (fails(less)) machine = less, smaller = true;
    }
  }
  return machine;
}

TEST(Metamorphic, RandomMachinesReadTheSameHoweverTheyAreWrittenAndComputed) {
  std::mutex mutex;
  std::map<std::string, int> outcomes, judged, failed, as_many_iterations, features;
  std::map<std::string, std::pair<double, std::uint64_t>> worst;
  std::uint64_t said = 0;
  for_each_seed([&](std::uint64_t seed) {
    const Machine machine = runnable_machine(seed);
    const Outcome original = run(machine.scene());
    {
      const std::lock_guard lock(mutex);
      ++outcomes[original.failure.empty() ? "finished" : original.failure];
      if (!original.failure.empty())
        std::printf("%llu %s: %s\n", static_cast<unsigned long long>(seed), original.failure.c_str(),
                    original.message.c_str());
      for (const std::string& feature : machine.features) ++features[feature];
    }
    if (!original.failure.empty()) return;
    for (const Transformation& transformation : transformations()) {
      if (!is_chosen(transformation.name)) continue;
      const Verdict verdict = judge(machine, original, transformation);
      if (!verdict.applies) continue;
      const std::lock_guard lock(mutex);
      ++judged[transformation.name];
      if (std::labs(verdict.more_iterations) <= 1) ++as_many_iterations[transformation.name];
      if (std::getenv("FLEXURA_METAMORPHIC_LIST") != nullptr)
        std::printf("%llu %s %.2g\n", static_cast<unsigned long long>(seed), transformation.name.c_str(),
                    verdict.difference);
      auto& [largest, where] = worst[transformation.name];
      if (verdict.failure.empty() && verdict.difference > largest) largest = verdict.difference, where = seed;
      if (verdict.failure.empty()) continue;
      ++failed[transformation.name];
      said += verdict.is_said ? 1 : 0;
      if (verdict.is_said && std::getenv("FLEXURA_METAMORPHIC_SHRUNK") == nullptr) {
        std::printf("%llu %s %s\n", static_cast<unsigned long long>(seed), transformation.name.c_str(),
                    verdict.failure.c_str());
        continue;
      }
      ADD_FAILURE() << "seed " << seed << ", " << transformation.name << ": " << verdict.failure
                    << "\n  FLEXURA_METAMORPHIC=" << seed << ":" << seed
                    << " FLEXURA_METAMORPHIC_ONLY=" << transformation.name
                    << " FLEXURA_METAMORPHIC_SHRUNK=. build/release/tests/test_metamorphic";
      if (const char* folder = std::getenv("FLEXURA_METAMORPHIC_SHRUNK")) {
        const Machine less = shrunk(machine, [&](const Machine& smaller) {
          const Outcome before = run(smaller.scene());
          return before.failure.empty() && !judge(smaller, before, transformation).failure.empty();
        });
        std::ofstream(fmt::format("{}/{}_{}.toml", folder, transformation.name, seed)) << less.scene();
        std::ofstream(fmt::format("{}/{}_{}_other.toml", folder, transformation.name, seed))
            << transformation.apply(less)->scene;
      }
    }
  });
  for (const auto& [outcome, n] : outcomes) std::printf("%s: %d\n", outcome.c_str(), n);
  // A wrong number is never allowed; an error message where another form runs, for one machine in a thousand: those whose joints hold
  // nearly the same, where rounding decides what is redundant.
  EXPECT_LE(said, (seeds().second - seeds().first + 1) / 1000);
  EXPECT_GE(outcomes["finished"], 0.95 * static_cast<double>(seeds().second - seeds().first + 1));
  for (const auto& [name, n] : judged)
    std::printf(
        "%-12s %4d judged, %d failed; %d took as many iterations +-1; largest difference %.2g (seed "
        "%llu)\n",
        name.c_str(), n, failed[name], as_many_iterations[name], worst[name].first,
        static_cast<unsigned long long>(worst[name].second));
  if (std::getenv("FLEXURA_METAMORPHIC_LIST") != nullptr)
    for (const auto& [feature, n] : features) std::printf("feature %s: %d\n", feature.c_str(), n);
}

// ------------------------------------------------------------------------------------------------ resumed, in lanes

RunOptions unrecorded() {
  RunOptions options;
  options.record = false;
  return options;
}

std::vector<double> readings(Session& session) {
  std::vector<double> all;
  for (int k = 0; k < session.sensor_count(); ++k) {
    const auto values = session.sensor(k);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

/// The first difference of two sessions; empty: none.
std::string difference_of(Session& a, Session& b) {
  if (a.time() != b.time()) return fmt::format("one is at {:.17g} s, the other at {:.17g} s", a.time(), b.time());
  for (size_t i = 0; i < a.state().q.size(); ++i)
    if (a.state().q[i] != b.state().q[i])
      return fmt::format("coordinate {} at {:g} s: {:.17g} and {:.17g}", i, a.time(), a.state().q[i], b.state().q[i]);
  const std::vector<double> x = readings(a), y = readings(b);
  for (size_t i = 0; i < x.size(); ++i)
    if (x[i] != y[i])
      return fmt::format("number {} of the sensors at {:g} s: {:.17g} and {:.17g}", i, a.time(), x[i], y[i]);
  return {};
}

/// Goes half of the way, is saved, restored elsewhere, and both go on.
std::string resumed_difference(const Machine& machine) {
  Session session(document_of(machine.scene()), unrecorded());
  if (machine.end > 0)
    session.advance_to(machine.end / 2);
  else
    session.advance();
  const Checkpoint checkpoint = session.save();
  Session other(document_of(machine.scene()), unrecorded());
  other.restore(checkpoint);
  for (std::string difference = difference_of(session, other);; difference = difference_of(session, other)) {
    if (!difference.empty()) return difference;
    const bool goes_on = session.advance();
    if (other.advance() != goes_on) return "one has ended";
    if (!goes_on) return difference_of(session, other);
  }
}

/// Four machines of other weights, together in the lanes of one system and each by itself.
std::string lane_difference(const Machine& machine) {
  EnsembleOptions options;
  const std::vector<std::vector<std::string>> settings{{},
                                                       {machine.dim == 2 ? "gravity=[1,-3]" : "gravity=[1,2,-3]"},
                                                       {},
                                                       {machine.dim == 2 ? "gravity=[0,9]" : "gravity=[0,9,0]"}};
  Ensemble ensemble(document_of(machine.scene()), settings.size(), options);
  std::vector<size_t> members;
  for (size_t k = 0; k < settings.size(); ++k) ensemble.set(k, settings[k]), members.push_back(k);
  for (const std::string& problem : ensemble.begin(members))
    if (!problem.empty()) return {};  // no start with that weight
  std::vector<Session> alone;
  for (const std::vector<std::string>& setting : settings) {
    SceneOptions reading;
    reading.set = setting;
    alone.emplace_back(read_scene_text(machine.scene(), "machine.toml", scene_terms(), reading), unrecorded());
  }
  for (int step = 10; step <= 10 * std::lround(machine.end / machine.step / 10); step += 10) {
    const double t = step * machine.step;
    ensemble.advance_to(std::vector<double>(settings.size(), t));
    for (size_t k = 0; k < settings.size(); ++k) {
      alone[k].advance_to(t);
      const RunStatus status = alone[k].status();
      if (status != ensemble.session(k).status()) return fmt::format("lane {} ends otherwise at {:g} s", k, t);
      const std::string difference = status == RunStatus::failed ? "" : difference_of(alone[k], ensemble.session(k));
      if (!difference.empty()) return fmt::format("lane {}: {}", k, difference);
    }
  }
  return {};
}

/// Each machine that runs; `difference` is empty where all is well.
void expect_no_difference(const std::string& name, std::uint64_t every,
                          const std::function<std::string(const Machine&)>& difference) {
  if (!is_chosen(name)) return;
  std::atomic<int> count = 0;
  for_each_seed([&](std::uint64_t seed) {
    if (seed % every != 0) return;
    const Machine machine = runnable_machine(seed);
    if (!run(machine.scene()).failure.empty()) return;
    ++count;
    std::string what;
    try {
      what = difference(machine);
    } catch (const InputError& error) {
      what = error.what();
    }
    if (what.empty()) return;
    ADD_FAILURE() << "seed " << seed << ", " << name << ": " << what << "\n  FLEXURA_METAMORPHIC=" << seed << ":"
                  << seed << " FLEXURA_METAMORPHIC_ONLY=" << name << " build/release/tests/test_metamorphic";
    if (const char* folder = std::getenv("FLEXURA_METAMORPHIC_SHRUNK"))
      std::ofstream(fmt::format("{}/{}_{}.toml", folder, name, seed)) << shrunk(machine, [&](const Machine& less) {
                                                                           try {
                                                                             return !difference(less).empty();
                                                                           } catch (const InputError&) {
                                                                             return false;
                                                                           }
                                                                         }).scene();
  });
  std::printf("%s: %d machines\n", name.c_str(), count.load());
}

// ------------------------------------------------------------------------------------------------ energy of generalized-α

/// The scene with its motion by generalized-α in steps `finer` times as small; empty: it does not move.
std::string by_generalized_alpha(std::string scene, int finer) {
  const std::size_t motion = scene.find("name = \"move\"");
  if (motion == std::string::npos) return {};
  const auto replace = [&](const std::string& key, const std::string& value) {
    const std::size_t at = scene.find("\n" + key + " = ", motion);
    if (at != std::string::npos) scene.replace(at + 1, scene.find('\n', at + 1) - at - 1, value);
  };
  replace("integrator", "integrator = \"generalized-alpha\"");
  const std::size_t step = scene.find("\nstep = ", motion);
  if (step == std::string::npos) return {};
  replace("step", fmt::format("step = {:.17g}", std::strtod(scene.c_str() + step + 8, nullptr) / finer));
  return scene;
}

/// What it gains at a step and at an eighth of that [J], and of how much; empty: it does not run so.
std::vector<double> gains(const Machine& machine, const std::vector<int>& all_finer = {1, 8}) {
  std::vector<double> out;
  for (const int finer : all_finer) {
    const std::string scene = by_generalized_alpha(machine.scene(), finer);
    if (scene.empty() || scene.find("[contact.") != std::string::npos) return {};
    try {
      const RunSummary run = run_scene(document_of(scene), unrecorded());
      const auto warns = [](const std::string& text) { return text.find("do not trust") != std::string::npos; };
      if (run.status != RunStatus::finished || std::ranges::any_of(run.warnings, warns)) return {};
      out.push_back(-run.numerical);
      if (finer == 8) out.push_back(std::max({run.kinetic, run.strain, run.dissipated, std::fabs(run.work)}));
    } catch (const InputError&) {
      return {};
    }
  }
  return out;
}

// What it loses it may: fast vibrations die out until steps resolve them.
TEST(Metamorphic, WhatGeneralizedAlphaGainsGoesWithTheStep) {
  std::atomic<int> judged = 0;
  const auto stays = [](const std::vector<double>& gained) {
    return !gained.empty() && gained[2] > 1e-9 && gained[1] > 1e-4 * gained[2] &&
           gained[1] > 0.3 * std::fabs(gained[0]);
  };
  // Where what it gains passes through zero, a step of a 64th says more.
  const auto stays_on = [&](const Machine& machine, double before) {
    const std::vector<double> finest = gains(machine, {64});
    return finest.empty() || finest[0] > 0.3 * before;
  };
  for_each_seed([&](std::uint64_t seed) {
    const Machine machine = runnable_machine(seed);
    const std::vector<double> gained = gains(machine);
    if (gained.empty()) return;
    ++judged;
    if (!stays(gained) || !stays_on(machine, gained[1])) return;
    ADD_FAILURE() << "seed " << seed << ": gains " << gained[0] << " J, with steps of an eighth " << gained[1]
                  << " J of " << gained[2];
    if (const char* folder = std::getenv("FLEXURA_METAMORPHIC_SHRUNK"))
      std::ofstream(fmt::format("{}/gains_{}.toml", folder, seed))
          << by_generalized_alpha(shrunk(machine, [&](const Machine& less) { return stays(gains(less)); }).scene(), 1);
  });
  std::printf("%d machines\n", judged.load());
}

TEST(Metamorphic, RandomMachinesGoOnFromACheckpointBitForBit) {
  expect_no_difference("resumed", 2, resumed_difference);
}

TEST(Metamorphic, RandomMachinesMoveInLanesAsByThemselvesBitForBit) {
  expect_no_difference("lanes", 4, [](const Machine& machine) {
    return machine.features.contains("analysis.dynamic") ? lane_difference(machine) : std::string();
  });
}

}  // namespace
}  // namespace flexura
