#include "flexura/output/journal.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "flexura/base/checksum.hpp"
#include "flexura/base/file.hpp"
#include "flexura/base/temporary_folder.hpp"

namespace flexura {
namespace {

using Reals = std::vector<double>;

Channel tip() {
  return {"/sensors/tip",
          "tip of the actuator",
          {{"t", {}, "s", "time"}, {"position", {2}, "m", "position of the tip", "world", {"x", "y"}}}};
}
Channel state(std::uint64_t n) {
  return {"/analysis/move", "states", {{"t", {}, "s", "time"}, {"q", {n}, "m", "coordinates"}}};
}

/// A journal with all kinds of records; `checkpoints` tells where each checkpoint ended.
std::vector<std::uint64_t> write_small_journal(const std::string& path, std::size_t buffer_bytes = 64) {
  std::vector<std::uint64_t> checkpoints;
  auto journal = JournalWriter::create(path, buffer_bytes);
  EXPECT_TRUE(journal) << journal.error();
  journal->blob("/scene/text", "title = \"ü\"\n");
  journal->blob("/scene/files/pump.csv", std::string_view("a\0b", 3), false);
  const auto sensor = journal->define(tip());
  const auto states = journal->define(state(3));
  journal->attribute("/meta", "version", "0.1.0");
  journal->attribute("/model", "coordinates", std::int64_t{3});
  journal->array({"/model/reference", {3}, ColumnType::real, {1, 2, 3}, {}, "m", "reference configuration"});
  for (int step = 0; step < 6; ++step) {
    const double t = 0.1 * step;
    journal->row(*sensor, {t, 1.0 / (step + 1), -0.0});
    const Reals q{t, 2 * t, std::nextafter(t, 1)};
    if (step % 2 == 0) journal->row(*states, {t, q});
    if (step % 2 == 1) {
      const std::vector<std::int64_t> counters{step, -1};
      journal->checkpoint({{"t", t}, {"q", q}, {"counters", counters}});
      checkpoints.push_back(journal->size());
    }
  }
  journal->attribute("/meta", "wall_time", 1.25);
  journal->end("finished");
  EXPECT_TRUE(journal->ok()) << journal->error();
  return checkpoints;
}

// RFC 3720, appendix B.4, and the value that every description of CRC-32C gives for nine digits.
TEST(Checksum, IsCrc32c) {
  EXPECT_EQ(crc32c("123456789", 9), 0xE3069283U);
  const std::string zeros(32, '\0'), ones(32, '\xff');
  EXPECT_EQ(crc32c(zeros.data(), 32), 0x8A9136AAU);
  EXPECT_EQ(crc32c(ones.data(), 32), 0x62A8AB43U);
  EXPECT_EQ(crc32c("6789", 4, crc32c("12345", 5)), 0xE3069283U);
}

TEST(Journal, GivesBackWhatWasWritten) {
  const TemporaryFolder folder;
  for (const std::size_t buffer : {std::size_t{64}, std::size_t{1000}, JournalWriter::default_buffer}) {
    write_small_journal(folder / "run.journal", buffer);
    const auto journal = JournalReader::open(folder / "run.journal");
    ASSERT_TRUE(journal) << journal.error();
    EXPECT_EQ(journal->status(), "finished");
    EXPECT_EQ(journal->damage(), "");
    ASSERT_EQ(journal->channels().size(), 2U);
    EXPECT_EQ(journal->channels()[0], tip());
    EXPECT_EQ(journal->channels()[1], state(3));
    EXPECT_EQ(journal->rows(), (std::vector<std::uint64_t>{6, 3}));
    ASSERT_EQ(journal->blobs().size(), 2U);
    EXPECT_EQ(journal->blobs()[0].content, "title = \"ü\"\n");
    EXPECT_EQ(journal->blobs()[1].content, std::string("a\0b", 3));
    EXPECT_FALSE(journal->blobs()[1].is_text);
    ASSERT_EQ(journal->attributes().size(), 3U);
    EXPECT_EQ(journal->attributes()[0].text, "0.1.0");
    EXPECT_EQ(journal->attributes()[1].integer, 3);
    EXPECT_EQ(journal->attributes()[2].real, 1.25);
    ASSERT_EQ(journal->arrays().size(), 1U);
    EXPECT_EQ(journal->arrays()[0].reals, (Reals{1, 2, 3}));
    const auto rows = journal->read_rows(*journal->find("/sensors/tip"));
    ASSERT_TRUE(rows) << rows.error();
    ASSERT_EQ(rows->size(), 18U);
    EXPECT_EQ((*rows)[16], 1.0 / 6);
    EXPECT_TRUE(std::signbit((*rows)[17]));
    ASSERT_TRUE(journal->checkpoint());
    EXPECT_EQ(*journal->checkpoint()->reals("t"), Reals{0.5});
    EXPECT_EQ((*journal->checkpoint()->integers("counters")), (std::vector<std::int64_t>{5, -1}));
    EXPECT_EQ(journal->checkpoint()->reals("counters"), nullptr);
    EXPECT_EQ(journal->checkpoint()->rows, (std::vector<std::uint64_t>{6, 3}));
  }
}

TEST(Journal, KeepsTheLastBlobAndAttributeOfAName) {
  const TemporaryFolder folder;
  auto writer = JournalWriter::create(folder / "run.journal");
  ASSERT_TRUE(writer) << writer.error();
  writer->attribute("/meta", "title", "old");
  writer->blob("/scene/text", "old");
  writer->attribute("/meta", "title", "new");
  writer->blob("/scene/text", "new");
  writer->flush();
  const auto reader = JournalReader::open(folder / "run.journal");
  ASSERT_TRUE(reader) << reader.error();
  ASSERT_EQ(reader->attributes().size(), 1U);
  EXPECT_EQ(reader->attributes()[0].text, "new");
  ASSERT_EQ(reader->blobs().size(), 1U);
  EXPECT_EQ(reader->blobs()[0].content, "new");
  EXPECT_EQ(reader->status(), "");
}

// A file cut anywhere is what a kill in the middle of a write leaves.
TEST(Journal, CutAtAnyByteIsReadUpToTheLastWholeRecordAndResumedBehindTheLastCheckpoint) {
  const TemporaryFolder folder;
  const std::vector<std::uint64_t> checkpoints = write_small_journal(folder / "whole");
  const auto whole = read_file(folder / "whole");
  ASSERT_TRUE(whole) << whole.error();
  int resumed_runs = 0;
  for (std::size_t size = 32; size < whole->size(); ++size) {
    ASSERT_EQ(write_file(folder / "cut", std::string_view(*whole).substr(0, size)), "");
    const auto reader = JournalReader::open(folder / "cut");
    ASSERT_TRUE(reader) << reader.error();
    ASSERT_LE(reader->intact_bytes(), size);
    ASSERT_EQ(reader->damage().empty(), reader->intact_bytes() == size) << size;
    ASSERT_EQ(reader->status(), "");
    const auto last = std::upper_bound(checkpoints.begin(), checkpoints.end(), size);
    auto resumed = resume_journal(folder / "cut", 64);
    ASSERT_EQ(bool(resumed), last != checkpoints.begin()) << size;
    if (!resumed) {
      EXPECT_NE(resumed.error().find("holds no checkpoint"), std::string::npos) << resumed.error();
      continue;
    }
    ++resumed_runs;
    ASSERT_EQ(std::filesystem::file_size(folder / "cut"), last[-1]);
    ASSERT_EQ(resumed->dropped_bytes, size - last[-1]);
    // Going on gives the same bytes as the run that was never cut.
    JournalWriter& journal = resumed->writer;
    const auto sensor = journal.define(tip());
    const auto states = journal.define(state(3));
    ASSERT_TRUE(sensor && states) << journal.error();
    for (auto step = static_cast<int>((*resumed->checkpoint.integers("counters"))[0]) + 1; step < 6; ++step) {
      const double t = 0.1 * step;
      journal.row(*sensor, {t, 1.0 / (step + 1), -0.0});
      const Reals q{t, 2 * t, std::nextafter(t, 1)};
      if (step % 2 == 0) journal.row(*states, {t, q});
      const std::vector<std::int64_t> counters{step, -1};
      if (step % 2 == 1) journal.checkpoint({{"t", t}, {"q", q}, {"counters", counters}});
    }
    journal.attribute("/meta", "wall_time", 1.25);
    ASSERT_TRUE(journal.end("finished")) << journal.error();
    const auto again = read_file(folder / "cut");
    ASSERT_TRUE(again);
    ASSERT_TRUE(*again == *whole) << size;
  }
  EXPECT_GT(resumed_runs, 100);
}

TEST(Journal, ReadsUpToAFlippedBitAndNeverReturnsWrongNumbers) {
  const TemporaryFolder folder;
  write_small_journal(folder / "whole");
  const auto whole = read_file(folder / "whole");
  ASSERT_TRUE(whole);
  for (std::size_t place = 0; place < whole->size(); ++place) {
    std::string damaged = *whole;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << (place % 8)));
    ASSERT_EQ(write_file(folder / "bad", damaged), "");
    const auto reader = JournalReader::open(folder / "bad");
    if (place < 32) {
      ASSERT_FALSE(reader) << place;
    } else {
      ASSERT_TRUE(reader) << reader.error();
      ASSERT_LE(reader->intact_bytes(), place);
      ASSERT_NE(reader->damage(), "");
    }
  }
}

