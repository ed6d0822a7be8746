// What a sweep has kept: its journal, and the tables that are made of it.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "flexura/base/checksum.hpp"
#include "flexura/base/file.hpp"
#include "flexura/output/csv_file.hpp"
#include "flexura/output/parquet_file.hpp"
#include "flexura/study/sweep.hpp"
#include "flexura/study/sweep_page.hpp"
#include "flexura/version.hpp"

namespace flexura {
namespace {

std::string journal_in(const std::string& folder) { return folder + "/sweep.journal"; }

/// Of all that decides the numbers: texts, files, settings, values.
std::uint32_t fingerprint_of(const SweepPlan& plan) {
  std::uint32_t crc = 0;
  const auto add = [&](std::string_view text) {
    crc = crc32c(text.data(), text.size(), crc);
    crc = crc32c("", 1, crc);
  };
  add(plan.study.scene.text);
  for (const ExternalFile& file : plan.study.scene.files) add(file.text);
  for (const std::string& setting : plan.study.set) add(setting);
  for (const StudyParameter& parameter : plan.study.parameters) add(parameter.name + "=" + parameter.path);
  for (const std::vector<double>& run : plan.runs) crc = crc32c(run.data(), run.size() * sizeof(double), crc);
  for (const SweepOutput& output : plan.outputs)
    add(fmt::format("{} {} {} {} {} {} {} {}", output.name, output.sensor, output.first, output.count,
                    static_cast<int>(output.take), output.analysis, output.from, output.to));
  return crc;
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
    : plan_(plan), folder_(folder), outcomes_(plan.runs.size()) {
  const std::string path = journal_in(folder);
  if (const std::string error = make_parent_folder(path); !error.empty()) throw FileError(error);
  const std::string header = journal_header(plan);
  const bool goes_on = resume && std::filesystem::exists(path);
  if (goes_on) read(header);
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND | (goes_on ? 0 : O_TRUNC), 0666);
  if (file_ < 0) throw FileError(file_error("write", path, errno));
  if (goes_on) return;
  const std::string line = header + "\n";
  if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    throw FileError(file_error("write", path, errno));
}

SweepJournal::~SweepJournal() {
  if (file_ >= 0) ::close(file_);
}

/// What a killed process left of a line is cut off.
void SweepJournal::read(const std::string& header) {
  const std::string path = journal_in(folder_);
  Outcome<std::string> text = read_file(path);
  if (!text) throw FileError(text.error());
  std::size_t begin = 0;
  for (std::size_t end; (end = text->find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string_view line = std::string_view(*text).substr(begin, end - begin);
    if (begin == 0) {
      if (line == header) continue;
      throw InputError(
          {{{path, 1, 1, 1},
            {},
            "the folder holds another sweep: its scene, files, parameters, values or outputs are others, or "
            "another version has begun it\ntry: --force to overwrite it, or another --output",
            {}}});
    }
    std::optional<SweepOutcome> outcome = outcome_of_line(line);
    if (!outcome || !fits(plan_, *outcome)) break;
    std::optional<SweepOutcome>& place = outcomes_[static_cast<std::size_t>(outcome->run)];
    if (place) continue;
    ++done_;
    failed_ += outcome->finished ? 0 : 1;
    place = std::move(outcome);
  }
  std::error_code error;
  std::filesystem::resize_file(path, begin, error);
  if (error) throw FileError(fmt::format("cannot write '{}': {}", path, error.message()));
}

void SweepJournal::add(SweepOutcome outcome) {
  const std::string line = outcome_line(outcome) + "\n";
  const std::lock_guard lock(mutex_);
  std::optional<SweepOutcome>& place = outcomes_[static_cast<std::size_t>(outcome.run)];
  if (place) return;
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t written = ::write(file_, line.data() + at, line.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw FileError(file_error("write", journal_in(folder_), errno));
    at += static_cast<std::size_t>(written);
  }
  ++done_;
  failed_ += outcome.finished ? 0 : 1;
  place = std::move(outcome);
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
