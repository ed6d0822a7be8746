#include "flexura/output/hdf5_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "flexura/output/hdf5_handle.hpp"
#include "flexura/output/hdf5_results.hpp"

namespace flexura {

using detail::checked;
using detail::Hdf5Failure;
using detail::Hdf5Id;

namespace {

// What files of this program never exceed; a hostile one does, and memory must not be asked for before that is seen.
constexpr hssize_t most_texts = 1 << 20;                       ///< in one attribute
constexpr int deepest_group = 64;                              ///< links may lead in circles
constexpr std::uint64_t most_compression = 1100;               ///< zlib shrinks 1032 times at most
constexpr std::uint64_t always_fine = std::uint64_t{1} << 20;  ///< bytes

/// Throws where a dataset says that it has more numbers than what is stored for it can hold.
void check_size(const DatasetInfo& info, std::size_t element) {
  std::uint64_t bytes = element;
  bool overflows = false;
  for (const std::uint64_t n : info.shape) overflows = __builtin_mul_overflow(bytes, n, &bytes) || overflows;
  if (overflows || (bytes > always_fine && bytes / most_compression > info.stored_bytes))
    throw Hdf5Failure(fmt::format("dataset '{}' is damaged: it claims more numbers than are stored", info.path));
}

std::string without_zeros(std::string text) {
  text.erase(std::find_if(text.rbegin(), text.rend(), [](char c) { return c != '\0'; }).base(), text.end());
  return text;
}

/// Value of an attribute; several texts are joined by commas.
Attribute read_attribute(hid_t object, const std::string& path, const std::string& name) {
  const std::string doing = fmt::format("read attribute '{}' of '{}'", name, path);
  const Hdf5Id attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, doing);
  const Hdf5Id type(H5Aget_type(attribute), H5Tclose, doing);
  const Hdf5Id space(H5Aget_space(attribute), H5Sclose, doing);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  if (points > most_texts) throw Hdf5Failure(fmt::format("attribute '{}' of '{}' is damaged", name, path));
  const auto count = static_cast<std::size_t>(std::max<hssize_t>(points, 0));
  Attribute result{path, name, Attribute::Kind::text, 0, 0, {}};
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_FLOAT && count == 1) {
    result.kind = Attribute::Kind::real;
    checked(H5Aread(attribute, H5T_NATIVE_DOUBLE, &result.real), doing);
  } else if (kind == H5T_INTEGER && count == 1) {
    result.kind = Attribute::Kind::integer;
    checked(H5Aread(attribute, H5T_NATIVE_INT64, &result.integer), doing);
  } else if (kind == H5T_STRING && H5Tis_variable_str(type) > 0) {
    // Characters of more than a byte: the library would fill a buffer of their number times their size for each text.
    const Hdf5Id character(H5Tget_super(type), H5Tclose, doing);
    if (H5Tget_size(character) != 1) throw Hdf5Failure(fmt::format("attribute '{}' of '{}' is damaged", name, path));
    const Hdf5Id memory_type = detail::variable_text_type();
    std::vector<char*> texts(count, nullptr);
    checked(H5Aread(attribute, memory_type, static_cast<void*>(texts.data())), doing);
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) result.text += ',';
      if (texts[i] != nullptr) result.text += texts[i];
      H5free_memory(texts[i]);
    }
  }
  return result;
}

std::vector<Attribute> read_attributes(hid_t object, const std::string& path) {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  checked(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names), fmt::format("read '{}'", path));
  std::vector<Attribute> result;
  for (const std::string& name : names) result.push_back(read_attribute(object, path, name));
  return result;
}

DatasetInfo::Type type_of(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_FLOAT:
      return DatasetInfo::Type::real;
    case H5T_INTEGER:
      return H5Tget_size(type) == 1 ? DatasetInfo::Type::bytes : DatasetInfo::Type::integer;
    case H5T_STRING:
      return H5Tis_variable_str(type) > 0 ? DatasetInfo::Type::other : DatasetInfo::Type::text;
    default:
      return DatasetInfo::Type::other;
  }
}

