#include "flexura/base/text.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace flexura {
namespace {

TEST(Text, GrowsByWhatIsFormatted) {
  std::string text = "a";
  append_text(text, "{}-{:.2f}", 3, 0.125);
  EXPECT_EQ(text, "a3-0.12");
}

// What fmt writes for each item: bytes are numbers, floats the fewest digits that read back as the same bits.
TEST(Text, JoinsItems) {
  EXPECT_EQ(joined_text(std::vector<std::string>{"a", "", "c"}, ", "), "a, , c");
  EXPECT_EQ(joined_text(std::vector<std::uint8_t>{1, 2}, " "), "1 2");
  EXPECT_EQ(joined_text(std::vector<float>{0.1f, 1e20f}, " "), "0.1 1e+20");
  EXPECT_EQ(joined_text(std::vector<int>{}, ","), "");
}

}  // namespace
}  // namespace flexura
