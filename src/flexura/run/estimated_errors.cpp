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
constexpr double rounding = 1e-9;  ///< of the largest value: differences below say nothing of an order

/// A key that is halved or doubled, with its value at each level.
struct Refinement {
  std::string text;          ///< "step of analysis 'move', 0.001 s"
  std::string key;           ///< "analysis.move.step"
  std::string fine, coarse;  ///< values as TOML; coarse may be empty: there is none
  std::string setting(bool finer) const { return key + "=" + (finer ? fine : coarse); }
};

struct Family {
  const char* what;      ///< "step" or "mesh"
  double default_order;  ///< without a coarser run
  std::vector<Refinement> changes = {};
};

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
  if (const Record* method = nested(analysis, "integrator"); method != nullptr && method->number("rtol") > 0) {
    const double rtol = method->number("rtol");
    steps.changes.push_back({fmt::format("rtol of analysis '{}', {:g}", analysis.name, rtol), path + ".integrator.rtol",
                             number_text(rtol / 16), ""});
    return;
  }
  if (const double h = analysis.number("step", none); std::isfinite(h))
    steps.changes.push_back({fmt::format("step of analysis '{}', {:g} s", analysis.name, h), path + ".step",
                             number_text(h / 2), number_text(2 * h)});
  if (const double first = analysis.number("load_step", none); std::isfinite(first))
    steps.changes.push_back({fmt::format("load step of analysis '{}', {:g}", analysis.name, first), path + ".load_step",
                             number_text(first / 2), number_text(std::min(1.0, 2 * first))});
}

void add_mesh(const Record& part, Family& meshes, std::vector<std::string>& excluded) {
  const std::string name = fmt::format("{} '{}'", part.kind, part.name);
  const Value* elements = part.find("elements");
  if (elements == nullptr || elements->empty()) {
    if (part.variant != nullptr || part.kind == "solid" || part.kind == "plate" || part.kind == "membrane")
      excluded.push_back(name + ": its mesh is not made from `elements`");
    return;
  }
  const auto text_of = [](const std::vector<double>& n, double factor) {
    std::string text;
    for (const double x : n) text += fmt::format("{}{:.0f}", text.empty() ? "" : ", ", x * factor);
    return n.size() == 1 ? text : "[" + text + "]";
  };
  std::vector<double> counts;
  if (const long* n = elements->get<long>()) counts = {static_cast<double>(*n)};
  if (const Numbers* n = elements->get<Numbers>()) counts = *n;
  if (counts.empty()) return;
  const bool halves = std::ranges::all_of(counts, [](double n) { return n >= 2 && std::fmod(n, 2) == 0; });
  meshes.changes.push_back({fmt::format("elements of {}, {}", name, text_of(counts, 1)), part.path + ".elements",
                            text_of(counts, 2), halves ? text_of(counts, 0.5) : ""});
}

/// The run with all changes of a family; nothing where it cannot be made or fails.
class Repeats {
 public:
  Repeats(const SceneDocument& document, const SceneOptions& reading, const RunOptions& options)
      : document_(document), reading_(reading) {
    options_.record = options_.report = options_.csv = false;
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
};

/// `coarse`: NaN where there is none.
Estimate estimate(double coarse, double value, double fine, double scale, double default_order) {
  const double wide = std::fabs(coarse - value), narrow = std::fabs(value - fine);
  if (narrow <= rounding * scale) return {narrow, std::nullopt};
  const auto richardson = [&](double p) { return narrow * std::exp2(p) / (std::exp2(p) - 1); };
  if (!std::isfinite(wide)) return {unsure_safety * richardson(default_order), std::nullopt};
  const double observed = std::log2(std::max(wide, 1e-300) / narrow);
  if (!(observed >= least_order)) return {unsure_safety * std::max(wide, narrow), observed};
  return {safety * richardson(std::min(observed, most_order)), observed};
}

using Reading = std::vector<double> SensorSummary::*;
constexpr std::pair<const char*, Reading> readings[] = {
    {"last", &SensorSummary::last}, {"min", &SensorSummary::least}, {"max", &SensorSummary::greatest}};

const SensorSummary* find(const std::optional<RunSummary>& run, const std::string& sensor) {
  if (!run) return nullptr;
  const auto found = std::ranges::find(run->sensors, sensor, [](const auto& one) { return one.first; });
  return found == run->sensors.end() ? nullptr : &found->second;
}

}  // namespace

