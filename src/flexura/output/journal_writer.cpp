#include "flexura/output/journal_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "flexura/base/file.hpp"
#include "flexura/output/journal_format.hpp"
#include "flexura/output/journal_reader.hpp"

namespace flexura {

using detail::RecordHeader;
using detail::RecordKind;

namespace {

using Bytes = std::span<const char>;

Bytes bytes_of(std::span<const double> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}
Bytes bytes_of(std::span<const std::int64_t> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}
Bytes bytes_of(const detail::PayloadWriter& payload) { return {payload.data(), payload.size()}; }

}  // namespace

struct JournalWriter::Impl {
  std::string path, error;
  int fd = -1;
  std::vector<char> buffer;
  std::size_t used = 0;
  std::uint64_t size = 0;  // bytes, buffered ones included
  std::vector<Channel> channels;
  std::vector<std::uint64_t> widths, rows;  // by channel
  detail::PayloadWriter payload;
  std::vector<Bytes> parts;
  std::vector<double> numbers;  // of a row that is to be packed
  std::string packed;

  Impl(std::string file, std::size_t buffer_bytes)
      : path(std::move(file)), buffer(std::max<std::size_t>(buffer_bytes, 64)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (fd < 0) return;
    flush();
    ::close(fd);
  }

  bool fail(std::string why) {
    if (error.empty()) error = std::move(why);
    return false;
  }

  bool write_out(Bytes bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd, bytes.data(), bytes.size());
      if (n >= 0)
        bytes = bytes.subspan(static_cast<std::size_t>(n));
      else if (errno != EINTR)
        return fail(file_error("write", path, errno));
    }
    return true;
  }

  bool flush() {
    if (!error.empty()) return false;
    const std::size_t count = used;
    used = 0;
    return write_out({buffer.data(), count});
  }

  bool put(Bytes bytes) {
    size += bytes.size();
    if (bytes.size() > buffer.size() - used) {
      if (!flush()) return false;
      if (bytes.size() > buffer.size()) return write_out(bytes);
    }
    if (!bytes.empty()) std::memcpy(buffer.data() + used, bytes.data(), bytes.size());
    used += bytes.size();
    return true;
  }

  /// One record; each part is a multiple of eight bytes.
  bool record(RecordKind kind, ChannelId id, std::span<const Bytes> pieces) {
    if (!error.empty()) return false;
    std::uint64_t total = 0;
    for (const Bytes piece : pieces) total += piece.size();
    if (total / 8 > UINT32_MAX) return fail(fmt::format("a record of '{}' is larger than 32 GiB", path));
    RecordHeader header{kind, id, static_cast<std::uint32_t>(total / 8), 0};
    header.crc = crc32c(&header, offsetof(RecordHeader, crc));
    for (const Bytes piece : pieces) header.crc = crc32c(piece.data(), piece.size(), header.crc);
    bool done = put({reinterpret_cast<const char*>(&header), sizeof header});
    for (const Bytes piece : pieces) done = done && put(piece);
    return done;
  }

  bool record(RecordKind kind) {
    const Bytes piece = bytes_of(payload);
    return record(kind, 0, {&piece, 1});
  }

  bool sync(bool to_disk) {
    if (to_disk && ::fdatasync(fd) != 0) return fail(file_error("write", path, errno));
    return true;
  }

  bool attribute(const Attribute& value) {
    payload.clear();
    payload.text(value.path);
    payload.text(value.name);
    payload.number(static_cast<std::uint64_t>(value.kind));
    payload.real(value.real);
    payload.number(static_cast<std::uint64_t>(value.integer));
    payload.text(value.text);
    return record(RecordKind::attribute);
  }

  void know(const Channel& channel, std::uint64_t count) {
    channels.push_back(channel);
    widths.push_back(channel.size());
    rows.push_back(count);
  }

  /// Opens and locks the file. Returns what went wrong, or "".
  std::string open(int flags) {
    fd = ::open(path.c_str(), flags | O_RDWR | O_CLOEXEC, 0666);
    if (fd < 0) return file_error("open", path, errno);
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return {};
    const int number = errno;
    ::close(fd);
    fd = -1;
    if (number == EWOULDBLOCK) return fmt::format("another process is writing '{}'", path);
    return file_error("lock", path, number);
  }
};

