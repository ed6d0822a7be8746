#include "flexura/study/sensor_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/base/nearest_name.hpp"
#include "flexura/solve/extent.hpp"

namespace flexura {

SensorRow SensorRow::find(const SceneModel& scene, const std::string& file, std::vector<std::string> wanted,
                          std::vector<Problem>& problems) {
  SensorRow row;
  const int dim = scene.model.topology->dim;
  std::vector<std::string> all;
  if (wanted.empty())
    for (const SensorSpec& sensor : scene.sensors) wanted.push_back(sensor.name);
  if (wanted.empty()) problems.push_back({{file, 0, 0, 1}, "sensor", "the scene has no sensor to differentiate", {}});
  const auto add = [&](int sensor, int place, int component, const std::string& name, const std::string& unit) {
    auto at =
        std::find_if(row.sensors.begin(), row.sensors.end(), [&](const ReadSensor& s) { return s.sensor == sensor; });
    if (at == row.sensors.end()) {
      const int size = number_count(scene.sensors[sensor], dim);
      at = row.sensors.insert(row.sensors.end(), {sensor, size, place, {}, {}, std::vector<double>(size, 0.0)});
    }
    at->components.push_back(component);
    at->columns.push_back(static_cast<int>(row.columns.size()));
    row.columns.push_back(name);
    row.units.push_back(unit);
    row.names.push_back(scene.sensors[sensor].name);
  };
  for (const std::string& name : wanted) {
    const size_t before = row.columns.size();
    int place = 0;
    for (size_t s = 0; s < scene.sensors.size(); place += number_count(scene.sensors[s++], dim)) {
      const SensorSpec& sensor = scene.sensors[s];
      int component = 0;
      all.push_back(sensor.name);
      for (const ChannelColumn& column : columns_of(sensor, dim))
        for (std::uint64_t i = 0; i < column.size(); ++i, ++component) {
          std::string full = sensor.name;
          if (number_count(sensor, dim) > 1)
            full += "." + (i < column.components.size() ? column.components[i] : std::to_string(component));
          all.push_back(full);
          if (name == sensor.name || name == full) add(static_cast<int>(s), place, component, full, column.unit);
        }
    }
    if (row.columns.size() == before)
      problems.push_back({{file, 0, 0, 1}, name, "the scene has no sensor of this name", nearest_name(name, all)});
  }
  return row;
}

void SensorRow::read(SceneCopy& copy, std::span<double> row) const {
  std::vector<double> reading;
  for (const ReadSensor& s : sensors) {
    reading.resize(s.size);
    copy.read(s.sensor, reading, s.last);
    for (size_t k = 0; k < s.columns.size(); ++k) row[s.columns[k]] = reading[s.components[k]];
  }
}

void SensorRow::remember(SceneCopy& copy) {
  std::vector<double> reading;
  for (ReadSensor& s : sensors) {
    reading.resize(s.last.size());
    copy.read(s.sensor, reading, s.last);
    s.last = reading;
  }
}

void SensorRow::go_on_from(std::span<const double> readings) {
  for (ReadSensor& s : sensors) {
    const std::span<const double> own = readings.subspan(static_cast<size_t>(s.first), static_cast<size_t>(s.size));
    s.last.assign(own.begin(), own.end());
  }
}

std::vector<double> SensorRow::along(SceneCopy& copy, const State<double>& at, const State<Tangent>& change) const {
  constexpr double share = 1e-4;
  const size_t ncoord = copy.active().topology().ncoord, ny = copy.active().topology().ny;
  std::vector<double> out(columns.size(), 0.0);
  const auto add = [&](const std::vector<Tangent>& from, std::vector<double> State<double>::* part, size_t first,
                       size_t last, double scale) {
    double fastest = 0;
    for (size_t i = first; i < last; ++i) fastest = std::max(fastest, std::fabs(from[i].d));
    if (fastest == 0) return;
    for (size_t i = first; i < last && part != &State<double>::q; ++i) scale = std::max(scale, std::fabs(from[i].v));
    const std::vector<double> felt =
        row_slope(out.size(), share * scale / fastest, [&](double offset, std::vector<double>& row) {
          State<double> moved = at;
          for (size_t i = first; i < last; ++i) (moved.*part)[i] += offset * from[i].d;
          copy.set_state(moved);
          read(copy, row);
        });
    for (size_t c = 0; c < out.size(); ++c) out[c] += felt[c];
  };
  add(change.q, &State<double>::q, 0, ncoord, std::min(1.0, extent(copy.active().topology(), at.q)));
  add(change.q, &State<double>::q, ncoord, ny, 1);
  add(change.v, &State<double>::v, 0, ncoord, 1e-3);
  add(change.a, &State<double>::a, 0, ncoord, 1e-3);
  add(change.history, &State<double>::history, 0, change.history.size(), 1e-3);
  copy.set_state(at);
  return out;
}

namespace {

/// Finds the coordinates that a row feels: all of a range at once, then half of it.
class FeltCoordinates {
 public:
  FeltCoordinates(const SensorRow& row, SceneCopy& copy, const State<double>& at)
      : row_(row), copy_(copy), at_(at), moved_(at), here_(row.columns.size()), there_(here_) {
    copy_.set_state(at_);
    row_.read(copy_, here_);
  }

