#include "flexura/study/scene_change.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "flexura/observe/quantity.hpp"
#include "flexura/solve/dual_residual.hpp"
#include "flexura/study/scene_copy.hpp"

namespace flexura {
namespace {

constexpr double step_of_zero = 1e-4;  ///< [SI] where nothing says how large it may be

template <class V, class Number>
std::vector<std::span<Number>> spans_of(V& values) {
  std::vector<std::span<Number>> out;
  for (auto* x : {&values.reference, &values.q0, &values.v0, &values.weights, &values.bases, &values.directions})
    out.emplace_back(*x);
  for (auto* list : {&values.parameters, &values.mass_damping})
    for (auto& x : *list) out.emplace_back(x);
  for (auto& field : values.gravity) out.emplace_back(field.g);
  return out;
}

}  // namespace

std::span<const Stencil> stencils() {
  static const Stencil all[] = {{{-3, -2, -1, 1, 2, 3},
                                 {-1.0 / 60, 9.0 / 60, -0.75, 0.75, -9.0 / 60, 1.0 / 60},
                                 {0, 1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12, 0},
                                 {0, 0, -0.5, 0.5, 0, 0}},
                                {{0, 1, 2, 3, 4, 5, 6},
                                 {-147.0 / 60, 6, -7.5, 400.0 / 60, -3.75, 1.2, -1.0 / 6},
                                 {-137.0 / 60, 5, -5, 10.0 / 3, -1.25, 0.2, 0},
                                 {-25.0 / 12, 4, -3, 4.0 / 3, -0.25, 0, 0}},
                                {{0, -1, -2, -3, -4, -5, -6},
                                 {147.0 / 60, -6, 7.5, -400.0 / 60, 3.75, -1.2, 1.0 / 6},
                                 {137.0 / 60, -5, 5, -10.0 / 3, 1.25, -0.2, 0},
                                 {25.0 / 12, -4, 3, -4.0 / 3, 0.25, 0, 0}}};
  return all;
}

double step_of(const SceneNumber& number, double relative_step) {
  return number.value != 0  ? relative_step * std::fabs(number.value)
         : number.scale > 0 ? relative_step * number.scale
                            : step_of_zero;
}

std::vector<std::span<const double>> numbers_of(const Values& values) {
  return spans_of<const Values, const double>(values);
}
std::vector<std::span<double>> numbers_of(Values& values) { return spans_of<Values, double>(values); }

bool same_signals(const Topology& a, const Topology& b) {
  const bool same_set = a.signal_set == b.signal_set ||
                        (a.signal_set != nullptr && b.signal_set != nullptr && *a.signal_set == *b.signal_set);
  return same_set && a.signals == b.signals;
}

bool reads_same_slots(const SensorSpec& a, const SensorSpec& b) {
  const std::span<const Quantity> rows = detail::place_quantities();
  return a.quantity != nullptr &&
         std::ranges::any_of(rows, [&](const Quantity& row) { return row.name == a.quantity->name; }) &&
         a.place.terms == b.place.terms && a.along.terms == b.along.terms && a.across.terms == b.across.terms &&
         a.coordinate == b.coordinate;
}

void add_sensors_felt(const SceneModel& model, SceneChange::OfModel& change) {
  const Values& d = change.direction;
  const bool all = change.signals || any_change(d.reference) || any_change(d.weights) || any_change(d.bases) ||
                   any_change(d.directions);
  change.sensors.resize(model.sensors.size());
  if (all) std::ranges::fill(change.sensors, 1);
}

bool SceneChange::moves_start(const SceneModels& scene, int model, bool projected) const {
  const Topology& topology = *scene.models[model].model.topology;
  const OfModel& change = models[model];
  const Values& d = change.direction;
  if (change.signals || (topology.history > 0 && change.values)) return true;
  for (const auto* x : {&d.reference, &d.q0, &d.v0, &d.weights, &d.bases, &d.directions})
    if (any_change(*x)) return true;
  for (size_t b = 0; b < d.parameters.size(); ++b) {
    const TermInfo& info = topology.batches[b].type->info;
    const bool matters = info.role == Role::constraint || (info.has_mass && projected);
    if (matters && any_change(d.parameters[b])) return true;
  }
  return false;
}

namespace {

struct Copy {
  explicit Copy(SceneDocument of) : document(std::move(of)), scene(interpret_scene(document)) {}
  SceneDocument document;
  SceneModels scene;
};
using Copies = std::vector<std::unique_ptr<Copy>>;
using Code = std::uint32_t;  ///< scenes in which a number is moved

/// As many sets of equal size, of which none is in the union of others that it does not take part in.
std::vector<Code> codes(size_t count, int& length) {
  std::vector<Code> out;
  for (length = 1; out.size() < count; ++length) {
    out.clear();
    for (Code code = 1; code < (Code(1) << length) && out.size() < count; ++code)
      if (std::popcount(code) == (length + 1) / 2) out.push_back(code);
  }
  --length;
  return out;
}

class Together {
 public:
  Together(const SceneModels& scene, const ReadScene& read, std::span<const SceneNumber> numbers, double relative_step)
      : scene_(scene), read_(read), numbers_(numbers), relative_step_(relative_step), out_(numbers.size()) {}

