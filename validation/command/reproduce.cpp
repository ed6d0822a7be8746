// What `flexura reproduce` does in flexura-reproduce, the program that holds the reproductions.

#include "flexura/cli/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "flexura/base/json.hpp"
#include "flexura/base/nearest_name.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "validation/reproduce.hpp"

namespace flexura::cli {
namespace {

std::vector<std::string> papers() {
  std::vector<std::string> keys;
  for (const CaseInfo& info : reproduction_cases())
    if (std::find(keys.begin(), keys.end(), info.paper) == keys.end()) keys.push_back(info.paper);
  return keys;
}

[[noreturn]] void unknown(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  throw UsageError(fmt::format("there is no {} \"{}\"{}; `flexura reproduce --list` lists them all", what, name,
                               nearest.empty() ? "" : fmt::format(", nearest: \"{}\"", nearest)));
}

std::vector<std::string> chosen_cases(const ReproduceArguments& o) {
  std::vector<std::string> all, chosen;
  for (const CaseInfo& info : reproduction_cases())
    if (info.paper == o.paper) all.push_back(info.id);
  if (all.empty()) unknown("paper", o.paper, papers());
  for (const std::string& id : all)
    if (o.only.empty() || id == o.only) chosen.push_back(id);
  if (chosen.empty()) unknown("case", o.only, all);
  return chosen;
}

}  // namespace

int reproduce(ReproduceArguments o, char**) {
  if (o.list) {
    say("{}\n", o.json ? json_text(reproduction_list_json()) : reproduction_list_text());
    return success;
  }
  // A whole paper leaves its report; one case only where it is asked for.
  if (o.only.empty() && o.output_dir.empty()) o.output_dir = "reproduce-" + o.paper;
  const ReproduceOptions options{.set = o.set, .csv_dir = o.csv_dir, .output_dir = o.output_dir, .threads = o.threads};
  std::vector<Json> results;
  int status = success;
  for (const std::string& id : chosen_cases(o)) {
    note("{}/{}\n", o.paper, id);
    results.push_back(reproduce_case(o.paper, id, options));
    if (reproduction_missed(results.back())) status = unsuccessful;
    if (!o.json) say("{}\n", reproduction_text(results.back()));
  }
  if (o.only.empty() && o.json) note("{}", reproduction_summary_text(results));
  if (o.only.empty() && !o.json) say("{}", reproduction_summary_text(results));
  if (o.json) say("{}\n", json_text(o.only.empty() ? Json(results) : results.front()));
  if (!o.output_dir.empty()) note("wrote {}\n", write_reproduction_report(results, o.output_dir));
  return status;
}

}  // namespace flexura::cli
