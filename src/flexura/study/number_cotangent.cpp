#include "flexura/study/number_cotangent.hpp"

#include <numeric>

namespace flexura {
namespace {

/// The copies one event on.
void follow(SceneVariation& number, RunEvents& events, size_t e, int model) {
  const RunEvent& event = events[e];
  for (size_t k = 0; k < number.size(); ++k) {
    SceneCopy& copy = number.copy(k);
    if (e == 0) copy.begin_again();
    if (event.kind == RunEvent::enter) copy.enter(model, *event.analysis);
    if (event.kind == RunEvent::step) copy.advance(events[e - 1].t, event.t);
    copy.state().t = event.t;
    if (event.kind == RunEvent::rest) copy.rest();
    if (event.kind == RunEvent::open) copy.open_signals(event.end);
  }
}

double weighted_row(SceneVariation& number, const ReadEvent& read, SensorRow& row) {
  std::vector<double> weighted(number.size()), values(row.columns.size());
  row.go_on_from(read.readings);
  for (size_t k = 0; k < number.size(); ++k) {
    number.copy(k).set_state(read.state);
    row.read(number.copy(k), values);
    weighted[k] = std::inner_product(values.begin(), values.end(), read.weights.begin(), 0.0);
  }
  return number.slope([&](size_t k) { return weighted[k]; });
}

}  // namespace

double felt_of_copies(SceneVariation& number, RunEvents& events, std::span<const SignalCotangent> felt,
                      std::span<const ReadEvent> rows, SensorRow row, int model) {
  std::vector<Tangent> u, du, ddu;
  double sum = 0;
  for (size_t e = 0; e < events.size(); ++e) {
    follow(number, events, e, model);
    if (events[e].kind == RunEvent::enter) continue;
    if (!felt[e].is_zero()) {
      number.signals(events.signals(e), u, du, ddu);
      for (size_t i = 0; i < u.size(); ++i)
        sum += felt[e].u[i] * u[i].d + felt[e].du[i] * du[i].d + felt[e].ddu[i] * ddu[i].d;
    }
    if (events[e].row >= 0) sum += weighted_row(number, rows[static_cast<size_t>(events[e].row)], row);
  }
  return sum;
}

}  // namespace flexura