  void look(std::vector<double> State<double>::* part, int order, size_t first, size_t last, double scale) {
    if (last <= first || !feels(part, first, last, scale)) return;
    if (last - first > 1) {
      const size_t middle = first + (last - first) / 2;
      look(part, order, first, middle, scale);
      look(part, order, middle, last, scale);
      return;
    }
    constexpr double share = 1e-4;
    if (part != &State<double>::q) scale = std::max(scale, std::fabs((at_.*part)[first]));
    const std::vector<double> slope =
        row_slope(here_.size(), share * scale, [&](double offset, std::vector<double>& row) {
          (moved_.*part)[first] = (at_.*part)[first] + offset;
          read_moved(row);
        });
    (moved_.*part)[first] = (at_.*part)[first];
    for (size_t c = 0; c < slope.size(); ++c)
      if (slope[c] != 0) out.push_back({static_cast<int>(c), order, static_cast<int>(first), slope[c]});
  }

  std::vector<SensorSlope> out;

 private:
  void read_moved(std::vector<double>& row) {
    copy_.set_state(moved_);
    row_.read(copy_, row);
  }
  bool feels(std::vector<double> State<double>::* part, size_t first, size_t last, double scale) {
    constexpr double share = 1e-3;
    std::vector<double>& to = moved_.*part;
    const std::vector<double>& from = at_.*part;
    for (size_t i = first; i < last; ++i) to[i] = from[i] + share * scale * (1 + 0.5 * std::sin(1.0 + 1.3 * i));
    read_moved(there_);
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(first), from.begin() + static_cast<std::ptrdiff_t>(last),
              to.begin() + static_cast<std::ptrdiff_t>(first));
    return there_ != here_;
  }

  const SensorRow& row_;
  SceneCopy& copy_;
  const State<double>& at_;
  State<double> moved_;
  std::vector<double> here_, there_;
};

}  // namespace

std::vector<SensorSlope> SensorRow::slopes(SceneCopy& copy, const State<double>& at) const {
  const size_t ncoord = copy.active().topology().ncoord, ny = copy.active().topology().ny;
  FeltCoordinates felt(*this, copy, at);
  felt.look(&State<double>::q, 0, 0, ncoord, std::min(1.0, extent(copy.active().topology(), at.q)));
  felt.look(&State<double>::q, 0, ncoord, ny, 1);
  felt.look(&State<double>::v, 1, 0, ncoord, 1e-3);
  felt.look(&State<double>::a, 2, 0, ncoord, 1e-3);
  copy.set_state(at);
  return std::move(felt.out);
}

std::vector<double> SensorRow::along_signals(SceneCopy& copy, const State<double>& at,
                                             std::span<const SignalValue> change, std::span<const double> lags) const {
  constexpr double share = 1e-4;
  const std::vector<SignalValue> now(copy.signals().begin(), copy.signals().end());
  std::vector<double> out(columns.size(), 0.0);
  for (double SignalValue::* part : {&SignalValue::u, &SignalValue::du, &SignalValue::ddu}) {
    double fastest = 0, scale = 1;
    for (size_t i = 0; i < now.size(); ++i) {
      fastest = std::max(fastest, std::fabs(change[i].*part));
      scale = std::max(scale, std::fabs(now[i].*part));
    }
    const bool values = part == &SignalValue::u;
    for (size_t i = 0; values && i < lags.size(); ++i) fastest = std::max(fastest, std::fabs(lags[i]));
    if (fastest == 0) continue;
    const std::vector<double> felt =
        row_slope(out.size(), share * scale / fastest, [&](double offset, std::vector<double>& row) {
          State<double> moved = at;
          std::vector<SignalValue> signals = now;
          for (size_t i = 0; i < now.size(); ++i) signals[i].*part += offset * (change[i].*part);
          for (size_t i = 0; values && i < lags.size(); ++i) moved.lags[i] += offset * lags[i];
          copy.follow(moved);
          copy.set_signals(signals);
          read(copy, row);
        });
    for (size_t c = 0; c < out.size(); ++c) out[c] += felt[c];
  }
  copy.follow(at);
  copy.set_signals(now);
  return out;
}

std::vector<double> reading_off_by_rounding(SceneCopy& copy, const SensorRow& row) {
  const State<double> here = copy.state();
  State<double> beside = here;
  for (size_t i = 0; i < beside.q.size(); ++i)
    beside.q[i] *= 1 + 4.4e-16 * (std::sin(1.0 + 1.7 * static_cast<double>(i)) > 0 ? 1 : -1);
  std::vector<double> out(row.columns.size());
  copy.set_state(beside);
  row.read(copy, out);
  copy.set_state(here);
  return out;
}

std::string switch_text(const std::string& path, const std::string& column, double t, double step) {
  return fmt::format(
      "{}: no derivative of {} with respect to it at t = {:.6g} s: within {:.2g} of its value the sensor jumps or "
      "bends, as where "
      "something goes slack, saturates or begins to touch\ntry: another value, forward in place of reverse mode, or a "
      "smaller "
      "relative step of the differences",
      path, column, t, step);
}

/// What adds up over time depends on the energies of the state.
bool adds_up(SceneCopy& copy, const ReadSensor& sensor, std::span<const double> reading) {
  std::vector<double> other(sensor.size);
  const State<double> state = copy.state();
  State<double> later = state;
  later.energy = {state.energy.gravity + 1, state.energy.loads + 1, state.energy.prescribed + 1,
                  state.energy.dissipated + 1};
  copy.follow(later);
  copy.read(sensor.sensor, other, sensor.last);
  copy.follow(state);
  return !std::equal(other.begin(), other.end(), reading.begin(), reading.end());
}

}  // namespace flexura
