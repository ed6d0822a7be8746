// Registered terms that a person names: springs, dampers, masses, forces, motors. Places, joints and signals to slots.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/load/coordinate_spring.hpp"
#include "flexura/load/external_law.hpp"
#include "flexura/load/frame_moment.hpp"
#include "flexura/load/plate_load.hpp"
#include "flexura/load/truss.hpp"
#include "flexura/model/relaxing_item.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

template <class T>
const T* find(const TermSpec::Named<T>& entries, std::string_view key) {
  for (const auto& [name, value] : entries)
    if (name == key) return &value;
  return nullptr;
}

/// Terms that become an item for each side or node of a plate, or one on the mean of a ring.
struct OnPlate {
  std::string_view term;
  bool elsewhere_too;  ///< off plates it is an item like any other
  void (*add)(MachineDraft&, const TermSpec&, const Location&);
};
constexpr OnPlate on_plates[] = {{EdgeForce3d::name, false, add_on_edge},
                                 {FrameMoment3d::name, true, add_on_nodes},
                                 {PlateMoment::name, false, add_on_ring}};

/// Numbers in the term's order. What is required and left out is the length of the element, or the distance of the places.
std::vector<double> parameters_of(MachineDraft& draft, const TermSpec& spec, const std::vector<Location>& places,
                                  double element_length) {
  std::vector<double> parameters;
  for (const Field& field : spec.term->fields) {
    if (field.is_law) {
      parameters.push_back(spec.law ? spec.law->id() : 0);
      if (spec.law) draft.builder.keep(spec.law);
      continue;
    }
    if (const std::vector<double>* numbers = spec.find_numbers(field.name)) {
      parameters.insert(parameters.end(), numbers->begin(), numbers->end());
      continue;
    }
    double x = field.value;
    if (field.required() && element_length > 0) {
      x = element_length;
    } else if (field.required() && places.size() == 2) {
      const Triple a = places[0].position(), b = places[1].position();
      x = 0;
      for (int i = 0; i < 3; ++i) x += std::pow(b[i] - a[i], 2);
      x = std::sqrt(x);
      if (!field.allows(x))
        draft.wrong(spec.origin, "", fmt::format("the two places coincide: give \"{}\"", field.name));
    }
    parameters.insert(parameters.end(), field.size, x);
  }
  return parameters;
}

/// Limits need a stop, and a stop needs limits: the defaults of either are those of none.
void check_stops(MachineDraft& draft, const TermSpec& spec) {
  const std::string_view term = spec.term->name;
  if (term != CoordinateSpring2d::name && term != CoordinateSpring3d::name) return;
  const auto first_given = [&](std::initializer_list<std::string_view> keys) {
    const auto given = std::ranges::find_if(keys, [&](auto key) { return spec.find_numbers(key) != nullptr; });
    return given == keys.end() ? std::string() : std::string(*given);
  };
  const std::string limit = first_given({"lower", "upper"}), stop = first_given({"stop_stiffness", "stop_damping"}),
                    any = first_given({"stop_stiffness", "stop_damping", "stop_width"});
  if (!limit.empty() && stop.empty())
    draft.wrong(spec.origin, limit,
                "is where a stop begins, and there is no \"stop_stiffness\" or \"stop_damping\": give them. "
                "J/h^2 and 2 J/h stop an inertia or mass J behind the joint without rebound, h the step; "
                "stop_stiffness = 0 is no stop");
  if (limit.empty() && !any.empty())
    draft.wrong(spec.origin, any, "is that of a stop, and there is no \"lower\" or \"upper\" where one begins");
  if (const double lower = spec.number("lower"), upper = spec.number("upper"); lower > upper)
    draft.wrong(spec.origin, "lower",
                fmt::format("is {:g}, beyond \"upper\" = {:g}: both stops would push at once", lower, upper));
}

