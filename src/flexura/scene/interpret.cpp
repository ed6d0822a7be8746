// interpret_scene: one model for each set of things that act.

#include <algorithm>
#include <map>
#include <set>

#include "flexura/part/asked_gas.hpp"
#include "flexura/part/asked_length.hpp"
#include "flexura/scene/interpret_sensor.hpp"
#include "flexura/scene/path_end.hpp"
#include "flexura/scene/questionable_units.hpp"
#include "flexura/scene/specify.hpp"

namespace flexura {
namespace detail {

namespace {

bool is_term(const Record& record) { return record.variant != nullptr && record.variant->term != nullptr; }

/// The parts of the scene and what acts on them, as one model.
class SceneAssembly {
 public:
  /// `acting`: one flag per record of scene.tables.
  SceneAssembly(const SceneDocument& scene, const Timeline& timeline, const std::vector<bool>& acting, bool statics)
      : scene_(scene),
        acting_(acting),
        builder_(options(scene, timeline, statics)),
        with_{scene, timeline, builder_.problems(), {}, joints_read(scene)} {}

  SceneModel build() {
    builder_.set_signals(scene_.signals);
    add_parts();
    for (const Record& record : scene_.tables) {
      if (record.kind == "joint") add_joint(record);
      if (record.kind == "contact") add_contact(record);
      if (is_term(record)) add_term(term_spec(with_, record), acts(record));
    }
    add_gravity();
    builder_.assemble();
    SceneModel out;
    SensorInterpreter sensors(scene_, [this](const Record& record) { return acts(record); }, builder_);
    for (const Record* record : scene_.of_kind("sensor")) sensors.add_sensor(*record);
    static_cast<Machine&>(out) = build_machine();
    out.sensors = std::move(sensors.sensors);
    for (SensorSpec& sensor : out.sensors) sensor.find_items(out);
    return out;
  }
  const std::vector<Problem>& warnings() { return builder_.problems().warnings; }

 private:
  /// What shows only in the equations of all parts together, as a contradiction, is known by the name of its part.
  Machine build_machine() {
    try {
      return builder_.build();
    } catch (const InputError& error) {
      std::vector<Problem> problems = error.problems();
      for (Problem& problem : problems) {
        if (!problem.source.file.empty()) continue;
        const std::string part = problem.path.substr(0, problem.path.find(','));
        for (const Record& record : scene_.tables)
          if (record.path == part) problem.source = record.source;
      }
      throw InputError(std::move(problems));
    }
  }

  static MachineOptions options(const SceneDocument& scene, const Timeline& timeline, bool statics) {
    MachineOptions out{.dim = scene.dim,
                       .mass_damping = scene.head.number("mass_damping"),
                       .assemble = scene.head.boolean("assemble")};
    for (const AnalysisSpec& spec : timeline.analyses)
      if (statics && out.statics.empty() && spec.finds_equilibria()) out.statics = spec.name;
    out.starts_moving = !timeline.analyses.empty() && timeline.analyses.front().is_dynamic();
    return out;
  }

  bool acts(const Record& record) const { return acting_[&record - scene_.tables.data()]; }

  /// The specifications that `specify` makes of the records of a kind.
  void add_all(std::string_view kind, auto&& specify) {
    for (const Record* record : scene_.of_kind(kind))
      if (auto spec = specify(with_, *record))
        builder_.add(std::move(*spec));
      else
        builder_.refuse(record->name);
  }

  void add_parts() {
    for (const Record* record : scene_.of_kind("section")) section_spec(with_, record->name);
    add_all("cable", cable_spec);
    add_all("beam", beam_spec);
    add_all("plate", plate_spec);
    add_all("membrane", membrane_spec);
    add_all("solid", solid_spec);
    for (const Record* record : scene_.of_kind("point")) builder_.add(point_spec(*record));
    add_all("sphere", sphere_spec);
    add_all("plane", plane_spec);
    add_all("body", body_spec);
    add_all("chamber", chamber_spec);
    add_all("line", line_spec);
    add_all("constraint", constraint_spec);
  }

