#include "flexura/scene/text_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/scene/scene_testing.hpp"

namespace flexura::testing {
namespace {

/// The same, step by step from the beginning of the text.
size_t walk(const std::string& text, size_t line, size_t column) {
  size_t at = 0;
  for (; line > 1; --line) at = text.find('\n', at) + 1;
  for (; column > 1 && at < text.size(); --column) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) ++at;
  }
  return at;
}

std::string long_text() {
  std::string text = "short\n\n";
  for (int k = 0; k < 500; ++k) text += k % 7 == 0 ? "µ" : k % 11 == 0 ? "漢" : "x";
  return text + "\nend\n";
}

TEST(TextPlaces, AreTheBytesOfLinesAndColumns) {
  const std::string text = long_text();
  const TextPlaces places(text);
  for (const auto& [line, columns] : {std::pair{1, 6}, {2, 1}, {3, 501}, {4, 4}, {5, 1}})
    for (int column = 1; column <= columns; ++column)
      EXPECT_EQ(places.byte(line, column), walk(text, line, column)) << line << ":" << column;
  EXPECT_EQ(places.byte(0, 1), 0u);
  EXPECT_EQ(places.byte(9, 1), 0u);
  EXPECT_EQ(places.line(1), "short");
  EXPECT_EQ(places.line(2), "");
  EXPECT_EQ(places.line(4), "end");
  EXPECT_EQ(places.line(7), "");
  EXPECT_EQ(TextPlaces("").byte(1, 1), 0u);
}

// A line of 10 000 points took 2.7 s to read, since each place was counted from the beginning of the line.
TEST(TextPlaces, AreFoundInLongLinesWithoutWalkingThem) {
  const std::string line(100'000, 'x');
  const TextPlaces places(line);
  for (const size_t column : {1, 63, 64, 65, 5000, 99'999, 100'000}) {
    EXPECT_EQ(places.byte(1, column), column - 1);
    EXPECT_LT(places.walked(), TextPlaces::stride) << column;
  }
}

}  // namespace
}  // namespace flexura::testing