  std::vector<std::optional<SceneChange>> result() {
    std::vector<size_t> group;
    for (size_t p = 0; p < numbers_.size(); ++p)
      if (!numbers_[p].path.starts_with("analysis.")) group.push_back(p);
    find(group, 0);
    return std::move(out_);
  }

 private:
  static constexpr int most_futile = 2;  ///< times that nothing could be told apart before each is looked at by itself

  Copies copies(const std::vector<size_t>& group, int count, auto&& offset) const {
    Copies out;
    for (int k = 0; k < count; ++k) {
      std::vector<SceneNumber> moved;
      std::vector<double> to;
      for (size_t i = 0; i < group.size(); ++i) {
        const double by = offset(k, i);
        if (by == 0) continue;
        moved.push_back(numbers_[group[i]]);
        to.push_back(moved.back().value + by * step_of(moved.back(), relative_step_));
      }
      out.push_back(std::make_unique<Copy>(read_(SceneNumber::settings(moved, to))));
      if (const std::string other = difference_in_kind(scene_, out.back()->scene); !other.empty())
        throw InputError({{{}, {}, other, {}}});
    }
    return out;
  }

  void find_halves(const std::vector<size_t>& group, int futile) {
    const auto middle = group.begin() + static_cast<std::ptrdiff_t>(group.size() / 2);
    find({group.begin(), middle}, futile);
    find({middle, group.end()}, futile);
  }

  void find(const std::vector<size_t>& group, int futile) {
    int length = 0;
    const std::vector<Code> code = codes(group.size(), length);
    const Stencil& stencil = stencils()[0];
    const int points = static_cast<int>(stencil.offsets.size());
    if (length + points >= points * static_cast<int>(group.size()) || futile > most_futile) return;
    Copies parts, all;
    try {
      // Other steps of each: what numbers have in common, as of a quotient, shows.
      parts = copies(group, length, [&](int k, size_t i) {
        const double share = 0.6180339887498949 * static_cast<double>(i);
        return (code[i] >> k & 1) != 0 ? 1 + share - std::floor(share) : 0;
      });
      all = copies(group, points, [&](int k, size_t) { return stencil.offsets[k]; });
    } catch (const InputError&) {  // by themselves they say what is wrong, or there is another stencil
      return find_halves(group, futile);
    }
    const std::vector<size_t> mixed = take_apart(group, code, parts, all);
    if (!mixed.empty()) find_halves(mixed, 2 * mixed.size() > group.size() ? futile + 1 : futile);
  }

