#include "flexura/output/drawing_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "flexura/base/file.hpp"
#include "flexura/base/temporary_folder.hpp"
#include "flexura/output/drawn_run.hpp"
#include "flexura/output/hdf5_results.hpp"
#include "flexura/output/journal.hpp"
#include "tests/output/drawing_testing.hpp"

namespace flexura {
namespace {

using namespace testing;

/// What `write` puts into a journal, as a results file.
ResultsFile written(const TemporaryFolder& folder, auto&& write) {
  const std::string journal = folder / "run.journal", results = folder / "results.h5";
  {
    auto writer = JournalWriter::create(journal);
    write(*writer);
    writer->end("finished");
    EXPECT_EQ(writer->error(), "");
  }
  EXPECT_EQ(write_results(*JournalReader::open(journal), results), "");
  return *ResultsFile::open(results);
}

class StoredDrawings : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StoredDrawings);
INSTANTIATE_TEST_SUITE_P(All, StoredDrawings, ::testing::ValuesIn(example_files()),
                         [](const auto& scene) { return std::filesystem::path(scene.param).stem().string(); });

TEST_P(StoredDrawings, ReadBackAsTheyWere) {
  const Drawn drawn = Drawn::file(GetParam());
  const TemporaryFolder folder;
  const ResultsFile results = written(folder, [&](JournalWriter& writer) {
    for (size_t m = 0; m < drawn.drawings.size(); ++m)
      write_drawing(writer, static_cast<int>(m), drawn.drawings[m].drawing);
  });
  for (size_t m = 0; m < drawn.drawings.size(); ++m) {
    const auto back = read_drawing(results, static_cast<int>(m));
    ASSERT_TRUE(back) << back.error();
    EXPECT_TRUE(*back == drawn.drawings[m].drawing);
  }
  for (const DatasetInfo& dataset : results.datasets()) {
    EXPECT_NE(dataset.doc, "") << dataset.path;
    if (dataset.type != DatasetInfo::Type::text) {
      EXPECT_NE(dataset.unit, "") << dataset.path;
    }
  }
  EXPECT_NE(read_drawing(results, static_cast<int>(drawn.drawings.size())).error().find("there is no drawing"),
            std::string::npos);
}

TEST(StoredDrawing, OfALaterVersionIsRefusedByItsVersion) {
  const TemporaryFolder folder;
  const ResultsFile results = written(folder, [](JournalWriter& writer) {
    write_drawing(writer, 0, {});
    writer.attribute("/drawing", "version", std::int64_t{drawing_version + 1});
  });
  EXPECT_NE(read_drawing(results, 0).error().find("a drawing of version 2; this program reads version 1"),
            std::string::npos);
}

TEST(StoredDrawing, WhoseColoursLieOutsideIsRefused) {
  for (const int wrong : {0, 1, 2}) {
    Drawing drawing;
    drawing.field_points = 4;
    Drawable& arm = drawing.drawables.emplace_back();
    arm.name = "beam.arm";
    if (wrong == 0) arm.quantity = 0;
    if (wrong == 1) arm.field = 3, arm.field_count = 2;
    if (wrong == 2) arm.field = -7, arm.field_count = 1;
    const TemporaryFolder folder;
    const ResultsFile results = written(folder, [&](JournalWriter& writer) { write_drawing(writer, 0, drawing); });
    // A negative number is not written: it stands for none.
    if (wrong == 2) {
      EXPECT_TRUE(read_drawing(results, 0));
    } else {
      EXPECT_NE(read_drawing(results, 0).error().find("what colours 'beam.arm' is not in the drawing"),
                std::string::npos);
    }
  }
}

// A tetrahedron of four nodes on one slot; then a node, a field point or a number of nodes that there is not.
TEST(StoredDrawing, WhoseCellsLieOutsideIsRefused) {
  for (const int wrong : {0, 1, 2, 3}) {
    Drawing drawing;
    drawing.field_points = 1;
    drawing.slots.emplace_back();
    Drawable& leg = drawing.drawables.emplace_back();
    leg.name = "solid.leg";
    for (int node = 0; node < 4; ++node) leg.nodes.add(0, 1), leg.nodes.end_row();
    leg.node_fields = {0, no_node_field, no_node_field, wrong == 2 ? 1 : 0u};
    leg.cells = {0, 1, 2, wrong == 1 ? 4u : 3u};
    leg.cell_nodes = {wrong == 3 ? 5u : 4u};
    const TemporaryFolder folder;
    const ResultsFile results = written(folder, [&](JournalWriter& writer) { write_drawing(writer, 0, drawing); });
    if (const auto back = read_drawing(results, 0); wrong == 0) {
      ASSERT_TRUE(back) << back.error();
      EXPECT_TRUE(*back == drawing);
    } else {
      EXPECT_NE(back.error().find("the cells of 'solid.leg' do not fit"), std::string::npos) << wrong;
    }
  }
}

// Results of before: what to do is said, and by which program they were made.
TEST(StoredDrawing, ThatIsMissingIsSaidWithTheRemedy) {
  const TemporaryFolder folder;
  const ResultsFile results = written(
      folder, [](JournalWriter& writer) { writer.attribute("/meta", "program", std::string_view("flexura 0.0.9")); });
  const auto run = read_drawn_run(results);
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().find("holds no drawing: flexura 0.0.9 did not keep it"), std::string::npos) << run.error();
  EXPECT_NE(run.error().find("run the scene again"), std::string::npos);
}

