#include "flexura/base/nearest_name.hpp"

#include <gtest/gtest.h>

namespace flexura {
namespace {

const std::vector<std::string> names = {
    "cantilever_tip_force", "delta_robot", "max_iterations", "tolerance", "x", "beam"};

TEST(NearestName, ForgivesEditsSwapsAndCase) {
  EXPECT_EQ(nearest_name("Tolerence", names), "tolerance");
  EXPECT_EQ(nearest_name("baem", names), "beam");
  EXPECT_EQ(nearest_name("delta-robots", names), "delta_robot");
}

TEST(NearestName, KnowsANameByItsBeginningOrAWordOfIt) {
  EXPECT_EQ(nearest_name("cantilver", names), "cantilever_tip_force");
  EXPECT_EQ(nearest_name("max_iter", names), "max_iterations");
  EXPECT_EQ(nearest_name("robot", names), "delta_robot");
}

TEST(NearestName, GuessesNothingFromLittle) {
  EXPECT_EQ(nearest_name("y", names), "");
  EXPECT_EQ(nearest_name("tip", names), "");
  EXPECT_EQ(nearest_name("density", names), "");
  EXPECT_EQ(nearest_name("", names), "");
}

}  // namespace
}  // namespace flexura
