// Registered terms that a scene names directly: places and signals to slots, keys to parameters and options.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/model/relaxing_item.hpp"
#include "flexura/scene/interpreter.hpp"

namespace flexura::detail {

/// Index of the effective signal under the key; the constant 1 within the record's time where it is left out.
int Interpreter::effective(const Record& record, std::string_view key) {
  const Activation when = activation_of(record, timeline_);
  EffectiveSignal signal{-1, when.from, when.until};
  if (const SignalIndex* index = record.get<SignalIndex>(key)) signal.signal = index->index;
  return builder_.effective(signal);
}

std::vector<int> Interpreter::options_of(const Record& record) {
  std::vector<int> options;
  for (const Option& option : record.variant->term->options) {
    const std::string wanted = record.text(option.name);
    const auto found = std::find(option.choices.begin(), option.choices.end(), wanted);
    options.push_back(found == option.choices.end() ? 0 : static_cast<int>(found - option.choices.begin()));
  }
  return options;
}

std::vector<double> Interpreter::parameters_of(const Record& record, const std::vector<Location>& places,
                                               double element_length) {
  std::vector<double> parameters;
  for (const Field& field : record.variant->term->fields) {
    if (const Numbers* numbers = record.get<Numbers>(field.name)) {
      parameters.insert(parameters.end(), numbers->begin(), numbers->end());
      continue;
    }
    if (field.is_law) {
      const std::shared_ptr<const RegisteredLaw> law = scene_.law_of(record);
      parameters.push_back(law ? law->id() : 0);
      if (law) builder_.keep(law);
      continue;
    }
    double x = record.number(field.name, field.value);
    if (!record.has(field.name) && field.required()) {
      if (element_length > 0) {
        x = element_length;
      } else if (places.size() == 2) {
        x = 0;
        for (size_t i = 0; i < places[0].X.size(); ++i) x += std::pow(places[1].X[i] - places[0].X[i], 2);
        x = std::sqrt(x);
        if (!field.allows(x))
          problems.push_back(
              {record.source, record.path, fmt::format("the two places coincide: give \"{}\"", field.name), {}});
      }
    }
    parameters.insert(parameters.end(), field.size, x);
  }
  return parameters;
}

void Interpreter::add_along_cable(const Record& record, const std::string& name) {
  const auto cable = cable_index_.find(name);
  if (cable == cable_index_.end()) return;
  const TermInfo& term = *record.variant->term;
  const std::vector<int> options = options_of(record);
  for (const ElementRef& element : result_.cables[cable->second].elements) {
    std::vector<int> slots;
    for (size_t a = 0; a < term.slots.size(); ++a)
      slots.push_back(term.slots[a] == SlotKind::signal ? effective(record, term.scene.sources[a].key)
                                                        : element.slots[term.scene.sources[a].index]);
    builder_.item(std::string(term.name), slots, parameters_of(record, {}, element.length), options,
                  fmt::format("{}, {}", record.path, element.name), 0, record.source);
  }
}

void Interpreter::add_on_plate(const Record& record, const std::string& name) {
  const auto plate = plate_index_.find(name);
  if (plate == plate_index_.end()) return;
  const TermInfo& term = *record.variant->term;
  for (const PlateElement& element : result_.plates[plate->second].model.elements) {
    std::vector<int> slots(element.slots.begin(), element.slots.end());
    slots.push_back(effective(record, term.scene.sources.back().key));
    builder_.item(std::string(term.name), slots, std::array{element.parameters[0], element.parameters[1]},
                  options_of(record), fmt::format("{}, {}", record.path, element.name), 0, record.source);
  }
}

/// Side by side along a set of the mesh: corners k and k + 1 of an element, with the gradient that runs between them.
void Interpreter::add_on_edge(const Record& record, const Location& at) {
  const Place& place = *record.get<Place>("at");
  const MeshSet* set = at.plate < 0 ? nullptr : result_.plates[at.plate].mesh.find(place.point);
  if (set == nullptr || set->sides.empty())
    return wrong(record, "at", fmt::format("\"{}\" is not an edge of a plate", place.text));
  const TermInfo& term = *record.variant->term;
  const Numbers& force = *record.get<Numbers>("force");
  for (const ElementSide& side : set->sides) {
    const PlateElement& element = result_.plates[at.plate].model.elements[side.element];
    const bool along_u = side.side % 2 == 0;
    // Against the element's direction where the side runs back: from its end.
    const int first = side.side < 2 ? side.side : (side.side + 1) % 4,
              second = side.side < 2 ? side.side + 1 : side.side;
    const int gradient = along_u ? 1 : 2;
    const std::array slots{element.slots[3 * first], element.slots[3 * first + gradient], element.slots[3 * second],
                           element.slots[3 * second + gradient], effective(record, "signal")};
    builder_.item(std::string(term.name), slots,
                  std::array{force[0], force[1], force[2], element.parameters[along_u ? 0 : 1]}, {},
                  fmt::format("{}, {}", record.path, element.name), 0, record.source);
  }
}

/// A moment enters a set of nodes in equal shares.
void Interpreter::add_on_nodes(const Record& record, const Location& at) {
  if (at.on_plate.nodes.empty())
    return wrong(record, "at",
                 "a moment acts on nodes of a plate: an edge, a corner, or shares that are those of a node");
  const Numbers& moment = *record.get<Numbers>("moment");
  const double share = 1 / static_cast<double>(at.on_plate.nodes.size());
  for (const int node : at.on_plate.nodes) {
    const PlateNode& slots = result_.plates[at.plate].model.nodes[node];
    builder_.item("plate_moment", std::array{slots.g_u, slots.g_v, effective(record, "signal")},
                  std::array{share * moment[0], share * moment[1], share * moment[2]}, {},
                  fmt::format("{}, node {}", record.path, node), 0, record.source);
  }
}

/// A moment on the mean rotation of a ring: on the gradients h_1, h_2 of the affine map that carries its nodes best,
///
///     r_i ≈ c + a_i h_1 + b_i h_2,  (a, b) coordinates in the plane of the reference     h_k = Σ w_ki r_i
///
/// so that its forces on the nodes are linear in a and b, as the stresses of bending and twist are.
void Interpreter::add_on_ring(const Record& record, const Location& at) {
  if (at.plate < 0) return wrong(record, "at", "a ring moment acts on a ring of nodes of a plate, as \"trunk@0.75\"");
  const PlatePart& plate = result_.plates[at.plate];
  const std::vector<int>& nodes = at.on_plate.nodes;
  const auto size = static_cast<double>(nodes.size());
  Vec3 center = {0, 0, 0};
  for (const int node : nodes) center += 1 / size * plate.mesh.nodes[node].position;
  std::vector<Vec3> arm;
  Vec3 first = {0, 0, 0}, second = {0, 0, 0};  // axes: to the farthest node, and to the one farthest off that
  for (const int node : nodes) {
    arm.push_back(plate.mesh.nodes[node].position - center);
    if (dot(arm.back(), arm.back()) > dot(first, first)) first = arm.back();
  }
  const double extent = norm(first);
  if (extent > 0) first = 1 / extent * first;
  for (const Vec3& x : arm) {
    const Vec3 across = x - dot(x, first) * first;
    if (dot(across, across) > dot(second, second)) second = across;
  }
  if (nodes.size() < 3 || !(norm(second) > 1e-6 * extent))
    return wrong(record, "at", "a ring moment needs three nodes or more that are not on one line: a ring of a tube");
  second = 1 / norm(second) * second;
  double aa = 0, ab = 0, bb = 0;
  for (const Vec3& x : arm) {
    const double a = dot(x, first), b = dot(x, second);
    aa += a * a, ab += a * b, bb += b * b;
  }
  const double inverse = 1 / (aa * bb - ab * ab);
  LinearForm forms[2];
  for (size_t i = 0; i < nodes.size(); ++i) {
    const double a = dot(arm[i], first), b = dot(arm[i], second);
    const double weight[2] = {inverse * (bb * a - ab * b), inverse * (aa * b - ab * a)};
    for (int k = 0; k < 2; ++k) {
      forms[k].rows = 3;
      const double w = weight[k];
      forms[k].terms.push_back({plate.model.nodes[nodes[i]].r, {w, 0, 0, 0, w, 0, 0, 0, w}});
    }
  }
  int slots[3];
  for (int k = 0; k < 2; ++k)
    slots[k] =
        builder_.combination(fmt::format("{}.h_{}", record.path, k + 1), SlotKind::vector, forms[k], record.path);
  slots[2] = effective(record, "signal");
  builder_.item("plate_moment", slots, *record.get<Numbers>("moment"), {}, record.path, 0, record.source);
}

/// False after a problem.
bool Interpreter::check_places(const Record& record, const std::string& key, const std::vector<Location>& locations) {
  const size_t before = problems.size();
  const bool all_ground =
      std::all_of(locations.begin(), locations.end(), [](const Location& location) { return location.ground; });
  if (locations.size() == 1 && all_ground) wrong(record, key, "the ground does not move");
  if (locations.size() == 2 && all_ground) wrong(record, key, "both places are on the ground");
  if (locations.size() == 2 && are_same(locations[0], locations[1])) wrong(record, key, "both places are the same");
  return problems.size() == before;
}

/// Dynamics begins where the scene says; only a static analysis brings things together.
void Interpreter::check_rod(const Record& record, const std::vector<int>& ends, double length) {
  if (timeline_.analyses.empty() || timeline_.analyses.front().kind != AnalysisSpec::Kind::dynamics) return;
  if (record.has("from")) return;
  double sum = 0, size = length;
  for (int i = 0; i < scene_.dim; ++i) {
    double x[2];
    for (int end : {0, 1}) {
      const auto initial = initial_.find(ends[end]);
      x[end] = initial != initial_.end() ? initial->second[i] : builder_.reference(ends[end])[i];
      size = std::max(size, std::fabs(x[end]));
    }
    sum += (x[1] - x[0]) * (x[1] - x[0]);
  }
  if (std::fabs(std::sqrt(sum) - length) <= 1e-6 * size) return;
  wrong(record, record.has("length") ? "length" : "of",
        fmt::format("the places are {:.6g} m apart at the start, not {:.6g} m; a static analysis before would bring "
                    "them there",
                    std::sqrt(sum), length));
}

void Interpreter::add_term(const Record& record) {
  const TermInfo& term = *record.variant->term;
  if (const std::string* part = record.get<std::string>("on"))
    return scene_.dim == 2 ? add_along_cable(record, *part) : add_on_plate(record, *part);

  // Places in the order of their keys, each once.
  std::vector<std::pair<std::string, std::vector<Place>>> keys;
  for (const auto& [key, value] : record.values) {
    if (const Place* place = value.get<Place>()) keys.push_back({key, {*place}});
    if (const auto* places = value.get<std::vector<Place>>()) keys.push_back({key, *places});
  }
  std::vector<Place> places;
  std::vector<Location> locations;
  std::vector<std::pair<std::string, int>> first;  // key → index of its first place
  for (const auto& [key, list] : keys) {
    first.emplace_back(key, static_cast<int>(places.size()));
    for (size_t i = 0; i < list.size(); ++i) {
      const std::string path =
          list.size() == 1 ? record.path + "." + key : fmt::format("{}.{}[{}]", record.path, key, i);
      std::optional<Location> location = locate(list[i], path);
      if (!location) return;
      places.push_back(list[i]);
      locations.push_back(std::move(*location));
    }
  }
  if (!keys.empty() && !check_places(record, keys[0].first, locations)) return;
  if (record.type == "edge_force") return add_on_edge(record, locations[0]);
  if (record.kind == "load" && record.type == "moment" && locations[0].plate >= 0)
    return add_on_nodes(record, locations[0]);
  if (record.type == "ring_moment") return add_on_ring(record, locations[0]);

  if (term.has_mass && record.number("m", 1) > 0)
    for (const Location& location : locations) massive_.insert(location.part);
  std::vector<int> slots, ends;
  int multiplier = -1;
  for (size_t a = 0; a < term.slots.size(); ++a) {
    const SlotSource& source = term.scene.sources[a];
    if (term.slots[a] == SlotKind::signal) {
      slots.push_back(effective(record, source.key));
      continue;
    }
    if (term.slots[a] == SlotKind::scalar && !source.key.empty()) {
      const std::string* joint = record.get<std::string>(source.key);
      const int coordinate = joint == nullptr ? -1 : coordinate_of(record, *joint);
      if (coordinate < 0) return;
      slots.push_back(coordinate);
      continue;
    }
    if (term.slots[a] == SlotKind::scalar) {
      slots.push_back(multiplier = builder_.multiplier(record.path + ".lambda"));
      continue;
    }
    const auto key = std::find_if(first.begin(), first.end(), [&](const auto& f) { return f.first == source.key; });
    const int index = key->second + source.index;
    const bool is_point = term.slots[a] == SlotKind::point;
    const std::string path = locations.size() == 1 ? record.path + "." + key->first
                                                   : fmt::format("{}.{}[{}]", record.path, key->first, source.index);
    // Three vectors of one place are the axes of its body.
    const auto same_source = [&](size_t other) {
      return term.slots[other] == SlotKind::vector && term.scene.sources[other].key == source.key &&
             term.scene.sources[other].index == source.index;
    };
    int axis = 0, axes = 0;
    for (size_t other = 0; other < term.slots.size(); ++other) {
      axis += other < a && same_source(other);
      axes += same_source(other);
    }
    const Location& at = locations[index];
    const bool on_frame = at.cable >= 0 && at.node >= 0 && !result_.cables[at.cable].frames.empty();
    if (!is_point && axes == 3 && at.body < 0 && !on_frame)
      return wrong(record, key->first,
                   fmt::format("\"{}\" is neither on a body nor a node of a beam: it has no axes to act on",
                               places[index].text));
    const int slot = is_point ? point_slot(locations[index], places[index], path)
                     : axes == 3
                         ? (on_frame ? result_.cables[at.cable].frames[at.node][axis] : axis_slot(at.body, axis))
                         : vector_slot(locations[index], places[index], path);
    if (slot < 0) return;
    if (is_point) ends.push_back(slot);
    slots.push_back(slot);
  }
  if (locations.size() == 2 && term.role != Role::load) join(locations[0].part, locations[1].part);
  if (multiplier >= 0) {
    rods_[record.name] = {multiplier, ends};
    result_.constraints[record.path] = {{}, record.name};
    if (locations.size() == 2) note_joint(record, locations[0], locations[1], 0, multiplier);
  }
  for (Location& location : locations)
    if (location.ground && location.X.empty()) location.X.assign(scene_.dim, 0.0);
  const size_t before = problems.size();
  std::vector<double> parameters = parameters_of(record, locations, 0);
  if (problems.size() > before) return;
  if (multiplier >= 0 && ends.size() == 2 && parameters.size() == 1) check_rod(record, ends, parameters[0]);
  std::string name(term.name);
  std::vector<int> options = options_of(record);
  make_relaxing(relaxation_of(record), name, parameters, options);
  builder_.item(name, slots, parameters, options, record.path, term.has_mass ? scene_.head.number("mass_damping") : 0.0,
                record.source);
}

void Interpreter::add_gravity() {
  const Value* value = scene_.head.find("gravity");
  if (value == nullptr) return;
  if (const Numbers* g = value->get<Numbers>()) return builder_.gravity(*g, builder_.constant_signal());
  const auto* table = value->get<std::shared_ptr<const Record>>();
  const Numbers* g = (*table)->get<Numbers>("vector");
  if (g != nullptr) builder_.gravity(*g, effective(**table, "signal"));
}

}  // namespace flexura::detail