DatasetInfo info_of(hid_t dataset, const std::string& path) {
  const std::string doing = fmt::format("read dataset '{}'", path);
  DatasetInfo info;
  info.path = path;
  const Hdf5Id type(H5Dget_type(dataset), H5Tclose, doing);
  const Hdf5Id space(H5Dget_space(dataset), H5Sclose, doing);
  info.type = type_of(type);
  std::vector<hsize_t> shape(static_cast<std::size_t>(checked(H5Sget_simple_extent_ndims(space), doing)));
  checked(H5Sget_simple_extent_dims(space, shape.data(), nullptr), doing);
  info.shape.assign(shape.begin(), shape.end());
  info.stored_bytes = H5Dget_storage_size(dataset);
  check_size(info, H5Tget_size(type));
  for (const Attribute& attribute : read_attributes(dataset, path)) {
    if (attribute.name == "unit") info.unit = attribute.text;
    if (attribute.name == "doc") info.doc = attribute.text;
    if (attribute.name == "frame") info.frame = attribute.text;
    if (attribute.name == "axis") info.axis = attribute.text;
    if (attribute.name == "components") info.components = attribute.text;
  }
  return info;
}

bool is_description(std::string_view name) {
  constexpr std::array names{"unit", "doc", "frame", "axis", "components"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct Content {
  std::vector<DatasetInfo> datasets;
  std::vector<Attribute> attributes;  ///< of groups and datasets, descriptive ones included
  std::vector<bool> of_dataset;       ///< by attribute
};

void visit(hid_t group, const std::string& path, Content& content) {
  for (Attribute& attribute : read_attributes(group, path)) {
    content.attributes.push_back(std::move(attribute));
    content.of_dataset.push_back(false);
  }
  const std::string doing = fmt::format("read group '{}'", path);
  if (std::count(path.begin(), path.end(), '/') > deepest_group)
    throw Hdf5Failure(fmt::format("groups lie more than {} deep: the file is damaged", deepest_group));
  std::vector<std::string> names;  // at once: by its index each takes time in proportion to all
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  checked(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names), doing);
  for (const std::string& name : names) {
    const std::string below = fmt::format("{}/{}", path == "/" ? "" : path, name);
    const Hdf5Id object(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose, fmt::format("open '{}'", below));
    const H5I_type_t kind = H5Iget_type(object);
    if (kind == H5I_GROUP) visit(object, below, content);
    if (kind != H5I_DATASET) continue;
    content.datasets.push_back(info_of(object, below));
    for (Attribute& attribute : read_attributes(object, below)) {
      content.attributes.push_back(std::move(attribute));
      content.of_dataset.push_back(true);
    }
  }
}

/// An open results file of a version this program reads.
Hdf5Id open_results(const std::string& file) {
  Hdf5Id id(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open the file");
  const Hdf5Id root = detail::open_group(id, "/");
  std::string format;
  std::int64_t version = 0;
  for (const Attribute& attribute : read_attributes(root, "/")) {
    if (attribute.name == "format") format = attribute.text;
    if (attribute.name == "format_version") version = attribute.integer;
  }
  if (format != "flexura-results") throw Hdf5Failure("it is not a results file of Flexura");
  if (version < 1 || version > results_format_version)
    throw Hdf5Failure(
        fmt::format("its layout has version {}; this program reads version {}", version, results_format_version));
  return id;
}

Content content_of(hid_t file) {
  Content content;
  const Hdf5Id root = detail::open_group(file, "/");
  visit(root, "/", content);
  const auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
  std::sort(content.datasets.begin(), content.datasets.end(), by_path);
  return content;
}

Dataset read(hid_t file, const std::string& path) {
  const std::string doing = fmt::format("read dataset '{}'", path);
  const Hdf5Id id(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose, doing);
  Dataset dataset;
  dataset.info = info_of(id, path);
  const std::uint64_t count =
      std::accumulate(dataset.info.shape.begin(), dataset.info.shape.end(), std::uint64_t{1}, std::multiplies<>());
  const auto fetch = [&](hid_t type, void* data) {
    if (count > 0) checked(H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), doing);
  };
  switch (dataset.info.type) {
    case DatasetInfo::Type::real:
      dataset.reals.resize(count);
      fetch(H5T_NATIVE_DOUBLE, dataset.reals.data());
      break;
    case DatasetInfo::Type::integer:
      dataset.integers.resize(count);
      fetch(H5T_NATIVE_INT64, dataset.integers.data());
      break;
    case DatasetInfo::Type::bytes:
      dataset.text.resize(count);
      fetch(H5T_NATIVE_UCHAR, dataset.text.data());
      break;
    case DatasetInfo::Type::text: {
      const Hdf5Id type(H5Dget_type(id), H5Tclose, doing);
      dataset.text.resize(count * H5Tget_size(type));
      fetch(type, dataset.text.data());
      dataset.text = without_zeros(std::move(dataset.text));
      break;
    }
    case DatasetInfo::Type::other:
      throw Hdf5Failure(fmt::format("dataset '{}' is of no known type", path));
  }
  return dataset;
}

constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;  ///< of neighbouring rows that are read at once

/// Rows `first` to `last` of a dataset, as doubles.
std::vector<double> read_piece(hid_t dataset, const DatasetInfo& info, std::uint64_t first, std::uint64_t last,
                               std::uint64_t width) {
  const std::string doing = fmt::format("read rows of '{}'", info.path);
  std::vector<double> values((last - first + 1) * width);
  std::vector<hsize_t> start(info.shape.size(), 0), extent(info.shape.begin(), info.shape.end());
  start[0] = first;
  extent[0] = last - first + 1;
  const Hdf5Id in_file(H5Dget_space(dataset), H5Sclose, doing);
  checked(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr), doing);
  const Hdf5Id in_memory(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose, doing);
  checked(H5Dread(dataset, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, values.data()), doing);
  return values;
}

