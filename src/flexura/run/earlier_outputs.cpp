#include "flexura/run/earlier_outputs.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "flexura/output/kept_tables.hpp"

namespace flexura {
namespace {

namespace fs = std::filesystem;

/// A journal may be anybody's: nothing outside the folder is named.
bool is_plain(const std::string& name) {
  return !name.empty() && !name.starts_with('.') && name.find('/') == std::string::npos;
}

/// "pump, hang": as a journal lists its analyses.
std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    if (std::string name = text.substr(begin, end - begin); is_plain(name)) names.push_back(std::move(name));
    begin = end + 2;
  }
  return names;
}

/// Numbered frames NAME/NAME_000000.vtu.
void add_frames(const fs::path& folder, const std::string& name, std::vector<std::string>& files) {
  std::error_code error;
  for (fs::directory_iterator at(folder / name, error), end; !error && at != end; at.increment(error)) {
    const std::string file = at->path().filename().string();
    if (file.starts_with(name + "_") && file.ends_with(".vtu")) files.push_back(at->path().string());
  }
}

/// Tables NAME.csv, plots NAME.svg and NAME.COLUMN.svg.
void add_tables(const fs::path& folder, const std::set<std::string>& names, const std::set<std::string>& columns,
                std::vector<std::string>& files) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const fs::path file = at->path().filename();
    const std::string name = file.stem().string(), column = file.stem().extension().string();
    const bool plot = file.extension() == ".svg";
    if (!plot && file.extension() != ".csv") continue;
    const bool of_column =
        plot && column.size() > 1 && columns.contains(column.substr(1)) && names.contains(file.stem().stem().string());
    if (names.contains(name) || of_column) files.push_back(at->path().string());
  }
}

}  // namespace

std::vector<std::string> earlier_outputs(const std::string& folder) {
  const fs::path at(folder);
  std::vector<std::string> files{(at / "results.h5").string(), (at / "report.html").string()};
  const auto journal = JournalReader::open_head((at / "run.journal").string());
  if (!journal) return files;
  std::vector<std::string> sensors, analyses;
  std::set<std::string> columns;
  constexpr std::string_view prefix = "/sensors/";
  for (const Channel& channel : journal->channels()) {
    if (!channel.path.starts_with(prefix)) continue;
    sensors.push_back(channel.path.substr(prefix.size()));
    for (const ChannelColumn& column : channel.columns)
      if (is_plain(column.name)) columns.insert(column.name);
  }
  for (const Attribute& attribute : journal->attributes())
    if (attribute.path == "/meta" && attribute.name == "analyses") analyses = listed(attribute.text);
  const std::vector<std::string> kept = kept_files(sensors, analyses);
  add_tables(at, {kept.begin(), kept.end()}, columns, files);
  for (const std::string& name : analyses) {
    files.push_back((at / (name + ".pvd")).string());
    add_frames(at, name, files);
    files.push_back((at / name).string());  // if nothing else is in it
  }
  return files;
}

}  // namespace flexura
