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
  std::string table = "run", times = "run,wall_s,lanes\n";
  for (const StudyParameter& parameter : plan_.study.parameters) table += "," + parameter.name;
  for (const std::string& column : plan_.columns()) table += "," + column;
  table += ",status,message\n";
  for (const auto& outcome : outcomes_) {
    if (!outcome) continue;
    table += std::to_string(outcome->run);
    for (const double x : plan_.runs[static_cast<std::size_t>(outcome->run)]) table += "," + csv_number(x);
    for (const double x : outcome->numbers) table += "," + csv_number(x);
    table += outcome->finished ? ",finished," : ",failed,";
    table += csv_field(outcome->message) + "\n";
    times += fmt::format("{},{:.6f},{}\n", outcome->run, outcome->wall, outcome->in_lanes ? 1 : 0);
  }
  put(folder_ + "/table.csv", table, files);
  std::size_t index = 0;
  for (const SweepOutput& output : plan_.outputs) {
    if (output.take != Take::series) continue;
    std::string series = output.over_time ? "run,t" : "run,load_factor";
    for (const std::string& column : output.columns) series += "," + column;
    series += "\n";
    for (const auto& outcome : outcomes_) {
      if (!outcome) continue;
      const SweepSeries& one = outcome->series[index];
      for (std::size_t i = 0; i < one.at.size(); ++i) {
        series += fmt::format("{},{}", outcome->run, csv_number(one.at[i]));
        for (std::size_t c = 0; c < output.columns.size(); ++c)
          series += "," + csv_number(one.values[i * output.columns.size() + c]);
        series += "\n";
      }
    }
    put(fmt::format("{}/series_{}.csv", folder_, output.name), series, files);
    ++index;
  }
  put(folder_ + "/times.csv", times, files);
  put(folder_ + "/index.html", sweep_page(plan_, outcomes_, folder_), files);
  return files;
}

}  // namespace flexura