/// One item per element of a cable.
void spread_along_cable(MachineDraft& draft, const TermSpec& spec) {
  const auto& cables = draft.machine.cables;
  const auto cable = std::find_if(cables.begin(), cables.end(), [&](const CablePart& c) { return c.name == spec.on; });
  if (cable == cables.end() || spread_along_line(draft, spec, *cable)) return;
  const TermInfo& term = *spec.term;
  for (const ElementRef& element : cable->elements) {
    std::vector<int> slots;
    for (size_t a = 0; a < term.slots.size(); ++a)
      slots.push_back(term.slots[a] == SlotKind::signal ? signal_of(draft, spec, term.scene.sources[a].key)
                                                        : element.slots[term.scene.sources[a].index]);
    draft.builder.item(std::string(term.name), slots, parameters_of(draft, spec, {}, element.length), spec.options,
                       fmt::format("{}, {}", spec.origin.path, element.name), 0, spec.origin.source);
  }
}

/// One item at places of parts, or on a joint's coordinate.
class TermItem {
 public:
  TermItem(MachineDraft& draft, const TermSpec& spec) : draft_(draft), spec_(spec), term_(*spec.term) {}

  void build() {
    if (!find_places() || !check_places()) return;
    check_stops(draft_, spec_);
    note_part();
    for (const OnPlate& row : on_plates)
      if (row.term == term_.name && (locations_[0].on_plate() || !row.elsewhere_too))
        return row.add(draft_, spec_, locations_[0]);
    if (locations_.size() == 1 && spread_on_solid(draft_, spec_, locations_[0])) return;
    if (line_load(draft_, spec_, locations_) == LineLoad::made) return;
    lend_mass();
    if (!find_slots()) return;
    if (locations_.size() == 2 && holds()) draft_.graph.join(locations_[0].part, locations_[1].part);
    if (multiplier_ >= 0) note_rod();
    const size_t before = draft_.problems.count();
    std::vector<double> parameters = parameters_of(draft_, spec_, locations_, 0);
    if (draft_.problems.count() > before) return;
    take_limits(parameters);
    if (multiplier_ >= 0 && ends_.size() == 2 && !is_driven()) {
      check_rod(parameters[0]);
      draft_.builder.rod(ends_[0], ends_[1], spec_.origin.path);
    }
    std::string term(term_.name);
    std::vector<int> options = spec_.options;
    if (std::string wrong = refusal_of(spec_.relaxation); !wrong.empty())
      return draft_.wrong(spec_.origin, "relaxation", std::move(wrong));
    make_relaxing(spec_.relaxation, term, parameters, options);
    draft_.builder.item(term, slots_, parameters, options, spec_.origin.path,
                        term_.has_mass ? draft_.options.mass_damping : 0.0, spec_.origin.source);
  }

 private:
  /// Index of a key's first place among all, in the order of the keys.
  int first_of(std::string_view key) const {
    int index = 0;
    for (const auto& [name, places] : spec_.places) {
      if (name == key) return index;
      index += static_cast<int>(places.size());
    }
    return -1;
  }

  // Each is false after a problem.

  bool find_places() {
    for (const auto& [key, places] : spec_.places)
      for (size_t i = 0; i < places.size(); ++i) {
        const std::string path =
            places.size() == 1 ? spec_.origin.path_of(key) : spec_.origin.path_of(key, static_cast<int>(i));
        std::optional<Location> location = locate(draft_, places[i], path);
        if (!location) return false;
        locations_.push_back(std::move(*location));
      }
    return true;
  }

  void note_part() {
    TermPart& part = draft_.machine.terms.emplace_back(TermPart{std::make_shared<const TermSpec>(spec_), {}});
    auto next = locations_.begin();
    for (const auto& [key, places] : spec_.places) {
      std::vector<MaterialPlace>& found = part.places.emplace_back();
      for (size_t k = 0; k < places.size(); ++k) found.push_back((next++)->at);
    }
  }

