#pragma once
// The papers' cases: each runs shipped scenes (validation/<paper>/*.toml, embedded) and holds what comes out against the
// paper's figures and independent ones.

#include <string>
#include <vector>

#include "flexura/base/json.hpp"

namespace flexura {

struct ReproduceOptions {
  std::vector<std::string> set = {};  ///< changes of the case's scenes: "section.wall.EI=0.02"
  std::string csv_dir = {};           ///< one CSV per sensor; empty: none
  std::string output_dir = {};        ///< plots and report; empty: none
  int threads = 1;
};

struct QuantityInfo {
  std::string name, unit, doc;
};

struct CaseInfo {
  std::string paper, id;
  std::string shows;  ///< one line
  std::vector<QuantityInfo> quantities;
};

/// All cases, paper by paper.
std::vector<CaseInfo> reproduction_cases();
/// The same as text and as JSON.
std::string reproduction_list_text();
Json reproduction_list_json();

/// Runs one case. The result: paper, case, chosen[], files[], wall_time_s, quantities{name: {value, unit, paper,
/// reference, tolerance, status: met | missed | "no reference"}}, finding (words; absent if there is none), and "failed"
/// if a computation did not come to its end: then its quantities have no value and are missed. Throws InputError for an
/// unknown paper or case, and where the scene does not bear `set`.
Json reproduce_case(const std::string& paper, const std::string& id, const ReproduceOptions& options);

/// True if a quantity of the case was missed.
bool reproduction_missed(const Json& result);
/// The case as a table: quantity, ours, the paper's, the independent figure, status; and what is chosen and found.
std::string reproduction_text(const Json& result);
/// The cases of one paper as a page with their plots, self-contained: output_dir/report.html. Returns its path.
std::string write_reproduction_report(const std::vector<Json>& results, const std::string& output_dir);

}  // namespace flexura
