#include "flexura/fmi/export_fmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "flexura/base/file.hpp"
#include "flexura/base/nearest_name.hpp"
#include "flexura/embedded.hpp"
#include "flexura/fmi/model_description.hpp"
#include "flexura/fmi/zip_file.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/scene/scene_number.hpp"

namespace flexura {
namespace {

using Causality = FmuVariable::Causality;

class FmuPlan {
 public:
  FmuPlan(const SceneDocument& given, const FmuOptions& options) : given_(given), options_(options) {
    for (const ExternalFile& file : given.files) content_.files.emplace_back(file.name, file.text);
  }

  FmuContent make() {
    const std::vector<std::string> inputs = find_inputs();
    stop_at_problems();
    SceneOptions reading = with_stored_files(given_.file, content_.files);
    reading.set = settings_;
    const SceneDocument scene = read_scene_text(given_.effective_text, given_.file, scene_terms(), reading);
    const SceneModels models = interpret_scene(scene);
    describe(scene, models);
    add({.causality = Causality::independent, .name = "time", .unit = "s", .doc = "time", .source = "time"}, "time");
    add_parameters(scene);
    for (const std::string& name : inputs) add_input(scene, name);
    add_outputs(models.models.front());
    stop_at_problems();
    content_.token = token_of(content_);
    return std::move(content_);
  }

 private:
  void wrong(const std::string& option, const std::string& name, std::string message, std::string nearest = {}) {
    problems_.push_back({{option, 0, 0, 1}, name, std::move(message), std::move(nearest)});
  }
  void stop_at_problems() {
    if (!problems_.empty()) throw InputError(problems_);
  }

  /// Signals that are inputs; what others have to become that goes into settings_.
  std::vector<std::string> find_inputs() {
    std::vector<std::string> inputs, known;
    for (const NamedSignal& signal : given_.named_signals) known.push_back(signal.name);
    const auto is_input = [&](size_t k) { return std::holds_alternative<InputSignal>(given_.named_signals[k].what); };
    if (options_.inputs.empty()) {
      for (size_t k = 0; k < known.size(); ++k)
        if (is_input(k)) inputs.push_back(known[k]);
      return inputs;
    }
    std::vector<double> now(known.size());
    if (given_.signals) given_.signals->evaluate(0, now);
    for (const std::string& name : options_.inputs) {
      const auto at = std::find(known.begin(), known.end(), name);
      if (at == known.end()) {
        wrong("--input", name, "the scene has no such signal, by name or by the path of its key",
              nearest_name(name, known));
        continue;
      }
      if (std::find(inputs.begin(), inputs.end(), name) != inputs.end()) continue;
      inputs.push_back(name);
      const auto k = static_cast<size_t>(at - known.begin());
      if (!is_input(k))
        settings_.push_back(fmt::format("{}={{ type = \"input\", value = {} }}", key_of(given_, name), now[k]));
    }
    return inputs;
  }

  static std::string key_of(const SceneDocument& scene, const std::string& signal) {
    return scene.find("signal", signal) != nullptr ? "signal." + signal : signal;
  }

  void describe(const SceneDocument& scene, const SceneModels& models) {
    content_.text = scene.effective_text;
    content_.title = models.title;
    content_.name = options_.name.empty() ? std::filesystem::path(given_.file).stem().string() : options_.name;
    for (char& c : content_.name)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    if (content_.name.empty() || std::isdigit(static_cast<unsigned char>(content_.name.front())) != 0)
      content_.name.insert(0, "scene_");
    for (const AnalysisSpec& analysis : models.timeline.analyses) {
      if (!analysis.over_time()) continue;
      if (content_.step == 0) {
        content_.step = analysis.step();
        content_.begin = analysis.begin;
      }
      content_.end = analysis.end;
    }
    if (content_.step == 0)
      problems_.push_back(
          {scene.head.source, "analysis", "an FMU goes through time, and no analysis of the scene does", {}});
  }

