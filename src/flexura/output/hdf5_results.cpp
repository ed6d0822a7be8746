#include "flexura/output/hdf5_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexura/base/file.hpp"
#include "flexura/output/hdf5_handle.hpp"

namespace flexura {

using detail::checked;
using detail::Hdf5Failure;
using detail::Hdf5Id;

namespace {

constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << 16;  ///< about the size of a chunk before compression
constexpr std::uint64_t small_bytes = std::uint64_t{1} << 14;  ///< up to here a dataset is stored in one piece

struct NumberType {
  hid_t file, memory;
};
NumberType number_type(ColumnType type) {
  if (type == ColumnType::real) return {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE};
  if (type == ColumnType::single) return {H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE};
  return {H5T_STD_I64LE, H5T_NATIVE_INT64};
}

std::string joined(const std::string& group, const std::string& name) {
  return group.ends_with('/') ? group + name : group + "/" + name;
}

void describe(hid_t object, const std::string& unit, const std::string& doc) {
  if (!unit.empty()) detail::set_attribute(object, "unit", unit);
  if (!doc.empty()) detail::set_attribute(object, "doc", doc);
}

/// Rows in a chunk of a dataset with `rows` rows; 0: stored in one piece.
std::uint64_t rows_per_chunk(std::uint64_t rows, std::uint64_t row_bytes) {
  if (rows * row_bytes <= small_bytes) return 0;
  return std::clamp<std::uint64_t>(chunk_bytes / row_bytes, 1, rows);
}

/// Receives one column row by row and writes it in whole chunks.
class ColumnWriter {
 public:
  ColumnWriter(hid_t file, const std::string& group, const ChannelColumn& column, const std::string& axis,
               std::uint64_t rows)
      : path_(joined(group, column.name)), type_(column.type), width_(column.size()), shape_{rows} {
    shape_.insert(shape_.end(), column.shape.begin(), column.shape.end());
    const std::uint64_t chunk = rows_per_chunk(rows, width_ * 8);
    capacity_ = width_ * (chunk > 0 ? chunk : rows);
    dataset_ = detail::create_dataset(file, path_, number_type(type_).file, shape_, chunk);
    detail::set_attribute(dataset_, "unit", column.unit.empty() ? std::string("1") : column.unit);
    describe(dataset_, {}, column.doc);
    if (!column.frame.empty()) detail::set_attribute(dataset_, "frame", column.frame);
    if (!column.components.empty()) detail::set_attribute(dataset_, "components", column.components);
    if (!axis.empty()) detail::set_attribute(dataset_, "axis", axis);
  }

  std::uint64_t width() const { return width_; }

  void push(const double* values) {
    if (width_ == 0) return;
    if (type_ != ColumnType::integer)
      reals_.insert(reals_.end(), values, values + width_);
    else
      for (std::uint64_t i = 0; i < width_; ++i) integers_.push_back(whole(values[i]));
    if (std::max(reals_.size(), integers_.size()) == capacity_) flush();
  }

  void flush() {
    const std::uint64_t count = std::max(reals_.size(), integers_.size());
    if (count == 0) return;
    const std::string doing = fmt::format("write dataset '{}'", path_);
    std::vector<hsize_t> start(shape_.size(), 0), extent = shape_;
    start[0] = written_;
    extent[0] = count / width_;
    const Hdf5Id in_file(H5Dget_space(dataset_), H5Sclose, doing);
    checked(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr), doing);
    const Hdf5Id in_memory(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose, doing);
    const void* data = type_ == ColumnType::integer ? static_cast<const void*>(integers_.data()) : reals_.data();
    checked(H5Dwrite(dataset_, number_type(type_).memory, in_memory, in_file, H5P_DEFAULT, data), doing);
    written_ += extent[0];
    reals_.clear();
    integers_.clear();
  }

 private:
  static std::int64_t whole(double value) {
    return std::abs(value) < 9e18 ? static_cast<std::int64_t>(value) : std::numeric_limits<std::int64_t>::min();
  }

  std::string path_;
  ColumnType type_;
  std::uint64_t width_, capacity_ = 0, written_ = 0;  // numbers, numbers, rows
  std::vector<hsize_t> shape_;
  Hdf5Id dataset_;
  std::vector<double> reals_;
  std::vector<std::int64_t> integers_;
};

void write_whole(hid_t dataset, hid_t memory_type, const void* data, std::size_t count, const std::string& path) {
  if (count == 0) return;
  checked(H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), fmt::format("write '{}'", path));
}