std::vector<double> read_some(hid_t file, const DatasetInfo& info, std::span<const std::uint64_t> rows) {
  const bool numbers = info.type == DatasetInfo::Type::real || info.type == DatasetInfo::Type::integer;
  if (!numbers || info.shape.empty()) throw Hdf5Failure(fmt::format("'{}' has no rows of numbers", info.path));
  const std::uint64_t width =
      std::accumulate(info.shape.begin() + 1, info.shape.end(), std::uint64_t{1}, std::multiplies<>());
  std::vector<double> result;
  result.reserve(rows.size() * width);
  if (width == 0) return result;
  const Hdf5Id dataset(H5Dopen2(file, info.path.c_str(), H5P_DEFAULT), H5Dclose,
                       fmt::format("read dataset '{}'", info.path));
  const std::uint64_t most = std::max<std::uint64_t>(1, piece_bytes / (8 * width));
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i + 1;
    while (end < rows.size() && rows[end] - rows[i] < most) ++end;
    if (rows[end - 1] >= info.shape[0]) throw Hdf5Failure(fmt::format("'{}' has fewer rows", info.path));
    const std::vector<double> piece = read_piece(dataset, info, rows[i], rows[end - 1], width);
    for (std::size_t k = i; k < end; ++k) {
      const auto from = piece.begin() + static_cast<std::ptrdiff_t>((rows[k] - rows[i]) * width);
      result.insert(result.end(), from, from + static_cast<std::ptrdiff_t>(width));
    }
    i = end;
  }
  return result;
}

/// Runs `action` and turns a failure into a message about the file.
template <class T, class Action>
Outcome<T> guarded(const std::string& file, Action action) {
  const detail::QuietHdf5 quiet;
  try {
    return action();
  } catch (const Hdf5Failure& failure) {
    return Outcome<T>::failure(fmt::format("results file '{}': {}", file, failure.what()));
  }
}

/// The same on an open file.
template <class T, class Action>
Outcome<T> on_file(const std::string& file, Action action) {
  return guarded<T>(file, [&] {
    const Hdf5Id id = open_results(file);
    return action(static_cast<hid_t>(id));
  });
}

}  // namespace