  void add_joint(const Record& record) {
    if (is_term(record)) return;
    if (find_joint(record.type, scene_.dim)->ties_joints) {
      if (!acts(record)) return builder_.without_joint(record.name);
      if (auto gear = gear_spec(record)) builder_.add(std::move(*gear));
    } else if (auto joint = joint_spec(with_, record)) {
      acts(record) ? builder_.add(std::move(*joint)) : builder_.without(std::move(*joint));
    }
  }

  void add_term(TermSpec spec, bool acts) { acts ? builder_.add(std::move(spec)) : builder_.without(std::move(spec)); }

  void add_contact(const Record& record) {
    if (!acts(record)) return;
    if (auto contact = contact_spec(with_, record)) builder_.add(std::move(*contact));
  }

  void add_gravity() {
    const Value* value = scene_.head.find("gravity");
    if (value == nullptr) return;
    if (const Numbers* g = value->get<Numbers>()) return builder_.gravity(triple(*g));
    const Record& table = **value->get<std::shared_ptr<const Record>>();
    if (const auto g = vector_of(table, "vector")) builder_.gravity(*g, signal_of(with_, table, "signal"));
  }

  const SceneDocument& scene_;
  const std::vector<bool>& acting_;
  MachineBuilder builder_;
  Specifier with_;
};

/// Analyses that are not for the models they meet.
void check_methods(const SceneDocument& scene, const SceneModels& out, std::vector<Problem>& problems) {
  for (const Segment& segment : out.timeline.segments) {
    const AnalysisSpec& analysis = out.timeline.analyses[segment.analysis];
    const auto& topology = out.models[segment.model].model.topology;
    if (!topology) continue;
    const SettingsProblem refusal = analysis.what->refusal(*topology);
    if (refusal.message.empty()) continue;
    const Record* record = scene.find("analysis", analysis.name);
    problems.push_back({record->source_of(refusal.key), record->path + "." + refusal.key, refusal.message, {}});
  }
}

/// What signals ask for that is known before the run: at the ends of segments, where signals jump or bend, and between.
class AskedChecks {
 public:
  AskedChecks(const SceneDocument& scene, std::vector<Problem>& problems, std::vector<Problem>& warnings)
      : scene_(scene), problems_(problems), warnings_(warnings) {}

  void look(const Segment& segment, const Machine& machine) {
    const std::vector<AskedLength> lengths = asked_lengths(machine.model);
    const std::vector<AskedGas> gas = asked_gas(machine);
    const Topology& topology = *machine.model.topology;
    if ((lengths.empty() && gas.empty()) || topology.signal_set == nullptr) return;
    const SignalSet& signals = *topology.signal_set;
    std::vector<double> u(static_cast<size_t>(signals.size()));
    for (const double t : times(segment, signals)) {
      signals.evaluate(t, u);
      const auto check = [&](const auto& all) {
        for (const auto& asked : all) {
          const EffectiveSignal& signal = topology.signals[asked.signal];
          if (signal.signal < 0 || !signals.follows_time_alone(signal.signal)) continue;
          if (t < signal.from || t >= signal.until) continue;
          if (const double x = asked.of(u[signal.signal]); asked.is_refused(x)) tell(asked, x, t);
        }
      };
      check(lengths);
      check(gas);
    }
  }

 private:
  static std::vector<double> times(const Segment& segment, const SignalSet& signals) {
    constexpr int samples = 64;
    std::vector<double> out;
    signals.breakpoints(segment.begin, segment.end, out);
    for (int k = 0; k <= samples; ++k)
      out.push_back(segment.begin + (segment.end - segment.begin) * k / static_cast<double>(samples));
    std::sort(out.begin(), out.end());
    return out;
  }

  void tell(const auto& asked, double x, double t) {
    const std::string key(asked.key()), path = asked.item + "." + key;
    const auto record = std::ranges::find(scene_.tables, asked.item, &Record::path);
    if (record == scene_.tables.end() || !told_.insert(path).second) return;
    (asked.is_only_strange() ? warnings_ : problems_)
        .push_back({record->source_of(key), path, asked.refusal(x, t), {}});
  }

