#include "flexura/scene/units.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace flexura {
namespace {

double si(const std::string& text) {
  const auto quantity = split_quantity(text);
  EXPECT_TRUE(quantity) << text;
  const auto unit = parse_unit(quantity->unit);
  EXPECT_TRUE(unit) << text;
  return unit ? unit->to_si(quantity->number) : -1;
}

// Exact: a quantity is the same double as the number in SI that one would write.
TEST(Units, ConvertedQuantitiesAreTheNumbersOneWouldWrite) {
  EXPECT_EQ(si("9 mm"), 0.009);
  EXPECT_EQ(si("30 g"), 0.03);
  EXPECT_EQ(si("20 kPa"), 20000.0);
  EXPECT_EQ(si("0.1 ms"), 0.0001);
  EXPECT_EQ(si("59.6 GPa"), 59.6e9);
  EXPECT_EQ(si("0.0186 N m^2"), 0.0186);
  EXPECT_EQ(si("2.4 1/s"), 2.4);
  EXPECT_EQ(si("-0.4 bar"), -40000.0);
  EXPECT_EQ(si("2 min"), 120.0);
  EXPECT_EQ(si("50 %"), 0.5);
  EXPECT_EQ(si("3 L/min"), 0.003 / 60);
  EXPECT_EQ(si("180 deg"), std::numbers::pi);
  EXPECT_EQ(si("7.5 g/cm^3"), 7500.0);
}

TEST(Units, AreWrittenInSeveralWays) {
  EXPECT_EQ(si("1.5 N·m²"), 1.5);
  EXPECT_EQ(si("1.5N*m^2"), 1.5);
  EXPECT_EQ(si("90°"), si("90 deg"));
  EXPECT_EQ(si("5 µm"), si("5 um"));
  EXPECT_EQ(si("2 N/(m rad)"), 2.0);
  EXPECT_EQ(si("1 kg m s^-2"), 1.0);
  EXPECT_EQ(parse_unit("N m s/rad")->dimension, parse_unit("J s/rad")->dimension);
}

TEST(Units, WhatIsNoUnitIsRefused) {
  for (const char* text : {"kgs", "N m^", "m/", "(m", "m)", "/s", "N//m", "foo", "2 m", "m^99"})
    EXPECT_FALSE(parse_unit(text)) << text;
  EXPECT_FALSE(split_quantity("abc"));
  EXPECT_FALSE(split_quantity(""));
}

TEST(Units, AnglesMayBeLeftOutButNotAdded) {
  const auto fit = [](const char* given, const char* expected) {
    return fits(parse_unit(given)->dimension, parse_unit(expected)->dimension);
  };
  EXPECT_TRUE(fit("N m", "N m/rad"));
  EXPECT_TRUE(fit("1/s", "rad/s"));
  EXPECT_TRUE(fit("1/s", "Hz"));
  EXPECT_FALSE(fit("rpm", "1/s"));
  EXPECT_FALSE(fit("rpm", "Hz"));
  EXPECT_FALSE(fit("Hz", "1/s"));
  EXPECT_FALSE(fit("Hz", "rad/s"));
  EXPECT_FALSE(fit("deg", "1"));
  EXPECT_FALSE(fit("mm", "kg"));
}

}  // namespace
}  // namespace flexura
