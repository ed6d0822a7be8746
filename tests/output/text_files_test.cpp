// CSV, VTK and JSON.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "flexura/base/base64.hpp"
#include "flexura/base/file.hpp"
#include "flexura/base/json.hpp"
#include "flexura/base/temporary_folder.hpp"
#include "flexura/output/csv_file.hpp"
#include "flexura/output/journal.hpp"
#include "flexura/output/vtk_file.hpp"
#include "tests/output/well_formed.hpp"

namespace flexura {
namespace {

// ---- CSV ----

TEST(Csv, HasATimeColumnUnitsAndNumbersThatReadBackAsTheSameBits) {
  const Channel channel{"/sensors/tip", "", {{"t", {}, "s", ""}, {"position", {2}, "m", "", "world", {"x", "y"}}}};
  const std::vector<double> rows{0, 0.1, -0.0, 1e-3, 1.0 / 3, 5e-324};
  const std::string text = csv_text(table_of(channel, rows));
  EXPECT_EQ(text,
            "t [s],position.x [m],position.y [m]\n"
            "0,0.1,-0\n"
            "0.001,0.3333333333333333,5e-324\n");
  EXPECT_EQ(std::strtod("0.3333333333333333", nullptr), 1.0 / 3);
}

TEST(Csv, NamesEveryComponentAndQuotesWhatMustBe) {
  const Channel channel{
      "/sensors/a,b",
      "",
      {{"load_factor", {}, "", ""}, {"value", {}, "N m", ""}, {"q", {2, 2}, "m", "", "", {"x", "y"}}}};
  EXPECT_EQ(csv_text(table_of(channel, {})), "load_factor [1],\"a,b [N m]\",q.0.x [m],q.0.y [m],q.1.x [m],q.1.y [m]\n");
}

TEST(Csv, OneFilePerSensor) {
  const TemporaryFolder folder;
  auto writer = JournalWriter::create(folder / "run.journal");
  const auto tip = writer->define({"/sensors/tip", "", {{"t", {}, "s", ""}, {"value", {}, "m", ""}}});
  const auto deep = writer->define({"/sensors/left/tip", "", {{"t", {}, "s", ""}, {"value", {}, "m", ""}}});
  const auto other = writer->define({"/energies", "", {{"t", {}, "s", ""}, {"kinetic", {}, "J", ""}}});
  writer->row(*tip, {0.0, 1.0});
  writer->row(*deep, {0.5, 2.0});
  writer->row(*other, {0.0, 3.0});
  writer->end("finished");
  const auto reader = JournalReader::open(folder / "run.journal");
  ASSERT_TRUE(reader) << reader.error();
  const auto paths = write_csv_files(*reader, kept_tables(*reader), folder / "csv");
  ASSERT_TRUE(paths) << paths.error();
  EXPECT_EQ(*paths, (std::vector<std::string>{folder / "csv/tip.csv", folder / "csv/left.tip.csv"}));
  EXPECT_EQ(*read_file(folder / "csv/tip.csv"), "t [s],tip [m]\n0,1\n");
  EXPECT_EQ(*read_file(folder / "csv/left.tip.csv"), "t [s],tip [m]\n0.5,2\n");
}

TEST(Csv, PathsModesAndCriticalPointsHaveTablesToo) {
  const TemporaryFolder folder;
  auto writer = JournalWriter::create(folder / "run.journal");
  const ChannelColumn factor{"load_factor", {}, "1", ""}, q{"q", {2}, "m", ""};
  writer->define({"/sensors/tip", "", {{"t", {}, "s", ""}, {"value", {}, "m", ""}}});
  const auto taken = writer->define({"/sensors/pull/tip", "", {{"t", {}, "s", ""}, {"value", {}, "m", ""}}});
  const auto states = writer->define({"/analysis/pull", "", {factor, q}});
  const auto tip = writer->define({"/analysis/pull/sensors/tip", "", {factor, {"value", {}, "m", ""}}});
  const auto points = writer->define({"/analysis/pull/critical", "", {factor, {"bifurcation", {}, "1", ""}, q}});
  const auto modes = writer->define({"/analysis/about", "", {{"mode", {}, "1", ""}, {"frequency", {}, "Hz", ""}, q}});
  writer->row(*states, {0.5, 1.0, 2.0});
  writer->row(*tip, {0.5, 3.0});
  writer->row(*taken, {0.1, 4.0});
  writer->row(*points, {0.25, 1.0, 5.0, 6.0});
  writer->row(*points, {0.75, 0.0, 7.0, 8.0});
  writer->row(*modes, {1.0, 9.5, 1.0, 2.0});
  writer->end("finished");
  const auto reader = JournalReader::open(folder / "run.journal");
  ASSERT_TRUE(reader) << reader.error();
  const auto paths = write_csv_files(*reader, kept_tables(*reader), folder / "csv");
  ASSERT_TRUE(paths) << paths.error();
  EXPECT_EQ(*paths, (std::vector<std::string>{folder / "csv/pull.tip.csv", folder / "csv/pull.tip_.csv",
                                              folder / "csv/pull.critical.csv", folder / "csv/about.csv"}));
  EXPECT_EQ(*read_file(folder / "csv/pull.tip_.csv"), "load_factor [1],tip [m]\n0.5,3\n");
  EXPECT_EQ(*read_file(folder / "csv/pull.critical.csv"), "load_factor [1],bifurcation [1]\n0.25,1\n0.75,0\n");
  EXPECT_EQ(*read_file(folder / "csv/about.csv"), "mode [1],frequency [Hz]\n1,9.5\n");
}

// ---- VTK ----

VtkFrame cable_and_plate() {
  VtkFrame frame;
  frame.time = 0.25;
  frame.points = {0, 0, 0, 1, 0, 0, 2, 0.5, 0, 0, 1, 0, 1, 1, 0, 1, 2, 1.0 / 3};
  frame.vertices = {2};
  frame.lines = {{0, 1, 2}, {3, 4}};
  frame.polygons = {{0, 1, 4, 3}, {3, 4, 5}, {0, 1, 4, 5, 3}};
  frame.point_fields = {{"velocity [m/s]", 3, std::vector<float>(18, 0.5F)},
                        {"strain <1> & more", 1, {0, 1, 2, 3, 4, 5}}};
  frame.cell_fields = {{"part", 1, {0, 1, 2, 3, 4, 5}}};
  return frame;
}

TEST(Base64, VectorsOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST(Base64, ReadsBackAllBytesAndRefusesOtherText) {
  std::string bytes;
  for (int k = 0; k < 256; ++k) {
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
    bytes += static_cast<char>(k);
  }
  for (const char* text : {"Zg", "Zg=", "Z===", "Zm9=v", "Zm9\n", "Zm9vY_==", "=Zg="})
    EXPECT_FALSE(from_base64(text)) << text;
}

TEST(Vtk, FilesAreWellFormed) {
  EXPECT_NE(xml_fault("<a><b></a>"), "") << "the check can fail";
  EXPECT_NE(xml_fault("<a x=\"1<2\"/>"), "");
  for (const VtkEncoding encoding : {VtkEncoding::base64, VtkEncoding::ascii}) {
    EXPECT_EQ(xml_fault(vtu_text(cable_and_plate(), encoding)), "");
    EXPECT_EQ(xml_fault(vtu_text({}, encoding)), "");
  }
}

// VTK's numbers of cell types: 12, 25 and 29 hexahedra of 8, 20 and 27 nodes, 10 and 24 tetrahedra of 4 and 10.
TEST(Vtk, SolidsAreVolumeCells) {
  for (const auto& [nodes, type] : {std::pair{8, 12}, {20, 25}, {27, 29}, {4, 10}, {10, 24}}) {
    VtkFrame frame;
    frame.points.resize(3 * 27);
    frame.volumes.emplace_back();
    for (int k = 0; k < nodes; ++k) frame.volumes[0].push_back(k);
    const std::string text = vtu_text(frame, VtkEncoding::ascii);
    EXPECT_NE(text.find("\"types\" NumberOfComponents=\"1\" format=\"ascii\">" + std::to_string(type) + "</DataArray>"),
              std::string::npos)
        << text;
  }
}

TEST(Vtk, CellsAndFieldsAreWrittenInOrder) {
  const std::string text = vtu_text(cable_and_plate(), VtkEncoding::ascii);
  const auto has = [&](const std::string& part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has("<Piece NumberOfPoints=\"6\" NumberOfCells=\"6\">"));
  EXPECT_TRUE(has(">2 0 1 2 3 4 0 1 4 3 3 4 5 0 1 4 5 3</DataArray>"));
  EXPECT_TRUE(has(">1 4 6 10 13 18</DataArray>"));
  EXPECT_TRUE(has(">1 4 3 9 5 7</DataArray>"));
  EXPECT_TRUE(has("Name=\"strain &lt;1&gt; &amp; more\" NumberOfComponents=\"1\""));
  EXPECT_TRUE(has("1 2 0.33333334</DataArray>"));
  EXPECT_TRUE(has("Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.25<"));
}

TEST(Vtk, Base64HoldsTheLengthAndTheBytes) {
  VtkFrame frame;
  frame.points = {1, -2, 0.1};
  std::string block(20, '\0');
  const std::uint64_t bytes = 12;
  std::memcpy(block.data(), &bytes, 8);
  std::memcpy(block.data() + 8, frame.points.data(), 12);
  EXPECT_NE(vtu_text(frame).find("Name=\"Points\" NumberOfComponents=\"3\" format=\"binary\">" + base64(block) + "<"),
            std::string::npos);
}

TEST(Vtk, SeriesNamesItsFramesAndMoments) {
  const TemporaryFolder folder;
  VtkSeries series(folder / "vtk", "arm");
  VtkFrame frame = cable_and_plate();
  for (const double t : {0.0, 0.1}) {
    frame.time = t;
    ASSERT_EQ(series.write(frame), "");
  }
  ASSERT_EQ(series.finish(), "");
  const auto pvd = read_file(series.pvd_path());
  ASSERT_TRUE(pvd) << pvd.error();
  EXPECT_EQ(xml_fault(*pvd), "");
  EXPECT_NE(pvd->find("<DataSet timestep=\"0.1\" group=\"\" part=\"0\" file=\"arm/arm_000001.vtu\"/>"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder / "vtk/arm/arm_000001.vtu"));
  EXPECT_NE(VtkSeries("/proc/none", "arm").write(frame), "");
}

// ---- JSON ----

TEST(JsonText, NumbersReadBackAsTheSameBits) {
  Json object;
  const std::vector<double> values{0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, 123456789012345680.0, 1e22};
  for (std::size_t i = 0; i < values.size(); ++i) set_number(object, "v" + std::to_string(i), values[i]);
  const auto again = parse_json(json_text(object), "test");
  ASSERT_TRUE(again) << again.error();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = (*again)["v" + std::to_string(i)].get<double>();
    EXPECT_EQ(value, values[i]);
    EXPECT_EQ(std::signbit(value), std::signbit(values[i]));
  }
}

TEST(JsonText, WhatIsNotFiniteIsNullWithAReason) {
  Json object;
  set_number(object, "max", std::nan(""), "no sample was taken");
  set_number(object, "min", -std::numeric_limits<double>::infinity());
  object["raw"] = std::nan("");
  object["name"] = "caf\xe9";
  EXPECT_EQ(json_text(object),
            "{\n  \"max\": null,\n  \"max_reason\": \"no sample was taken\",\n  \"min\": null,\n"
            "  \"min_reason\": \"the value is -inf\",\n  \"raw\": null,\n  \"name\": \"caf\xef\xbf\xbd\"\n}\n");
}

TEST(JsonText, KeysKeepTheirOrderAndErrorsTheirPlace) {
  Json object;
  object["z"] = 1;
  object["a"] = 2;
  EXPECT_EQ(json_text(object), "{\n  \"z\": 1,\n  \"a\": 2\n}\n");
  const auto bad = parse_json("{\"a\": }", "summary.json");
  EXPECT_NE(bad.error().find("'summary.json' is no JSON"), std::string::npos);
}

}  // namespace
}  // namespace flexura
