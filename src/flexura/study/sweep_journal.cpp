// What a sweep has kept: its journal, and the tables that are made of it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "flexura/base/file.hpp"
#include "flexura/output/csv_file.hpp"
#include "flexura/output/parquet_file.hpp"
#include "flexura/study/study_log.hpp"
#include "flexura/study/sweep.hpp"
#include "flexura/study/sweep_page.hpp"
#include "flexura/version.hpp"

namespace flexura {
namespace {

std::string journal_in(const std::string& folder) { return folder + "/sweep.journal"; }

std::uint32_t fingerprint_of(const SweepPlan& plan) {
  Fingerprint all;
  all.add(plan.study.scene);
  for (const std::string& setting : plan.study.set) all.add(setting);
  for (const StudyParameter& parameter : plan.study.parameters) all.add(parameter.name + "=" + parameter.path);
  for (const std::vector<double>& run : plan.runs) all.add(run);
  for (const SweepOutput& output : plan.outputs)
    all.add(fmt::format("{} {} {} {} {} {} {} {}", output.name, output.sensor, output.first, output.count,
                        static_cast<int>(output.take), output.analysis, output.from, output.to));
  return all.value();
}

std::string csv_number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : std::string(); }

void put(const std::string& path, const std::string& text, std::vector<std::string>& files) {
  if (const std::string error = write_file(path, text); !error.empty()) throw FileError(error);
  files.push_back(path);
}

/// Whether a line that could be read is one of this sweep: as many numbers and series as it has.
bool fits(const SweepPlan& plan, const SweepOutcome& outcome) {
  if (outcome.run < 0 || outcome.run >= static_cast<long>(plan.runs.size())) return false;
  std::size_t index = 0;
  for (const SweepOutput& output : plan.outputs) {
    if (output.take != Take::series) continue;
    if (index == outcome.series.size()) return false;
    const SweepSeries& one = outcome.series[index++];
    if (one.values.size() != one.at.size() * output.columns.size()) return false;
  }
  return index == outcome.series.size() && outcome.numbers.size() == plan.columns().size();
}

}  // namespace

