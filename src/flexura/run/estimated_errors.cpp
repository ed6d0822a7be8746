#include "flexura/run/estimated_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

constexpr double safety = 1.25, unsure_safety = 3;
constexpr double least_order = 0.6, most_order = 2;  ///< a higher order is observed by chance, and promises too little
// Of the largest value of a sensor:
constexpr double rounding = 1e-9;     ///< differences below say nothing of an order
constexpr double unsettled = 0.01;    ///< smaller differences that do not shrink are an error, and a small one
constexpr double parted = 0.2;        ///< motions that differ by more are not the same ones
constexpr double noticeable = 1e-6;   ///< and of other sensors in its unit: smaller errors raise no warning
constexpr double chance_order = 2;    ///< an order so far above the formal one is chance
constexpr double path_change = 0.05;  ///< of the largest load factor

/// A key that is halved or doubled, with its value at each level.
struct Refinement {
  std::string text;          ///< "step of analysis 'move', 0.001 s"
  std::string key;           ///< "analysis.move.step"
  std::string fine, coarse;  ///< values as TOML; coarse may be empty: there is none
  double ratio = 2;          ///< of the coarse step or element to that of the run
  std::string setting(bool finer) const { return key + "=" + (finer ? fine : coarse); }
};

struct Family {
  const char* what;      ///< "step" or "mesh"
  double default_order;  ///< without a coarser run
  double formal_order;   ///< of the methods: the lowest
  std::vector<Refinement> changes = {};

  /// NaN where there is no coarser run.
  double ratio() const {
    double smallest = 2;
    for (const Refinement& change : changes)
      smallest = change.coarse.empty() ? std::numeric_limits<double>::quiet_NaN() : std::min(smallest, change.ratio);
    return smallest;
  }
};

double formal_order_of(const std::string& method) {
  return method == "rk4" ? 4 : method == "rk45" ? 5 : method == "rk853" || method == "adams" ? 8 : 2;
}

std::string number_text(double x) { return fmt::format("{}", x); }

/// Analyses that take no steps have none of these keys. `mean_step`: of the run [s]. A smaller tolerance alone need not
/// change the steps.
void add_steps(const Record& analysis, double mean_step, Family& steps) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const std::string path = "analysis." + analysis.name;
  if (const Record* adaptive = nested(analysis, "adaptive")) {
    const double tolerance = adaptive->number("tolerance");
    steps.changes.push_back({fmt::format("tolerance of analysis '{}', {:g}", analysis.name, tolerance),
                             path + ".adaptive.tolerance", number_text(tolerance / 16), ""});
    if (mean_step > 0)
      steps.changes.push_back({fmt::format("mean step of the run, {:.3g} s", mean_step), path + ".adaptive.max_step",
                               number_text(mean_step / 2), ""});
    return;
  }
  if (const Record* method = nested(analysis, "integrator")) {
    steps.formal_order = std::min(steps.formal_order, formal_order_of(method->type));
    for (const char* tolerance : {"rtol", "atol"})
      if (const double x = method->number(tolerance); x > 0)
        steps.changes.push_back({fmt::format("{} of analysis '{}', {:g}", tolerance, analysis.name, x),
                                 fmt::format("{}.integrator.{}", path, tolerance), number_text(x / 16),
                                 number_text(std::min(16 * x, 0.5))});
  } else if (analysis.type == "dynamic") {
    steps.formal_order = 2;
  }
  if (const double h = analysis.number("step", none); std::isfinite(h))
    steps.changes.push_back({fmt::format("step of analysis '{}', {:g} s", analysis.name, h), path + ".step",
                             number_text(h / 2), number_text(2 * h)});
  if (const double first = analysis.number("load_step", none); std::isfinite(first))
    steps.changes.push_back({fmt::format("load step of analysis '{}', {:g}", analysis.name, first), path + ".load_step",
                             number_text(first / 2), number_text(std::min(1.0, 2 * first))});
  if (!analysis.boolean("arc_length")) return;
  const double largest = analysis.number("largest_step");
  steps.changes.push_back({fmt::format("largest step of analysis '{}', {:g}", analysis.name, largest),
                           path + ".largest_step", number_text(largest / 2), number_text(std::min(10.0, 2 * largest))});
  const long points = analysis.integer("max_points");
  steps.changes.push_back({fmt::format("points of analysis '{}', {}", analysis.name, points), path + ".max_points",
                           fmt::format("{}", 2 * points), fmt::format("{}", points)});
}

