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
  TensionData read(const std::string& text, const TensionFormat& format = {}) {
    return read_tension_files({{write("test.csv", text), {}}}, format).data.at(0);
  }
  /// What is said of the files, without the folder.
  std::string problems(const std::vector<TensionFile>& files, const TensionFormat& format = {}) {
    try {
      read_tension_files(files, format);
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
  std::string problems(const std::string& text, const TensionFormat& format = {}) {
    return problems({{write("test.csv", text), {}}}, format);
  }

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
  const TensionReading reading = read_tension_files({{path, TensionTest::equibiaxial}}, {.unit = "MPa"});
  EXPECT_EQ(reading.data.at(0).test, TensionTest::equibiaxial);
  EXPECT_NEAR(reading.data.at(0).stress.at(0), 5e4, 1e-9);
  EXPECT_TRUE(reading.warnings.empty());
}

// A header, lines before it, units below it, quotes, and one number after another: one table, in every spelling.
TEST_F(TensionFiles, OfTestingMachinesAreRead) {
  const std::vector<double> stretch{1.1, 1.5, 2}, stress{0.11e6, 0.42e6, 0.7e6};
  const std::string spellings[] = {
      "# test: uniaxial\nstretch,stress [MPa]\n1.1,0.11\n1.5,0.42\n2,0.7\n",
      "\xef\xbb\xbf# test: uniaxial\r\nstretch,stress [MPa]\r\n1.1,0.11\r\n1.5,0.42\r\n2,0.7\r\n",
      "# test: uniaxial\n\"stretch\",\"stress [MPa]\"\n\"1.1\",\"0.11\"\n\"1.5\",\"0.42\"\n\"2\",\"0.7\"\n",
      "# test: uniaxial\nstretch;stress [MPa]\n1,1;0,11\n1,5;0,42\n2;0,7\n",
      "# test: uniaxial\nstretch\tstress [MPa]\n1,1\t0,11\n1,5\t0,42\n2,0\t0,70\n",
      "# test: uniaxial\nstretch;stress [Pa]\n1,1;110.000\n1,5;420.000\n2,0;700.000\n",
      "# test: uniaxial\nstretch;stress [Pa]\n1.1;\"110,000\"\n1.5;\"420,000\"\n2.0;\"700,000\"\n",
      "Operator;Smith\nDate;1.2.2026\nRate;450\n# test: uniaxial\nstretch;stress\n-;MPa\n1.1;0.11\n1.5;0.42\n2;0.7\n",
      "Specimen,1\n\n# test: uniaxial\nTime,Strain,Stress\n(s),(%),(kPa)\n1,10,110\n2,50,420\n3,100,700\n",
      "# test: uniaxial\nTime,Load,Tensile strain (Extension) [%],Tensile stress "
      "(MPa)\n1,9,10,0.11\n2,9,50,0.42\n3,9,100,0.7\n",
      "# test: uniaxial\nstress (engineering) [MPa],strain (engineering),strain rate "
      "[1/s]\n.11,.1,9\n.42,.5,9\n.7,1,9\n",
      "# test: uniaxial\nstress at break [MPa],transverse strain,stretch,stress "
      "[N/mm^2]\n9,9,1.1,.11\n9,9,1.5,.42\n9,9,2,.7\n",
      "# test: uniaxial\ndate,stretch,stress [MPa]\n2026-01-01,1.1,.11\n2026-01-02,1.5,.42\n2026-01-03,2,.7\n",
      "# test: uniaxial\nstretch,stress [MPa],remark\n1.1,.11,\n1.5,.42,soft\n2,.7,\n",
      "# test: uniaxial\nstretch,stress [MPa]\n1.1,1.1e-1\n1.5,+0.42\n2.,7E-1\n",
      "# test: uniaxial\nstretch   stress[MPa]\n1.1   0.11\n1.5   0.42 \n2.0   0.70\n",
  };
  for (const std::string& text : spellings) {
    ASSERT_EQ(problems(text), "") << text;
    const TensionData data = read(text);
    ASSERT_EQ(data.stretch.size(), 3u) << text;
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(data.stretch[i], stretch[i], 1e-12) << text;
      EXPECT_NEAR(data.stress[i], stress[i], 1e-6) << text;
    }
  }
}

