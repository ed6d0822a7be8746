// What random machines found, each by itself.

#include <gtest/gtest.h>

#include "tests/support/scenes.hpp"

namespace flexura {
namespace {

// A free truss is a mass that pulls nothing; its sensor had read what the sensor before it had evaluated, here the
// spring's 5 N.
TEST(FoundCases, AMassAloneReadsNoForceOfAnotherItem) {
  const test::Sensors end = test::end_of(R"(
[point.p]
position = [1, 0]
[mass.m]
at = "p"
m = 2
[spring.pulls]
type = "linear"
between = [[0, 0], "p"]
stiffness = 100
free_length = 0.95
[truss.free]
type = "free"
between = [[0, 1], "p"]
[sensor.spring]
type = "force"
of = "pulls"
[sensor.truss]
type = "force"
of = "free"
[[analysis]]
name = "move"
type = "dynamic"
end = 1e-6
step = 1e-6
)");
  EXPECT_NEAR(end.at("spring")[0], 5, 1e-6);
  EXPECT_EQ(end.at("truss")[0], 0);
}

}  // namespace
}  // namespace flexura