JournalWriter::JournalWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
JournalWriter::JournalWriter(JournalWriter&&) noexcept = default;
JournalWriter& JournalWriter::operator=(JournalWriter&&) noexcept = default;
JournalWriter::~JournalWriter() = default;

Outcome<JournalWriter> JournalWriter::create(const std::string& path, std::size_t buffer_bytes) {
  using Result = Outcome<JournalWriter>;
  if (std::string error = make_parent_folder(path); !error.empty()) return Result::failure(std::move(error));
  auto impl = std::make_unique<Impl>(path, buffer_bytes);
  if (std::string error = impl->open(O_CREAT); !error.empty()) return Result::failure(std::move(error));
  if (::ftruncate(impl->fd, 0) != 0) return Result::failure(file_error("empty", path, errno));
  detail::FileHeader header{};
  std::memcpy(header.magic, detail::journal_magic, sizeof header.magic);
  header.version = detail::journal_version;
  header.crc = crc32c(&header, offsetof(detail::FileHeader, crc));
  if (!impl->put({reinterpret_cast<const char*>(&header), sizeof header}) || !impl->flush())
    return Result::failure(impl->error);
  return JournalWriter(std::move(impl));
}

std::optional<ChannelId> JournalWriter::find(std::string_view channel_path) const {
  for (std::size_t i = 0; i < impl_->channels.size(); ++i)
    if (impl_->channels[i].path == channel_path) return static_cast<ChannelId>(i);
  return std::nullopt;
}

std::optional<ChannelId> JournalWriter::define(const Channel& channel) {
  if (const auto id = find(channel.path)) {
    if (impl_->channels[*id] == channel) return id;
    impl_->fail(fmt::format("channel '{}' of '{}' was defined before with other columns", channel.path, impl_->path));
    return std::nullopt;
  }
  if (channel.columns.empty()) {
    impl_->fail(fmt::format("channel '{}' of '{}' has no columns", channel.path, impl_->path));
    return std::nullopt;
  }
  detail::write_channel(impl_->payload, channel);
  if (!impl_->record(RecordKind::channel)) return std::nullopt;
  impl_->know(channel, 0);
  return static_cast<ChannelId>(impl_->channels.size() - 1);
}

std::uint64_t JournalWriter::rows(ChannelId id) const { return id < impl_->rows.size() ? impl_->rows[id] : 0; }

bool JournalWriter::blob(std::string_view path, std::string_view content, bool is_text, std::string_view doc) {
  impl_->payload.clear();
  impl_->payload.text(path);
  impl_->payload.text(doc);
  impl_->payload.number(is_text ? 1 : 0);
  impl_->payload.text(content);
  return impl_->record(RecordKind::blob);
}

bool JournalWriter::attribute(std::string_view path, std::string_view name, double value) {
  return impl_->attribute({std::string(path), std::string(name), Attribute::Kind::real, value, 0, {}});
}

bool JournalWriter::attribute(std::string_view path, std::string_view name, std::int64_t value) {
  return impl_->attribute({std::string(path), std::string(name), Attribute::Kind::integer, 0, value, {}});
}

bool JournalWriter::attribute(std::string_view path, std::string_view name, std::string_view value) {
  return impl_->attribute({std::string(path), std::string(name), Attribute::Kind::text, 0, 0, std::string(value)});
}

bool JournalWriter::attribute(std::string_view path, std::string_view name, const char* value) {
  return attribute(path, name, std::string_view(value));
}

bool JournalWriter::array(const NamedArray& array) {
  std::uint64_t size = 1;
  for (const std::uint64_t n : array.shape) size *= n;
  const std::uint64_t count = array.type == ColumnType::integer ? array.integers.size() : array.reals.size();
  if (size != count)
    return impl_->fail(fmt::format("array '{}' has {} values, its shape asks for {}", array.name, count, size));
  detail::write_array(impl_->payload, array);
  return impl_->record(RecordKind::array);
}

