#include "flexura/report/thin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

using Rows = std::vector<std::uint64_t>;

TEST(EvenRows, AreAllWhereThereIsRoom) { EXPECT_EQ(even_rows(std::vector<double>{0, 1, 5}, 3), (Rows{0, 1, 2})); }

TEST(EvenRows, AreNearestToEvenTimes) {
  // A step size that falls by ten: even in time, not in number.
  std::vector<double> at{0, 1, 2, 3, 4};
  for (int i = 1; i <= 40; ++i) at.push_back(4 + 0.1 * i);
  EXPECT_EQ(even_rows(at, 5), (Rows{0, 2, 4, 24, 44}));
}

TEST(TellingRows, KeepTheExtremesOfEveryColumnAndTheEnds) {
  std::vector<double> values;
  for (int i = 0; i < 10'000; ++i) values.insert(values.end(), {std::sin(0.01 * i), i == 4321 ? 5.0 : 0.0});
  const Rows rows = telling_rows(values, 2, 400);
  EXPECT_LE(rows.size(), 402U);  // and the two ends
  EXPECT_EQ(rows.front(), 0U);
  EXPECT_EQ(rows.back(), 9999U);
  EXPECT_NE(std::find(rows.begin(), rows.end(), 4321U), rows.end()) << "a single peak stays";
  double greatest = -1;
  for (const std::uint64_t row : rows) greatest = std::max(greatest, values[2 * row]);
  double exact = -1;
  for (int i = 0; i < 10'000; ++i) exact = std::max(exact, values[2 * static_cast<std::size_t>(i)]);
  EXPECT_EQ(greatest, exact);
}

TEST(TellingRows, LookBehindWhatIsNoNumber) {
  std::vector<double> values(100, 0.0);
  values[0] = values[50] = std::nan("");
  values[20] = -3, values[70] = 7;
  const Rows rows = telling_rows(values, 1, 4);
  for (const std::uint64_t row : {20U, 70U}) EXPECT_NE(std::find(rows.begin(), rows.end(), row), rows.end()) << row;
}

}  // namespace
}  // namespace flexura