TEST(Journal, RefusesWhatIsNoJournal) {
  const TemporaryFolder folder;
  ASSERT_EQ(write_file(folder / "text", "t,x\n0,1\n"), "");
  EXPECT_NE(JournalReader::open(folder / "text").error().find("is not a journal"), std::string::npos);
  EXPECT_NE(JournalReader::open(folder / "none").error().find("No such file"), std::string::npos);
  EXPECT_NE(resume_journal(folder / "none").error().find("No such file"), std::string::npos);
  EXPECT_FALSE(JournalWriter::create("/proc/none/run.journal"));
}

TEST(Journal, HasOneWriterOnly) {
  const TemporaryFolder folder;
  const auto first = JournalWriter::create(folder / "run.journal");
  ASSERT_TRUE(first) << first.error();
  EXPECT_NE(JournalWriter::create(folder / "run.journal").error().find("another process"), std::string::npos);
  EXPECT_NE(resume_journal(folder / "run.journal").error().find("another process"), std::string::npos);
}

TEST(Journal, SaysWhatIsWrongWithARowOrAChannel) {
  const TemporaryFolder folder;
  auto journal = JournalWriter::create(folder / "run.journal");
  const auto id = journal->define(tip());
  ASSERT_TRUE(id);
  EXPECT_EQ(journal->define(tip()), id);
  EXPECT_FALSE(journal->row(*id, {1.0, 2.0}));
  EXPECT_EQ(journal->error(), "a row of channel '/sensors/tip' has 3 numbers, 2 were given");
  EXPECT_FALSE(journal->checkpoint({{"t", 0.0}}));
  auto other = JournalWriter::create(folder / "other.journal");
  other->define(tip());
  Channel changed = tip();
  changed.columns[1].unit = "mm";
  EXPECT_FALSE(other->define(changed));
  EXPECT_NE(other->error().find("was defined before with other columns"), std::string::npos);
}

