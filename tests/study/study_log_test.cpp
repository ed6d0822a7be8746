#include "flexura/study/study_log.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "flexura/base/file.hpp"
#include "flexura/base/problem.hpp"
#include "flexura/base/temporary_folder.hpp"

namespace flexura::test {
namespace {

struct StudyLogTest : testing::Test {
  TemporaryFolder folder;
  std::string path = folder.path() + "/deep/evaluations.jsonl";

  static std::optional<int> number(StudyLog& log, const std::string& name) {
    return log.recall(name, [](const Json& line) { return line.at("number").get<int>(); });
  }
  void append(const std::string& text) const { std::ofstream(path, std::ios::app) << text; }
};

TEST_F(StudyLogTest, HandsOutOnceWhatWasKept) {
  {
    StudyLog log(path, "a study");
    EXPECT_FALSE(number(log, "one"));
    log.keep("one", {{"number", 1}});
    log.keep("two", {{"number", 2}});
    EXPECT_FALSE(number(log, "one"));  // it is known to who kept it
    log.check();
  }
  StudyLog log(path, "a study");
  EXPECT_EQ(number(log, "two"), 2);
  EXPECT_EQ(number(log, "one"), 1);
  EXPECT_FALSE(number(log, "one"));
}

TEST_F(StudyLogTest, GoesOnBehindWhatAKillHasLeft) {
  StudyLog(path).keep("one", {{"number", 1}});
  append(R"({"run": "two", "number")");
  StudyLog(path).keep("three", {{"number", 3}});
  append("no JSON\n[1, 2]\n{\"run\": 7}\n{\"run\": \"four\", \"number\": \"4\"}\n");
  StudyLog log(path);
  EXPECT_EQ(number(log, "one"), 1);
  EXPECT_FALSE(number(log, "two"));
  EXPECT_EQ(number(log, "three"), 3);
  EXPECT_FALSE(number(log, "four"));  // its number is a text
}

TEST_F(StudyLogTest, RefusesTheLogOfAnotherStudy) {
  StudyLog(path, "a study").keep("one", {{"number", 1}});
  EXPECT_THROW(StudyLog(path, "another study"), InputError);
  StudyLog log(path, "a study");  // it was left as it was
  EXPECT_EQ(number(log, "one"), 1);
}

TEST_F(StudyLogTest, OfNoStudyRemembersNothing) {
  StudyLog log;
  log.keep("one", {{"number", 1}});
  EXPECT_FALSE(number(log, "one"));
}

TEST_F(StudyLogTest, SaysThatItCannotBeWritten) {
  EXPECT_THROW(StudyLog(folder.path()), FileError);
  StudyLog log("/dev/full");
  log.keep("one", {{"number", 1}});
  EXPECT_THROW(log.check(), FileError);
}

TEST(StudyNumbers, KeepTheirBits) {
  const std::vector<double> numbers{0.1, -0.0, 1e-310, INFINITY};
  EXPECT_EQ(numbers_of_text(text_of_numbers(numbers)), numbers);
  EXPECT_TRUE(std::signbit(numbers_of_text(text_of_numbers(numbers), 4)[1]));
  EXPECT_THROW(numbers_of_text(text_of_numbers(numbers), 3), std::invalid_argument);
  EXPECT_THROW(numbers_of_text("AAAA"), std::invalid_argument);
  EXPECT_THROW(numbers_of_text("no base64"), std::invalid_argument);
}

}  // namespace
}  // namespace flexura::test