Outcome<ResultsFile> ResultsFile::open(const std::string& path) {
  return guarded<ResultsFile>(path, [&] {
    ResultsFile result;
    result.path_ = path;
    result.file_ = std::make_shared<const Hdf5Id>(open_results(path));
    Content content = content_of(*result.file_);
    result.datasets_ = std::move(content.datasets);
    result.attributes_ = std::move(content.attributes);
    result.by_name_.resize(result.attributes_.size());
    std::iota(result.by_name_.begin(), result.by_name_.end(), std::size_t{0});
    std::sort(result.by_name_.begin(), result.by_name_.end(), [&](std::size_t a, std::size_t b) {
      const Attribute &first = result.attributes_[a], &second = result.attributes_[b];
      return std::tie(first.path, first.name) < std::tie(second.path, second.name);
    });
    return result;
  });
}

const DatasetInfo* ResultsFile::find(std::string_view dataset) const {
  const auto at = std::lower_bound(datasets_.begin(), datasets_.end(), dataset,
                                   [](const DatasetInfo& info, std::string_view path) { return info.path < path; });
  return at == datasets_.end() || at->path != dataset ? nullptr : &*at;
}

const Attribute* ResultsFile::attribute(std::string_view object, std::string_view name) const {
  const auto key = [&](std::size_t k) {
    return std::pair<std::string_view, std::string_view>(attributes_[k].path, attributes_[k].name);
  };
  const std::pair wanted(object, name);
  const auto at = std::lower_bound(by_name_.begin(), by_name_.end(), wanted,
                                   [&](std::size_t k, const auto& other) { return key(k) < other; });
  return at == by_name_.end() || key(*at) != wanted ? nullptr : &attributes_[*at];
}

std::string ResultsFile::text(std::string_view object, std::string_view name) const {
  const Attribute* found = attribute(object, name);
  return found == nullptr ? std::string() : found->text;
}

Outcome<Dataset> ResultsFile::read(const std::string& dataset) const {
  return guarded<Dataset>(path_, [&] { return flexura::read(*file_, dataset); });
}

Outcome<std::vector<double>> ResultsFile::read_rows(const std::string& dataset,
                                                    std::span<const std::uint64_t> rows) const {
  return guarded<std::vector<double>>(path_, [&] {
    const DatasetInfo* info = find(dataset);
    if (info == nullptr) throw Hdf5Failure(fmt::format("there is no dataset '{}'", dataset));
    return read_some(*file_, *info, rows);
  });
}

Outcome<std::vector<DatasetInfo>> list_datasets(const std::string& file) {
  return on_file<std::vector<DatasetInfo>>(file, [](hid_t id) { return content_of(id).datasets; });
}

Outcome<Dataset> read_dataset(const std::string& file, const std::string& path) {
  return on_file<Dataset>(file, [&](hid_t id) { return read(id, path); });
}

Outcome<std::vector<Attribute>> list_attributes(const std::string& file) {
  return on_file<std::vector<Attribute>>(file, [](hid_t id) {
    Content content = content_of(id);
    std::vector<Attribute> result;
    for (std::size_t i = 0; i < content.attributes.size(); ++i)
      if (!content.of_dataset[i] || !is_description(content.attributes[i].name))
        result.push_back(std::move(content.attributes[i]));
    return result;
  });
}

Outcome<Checkpoint> read_checkpoint(const std::string& file) {
  return on_file<Checkpoint>(file, [](hid_t id) {
    constexpr std::string_view folder = "/checkpoint/";
    Checkpoint checkpoint;
    for (const DatasetInfo& info : content_of(id).datasets) {
      if (!info.path.starts_with(folder)) continue;
      Dataset dataset = read(id, info.path);
      checkpoint.arrays.push_back({info.path.substr(folder.size()), info.shape,
                                   info.type == DatasetInfo::Type::real ? ColumnType::real : ColumnType::integer,
                                   std::move(dataset.reals), std::move(dataset.integers), info.unit, info.doc});
    }
    if (checkpoint.arrays.empty()) throw Hdf5Failure("it holds no checkpoint");
    return checkpoint;
  });
}

}  // namespace flexura
