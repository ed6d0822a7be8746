// Parquet: what stands at its ends, and plain values where the format puts them. That other programs read it: tests/python/test_sweep.py.

#include <gtest/gtest.h>

#include <cstring>

#include "flexura/output/parquet_file.hpp"

namespace flexura {
namespace {

std::uint32_t word_at(const std::string& bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (int i = 3; i >= 0; --i) out = out << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  return out;
}

TEST(Parquet, HasItsMarksAndAFooterOfTheLengthItSays) {
  ParquetTable table;
  table.add("run", std::vector<std::int64_t>{0, 1, -2});
  table.add("x", std::vector<double>{0.5, 1e300, -0.0});
  table.add("message", std::vector<std::string>{"", "größer", std::string(20, 'a')});
  for (const std::size_t rows : {std::size_t{1}, std::size_t{2}, std::size_t{100}}) {
    const std::string bytes = table.bytes(rows);
    EXPECT_EQ(bytes.substr(0, 4), "PAR1");
    EXPECT_EQ(bytes.substr(bytes.size() - 4), "PAR1");
    const std::size_t footer = word_at(bytes, bytes.size() - 8);
    ASSERT_LT(footer + 12, bytes.size());
    const std::string end = bytes.substr(bytes.size() - 8 - footer, footer);
    EXPECT_EQ(end.back(), '\0');
    EXPECT_NE(end.find("message"), std::string::npos);
    const double wanted = 1e300;
    char plain[8];
    std::memcpy(plain, &wanted, 8);
    EXPECT_NE(bytes.find(std::string(plain, 8)), std::string::npos);
    EXPECT_NE(bytes.find(std::string("\x08\0\0\0größer", 12)), std::string::npos);
  }
}

TEST(Parquet, OfNoRowIsAFileToo) {
  ParquetTable table;
  table.add("run", std::vector<std::int64_t>{});
  const std::string bytes = table.bytes();
  EXPECT_EQ(bytes.substr(bytes.size() - 4), "PAR1");
  EXPECT_EQ(word_at(bytes, bytes.size() - 8) + 12, bytes.size());
}

}  // namespace
}  // namespace flexura
