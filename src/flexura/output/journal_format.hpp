#pragma once
// Bytes of a journal, shared by its writer and its reader; described in docs/results-format.md.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "flexura/base/checksum.hpp"
#include "flexura/output/journal_record.hpp"

namespace flexura::detail {

static_assert(std::endian::native == std::endian::little, "journals are little endian");

constexpr std::uint32_t journal_version = 2;  ///< 1: before columns of single precision
constexpr char journal_magic[8] = {'f', 'l', 'e', 'x', 'j', 'r', 'n', 'l'};

enum class RecordKind : std::uint32_t { channel = 1, blob, attribute, array, row, checkpoint, end };

struct FileHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t reserved[4];
  std::uint32_t crc;  // of the bytes before
};
static_assert(sizeof(FileHeader) == 32);

/// Followed by `words` times eight bytes.
struct RecordHeader {
  RecordKind kind;
  std::uint32_t id;     // channel of a row, else 0
  std::uint32_t words;  // payload
  std::uint32_t crc;    // of the three numbers before and the payload
};
static_assert(sizeof(RecordHeader) == 16);

constexpr std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

/// Builds a payload. Numbers take eight bytes; texts their length and their bytes, filled up to eight with zeros.
class PayloadWriter {
 public:
  void clear() { bytes_.clear(); }
  void number(std::uint64_t value) { append(&value, sizeof value); }
  void real(double value) { append(&value, sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    append(value.data(), value.size());
    bytes_.resize(padded(bytes_.size()));
  }
  void shape(const std::vector<std::uint64_t>& value) {
    number(value.size());
    append(value.data(), value.size() * sizeof(std::uint64_t));
  }
  void append(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  const char* data() const { return bytes_.data(); }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::string bytes_;
};

/// Takes a payload apart; after a read past its end ok() is false and every value is empty.
class PayloadReader {
 public:
  PayloadReader(const char* data, std::size_t size) : data_(data), left_(size) {}

  std::uint64_t number() { return value<std::uint64_t>(); }
  double real() { return value<double>(); }
  std::string text() {
    const std::uint64_t size = number();
    if (size > left_) return fail(), std::string();
    std::string result(data_, size);
    skip(std::min(padded(size), left_));
    return result;
  }
  template <class T>
  std::vector<T> values(std::uint64_t count) {
    static_assert(sizeof(T) == 8 && std::is_trivially_copyable_v<T>);
    if (count > left_ / 8) return fail(), std::vector<T>();
    std::vector<T> result(count);
    if (count > 0) std::memcpy(result.data(), data_, count * 8);
    skip(count * 8);
    return result;
  }
  std::vector<std::uint64_t> shape() { return values<std::uint64_t>(number()); }
  /// A count of things that take at least eight bytes each.
  std::uint64_t count() {
    const std::uint64_t n = number();
    if (n > left_ / 8) fail();
    return ok_ ? n : 0;
  }
  bool ok() const { return ok_; }
  bool done() const { return ok_ && left_ == 0; }

 private:
  template <class T>
  T value() {
    T result{};
    if (left_ < sizeof(T)) return fail(), result;
    std::memcpy(&result, data_, sizeof(T));
    skip(sizeof(T));
    return result;
  }
  void skip(std::size_t bytes) {
    data_ += bytes;
    left_ -= bytes;
  }
  void fail() {
    ok_ = false;
    left_ = 0;
  }

  const char* data_;
  std::size_t left_;
  bool ok_ = true;
};

/// A row of a channel that has columns of single precision, and back.
void pack_row(const Channel& channel, std::span<const double> numbers, std::string& out);
void unpack_row(const Channel& channel, const char* packed, std::vector<double>& out);

void write_channel(PayloadWriter& out, const Channel& channel);
void write_array(PayloadWriter& out, const NamedArray& array);
std::optional<Channel> read_channel(PayloadReader in);
std::optional<Blob> read_blob(PayloadReader in);
std::optional<Attribute> read_attribute(PayloadReader in);
std::optional<NamedArray> read_array(PayloadReader in);
std::optional<Checkpoint> read_checkpoint(PayloadReader in);

}  // namespace flexura::detail
