#include "flexura/study/study_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "flexura/scene/coordinate_units.hpp"
#include "flexura/scene/scene_number.hpp"
#include "flexura/scene/scene_reader.hpp"
#include "flexura/scene/written_unit.hpp"

namespace flexura {
namespace {

Source found_in(const Source& source, const std::string& file) {
  return source.file.empty() ? Source{file, 0, 0, 1} : source;
}

/// "section.wall" and "EI".
std::pair<std::string, std::string> split_last(const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::pair(std::string(), path)
                                  : std::pair(path.substr(0, dot), path.substr(dot + 1));
}

/// Dotted keys and their values: { "a.b" = 1 } and { a = { b = 1 } } alike.
void for_settings(const RawNode& table, const std::string& path, auto&& each) {
  for (const RawEntry& entry : table.entries) {
    const std::string key = path.empty() ? entry.key : path + "." + entry.key;
    if (entry.node.kind == RawNode::Kind::table)
      for_settings(entry.node, key, each);
    else
      each(key, entry);
  }
}
void flatten_settings(const RawNode& table, const std::string& path, std::vector<std::string>& out) {
  for_settings(table, path, [&](const std::string& key, const RawEntry& entry) {
    out.push_back(key + "=" + write_toml_value(entry.node));
  });
}

/// A search without a start begins at what the scene says with `set`.
bool begins_at_the_scene(const Record& parameter) {
  return parameter.spec->find_field("start", nullptr) != nullptr && !parameter.has("start");
}

void look_up_in_list(const SceneDocument& scene, StudyParameter& parameter) try {
  const SceneNumber number = find_scene_numbers(scene, {parameter.path})[0];
  parameter.present = number.value;
  parameter.has_unit = !number.unit.empty();
  if (parameter.has_unit) parameter.unit = number.unit;
} catch (const InputError&) {
  parameter.present.reset();  // why there is none is told where a value is tried
}

/// What the scene says of a number by its path, but for the units of keys that take any.
void look_up_value(const SceneDocument& scene, StudyParameter& parameter) {
  const auto [table, key] = split_last(parameter.path);
  if (table == "parameters") {
    for (const auto& [name, value] : scene.parameters)
      if (name == key) parameter.present = value;
    return;
  }
  const auto number_of = [&](const Record& record, const FieldSpec* field) {
    if (field == nullptr) return;
    const std::string unit = unit_of(scene, record, *field);
    parameter.has_unit = unit != "*";
    if (parameter.has_unit && !unit.empty()) parameter.unit = unit;
    const Value* value = record.find(key);
    if (value == nullptr) return void(parameter.present = field->value);
    if (const double* x = value->get<double>()) parameter.present = *x;
    if (const long* x = value->get<long>()) parameter.present = static_cast<double>(*x);
  };
  if (table.empty()) {
    const auto field = std::ranges::find(scene.grammar->head, key, &FieldSpec::name);
    if (field != scene.grammar->head.end()) number_of(scene.head, &*field);
  }
  for (const Record& record : scene.tables)
    if (record.path == table && record.spec != nullptr) number_of(record, record.spec->find_field(key, record.variant));
}

/// What the scene says of a number by its path.
void look_up(const SceneDocument& scene, StudyParameter& parameter) {
  if (parameter.path.ends_with(']')) return look_up_in_list(scene, parameter);
  look_up_value(scene, parameter);
  if (parameter.has_unit) return;
  if (const std::string unit = written_unit(scene, parameter.path); !unit.empty()) {
    parameter.unit = unit;
    parameter.has_unit = true;
  }
}

TableSpec parameter_table(const StudyForm& form) {
  TableSpec spec;
  spec.kind = "parameter";
  spec.doc = "a number of the scene that is varied; NAME is the heading of its column";
  spec.fields.push_back(text_field("path", "where it is in the scene, as --set finds it: \"section.wall.EI\"")
                            .defaults_to("parameters.NAME"));
  spec.fields.insert(spec.fields.end(), form.of_parameters.begin(), form.of_parameters.end());
  return spec;
}

std::vector<StudyParameter> parameters_of(const SceneDocument& words, std::vector<Problem>& problems) {
  std::vector<StudyParameter> out;
  for (size_t i = 0; i < words.tables.size(); ++i) {
    const Record& record = words.tables[i];
    if (record.kind != "parameter") continue;
    StudyParameter parameter{.name = record.name,
                             .path = record.has("path") ? record.text("path") : "parameters." + record.name,
                             .unit = "1",
                             .has_unit = false,
                             .present = {},
                             .record = i,
                             .source = record.source_of("path")};
    for (const StudyParameter& other : out)
      if (other.path == parameter.path)
        problems.push_back({parameter.source,
                            record.path + ".path",
                            fmt::format("\"{}\" is varied by parameter.{} already", parameter.path, other.name),
                            {}});
    out.push_back(std::move(parameter));
  }
  return out;
}

/// Quantities that are given to a parameter in units that its key does not have.
void check_units(const StudyFile& study, const RawNode& root, std::vector<Problem>& problems) {
  const RawNode* tables = root.find("parameter");
  for (const StudyParameter& parameter : study.parameters) {
    const Record& record = study.record(parameter);
    const RawNode* table = tables == nullptr ? nullptr : tables->find(record.name);
    if (!parameter.has_unit || table == nullptr) continue;
    const auto check = [&](const RawNode& node, const std::string& path) {
      const std::optional<WrittenNumber> written = split_quantity(node.text);
      if (node.kind != RawNode::Kind::text || !written || written->unit.empty()) return;
      const std::optional<Unit> unit = parse_unit(written->unit);
      if (!unit || fits(unit->dimension, parameter.unit)) return;
      problems.push_back(
          {node.source,
           path,
           fmt::format("\"{}\" has the wrong dimension; {} is in [{}]", node.text, parameter.path, parameter.unit),
           {}});
    };
    for (const RawEntry& entry : table->entries) {
      const FieldSpec* field = record.spec->find_field(entry.key, nullptr);
      if (field == nullptr || field->unit != "*") continue;
      const std::string path = record.path + "." + entry.key;
      check(entry.node, path);
      for (size_t i = 0; i < entry.node.items.size(); ++i) check(entry.node.items[i], fmt::format("{}[{}]", path, i));
    }
  }
}

/// One setting of a number that each run gives another value to, as a problem.
void refuse_setting(const StudyFile& study, const std::string& key, const Source& source, const std::string& path,
                    const std::function<bool(const StudyParameter&)>& acts, std::vector<Problem>& problems) {
  for (const StudyParameter& parameter : study.parameters)
    if (parameter.path == key && acts(parameter))
      problems.push_back(
          {source,
           path,
           fmt::format("is without effect: parameter.{} gives this number a value in each run", parameter.name),
           {}});
}

}  // namespace

std::shared_ptr<const Grammar> study_grammar(const StudyForm& form) {
  auto grammar = std::make_shared<Grammar>();
  grammar->head = {text_field("title", "what the study is about"),
                   file_field("scene", "the scene that is repeated, beside the study").required(),
                   settings_field("set", "values of the scene that are changed in all runs, by their paths")};
  grammar->head.insert(grammar->head.end(), form.head.begin(), form.head.end());
  if (form.has_parameters) grammar->tables.push_back(parameter_table(form));
  grammar->tables.insert(grammar->tables.end(), form.tables.begin(), form.tables.end());
  return grammar;
}

SourceTexts StudyFile::texts() const {
  SourceTexts both = words.texts;
  both.add(words.file, words.text);
  if (!scene.file.empty()) both.add(scene.file, scene.text);
  return both;
}

std::vector<std::string> StudyFile::settings(std::span<const double> values) const {
  std::vector<std::string> out;
  for (size_t i = 0; i < parameters.size(); ++i) out.push_back(fmt::format("{}={}", parameters[i].path, values[i]));
  return out;
}

void StudyFile::change(std::string setting) {
  auto changed = std::make_shared<VariedScene>(*varied);
  changed->change(setting);
  varied = std::move(changed);
  set.push_back(std::move(setting));
}

SceneDocument StudyFile::vary(std::span<const double> values) const { return varied->vary(settings(values)); }

StudyFile read_study(const std::string& path, const StudyForm& form, std::vector<Problem>& problems,
                     const StudyOptions& options) {
  const std::optional<std::string> text = detail::load_file(options.scene, path);
  if (!text) throw UnreadableFiles({{{path, 0, 0, 1}, {}, "the file cannot be read", {}}}, {});
  return read_study_text(*text, path, form, problems, options);
}

StudyFile read_study_text(const std::string& text, const std::string& file, const StudyForm& form,
                          std::vector<Problem>& problems, const StudyOptions& options) {
  StudyFile study;
  study.options = options;
  SceneDocument& words = study.words;
  words.file = file;
  words.text = text;
  words.grammar = study_grammar(form);
  words.texts.add(file, text);
  RawResult raw = parse_toml(text, file);
  if (!raw.problems.empty()) throw SceneError(std::move(raw.problems), words.texts);

  study.set = options.scene.set;
  if (const RawNode* set = raw.root.find("set")) flatten_settings(*set, "", study.set);
  // A scene that is given otherwise is no file to look for.
  std::string name = file;
  if (options.scene_text)
    std::erase_if(raw.root.entries, [&](const RawEntry& entry) {
      if (entry.key == "scene" && entry.node.kind == RawNode::Kind::text) name = entry.node.text;
      return entry.key == "scene";
    });
  int uses = 0, unreadable = 0;
  detail::SceneReader reader(words, {&study.options.scene, {file}, &uses, &unreadable});
  reader.read(raw.root);
  std::vector<Problem> found = std::move(reader.problems);
  const FileIndex* scene = words.head.get<FileIndex>("scene");
  if (scene == nullptr && !options.scene_text && raw.root.find("scene") == nullptr)
    found.push_back({{file, 1, 1, 1}, "scene", "\"scene\" is missing: the scene that is repeated", {}});
  study.parameters = parameters_of(words, found);
  if (scene == nullptr && !options.scene_text) {
    sort_problems(found);
    if (found.size() == static_cast<std::size_t>(unreadable)) throw UnreadableFiles(std::move(found), words.texts);
    throw SceneError(std::move(found), words.texts);
  }
  const std::string& scene_file = scene != nullptr ? words.files[scene->index].path : name;
  const std::string& scene_text = scene != nullptr ? words.files[scene->index].text : *options.scene_text;
  SceneOptions reading = options.scene;
  reading.set = study.set;
  try {
    study.scene = read_scene_text(scene_text, scene_file, scene_terms(), reading);
  } catch (const InputError& error) {
    found.insert(found.end(), error.problems().begin(), error.problems().end());
    SourceTexts both = words.texts;
    both.add(scene_file, scene_text);
    sort_problems(found);
    throw SceneError(std::move(found), both);
  }
  study.varied = std::make_shared<const VariedScene>(study.scene, reading);
  for (StudyParameter& parameter : study.parameters) look_up(study.scene, parameter);
  const auto acts = [&](const StudyParameter& parameter) { return !begins_at_the_scene(study.record(parameter)); };
  if (const RawNode* set = raw.root.find("set")) refuse_settings(study, *set, "set", acts, found);
  for (const std::string& option : options.scene.set) {
    const std::string key = option.substr(0, option.find_last_not_of(' ', option.find('=') - 1) + 1);
    refuse_setting(study, key, {"--set " + option, 0, 0, 1}, key, acts, found);
  }
  check_units(study, raw.root, found);
  problems.insert(problems.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  return study;
}

void refuse_settings(const StudyFile& study, const RawNode& set, const std::string& path,
                     const std::function<bool(const StudyParameter&)>& acts, std::vector<Problem>& problems) {
  for_settings(set, "", [&](const std::string& key, const RawEntry& entry) {
    refuse_setting(study, key, found_in(entry.source, study.words.file), fmt::format("{}.{}", path, key), acts,
                   problems);
  });
}

std::vector<std::string> settings_in(const RawNode& table) {
  std::vector<std::string> out;
  flatten_settings(table, "", out);
  return out;
}

void check_settings(const StudyFile& study, std::span<const StudySetting> settings, std::vector<Problem>& problems) {
  std::vector<double> tried;
  std::vector<std::string> said;  // a path that is wrong is wrong at every value
  for (const StudySetting& setting : settings) {
    const StudyParameter& parameter = study.parameters[setting.parameter];
    SceneOptions reading = study.options.scene;
    reading.set = study.set;
    const std::string option = fmt::format("{}={}", parameter.path, setting.value);
    reading.set.push_back(option);
    try {
      read_scene_text(study.scene.text, study.scene.file, scene_terms(), reading);
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems()) {
        const bool of_path = problem.path == parameter.path &&
                             problem.message.find(fmt::format("{}", setting.value)) == std::string::npos;
        Problem here = problem;
        here.source = of_path ? parameter.source : found_in(setting.source, study.words.file);
        here.path = study.record(parameter).path + (of_path ? ".path" : "");
        here.message = fmt::format("{}: {}", problem.path, problem.message);
        const std::string key = fmt::format("{}{}", here.source.line * 1000 + here.source.column, here.message);
        if (std::find(said.begin(), said.end(), key) != said.end()) continue;
        said.push_back(key);
        problems.push_back(std::move(here));
      }
    }
  }
}

void throw_study_problems(const StudyFile& study, std::vector<Problem> problems) {
  if (problems.empty()) return;
  sort_problems(problems);
  throw SceneError(std::move(problems), study.texts());
}

}  // namespace flexura
