// interpret_scene: one model for each set of things that act.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "flexura/scene/interpreter.hpp"

namespace flexura {
namespace detail {

void Interpreter::wrong(const Record& record, std::string_view key, std::string message, std::string nearest) {
  problems.push_back({record.source_of(key), key.empty() ? record.path : record.path + "." + std::string(key),
                      std::move(message), std::move(nearest)});
}

void Interpreter::warn(const Record& record, std::string_view key, std::string message) {
  warnings.push_back({record.source_of(key),
                      key.empty() ? record.path : record.path + "." + std::string(key),
                      std::move(message),
                      {},
                      true});
}

int Interpreter::combine(std::string name, SlotKind kind, const LinearForm& form, const std::string& author) {
  const int slot = builder_.combination(std::move(name), kind, form, author);
  result_.definitions.push_back({slot, form.terms});
  return slot;
}

bool Interpreter::acts(const Record& record) const { return acting_[&record - scene_.tables.data()]; }

SceneModel Interpreter::build() {
  parent_["ground"] = "ground";
  builder_.set_signals(scene_.signals);
  for (const Record* record : scene_.of_kind("section")) {
    if (!sections_.contains(record->name)) sections_[record->name] = make_section(*record);
  }
  for (const Record* record : scene_.of_kind("cable")) add_cable(*record);
  for (const Record* record : scene_.of_kind("beam")) add_beam(*record);
  for (const Record* record : scene_.of_kind("plate")) add_plate(*record);
  for (const Record* record : scene_.of_kind("point")) add_point(*record);
  for (const Record* record : scene_.of_kind("body")) add_body(*record);
  result_.bodies.resize(bodies_.size());
  const auto is_term = [](const Record& record) {
    return record.variant != nullptr && record.variant->term != nullptr;
  };
  for (const Record& record : scene_.tables)
    if (acts(record) && record.kind == "joint" && !is_term(record)) add_joint(record);
  share_turns();
  share_places();
  finish_joints();
  finish_plate_joints();
  for (const Record& record : scene_.tables)
    if (acts(record) && is_term(record)) add_term(record);
  add_gravity();
  for (const Record* record : scene_.of_kind("sensor")) add_sensor(*record);
  check_held();
  check_masses();
  if (builder_.constant_signal() < 0 || !problems.empty()) {
    problems.insert(problems.end(), builder_.problems().begin(), builder_.problems().end());
    return {};
  }
  try {
    result_.model = builder_.build();
  } catch (const InputError& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
  return std::move(result_);
}

namespace {

/// Newmark's method, under whatever name, keeps no bound on multipliers: refused where a constraint has them.
void check_methods(const SceneDocument& scene, const SceneModels& out, std::vector<Problem>& problems) {
  for (const Segment& segment : out.timeline.segments) {
    const AnalysisSpec& analysis = out.timeline.analyses[segment.analysis];
    const auto& topology = out.models[segment.model].model.topology;
    using Method = AnalysisSpec::Method;
    const std::string method = analysis.method == Method::newmark ? "\"newmark\" is"
                               : analysis.method == Method::generalized_alpha && analysis.rho_inf >= 1
                                   ? "rho_inf = 1 is"
                               : analysis.method == Method::hht && analysis.alpha >= 0 ? "alpha = 0 is"
                                                                                       : "";
    if (analysis.kind != AnalysisSpec::Kind::dynamics || method.empty() || !topology) continue;
    for (size_t s = 0; s < topology->slots.size(); ++s) {
      if (!topology->slots[s].multiplier) continue;
      std::string author = topology->slot_names[s];
      author.resize(author.rfind('.'));
      const Record* record = scene.find("analysis", analysis.name);
      problems.push_back({record->source_of("integrator"),
                          record->path + ".integrator",
                          method + " unstable with constraints that have multipliers (" + author +
                              "): they grow without bound; use \"generalized-alpha\" or \"hht\"",
                          {}});
      break;
    }
  }
}

/// Explicit methods integrate q̈ = f(q, q̇, t); a part that remembers is more than that.
void check_memory(const SceneDocument& scene, const SceneModels& out, std::vector<Problem>& problems) {
  for (const Segment& segment : out.timeline.segments) {
    const AnalysisSpec& analysis = out.timeline.analyses[segment.analysis];
    const auto& topology = out.models[segment.model].model.topology;
    using Method = AnalysisSpec::Method;
    const std::pair<Method, const char*> without_memory[] = {
        {Method::adams, "adams"}, {Method::rk4, "rk4"}, {Method::rk45, "rk45"}, {Method::rk853, "rk853"}};
    if (analysis.kind != AnalysisSpec::Kind::dynamics || !topology || topology->history == 0) continue;
    const auto refused = std::find_if(std::begin(without_memory), std::end(without_memory),
                                      [&](const auto& method) { return method.first == analysis.method; });
    if (refused == std::end(without_memory)) continue;
    const auto batch = std::find_if(topology->batches.begin(), topology->batches.end(),
                                    [](const ItemBatch& b) { return b.history > 0; });
    const Record* record = scene.find("analysis", analysis.name);
    problems.push_back({record->source_of("integrator"),
                        record->path + ".integrator",
                        fmt::format("\"{}\" cannot follow what remembers its past ({}); use \"generalized-alpha\", "
                                    "\"hht\" or \"energy-momentum\"",
                                    refused->second, topology->item_names[batch->names[0]]),
                        {}});
  }
}

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
  for (const char* kind : {"cable", "beam", "plate", "body"})
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
    if (out.timeline.analyses[segment.analysis].kind == AnalysisSpec::Kind::statics) statics[segment.model] = true;
  }
  if (sets.empty()) {  // no analysis: look for other problems all the same
    sets.emplace_back(scene.tables.size(), true);
    statics.push_back(false);
  }
  for (size_t i = 0; i < sets.size(); ++i) {
    detail::Interpreter interpreter(scene, out.timeline, sets[i], statics[i]);
    out.models.push_back(interpreter.build());
    problems.insert(problems.end(), interpreter.problems.begin(), interpreter.problems.end());
    out.warnings.insert(out.warnings.end(), interpreter.warnings.begin(), interpreter.warnings.end());
  }
  sort_problems(out.warnings);
  if (problems.empty() && !detail::has_moving_part(scene))
    problems.push_back(
        {{scene.file, 0, 0, 1}, {}, "the scene has nothing that moves: describe a part, as in [cable.NAME]", {}});
  if (problems.empty()) detail::check_methods(scene, out, problems);
  if (problems.empty()) detail::check_memory(scene, out, problems);
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