std::string journal_header(const SweepPlan& plan) {
  Json names = Json::array();
  for (const StudyParameter& parameter : plan.study.parameters) names.push_back(parameter.name);
  const Json json{{"sweep", plan.study.words.file},
                  {"flexura", version},
                  {"runs", plan.runs.size()},
                  {"parameters", names},
                  {"fingerprint", fingerprint_of(plan)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool holds_sweep(const std::string& folder) { return std::filesystem::exists(journal_in(folder)); }

SweepJournal::SweepJournal(const SweepPlan& plan, const std::string& folder, bool resume)
    : plan_(plan),
      folder_(folder),
      outcomes_(plan.runs.size()),
      file_(journal_in(folder), [this, resume, header = journal_header(plan)](std::string_view line) {
        return resume && take(header, line);
      }) {
  if (!begun_) file_.add(journal_header(plan));
}

/// False: what follows is damaged.
bool SweepJournal::take(const std::string& header, std::string_view line) {
  if (!begun_) {
    if (line != header)
      throw InputError(
          {{{journal_in(folder_), 1, 1, 1},
            {},
            "the folder holds another sweep: its scene, files, parameters, values or outputs are others, or "
            "another version has begun it\ntry: --force to overwrite it, or another --output",
            {}}});
    return begun_ = true;
  }
  std::optional<SweepOutcome> outcome = outcome_of_line(line);
  if (!outcome || !fits(plan_, *outcome)) return false;
  remember(std::move(*outcome));
  return true;
}

bool SweepJournal::remember(SweepOutcome outcome) {
  std::optional<SweepOutcome>& place = outcomes_[static_cast<std::size_t>(outcome.run)];
  if (place) return false;
  ++done_;
  failed_ += outcome.finished ? 0 : 1;
  place = std::move(outcome);
  return true;
}

void SweepJournal::add(SweepOutcome outcome) {
  const std::string line = outcome_line(outcome);
  const std::lock_guard lock(mutex_);
  if (outcomes_[static_cast<std::size_t>(outcome.run)]) return;
  file_.add(line);
  remember(std::move(outcome));
}

std::vector<long> SweepJournal::missing() const {
  std::vector<long> runs;
  for (std::size_t i = 0; i < outcomes_.size(); ++i)
    if (!outcomes_[i]) runs.push_back(static_cast<long>(i));
  return runs;
}

std::vector<std::string> SweepJournal::write_results() const {
  std::vector<std::string> files;
  std::string times = "run,wall_s,lanes\n";
  const std::size_t parameters = plan_.study.parameters.size(), known = plan_.columns().size();
  std::vector<std::string> names;
  for (const StudyParameter& parameter : plan_.study.parameters) names.push_back(parameter.name);
  for (const std::string& column : plan_.columns()) names.push_back(column);
  std::vector<std::int64_t> run;
  std::vector<std::vector<double>> numbers(names.size());
  std::vector<std::string> status, message;
  for (const auto& outcome : outcomes_) {
    if (!outcome) continue;
    run.push_back(outcome->run);
    const std::vector<double>& values = plan_.runs[static_cast<std::size_t>(outcome->run)];
    for (std::size_t k = 0; k < parameters; ++k) numbers[k].push_back(values[k]);
    for (std::size_t k = 0; k < known; ++k) numbers[parameters + k].push_back(outcome->numbers[k]);
    status.emplace_back(outcome->finished ? "finished" : "failed");
    message.push_back(outcome->message);
    times += fmt::format("{},{:.6f},{}\n", outcome->run, outcome->wall, outcome->in_lanes ? 1 : 0);
  }
  std::string table = "run";
  for (const std::string& name : names) table += "," + name;
  table += ",status,message\n";
  for (std::size_t i = 0; i < run.size(); ++i) {
    table += std::to_string(run[i]);
    for (const std::vector<double>& column : numbers) table += "," + csv_number(column[i]);
    table += "," + status[i] + "," + csv_field(message[i]) + "\n";
  }
  ParquetTable columns;
  columns.add("run", std::move(run));
  for (std::size_t k = 0; k < names.size(); ++k) columns.add(names[k], std::move(numbers[k]));
  columns.add("status", std::move(status));
  columns.add("message", std::move(message));
  put(folder_ + "/table.csv", table, files);
  put(folder_ + "/table.parquet", columns.bytes(), files);
  std::size_t index = 0;
  for (const SweepOutput& output : plan_.outputs)
    if (output.take == Take::series) write_series(output, index++, files);
  put(folder_ + "/times.csv", times, files);
  put(folder_ + "/index.html", sweep_page(plan_, outcomes_, folder_), files);
  return files;
}

void SweepJournal::write_series(const SweepOutput& output, std::size_t index, std::vector<std::string>& files) const {
  const char* along = output.over_time ? "t" : "load_factor";
  const std::size_t count = output.columns.size();
  std::string text = fmt::format("run,{}", along);
  for (const std::string& column : output.columns) text += "," + column;
  text += "\n";
  std::vector<std::int64_t> run;
  std::vector<double> at;
  std::vector<std::vector<double>> values(count);
  for (const auto& outcome : outcomes_) {
    if (!outcome) continue;
    const SweepSeries& one = outcome->series[index];
    for (std::size_t i = 0; i < one.at.size(); ++i) {
      run.push_back(outcome->run), at.push_back(one.at[i]);
      text += fmt::format("{},{}", outcome->run, csv_number(one.at[i]));
      for (std::size_t c = 0; c < count; ++c) {
        values[c].push_back(one.values[i * count + c]);
        text += "," + csv_number(values[c].back());
      }
      text += "\n";
    }
  }
  ParquetTable columns;
  columns.add("run", std::move(run));
  columns.add(along, std::move(at));
  for (std::size_t c = 0; c < count; ++c) columns.add(output.columns[c], std::move(values[c]));
  put(fmt::format("{}/series_{}.csv", folder_, output.name), text, files);
  put(fmt::format("{}/series_{}.parquet", folder_, output.name), columns.bytes(), files);
}

}  // namespace flexura
