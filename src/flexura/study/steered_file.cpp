#include "flexura/study/steered_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/base/nearest_name.hpp"
#include "flexura/scene/scene_reader.hpp"
#include "flexura/scene/units.hpp"

namespace flexura {
namespace {

int lines_of(const std::string& text) { return static_cast<int>(std::ranges::count(text, '\n')) + 1; }

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return out + "\"";
}

/// Of a place that has no sensor in the scene; as no sensor of it is called.
std::string sensor_for(const Record& record, const SceneDocument& scene) {
  std::string name = record.kind + "-" + (record.name.empty() ? "at" : record.name);
  while (scene.find("sensor", name) != nullptr) name += "_";
  return name;
}

}  // namespace

TableSpec input_table(std::vector<FieldSpec> more) {
  TableSpec spec;
  spec.kind = "input";
  spec.doc = "an input of the scene that is varied: a signal of type \"input\"";
  spec.fields = {
      text_field("signal", "of type \"input\", by name").defaults_to("NAME"),
      number_field("low", "*", "least").required(),
      number_field("high", "*", "largest").required(),
      number_field("start", "*", "at the first equilibrium").defaults_to("that of the scene"),
      number_field("effort", "*", "a change from `rest` that counts as one").more_than(0).defaults_to("none"),
      number_field("rest", "*", "where it makes no effort").defaults_to(0.0)};
  spec.fields.insert(spec.fields.end(), more.begin(), more.end());
  return spec;
}

std::vector<FieldSpec> reading_fields() {
  return {text_field("sensor", "of the scene").defaults_to("NAME"),
          text_field("at", "place that is read, in place of a sensor of the scene: \"arm.end\""),
          text_field("quantity", "of that place, as the `type` of a sensor").defaults_to("position"),
          text_field("component",
                     "of the sensor: \"x\"; of a frame \"position\", \"angle\", \"quat_xyzw\" or \"position.x\"")
              .defaults_to("all")};
}

SteeredStudy::SteeredStudy(StudyFile study, std::vector<Problem> problems, std::string_view kind)
    : study_(std::move(study)),
      problems_(std::move(problems)),
      raw_(parse_toml(study_.words.text, study_.words.file)),
      texts_(study_.texts()) {
  read_scene(kind);
}

void SteeredStudy::wrong(const Source& source, const std::string& path, std::string message, std::string nearest) {
  problems_.push_back({source, path, std::move(message), std::move(nearest)});
}

void SteeredStudy::read_scene(std::string_view kind) {
  std::string text = study_.scene.text;
  const int own = lines_of(text);
  std::vector<const Record*> at_line;  // of each line behind the scene's own
  for (const Record& record : study_.words.tables) {
    if (record.kind != kind || !record.has("at")) continue;
    if (record.has("sensor"))
      wrong(record.source_of("at"), record.path + ".at", "is in place of a sensor: give one of them");
    text +=
        fmt::format("\n[sensor.{}]\ntype = {}\nat = {}\n", quoted(sensor_for(record, study_.scene)),
                    quoted(record.has("quantity") ? record.text("quantity") : "position"), quoted(record.text("at")));
    at_line.resize(static_cast<size_t>(lines_of(text) - own), &record);
  }
  for (const Record& record : study_.words.tables)
    if (record.kind == kind && record.has("quantity") && !record.has("at"))
      wrong(record.source_of("quantity"), record.path + ".quantity", "is of a place: give `at` too");
  SceneOptions reading = study_.options.scene;
  reading.set = study_.set;
  try {
    scene_ = read_scene_text(text, study_.scene.file, scene_terms(), reading);
    models_ = interpret_scene(scene_);
  } catch (const InputError& error) {
    for (Problem problem : error.problems()) {
      const int line = problem.source.line - own - 1;
      if (line >= 0 && line < static_cast<int>(at_line.size())) {
        const Record& record = *at_line[static_cast<size_t>(line)];
        const bool of_type = problem.path.ends_with(".type");
        problem.source = record.source_of(of_type && record.has("quantity") ? "quantity" : "at");
        problem.path = record.path + (of_type ? ".quantity" : ".at");
      }
      problems_.push_back(std::move(problem));
    }
    if (at_line.empty()) return;
    try {  // without the places, for what else is wrong
      models_ = interpret_scene(study_.scene);
      scene_ = study_.scene;
    } catch (const InputError&) {
      models_.reset();  // it has been told
    }
  }
}

