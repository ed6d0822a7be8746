#include "flexura/scene/used_scene.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace flexura::detail {
namespace {

class Enclosure {
 public:
  Enclosure(const Enclosing& how, std::vector<Problem>& problems) : how_(how), problems_(problems) {}

  void take(Record& record, bool is_nested) {
    if (!is_nested && !record.name.empty()) record.name = how_.prefix + record.name;
    record.path = prefixed_path(record.path, how_.prefix);
    for (auto& [key, value] : record.values)
      if (const FieldSpec* field = record.spec->find_field(key, record.variant)) take(record, *field, value);
    if (!is_nested) place_by_default(record);
  }

 private:
  void take(const Record& record, const FieldSpec& field, Value& value) {
    if (auto* table = std::get_if<std::shared_ptr<const Record>>(&value.data)) {
      auto copy = std::make_shared<Record>(**table);
      take(*copy, true);
      *table = std::move(copy);
    } else if (auto* place = std::get_if<Place>(&value.data)) {
      take(*place);
    } else if (auto* places = std::get_if<std::vector<Place>>(&value.data)) {
      for (Place& one : *places) take(one);
    } else if (auto* signal = std::get_if<SignalIndex>(&value.data)) {
      signal->index += how_.first_signal;
      if (field.turns == Turns::component && how_.placement.is_turned())
        wrong(record, field.name, value.source,
              "follows an axis of space, and the scene is used turned; use it unturned or leave this to the scene "
              "that uses it");
    } else if (auto* file = std::get_if<FileIndex>(&value.data)) {
      file->index = how_.files[file->index];
      if (field.turns == Turns::position) file->placement = how_.placement * file->placement;
    } else if (auto* time = std::get_if<TimePoint>(&value.data)) {
      if (!time->analysis.empty() &&
          std::find(how_.analyses.begin(), how_.analyses.end(), time->analysis) == how_.analyses.end())
        wrong(record, field.name, value.source,
              fmt::format("\"{}\" is an analysis of this scene alone; where it is used in another, that one needs an "
                          "analysis of this name, or this a time",
                          time->analysis));
    } else if (auto* names = std::get_if<std::vector<NamePattern>>(&value.data)) {
      for (NamePattern& name : *names) take(field, name.text);
    } else if (auto* text = std::get_if<std::string>(&value.data)) {
      if (field.kind == FieldKind::reference) *text = how_.prefix + *text;
    } else if (!is_along_part(record, field)) {
      turn(field, value);
    }
  }

  /// Forces of a load that follows its part are along and across it, not in space; what has no unit is a direction of space.
  static bool is_along_part(const Record& record, const FieldSpec& field) {
    if (record.variant == nullptr || record.variant->term == nullptr || field.unit == "1") return false;
    const std::vector<Option>& options = record.variant->term->options;
    return field.kind == FieldKind::vector && std::any_of(options.begin(), options.end(), [&](const Option& option) {
             return record.text(option.name) == "follower";
           });
  }

  /// "NAME" or "KIND.NAME".
  void take(const FieldSpec& field, std::string& name) const {
    const size_t dot = name.find('.');
    const bool has_kind = dot != std::string::npos && std::find(field.refers.begin(), field.refers.end(),
                                                                name.substr(0, dot)) != field.refers.end();
    name.insert(has_kind ? dot + 1 : 0, how_.prefix);
  }

  void take(Place& place) const {
    if (place.is_ground()) {
      if (!place.coordinates.empty()) how_.placement.place(place.coordinates);
      return;
    }
    place.part = how_.prefix + place.part;
    place.text = how_.prefix + place.text.substr(std::min(place.text.find_first_not_of(' '), place.text.size()));
  }

  void turn(const FieldSpec& field, Value& value) const {
    const auto turn_one = [&](Numbers& x) {
      field.turns == Turns::position ? how_.placement.place(x) : how_.placement.turn(x);
    };
    if (field.turns != Turns::position && field.turns != Turns::direction && field.turns != Turns::orientation) return;
    if (auto* x = std::get_if<double>(&value.data)) {
      if (field.turns == Turns::orientation) *x += how_.placement.angle();
    } else if (auto* numbers = std::get_if<Numbers>(&value.data)) {
      field.turns == Turns::orientation ? turn_quaternion(*numbers) : turn_one(*numbers);
    } else if (auto* points = std::get_if<Points>(&value.data)) {
      for (Numbers& point : *points) turn_one(point);
    }
  }

  void turn_quaternion(Numbers& q) const {
    const Placement turned = how_.placement * Placement::turned_by(std::array{q[0], q[1], q[2], q[3]});
    const std::array<double, 4> product = turned.quat_xyzw();
    std::copy(product.begin(), product.end(), q.begin());
  }

  /// What is left out stands for the origin and the axes of space, which go along.
  void place_by_default(Record& record) const {
    const auto has_any = [&](Turns turns) {
      return std::any_of(record.values.begin(), record.values.end(), [&](const auto& entry) {
        const FieldSpec* field = record.spec->find_field(entry.first, record.variant);
        return field != nullptr && field->is_placement && field->turns == turns;
      });
    };
    const bool has_position = has_any(Turns::position), has_orientation = has_any(Turns::orientation);
    const auto add = [&](const FieldSpec& field, auto data) {
      Value value;
      value.source = record.source;
      value.data = std::move(data);
      record.values.emplace_back(field.name, std::move(value));
    };
    const auto& p = how_.placement.p;
    const auto complete = [&](const FieldSpec& field) {
      if (!field.is_placement) return;
      if (field.turns == Turns::position && !has_position) add(field, Numbers(p.begin(), p.begin() + how_.dim));
      if (field.turns != Turns::orientation || has_orientation || !how_.placement.is_turned()) return;
      if (field.kind == FieldKind::number) add(field, how_.placement.angle());
      const std::array<double, 4> q = how_.placement.quat_xyzw();
      if (field.kind == FieldKind::vector) add(field, Numbers(q.begin(), q.end()));
    };
    for (const FieldSpec& field : record.spec->fields) complete(field);
    if (record.variant != nullptr)
      for (const FieldSpec& field : record.variant->fields) complete(field);
  }

  void wrong(const Record& record, const std::string& key, const Source& source, std::string message) const {
    problems_.push_back({source, record.path + "." + key, std::move(message), {}});
  }

  const Enclosing& how_;
  std::vector<Problem>& problems_;
};

bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

}  // namespace

std::string prefixed_path(const std::string& path, const std::string& prefix) {
  const size_t dot = path.find('.');
  return dot == std::string::npos ? path : path.substr(0, dot + 1) + prefix + path.substr(dot + 1);
}

std::string prefixed_formula(const std::string& formula, const std::string& prefix) {
  const std::string word = "signal";
  std::string out;
  size_t at = 0;
  for (size_t found = formula.find(word); found != std::string::npos; found = formula.find(word, found + 1)) {
    size_t next = found + word.size();
    const bool is_word = found == 0 || !in_name(formula[found - 1]);
    next = std::min(formula.find_first_not_of(" \t", next), formula.size());
    if (!is_word || next == formula.size() || formula[next] != '(') continue;
    next = std::min(formula.find_first_not_of(" \t", next + 1), formula.size());
    if (next < formula.size() && (formula[next] == '\'' || formula[next] == '"')) ++next;
    out += formula.substr(at, next - at) + prefix;
    at = next;
  }
  return out + formula.substr(at);
}

void enclose(Record& record, const Enclosing& how, std::vector<Problem>& problems) {
  Enclosure(how, problems).take(record, false);
}

}  // namespace flexura::detail
