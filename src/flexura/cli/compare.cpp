// Two runs in one report, and how far their sensors are apart.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "flexura/base/text.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/stored_results.hpp"
#include "flexura/report/report.hpp"

namespace flexura::cli {
namespace {

namespace fs = std::filesystem;

struct CompareArguments {
  std::string first, second, output = "compare.html";
  bool json = false;
};

/// Short names of two runs that tell them apart.
std::vector<std::string> names_of(const std::string& a, const std::string& b) {
  const auto folder = [](const std::string& path) {
    const fs::path whole = fs::absolute(path).lexically_normal();
    const fs::path run = fs::is_directory(whole) ? whole : whole.parent_path();
    return (run.has_filename() ? run : run.parent_path()).filename().string();
  };
  const std::string first = folder(a), second = folder(b);
  if (first != second && !first.empty() && !second.empty()) return {first, second};
  return {a, b};
}

std::string unit_of(const std::string& unit) { return unit.empty() || unit == "1" ? "" : " " + unit; }

std::string label_of(const ColumnDifference& d) {
  const std::string sensor = d.analysis.empty() ? d.sensor : d.analysis + ": " + d.sensor;
  return d.sensor == d.column ? sensor : sensor + "." + d.column;
}

void print_comparison(const Comparison& comparison, const std::vector<std::string>& names) {
  if (!comparison.columns.empty()) {
    std::size_t width = 6;
    for (const ColumnDifference& d : comparison.columns) width = std::max(width, label_of(d).size());
    say("{:{}}  {:>14}  {:>12}  {:>14}  {:>10}  unit\n", "sensor", width, "max difference", "at", "rms", "of range");
    for (const ColumnDifference& d : comparison.columns) {
      const std::string share = d.max_difference == 0 ? "0"
                                : d.range > 0         ? fmt::format("{:.3g} %", 100 * d.max_difference / d.range)
                                                      : "-";
      say("{:{}}  {:>14.6g}  {:>12}  {:>14.6g}  {:>10}  {}\n", label_of(d), width, d.max_difference,
          fmt::format("{:.6g}{}", d.at, unit_of(d.axis_unit)), d.rms, share, d.unit);
    }
  } else {
    say("the runs have no sensor in common\n");
  }
  const auto print_only = [](const std::vector<std::string>& sensors, const std::string& run) {
    if (!sensors.empty()) say("only in {}: {}\n", run, joined_text(sensors, ", "));
  };
  print_only(comparison.only_first, names[0]);
  print_only(comparison.only_second, names[1]);
  for (const std::string& reason : comparison.skipped) say("not compared: {}\n", reason);
}

int compare(const CompareArguments& o) {
  const StoredResults first(o.first), second(o.second);
  const auto comparison = compare_sensors(first.file(), second.file());
  if (!comparison) throw IoError(comparison.error());
  ReportOptions options;
  options.names = names_of(o.first, o.second);
  options.comparison = &*comparison;
  const ReportOutcome made = write_report({first.file(), second.file()}, o.output, options);
  if (!made.error.empty()) throw IoError(made.error);
  for (const std::string& warning : made.warnings) note("warning: {}\n", warning);
  if (o.json) {
    Json json{{"runs", options.names}};
    json["columns"] = comparison_json(*comparison);
    json["only_first"] = comparison->only_first;
    json["only_second"] = comparison->only_second;
    json["not_compared"] = comparison->skipped;
    json["report"] = o.output;
    say("{}", json_text(json));
    return success;
  }
  print_comparison(*comparison, options.names);
  say("wrote        {}\n", o.output);
  return success;
}

}  // namespace

void add_compare(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("compare", "Show two runs in one report and the differences of their sensors");
  auto o = std::make_shared<CompareArguments>();
  command->add_option("A", o->first, "results.h5, run.journal or the folder of a run")->required();
  command->add_option("B", o->second, "The run to compare it with")->required();
  command->add_option("--output,-o", o->output, "Report to write; default: compare.html")->type_name("FILE");
  command->add_flag("--json", o->json, "Print the differences as JSON");
  command->callback([o, &status] { status = compare(*o); });
}

}  // namespace flexura::cli