bool JournalWriter::row(ChannelId id, std::initializer_list<RowPart> parts) {
  Impl& impl = *impl_;
  if (!impl.error.empty()) return false;
  if (id >= impl.rows.size()) return impl.fail(fmt::format("'{}' has no channel {}", impl.path, id));
  impl.parts.clear();
  std::size_t total = 0;
  for (const RowPart& part : parts) {
    impl.parts.push_back(bytes_of(part.values));
    total += part.values.size();
  }
  if (total != impl.widths[id])
    return impl.fail(fmt::format("a row of channel '{}' has {} numbers, {} were given", impl.channels[id].path,
                                 impl.widths[id], total));
  if (impl.channels[id].words() != impl.widths[id]) {
    impl.numbers.clear();
    for (const RowPart& part : parts) impl.numbers.insert(impl.numbers.end(), part.values.begin(), part.values.end());
    detail::pack_row(impl.channels[id], impl.numbers, impl.packed);
    impl.parts.assign(1, Bytes(impl.packed.data(), impl.packed.size()));
  }
  if (!impl.record(RecordKind::row, id, impl.parts)) return false;
  ++impl.rows[id];
  return true;
}

bool JournalWriter::row(ChannelId id, std::span<const double> values) { return row(id, {RowPart(values)}); }

bool JournalWriter::checkpoint(std::span<const ArrayView> arrays, bool to_disk) {
  Impl& impl = *impl_;
  impl.payload.clear();
  impl.payload.shape(impl.rows);
  impl.payload.number(arrays.size());
  for (const ArrayView& array : arrays) {
    impl.payload.text(array.name);
    impl.payload.number(static_cast<std::uint64_t>(array.type));
    impl.payload.number(array.reals.size() + array.integers.size());
  }
  impl.parts.clear();
  impl.parts.push_back(bytes_of(impl.payload));
  for (const ArrayView& array : arrays)
    impl.parts.push_back(array.type == ColumnType::real ? bytes_of(array.reals) : bytes_of(array.integers));
  return impl.record(RecordKind::checkpoint, 0, impl.parts) && flush(to_disk);
}

bool JournalWriter::checkpoint(std::initializer_list<ArrayView> arrays, bool to_disk) {
  return checkpoint(std::span<const ArrayView>(arrays.begin(), arrays.size()), to_disk);
}

bool JournalWriter::flush(bool to_disk) { return impl_->flush() && impl_->sync(to_disk); }

bool JournalWriter::end(std::string_view status) {
  impl_->payload.clear();
  impl_->payload.text(status);
  return impl_->record(RecordKind::end) && flush();
}

bool JournalWriter::ok() const { return impl_->error.empty(); }
const std::string& JournalWriter::error() const { return impl_->error; }
const std::string& JournalWriter::path() const { return impl_->path; }
std::uint64_t JournalWriter::size() const { return impl_->size; }

/// Reads under the lock, so that no other process appends between reading and cutting.
struct JournalResumer {
  static Outcome<ResumedJournal> resume(const std::string& path, std::size_t buffer_bytes) {
    using Result = Outcome<ResumedJournal>;
    auto impl = std::make_unique<JournalWriter::Impl>(path, buffer_bytes);
    if (std::string error = impl->open(0); !error.empty()) return Result::failure(std::move(error));
    auto reader = JournalReader::open(path);
    if (!reader) return Result::failure(reader.error());
    if (!reader->checkpoint())
      return Result::failure(fmt::format("'{}' holds no checkpoint: the run stopped before its first one", path));
    const Checkpoint& checkpoint = *reader->checkpoint();
    const std::uint64_t keep = reader->checkpoint_end();
    const off_t end = ::lseek(impl->fd, 0, SEEK_END);
    if (end < 0 || ::ftruncate(impl->fd, static_cast<off_t>(keep)) != 0 ||
        ::lseek(impl->fd, static_cast<off_t>(keep), SEEK_SET) < 0)
      return Result::failure(file_error("shorten", path, errno));
    impl->size = keep;
    for (std::size_t i = 0; i < checkpoint.rows.size(); ++i) impl->know(reader->channels()[i], checkpoint.rows[i]);
    return ResumedJournal{JournalWriter(std::move(impl)), checkpoint, static_cast<std::uint64_t>(end) - keep,
                          reader->status()};
  }
};

Outcome<ResumedJournal> resume_journal(const std::string& path, std::size_t buffer_bytes) {
  return JournalResumer::resume(path, buffer_bytes);
}

}  // namespace flexura
