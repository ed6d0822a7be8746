#pragma once
// What a weighted sum of results feels of a number by what copies of its scene make of it: signals on the way, and sensors where they are
// read. Part of flexura_ensemble.

#include "flexura/integrate/newmark_tangent.hpp"
#include "flexura/study/run_events.hpp"
#include "flexura/study/scene_variation.hpp"
#include "flexura/study/sensor_row.hpp"

namespace flexura {

/// Where sensors are read, and with which weights [columns].
struct ReadEvent {
  State<double> state;
  std::vector<double> readings;  ///< of all sensors there, for turns and signs of others beside it
  std::span<const double> weights;
};

/// Of the effective signals, by what is `felt` of them at each event. The copies go through the events from the first on.
double felt_of_signals(SceneVariation& number, RunEvents& events, std::span<const SignalCotangent> felt);

/// Of the sensors; `rows`: by RunEvent::row; `doubt`: where these jump or bend between the copies. Where signals change with the number, copies go through the events again for their own.
double felt_of_sensors(SceneVariation& number, RunEvents& events, std::span<const ReadEvent> rows, SensorRow row,
                       DifferenceDoubt& doubt);

}  // namespace flexura
