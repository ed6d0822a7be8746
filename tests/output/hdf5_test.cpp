#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "flexura/base/file.hpp"
#include "flexura/base/temporary_folder.hpp"
#include "flexura/output/hdf5_reader.hpp"
#include "flexura/output/hdf5_results.hpp"
#include "flexura/output/journal.hpp"

namespace flexura {
namespace {

using Reals = std::vector<double>;
using Shape = std::vector<std::uint64_t>;

struct Changes {
  double position = 0;        ///< added to one position
  double wall_time = 1;       ///< s
  const char* title = "arm";  ///< attribute
};

/// A run with a static and a dynamic analysis; large enough that some datasets are compressed.
void write_journal(const std::string& path, const Changes& changes = {}) {
  auto journal = JournalWriter::create(path);
  ASSERT_TRUE(journal) << journal.error();
  journal->blob("/scene/text", "title = \"arm\"\n", true, "the scene as it was given");
  journal->blob("/scene/files/data/pump.csv", std::string_view("t,p\n0,\0\n", 8), false);
  journal->blob("/model/summary", "");
  journal->array({"/model/reference", {2, 2}, ColumnType::real, {0, 0.5, 1, 1.5}, {}, "m", "reference configuration"});
  journal->array({"/model/first_slot", {3}, ColumnType::integer, {}, {0, 2, 4}, "", ""});
  const auto hang = journal->define({"/analysis/hang",
                                     "equilibrium under gravity",
                                     {{"load_factor", {}, "1", "share of the loads"}, {"q", {4}, "m", "coordinates"}}});
  const auto move = journal->define(
      {"/analysis/move", "motion", {{"t", {}, "s", "time"}, {"q", {4}, "m", "coordinates"}, {"lambda", {0}, "N", ""}}});
  const auto tip = journal->define(
      {"/sensors/tip", "", {{"t", {}, "s", "time"}, {"position", {2}, "m", "of the tip", "world", {"x", "y"}}}});
  const auto solver = journal->define({"/solver",
                                       "",
                                       {{"t", {}, "s", "time"},
                                        {"iterations", {}, "", "of Newton", "", {}, ColumnType::integer},
                                        {"wall_time", {}, "s", "of the step"}}});
  journal->define({"/sensors/never", "", {{"t", {}, "s", "time"}, {"value", {2, 3}, "N", ""}}});
  for (int i = 0; i <= 4; ++i) journal->row(*hang, {i / 4.0, Reals{0, -0.1 * i, 1, -0.2 * i}});
  for (int i = 0; i < 5000; ++i) {
    const double t = 1e-3 * i;
    if (i % 2 == 0) journal->row(*move, {t, Reals{0, std::sin(t), 1, std::cos(t)}});
    journal->row(*tip, {t, std::sin(t), std::cos(t) + (i == 4321 ? changes.position : 0)});
    journal->row(*solver, {t, 2.0 + i % 3, changes.wall_time * 1e-6 * i});
    if (i == 2500) journal->checkpoint({{"t", t}, {"q", Reals{1, 2, 3, 4}}, {"order", std::vector<std::int64_t>{1}}});
  }
  journal->attribute("/analysis/move", "type", "dynamic");
  journal->attribute("/sensors/tip/position", "at", "actuator.end");
  journal->attribute("/meta", "title", changes.title);
  journal->attribute("/meta", "wall_time", changes.wall_time);
  journal->attribute("/meta", "steps", std::int64_t{5000});
  journal->attribute("/", "model_name", "arm");
  journal->end("finished");
  ASSERT_TRUE(journal->ok()) << journal->error();
}

void convert(const std::string& journal_path, const std::string& results_path) {
  const auto journal = JournalReader::open(journal_path);
  ASSERT_TRUE(journal) << journal.error();
  ASSERT_EQ(write_results(*journal, results_path), "");
}

const DatasetInfo* find(const std::vector<DatasetInfo>& all, const std::string& path) {
  for (const DatasetInfo& info : all)
    if (info.path == path) return &info;
  return nullptr;
}

class Hdf5 : public testing::Test {
 protected:
  void SetUp() override {
    write_journal(folder_ / "run.journal");
    convert(folder_ / "run.journal", file_);
  }
  TemporaryFolder folder_;
  std::string file_ = folder_ / "results.h5";
};

TEST_F(Hdf5, ListsEveryDatasetWithShapeUnitAxisAndFrame) {
  const auto all = list_datasets(file_);
  ASSERT_TRUE(all) << all.error();
  EXPECT_EQ(all->size(), 20U);
  const DatasetInfo* position = find(*all, "/sensors/tip/position");
  ASSERT_NE(position, nullptr);
  EXPECT_EQ(position->shape, (Shape{5000, 2}));
  EXPECT_EQ(position->type, DatasetInfo::Type::real);
  EXPECT_EQ(position->unit, "m");
  EXPECT_EQ(position->frame, "world");
  EXPECT_EQ(position->axis, "/sensors/tip/t");
  EXPECT_EQ(position->doc, "of the tip");
  EXPECT_LT(position->stored_bytes, 80000U) << "large datasets are compressed";
  EXPECT_EQ(find(*all, "/sensors/tip/t")->axis, "");
  EXPECT_EQ(find(*all, "/analysis/hang/q")->axis, "/analysis/hang/load_factor");
  EXPECT_EQ(find(*all, "/analysis/move/lambda")->shape, (Shape{2500, 0}));
  EXPECT_EQ(find(*all, "/sensors/never/value")->shape, (Shape{0, 2, 3}));
  EXPECT_EQ(find(*all, "/solver/iterations")->type, DatasetInfo::Type::integer);
  EXPECT_EQ(find(*all, "/solver/iterations")->unit, "1");
  EXPECT_EQ(find(*all, "/scene/text")->type, DatasetInfo::Type::text);
  EXPECT_EQ(find(*all, "/scene/files/data/pump.csv")->type, DatasetInfo::Type::bytes);
}

TEST_F(Hdf5, GivesBackTheSameBits) {
  const auto position = read_dataset(file_, "/sensors/tip/position");
  ASSERT_TRUE(position) << position.error();
  for (int i = 0; i < 5000; ++i) {
    ASSERT_EQ(position->reals[2 * i], std::sin(1e-3 * i));
    ASSERT_EQ(position->reals[2 * i + 1], std::cos(1e-3 * i));
  }
  const auto iterations = read_dataset(file_, "/solver/iterations");
  ASSERT_TRUE(iterations);
  EXPECT_EQ(iterations->integers[4], 3);
  EXPECT_EQ(read_dataset(file_, "/scene/text")->text, "title = \"arm\"\n");
  EXPECT_EQ(read_dataset(file_, "/model/summary")->text, "");
  EXPECT_EQ(read_dataset(file_, "/scene/files/data/pump.csv")->text, std::string("t,p\n0,\0\n", 8));
  const auto reference = read_dataset(file_, "/model/reference");
  EXPECT_EQ(reference->reals, (Reals{0, 0.5, 1, 1.5}));
  EXPECT_EQ(reference->info.shape, (Shape{2, 2}));
  EXPECT_EQ(read_dataset(file_, "/model/first_slot")->integers, (std::vector<std::int64_t>{0, 2, 4}));
}

TEST_F(Hdf5, KeepsAttributesAndTheLastCheckpoint) {
  const auto attributes = list_attributes(file_);
  ASSERT_TRUE(attributes) << attributes.error();
  std::vector<std::string> lines;
  for (const Attribute& a : *attributes)
    lines.push_back(a.path + "@" + a.name + "=" +
                    (a.kind == Attribute::Kind::text      ? a.text
                     : a.kind == Attribute::Kind::integer ? std::to_string(a.integer)
                                                          : std::to_string(a.real)));
  const auto has = [&](const char* line) { return std::find(lines.begin(), lines.end(), line) != lines.end(); };
  EXPECT_TRUE(has("/@format=flexura-results"));
  EXPECT_TRUE(has("/@format_version=1"));
  EXPECT_TRUE(has("/@status=finished"));
  EXPECT_TRUE(has("/@model_name=arm"));
  EXPECT_TRUE(has("/analysis/move@type=dynamic"));
  EXPECT_TRUE(has("/analysis/move@doc=motion"));
  EXPECT_TRUE(has("/sensors/tip/position@at=actuator.end"));
  EXPECT_TRUE(has("/meta@steps=5000"));
  EXPECT_TRUE(has("/meta@wall_time=1.000000"));
  const auto checkpoint = read_checkpoint(file_);
  ASSERT_TRUE(checkpoint) << checkpoint.error();
  EXPECT_EQ(*checkpoint->reals("q"), (Reals{1, 2, 3, 4}));
  EXPECT_EQ(*checkpoint->reals("t"), Reals{2.5});
  EXPECT_EQ((*checkpoint->integers("order")), std::vector<std::int64_t>{1});
}

TEST_F(Hdf5, EqualJournalsGiveEqualFiles) {
  convert(folder_ / "run.journal", folder_ / "again.h5");
  const auto first = read_file(file_), second = read_file(folder_ / "again.h5");
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(*first == *second);
}

TEST_F(Hdf5, ComparisonFindsOneChangedBitAndIgnoresTheClock) {
  const auto compare = [&](const Changes& changes) {
    write_journal(folder_ / "other.journal", changes);
    convert(folder_ / "other.journal", folder_ / "other.h5");
    const auto lines = compare_results(file_, folder_ / "other.h5");
    EXPECT_TRUE(lines) << lines.error();
    return *lines;
  };
  EXPECT_EQ(compare({.wall_time = 7}), std::vector<std::string>{});
  EXPECT_EQ(compare({.title = "leg"}), std::vector<std::string>{"attribute /meta@title: arm and leg"});
  const auto changed = compare({.position = 1e-15});
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_TRUE(changed[0].starts_with("/sensors/tip/position: 1 of 10000 values differ, the first at [4321,1]: "))
      << changed[0];
}

TEST_F(Hdf5, AnUnfinishedJournalGivesResultsUpToItsLastRecord) {
  const auto whole = read_file(folder_ / "run.journal");
  ASSERT_TRUE(whole);
  ASSERT_EQ(write_file(folder_ / "cut", std::string_view(*whole).substr(0, whole->size() / 2)), "");
  convert(folder_ / "cut", folder_ / "cut.h5");
  const auto position = read_dataset(folder_ / "cut.h5", "/sensors/tip/position");
  ASSERT_TRUE(position) << position.error();
  EXPECT_GT(position->info.shape[0], 2000U);
  EXPECT_LT(position->info.shape[0], 3000U);
  EXPECT_EQ(position->reals[1000], std::sin(0.5));
  EXPECT_EQ(list_attributes(folder_ / "cut.h5")->at(2).text, "unfinished");
}

TEST_F(Hdf5, MessagesNameTheFileAndTheCause) {
  EXPECT_NE(read_dataset(file_, "/sensors/top").error().find("cannot read dataset '/sensors/top'"), std::string::npos);
  EXPECT_NE(list_datasets(folder_ / "none.h5").error().find("No such file"), std::string::npos)
      << list_datasets(folder_ / "none.h5").error();
  ASSERT_EQ(write_file(folder_ / "text.h5", "no"), "");
  EXPECT_NE(list_datasets(folder_ / "text.h5").error().find("cannot open the file"), std::string::npos);
  const auto journal = JournalReader::open(folder_ / "run.journal");
  EXPECT_NE(write_results(*journal, "/proc/none/results.h5"), "");
}

TEST(Hdf5Results, TwoThingsAtOnePathAreAnErrorAndLeaveNoFile) {
  const TemporaryFolder folder;
  {
    auto journal = JournalWriter::create(folder / "run.journal");
    journal->blob("/sensors/tip/t", "text");
    journal->define({"/sensors/tip", "", {{"t", {}, "s", "time"}}});
  }
  const auto journal = JournalReader::open(folder / "run.journal");
  ASSERT_TRUE(journal) << journal.error();
  const std::string error = write_results(*journal, folder / "results.h5");
  EXPECT_NE(error.find("make dataset '/sensors/tip/t'"), std::string::npos) << error;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / ""), {}), 1);
}

}  // namespace
}  // namespace flexura