  const SceneDocument& scene_;
  std::vector<Problem>&problems_, &warnings_;
  std::set<std::string> told_;
};

std::vector<bool> acting_in(const SceneDocument& scene, const Timeline& timeline, const Segment& segment) {
  std::vector<bool> acting;
  for (const Record& record : scene.tables) {
    Activation when = activation_of(record, timeline);
    if (!changes_model(record)) when.from = -1e300, when.until = 1e300;  // gated by its signal
    acting.push_back(when.covers(segment));
  }
  return acting;
}

bool has_moving_part(const SceneDocument& scene) {
  for (const char* kind : {"cable", "beam", "plate", "membrane", "solid", "body", "sphere"})
    if (!scene.of_kind(kind).empty()) return true;
  const auto points = scene.of_kind("point");
  return std::any_of(points.begin(), points.end(), [](const Record* p) { return !p->boolean("fixed"); });
}

OutputSpec output_of(const SceneDocument& scene) {
  OutputSpec output;
  for (const Record* record : scene.of_kind("output")) {
    output.interval = record->number("interval");
    output.sensor_interval = record->number("sensor_interval");
    output.every_step = record->boolean("every_step");
  }
  return output;
}

}  // namespace
}  // namespace detail

SceneModels interpret_scene(const SceneDocument& scene) {
  SceneModels out;
  const std::string* title = scene.head.get<std::string>("title");
  out.title = title != nullptr ? *title : std::string();
  out.output = detail::output_of(scene);
  for (const auto& [path, law] : scene.laws) out.code.push_back(law);
  for (const NamedSignal& signal : scene.named_signals)
    if (const Signal* plain = std::get_if<Signal>(&signal.what))
      if (const auto* shape = std::get_if<CodeSignal>(&plain->shape())) out.code.push_back(shape->code);
  std::vector<Problem> problems;
  out.timeline = make_timeline(scene, problems);

  std::map<std::vector<bool>, int> known;
  std::vector<bool> statics;  // of each model: whether a static analysis uses it
  std::vector<std::vector<bool>> sets;
  for (Segment& segment : out.timeline.segments) {
    const std::vector<bool> acting = detail::acting_in(scene, out.timeline, segment);
    const auto [place, fresh] = known.emplace(acting, static_cast<int>(sets.size()));
    if (fresh) {
      sets.push_back(acting);
      statics.push_back(false);
    }
    segment.model = place->second;
    if (out.timeline.analyses[segment.analysis].finds_equilibria()) statics[segment.model] = true;
  }
  if (sets.empty()) {  // no analysis: look for other problems all the same
    sets.emplace_back(scene.tables.size(), true);
    statics.push_back(false);
  }
  for (size_t i = 0; i < sets.size(); ++i) {
    detail::SceneAssembly assembly(scene, out.timeline, sets[i], statics[i]);
    try {
      out.models.push_back(assembly.build());
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
    out.warnings.insert(out.warnings.end(), assembly.warnings().begin(), assembly.warnings().end());
  }
  out.warnings.insert(out.warnings.end(), scene.warnings.begin(), scene.warnings.end());
  sort_problems(out.warnings);
  if (problems.empty() && !detail::has_moving_part(scene))
    problems.push_back(
        {{scene.file, 0, 0, 1}, {}, "the scene has nothing that moves: describe a part, as in [cable.NAME]", {}});
  if (problems.empty()) {
    detail::check_methods(scene, out, problems);
    check_path_ends(scene, out, problems);
    detail::AskedChecks asked(scene, problems, out.warnings);
    for (const Segment& segment : out.timeline.segments) asked.look(segment, out.models[segment.model]);
    detail::question_units(scene, out.models[0], out.warnings);
    sort_problems(out.warnings);
  }
  if (!problems.empty()) {
    sort_problems(problems);
    throw SceneError(std::move(problems), scene.texts);
  }
  return out;
}

std::vector<int> slots_by_name(const Topology& from, const Topology& to) {
  std::map<std::string, int> index;
  for (size_t i = 0; i < from.slot_names.size(); ++i) index[from.slot_names[i]] = static_cast<int>(i);
  std::vector<int> slots;
  for (const std::string& name : to.slot_names) {
    const auto found = index.find(name);
    slots.push_back(found == index.end() ? -1 : found->second);
  }
  return slots;
}

}  // namespace flexura