  /// Numbers that have something of a model in common, which is left.
  std::vector<size_t> take_apart(const std::vector<size_t>& group, const std::vector<Code>& code, const Copies& parts,
                                 const Copies& all) {
    const Stencil& stencil = stencils()[0];
    std::unordered_map<Code, size_t> place;
    for (size_t i = 0; i < group.size(); ++i) place[code[i]] = i;
    std::vector<char> mixed(group.size(), 0);
    std::vector<SceneChange> changes(group.size());
    for (size_t m = 0; m < scene_.models.size(); ++m) {
      const SceneModel& here = scene_.models[m];
      const auto seen = [&](auto&& differs) {
        Code out = 0;
        for (size_t k = 0; k < parts.size(); ++k)
          if (differs(parts[k]->scene.models[m])) out |= Code(1) << k;
        return out;
      };
      const Code signals =
          seen([&](const SceneModel& other) { return !same_signals(*here.model.topology, *other.model.topology); });
      std::vector<Code> sensors;
      for (size_t s = 0; s < here.sensors.size(); ++s)
        sensors.push_back(
            seen([&](const SceneModel& other) { return !reads_same_slots(here.sensors[s], other.sensors[s]); }));
      for (size_t i = 0; i < group.size(); ++i) {
        SceneChange::OfModel& change = changes[i].models.emplace_back();
        change.direction = no_direction(here.model.values);
        change.signals = (code[i] & ~signals) == 0;
        for (const Code of_sensor : sensors) change.sensors.push_back((code[i] & ~of_sensor) == 0);
      }
      const std::vector<std::span<const double>> base = numbers_of(here.model.values);
      std::vector<std::vector<std::span<const double>>> part, point;
      for (const auto& copy : parts) part.push_back(numbers_of(std::as_const(copy->scene.models[m].model.values)));
      for (const auto& copy : all) point.push_back(numbers_of(std::as_const(copy->scene.models[m].model.values)));
      std::vector<std::vector<std::span<double>>> to;
      for (SceneChange& change : changes) to.push_back(numbers_of(change.models[m].direction));
      for (size_t a = 0; a < base.size(); ++a)
        for (size_t i = 0; i < base[a].size(); ++i) {
          Code pattern = 0;
          for (size_t k = 0; k < part.size(); ++k)
            if (part[k][a][i] != base[a][i]) pattern |= Code(1) << k;
          const double first = point[0][a][i];  // what all have leaves no rounding
          double sum = 0;
          bool moves = pattern != 0;
          for (size_t k = 0; k < point.size(); ++k) {
            sum += stencil.weights[k] * (point[k][a][i] - first);
            moves = moves || point[k][a][i] != first;
          }
          if (!moves) continue;
          if (const auto found = place.find(pattern); found != place.end()) {
            const size_t p = found->second;
            to[p][a][i] = sum / step_of(numbers_[group[p]], relative_step_);
            changes[p].models[m].values = true;
            continue;
          }
          bool told = false;
          for (size_t p = 0; p < group.size(); ++p)
            if ((code[p] & ~pattern) == 0) mixed[p] = 1, told = true;
          if (!told) std::ranges::fill(mixed, 1);
        }
      for (SceneChange& change : changes) add_sensors_felt(here, change.models[m]);
    }
    std::vector<size_t> left;
    for (size_t i = 0; i < group.size(); ++i)
      if (mixed[i] != 0)
        left.push_back(group[i]);
      else
        out_[group[i]] = std::move(changes[i]);
    return left;
  }

  const SceneModels& scene_;
  const ReadScene& read_;
  std::span<const SceneNumber> numbers_;
  double relative_step_;
  std::vector<std::optional<SceneChange>> out_;
};

}  // namespace

std::vector<std::optional<SceneChange>> changes_together(const SceneModels& scene, const ReadScene& read,
                                                         std::span<const SceneNumber> numbers, double relative_step) {
  return Together(scene, read, numbers, relative_step).result();
}

}  // namespace flexura