  bool check_places() {
    if (locations_.empty()) return true;
    const size_t before = draft_.problems.count();
    const std::string& key = spec_.places[0].first;
    const bool all_ground =
        std::all_of(locations_.begin(), locations_.end(), [](const Location& at) { return at.is_ground(); });
    if (locations_.size() == 1 && all_ground) draft_.wrong(spec_.origin, key, "the ground does not move");
    if (locations_.size() == 2 && all_ground) draft_.wrong(spec_.origin, key, "both places are on the ground");
    if (locations_.size() == 2 && are_same(locations_[0], locations_[1]))
      draft_.wrong(spec_.origin, key, "both places are the same");
    else if (term_.name == TrussBody2d::name && locations_[0].position() == locations_[1].position())
      draft_.wrong(spec_.origin, key, "the two places coincide: they carry a body where they are apart");
    return draft_.problems.count() == before;
  }

  bool find_slots() {
    for (size_t a = 0; a < term_.slots.size(); ++a) {
      const int slot = slot_of(a);
      if (slot < 0) return false;
      slots_.push_back(slot);
      if (term_.slots[a] == SlotKind::point) ends_.push_back(slot);
    }
    return true;
  }

  int slot_of(size_t a) {
    const SlotSource& source = term_.scene.sources[a];
    switch (term_.slots[a]) {
      case SlotKind::signal:
        return signal_of(draft_, spec_, source.key);
      case SlotKind::scalar:
        if (source.key.empty()) return multiplier_ = draft_.builder.multiplier(spec_.origin.path + ".lambda");
        if (const std::string* joint = find(spec_.joints, source.key))
          return coordinate_of(draft_, *joint, spec_.coordinate, spec_.origin, source.key);
        return -1;
      case SlotKind::point:
        return point_slot(draft_, locations_[first_of(source.key) + source.index]);
      default:
        return term_.name == TrussBody2d::name ? span_of(a) : vector_of(a);
    }
  }

  /// q − p of the two places, or that turned by a right angle.
  int span_of(size_t a) {
    const bool turned = a == 2;
    const int p = point_slot(draft_, locations_[0]), q = point_slot(draft_, locations_[1]);
    const std::vector<double> W = turned ? std::vector<double>{0, -1, 1, 0} : std::vector<double>{1, 0, 0, 1};
    std::vector<double> minus = W;
    for (double& w : minus) w = -w;
    return draft_.combine(spec_.origin.path + (turned ? ".across" : ".along"), SlotKind::vector,
                          {2, {{p, minus}, {q, W}}, {}, {}}, spec_.origin.path);
  }

  /// Three vectors of one place are the axes of its body.
  int vector_of(size_t a) {
    const SlotSource& source = term_.scene.sources[a];
    int axis = 0, axes = 0;
    for (size_t other = 0; other < term_.slots.size(); ++other) {
      const SlotSource& its = term_.scene.sources[other];
      const bool same = term_.slots[other] == SlotKind::vector && its.key == source.key && its.index == source.index;
      axis += same && other < a;
      axes += same;
    }
    Location& at = locations_[first_of(source.key) + source.index];
    if (axes != 3) return vector_slot(draft_, at);
    if (is_on_frame(draft_, at)) return draft_.machine.cables[at.cable()].frames[at.at.node][axis];
    if (at.body() >= 0) return axis_slot(draft_, at.body(), axis);
    if (is_on_fibres(draft_, at)) {
      draft_.wrong(spec_.origin, source.key,
                   fmt::format("\"{}\" is on a beam of full elements, whose section deforms and has no axes to act on; "
                               "weld a [body.NAME] there",
                               at.place.text));
      return -1;
    }
    draft_.wrong(
        spec_.origin, source.key,
        fmt::format("\"{}\" is neither on a body nor a node of a beam: it has no axes to act on", at.place.text));
    return -1;
  }

