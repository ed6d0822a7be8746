#include "flexura/study/number_cotangent.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace flexura {
namespace {

/// The copies one event on.
void follow(SceneVariation& number, RunEvents& events, size_t e) {
  const RunEvent& event = events[e];
  for (size_t k = 0; k < number.size(); ++k) {
    SceneCopy& copy = number.copy(k);
    if (e == 0) copy.begin_again();
    if (event.kind == RunEvent::enter) copy.enter(event.model, *event.analysis);
    if (event.kind == RunEvent::step) copy.advance(events[e - 1].t, event.t);
    copy.state().t = event.t;
    if (event.kind == RunEvent::rest) copy.rest();
    if (event.kind == RunEvent::open) copy.open_signals(event.end);
  }
}

/// The copies have signals and lags of their own, or take those of the scene.
double weighted_row(SceneVariation& number, const ReadEvent& read, std::span<const SignalValue> of_scene, bool own,
                    SensorRow& row, DifferenceDoubt& doubt) {
  std::vector<double> weighted(number.size()), values(row.columns.size());
  const auto weigh = [&](const std::vector<double>& of) {
    return std::inner_product(of.begin(), of.end(), read.weights.begin(), 0.0);
  };
  row.go_on_from(read.readings);
  for (size_t k = 0; k < number.size(); ++k) {
    SceneCopy& copy = number.copy(k);
    if (own) {
      copy.set_state(read.state);
    } else {
      copy.follow(read.state);
      copy.set_signals(of_scene);
    }
    row.read(copy, values);
    weighted[k] = weigh(values);
  }
  const SceneVariation::Difference d = number.difference([&](size_t k) { return weighted[k]; });
  if (number.exceeds_rounding(d) &&
      d.error * number.step() > 100 * std::fabs(weigh(reading_off_by_rounding(number.copy(0), row)) - weighted[0])) {
    const auto most = std::ranges::max_element(read.weights, {}, [](double w) { return std::fabs(w); });
    const std::string& column = row.columns[static_cast<size_t>(most - read.weights.begin())];
    doubt.note(d.error / std::max(std::fabs(d.value), 1e-300),
               [&] { return switch_text(number.path(), column, read.state.t, number.step()); });
  }
  return d.value;
}

}  // namespace

double felt_of_signals(SceneVariation& number, RunEvents& events, std::span<const SignalCotangent> felt) {
  std::vector<Tangent> u, du, ddu;
  double sum = 0;
  for (size_t e = 0; e < events.size(); ++e) {
    follow(number, events, e);
    if (events[e].kind == RunEvent::enter || felt[e].is_zero()) continue;
    number.signals(events.signals(e), u, du, ddu);
    for (size_t i = 0; i < u.size(); ++i)
      sum += felt[e].u[i] * u[i].d + felt[e].du[i] * du[i].d + felt[e].ddu[i] * ddu[i].d;
  }
  return sum;
}

double felt_of_sensors(SceneVariation& number, RunEvents& events, std::span<const ReadEvent> rows, SensorRow row,
                       DifferenceDoubt& doubt) {
  const bool own = std::ranges::any_of(number.change().models, &SceneChange::OfModel::signals);
  double sum = 0;
  for (size_t e = 0; e < events.size(); ++e) {
    if (own || events[e].kind == RunEvent::enter) follow(number, events, e);
    if (events[e].kind == RunEvent::enter || events[e].row < 0) continue;
    sum += weighted_row(number, rows[static_cast<size_t>(events[e].row)], events.signals(e), own, row, doubt);
  }
  return sum;
}

}  // namespace flexura
