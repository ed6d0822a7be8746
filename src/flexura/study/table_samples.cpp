#include "flexura/study/table_samples.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

constexpr std::string_view points = ".points";

/// Whether another signal is made of it.
bool is_used(const SceneDocument& document, const std::string& name) {
  return std::ranges::any_of(document.named_signals, [&](const NamedSignal& other) {
    if (const auto* lag = std::get_if<LagSignal>(&other.what)) return lag->of == name;
    const auto* plain = std::get_if<Signal>(&other.what);
    const auto* formula = plain == nullptr ? nullptr : std::get_if<Expression>(&plain->shape());
    return formula != nullptr && std::ranges::find(formula->inputs(), name) != formula->inputs().end();
  });
}

}  // namespace

bool TableSamples::take(const SceneDocument& document, const SceneModels& scene, const SceneNumber& number,
                        size_t place) {
  if (!number.key.ends_with(points) || number.places.size() != 2 || number.places[1] != 1 || !document.signals)
    return false;
  std::string name = number.key.substr(0, number.key.size() - points.size());
  if (name.starts_with("signal.")) name = name.substr(7);
  const int signal = document.signals->find(name);
  const auto named = std::ranges::find(document.named_signals, name, &NamedSignal::name);
  if (signal < 0 || named == document.named_signals.end() || is_used(document, name)) return false;
  const auto* plain = std::get_if<Signal>(&named->what);
  const auto* table = plain == nullptr ? nullptr : std::get_if<TableSignal>(&plain->shape());
  if (table == nullptr || table->interpolation() != Interpolation::linear || table->period()) return false;
  const std::vector<double>& times = table->times();
  const bool jumps = std::ranges::adjacent_find(times, std::greater_equal<>()) != times.end();
  if (jumps || times.size() != number.list->items.size() || table->values()[number.places[0]] != number.value)
    return false;
  for (const SensorSpec& sensor : scene.models.front().sensors)
    if (sensor.signal == signal) return false;
  auto at = std::ranges::find(samples_, signal, &Samples::signal);
  if (at == samples_.end()) at = samples_.insert(at, {signal, times, std::vector<int>(times.size(), -1)});
  at->places[number.places[0]] = static_cast<int>(place);
  return true;
}

void TableSamples::add(double t, bool begins, bool at_rest, const Topology& topology, const SignalCotangent& felt,
                       std::vector<double>& gradient) const {
  const double slack = 1e-9 * std::max(1.0, std::fabs(t));
  for (const Samples& samples : samples_)
    for (size_t i = 0; i < felt.u.size(); ++i) {
      const EffectiveSignal& signal = topology.signals[i];
      if (signal.signal != samples.signal) continue;
      const bool acts = begins ? signal.from <= t + slack && signal.until > t + slack
                               : signal.from < t - slack && signal.until >= t - slack;
      if (!acts) continue;
      const auto give = [&](size_t row, double u, double du) {
        if (samples.places[row] >= 0) gradient[samples.places[row]] += u * felt.u[i] + (at_rest ? 0 : du) * felt.du[i];
      };
      const std::vector<double>& times = samples.times;
      const size_t after = static_cast<size_t>(std::ranges::upper_bound(times, t) - times.begin());
      if (after == 0) {
        give(0, 1, 0);
      } else if (after == times.size()) {
        give(after - 1, 1, 0);
      } else {
        const double span = times[after] - times[after - 1], share = (t - times[after - 1]) / span;
        give(after - 1, 1 - share, -1 / span);
        give(after, share, 1 / span);
      }
    }
}

}  // namespace flexura