  void lend_mass() {
    if (!term_.has_mass) return;
    const std::vector<double>* m = spec_.find_numbers("m");
    if (m != nullptr && !((*m)[0] > 0)) return;
    for (const Location& location : locations_) draft_.graph.give_mass(location.part);
  }

  /// Limits that a motor does not state are those of its joint.
  void take_limits(std::vector<double>& parameters) const {
    for (const auto& [key, name] : spec_.joints)
      for (const JointSpec& joint : draft_.joints)
        for (size_t k = 0; joint.name == name && k < term_.fields.size(); ++k) {
          const std::string_view field = term_.fields[k].name;
          if (spec_.find_numbers(field) != nullptr) continue;
          if (field == "limit" && joint.max_effort) parameters[k] = *joint.max_effort;
          if (field == "max_rate" && joint.max_rate) parameters[k] = *joint.max_rate;
        }
  }

  /// What a force of its own alone acts on is held by nothing; a drive stands on what it pushes off from.
  bool holds() const { return term_.role != Role::load || term_.has_history; }

  bool is_driven() const {
    return std::find(term_.slots.begin(), term_.slots.end(), SlotKind::signal) != term_.slots.end();
  }

  /// A constraint between two points is a joint too.
  void note_rod() {
    draft_.machine.constraints[spec_.origin.path] = {{}, spec_.name};
    if (locations_.size() != 2) return;
    JointPart& part = draft_.machine.joints.emplace_back();
    part.name = term_.scene.table == "joint" ? spec_.name : spec_.origin.path;
    part.type = term_.scene.type;
    for (const int end : {0, 1}) part.parts[end] = locations_[end].part;
    part.multipliers.push_back(multiplier_);
    part.items.push_back(spec_.origin.path);
    part.reaction.tension = multiplier_;
    std::copy_n(ends_.begin(), std::min<size_t>(2, ends_.size()), part.reaction.ends);
  }

  /// Dynamics begins where the parts are; only a static analysis brings things together.
  void check_rod(double length) {
    if (!draft_.options.starts_moving || spec_.begins_later) return;
    double sum = 0, size = length;
    for (int i = 0; i < draft_.dim(); ++i) {
      double x[2];
      for (const int end : {0, 1}) {
        const auto initial = draft_.initial.find(ends_[end]);
        x[end] = initial != draft_.initial.end() ? initial->second[i] : draft_.builder.reference(ends_[end])[i];
        size = std::max(size, std::fabs(x[end]));
      }
      sum += (x[1] - x[0]) * (x[1] - x[0]);
    }
    if (std::fabs(std::sqrt(sum) - length) <= 1e-6 * size) return;
    draft_.wrong(spec_.origin,
                 spec_.find_numbers("length") != nullptr ? "length" : std::string(term_.scene.sources[0].key),
                 fmt::format("the places are {:.6g} m apart at the start, not {:.6g} m; a static analysis before would "
                             "bring them there",
                             std::sqrt(sum), length));
  }

  MachineDraft& draft_;
  const TermSpec& spec_;
  const TermInfo& term_;
  std::vector<Location> locations_;
  std::vector<int> slots_, ends_;
  int multiplier_ = -1;
};

}  // namespace

int signal_of(MachineDraft& draft, const TermSpec& spec, std::string_view key) {
  const EffectiveSignal* signal = find(spec.signals, key);
  return draft.builder.effective(signal != nullptr ? *signal : spec.acts);
}

void build(MachineDraft& draft, const TermSpec& spec) {
  if (spec.on.empty()) return TermItem(draft, spec).build();
  draft.machine.terms.push_back({std::make_shared<const TermSpec>(spec), {}});
  for (const PlatePart& plate : draft.machine.plates)
    if (plate.name == spec.on) return spread_on_plate(draft, spec, plate);
  spec.term->name == PlatePressure::name ? press_on_solid(draft, spec) : spread_along_cable(draft, spec);
}

}  // namespace flexura::detail
