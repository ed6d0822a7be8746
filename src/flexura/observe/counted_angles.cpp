#include "flexura/observe/counted_angles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "flexura/load/winding.hpp"
#include "flexura/math/whole_turns.hpp"
#include "flexura/observe/body_motion.hpp"
#include "flexura/part/specs.hpp"

namespace flexura {
namespace {

/// A step that turns by more or less than expected by this is none that the expectation resolves [rad].
constexpr double doubtful_turn = std::numbers::pi / 2;

/// A frame of the fixed axes, of a body, or of nothing that is counted.
constexpr int ground = -1, unknown = -2;

class Directions {
 public:
  explicit Directions(const Machine& machine) : machine_(machine), topology_(*machine.model.topology) {}

  std::vector<CountedDirection> all = {};

  /// Planar bodies, and between which of them joints say by how much they are turned.
  std::vector<int> add_bodies() {
    for (const BodyPart& body : machine_.bodies) {
      bodies_.push_back(topology_.dim == 2 && body.axes > 0 ? static_cast<int>(all.size()) : -1);
      if (bodies_.back() < 0) continue;
      CountedDirection& d = all.emplace_back();
      d.name = fmt::format("body '{}'", body.name);
      for (size_t a = 0; a < body.slots.size(); ++a)
        d.terms.emplace_back(topology_.slots[body.slots[a]].offset, body.weights[body.slots.size() + a]);
      d.reference = stated(angle_of(d), body.spec ? body.spec->angle : std::nullopt);
      d.start = body.spec && body.spec->initial_angle ? *body.spec->initial_angle : d.reference;
    }
    join_bodies();
    return bodies_;
  }

  int add_sensor(const SensorSpec& sensor) {
    if (sensor.quantity->shape == Shape::frame) return sensor.body >= 0 ? bodies_[sensor.body] : -1;
    if (sensor.quantity->name != "angle" || sensor.coordinate >= 0 || sensor.along.empty()) return -1;
    CountedDirection d;
    d.name = fmt::format("sensor '{}'", sensor.name);
    for (const auto& [slot, weight] : sensor.along.terms) d.terms.emplace_back(topology_.slots[slot].offset, weight);
    d.reference = d.start = angle_of(d);
    if (const int body = sensor.body >= 0 ? bodies_[sensor.body] : -1; body >= 0) {
      const double of_body = all[body].reference;
      d.reference = d.start = d.reference + whole_turns(of_body - std::remainder(of_body, 2 * std::numbers::pi));
      d.base = body;
      d.ahead = d.reference - of_body;
    } else if (sensor.cable >= 0) {
      d.carrier = carrier_of(sensor.cable);
    }
    all.push_back(std::move(d));
    return static_cast<int>(all.size()) - 1;
  }

 private:
  double angle_of(const CountedDirection& d) const {
    const std::vector<double>& X = machine_.model.values.reference;
    double x = 0, y = 0;
    for (const auto& [at, weight] : d.terms) x += weight * X[at], y += weight * X[at + 1];
    return std::atan2(y, x);
  }
  static double stated(double angle, const std::optional<double>& as) { return as ? nearest_turn(angle, *as) : angle; }

  int frame_of(const MaterialPlace& place) const {
    if (place.on == MaterialPlace::On::ground) return ground;
    if (place.on != MaterialPlace::On::body || bodies_[place.part] < 0) return unknown;
    return bodies_[place.part];
  }
  static bool keeps_angle(const JointPart& joint) {
    return joint.spec && (joint.spec->type == JointType::weld || joint.spec->type == JointType::prismatic);
  }

  /// From the ground on, each body from the first that it is joined to.
  void join_bodies() {
    if (all.empty()) return;
    std::vector<char> reached(all.size(), 0);
    const auto join = [&](int base, int k, const JointPart& joint, double sign) {
      CountedDirection& d = all[k];
      d.base = base == ground ? CountedDirection::fixed_axes : base;
      d.sign = sign;
      if (joint.angle >= 0) d.coordinate = topology_.slots[joint.angle].offset;
      d.ahead = d.reference - (base == ground ? 0.0 : all[base].reference);
      reached[k] = 1;
    };
    const auto spread = [&] {
      for (bool again = true; again;) {
        again = false;
        for (const JointPart& joint : machine_.joints) {
          if (joint.angle < 0 && !keeps_angle(joint)) continue;
          const int a = frame_of(joint.places[0]), b = frame_of(joint.places[1]);
          if (a == unknown || b == unknown) continue;
          const bool from_a = a == ground || reached[a], from_b = b == ground || reached[b];
          if (from_a == from_b) continue;
          from_a ? join(a, b, joint, 1) : join(b, a, joint, -1);
          again = true;
        }
      }
    };
    spread();
    for (size_t k = 0; k < all.size(); ++k) {
      if (reached[k]) continue;
      reached[k] = 1;
      spread();
    }
  }