const RawNode* SteeredStudy::raw(const Record& record, const std::string& key) const {
  const RawNode* kind = raw_.root.find(record.kind);
  const RawNode* table = kind == nullptr ? nullptr : record.name.empty() ? kind : kind->find(record.name);
  return table == nullptr ? nullptr : table->find(key);
}

const ExternalFile* SteeredStudy::file_of(const Record& record, const std::string& key) const {
  const FileIndex* index = record.get<FileIndex>(key);
  return index == nullptr ? nullptr : &study_.words.files[static_cast<size_t>(index->index)];
}

void SteeredStudy::check_unit(const RawNode& node, const std::string& path, const std::string& unit) {
  for (size_t i = 0; i < node.items.size(); ++i) check_unit(node.items[i], fmt::format("{}[{}]", path, i), unit);
  if (node.kind != RawNode::Kind::text) return;
  const std::optional<WrittenNumber> written = split_quantity(node.text);
  if (!written || written->unit.empty()) return;
  if (const std::optional<Unit> given = parse_unit(written->unit); given && !fits(given->dimension, unit))
    wrong(node.source, path,
          fmt::format("\"{}\" has the wrong dimension; it is in [{}]", node.text, unit.empty() ? "1" : unit));
}

void SteeredStudy::check_unit(const Record& record, const std::string& key, const std::string& unit) {
  if (const RawNode* node = raw(record, key)) check_unit(*node, record.path + "." + key, unit);
}

std::vector<SoughtInput> SteeredStudy::read_inputs() {
  std::vector<SoughtInput> out;
  const std::vector<const Record*> records = study_.words.of_kind("input");
  if (records.empty())
    wrong({study_.words.file, 1, 1, 1}, "input", "nothing is varied: a study has an [input.NAME] at least");
  std::vector<std::string> names;
  if (scene_.signals)
    for (const int k : scene_.signals->inputs()) names.push_back(scene_.signals->name(k));
  for (const Record* record : records) {
    const std::string name = record->has("signal") ? record->text("signal") : record->name;
    const Source source = record->source_of("signal");
    const std::string path = record->path + (record->has("signal") ? ".signal" : "");
    SoughtInput one;
    one.input.name = name;
    one.input.low = record->number("low");
    one.input.high = record->number("high");
    one.rest = record->number("rest", 0);
    one.effort = record->number("effort", 1);
    one.has_effort = record->has("effort");
    if (record->has("rest") && !one.has_effort)
      wrong(record->source_of("rest"), record->path + ".rest", "is where an input makes no effort: give `effort` too");
    if (record->has("low") && record->has("high") && !(one.input.low < one.input.high))
      wrong(record->source_of("low"), record->path + ".low",
            fmt::format("the bounds are the wrong way: {} is not less than {}", one.input.low, one.input.high));
    const bool has_room = one.input.low < one.input.high;
    one.input.scale = has_room ? one.input.high - one.input.low : 1;
    for (const SoughtInput& other : out)
      if (other.input.name == name) wrong(source, path, fmt::format("the input \"{}\" is varied already", name));
    const int signal = scene_.signals ? scene_.signals->find(name) : -1;
    if (has_scene() && std::ranges::find(names, name) == names.end()) {
      wrong(source, path,
            signal >= 0     ? fmt::format("the signal \"{}\" is not of type \"input\"", name)
            : names.empty() ? std::string("the scene has no signal of type \"input\"")
                            : fmt::format("the scene has no input \"{}\"", name),
            nearest_name(name, names));
    } else if (signal >= 0) {
      const NamedSignal& written = scene_.named_signals[static_cast<size_t>(signal)];
      one.unit = written.unit;
      for (const char* key : {"low", "high", "start", "effort", "rest"})
        if (!one.unit.empty()) check_unit(*record, key, one.unit);
      const auto* input = std::get_if<InputSignal>(&written.what);
      const double present = input == nullptr ? 0 : input->value;
      one.input.start = record->has("start") ? record->number("start")
                        : has_room           ? std::clamp(present, one.input.low, one.input.high)
                                             : present;
      if (record->has("start") && has_room && (one.input.start < one.input.low || one.input.start > one.input.high))
        wrong(record->source_of("start"), record->path + ".start",
              fmt::format("the start, {}, is not between the bounds {} and {}", one.input.start, one.input.low,
                          one.input.high));
    }
    out.push_back(std::move(one));
  }
  return out;
}

