#pragma once
// A linear model and frequency responses as text for the terminal, and as files that other programs read.

#include <filesystem>
#include <optional>
#include <span>

#include "flexura/base/json.hpp"
#include "flexura/study/linearise.hpp"

namespace flexura {

/// What was asked for of one state.
struct LinearResults {
  std::string scene;  ///< file
  std::optional<LinearModel> model = {};
  std::vector<std::complex<double>> poles = {};  ///< of the model
  std::string without_poles = {};                ///< not empty: why there are none
  std::optional<FrequencyResponses> responses = {};
};

/// Dense matrices of more states have their eigenvalues not worked out: that takes n³.
inline constexpr std::size_t most_poles = 800;

/// Eigenvalues as frequencies and damping ratios, drift and the table of responses where it is narrow.
std::string linear_text(const LinearResults& results);
Json linear_json(const LinearResults& results);
/// A script of MATLAB and Octave: A, B, C, D, x, u, y, names, and `f`, `H` of responses.
std::string linear_matlab(const LinearResults& results);
/// NumPy's archive of arrays: `numpy.load(file)["A"]`.
std::string linear_npz(const LinearResults& results);
/// Tables by name: A.csv, B.csv, C.csv, D.csv with the names of columns in their heading, eigenvalues.csv, response.csv.
std::vector<std::pair<std::string, std::string>> linear_tables(const LinearResults& results);

/// Throws InputError for a path of another ending than those of write_linear.
void check_linear_path(const std::string& path);
/// Writes what the path asks for: .json, .m, .npz, or a folder of tables. Throws FileError, InputError for other endings.
void write_linear(const LinearResults& results, const std::string& path);

}  // namespace flexura
