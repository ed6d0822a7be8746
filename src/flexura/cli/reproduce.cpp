#include "validation/reproduce.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "flexura/base/nearest_name.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"

namespace flexura::cli {
namespace {

struct ReproduceArguments {
  std::string paper, only;
  ReproduceOptions reproduce;
  bool list = false, json = false;
};

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

int reproduce(ReproduceArguments o) {
  if (o.list || o.paper.empty()) {
    if (!o.list) throw UsageError("name a paper, or --list");
    say("{}\n", o.json ? json_text(reproduction_list_json()) : reproduction_list_text());
    return success;
  }
  // A whole paper leaves its report; one case only where it is asked for.
  if (o.only.empty() && o.reproduce.output_dir.empty()) o.reproduce.output_dir = "reproduce-" + o.paper;
  std::vector<Json> results;
  int status = success;
  for (const std::string& id : chosen_cases(o)) {
    note("{}/{}\n", o.paper, id);
    results.push_back(reproduce_case(o.paper, id, o.reproduce));
    if (reproduction_missed(results.back())) status = unsuccessful;
    if (!o.json) say("{}\n", reproduction_text(results.back()));
  }
  if (o.only.empty() && o.json) note("{}", reproduction_summary_text(results));
  if (o.only.empty() && !o.json) say("{}", reproduction_summary_text(results));
  if (o.json) say("{}\n", json_text(o.only.empty() ? Json(results) : results.front()));
  if (!o.reproduce.output_dir.empty()) note("wrote {}\n", write_reproduction_report(results, o.reproduce.output_dir));
  return status;
}

}  // namespace

void add_reproduce(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("reproduce", "Repeat the computations of a paper and compare the figures");
  auto o = std::make_shared<ReproduceArguments>();
  command->add_option("PAPER", o->paper, "Key of the paper, e.g. rong2024");
  command->add_flag("--list", o->list, "List the papers and their cases");
  command->add_option("--case", o->only, "Only this case")->type_name("ID");
  command->add_flag("--json", o->json, "Print the results as JSON on stdout, all else on stderr");
  command->add_option("--csv", o->reproduce.csv_dir, "Write a table per sensor into this folder")->type_name("DIR");
  command->add_option("--set", o->reproduce.set, "Change a value of the scenes, e.g. section.wall.EI=0.02")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--output,-o", o->reproduce.output_dir,
                   "Folder of the report with plots (default: reproduce-PAPER; for one case, none)")
      ->type_name("DIR");
  command->add_option("--threads", o->reproduce.threads, "Threads; the results do not depend on it")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command->callback([o, &status] { status = reproduce(*o); });
}

}  // namespace flexura::cli
