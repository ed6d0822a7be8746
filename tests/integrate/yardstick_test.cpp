// The engine against the hand-written loop for the same model. What each takes is held against the other by the benchmark yardstick_ratio.

#include <gtest/gtest.h>

#include "benchmarks/models.hpp"
#include "benchmarks/yardstick_actuator.hpp"

namespace flexura::bench {
namespace {

TEST(Yardstick, TheActuatorTakesTheIterationsOfAHandWrittenLoop) {
  constexpr int steps = 2000;
  TimedRun<double> engine(cable_model(actuator()).model, TangentPolicy::full, 5e-8);
  YardstickActuator yardstick({});
  yardstick.reset();
  long iterations = 0;
  for (int i = 0; i < steps; ++i) iterations += yardstick.step();
  engine.restart();
  ASSERT_TRUE(engine.advance(steps, 1e-3));
  // Their stop rules differ: within 5 %.
  EXPECT_NEAR(static_cast<double>(engine.iterations), static_cast<double>(iterations), 0.05 * iterations);
}

}  // namespace
}  // namespace flexura::bench