// A limit on the size of files stands for a full disk: write(2) fails in the same way.
TEST(Journal, ReportsAFullDiskAndKeepsWhatWasWritten) {
  const TemporaryFolder folder;
  auto journal = JournalWriter::create(folder / "run.journal", 512);
  const auto id = journal->define(tip());
  ASSERT_TRUE(id);
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  auto* const old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  int rows = 0;
  while (rows < 1000 && journal->row(*id, {0.1 * rows, 1.0, 2.0})) ++rows;
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_LT(rows, 200);
  EXPECT_NE(journal->error().find("cannot write '"), std::string::npos) << journal->error();
  EXPECT_FALSE(journal->end("finished")) << "nothing is appended behind a hole";
  const auto reader = JournalReader::open(folder / "run.journal");
  ASSERT_TRUE(reader) << reader.error();
  EXPECT_EQ(std::filesystem::file_size(folder / "run.journal"), 4096U);
  EXPECT_GT(reader->rows()[0], 50U);
  EXPECT_LE(reader->rows()[0], static_cast<std::uint64_t>(rows));
}

TEST(Journal, AnEmptyFileIsAJournalWithoutRecords) {
  const TemporaryFolder folder;
  ASSERT_EQ(write_file(folder / "run.journal", ""), "");
  const auto reader = JournalReader::open(folder / "run.journal");
  ASSERT_TRUE(reader) << reader.error();
  EXPECT_FALSE(reader->checkpoint());
  EXPECT_NE(resume_journal(folder / "run.journal").error().find("holds no checkpoint"), std::string::npos);
}

TEST(Journal, HoldsRecordsLargerThanItsBuffer) {
  const TemporaryFolder folder;
  const Reals large(100000, 0.25);
  {
    auto journal = JournalWriter::create(folder / "run.journal", 256);
    const auto id = journal->define(state(large.size()));
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(journal->row(*id, {double(i), large})) << journal->error();
    ASSERT_TRUE(journal->checkpoint({{"q", large}}));
  }
  const auto reader = JournalReader::open(folder / "run.journal");
  ASSERT_TRUE(reader) << reader.error();
  EXPECT_EQ(reader->rows()[0], 3U);
  EXPECT_EQ(*reader->checkpoint()->reals("q"), large);
}

}  // namespace
}  // namespace flexura
