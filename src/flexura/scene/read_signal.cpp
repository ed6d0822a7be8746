// Signals: named and inline, expressions, tables from files.

#include <fmt/format.h>

#include <algorithm>

#include "flexura/scene/column_unit.hpp"
#include "flexura/scene/scene_reader.hpp"

namespace flexura::detail {
namespace {

bool is_formula(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  return first != std::string::npos && text[first] == '=';
}

/// What a signal is at its ends or rows; nothing of what only a formula, a sine or somebody's code knows.
std::vector<double> stated_values(const Signal& signal) {
  if (const auto* constant = std::get_if<ConstantSignal>(&signal.shape())) return {constant->value};
  if (const auto* ramp = std::get_if<RampSignal>(&signal.shape())) return {ramp->from, ramp->to};
  if (const auto* step = std::get_if<SmoothStepSignal>(&signal.shape())) return {step->from, step->to};
  if (const auto* table = std::get_if<TableSignal>(&signal.shape())) return table->values();
  return {};
}

}  // namespace

std::optional<Expression> SceneReader::parse_expression(const RawNode& node, const std::string& path,
                                                        ExpressionScope scope) {
  return parse_expression(node.text, node.source, path, scope);
}

std::optional<Expression> SceneReader::parse_expression(const std::string& text, const Source& where,
                                                        const std::string& path, ExpressionScope scope) {
  ParsedExpression parsed = Expression::parse(text, parameters_at(where), scope);
  if (parsed.ok()) {
    for (const std::string& input : parsed.expression.inputs()) take_outer_signal(input, where);
    return std::move(parsed.expression);
  }
  for (const ExpressionError& error : parsed.errors) {
    Source source = where;
    // Within a text of one line without escapes, columns can be counted on from the quote.
    if (source.length == static_cast<int>(text.size()) + 2 && source.line > 0) {
      source.column += error.column;
      source.length = std::max(1, error.length);
    }
    wrong(source, path, error.message, error.nearest);
  }
  return {};
}

void SceneReader::declare_signals(const RawNode& signals) {
  if (signals.kind != RawNode::Kind::table) return;
  for (const RawEntry& entry : signals.entries) scene_.named_signals.push_back({entry.key, Signal(), entry.source});
}

void SceneReader::read_named_signals(const TableSpec& spec, const RawEntry& entry) {
  const size_t known = scene_.tables.size();
  read_kind(spec, entry);
  for (size_t i = known; i < scene_.tables.size(); ++i) {
    const Record& record = scene_.tables[i];
    for (NamedSignal& signal : scene_.named_signals)
      if (signal.name == record.name) {
        signal.what = make_signal(record);
        break;
      }
  }
}

std::optional<SignalIndex> SceneReader::read_signal(const FieldSpec& field, const RawNode& node,
                                                    const std::string& path) {
  const std::optional<SignalIndex> index = read_any_signal(field, node, path);
  if (index && !bounds_text(field).empty()) bounded_signals_.push_back({index->index, &field, path, node.source});
  return index;
}

std::optional<SignalIndex> SceneReader::read_any_signal(const FieldSpec& field, const RawNode& node,
                                                        const std::string& path) {
  const auto add = [&](AnySignal what, const Source& source) {
    scene_.named_signals.push_back({path, std::move(what), source, field.unit == "*" ? "" : field.unit});
    return SignalIndex{static_cast<int>(scene_.named_signals.size()) - 1};
  };
  if (node.kind == RawNode::Kind::table) {
    const TableSpec* spec = scene_.grammar->find_table("signal");
    const std::string outer = std::exchange(any_unit_, field.unit);
    const size_t before = problems.size();
    const Record record = read_table(*spec, node, path, node.source);
    std::optional<SignalIndex> index;
    if (problems.size() == before) {
      auto signal = make_signal(record);
      if (problems.size() == before) index = add(std::move(signal), record.source_of("function"));
    }
    any_unit_ = outer;
    return index;
  }
  if (node.kind == RawNode::Kind::text && is_formula(node.text)) {
    std::optional<Expression> expression = parse_expression(node, path, ExpressionScope::signals);
    if (!expression) return {};
    return add(Signal(std::move(*expression)), node.source);
  }
  if (node.kind == RawNode::Kind::text && is_dotted_name(node.text)) {
    take_outer_signal(node.text, node.source);
    const std::vector<std::string> names = names_of({"signal"});
    const auto found = std::find_if(scene_.named_signals.begin(), scene_.named_signals.end(),
                                    [&](const NamedSignal& signal) { return signal.name == node.text; });
    if (std::find(names.begin(), names.end(), node.text) != names.end() && found != scene_.named_signals.end()) {
      signal_uses_.push_back({node.text, field.unit, path, node.source});
      return SignalIndex{static_cast<int>(found - scene_.named_signals.begin())};
    }
    wrong(node.source, path, fmt::format("there is no signal named \"{}\"; a formula begins with =", node.text),
          nearest_name(node.text, names));
    return {};
  }
  if (node.kind != RawNode::Kind::integer && node.kind != RawNode::Kind::number && node.kind != RawNode::Kind::text) {
    wrong_type(node, path, "a signal: a number, a formula in t, the name of a signal or a table");
    return {};
  }
  const std::optional<double> x = read_quantity(field.unit, node, path);
  if (!x) return {};
  return add(Signal(*x), node.source);
}

AnySignal SceneReader::make_signal(const Record& r) {
  if (r.type == "constant") return Signal(r.number("value"));
  if (r.type == "ramp")
    return Signal(RampSignal{r.number("from"), r.number("to"), r.number("start"), r.number("duration")});
  if (r.type == "smooth_step")
    return Signal(SmoothStepSignal{r.number("from"), r.number("to"), r.number("start"), r.number("duration")});
  if (r.type == "sine")
    return Signal(SineSignal{r.number("amplitude"), r.number("frequency"), r.number("phase"), r.number("offset"),
                             r.number("start")});
  if (r.type == "chirp")
    return Signal(ChirpSignal{r.number("amplitude"), r.number("f0"), r.number("f1"), r.number("duration", 1),
                              r.number("offset"), r.number("phase"), r.number("start")});
  if (r.type == "piecewise") {
    const Points* points = r.get<Points>("points");
    if (points == nullptr) return Signal();
    std::vector<double> times, values;
    for (const Numbers& point : *points) {
      times.push_back(point[0]);
      values.push_back(point[1]);
    }
    std::optional<double> period;
    if (r.has("period")) period = r.number("period");
    return Signal(TableSignal(std::move(times), std::move(values), Interpolation::linear, period));
  }
  if (r.type == "table") return make_table(r);
  if (r.type == "expression") {
    const std::string* formula = r.get<std::string>("formula");
    if (formula == nullptr) return Signal();
    const std::optional<Expression> expression =
        parse_expression(*formula, r.source_of("formula"), r.path + ".formula", ExpressionScope::signals);
    return expression ? Signal(*expression) : Signal();
  }
  if (r.type == "lag") {
    if (!r.has("of")) return Signal();
    LagSignal lag{r.text("of"), r.number("time_constant", 1), {}};
    if (r.has("initial")) lag.initial = r.number("initial");
    return lag;
  }
  if (r.type == "external") return Signal(CodeSignal{r.text("function")});
  if (r.type == "input") return InputSignal{r.number("value")};
  return Signal();
}

Signal SceneReader::make_table(const Record& r) {
  const FileIndex* file = r.get<FileIndex>("file");
  if (file == nullptr) return {};
  const std::string where = scene_.files[file->index].path;
  const auto report = [&](const std::vector<CsvError>& errors, const std::string& key) {
    for (const CsvError& error : errors) {
      const bool of_period = error.message.starts_with("period: ");
      if (error.line > 0)
        wrong({where, error.line, std::max(1, error.column), 1}, {}, error.message);
      else if (of_period)
        wrong(r.source_of("period"), r.path + ".period", error.message.substr(8));
      else
        wrong(r.source_of(key), r.path + "." + key, error.message);
    }
  };
  auto found = csv_.find(file->index);
  if (found == csv_.end()) {
    found = csv_.emplace(file->index, read_table_file(scene_.files[file->index])).first;
    report(found->second->errors, "file");
  }
  if (!found->second->ok()) return {};

  const auto column = [&](const std::string& key, int otherwise) {
    CsvColumn name = otherwise;
    if (const std::string* text = r.get<std::string>(key)) name = *text;
    if (const long* number = r.get<long>(key)) name = static_cast<int>(*number) - 1;
    const auto refuse = [&](std::string message, std::string near = {}) {
      const std::string place = r.has(key) ? key : "file";
      wrong(r.source_of(place), r.path + "." + place, std::move(message), std::move(near));
      return -1;
    };
    const int count = static_cast<int>(found->second->columns.size());
    const std::vector<std::string>& names = found->second->names;
    if (const int* index = std::get_if<int>(&name))  // scenes count from 1
      return *index < count ? *index
                            : refuse(fmt::format("there is no column {}; the file has {} column{}", *index + 1, count,
                                                 count == 1 ? "" : "s"));
    const std::string& text = std::get<std::string>(name);
    if (const int known = find_heading(*found->second, text); known >= 0) return known;
    if (names.empty())
      return refuse(
          fmt::format("there is no column named \"{}\": the file has no header; give the column's number, "
                      "counted from 1",
                      text));
    return refuse(fmt::format("there is no column named \"{}\"; the columns are {}", text, list_of(names, "and")),
                  nearest_name(text, names));
  };
  const int time = column("time", 0), value = column("value", 1);
  if (time < 0 || value < 0) return {};

  std::optional<Unit> to_si;
  if (const std::string* text = r.get<std::string>("unit")) {
    std::string unknown;
    const std::optional<Unit> unit = parse_unit(*text, &unknown);
    if (!unit) {
      wrong(r.source_of("unit"), r.path + ".unit", fmt::format("\"{}\" is not a unit", *text),
            unknown.empty() ? "" : nearest_unit(unknown));
      return {};
    }
    if (!fits(unit->dimension, any_unit_)) {
      wrong(r.source_of("unit"), r.path + ".unit",
            fmt::format("\"{}\" has the wrong dimension; expected [{}]", *text, any_unit_.empty() ? "1" : any_unit_));
      return {};
    }
    if (any_unit_ == "*") note_unit(r.path + ".unit", r.source_of("unit"), *text, unit->dimension);
    to_si = unit;
  }
  const auto heading = [&](int which, const std::string& expected) {
    const std::string text = heading_unit(*found->second, which);
    ColumnUnit unit = column_unit(text, expected);
    if (!unit.problem.empty()) {
      const CsvError at = at_heading(*found->second, scene_.files[file->index].text, which, unit.problem);
      const std::string& name = found->second->names[static_cast<size_t>(which)];
      wrong({where, at.line, at.column, std::max(1, static_cast<int>(name.size()))}, r.path, at.message, unit.nearest);
    }
    return unit;
  };
  const size_t before = problems.size();
  const ColumnUnit of_time = heading(time, "s");
  if (!to_si) {  // a factor has the unit of what it multiplies
    const bool is_factor = any_unit_.empty() || any_unit_ == "1";
    const ColumnUnit of_value = heading(value, is_factor ? "*" : any_unit_);
    if (of_value.is_stated) {
      to_si = of_value.unit;
      if (any_unit_ == "*")
        note_unit(r.path + ".file", r.source_of("file"), heading_unit(*found->second, value), to_si->dimension, true);
    }
  }
  if (problems.size() > before) return {};
  const std::string between = r.text("interpolation");
  const Interpolation interpolation = between == "hold"     ? Interpolation::hold
                                      : between == "cubic"  ? Interpolation::cubic
                                      : between == "spline" ? Interpolation::spline
                                                            : Interpolation::linear;
  std::optional<double> period;
  if (r.has("period")) period = r.number("period");
  const std::string key = fmt::format("{} {} {} {} {} {}", time, value, r.has("unit") ? r.text("unit") : "", between,
                                      period ? fmt::format("{}", *period) : "", where);
  if (request_.kept != nullptr) {
    const std::lock_guard lock(request_.kept->mutex);
    if (const auto kept = request_.kept->signals.find(key); kept != request_.kept->signals.end()) return *kept->second;
  }
  CsvTable csv = *found->second;
  if (of_time.is_stated) convert_column(csv, time, of_time.unit);
  if (to_si) convert_column(csv, value, *to_si);
  std::vector<CsvError> errors;
  std::optional<TableSignal> table = table_from_csv(csv, time, value, interpolation, period, errors);
  report(errors, "file");
  Signal signal = table ? Signal(std::move(*table)) : Signal();
  if (request_.kept != nullptr && table && errors.empty()) {
    const std::lock_guard lock(request_.kept->mutex);
    request_.kept->signals.emplace(key, std::make_shared<const Signal>(signal));
  }
  return signal;
}

std::shared_ptr<const CsvTable> SceneReader::read_table_file(const ExternalFile& file) const {
  if (request_.kept == nullptr) return std::make_shared<const CsvTable>(parse_csv(file.text));
  const std::lock_guard lock(request_.kept->mutex);
  std::shared_ptr<const CsvTable>& kept = request_.kept->tables[file.path];
  if (!kept) kept = std::make_shared<const CsvTable>(parse_csv(file.text));
  return kept;
}

void SceneReader::note_unit(const std::string& path, const Source& source, const std::string& text,
                            const Dimension& dimension, bool is_heading) {
  const std::string start = "signal.";
  if (!path.starts_with(start)) return;
  const std::string name = path.substr(start.size(), path.find('.', start.size()) - start.size());
  const auto [known, fresh] = signal_units_.emplace(name, WrittenUnit{path, text, dimension, is_heading});
  const Dimension& other = known->second.dimension;
  if (!fresh && !fits(dimension, other) && !fits(other, dimension))
    wrong(source, path,
          fmt::format("\"{}\" has another dimension than {}, \"{}\"", text, known->second.path, known->second.text));
}

/// A named signal has the unit of the keys that take it, and what a lag follows that of the lag.
void SceneReader::find_signal_units() {
  const auto give = [&](const std::string& name, const std::string& unit) {
    for (NamedSignal& signal : scene_.named_signals)
      if (signal.name == name && signal.unit.empty() && unit != "*") signal.unit = unit;
  };
  for (const SignalUse& use : signal_uses_) give(use.signal, use.unit);
  std::vector<const NamedSignal*> lags;
  for (const NamedSignal& signal : scene_.named_signals)
    if (std::holds_alternative<LagSignal>(signal.what)) lags.push_back(&signal);
  for (size_t pass = 0; pass < lags.size(); ++pass)  // lags of lags
    for (const NamedSignal* signal : lags) give(std::get<LagSignal>(signal->what).of, signal->unit);
}

/// A named signal may be used before it is described, so its unit is compared at the end.
void SceneReader::check_signal_units() {
  for (const SignalUse& use : signal_uses_) {
    const auto written = signal_units_.find(use.signal);
    if (use.unit == "*" || written == signal_units_.end()) continue;
    const bool none = use.unit.empty() || use.unit == "1";
    if (fits(written->second.dimension, use.unit) || (none && written->second.is_heading)) continue;
    wrong(use.source, use.path,
          fmt::format("{} is \"{}\": it has the wrong dimension here; expected {}", written->second.path,
                      written->second.text, none ? "a number without unit" : "[" + use.unit + "]"));
  }
}

void SceneReader::check_signal_bounds() {
  for (const BoundedSignal& use : bounded_signals_) {
    const auto* signal = std::get_if<Signal>(&scene_.named_signals[use.signal].what);
    if (signal == nullptr) continue;
    const std::string& unit = use.field->unit;
    for (const double x : stated_values(*signal)) {
      if (use.field->allows(x)) continue;
      wrong(use.source, use.path,
            fmt::format("{}{} is out of range; allowed: {}{}", signal->is_constant() ? "" : "the signal's value ", x,
                        bounds_text(*use.field), unit.empty() || unit == "1" ? "" : " [" + unit + "]"));
      break;
    }
  }
}

void SceneReader::finish_signals() {
  find_signal_units();
  check_signal_units();
  check_signal_bounds();
  auto set = std::make_shared<SignalSet>();
  for (const NamedSignal& signal : scene_.named_signals)
    std::visit([&](const auto& what) { set->add(signal.name, what); }, signal.what);
  for (SignalProblem& problem : set->finish()) {
    Source source;
    std::string path = problem.signal;
    if (problem.field == "expression") problem.field = "formula";
    if (problem.field == "tau") problem.field = "time_constant";
    const bool named = scene_.find("signal", problem.signal) != nullptr;
    if (!named && problem.field == "formula") problem.field.clear();  // written where it is used
    for (const NamedSignal& signal : scene_.named_signals)
      if (signal.name == problem.signal) source = signal.source;
    for (const Record& record : scene_.tables)
      if (record.kind == "signal" && record.name == problem.signal) {
        path = record.path;
        if (record.has(problem.field)) source = record.source_of(problem.field);
      }
    if (!problem.field.empty()) path += "." + problem.field;
    wrong(source, path, problem.message, problem.nearest);
  }
  scene_.signals = std::move(set);
}

}  // namespace flexura::detail