/// Numbers of elements as TOML, each changed by a function of its own value: equal numbers stay equal, as welds need.
std::string counts_text(const std::vector<double>& counts, const std::function<double(double)>& changed) {
  std::string text;
  for (const double n : counts) text += fmt::format("{}{:.0f}", text.empty() ? "" : ", ", changed(n));
  return counts.size() == 1 ? text : "[" + text + "]";
}

/// A direction of one element has nothing coarser; it is refined alone, so that the others keep their coarser run.
void add_mesh(const Record& part, Family& meshes, Family& single, std::vector<std::string>& excluded) {
  const std::string name = fmt::format("{} '{}'", part.kind, part.name);
  const Value* elements = part.find("elements");
  if (elements == nullptr || elements->empty()) {
    if (part.variant != nullptr || part.kind == "solid" || part.kind == "plate" || part.kind == "membrane")
      excluded.push_back(name + ": its mesh is not made from `elements`");
    return;
  }
  if (part.name.find('.') != std::string::npos) {
    excluded.push_back(name + ": its `elements` are stated in a scene that this one uses");
    return;
  }
  std::vector<double> counts;
  if (const long* n = elements->get<long>()) counts = {static_cast<double>(*n)};
  if (const Numbers* n = elements->get<Numbers>()) counts = *n;
  if (counts.empty()) return;
  const auto half = [](double n) { return std::ceil(n / 2); };
  const auto twice = [](double n) { return n == 1 ? 1 : 2 * n; };
  const auto split = [](double n) { return n == 1 ? 2 : n; };
  const std::string text = fmt::format("elements of {}, {}", name, counts_text(counts, [](double n) { return n; }));
  const std::string key = part.path + ".elements";
  double ratio = 2;
  for (const double n : counts)
    if (n > 1) ratio = std::min(ratio, n / half(n));
  if (std::ranges::any_of(counts, [](double n) { return n > 1; }))
    meshes.changes.push_back({text, key, counts_text(counts, twice), counts_text(counts, half), ratio});
  if (std::ranges::find(counts, 1.0) != counts.end())
    single.changes.push_back({text, key, counts_text(counts, split), ""});
}

/// The run with all changes of a family; nothing where it cannot be made or fails.
class Repeats {
 public:
  Repeats(const SceneDocument& document, const SceneOptions& reading, const RunOptions& options)
      : document_(document), reading_(reading) {
    options_.record = options_.report = options_.csv = false;
    options_.interpolate_extremes = true;
    options_.threads = options.threads;
    options_.stop = options.stop;
  }

  std::optional<SceneDocument> vary(const std::vector<std::string>& settings, std::string& why) const {
    SceneOptions reading = reading_;
    reading.set = document_.set;
    reading.set.insert(reading.set.end(), settings.begin(), settings.end());
    try {
      SceneDocument scene = read_scene_text(document_.text, document_.file, scene_terms(), reading);
      interpret_scene(scene);
      return scene;
    } catch (const InputError& error) {
      why = error.problems().front().message;
      return std::nullopt;
    }
  }

  std::optional<RunSummary> run(const std::vector<std::string>& settings, std::string& why) {
    const std::optional<SceneDocument> scene = vary(settings, why);
    if (!scene) return std::nullopt;
    ++runs;
    try {
      RunSummary summary = run_scene(*scene, options_);
      if (summary.status == RunStatus::finished) return summary;
      why = summary.message;
    } catch (const InputError& error) {
      why = error.problems().front().message;
    }
    return std::nullopt;
  }

  int runs = 0;

 private:
  const SceneDocument& document_;
  const SceneOptions& reading_;
  RunOptions options_;
};

struct Estimate {
  double error = 0;
  std::optional<double> order;
  bool converged = true;
};

