#include "flexura/output/journal_record.hpp"

#include "flexura/output/journal_format.hpp"

namespace flexura {

std::uint64_t Channel::size() const {
  std::uint64_t sum = 0;
  for (const ChannelColumn& column : columns) sum += column.size();
  return sum;
}

std::uint64_t Channel::words() const {
  std::uint64_t sum = 0;
  for (const ChannelColumn& column : columns)
    sum += column.type == ColumnType::single ? (column.size() + 1) / 2 : column.size();
  return sum;
}

namespace {

/// Null if the number is none.
std::optional<ColumnType> column_type(std::uint64_t number) {
  if (number > static_cast<std::uint64_t>(ColumnType::single)) return std::nullopt;
  return static_cast<ColumnType>(number);
}

const NamedArray* find_array(const std::vector<NamedArray>& arrays, std::string_view name, ColumnType type) {
  for (const NamedArray& array : arrays)
    if (array.name == name && array.type == type) return &array;
  return nullptr;
}

}  // namespace

const std::vector<double>* Checkpoint::reals(std::string_view name) const {
  const NamedArray* array = find_array(arrays, name, ColumnType::real);
  return array == nullptr ? nullptr : &array->reals;
}

const std::vector<std::int64_t>* Checkpoint::integers(std::string_view name) const {
  const NamedArray* array = find_array(arrays, name, ColumnType::integer);
  return array == nullptr ? nullptr : &array->integers;
}

namespace detail {

void write_channel(PayloadWriter& out, const Channel& channel) {
  out.clear();
  out.text(channel.path);
  out.text(channel.doc);
  out.number(channel.columns.size());
  for (const ChannelColumn& column : channel.columns) {
    out.text(column.name);
    out.shape(column.shape);
    out.text(column.unit);
    out.text(column.doc);
    out.text(column.frame);
    out.number(column.components.size());
    for (const std::string& component : column.components) out.text(component);
    out.number(static_cast<std::uint64_t>(column.type));
  }
}

namespace {

constexpr std::uint64_t most_numbers = UINT32_MAX;  ///< in a row or an array: what a record can hold

/// Product of a shape; nothing where it is more than any record holds.
std::optional<std::uint64_t> numbers_in(const std::vector<std::uint64_t>& shape) {
  std::uint64_t product = 1;
  for (const std::uint64_t n : shape) {
    if (n > most_numbers) return {};
    product *= n;
    if (product > most_numbers) return {};
  }
  return product;
}

}  // namespace

std::optional<Channel> read_channel(PayloadReader in) {
  Channel channel;
  channel.path = in.text();
  channel.doc = in.text();
  channel.columns.resize(in.count());
  for (ChannelColumn& column : channel.columns) {
    column.name = in.text();
    column.shape = in.shape();
    column.unit = in.text();
    column.doc = in.text();
    column.frame = in.text();
    column.components.resize(in.count());
    for (std::string& component : column.components) component = in.text();
    const auto type = column_type(in.number());
    if (!type) return std::nullopt;
    column.type = *type;
  }
  std::uint64_t width = 0;
  for (const ChannelColumn& column : channel.columns) {
    const auto numbers = numbers_in(column.shape);
    if (!numbers || (width += *numbers) > most_numbers) return std::nullopt;
  }
  if (!in.done() || channel.columns.empty()) return std::nullopt;
  return channel;
}

void pack_row(const Channel& channel, std::span<const double> numbers, std::string& out) {
  out.clear();
  const double* from = numbers.data();
  for (const ChannelColumn& column : channel.columns) {
    const std::uint64_t n = column.size();
    if (column.type == ColumnType::single) {
      for (std::uint64_t i = 0; i < n; ++i) {
        const auto x = static_cast<float>(from[i]);
        out.append(reinterpret_cast<const char*>(&x), sizeof x);
      }
      out.resize(padded(out.size()));
    } else {
      out.append(reinterpret_cast<const char*>(from), n * sizeof(double));
    }
    from += n;
  }
}

void unpack_row(const Channel& channel, const char* packed, std::vector<double>& out) {
  out.clear();
  for (const ChannelColumn& column : channel.columns) {
    const std::uint64_t n = column.size(), begin = out.size();
    out.resize(begin + n);
    if (column.type == ColumnType::single) {
      for (std::uint64_t i = 0; i < n; ++i) {
        float x = 0;
        std::memcpy(&x, packed + i * sizeof x, sizeof x);
        out[begin + i] = x;
      }
      packed += padded(n * sizeof(float));
    } else {
      if (n > 0) std::memcpy(&out[begin], packed, n * sizeof(double));
      packed += n * sizeof(double);
    }
  }
}

std::optional<Blob> read_blob(PayloadReader in) {
  Blob blob;
  blob.path = in.text();
  blob.doc = in.text();
  blob.is_text = in.number() != 0;
  blob.content = in.text();
  if (!in.done()) return std::nullopt;
  return blob;
}

std::optional<Attribute> read_attribute(PayloadReader in) {
  Attribute attribute;
  attribute.path = in.text();
  attribute.name = in.text();
  const std::uint64_t kind = in.number();
  if (kind > 2) return std::nullopt;
  attribute.kind = static_cast<Attribute::Kind>(kind);
  attribute.real = in.real();
  attribute.integer = static_cast<std::int64_t>(in.number());
  attribute.text = in.text();
  if (!in.done()) return std::nullopt;
  return attribute;
}

void write_array(PayloadWriter& out, const NamedArray& array) {
  out.clear();
  out.text(array.name);
  out.shape(array.shape);
  out.text(array.unit);
  out.text(array.doc);
  out.number(static_cast<std::uint64_t>(array.type));
  if (array.type != ColumnType::integer) {
    out.number(array.reals.size());
    out.append(array.reals.data(), array.reals.size() * sizeof(double));
  } else {
    out.number(array.integers.size());
    out.append(array.integers.data(), array.integers.size() * sizeof(std::int64_t));
  }
}

std::optional<NamedArray> read_array(PayloadReader in) {
  NamedArray array;
  array.name = in.text();
  array.shape = in.shape();
  array.unit = in.text();
  array.doc = in.text();
  const auto type = column_type(in.number());
  if (!type) return std::nullopt;
  array.type = *type;
  const std::uint64_t count = in.number();
  if (array.type != ColumnType::integer)
    array.reals = in.values<double>(count);
  else
    array.integers = in.values<std::int64_t>(count);
  if (!in.done() || numbers_in(array.shape) != count) return std::nullopt;
  return array;
}

std::optional<Checkpoint> read_checkpoint(PayloadReader in) {
  Checkpoint checkpoint;
  checkpoint.rows = in.shape();
  checkpoint.arrays.resize(in.count());
  for (NamedArray& array : checkpoint.arrays) {
    array.name = in.text();
    array.type = in.number() == 0 ? ColumnType::real : ColumnType::integer;
    array.shape = {in.number()};
  }
  for (NamedArray& array : checkpoint.arrays) {
    if (array.type == ColumnType::real)
      array.reals = in.values<double>(array.shape[0]);
    else
      array.integers = in.values<std::int64_t>(array.shape[0]);
  }
  if (!in.done()) return std::nullopt;
  return checkpoint;
}

}  // namespace detail
}  // namespace flexura