void write_blob(hid_t file, const Blob& blob) {
  if (blob.is_text) {
    const Hdf5Id type = detail::text_type(blob.content.size());
    const Hdf5Id dataset = detail::create_dataset(file, blob.path, type, {});
    write_whole(dataset, type, blob.content.c_str(), 1, blob.path);
    describe(dataset, {}, blob.doc);
    return;
  }
  const std::vector<hsize_t> shape{blob.content.size()};
  const Hdf5Id dataset = detail::create_dataset(file, blob.path, H5T_STD_U8LE, shape, rows_per_chunk(shape[0], 1));
  write_whole(dataset, H5T_NATIVE_UCHAR, blob.content.data(), blob.content.size(), blob.path);
  describe(dataset, {}, blob.doc);
}

void write_array(hid_t file, const NamedArray& array, const std::string& path) {
  const NumberType type = number_type(array.type);
  const std::vector<hsize_t> shape(array.shape.begin(), array.shape.end());
  const std::size_t count = std::max(array.reals.size(), array.integers.size());
  const std::uint64_t chunk = shape.empty() || count == 0 ? 0 : rows_per_chunk(shape[0], count / shape[0] * 8);
  const Hdf5Id dataset = detail::create_dataset(file, path, type.file, shape, chunk);
  const void* data =
      array.type == ColumnType::integer ? static_cast<const void*>(array.integers.data()) : array.reals.data();
  write_whole(dataset, type.memory, data, count, path);
  describe(dataset, array.unit, array.doc);
}

void write_channels(hid_t file, const JournalReader& journal) {
  std::vector<std::vector<ColumnWriter>> writers(journal.channels().size());
  for (std::size_t i = 0; i < writers.size(); ++i) {
    const Channel& channel = journal.channels()[i];
    const Hdf5Id group = detail::open_group(file, channel.path);
    describe(group, {}, channel.doc);
    const std::string axis = joined(channel.path, channel.columns.front().name);
    for (const ChannelColumn& column : channel.columns)
      writers[i].emplace_back(file, channel.path, column, &column == channel.columns.data() ? "" : axis,
                              journal.rows()[i]);
  }
  const std::string error = journal.visit_rows([&](ChannelId id, std::span<const double> row) {
    const double* values = row.data();
    for (ColumnWriter& writer : writers[id]) {
      writer.push(values);
      values += writer.width();
    }
  });
  if (!error.empty()) throw Hdf5Failure(error);
  for (auto& columns : writers)
    for (ColumnWriter& column : columns) column.flush();
}

/// The object at `path`; a group is made if nothing is there.
Hdf5Id open_object(hid_t file, const std::string& path) {
  const hid_t found = H5Oopen(file, path.c_str(), H5P_DEFAULT);
  if (found >= 0) return {found, H5Oclose, path};
  H5Eclear2(H5E_DEFAULT);
  return detail::open_group(file, path);
}

void write_attribute(hid_t file, const Attribute& attribute) {
  const Hdf5Id object = open_object(file, attribute.path);
  switch (attribute.kind) {
    case Attribute::Kind::real:
      return detail::set_attribute(object, attribute.name, attribute.real);
    case Attribute::Kind::integer:
      return detail::set_attribute(object, attribute.name, attribute.integer);
    case Attribute::Kind::text:
      return detail::set_attribute(object, attribute.name, attribute.text);
  }
}

void write_content(hid_t file, const JournalReader& journal) {
  {
    const Hdf5Id root = detail::open_group(file, "/");
    detail::set_attribute(root, "format", std::string("flexura-results"));
    detail::set_attribute(root, "format_version", std::int64_t{results_format_version});
    detail::set_attribute(root, "status", journal.status().empty() ? std::string("unfinished") : journal.status());
  }
  for (const Blob& blob : journal.blobs()) write_blob(file, blob);
  for (const NamedArray& array : journal.arrays()) write_array(file, array, array.name);
  write_channels(file, journal);
  if (journal.checkpoint())
    for (const NamedArray& array : journal.checkpoint()->arrays) write_array(file, array, "/checkpoint/" + array.name);
  for (const Attribute& attribute : journal.attributes()) write_attribute(file, attribute);
}

void write_file(const JournalReader& journal, const std::string& path) {
  Hdf5Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "create the file");
  try {
    write_content(file, journal);
    checked(file.close(), "finish the file");
  } catch (const Hdf5Failure&) {
    file.close();
    [[maybe_unused]] const int given_back = ::truncate(path.c_str(), 0);  // where HDF5 cannot close it, it stays open
    throw;
  }
}

}  // namespace

std::string write_results(const JournalReader& journal, const std::string& path) {
  FileInProgress file(path);
  if (!file.error().empty()) return file.error();
  const detail::QuietHdf5 quiet;
  try {
    write_file(journal, file.part());
  } catch (const Hdf5Failure& failure) {
    return fmt::format("results file '{}': {}", path, failure.what());
  }
  return file.commit();
}

}  // namespace flexura
