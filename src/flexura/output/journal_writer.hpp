#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>

#include "flexura/base/outcome.hpp"
#include "flexura/output/journal_record.hpp"

namespace flexura {

/// Appends records to a journal. Rows wait in a buffer of fixed size; a kill of the process loses what was not flushed,
/// never what was. One writer per file (the file is locked). Rows and checkpoints use no heap memory after the first
/// of each kind. After a failed write (disk full) every call returns false and error() says why; what was flushed stays.
class JournalWriter {
 public:
  static constexpr std::size_t default_buffer = std::size_t{1} << 18;  // bytes

  /// Makes a new file, or replaces one. Fails if another process writes it.
  static Outcome<JournalWriter> create(const std::string& path, std::size_t buffer_bytes = default_buffer);

  JournalWriter(JournalWriter&&) noexcept;
  JournalWriter& operator=(JournalWriter&&) noexcept;
  ~JournalWriter();  ///< flushes

  /// Id of a channel. One that was defined before with the same content keeps its id; with other content: no id, and
  /// error() says so.
  std::optional<ChannelId> define(const Channel& channel);
  /// Id of the channel with this path, if it was defined.
  std::optional<ChannelId> find(std::string_view channel_path) const;
  std::uint64_t rows(ChannelId id) const;

  bool blob(std::string_view path, std::string_view content, bool is_text = true, std::string_view doc = {});
  bool attribute(std::string_view path, std::string_view name, double value);
  bool attribute(std::string_view path, std::string_view name, std::int64_t value);
  bool attribute(std::string_view path, std::string_view name, std::string_view value);
  bool attribute(std::string_view path, std::string_view name, const char* value);
  /// A dataset that does not grow, e.g. "/model/reference".
  bool array(const NamedArray& array);

  /// Appends one row: the columns one after the other, {t, q, v}. The total size must be the channel's.
  bool row(ChannelId id, std::initializer_list<RowPart> parts);
  bool row(ChannelId id, std::span<const double> values);

  /// The complete state, with the number of rows of each channel so far. All that was written before survives a kill of
  /// the process from here on; with `to_disk` (fdatasync, milliseconds) a loss of power as well.
  bool checkpoint(std::span<const ArrayView> arrays, bool to_disk = false);
  bool checkpoint(std::initializer_list<ArrayView> arrays, bool to_disk = false);

  /// Hands the buffer to the operating system: it survives a kill of the process.
  bool flush(bool to_disk = false);
  /// Last record, e.g. "finished", "interrupted", "failed: ..."; flushes.
  bool end(std::string_view status);

  bool ok() const;
  const std::string& error() const;
  const std::string& path() const;
  /// Bytes written, buffered ones included.
  std::uint64_t size() const;

 private:
  struct Impl;
  explicit JournalWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;

  friend struct JournalResumer;
};

/// A stopped run, ready to go on.
struct ResumedJournal {
  JournalWriter writer;
  Checkpoint checkpoint;
  std::uint64_t dropped_bytes = 0;  ///< that had been written after the checkpoint
  std::string status;               ///< of the stopped run; empty: it was killed
};

/// Finds the last intact checkpoint, cuts the file right behind it and continues there. Fails, without a change to the
/// file, if there is no intact checkpoint or another process writes the file.
Outcome<ResumedJournal> resume_journal(const std::string& path,
                                       std::size_t buffer_bytes = JournalWriter::default_buffer);

}  // namespace flexura
