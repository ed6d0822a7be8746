// Signals and loads that the program around the simulation computes: their functions by name.

#include <fmt/format.h>

#include <algorithm>

#include "flexura/scene/scene_reader.hpp"

namespace flexura::detail {
namespace {

template <class Map>
std::vector<std::string> names_in(const Map& functions) {
  std::vector<std::string> names;
  for (const auto& [name, function] : functions) names.push_back(name);
  return names;
}

ExternalSignal no_signal() {
  ExternalSignal signal;
  signal.value = signal.rate = signal.acceleration = [](void*, double) { return 0.0; };
  return signal;
}

ExternalLaw no_law() {
  ExternalLaw law;
  law.force = [](void*, int n, double, const double*, const double*, double* f, double* dx, double* dv) {
    std::fill(f, f + n, 0.0);
    if (dx != nullptr) std::fill(dx, dx + n * n, 0.0), std::fill(dv, dv + n * n, 0.0);
    return 0;
  };
  law.gives_tangent = law.thread_safe = true;
  return law;
}

/// "the program that runs the scene must give the force law "contact"; it gives "spring" and "wind""
std::string missing(const char* what, const std::string& name, const std::vector<std::string>& given) {
  return fmt::format("the program that runs the scene must give the {} \"{}\"; it gives {}", what, name,
                     given.empty() ? "none" : list_of(given, "and"));
}

}  // namespace

void SceneReader::find_functions() {
  for (NamedSignal& signal : scene_.named_signals) find_signal_function(signal);
  for (const Record& record : scene_.tables) find_law(record);
}

void SceneReader::find_signal_function(NamedSignal& signal) {
  const Signal* plain = std::get_if<Signal>(&signal.what);
  const CodeSignal* shape = plain == nullptr ? nullptr : std::get_if<CodeSignal>(&plain->shape());
  if (shape == nullptr) return;
  const std::string name = shape->function.empty() ? signal.name : shape->function;
  const auto& given = request_.options->functions.signals;
  if (const auto found = given.find(name); found != given.end()) {
    signal.what = Signal(CodeSignal{name, std::make_shared<SignalCode>(name, found->second)});
    return;
  }
  if (request_.options->stand_ins) {
    signal.what = Signal(CodeSignal{name, std::make_shared<SignalCode>(name, no_signal())});
    return;
  }
  const std::vector<std::string> names = names_in(given);
  Source source = signal.source;
  std::string path = signal.name;
  if (const Record* record = scene_.find("signal", signal.name)) {
    source = record->source_of("function");
    path = record->path;
  }
  wrong(source, path + ".function", missing("signal function", name, names), nearest_name(name, names));
}

void SceneReader::find_law(const Record& record) {
  if (record.variant == nullptr || record.variant->term == nullptr) return;
  for (const Field& field : record.variant->term->fields) {
    if (!field.is_law) continue;
    const std::string* written = record.get<std::string>(field.name);
    const std::string name = written == nullptr || written->empty() ? record.name : *written;
    const auto& given = request_.options->functions.laws;
    if (const auto found = given.find(name); found != given.end() && found->second.force != nullptr) {
      scene_.laws.emplace_back(record.path, RegisteredLaw::make(name, found->second));
      continue;
    }
    if (request_.options->stand_ins) {
      scene_.laws.emplace_back(record.path, RegisteredLaw::make(name, no_law()));
      continue;
    }
    const std::vector<std::string> names = names_in(given);
    wrong(record.source_of(field.name), fmt::format("{}.{}", record.path, field.name),
          missing("force law", name, names), nearest_name(name, names));
  }
}

}  // namespace flexura::detail