  /// Under its name, or where that is taken with the kind before it.
  void add(FmuVariable variable, const std::string& kind) {
    if (!names_.insert(variable.name).second) {
      variable.name = kind + "." + variable.name;
      names_.insert(variable.name);
    }
    content_.variables.push_back(std::move(variable));
  }

  void add_parameters(const SceneDocument& scene) {
    try {
      for (const SceneNumber& number : find_scene_numbers(scene, options_.parameters))
        add({.causality = Causality::parameter,
             .name = number.path,
             .unit = number.unit,
             .doc = "number of the scene",
             .source = number.path,
             .start = number.value},
            "parameter");
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems())
        wrong("--parameter", problem.path, problem.message, problem.nearest);
    }
  }

  void add_input(const SceneDocument& scene, const std::string& name) {
    for (const NamedSignal& signal : scene.named_signals)
      if (signal.name == name)
        add({.causality = Causality::input,
             .name = name,
             .unit = signal.unit,
             .doc = "signal of the scene",
             .source = name,
             .start = std::get<InputSignal>(signal.what).value},
            "signal");
  }

  void add_outputs(const SceneModel& model) {
    std::vector<std::string> known;
    std::set<std::string> asked(options_.outputs.begin(), options_.outputs.end());
    for (const SensorSpec& sensor : model.sensors) {
      const int dim = model.model.topology->dim;
      const std::vector<std::string> parts = number_names(sensor, dim);
      known.push_back(sensor.name);
      int k = 0;
      for (const ChannelColumn& column : columns_of(sensor, dim))
        for (std::uint64_t i = 0; i < column.size(); ++i, ++k) {
          const std::string& part = parts[static_cast<size_t>(k)];
          const bool counted = !part.empty() && std::isdigit(static_cast<unsigned char>(part[0])) != 0;
          const std::string name = sensor.name + (part.empty() ? "" : counted ? "[" + part + "]" : "." + part);
          if (!part.empty()) known.push_back(name);
          if (!asked.empty() && !asked.contains(name) && !asked.contains(sensor.name)) continue;
          add({.causality = Causality::output,
               .name = name,
               .unit = column.unit,
               .doc = column.doc,
               .source = sensor.name,
               .component = k},
              "sensor");
        }
    }
    for (const std::string& name : options_.outputs)
      if (std::find(known.begin(), known.end(), name) == known.end())
        wrong("--output", name, "the scene has no such sensor, nor a number of one", nearest_name(name, known));
  }

  const SceneDocument& given_;
  const FmuOptions& options_;
  FmuContent content_;
  std::vector<std::string> settings_;
  std::set<std::string> names_;
  std::vector<Problem> problems_;
};

std::string license_text() {
  const EmbeddedFile* file = find_embedded("LICENSE");
  return file != nullptr ? std::string(file->text) : std::string();
}

}  // namespace

FmuContent fmu_content(const SceneDocument& document, const FmuOptions& options) {
  return FmuPlan(document, options).make();
}

std::string fmu_archive(const FmuContent& content, int version, std::string library) {
  std::vector<ZipEntry> entries{{"modelDescription.xml", model_description(content, version)},
                                {"documentation/index.html", fmu_page(content)},
                                {"documentation/licenses/license.txt", license_text()}};
  for (auto& [name, text] : resources_of(content)) entries.push_back({"resources/" + name, std::move(text)});
  entries.push_back(
      {fmt::format("binaries/{}/{}.so", version == 2 ? "linux64" : "x86_64-linux", content.name), std::move(library)});
  return zip_archive(entries);
}

FmuContent export_fmu(const SceneDocument& document, const FmuOptions& options, const std::string& library,
                      const std::string& path) {
  FmuContent content = fmu_content(document, options);
  Outcome<std::string> program = read_file(library);
  if (!program)
    throw FileError(fmt::format("{}; FMUs carry it, `make build` compiles it, and it is installed beside flexura",
                                program.error()));
  const std::string problem = write_file(path, fmu_archive(content, options.version, std::move(*program)));
  if (!problem.empty()) throw FileError(problem);
  return content;
}

}  // namespace flexura