/// p of wide/narrow = (r^p − 1)/(1 − 2^−p), which rises with p; for r = 2 log₂ of the quotient.
double observed_order(double quotient, double r) {
  if (r == 2) return std::log2(quotient);
  double low = -20, high = 20;
  for (int i = 0; i < 60; ++i) {
    const double p = 0.5 * (low + high);
    const double expected = p == 0 ? std::log2(r) : (std::pow(r, p) - 1) / (1 - std::exp2(-p));
    (expected < quotient ? low : high) = p;
  }
  return low;
}

/// Values at r h, h and h/2; `coarse` is NaN where there is none.
struct Levels {
  double coarse, value, fine;
  double wide() const { return std::fabs(coarse - value); }
  double narrow() const { return std::fabs(value - fine); }
};

/// The differences shrink by more than the method can, from a coarse run of another motion.
bool has_parted(const Levels& levels, const EstimatedError& of, const Family& family) {
  const double noise = rounding * std::max(of.scale, of.unit_scale);
  return levels.wide() > parted * of.scale && levels.narrow() > noise &&
         observed_order(levels.wide() / levels.narrow(), family.ratio()) > family.formal_order + chance_order;
}

/// `coarse_parted`: the coarse run is another motion, and orders beyond the formal one are no chance.
Estimate estimate(const Levels& levels, const EstimatedError& of, const Family& family, bool coarse_parted) {
  const double scale = of.scale, noise = rounding * std::max(scale, of.unit_scale);
  const double wide = levels.wide(), narrow = levels.narrow(), r = family.ratio();
  const bool three = std::isfinite(wide) && std::isfinite(r);
  if (std::max(narrow, three ? wide : 0.0) <= noise) return {std::max(narrow, three ? wide : 0.0), {}};
  const auto richardson = [&](double p) { return narrow * std::exp2(p) / (std::exp2(p) - 1); };
  if (!three) return {unsure_safety * richardson(family.default_order), {}};
  if (narrow <= noise) return {coarse_parted ? noise : safety * wide, {}};
  const bool has_order = wide > noise;
  const double order = has_order ? observed_order(wide / narrow, r) : 0;
  if (!(order >= least_order)) {
    const double error = unsure_safety * std::max(wide, narrow);
    return {error, has_order ? std::optional(order) : std::nullopt, error <= unsure_safety * unsettled * scale};
  }
  if (order > family.formal_order + chance_order) {
    if (coarse_parted || has_parted(levels, of, family))
      return {unsure_safety * richardson(family.default_order), order};
    return {safety * std::max(wide, richardson(most_order)), order};
  }
  const double by_coarse = wide / (std::pow(r, family.formal_order) - 1);
  return {safety * std::max(richardson(std::min(order, most_order)), by_coarse), order};
}

using Reading = std::vector<double> SensorSummary::*;
/// What is reported of a sensor, and what is compared.
struct Statistic {
  const char* name;
  Reading reported, compared;

  double compared_value(const SensorSummary& sensor, size_t k) const {
    const std::vector<double>& values = (sensor.*compared).empty() ? sensor.*reported : sensor.*compared;
    return k < values.size() ? values[k] : std::numeric_limits<double>::quiet_NaN();
  }
};
constexpr Statistic statistics[] = {{"last", &SensorSummary::last, &SensorSummary::last},
                                    {"min", &SensorSummary::least, &SensorSummary::smooth_least},
                                    {"max", &SensorSummary::greatest, &SensorSummary::smooth_greatest}};

const SensorSummary* find(const RunSummary& run, const std::string& sensor) {
  const auto found = std::ranges::find(run.sensors, sensor, [](const auto& one) { return one.first; });
  return found == run.sensors.end() ? nullptr : &found->second;
}
const SensorSummary* find(const std::optional<RunSummary>& run, const std::string& sensor) {
  return run ? find(*run, sensor) : nullptr;
}

