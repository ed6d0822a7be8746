// Counts the heap use of a warmed-up journal.

#include <gtest/gtest.h>

#include "flexura/base/temporary_folder.hpp"
#include "flexura/output/journal.hpp"
#include "tests/support/count_allocations.hpp"

namespace flexura {
namespace {

TEST(JournalAllocation, RowsAndCheckpointsUseNoHeapAfterTheFirst) {
  const TemporaryFolder folder;
  auto journal = JournalWriter::create(folder / "run.journal", 4096);
  ASSERT_TRUE(journal) << journal.error();
  const std::vector<double> q(40, 1.5), v(40, -2);
  const std::vector<std::int64_t> active{1, 2, 3};
  const auto id =
      journal->define({"/analysis/move", "", {{"t", {}, "s", ""}, {"q", {40}, "m", ""}, {"v", {40}, "m/s", ""}}});
  ASSERT_TRUE(id);
  const auto write = [&](double t) {
    journal->row(*id, {t, q, v});
    journal->checkpoint({{"t", t}, {"q", q}, {"v", v}, {"active", active}});
  };
  write(0);
  const long before = test::allocations();
  ASSERT_GT(before, 0);
  for (int i = 1; i < 1000; ++i) write(i);
  EXPECT_EQ(test::allocations() - before, 0);
  EXPECT_TRUE(journal->ok()) << journal->error();
}

}  // namespace
}  // namespace flexura