std::optional<WantedReading> SteeredStudy::read_reading(const Record& record) {
  if (!has_scene()) return {};
  WantedReading out{.name = record.name, .sensor = {}, .components = {}, .columns = {}, .units = {}};
  out.sensor = record.has("at")       ? sensor_for(record, study_.scene)
               : record.has("sensor") ? record.text("sensor")
                                      : record.name;
  const std::vector<SensorSpec>& sensors = models_->models.front().sensors;
  std::vector<std::string> names;
  for (const SensorSpec& sensor : sensors)
    if (study_.scene.find("sensor", sensor.name) != nullptr) names.push_back(sensor.name);
  const auto found = std::ranges::find(sensors, out.sensor, &SensorSpec::name);
  if (found == sensors.end() && record.has("at")) return {};  // it has been told
  if (found == sensors.end()) {
    wrong(record.source_of("sensor"), record.path + (record.has("sensor") ? ".sensor" : ""),
          fmt::format("the scene has no sensor \"{}\"; give `sensor`, or a place: `at`", out.sensor),
          nearest_name(out.sensor, names));
    return {};
  }
  const std::string wanted = record.has("component") ? record.text("component") : "";
  std::vector<std::string> allowed;
  bool whole = false;
  int number = 0;
  const std::vector<ChannelColumn> columns = columns_of(*found, dim());
  for (const ChannelColumn& column : columns) {
    if (columns.size() > 1 && column.size() > 1) allowed.push_back(column.name);
    for (std::uint64_t k = 0; k < column.size(); ++k, ++number) {
      const std::string part = k < column.components.size() ? column.components[k] : fmt::format("{}", k);
      const std::string full = column.size() == 1 ? column.name : columns.size() == 1 ? part : column.name + "." + part;
      if (number_count(*found, dim()) > 1) allowed.push_back(full);
      if (!wanted.empty() && wanted != full && wanted != column.name) continue;
      whole = whole || (column.name == "quat_xyzw" && wanted != full);
      out.components.push_back(number);
      out.columns.push_back(number_count(*found, dim()) == 1 ? record.name : record.name + "." + full);
      out.units.push_back(column.unit);
    }
  }
  if (out.components.empty()) {
    wrong(record.source_of("component"), record.path + ".component",
          allowed.empty() ? fmt::format("sensor \"{}\" is one number, without components", out.sensor)
                          : fmt::format("sensor \"{}\" has no component \"{}\", but {}", out.sensor, wanted,
                                        list_of(allowed, "and")),
          nearest_name(wanted, allowed));
    return {};
  }
  if (std::ranges::adjacent_find(out.units, std::not_equal_to<>()) != out.units.end()) {
    wrong(record.source_of("sensor"), record.path,
          fmt::format("numbers of different units: choose a component, {}", list_of(allowed, "or")));
    return {};
  }
  out.is_quaternion = whole;
  out.unit = whole ? "rad" : out.units.front();
  return out;
}

std::vector<std::vector<double>> SteeredStudy::read_columns(const Record& record, const WantedReading& reading,
                                                            const RecordFile& table) {
  const bool one = reading.columns.size() == 1;
  if (record.has("column") && !one) {
    wrong(record.source_of("column"), record.path + ".column",
          fmt::format("is of one number, and there are {}: choose a component", reading.columns.size()));
    return {};
  }
  const Asked asked{record.source_of("column"), record.path + (record.has("column") ? ".column" : "")};
  std::vector<std::vector<double>> out;
  for (size_t c = 0; c < reading.columns.size(); ++c) {
    const std::string& name = reading.columns[c];
    std::vector<std::string> headings{name};
    if (name.size() > record.name.size()) headings.push_back(name.substr(record.name.size() + 1));
    if (one) headings.push_back(record.name);
    int column = -1;
    if (const std::string* heading = record.get<std::string>("column"))
      column = table.find(*heading, asked, problems_);
    else if (const long* number = record.get<long>("column"))
      column = table.find(*number, asked, problems_);
    else if (column = table.find_any(headings); column < 0)
      table.find(name, asked, problems_);
    if (column < 0) return {};
    const std::vector<double> y =
        table.in_si(column, record.text("unit"), reading.units[c],
                    {record.source_of(record.has("unit") ? "unit" : "column"), record.path}, problems_);
    out.resize(y.size());
    for (size_t i = 0; i < y.size(); ++i) {
      if (!std::isfinite(y[i])) {
        wrong(table.place_of(column), record.path,
              fmt::format("row {} of the table has no number in the column {}", i + 1, name));
        return {};
      }
      out[i].push_back(y[i]);
    }
    if (out.empty()) return {};
  }
  return out;
}

void SteeredStudy::finish() {
  if (problems_.empty()) return;
  sort_problems(problems_);
  throw SceneError(std::move(problems_), texts_);
}

}  // namespace flexura
