#include "flexura/base/quote.hpp"

#include <gtest/gtest.h>

namespace flexura {
namespace {

TEST(ShellWord, StandsAsItIsWhereAShellReadsNothingIntoIt) {
  EXPECT_EQ(shell_word("section.wall.EI=0.02"), "section.wall.EI=0.02");
  EXPECT_EQ(shell_word("../a-b_c,d@e:f%+1.toml"), "../a-b_c,d@e:f%+1.toml");
}

TEST(ShellWord, IsQuotedOtherwise) {
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("soft actuator.toml"), "'soft actuator.toml'");
  EXPECT_EQ(shell_word("analysis.move.end=\"2 s\""), "'analysis.move.end=\"2 s\"'");
  EXPECT_EQ(shell_word("title='$HOME'"), R"('title='\''$HOME'\''')");
  EXPECT_EQ(shell_word("ä"), "'ä'");
}

TEST(FileUrl, IsTheWholePathWithWhatHasAMeaningAsNumbers) {
  EXPECT_EQ(file_url("/a b/c#d?e%f/ä.html"), "file:///a%20b/c%23d%3Fe%25f/%C3%A4.html");
  EXPECT_EQ(file_url("/a/../b/./report.html"), "file:///b/report.html");
  EXPECT_TRUE(file_url("report.html").ends_with("/report.html"));
  EXPECT_TRUE(file_url("report.html").starts_with("file:///"));
}

}  // namespace
}  // namespace flexura
