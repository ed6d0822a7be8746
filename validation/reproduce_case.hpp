#pragma once
// The frame of a reproduction: runs shipped scenes and gathers quantities, choices, findings, plots.

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "flexura/embedded.hpp"
#include "flexura/output/plot_svg.hpp"
#include "flexura/run/simulation.hpp"
#include "validation/reproduce.hpp"
#include "validation/series.hpp"

namespace flexura {

/// Scenes below validation/, sorted by path.
std::span<const EmbeddedFile> validation_files();

}  // namespace flexura

namespace flexura::detail {

/// A computation of a case did not come to its end.
struct CaseFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct SceneRun {
  RunSummary summary;
  std::map<std::string, Series> moving;                              ///< by sensor, all dynamic analyses
  std::map<std::pair<std::string, std::string>, Series> equilibria;  ///< by analysis and sensor

  const Series& of(const std::string& sensor) const;
  /// By load factor; the last row is the equilibrium.
  const Series& of(const std::string& analysis, const std::string& sensor) const;
};

/// One figure that a value is held against, and how near is near enough: |value - figure| <= tolerance + share |figure|,
/// number by number.
struct Held {
  enum class Against { paper, independent, closed_form, finer_mesh, fit };
  enum class Rule { within, at_most, at_least, not_judged };

  Against against;
  Json figure;           ///< number or array, in the quantity's unit
  double tolerance = 0;  ///< in the quantity's unit
  double share = 0;      ///< of the figure
  Rule rule = Rule::within;
  std::string note = {};  ///< why it is missed, if it is, or why nobody can judge it

  /// A miss that the case accounts for: it stays a miss, and the case goes on to be as it should.
  Held because(std::string why) &&;
};

/// What the paper states. Within 2 %, where nothing else is said; `rounding`: of the digits that it prints.
Held paper(const Json& figure, double share = 0.02, double rounding = 0);
Held paper_at_most(const Json& figure);
Held paper_at_least(const Json& figure);
/// It cannot be compared, and this is why.
Held paper_not_judged(const Json& figure, std::string why);
/// A second program that shares no code with this one (validation/independent), or another's.
Held independent(const Json& figure, double tolerance);
Held closed_form(const Json& figure, double tolerance, double share = 0);
Held finer_mesh(const Json& figure, double tolerance);
/// A parameter was chosen so that the value comes out: that it does proves nothing.
Held chosen_to_fit(const Json& figure);

class Case {
 public:
  Case(const CaseInfo& info, const ReproduceOptions& options);

  /// Runs validation/<paper>/<scene>.toml, or several one after the other, "finger+blow". `set` comes after the user's. The series go into CSV files and, with an
  /// output folder, into a results file, if `keep` gives them a name ("" is one; "-": neither). The run ends where `until`
  /// says true of a sample.
  SceneRun run(const std::string& scene, const std::vector<std::string>& set = {}, const std::string& keep = "-",
               const std::function<bool(const SensorSample&)>& until = {});
  /// The scene as `run` would read it.
  SceneDocument document(const std::string& scene, const std::vector<std::string>& set = {}) const;
  /// The case varies this key itself: throws InputError if the user has set it.
  void varies(const std::string& key) const;

  void chosen(std::string what) { result_["chosen"].push_back(std::move(what)); }
  void finding(const std::string& sentence);
  /// Value: number or array of the unit declared in CaseInfo; at most one figure of each kind.
  void quantity(const std::string& name, const Json& value, const std::vector<Held>& held = {});
  void plot(const std::string& name, const Plot& plot);
  /// An SVG of its own.
  void picture(const std::string& name, const std::string& svg);
  bool has_output() const { return !options_.output_dir.empty(); }
  int threads() const { return options_.threads; }
  /// Quantities that have no value yet stay without, and this is why.
  void failed(const std::string& why);

  Json& result() { return result_; }

 private:
  void write_csv(const SceneRun& run, const std::string& name);
  void take_file(const std::string& path) { result_["files"].push_back(path); }

  const CaseInfo& info_;
  const ReproduceOptions& options_;
  Json result_;
};

struct CaseDefinition {
  CaseInfo info;
  std::function<void(Case&)> compute;
};

std::vector<CaseDefinition> rong2024_cases();
std::vector<CaseDefinition> kato2020_cases();
std::vector<CaseDefinition> ghoneimy2025_cases();
std::vector<CaseDefinition> xing2022_cases();
std::vector<CaseDefinition> meijaard_cases();

}  // namespace flexura::detail
