#include "flexura/output/journal_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "flexura/base/file.hpp"
#include "flexura/output/journal_format.hpp"

namespace flexura {

using detail::RecordHeader;
using detail::RecordKind;

namespace {

constexpr std::uint64_t first_record = sizeof(detail::FileHeader);

/// Goes through a file record by record, up to `end`.
class RecordStream {
 public:
  RecordStream() = default;
  RecordStream(const RecordStream&) = delete;
  RecordStream& operator=(const RecordStream&) = delete;
  ~RecordStream() {
    if (fd_ >= 0) ::close(fd_);
  }

  /// Returns what went wrong, or "".
  std::string open(const std::string& path) {
    path_ = path;
    fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const off_t size = fd_ < 0 ? -1 : ::lseek(fd_, 0, SEEK_END);
    if (size < 0 || ::lseek(fd_, 0, SEEK_SET) < 0) return file_error("open", path, errno);
    end_ = static_cast<std::uint64_t>(size);
    if (end_ == 0) return {};  // its writer was killed before its first bytes
    detail::FileHeader header{};
    if (end_ < sizeof header || !fetch(sizeof header)) return fmt::format("'{}' is not a journal of Flexura", path);
    std::memcpy(&header, data(), sizeof header);
    if (std::memcmp(header.magic, detail::journal_magic, sizeof header.magic) != 0 ||
        header.crc != crc32c(&header, offsetof(detail::FileHeader, crc)))
      return fmt::format("'{}' is not a journal of Flexura", path);
    if (header.version < 1 || header.version > detail::journal_version)
      return fmt::format("'{}' is a journal of version {}; this program reads version {}", path, header.version,
                         detail::journal_version);
    consume(sizeof header);
    return {};
  }

  void stop_at(std::uint64_t end) { end_ = std::min(end_, end); }
  std::uint64_t place() const { return place_; }  ///< of the next record in the file
  std::uint64_t end() const { return end_; }
  const std::string& damage() const { return damage_; }

  const RecordHeader& header() const { return header_; }
  const char* payload() const { return data() + sizeof(RecordHeader); }
  std::size_t payload_bytes() const { return std::size_t{header_.words} * 8; }

  /// Goes to the next intact record; accept() it to go on. False at the end and at the first record that is not intact.
  bool next() {
    const std::uint64_t left = end_ - place_;
    if (left == 0) return false;
    if (left < sizeof header_) return damaged("no complete record");
    if (!fetch(sizeof header_)) return damaged("cannot be read");
    std::memcpy(&header_, data(), sizeof header_);
    const std::uint64_t total = sizeof header_ + std::uint64_t{header_.words} * 8;
    if (total > left) return damaged("no complete record");
    if (!fetch(total)) return damaged("cannot be read");
    const std::uint32_t crc = crc32c(payload(), payload_bytes(), crc32c(data(), offsetof(RecordHeader, crc)));
    if (crc != header_.crc) return damaged("no record with a right checksum");
    return true;
  }

  void accept() { consume(sizeof header_ + payload_bytes()); }

  bool damaged(std::string_view what) {
    damage_ = fmt::format("the last {} bytes of '{}' hold {}", end_ - place_, path_, what);
    return false;
  }

 private:
  const char* data() const { return reinterpret_cast<const char*>(buffer_.data()) + begin_; }

  /// Makes `bytes` bytes from the current place available, aligned to eight.
  bool fetch(std::uint64_t bytes) {
    if (filled_ - begin_ >= bytes) return true;
    char* base = reinterpret_cast<char*>(buffer_.data());
    if (begin_ > 0) std::memmove(base, base + begin_, filled_ - begin_);
    filled_ -= begin_;
    begin_ = 0;
    if (bytes > buffer_.size() * 8) {
      buffer_.resize(std::max<std::uint64_t>((bytes + 7) / 8, std::size_t{1} << 15));
      base = reinterpret_cast<char*>(buffer_.data());
    }
    while (filled_ < bytes) {
      const ssize_t n = ::read(fd_, base + filled_, buffer_.size() * 8 - filled_);
      if (n > 0)
        filled_ += static_cast<std::uint64_t>(n);
      else if (n == 0 || errno != EINTR)
        return false;
    }
    return true;
  }

  void consume(std::uint64_t bytes) {
    begin_ += bytes;
    place_ += bytes;
  }