/// How critical points and ends of static analyses differ in a refined run, a line for each analysis.
void compare_paths(const RestResults& run, const RestResults& refined, const char* what,
                   std::vector<std::string>& out) {
  const auto points_of = [](const RestResults& of, const std::string& analysis) {
    std::vector<CriticalFact> points;
    for (const CriticalFact& point : of.critical)
      if (point.analysis == analysis) points.push_back(point);
    return points;
  };
  for (size_t k = 0; k < std::min(run.paths.size(), refined.paths.size()); ++k) {
    const std::string& analysis = run.paths[k].analysis;
    const std::vector<CriticalFact> a = points_of(run, analysis), b = points_of(refined, analysis);
    if (a.size() != b.size()) {
      out.push_back(
          fmt::format("analysis '{}': {} critical points, {} with a finer {}", analysis, a.size(), b.size(), what));
      continue;
    }
    const auto differs = [&](double x, double y, double scale) { return std::fabs(x - y) > path_change * scale; };
    double scale = 0;
    for (const CriticalFact& point : a) scale = std::max(scale, std::fabs(point.load_factor));
    const auto same = [&](const CriticalFact& x, const CriticalFact& y) {
      return x.type == y.type && x.unstable_after == y.unstable_after && !differs(x.load_factor, y.load_factor, scale);
    };
    const auto other = std::ranges::mismatch(a, b, same);
    if (other.in1 != a.end())
      out.push_back(fmt::format("analysis '{}': a {} at {:.4g} of the loads, with a finer {} a {} at {:.4g}", analysis,
                                other.in1->type, other.in1->load_factor, what, other.in2->type,
                                other.in2->load_factor));
    else if (differs(run.paths[k].load_factor, refined.paths[k].load_factor, 1))
      out.push_back(fmt::format("analysis '{}' ends at {:.4g} of the loads, with a finer {} at {:.4g}", analysis,
                                run.paths[k].load_factor, what, refined.paths[k].load_factor));
  }
}

/// A finer value that is not finite has no estimate. Where the coarse run is another motion for one value, it is for all:
/// those that stayed near by chance say nothing of the error. Not where values part between the finer runs too.
void add_family(const Family& family, const std::optional<RunSummary>& coarse, const RunSummary& run,
                const std::optional<RunSummary>& fine, std::vector<EstimatedError>& values) {
  const auto levels_of = [&](const EstimatedError& value) {
    const Statistic& statistic =
        *std::ranges::find(statistics, value.of, [](const Statistic& one) { return std::string(one.name); });
    const auto read = [&](const SensorSummary* sensor) {
      return sensor == nullptr ? std::numeric_limits<double>::quiet_NaN()
                               : statistic.compared_value(*sensor, static_cast<size_t>(value.component));
    };
    return Levels{read(find(coarse, value.sensor)), read(find(run, value.sensor)), read(find(fine, value.sensor))};
  };
  bool coarse_parted = false, settled = true;
  for (const EstimatedError& value : values) {
    const Levels levels = levels_of(value);
    if (!value.estimated || !std::isfinite(levels.fine)) continue;
    coarse_parted = coarse_parted || has_parted(levels, value, family);
    settled = settled && estimate(levels, value, family, false).converged;
  }
  for (EstimatedError& value : values) {
    if (!value.estimated) continue;
    const Levels levels = levels_of(value);
    if (!std::isfinite(levels.fine)) {
      value.error = std::numeric_limits<double>::infinity();
      continue;
    }
    const Estimate found = estimate(levels, value, family, coarse_parted && settled);
    value.error += found.error;
    value.converged = value.converged && found.converged;
    if (found.order) (family.what == std::string("step") ? value.step_order : value.mesh_order) = found.order;
  }
}

double largest(const SensorSummary& sensor) {
  double scale = 0;
  for (const Reading values : {&SensorSummary::least, &SensorSummary::greatest})
    for (const double x : sensor.*values) scale = std::max(scale, std::fabs(x));
  return scale;
}

/// The largest value in a unit. That of energies, whose zero is arbitrary, is the largest kind of energy.
double largest_in_unit(const RunSummary& run, const std::string& unit) {
  double scale = 0;
  for (const auto& [name, sensor] : run.sensors)
    if (sensor.unit == unit) scale = std::max(scale, largest(sensor));
  if (unit == "J")
    for (const double energy : {run.kinetic, run.strain, run.gravity, run.dissipated, run.work})
      scale = std::max(scale, std::fabs(energy));
  return scale;
}

