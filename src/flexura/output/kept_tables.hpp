#pragma once
// Which tables of a run are worth a file of their own, for people without HDF5.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flexura/output/journal_reader.hpp"

namespace flexura {

struct KeptTable {
  ChannelId channel = 0;
  std::string file;      ///< without folder and ending
  bool series = true;    ///< a quantity along its axis, worth a plot; else a list: modes, critical points
  Channel columns = {};  ///< the channel's; of lists numbers alone, without coordinates
};

/// All that have rows: sensors over time "tip" ("left/tip" as "left.tip") and by load factor "pull.tip", critical points
/// "pull.critical" and frequencies "about" of analyses 'pull' and 'about'.
std::vector<KeptTable> kept_tables(const JournalReader& journal);
/// /envelopes/SENSOR of a sensor over time, where it was written.
std::optional<ChannelId> envelope_of(const JournalReader& journal, const KeptTable& table);
/// The table's rows of all columns of its channel, without the columns that it leaves out.
std::vector<double> kept_rows(const JournalReader& journal, const KeptTable& table, std::vector<double> rows);
/// What a file of any of these may be called, where only the names are known.
std::vector<std::string> kept_files(std::span<const std::string> sensors, std::span<const std::string> analyses);

}  // namespace flexura
