#pragma once
// The papers' cases: each runs shipped scenes (validation/<paper>/*.toml, embedded) and holds what comes out against the
// paper's figures and independent ones.

#include <span>
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

/// What figures come from: "paper", "independent" (a second program), "closed form", "own finer mesh", "chosen to fit".
std::span<const char* const> kinds_of_figures();

/// Runs one case. The result: paper, case, chosen[], files[], wall_time_s, quantities{name: {value, unit, doc, verdicts{kind:
/// {figure, rule: within | at most | at least, tolerance, share, numbers, off, status: met | missed | fitted | "not
/// judged", note}}}}, summary{kind: {status: count}}, finding (words; absent if there is none), and "failed" if a
/// computation did not come to its end: then some quantities have no value. `note` says why a figure is missed, where the
/// case accounts for it, or why it is not judged. Throws InputError for an unknown paper or case, and where the scene does
/// not bear `set`.
Json reproduce_case(const std::string& paper, const std::string& id, const ReproduceOptions& options);

/// True if a figure of the case was missed without the case accounting for it, or a computation failed.
bool reproduction_missed(const Json& result);
/// Verdicts of several cases by kind and status, and as a line for each kind.
Json reproduction_summary(const std::vector<Json>& results);
std::string reproduction_summary_text(const std::vector<Json>& results);
/// The case as a table: each quantity with its verdicts; and what is chosen and found.
std::string reproduction_text(const Json& result);
/// The cases of one paper as a page with their plots, self-contained: output_dir/report.html. Returns its path.
std::string write_reproduction_report(const std::vector<Json>& results, const std::string& output_dir);

}  // namespace flexura
