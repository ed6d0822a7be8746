#pragma once
// Measured tension of rubber, from tables of numbers:
//
//     # test: equibiaxial
//     stretch, stress [MPa]
//     1.03, 0.093
//
// One column of deformation, `stretch` or `strain`, and one of stress, `stress` (nominal) or `true_stress`, in any order and among
// others. What the header does not say, whoever reads may: the kind of test and the unit of stress.

#include <optional>
#include <string>
#include <vector>

#include "flexura/base/problem.hpp"
#include "flexura/material/homogeneous.hpp"
#include "flexura/scene/source_texts.hpp"

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

struct TensionReading {
  std::vector<TensionData> data;
  std::vector<Problem> warnings;
  SourceTexts texts;
};

/// Reads all files; `unit` is that of stress where a header has none, or "". Throws SceneError with every problem of all files,
/// UnreadableFiles where nothing else is wrong.
TensionReading read_tension_files(const std::vector<TensionFile>& files, const std::string& unit);

/// What is wrong with numbers that came from elsewhere; `source` of each names the data.
std::vector<Problem> tension_problems(const TensionData& data);
/// What is odd about them: units off by a thousand, percents, stresses of the wrong sign, tests that differ much.
std::vector<Problem> tension_warnings(const std::vector<TensionData>& data);

/// Least squares of a neo-Hookean body, for a first guess [Pa].
double rough_shear_modulus(const TensionData& data);

}  // namespace flexura