  /// The body that a cable is clamped to.
  int carrier_of(int cable) const {
    for (const JointPart& joint : machine_.joints)
      for (int side = 0; side < 2; ++side) {
        const MaterialPlace &own = joint.places[side], &other = joint.places[1 - side];
        if (own.on != MaterialPlace::On::cable || own.part != cable || !joint.spec) continue;
        const JointType type = joint.spec->type;
        if (type != JointType::weld && type != JointType::clamp_direction) continue;
        if (const int body = frame_of(other); body >= 0) return body;
      }
    return -1;
  }

  const Machine& machine_;
  const Topology& topology_;
  std::vector<int> bodies_;
};

}  // namespace

CountedAngles::CountedAngles(const Machine& machine, std::span<const SensorSpec> sensors) {
  Directions directions(machine);
  bodies_ = directions.add_bodies();
  for (const SensorSpec& sensor : sensors) sensors_.push_back(directions.add_sensor(sensor));
  counts_ = AngleCounts(std::move(directions.all));
}

int CountedAngles::place(const SensorSpec& sensor) { return sensor.quantity->shape == Shape::frame ? 2 : 0; }

void CountedAngles::begin(State<double>& state, const CountedAngles* before,
                          const std::vector<double>& angles_before) const {
  std::vector<char> known;
  state.angles.assign(1 + static_cast<size_t>(counts_.size()) * AngleCounts::numbers, 0.0);
  if (before != nullptr && before->counts_.fit(angles_before)) {
    std::unordered_map<std::string, int> named;
    for (int k = 0; k < before->counts_.size(); ++k) named.emplace(before->counts_[k].name, k);
    known.assign(static_cast<size_t>(counts_.size()), 0);
    for (int k = 0; k < counts_.size(); ++k) {
      const auto found = named.find(counts_[k].name);
      if (found == named.end()) continue;
      known[k] = 1;
      std::copy_n(&angles_before[1 + found->second * AngleCounts::numbers], AngleCounts::numbers,
                  &state.angles[1 + k * AngleCounts::numbers]);
    }
  }
  counts_.begin(state.t, state.q, state.v, state.angles, known);
}

void CountedAngles::wind_springs(const Machine& machine, State<double>& state, std::span<const char> fresh) const {
  const Topology& topology = *machine.model.topology;
  // How far a frame has turned since the reference; NaN: nothing knows.
  const auto turned = [&](const MaterialPlace& place) {
    if (place.on == MaterialPlace::On::ground) return 0.0;
    if (place.on != MaterialPlace::On::body || bodies_[place.part] < 0) return std::nan("");
    const int k = bodies_[place.part];
    return AngleCounts::angle(state.angles, k) - counts_[k].reference;
  };
  for (const TermPart& part : machine.terms) {
    const ItemRef item = machine.item(part.spec->origin.path);
    if (!item.exists() || part.places.empty() || part.places.front().size() != 2) continue;
    const ItemBatch& batch = topology.batches[item.batch];
    if (!counts_turns_only(batch.type->info.name)) continue;
    const size_t at = static_cast<size_t>(batch.first_history) + static_cast<size_t>(item.index) * batch.history;
    if (!fresh.empty() && !fresh[at]) continue;
    const double expected = turned(part.places.front()[1]) - turned(part.places.front()[0]) - part.spec->number("turn");
    if (std::isfinite(expected)) state.history[at] = nearest_turn(state.history[at], expected);
  }
}

std::vector<int> CountedAngles::doubtful(const State<double>& state) const {
  std::vector<int> out;
  for (int k = 0; k < counts_.size() && counts_.fit(state.angles); ++k)
    if (AngleCounts::off(state.angles, k) > doubtful_turn) out.push_back(k);
  return out;
}

}  // namespace flexura