  std::string path_, damage_;
  int fd_ = -1;
  std::vector<std::uint64_t> buffer_;
  std::uint64_t begin_ = 0, filled_ = 0;  // bytes of the buffer that wait
  std::uint64_t place_ = 0, end_ = 0;     // in the file
  RecordHeader header_{};
};

/// Moves `value` in, in place of the one that is the same.
template <class T, class Same>
void replace_or_append(std::vector<T>& all, T& value, Same same) {
  const auto old = std::find_if(all.begin(), all.end(), same);
  if (old == all.end())
    all.push_back(std::move(value));
  else
    *old = std::move(value);
}

}  // namespace

Outcome<JournalReader> JournalReader::open(const std::string& path) { return open(path, false); }
Outcome<JournalReader> JournalReader::open_head(const std::string& path) { return open(path, true); }

Outcome<JournalReader> JournalReader::open(const std::string& path, bool only_head) {
  using Result = Outcome<JournalReader>;
  JournalReader reader;
  reader.path_ = path;
  RecordStream stream;
  if (std::string error = stream.open(path); !error.empty()) return Result::failure(std::move(error));
  while (stream.next() && !(only_head && stream.header().kind == RecordKind::row)) {
    if (!reader.take(static_cast<std::uint32_t>(stream.header().kind), stream.header().id, stream.payload(),
                     stream.payload_bytes())) {
      stream.damaged("a record without sense");
      break;
    }
    stream.accept();
    if (stream.header().kind == RecordKind::checkpoint) reader.checkpoint_end_ = stream.place();
  }
  reader.intact_bytes_ = stream.place();
  reader.damage_ = stream.damage();
  return reader;
}

bool JournalReader::take(std::uint32_t kind, ChannelId id, const char* payload, std::size_t bytes) {
  const detail::PayloadReader in(payload, bytes);
  status_.clear();
  switch (static_cast<RecordKind>(kind)) {
    case RecordKind::row:
      if (id >= channels_.size() || bytes != channels_[id].words() * 8) return false;
      ++rows_[id];
      return true;
    case RecordKind::channel: {
      auto channel = detail::read_channel(in);
      if (!channel) return false;
      channels_.push_back(std::move(*channel));
      rows_.push_back(0);
      return true;
    }
    case RecordKind::blob: {
      auto blob = detail::read_blob(in);
      if (!blob) return false;
      replace_or_append(blobs_, *blob, [path = blob->path](const Blob& b) { return b.path == path; });
      return true;
    }
    case RecordKind::attribute: {
      auto attribute = detail::read_attribute(in);
      if (!attribute) return false;
      replace_or_append(attributes_, *attribute, [path = attribute->path, name = attribute->name](const Attribute& a) {
        return a.path == path && a.name == name;
      });
      return true;
    }
    case RecordKind::array: {
      auto array = detail::read_array(in);
      if (!array) return false;
      replace_or_append(arrays_, *array, [name = array->name](const NamedArray& a) { return a.name == name; });
      return true;
    }
    case RecordKind::checkpoint: {
      auto checkpoint = detail::read_checkpoint(in);
      if (!checkpoint || checkpoint->rows != rows_) return false;
      checkpoint_ = std::move(*checkpoint);
      return true;
    }
    case RecordKind::end: {
      detail::PayloadReader text = in;
      status_ = text.text();
      return text.done();
    }
  }
  return false;
}

std::optional<ChannelId> JournalReader::find(std::string_view channel_path) const {
  for (std::size_t i = 0; i < channels_.size(); ++i)
    if (channels_[i].path == channel_path) return static_cast<ChannelId>(i);
  return std::nullopt;
}

std::vector<ChannelId> JournalReader::find_all(std::string_view prefix) const {
  std::vector<ChannelId> ids;
  for (std::size_t i = 0; i < channels_.size(); ++i)
    if (channels_[i].path.starts_with(prefix)) ids.push_back(static_cast<ChannelId>(i));
  return ids;
}

std::string JournalReader::visit_rows(const std::function<void(ChannelId, std::span<const double>)>& visit) const {
  RecordStream stream;
  if (std::string error = stream.open(path_); !error.empty()) return error;
  stream.stop_at(intact_bytes_);
  std::vector<double> unpacked;
  while (stream.next()) {
    if (stream.header().kind == RecordKind::row) {
      const ChannelId id = stream.header().id;
      if (id >= channels_.size() || stream.header().words != channels_[id].words()) break;
      std::span<const double> row{reinterpret_cast<const double*>(stream.payload()), stream.header().words};
      if (channels_[id].words() != channels_[id].size()) {
        detail::unpack_row(channels_[id], stream.payload(), unpacked);
        row = unpacked;
      }
      visit(id, row);
    }
    stream.accept();
  }
  if (stream.place() != intact_bytes_) return fmt::format("'{}' was changed while it was read", path_);
  return {};
}

Outcome<std::vector<std::vector<double>>> JournalReader::read_rows(const std::vector<ChannelId>& ids) const {
  using Result = Outcome<std::vector<std::vector<double>>>;
  constexpr std::size_t unwanted = SIZE_MAX;
  std::vector<std::size_t> place(channels_.size(), unwanted);
  std::vector<std::vector<double>> values(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= channels_.size()) return Result::failure(fmt::format("'{}' has no channel {}", path_, ids[i]));
    place[ids[i]] = i;
    values[i].reserve(rows_[ids[i]] * channels_[ids[i]].size());
  }
  std::string error = visit_rows([&](ChannelId id, std::span<const double> row) {
    if (place[id] != unwanted) values[place[id]].insert(values[place[id]].end(), row.begin(), row.end());
  });
  if (!error.empty()) return Result::failure(std::move(error));
  return values;
}

Outcome<std::vector<double>> JournalReader::read_rows(ChannelId id) const {
  auto values = read_rows(std::vector{id});
  if (!values) return Outcome<std::vector<double>>::failure(values.error());
  return std::move(values->front());
}

}  // namespace flexura
