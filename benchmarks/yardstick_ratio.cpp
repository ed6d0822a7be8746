/// The engine against the hand-written loop for the actuator: least times of many short runs that take turns, so that what else the
/// machine does slows both alike. Exit code 1 where the engine takes more than 1.25 of the loop, which is what generality may cost.

#include <algorithm>
#include <cstdio>

#include "benchmarks/models.hpp"
#include "benchmarks/yardstick_actuator.hpp"

int main() {
  using namespace flexura;
  using namespace flexura::bench;
  constexpr int steps = 2000, least_turns = 20, most_turns = 400;
  constexpr double most = 1.25;
  TimedRun<double> engine(cable_model(actuator()).model, TangentPolicy::full, 5e-8);
  YardstickActuator yardstick({});
  double by_hand = 1e9, by_engine = 1e9;
  for (int turn = 0; turn < most_turns && (turn < least_turns || by_engine > most * by_hand); ++turn) {
    yardstick.reset();
    double start = seconds();
    for (int i = 0; i < steps; ++i) yardstick.step();
    by_hand = std::min(by_hand, seconds() - start);
    engine.restart();
    start = seconds();
    if (!engine.advance(steps, 1e-3)) return 1;
    by_engine = std::min(by_engine, seconds() - start);
  }
  std::printf("hand-written loop %.3f us a step, engine %.3f, ratio %.3f (at most %.2f)\n", by_hand / steps * 1e6,
              by_engine / steps * 1e6, by_engine / by_hand, most);
  return by_engine <= most * by_hand ? 0 : 1;
}