// True strain and stress: λ = exp ε, P = σ/λ.
TEST_F(TensionFiles, MayHoldTrueStrain) {
  for (const char* name : {"true_strain", "True strain", "Strain (true)", "logarithmic strain", "Hencky strain"}) {
    const TensionData data =
        read(std::string("# test: uniaxial\n") + name + ",true stress [MPa]\n0.1,0.3\n0.2,0.6\n0.4,1.2\n");
    EXPECT_NEAR(data.stretch[2], std::exp(0.4), 1e-12) << name;
    EXPECT_NEAR(data.stress[2], 1.2e6 / std::exp(0.4), 1e-6) << name;
  }
}

TEST_F(TensionFiles, TakeColumnsByOptions) {
  const std::string text = "# test: uniaxial\nA;B;C (MPa)\n1;0,1;0,11\n2;0,5;0,42\n3;1;0,7\n";
  for (const auto& [strain, stress] : {std::pair{"2", "3"}, {"B", "C"}, {"B", "C (MPa)"}}) {
    const TensionData data = read(text, {.unit = "", .columns = {{"strain", strain}, {"stress", stress}}});
    EXPECT_EQ(data.stretch, (std::vector<double>{1.1, 1.5, 2}));
    EXPECT_NEAR(data.stress[1], 4.2e5, 1e-6);
  }
  EXPECT_EQ(
      problems(text, {.unit = "", .columns = {{"strain", "0"}, {"stress", "3"}}}),
      "test.csv:2:1: there is no column \"0\" as --column strain=0 says; there are 1 \"A\", 2 \"B\", 3 \"C (MPa)\"\n"
      "test.csv:2:1: there is no column of deformation: stretch, strain or true_strain; the columns are 1 \"A\", 2 "
      "\"B\", 3 \"C (MPa)\": choose one, as in --column strain=2\n");
  EXPECT_EQ(problems(text, {.unit = "", .columns = {{"strain", "2"}, {"stretch", "3"}}}).substr(0, 30),
            ":0:0: strain and stretch are b");
}

// Loading is kept where unloading differs; where it does not, and where rows are in another order, all rows are.
TEST_F(TensionFiles, KeepTheLoadingBranch) {
  const auto count = [&](const std::vector<double>& stretch, double softening, TensionBranch branch, bool& warned) {
    TensionData data{.name = "made", .test = TensionTest::uniaxial, .stretch = stretch, .stress = {}};
    double before = 1;
    for (const double l : stretch) {
      const double P = l - 1 / (l * l);
      data.stress.push_back(1e5 * P * (l < before ? softening : 1));
      before = l;
    }
    warned = keep_branch(data, branch).has_value();
    return data.stretch.size();
  };
  using enum TensionBranch;
  bool warned = false;
  const std::vector<double> cycle{1.1, 1.4, 1.7, 2, 1.7, 1.4, 1.1}, cycles{1, 1.5, 2, 1.5, 1, 1.5, 2, 2.5, 2, 1.5, 1};
  EXPECT_EQ(count(cycle, 0.5, loading, warned), 4u);
  EXPECT_TRUE(warned);
  EXPECT_EQ(count(cycle, 0.5, unloading, warned), 3u);
  EXPECT_EQ(count(cycle, 0.5, all, warned), 7u);
  EXPECT_EQ(count(cycle, 0.999, loading, warned), 7u);
  EXPECT_FALSE(warned);
  EXPECT_EQ(count(cycles, 0.5, loading, warned), 6u);                      // 1, 1.5, 2 and 1.5, 2, 2.5
  EXPECT_EQ(count({2, 1.7, 1.4, 1.1}, 1, loading, warned), 4u);            // sorted the other way
  EXPECT_EQ(count({0.5, 0.8, 1.2, 1.6, 2}, 1, loading, warned), 5u);       // compression and tension in one table
  EXPECT_EQ(count({1.2, 2, 1.1, 1.8, 1.5, 1.9}, 1, loading, warned), 6u);  // in no order
  EXPECT_EQ(count({1.1, 1.5, 1.49, 1.8, 2}, 0.5, loading, warned), 5u);    // noise of the extensometer
  EXPECT_FALSE(warned);
}

