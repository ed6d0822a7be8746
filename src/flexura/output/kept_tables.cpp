#include "flexura/output/kept_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace flexura {
namespace {

constexpr std::string_view over_time = "/sensors/", of_analysis = "/analysis/", by_load = "/sensors/",
                           critical = "critical", frequencies = "mode";

std::string with_dots(std::string name) {
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

std::string sensor_file(const std::string& analysis, const std::string& sensor) {
  return (analysis.empty() ? "" : analysis + ".") + with_dots(sensor);
}
std::string critical_file(const std::string& analysis) { return fmt::format("{}.{}", analysis, critical); }

/// File and columns of a channel; no file: it is none of these.
KeptTable table_of_channel(const Channel& channel) {
  KeptTable table;
  table.columns = channel;
  const auto list = [&](std::string file) {
    table.file = std::move(file);
    table.series = false;
    std::erase_if(table.columns.columns, [](const ChannelColumn& column) { return !column.shape.empty(); });
  };
  if (channel.path.starts_with(over_time)) table.file = sensor_file({}, channel.path.substr(over_time.size()));
  if (!channel.path.starts_with(of_analysis)) return table;
  const std::size_t end = std::min(channel.path.find('/', of_analysis.size()), channel.path.size());
  const std::string analysis = channel.path.substr(of_analysis.size(), end - of_analysis.size());
  const std::string rest = channel.path.substr(end);
  if (rest.starts_with(by_load)) table.file = sensor_file(analysis, rest.substr(by_load.size()));
  if (rest.size() == 1 + critical.size() && rest.ends_with(critical)) list(critical_file(analysis));
  if (rest.empty() && channel.columns.front().name == frequencies) list(analysis);
  return table;
}

/// Sensor 'left/tip' and analysis 'left' with sensor 'tip': the second one to come gets another name.
constexpr const char* again = "_";

}  // namespace

std::vector<KeptTable> kept_tables(const JournalReader& journal) {
  std::vector<KeptTable> tables;
  std::set<std::string> taken;
  for (const bool first : {true, false})  // whatever comes beside them, sensors over time have their names
    for (ChannelId id = 0; id < journal.channels().size(); ++id) {
      const Channel& channel = journal.channels()[id];
      if (journal.rows()[id] == 0 || channel.path.starts_with(over_time) != first) continue;
      KeptTable table = table_of_channel(channel);
      if (table.file.empty()) continue;
      table.channel = id;
      while (!taken.insert(table.file).second) table.file += again;
      tables.push_back(std::move(table));
    }
  return tables;
}

std::optional<ChannelId> envelope_of(const JournalReader& journal, const KeptTable& table) {
  const std::string& path = table.columns.path;
  if (!path.starts_with(over_time)) return {};
  const auto found = journal.find("/envelopes/" + path.substr(over_time.size()));
  return found && journal.rows()[*found] > 0 ? found : std::nullopt;
}

std::vector<double> kept_rows(const JournalReader& journal, const KeptTable& table, std::vector<double> rows) {
  const Channel& whole = journal.channels()[table.channel];
  if (table.columns.columns.size() == whole.columns.size()) return rows;
  std::vector<double> kept;
  for (std::size_t row = 0; row + whole.size() <= rows.size(); row += whole.size()) {
    std::size_t at = row;
    for (const ChannelColumn& column : whole.columns) {
      if (column.shape.empty()) kept.push_back(rows[at]);
      at += column.size();
    }
  }
  return kept;
}

std::vector<std::string> kept_files(std::span<const std::string> sensors, std::span<const std::string> analyses) {
  std::vector<std::string> files;
  for (const std::string& sensor : sensors) files.push_back(sensor_file({}, sensor));
  for (const std::string& analysis : analyses) {
    files.push_back(analysis);
    files.push_back(critical_file(analysis));
    for (const std::string& sensor : sensors) files.push_back(sensor_file(analysis, sensor));
  }
  for (std::size_t k = 0, n = files.size(); k < n; ++k) files.push_back(files[k] + again);
  return files;
}

}  // namespace flexura