/// Every number of every sensor, with the distance of extremes from the steps.
std::vector<EstimatedError> reported_values(const RunSummary& run) {
  std::vector<EstimatedError> out;
  for (const auto& [name, sensor] : run.sensors) {
    const double unit_scale = sensor.unit == "1" ? 0 : largest_in_unit(run, sensor.unit);
    const double scale = sensor.unit == "J" ? unit_scale : largest(sensor);
    for (const Statistic& statistic : statistics)
      for (size_t k = 0; k < (sensor.*statistic.reported).size(); ++k) {
        const double value = (sensor.*statistic.reported)[k];
        const double beside = safety * std::fabs(statistic.compared_value(sensor, k) - value);
        out.push_back(
            {name, statistic.name, static_cast<int>(k), sensor.unit, value, beside, scale, unit_scale, {}, {}});
      }
  }
  return out;
}

/// Why a sensor of this type has no discretisation error; empty: it has one.
std::string_view without_limit(const std::string& type) {
  if (type == "contact_count") return "a count of contacts jumps, and has no discretisation error";
  if (type == "constraint_violation")
    return "a violation of constraints is rounding, or what a tolerance leaves, and has no discretisation error";
  return {};
}

/// Leaves out what cannot be refined. Meshes that are welded to each other can only be refined together.
void keep_possible(Family& family, const Repeats& repeats, std::vector<std::string>& excluded) {
  std::vector<std::string> all;
  for (const Refinement& change : family.changes) all.push_back(change.setting(true));
  std::string why;
  if (repeats.vary(all, why)) return;
  std::erase_if(family.changes, [&](const Refinement& change) {
    if (repeats.vary({change.setting(true)}, why)) return false;
    excluded.push_back(fmt::format("{}: {}", change.text, why));
    return true;
  });
}

}  // namespace

ErrorEstimates estimate_errors(const SceneDocument& document, const SceneOptions& reading, const RunSummary& run,
                               const RunOptions& options) {
  ErrorEstimates out;
  Family steps{"step", 2, 8}, meshes{"mesh", 1, 4}, single{"mesh", 1, 4};
  for (const Record& table : document.tables) {
    if (table.kind == "analysis")
      add_steps(table, run.steps > 0 ? run.simulated / static_cast<double>(run.steps) : 0.0, steps);
    const auto is_mesh = [&](const char* kind) { return table.kind == kind; };
    if (std::ranges::any_of(std::initializer_list<const char*>{"cable", "beam", "plate", "solid", "membrane"}, is_mesh))
      add_mesh(table, meshes, single, out.excluded);
  }
  out.values = reported_values(run);
  for (const Record& table : document.tables) {
    const std::string_view reason = table.kind == "sensor" ? without_limit(table.type) : std::string_view();
    if (reason.empty()) continue;
    for (EstimatedError& value : out.values)
      if (value.sensor == table.name) value.error = 0, value.estimated = false;
    out.excluded.push_back(fmt::format("sensor '{}': {}", table.name, reason));
  }
  Repeats repeats(document, reading, options);
  for (Family* family : {&steps, &meshes, &single}) {
    keep_possible(*family, repeats, out.excluded);
    if (family->changes.empty()) continue;
    std::vector<std::string> finer, coarser;
    for (const Refinement& change : family->changes) {
      finer.push_back(change.setting(true));
      coarser.push_back(change.setting(false));
      if (std::ranges::find(out.refined, change.text) == out.refined.end()) out.refined.push_back(change.text);
    }
    std::string why, unused;
    const std::optional<RunSummary> fine = repeats.run(finer, why);
    const std::optional<RunSummary> coarse =
        std::isfinite(family->ratio()) ? repeats.run(coarser, unused) : std::nullopt;
    if (!fine) out.excluded.push_back(fmt::format("the run with a finer {} failed: {}", family->what, why));
    if (fine) compare_paths(run.at_rest, fine->at_rest, family->what, out.path_changes);
    add_family(*family, coarse, run, fine, out.values);
  }
  // Of values that part in a chaotic motion some agree by chance.
  if (std::ranges::any_of(out.values, [](const EstimatedError& value) { return !value.converged; }))
    for (EstimatedError& value : out.values) value.converged = value.converged && value.error <= parted * value.scale;
  out.runs = repeats.runs;
  return out;
}

