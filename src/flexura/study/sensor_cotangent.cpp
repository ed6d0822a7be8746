#include "flexura/study/sensor_cotangent.hpp"

#include <algorithm>
#include <cmath>

#include "flexura/solve/extent.hpp"

namespace flexura {
namespace {

constexpr double share = 1e-4;  ///< of the extent, of vectors and of what rates are at most

/// Of a state, of its changes, or of what is felt of it.
template <class X>
auto& part_of(X& x, int which) {
  return which == 0 ? x.q : which == 1 ? x.v : which == 2 ? x.a : x.history;
}

/// Numbers of it that are free: those of coordinates, of q multipliers too.
int count_of(const Topology& topology, int which) {
  return which == 0 ? topology.ny : which < 3 ? topology.ncoord : topology.history;
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::fabs(value));
  return most;
}

/// By how much a number is moved.
double step_of(const Topology& topology, const State<double>& state, int which, int index) {
  if (which == 0 && index >= topology.ncoord) return share * std::max(1.0, largest(state.q));
  if (which == 3) return share * std::max(1e-3, std::fabs(state.history[index]));
  if (which > 0) return share * std::max(1e-3, largest(which == 1 ? state.v : state.a));
  for (const Slot& slot : topology.slots)
    if (slot.offset <= index && index < slot.offset + slot.size)
      return slot.kind == SlotKind::point ? share * extent(topology, state.q) : share;
  return share;
}

}  // namespace

std::vector<double> SensorCotangent::slopes(SceneCopy& copy, State<double>& state, int which, int index) {
  const double step = step_of(copy.active().topology(), state, which, index);
  double& x = part_of(state, which)[index];
  const double here = x;
  std::vector<double> out = row_slope(columns_, step, [&](double offset, std::vector<double>& row) {
    x = here + offset;
    copy.set_state(state);
    row_.read(copy, row);
  });
  x = here;
  return out;
}

State<double> SensorCotangent::beside(const Topology& topology, const State<double>& state, int s) const {
  State<double> out = state;
  for (int which = 0; which < 4; ++which)
    for (int i = 0; i < count_of(topology, which); ++i)
      part_of(out, which)[i] += 30 * step_of(topology, state, which, i) * std::sin(1.7 * i + 0.4 + 2.1 * s + which);
  return out;
}

/// Sensors that need neither forces nor signals are functions of the state and of the model's numbers alone. Where these do not show at a
/// state that is zero nowhere by chance, a linear row has none of them.
bool SensorCotangent::is_plain(SceneCopy& copy, SceneVariation& number, const State<double>& state) {
  const SceneModel& model = copy.active().scene();
  // What is driven moves by a number of its signal, which shows at some times and not at others.
  if (std::ranges::any_of(model.model.topology->dependents, [](const Dependent& d) { return !d.drives.empty(); }))
    return false;
  for (const ReadSensor& s : row_.sensors)
    if (model.sensors[s.sensor].quantity == nullptr || model.sensors[s.sensor].quantity->needs != 0) return false;
  if (!known_ || model_ != copy.active().index()) {
    look_for_entries(copy, state);
    model_ = copy.active().index();
    copy.set_state(state);
  }
  if (!linear_) return false;
  std::vector<double> first(columns_), row(columns_);
  const State<double> there = beside(copy.active().topology(), state, 0);
  for (size_t k = 0; k < number.size(); ++k) {
    number.copy(k).set_state(there);
    row_.read(number.copy(k), k == 0 ? first : row);
    if (k > 0 && row != first) return false;
  }
  return true;
}

std::vector<double> SensorCotangent::along(const State<Tangent>& change) const {
  std::vector<double> out(columns_, 0.0);
  for (const Entry& entry : entries_) {
    const double moved = part_of(change, entry.which)[entry.index].d;
    for (size_t c = 0; c < columns_; ++c) out[c] += entry.slopes[c] * moved;
  }
  return out;
}

