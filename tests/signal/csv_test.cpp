#include "flexura/signal/csv.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace flexura {
namespace {

using Numbers = std::vector<double>;

std::string all_errors(const std::vector<CsvError>& errors) {
  std::string text;
  for (const CsvError& e : errors)
    text += std::to_string(e.line) + ":" + std::to_string(e.column) + ": " + e.message + "\n";
  return text;
}

void expect_columns(std::string_view text, const Numbers& first, const Numbers& second) {
  const CsvTable csv = parse_csv(text);
  EXPECT_TRUE(csv.ok()) << text << all_errors(csv.errors);
  ASSERT_EQ(csv.columns.size(), 2U) << text;
  EXPECT_EQ(csv.columns[0], first) << text;
  EXPECT_EQ(csv.columns[1], second) << text;
}

TEST(Csv, ReadsEverySeparatorLineEndAndHeader) {
  const Numbers t{0, 0.5, 1}, u{1e3, -2, 3};
  expect_columns("0,1e3\n0.5,-2\n1,3\n", t, u);
  expect_columns("0;1e3\n0.5;-2\n1;3", t, u);
  expect_columns("0\t1e3\n0.5\t-2\n1\t3\n", t, u);
  expect_columns("  0   1e3\n0.5 -2 \n 1 +3\n", t, u);
  expect_columns("\xef\xbb\xbf\"time [s]\"; p\r\n0;1e3\r\n0.5;-2\r\n1;3\r\n", t, u);
  expect_columns("# pressures\n\n time, p # of the pump\n0, 1e3\n   # nothing\n0.5, -2 # half\n1, 3\n\n", t, u);
  expect_columns("0,1e3\r0.5,-2\r1,3\r", t, u);
}

TEST(Csv, KeepsTheHeaderAndTheLines) {
  const CsvTable csv = parse_csv("# c\n\"time (s)\",p\n0,1\n\n2,3\n");
  EXPECT_EQ(csv.names, (std::vector<std::string>{"time (s)", "p"}));
  EXPECT_EQ(csv.lines, (std::vector<int>{3, 5}));
}

TEST(Csv, ReportsEveryErrorWithItsPlaceAtOnce) {
  const CsvTable csv = parse_csv("t, p, q\n0, 1, 2\n1, x2, nan\n2, 3\n3, , 1e999\n4, 5, 6, 7\n");
  EXPECT_EQ(all_errors(csv.errors),
            "3:4: 'x2' is not a number\n"
            "3:8: 'nan' is not a finite number\n"
            "4:4: the row has 2 cells, line 1 has 3\n"
            "5:3: empty cell, expected a number\n"
            "5:6: '1e999' is outside the range of numbers\n"
            "6:10: the row has 4 cells, line 1 has 3\n");
}

TEST(Csv, SeesADecimalComma) {
  EXPECT_EQ(all_errors(parse_csv("0;1\n1,5;2\n").errors),
            "2:1: '1,5' is not a number; write a decimal point, not a comma\n");
}

TEST(Csv, ReportsFilesThatHoldNothingToRead) {
  EXPECT_EQ(all_errors(parse_csv("").errors), "0:0: the file holds no row of numbers\n");
  EXPECT_EQ(all_errors(parse_csv("t,p\n").errors), "0:0: the file holds no row of numbers\n");
  EXPECT_EQ(all_errors(parse_csv("\xff\xfe"
                                 "0\0")
                           .errors),
            "1:1: the file is UTF-16; save it as UTF-8\n");
  EXPECT_EQ(all_errors(parse_csv("p,p\n1,2\n").errors), "1:3: there are two columns named 'p'\n");
}

TEST(Csv, ListsTheFirstErrorsOfMany) {
  std::string text = "0,0\n";
  for (int i = 0; i < 200; ++i) text += "1,x\n";
  const CsvTable csv = parse_csv(text);
  EXPECT_EQ(csv.errors.size(), 51U);
  EXPECT_EQ(csv.errors.back().message, "150 further errors are not listed");
}

TEST(Csv, ReadsAFileAndSaysWhyItCannot) {
  const auto path = std::filesystem::temp_directory_path() / "flexura_csv_test.csv";
  std::ofstream(path) << "t,u\n0,1\n1,2\n";
  EXPECT_EQ(read_csv(path.string()).columns.at(1), (Numbers{1, 2}));
  std::filesystem::remove(path);
  EXPECT_EQ(read_csv("no/such.csv").errors.at(0).message, "cannot read 'no/such.csv': No such file or directory");
  EXPECT_EQ(read_csv(".").errors.at(0).message, "cannot read '.': it is a folder");
}

TEST(CsvTableSignal, TakesColumnsByNameOrNumber) {
  const CsvTable csv = parse_csv("t,p,q\n0,10,1\n1,20,2\n");
  std::vector<CsvError> errors;
  const auto by_name = table_from_csv(csv, "t", "q", Interpolation::linear, {}, errors);
  const auto by_number = table_from_csv(csv, 0, 1, Interpolation::linear, {}, errors);
  ASSERT_TRUE(by_name && by_number) << all_errors(errors);
  EXPECT_EQ(by_name->at(0.5).u, 1.5);
  EXPECT_EQ(by_number->at(0.5).u, 15);
}

TEST(CsvTableSignal, NamesTheColumnsThatExist) {
  const CsvTable csv = parse_csv("time,pressure\n0,10\n1,20\n"), bare = parse_csv("0,10\n1,20\n");
  std::vector<CsvError> errors;
  EXPECT_FALSE(table_from_csv(csv, "tiem", "x", Interpolation::linear, {}, errors));
  EXPECT_FALSE(table_from_csv(csv, 0, 2, Interpolation::linear, {}, errors));
  EXPECT_FALSE(table_from_csv(bare, "t", 1, Interpolation::linear, {}, errors));
  EXPECT_EQ(all_errors(errors),
            "0:0: there is no column named 'tiem'; nearest: 'time'\n"
            "0:0: there is no column named 'x'; the columns are 'time' 'pressure'\n"
            "0:0: there is no column 2; the columns are 0 to 1\n"
            "0:0: there is no column named 't'; the file has no header, give the column's number, from 0\n");
}

TEST(CsvTableSignal, RefusesTimesThatDoNotIncrease) {
  std::vector<CsvError> errors;
  EXPECT_FALSE(table_from_csv(parse_csv("p;t\n1;0\n2;1\n3; 1\n4;0.5\n"), "t", "p", Interpolation::linear, {}, errors));
  EXPECT_EQ(all_errors(errors),
            "4:4: the time does not increase from line 3\n"
            "5:3: the time does not increase from line 4\n");
}

TEST(Csv, GapsAreAllowedToThoseWhoWantThem) {
  const std::string text = "t,x,y\n0,1,2\n1,,nan\n2,NA,3\n3,-,-4\n4,5,x\n";
  const CsvTable csv = parse_csv(text, CsvGaps::allowed);
  ASSERT_EQ(csv.errors.size(), 1u);
  EXPECT_EQ(csv.errors[0].line, 6);
  for (int row = 1; row < 4; ++row) EXPECT_TRUE(std::isnan(csv.columns[1][row]));
  EXPECT_EQ(csv.columns[1][4], 5);
  EXPECT_TRUE(std::isnan(csv.columns[2][1]));
  EXPECT_EQ(csv.columns[2][3], -4);
  EXPECT_EQ(parse_csv(text).errors.size(), 5u);
}

TEST(Csv, HeadingsHaveANameAndAUnit) {
  const auto both = [](std::string_view text) {
    const CsvHeading heading(text);
    return heading.name + "|" + heading.unit;
  };
  EXPECT_EQ(both("tip.x [mm]"), "tip.x|mm");
  EXPECT_EQ(both("stress (MPa)"), "stress|MPa");
  EXPECT_EQ(both(" force / N "), "force|N");
  EXPECT_EQ(both("rate [1/s]"), "rate|1/s");
  EXPECT_EQ(both("angle"), "angle|");
}

TEST(Csv, SurvivesAnyText) {
  std::mt19937 random(7);
  using namespace std::string_literals;
  const std::string alphabet = "0123456789.,;\t \n\r#\"'eE+-nanif\0\xff\xef"s;
  std::uniform_int_distribution<std::size_t> letter(0, alphabet.size() - 1);
  for (int k = 0; k < 20000; ++k) {
    std::string text;
    for (std::size_t i = letter(random); i > 0; --i) text += alphabet[letter(random)];
    const CsvTable csv = parse_csv(text);
    std::vector<CsvError> errors;
    const auto table = table_from_csv(csv, 0, 0, Interpolation::cubic, {}, errors);
    EXPECT_NE(table.has_value(), !errors.empty());
    for (const Numbers& column : csv.columns) EXPECT_EQ(column.size(), csv.lines.size());
  }
}

}  // namespace
}  // namespace flexura