TEST_F(TensionFiles, ReportEveryProblemOfAllFiles) {
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
      "a.csv:2:1: there is no column of deformation: stretch, strain or true_strain; the columns are 1 \"strech\", 2 "
      "\"stress "
      "[MPs]\": choose one, as in --column strain=2 nearest stretch\n"
      "a.csv:2:9: \"MPs\" is not a unit; expected [Pa] nearest MPa\n"
      "b.csv:0:0: nothing says which test this is: a line \"# test: uniaxial\" (\"uniaxial\", \"equibiaxial\" or "
      "\"planar\"), "
      "or the option of that name\n"
      "b.csv:1:10: the stress has no unit: write it as in \"stress [MPa]\", or give --unit\n"
      "b.csv:2:6: 'x' is not a number\n"
      "b.csv:3:1: the row has 1 cells, line 1 has 2\n"
      "c.csv:2:10: \"N\" has the wrong dimension; expected [Pa]\n");
}

TEST_F(TensionFiles, KnowThatAStretchIsPositive) {
  const std::string head = "# test: uniaxial\nstretch,stress [MPa]\n";
  EXPECT_EQ(problems(head + "0,0\n0.1,0.05\n0.2,0.1\n"),
            "test.csv:3:1: a stretch is more than 0; if this is strain, name the column \"strain\", or give --column "
            "strain=COLUMN\n");
  EXPECT_EQ(problems(head + "1,0\n1.1,0.05\n1.1,0.1\n"),
            "test.csv:0:0: 2 points with a stretch other than 1; a fit takes three at least\n");
  EXPECT_EQ(problems("# test: uniaxial\nstretch,stress [MPa],strain\n1.1,0,0\n"),
            "test.csv:2:22: a second column of deformation: 1 \"stretch\", 3 \"strain\"; choose one, as in --column "
            "stretch=1\n");
}

TEST_F(TensionFiles, AreRefusedWhereNoRubberIs) {
  const std::string head = "# test: uniaxial\nstretch,stress [MPa]\n";
  const std::string no_growth =
      "test.csv:0:0: the stresses do not grow with the stretch: tension is positive, compression negative\n";
  EXPECT_EQ(problems(head + "1.1,0\n1.2,0\n1.3,0\n"), no_growth);
  EXPECT_EQ(problems(head + "1.1,-1\n1.2,-2\n1.3,-3\n"), no_growth);
  EXPECT_EQ(
      problems(head + "0.1,0.11\n0.5,0.42\n0.9,0.7\n"),
      "test.csv:0:0: the stresses do not grow with the stretch; if this is strain, name the column \"strain\", or give "
      "--column strain=COLUMN\n");
  EXPECT_EQ(problems(head + "1.1,1\n1e200,2\n1.3,3\n"),
            "test.csv:0:0: point 2: a stretch of 1e+200; no rubber comes to 1/1000 or 1000\n");
}

TEST_F(TensionFiles, AreUnreadableOnlyIfNothingElseIsWrong) {
  EXPECT_THROW(read_tension_files({{"/nowhere/a.csv", {}}}, {}), UnreadableFiles);
  const std::string path = write("a.csv", "1,2\n");
  try {
    read_tension_files({{"/nowhere/a.csv", {}}, {path, {}}}, {});
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
               {})
        .warnings;
  };
  EXPECT_TRUE(warnings("MPa").empty());
  ASSERT_EQ(warnings("GPa").size(), 1u);
  EXPECT_NE(warnings("GPa")[0].message.find("Is the unit of stress right?"), std::string::npos);
  EXPECT_EQ(warnings("kPa").size(), 1u);
}

TEST_F(TensionFiles, WarnOfPercentsAndSigns) {
  const auto warnings = [&](const std::string& rows) {
    return read_tension_files({{write("t.csv", "# test: uniaxial\nstretch,stress [MPa]\n" + rows), {}}}, {}).warnings;
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
               {})
        .warnings;
  };
  EXPECT_TRUE(warnings("1.1,13\n1.5,48\n2,75\n").empty());
  const std::vector<Problem> found = warnings("1.1,1.3\n1.5,4.8\n2,7.5\n");
  ASSERT_EQ(found.size(), 2u);  // too soft, and too far apart
  EXPECT_NE(found[1].message.find("are they of one material"), std::string::npos);
}

}  // namespace
}  // namespace flexura::test
