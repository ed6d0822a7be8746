#include "flexura/report/block.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "flexura/report/quantise.hpp"
#include "tests/report/decode.hpp"

namespace flexura {
namespace {

TEST(BlockStore, NumbersOfEveryTypeComeBackBitForBit) {
  BlockStore blocks;
  const std::vector<std::uint16_t> a{0, 1, 255, 256, 65535};
  const std::vector<std::uint32_t> b{0, 70000, 4294967295U};
  const std::vector<float> c{0.1F, -3e38F, std::numeric_limits<float>::infinity()};
  const std::vector<double> d{0.1, -0.0, 1e-310, std::nextafter(1.0, 2.0)};
  const Json ja = blocks.add(a, {5}), jb = blocks.add(b, {3}), jc = blocks.add(c, {3}), jd = blocks.add(d, {2, 2});
  EXPECT_EQ(decode<std::uint16_t>(blocks.bytes(), ja), a);
  EXPECT_EQ(decode<std::uint32_t>(blocks.bytes(), jb), b);
  EXPECT_EQ(decode<float>(blocks.bytes(), jc), c);
  EXPECT_EQ(decode<double>(blocks.bytes(), jd), d);
  EXPECT_EQ(jd["shape"], Json({2, 2}));
  EXPECT_EQ(jd["type"], "f64");
}

TEST(BlockStore, DifferencesBetweenRowsWrapAround) {
  BlockStore blocks;
  const std::vector<std::uint16_t> rows{65535, 0, 0, 65535, 7, 8};
  const Json json = blocks.add(rows, {3, 2}, true);
  EXPECT_TRUE(json["delta"].get<bool>());
  EXPECT_EQ(decode<std::uint16_t>(blocks.bytes(), json), rows);
}

TEST(BlockStore, EqualArraysAreKeptOnce) {
  BlockStore blocks;
  std::vector<double> axis(1000);
  for (std::size_t i = 0; i < axis.size(); ++i) axis[i] = std::sqrt(static_cast<double>(i));
  const Json first = blocks.add(axis, {1000});
  const std::size_t size = blocks.bytes().size();
  const Json second = blocks.add(axis, {1000});
  EXPECT_EQ(first, second);
  EXPECT_EQ(blocks.bytes().size(), size);
}

TEST(BlockStore, EmptyArraysComeBackEmpty) {
  BlockStore blocks;
  EXPECT_TRUE(decode<double>(blocks.bytes(), blocks.add(std::vector<double>(), {0, 3})).empty());
}

TEST(Quantise, EveryValueIsWithinHalfAStepOfItsColumn) {
  constexpr std::size_t columns = 4, rows = 500;
  std::vector<double> values;
  for (std::size_t i = 0; i < rows; ++i) {
    const double t = static_cast<double>(i) / rows;
    values.insert(values.end(), {std::sin(7 * t), 1e4 + 1e-3 * t, -5.5, 1e-14 * std::cos(t)});
  }
  const Quantised q = quantise_columns(values, columns);
  // 1e-11: rounding of 1e4 in low + step n.
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t c = i % columns;
    EXPECT_NEAR(q.low[c] + q.step[c] * q.numbers[i], values[i], q.step[c] / 2 + 1e-11);
  }
  EXPECT_DOUBLE_EQ(q.error(), q.step[0] / 2) << "of the column that moves most";
}

TEST(Quantise, NoiseOfAColumnAtRestIsNotResolved) {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.insert(values.end(), {0.01 * i, 1 + 1e-16 * (i % 7)});
  const Quantised q = quantise_columns(values, 2);
  for (std::size_t i = 1; i < values.size(); i += 2) EXPECT_EQ(q.numbers[i], 0);
  EXPECT_DOUBLE_EQ(q.step[1], q.step[0] / 256);
  const std::vector<int> groups{0, 1};
  EXPECT_LT(quantise_columns(values, 2, groups).step[1], 1e-19) << "by itself, in a group of its own";
}

TEST(Quantise, WhatIsNotFiniteHasNoValue) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const Quantised q = quantise_all(std::vector<double>{1, nan, 3, -inf});
  EXPECT_EQ(q.numbers, (std::vector<std::uint16_t>{0, no_value, 65534, no_value}));
  EXPECT_DOUBLE_EQ(q.low[0], 1);
  EXPECT_EQ(quantise_all(std::vector<double>{nan}).numbers, std::vector<std::uint16_t>{no_value});
}

TEST(Quantise, TheWholeRangeOfDoublesFits) {
  const double most = std::numeric_limits<double>::max();
  const Quantised q = quantise_all(std::vector<double>{-most, most});
  EXPECT_TRUE(std::isfinite(q.step[0]));
  EXPECT_EQ(q.numbers.front(), 0);
}

}  // namespace
}  // namespace flexura