/// Three field points, one field and another, a force between two moments.
Drawing small_drawing() {
  Drawing drawing;
  drawing.field_points = 3;
  drawing.fields = {{"axial strain", "1", "of the line", true}, {"pressure left/air", "Pa", "there", true}};
  drawing.quantities = {{"load.a", "N m"}, {"load.b", "N"}, {"load.c", "N m"}};
  return drawing;
}

TEST(StoredDrawing, NumbersOverTimeReadBackInTheirOrder) {
  const Drawing drawing = small_drawing();
  const TemporaryFolder folder;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values{0.5, nan, -1, 1e5, 2e5, 0.1}, arrows{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const ResultsFile results = written(folder, [&](JournalWriter& writer) {
    const ChannelId id = *writer.define(drawing_channel(0, "move", {"t", {}, "s", "time"}, drawing));
    std::vector<double> row;
    for (const double t : {0.0, 0.1}) {
      drawing_row(drawing, t, values, arrows, row);
      EXPECT_TRUE(writer.row(id, row));
    }
  });
  const std::string table = drawing_table(0, "move");
  EXPECT_EQ(results.find(table + "/forces")->shape, (std::vector<std::uint64_t>{2, 1, 3}));
  const std::uint64_t rows[] = {1};
  const auto back = read_drawing_rows(results, table, drawing, rows);
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->quantities, arrows);
  ASSERT_EQ(back->values.size(), values.size());
  EXPECT_TRUE(std::isnan(back->values[1]));
  EXPECT_EQ(back->values[3], 1e5);
  EXPECT_EQ(back->values[5], static_cast<double>(0.1F)) << "of single precision";
}

// A journal keeps two such numbers where it keeps one of the others, and a run goes on with them.
TEST(PackedRows, TakeHalfTheRoomAndSurviveAStop) {
  const TemporaryFolder folder;
  const std::string path = folder / "run.journal";
  const Channel channel{
      "/a", "", {{"t", {}, "s", ""}, {"x", {101}, "1", "", {}, {}, ColumnType::single}, {"n", {2}, "1", ""}}};
  EXPECT_EQ(channel.size(), 104U);
  EXPECT_EQ(channel.words(), 1 + 51 + 2U);
  std::vector<double> row(104);
  for (size_t k = 0; k < row.size(); ++k) row[k] = 0.25 * static_cast<double>(k);
  {
    auto writer = JournalWriter::create(path);
    const ChannelId id = *writer->define(channel);
    const std::uint64_t before = writer->size();
    ASSERT_TRUE(writer->row(id, {row[0], std::span<const double>(row).subspan(1)}));
    EXPECT_EQ(writer->size() - before, 16 + 8 * channel.words());
    const double x = 1;
    ASSERT_TRUE(writer->checkpoint({{"x", x}}));
  }
  auto resumed = resume_journal(path);
  ASSERT_TRUE(resumed) << resumed.error();
  ASSERT_TRUE(resumed->writer.row(*resumed->writer.define(channel), row));
  resumed->writer.end("finished");
  const auto rows = JournalReader::open(path)->read_rows(0);
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2 * row.size());
  for (size_t k = 0; k < rows->size(); ++k) EXPECT_EQ((*rows)[k], row[k % row.size()]);
}

}  // namespace
}  // namespace flexura
