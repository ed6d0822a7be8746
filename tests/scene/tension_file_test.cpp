#include "flexura/scene/tension_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "flexura/base/temporary_folder.hpp"

namespace flexura::test {
namespace {

class TensionFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  TensionData read(const std::string& text, const std::string& unit = "") {
    return read_tension_files({{write("test.csv", text), {}}}, unit).data.at(0);
  }
  /// What is said of the files, without the folder.
  std::string problems(const std::vector<TensionFile>& files, const std::string& unit = "") {
    try {
      read_tension_files(files, unit);
    } catch (const SceneError& error) {
      std::string text;
      for (const Problem& p : error.problems())
        text += p.source.file.substr(p.source.file.rfind('/') + 1) + ":" + std::to_string(p.source.line) + ":" +
                std::to_string(p.source.column) + ": " + p.message +
                (p.nearest.empty() ? "" : " nearest " + p.nearest) + "\n";
      return text;
    }
    return {};
  }
  std::string problems(const std::string& text) { return problems({{write("test.csv", text), {}}}); }

 private:
  TemporaryFolder folder_;
};

TEST_F(TensionFiles, SayTheirTestAndTheirUnits) {
  const TensionData data =
      read("# a strip\n# test: planar\ntime; Nominal stress (kPa); Strain [%]\n0; 10; 2\n1; 50; 20\n2; 90; 50\n");
  EXPECT_EQ(data.test, TensionTest::planar);
  EXPECT_EQ(data.stretch, (std::vector<double>{1.02, 1.2, 1.5}));
  EXPECT_EQ(data.stress, (std::vector<double>{1e4, 5e4, 9e4}));
}

TEST_F(TensionFiles, MayHoldTrueStress) {
  const TensionData data = read("# test: uniaxial\nstretch,true_stress [MPa]\n1.25,0.5\n1.5,0.9\n2,2\n");
  EXPECT_EQ(data.stress, (std::vector<double>{4e5, 6e5, 1e6}));
}

TEST_F(TensionFiles, WithoutAHeaderAreStretchAndStress) {
  const std::string path = write("plain.csv", "1.1 0.05\n1.2 0.09\n1.3 0.13\n");
  const TensionReading reading = read_tension_files({{path, TensionTest::equibiaxial}}, "MPa");
  EXPECT_EQ(reading.data.at(0).test, TensionTest::equibiaxial);
  EXPECT_NEAR(reading.data.at(0).stress.at(0), 5e4, 1e-9);
  EXPECT_TRUE(reading.warnings.empty());
}

TEST_F(TensionFiles, TellEveryProblemOfAllFiles) {
  const std::string text = problems({
      {write("a.csv", "# test: uniaxal\nstrech, stress [MPs]\n1.1, 2\n"), {}},
      {write("b.csv", "stretch, stress\n1.1, x\n1.2\n"), {}},
      {write("c.csv", "# test: planar\nstretch, stress [N]\n1.1, 0.2\n1.2, 0.3\n1.3, 0.4\n"), {}},
      {"/nowhere/d.csv", {}},
  });
  EXPECT_EQ(
      text,
      "d.csv:0:0: cannot open '/nowhere/d.csv': No such file or directory\n"
      "a.csv:1:9: there is no test \"uniaxal\", but \"uniaxial\", \"equibiaxial\" and \"planar\" nearest uniaxial\n"
      "a.csv:2:1: there is no column of deformation: stretch or strain nearest stretch\n"
      "a.csv:2:9: \"MPs\" is not a unit nearest MPa\n"
      "b.csv:0:0: nothing says which test this is: a line \"# test: uniaxial\" (\"uniaxial\", \"equibiaxial\" or "
      "\"planar\"), "
      "or the option of that name\n"
      "b.csv:1:10: the stress has no unit: write it as in \"stress [MPa]\", or give --unit\n"
      "b.csv:2:6: 'x' is not a number\n"
      "b.csv:3:1: the row has 1 cells, line 1 has 2\n"
      "c.csv:2:10: \"N\" is not a unit of stress\n");
}

TEST_F(TensionFiles, KnowThatAStretchIsPositive) {
  const std::string head = "# test: uniaxial\nstretch,stress [MPa]\n";
  EXPECT_EQ(problems(head + "0,0\n0.1,0.05\n0.2,0.1\n"),
            "test.csv:3:1: a stretch is more than 0; if this is strain, name the column \"strain\"\n");
  EXPECT_EQ(problems(head + "1,0\n1.1,0.05\n1.1,0.1\n"),
            "test.csv:0:0: 2 points with a stretch other than 1; a fit takes three at least\n");
  EXPECT_EQ(problems("# test: uniaxial\nstretch,stress [MPa],strain\n1.1,0,0\n"),
            "test.csv:2:22: a second column of deformation\n");
}

TEST_F(TensionFiles, AreRefusedWhereNoRubberIs) {
  const std::string head = "# test: uniaxial\nstretch,stress [MPa]\n";
  const std::string no_growth =
      "test.csv:0:0: the stresses do not grow with the stretch: tension is positive, compression negative\n";
  EXPECT_EQ(problems(head + "1.1,0\n1.2,0\n1.3,0\n"), no_growth);
  EXPECT_EQ(problems(head + "1.1,-1\n1.2,-2\n1.3,-3\n"), no_growth);
  EXPECT_EQ(problems(head + "0.1,0.11\n0.5,0.42\n0.9,0.7\n"),
            "test.csv:0:0: the stresses do not grow with the stretch; if this is strain, name the column \"strain\"\n");
  EXPECT_EQ(problems(head + "1.1,1\n1e200,2\n1.3,3\n"),
            "test.csv:0:0: point 2: a stretch of 1e+200; no rubber comes to 1/1000 or 1000\n");
}

TEST_F(TensionFiles, AreUnreadableOnlyIfNothingElseIsWrong) {
  EXPECT_THROW(read_tension_files({{"/nowhere/a.csv", {}}}, ""), UnreadableFiles);
  const std::string path = write("a.csv", "1,2\n");
  try {
    read_tension_files({{"/nowhere/a.csv", {}}, {path, {}}}, "");
    FAIL();
  } catch (const SceneError& error) {
    EXPECT_EQ(dynamic_cast<const UnreadableFiles*>(&error), nullptr);
  }
}

// μ = 0.4 MPa; a thousand times more or less is no rubber.
TEST_F(TensionFiles, WarnOfUnitsThatAreOff) {
  const auto warnings = [&](const std::string& unit) {
    return read_tension_files(
               {{write("t.csv", "# test: uniaxial\nstretch,stress [" + unit + "]\n1.1,0.11\n1.5,0.42\n2,0.7\n"), {}}},
               "")
        .warnings;
  };
  EXPECT_TRUE(warnings("MPa").empty());
  ASSERT_EQ(warnings("GPa").size(), 1u);
  EXPECT_NE(warnings("GPa")[0].message.find("Is the unit of stress right?"), std::string::npos);
  EXPECT_EQ(warnings("kPa").size(), 1u);
}

TEST_F(TensionFiles, WarnOfPercentsAndSigns) {
  const auto warnings = [&](const std::string& rows) {
    return read_tension_files({{write("t.csv", "# test: uniaxial\nstretch,stress [MPa]\n" + rows), {}}}, "").warnings;
  };
  EXPECT_NE(warnings("10,0.11\n50,0.42\n100,0.7\n").at(0).message.find("percents"), std::string::npos);
  EXPECT_NE(warnings("1.1,0.11\n1.5,-0.42\n2,0.7\n").at(0).message.find("1 of 3 points"), std::string::npos);
}

// μ = 0.4 MPa beside 40 kPa is let pass, beside 4 kPa not.
TEST_F(TensionFiles, OfOneMaterialHaveMuchTheSameModulus) {
  const auto warnings = [&](const std::string& rows) {
    return read_tension_files(
               {{write("a.csv", "# test: uniaxial\nstretch,stress [MPa]\n1.1,0.11\n1.5,0.42\n2,0.7\n"), {}},
                {write("b.csv", "# test: planar\nstretch,stress [kPa]\n" + rows), {}}},
               "")
        .warnings;
  };
  EXPECT_TRUE(warnings("1.1,13\n1.5,48\n2,75\n").empty());
  const std::vector<Problem> found = warnings("1.1,1.3\n1.5,4.8\n2,7.5\n");
  ASSERT_EQ(found.size(), 2u);  // too soft, and too far apart
  EXPECT_NE(found[1].message.find("are they of one material"), std::string::npos);
}

}  // namespace
}  // namespace flexura::test