/// Which numbers are felt at all is seen at this state, and at one beside it where nothing is zero by chance, though perhaps slack: of many
/// that are moved at once, then of half of them. Whether that is all there is to know is seen at another.
void SensorCotangent::look_for_entries(SceneCopy& copy, const State<double>& state) {
  const Topology& topology = copy.active().topology();
  State<double> at[3] = {beside(topology, state, 0), beside(topology, state, 1), state};
  std::vector<double> here[3], there(columns_);
  for (const int k : {0, 2}) {
    here[k].resize(columns_);
    copy.set_state(at[k]);
    row_.read(copy, here[k]);
  }
  entries_.clear();
  linear_ = true;
  const auto add = [&](int which, int i) {
    std::vector<double> slope[3];
    double size = 0;
    for (int k = 0; k < 3; ++k) {
      slope[k] = slopes(copy, at[k], which, i);
      size = std::max(size, largest(slope[k]));
    }
    if (size == 0) return;
    for (const int k : {1, 2})
      for (size_t c = 0; c < columns_; ++c) linear_ = linear_ && std::fabs(slope[k][c] - slope[0][c]) <= 1e-9 * size;
    entries_.push_back({which, i, std::move(slope[0])});
  };
  const auto feels = [&](int k, int which, int first, int last) {
    State<double> moved = at[k];
    for (int i = first; i < last; ++i)
      part_of(moved, which)[i] += 10 * step_of(topology, state, which, i) * (1 + 0.5 * std::sin(1.0 + 1.3 * i));
    copy.set_state(moved);
    row_.read(copy, there);
    return there != here[k];
  };
  const auto look = [&](auto&& self, int which, int first, int last) -> void {
    if (last <= first || !(feels(0, which, first, last) || feels(2, which, first, last))) return;
    if (last - first == 1) return add(which, first);
    const int middle = first + (last - first) / 2;
    self(self, which, first, middle);
    self(self, which, middle, last);
  };
  for (int which = 0; which < 4; ++which) look(look, which, 0, count_of(topology, which));
  known_ = true;
}

void SensorCotangent::add(SceneCopy& copy, const State<double>& state, std::span<const double> weights, Cotangent& to) {
  if (std::ranges::all_of(weights, [](double w) { return w == 0; })) return;
  if (!known_ || model_ != copy.active().index()) {
    look_for_entries(copy, state);
    model_ = copy.active().index();
  }
  State<double> moved = state;
  for (const Entry& entry : entries_) {
    const std::vector<double> own = linear_ ? std::vector<double>() : slopes(copy, moved, entry.which, entry.index);
    const std::vector<double>& slope = linear_ ? entry.slopes : own;
    double sum = 0;
    for (size_t c = 0; c < columns_; ++c) sum += weights[c] * slope[c];
    part_of(to, entry.which)[entry.index] += sum;
  }
  copy.set_state(state);
}

void SensorCotangent::add_signals(SceneCopy& copy, const State<double>& state, std::span<const double> weights,
                                  SignalCotangent& to) {
  const std::vector<SignalValue> now(copy.signals().begin(), copy.signals().end());
  for (size_t i = 0; i < now.size(); ++i)
    for (int which = 0; which < 3; ++which) {
      const auto part = [which](SignalValue& x) -> double& { return which == 0 ? x.u : which == 1 ? x.du : x.ddu; };
      std::vector<SignalValue> moved = now;
      const double here = part(moved[i]), step = share * std::max(1.0, std::fabs(here));
      const std::vector<double> slope = row_slope(columns_, step, [&](double offset, std::vector<double>& row) {
        part(moved[i]) = here + offset;
        copy.set_state(state);
        copy.set_signals(moved);
        row_.read(copy, row);
      });
      double sum = 0;
      for (size_t c = 0; c < columns_; ++c) sum += weights[c] * slope[c];
      (which == 0 ? to.u : which == 1 ? to.du : to.ddu)[i] += sum;
    }
  copy.set_state(state);
  copy.set_signals(now);
}

}  // namespace flexura
