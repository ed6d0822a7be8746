#pragma once

#include <functional>
#include <optional>

#include "flexura/base/outcome.hpp"
#include "flexura/output/journal_record.hpp"

namespace flexura {

/// What a journal holds up to its last intact record, rows excepted. The file may still be growing.
class JournalReader {
 public:
  /// Reads the whole file once. Fails if it is no journal or of a newer version. An empty file is a journal without
  /// records: its writer was killed at the very start.
  static Outcome<JournalReader> open(const std::string& path);
  /// The same up to the first row: what a run is, without what it computed.
  static Outcome<JournalReader> open_head(const std::string& path);

  const std::string& path() const { return path_; }
  const std::vector<Channel>& channels() const { return channels_; }  ///< by id
  const std::vector<std::uint64_t>& rows() const { return rows_; }    ///< number of rows, by id
  const std::vector<Blob>& blobs() const { return blobs_; }           ///< last of each path, in order of the first
  const std::vector<Attribute>& attributes() const { return attributes_; }     ///< the same
  const std::vector<NamedArray>& arrays() const { return arrays_; }            ///< the same
  const std::optional<Checkpoint>& checkpoint() const { return checkpoint_; }  ///< the last intact one
  const std::string& status() const {
    return status_;
  }  ///< given with the end record; empty: the run was killed or goes on
  std::uint64_t intact_bytes() const { return intact_bytes_; }
  std::uint64_t checkpoint_end() const { return checkpoint_end_; }  ///< place right behind the last intact checkpoint
  /// What follows the last intact record, e.g. "the last 17 bytes are no complete record"; empty if nothing does.
  const std::string& damage() const { return damage_; }

  std::optional<ChannelId> find(std::string_view channel_path) const;
  /// Calls `visit` with every row up to the last intact record, in order of the file. Returns what went wrong, or "".
  std::string visit_rows(const std::function<void(ChannelId, std::span<const double>)>& visit) const;
  /// Channels whose path begins with `prefix`, e.g. "/sensors/".
  std::vector<ChannelId> find_all(std::string_view prefix) const;
  /// All rows of one channel, [row][channel.size()], row-major.
  Outcome<std::vector<double>> read_rows(ChannelId id) const;
  /// The same of several channels, in the order of `ids`, in one pass.
  Outcome<std::vector<std::vector<double>>> read_rows(const std::vector<ChannelId>& ids) const;

 private:
  static Outcome<JournalReader> open(const std::string& path, bool only_head);
  /// Takes one intact record in; false if it makes no sense.
  bool take(std::uint32_t kind, ChannelId id, const char* payload, std::size_t bytes);

  std::string path_, status_, damage_;
  std::vector<Channel> channels_;
  std::vector<std::uint64_t> rows_;
  std::vector<Blob> blobs_;
  std::vector<Attribute> attributes_;
  std::vector<NamedArray> arrays_;
  std::optional<Checkpoint> checkpoint_;
  std::uint64_t intact_bytes_ = 0, checkpoint_end_ = 0;
};

}  // namespace flexura
