// What a run keeps of its sensors: samples, extremes, and what lies between samples.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/run/recorder.hpp"

namespace flexura {
namespace {

bool all_numbers(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

/// One channel per sensor below `folder`, by time or by load factor.
std::vector<ChannelId> Recorder::define_sensors(const SceneModel& scene, const std::string& folder,
                                                const ChannelColumn& axis) {
  std::vector<ChannelId> ids;
  for (size_t k = 0; k < scene.sensors.size(); ++k) {
    const SensorSpec& s = scene.sensors[k];
    std::vector<ChannelColumn> columns = columns_of(s, scene.model.topology->dim);
    columns.insert(columns.begin(), axis);
    ids.push_back(*writer_->define({folder + s.name, std::string(s.quantity->doc), std::move(columns)}));
  }
  return ids;
}

/// Of sensors that pass over steps in this analysis.
void Recorder::define_envelopes(const AnalysisSpec& analysis, const SceneModel& scene) {
  envelope_ids_.resize(scene.sensors.size());
  const MotionAnalysis* motion = analysis.motion();
  for (size_t k = 0; k < scene.sensors.size(); ++k) {
    envelope_ids_[k].reset();
    const double interval = samplers_[k].interval;
    if (motion == nullptr || !(interval > (motion->adaptive ? 0.0 : (1 + 1e-9) * motion->step))) continue;
    const SensorSpec& sensor = scene.sensors[k];
    std::vector<ChannelColumn> columns{time_column()};
    for (const char* which : {"least", "greatest"})
      for (ChannelColumn column : columns_of(sensor, scene.model.topology->dim)) {
        column.name = fmt::format("{}_{}", column.name, which);
        columns.push_back(std::move(column));
      }
    envelope_ids_[k] = writer_->define(
        {"/envelopes/" + sensor.name, "least and greatest of all steps since the sample before", std::move(columns)});
  }
}

void Recorder::note_angles(const CountedAngles& angles, const State<double>& state, RunProgress& p) {
  if (!angles.counts().fit(state.angles)) return;
  const std::vector<SensorSpec>& sensors = scene_.models.front().sensors;
  for (size_t k = 0; k < sensors.size(); ++k)
    if (angles.counts_sensor(static_cast<int>(k)))
      p.last[offsets_[k] + CountedAngles::place(sensors[k])] = angles.of_sensor(state, static_cast<int>(k));
  parts_.note_angles(angles, state, p.frames);
}

void Recorder::watch(const State<double>& state, SensorProbe& probe, RunProgress& p, const Energies& energies,
                     bool inertia) {
  probe.update_sensors(state, inertia, energies);
  for (size_t k = 0; k < samplers_.size(); ++k) read_sensor(k, state.t, probe, p);
}

bool Recorder::read_sensor(size_t k, double axis, SensorProbe& probe, RunProgress& p) {
  const int n = offsets_[k + 1] - offsets_[k];
  row_.assign(1 + n, axis);
  const std::span<double> values = std::span(row_).subspan(1);
  probe.read(static_cast<int>(k), values, std::span<const double>(p.last).subspan(offsets_[k], n));
  if (!all_numbers(values)) {
    // A function of the program that has stopped the run gives no numbers.
    const bool stopped = options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
    const bool over_time = scene_.timeline.analyses[analysis_].over_time();
    if (undefined_.empty() && !stopped)
      undefined_ = fmt::format("sensor {} has no finite value at {} {:.6g}{}", scene_.models.front().sensors[k].name,
                               over_time ? "t =" : "load factor", axis, over_time ? " s" : "");
    return false;
  }
  for (int i = 0; i < n; ++i) {
    const int at = offsets_[k] + i;
    p.last[at] = values[i];
    p.least[at] = std::min(p.least[at], values[i]);
    p.greatest[at] = std::max(p.greatest[at], values[i]);
    p.low[at] = std::min(p.low[at], values[i]);
    p.high[at] = std::max(p.high[at], values[i]);
    if (!smooth_extremes_.empty()) smooth_extremes_.add(at, axis, values[i]);
  }
  return true;
}

void Recorder::sample_sensor(size_t k, double axis, const std::vector<ChannelId>& ids, SensorProbe& probe,
                             RunProgress& p) {
  if (!read_sensor(k, axis, probe, p)) return;
  if (writer_) writer_->row(ids[k], row_);
  if (options_.sample)
    options_.sample({scene_.timeline.analyses[analysis_], scene_.models.front().sensors[k], axis,
                     std::span<const double>(row_).subspan(1)});
  write_envelope(k, axis, p);
}

/// The next stretch begins with this sample.
void Recorder::write_envelope(size_t k, double t, RunProgress& p) {
  const auto of_sensor = [&](std::vector<double>& numbers) {
    return std::span(numbers).subspan(offsets_[k], offsets_[k + 1] - offsets_[k]);
  };
  const std::span<double> low = of_sensor(p.low), high = of_sensor(p.high), now = of_sensor(p.last);
  const std::span<const double> least = low, greatest = high;
  if (writer_ && envelope_ids_[k]) writer_->row(*envelope_ids_[k], {t, least, greatest});
  std::copy(now.begin(), now.end(), low.begin());
  std::copy(now.begin(), now.end(), high.begin());
}

}  // namespace flexura