std::string error_text(const EstimatedError& value) {
  std::string text =
      fmt::format("{:.6g} \u00b1 {}{}{}", value.value, value.estimated ? fmt::format("{:.2g}", value.error) : "\u2013",
                  value.unit.empty() || value.unit == "1" ? "" : " ", value.unit == "1" ? "" : value.unit);
  std::string orders;
  for (const auto& [order, of] : {std::pair(value.step_order, "step"), std::pair(value.mesh_order, "mesh")})
    if (order) orders += fmt::format("{}{:.1f} ({})", orders.empty() ? "" : ", ", *order, of);
  if (!orders.empty()) text += ", order " + orders;
  return value.converged ? text : text + ", not converged";
}

std::string errors_text(const ErrorEstimates& errors) {
  std::string text = fmt::format("estimated errors, from {} more runs\n", errors.runs);
  for (const std::string& what : errors.refined) text += fmt::format("  refined: {}\n", what);
  for (const std::string& what : errors.excluded) text += fmt::format("  not refined: {}\n", what);
  for (const std::string& what : errors.path_changes) text += fmt::format("  not converged: {}\n", what);
  size_t width = 0;
  const auto label = [&](const EstimatedError& value) {
    const bool several = std::ranges::any_of(errors.values, [&](const EstimatedError& other) {
      return other.sensor == value.sensor && other.component > 0;
    });
    return value.sensor + (several ? fmt::format("[{}]", value.component) : "") + " " + value.of;
  };
  for (const EstimatedError& value : errors.values) width = std::max(width, label(value).size());
  for (const EstimatedError& value : errors.values)
    text += fmt::format("{:{}}  {}\n", label(value), width, error_text(value));
  return text;
}

std::vector<std::string> error_warnings(const ErrorEstimates& errors) {
  constexpr double large = 0.05;
  std::vector<std::string> out;
  std::string last;
  for (const std::string& what : errors.path_changes)
    out.push_back(what + ": the path of equilibria is not converged: take a smaller load step or more elements");
  for (const EstimatedError& value : errors.values) {
    const bool is_small = value.error <= std::max(large * value.scale, noticeable * value.unit_scale);
    if (value.sensor == last || (value.converged && is_small)) continue;
    last = value.sensor;
    if (!std::isfinite(value.error))
      out.push_back(fmt::format("sensor '{}' has no error estimate: a finer run failed", value.sensor));
    else if (!value.converged)
      out.push_back(fmt::format(
          "sensor '{}' ({}) is not converged: finer runs change it as much as coarser ones; take a smaller step "
          "or more elements, or a shorter time where the motion is chaotic",
          value.sensor, value.of));
    else
      out.push_back(
          fmt::format("the estimated error of sensor '{}' ({}) is {:.2g} % of its largest value: take a "
                      "smaller step or more elements",
                      value.sensor, value.of, 100 * value.error / value.scale));
  }
  return out;
}

Json errors_json(const ErrorEstimates& errors) {
  Json json{{"runs", errors.runs}, {"refined", errors.refined}, {"excluded", errors.excluded}};
  json["path_changes"] = errors.path_changes;
  Json values = Json::array();
  for (const EstimatedError& value : errors.values) {
    Json one{{"sensor", value.sensor}, {"of", value.of}, {"component", value.component}, {"unit", value.unit}};
    one["value"] = value.value;
    one["error"] = value.estimated && std::isfinite(value.error) ? Json(value.error) : Json();
    one["step_order"] = value.step_order ? Json(*value.step_order) : Json();
    one["mesh_order"] = value.mesh_order ? Json(*value.mesh_order) : Json();
    one["converged"] = value.converged;
    one["estimated"] = value.estimated;
    values.push_back(std::move(one));
  }
  json["values"] = std::move(values);
  return json;
}

}  // namespace flexura
