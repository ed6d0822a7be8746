#pragma once
// Measured tension of rubber, from tables of numbers:
//
//     # test: equibiaxial
//     stretch, stress [MPa]
//     1.03, 0.093
//
// One column of deformation, `stretch`, `strain` or `true_strain`, and one of stress, `stress` (nominal) or `true_stress`, in any
// order and among others. Options say what the header does not: the kind of test, the columns, the unit of stress. Tables of
// testing machines: tension_table.hpp.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "flexura/base/problem.hpp"
#include "flexura/material/homogeneous.hpp"
#include "flexura/scene/source_texts.hpp"
#include "flexura/scene/tension_table.hpp"

namespace flexura {

struct TensionData {
  std::string name;  ///< the file, or what a table is called
  TensionTest test = TensionTest::uniaxial;
  std::vector<double> stretch;
  std::vector<double> stress;  ///< nominal [Pa]
};

struct TensionFile {
  std::string path;
  std::optional<TensionTest> test;  ///< in place of what the file says
};

/// Rows of a test that are kept where it goes up and down.
enum class TensionBranch { loading, unloading, all };
inline constexpr std::array<std::string_view, 3> tension_branch_names{"loading", "unloading", "all"};

/// How files are read.
struct TensionFormat {
  std::string unit = {};                            ///< of stress where a header has none, as "MPa"; "": an error there
  std::map<std::string, std::string> columns = {};  ///< "stretch", "true_stress", …: a heading, or a number from 1
  DecimalMark decimal = DecimalMark::automatic;
  TensionBranch branch = TensionBranch::loading;
};
/// Measures of deformation and of stress: keys of TensionFormat::columns.
std::vector<std::string> tension_measures();

struct TensionReading {
  std::vector<TensionData> data;
  std::vector<Problem> warnings;
  SourceTexts texts;
};

/// Reads all files. Throws SceneError with every problem of all files, UnreadableFiles where nothing else is wrong.
TensionReading read_tension_files(const std::vector<TensionFile>& files, const TensionFormat& format = {});

/// Keeps the rows of one branch where a test goes up and down and its branches differ; returns a warning where rows of
/// unloading are left out by default.
std::optional<Problem> keep_branch(TensionData& data, TensionBranch branch);

/// What is wrong with numbers that came from elsewhere; `source` of each names the data.
std::vector<Problem> tension_problems(const TensionData& data);
/// What is odd about them: units off by a thousand, percents, stresses of the wrong sign, tests that differ much.
std::vector<Problem> tension_warnings(const std::vector<TensionData>& data);

/// Least squares of a neo-Hookean body, for a first guess [Pa].
double rough_shear_modulus(const TensionData& data);

}  // namespace flexura