ErrorEstimates estimate_errors(const SceneDocument& document, const SceneOptions& reading, const RunSummary& run,
                               const RunOptions& options) {
  ErrorEstimates out;
  Family steps{"step", 2}, meshes{"mesh", 1};
  for (const Record& table : document.tables) {
    if (table.kind == "analysis")
      add_steps(table, run.steps > 0 ? run.simulated / static_cast<double>(run.steps) : 0.0, steps);
    const auto is_mesh = [&](const char* kind) { return table.kind == kind; };
    if (std::ranges::any_of(std::initializer_list<const char*>{"cable", "beam", "plate", "solid", "membrane"}, is_mesh))
      add_mesh(table, meshes, out.excluded);
  }
  for (const auto& [name, sensor] : run.sensors) {
    double scale = 0;
    for (const Reading values : {&SensorSummary::least, &SensorSummary::greatest})
      for (const double x : sensor.*values) scale = std::max(scale, std::fabs(x));
    for (const auto& [of, values] : readings)
      for (size_t k = 0; k < (sensor.*values).size(); ++k)
        out.values.push_back({name, of, static_cast<int>(k), sensor.unit, (sensor.*values)[k], 0, scale, {}, {}});
  }
  Repeats repeats(document, reading, options);
  for (Family* family : {&steps, &meshes}) {
    std::erase_if(family->changes, [&](const Refinement& change) {
      std::string why;
      if (repeats.vary({change.setting(true)}, why)) return false;
      out.excluded.push_back(fmt::format("{}: {}", change.text, why));
      return true;
    });
    if (family->changes.empty()) continue;
    std::vector<std::string> finer, coarser;
    for (const Refinement& change : family->changes) {
      finer.push_back(change.setting(true));
      coarser.push_back(change.setting(false));
      out.refined.push_back(change.text);
    }
    std::string why, unused;
    const std::optional<RunSummary> fine = repeats.run(finer, why);
    const bool has_coarse = std::ranges::none_of(family->changes, &std::string::empty, &Refinement::coarse);
    const std::optional<RunSummary> coarse = has_coarse ? repeats.run(coarser, unused) : std::nullopt;
    if (!fine) out.excluded.push_back(fmt::format("the run with a finer {} failed: {}", family->what, why));
    for (EstimatedError& value : out.values) {
      const auto values =
          std::ranges::find(readings, value.of, [](const auto& one) { return std::string(one.first); })->second;
      const auto read = [&](const std::optional<RunSummary>& other) {
        const SensorSummary* sensor = find(other, value.sensor);
        const size_t k = static_cast<size_t>(value.component);
        return sensor != nullptr && k < (sensor->*values).size() ? (sensor->*values)[k]
                                                                 : std::numeric_limits<double>::quiet_NaN();
      };
      const double finer_value = read(fine);
      if (!std::isfinite(finer_value)) {
        value.error = std::numeric_limits<double>::infinity();
        continue;
      }
      const Estimate found = estimate(read(coarse), value.value, finer_value, value.scale, family->default_order);
      value.error += found.error;
      (family == &steps ? value.step_order : value.mesh_order) = found.order;
    }
  }
  out.runs = repeats.runs;
  return out;
}

std::string error_text(const EstimatedError& value) {
  std::string text =
      fmt::format("{:.6g} \u00b1 {:.2g}{}{}", value.value, value.error,
                  value.unit.empty() || value.unit == "1" ? "" : " ", value.unit == "1" ? "" : value.unit);
  std::string orders;
  for (const auto& [order, of] : {std::pair(value.step_order, "step"), std::pair(value.mesh_order, "mesh")})
    if (order) orders += fmt::format("{}{:.1f} ({})", orders.empty() ? "" : ", ", *order, of);
  return orders.empty() ? text : text + ", order " + orders;
}

std::string errors_text(const ErrorEstimates& errors) {
  std::string text = fmt::format("estimated errors, from {} more runs\n", errors.runs);
  for (const std::string& what : errors.refined) text += fmt::format("  refined: {}\n", what);
  for (const std::string& what : errors.excluded) text += fmt::format("  not refined: {}\n", what);
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
  for (const EstimatedError& value : errors.values) {
    if (value.sensor == last || !(value.error > large * value.scale)) continue;
    last = value.sensor;
    out.push_back(std::isfinite(value.error)
                      ? fmt::format("the estimated error of sensor '{}' ({}) is {:.2g} % of its largest value: take a "
                                    "smaller step or more elements",
                                    value.sensor, value.of, 100 * value.error / value.scale)
                      : fmt::format("sensor '{}' has no error estimate: a finer run failed", value.sensor));
  }
  return out;
}

Json errors_json(const ErrorEstimates& errors) {
  Json json{{"runs", errors.runs}, {"refined", errors.refined}, {"excluded", errors.excluded}};
  Json values = Json::array();
  for (const EstimatedError& value : errors.values) {
    Json one{{"sensor", value.sensor}, {"of", value.of}, {"component", value.component}, {"unit", value.unit}};
    one["value"] = value.value;
    one["error"] = std::isfinite(value.error) ? Json(value.error) : Json();
    one["step_order"] = value.step_order ? Json(*value.step_order) : Json();
    one["mesh_order"] = value.mesh_order ? Json(*value.mesh_order) : Json();
    values.push_back(std::move(one));
  }
  json["values"] = std::move(values);
  return json;
}

}  // namespace flexura
