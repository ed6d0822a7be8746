#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/base/outcome.hpp"
#include "flexura/output/journal_record.hpp"

namespace flexura {

namespace detail {
class Hdf5Id;
}

/// One dataset of a results file.
struct DatasetInfo {
  enum class Type { real, integer, text, bytes, other };
  std::string path;
  std::vector<std::uint64_t> shape;  ///< {} for a text
  Type type = Type::other;
  std::string unit, doc, frame, axis;  ///< attributes of these names, empty if there are none
  std::string components;              ///< the same, joined by commas: "x,y"
  std::uint64_t stored_bytes = 0;      ///< in the file, after compression
};

/// Values of one dataset, row-major; the member that matches the type is filled.
struct Dataset {
  DatasetInfo info;
  std::vector<double> reals;
  std::vector<std::int64_t> integers;
  std::string text;  ///< of a text; bytes of a byte array
};

/// A results file that stays open: for many reads, and for parts of what is too large to be read whole.
class ResultsFile {
 public:
  static Outcome<ResultsFile> open(const std::string& path);

  const std::string& path() const { return path_; }
  const std::vector<DatasetInfo>& datasets() const { return datasets_; }             ///< in order of their paths
  const std::vector<Attribute>& attributes() const { return attributes_; }           ///< all of them
  const DatasetInfo* find(std::string_view dataset) const;                           ///< null if there is none
  const Attribute* attribute(std::string_view object, std::string_view name) const;  ///< the same
  std::string text(std::string_view object, std::string_view name) const;            ///< "" if there is no such text
  Outcome<Dataset> read(const std::string& dataset) const;
  /// Rows of a dataset of numbers, row-major; `rows` ascending.
  Outcome<std::vector<double>> read_rows(const std::string& dataset, std::span<const std::uint64_t> rows) const;

 private:
  std::string path_;
  std::shared_ptr<const detail::Hdf5Id> file_;
  std::vector<DatasetInfo> datasets_;
  std::vector<Attribute> attributes_;
  std::vector<std::size_t> by_name_;  ///< of attributes_, in the order of path and name
};

/// All datasets, in order of their paths.
Outcome<std::vector<DatasetInfo>> list_datasets(const std::string& file);
Outcome<Dataset> read_dataset(const std::string& file, const std::string& path);
/// All attributes of groups and datasets (the descriptive ones of datasets, as `unit`, left out), by path and name.
Outcome<std::vector<Attribute>> list_attributes(const std::string& file);
/// The last checkpoint of the run, to start another one from.
Outcome<Checkpoint> read_checkpoint(const std::string& file);

/// Compares two results files: datasets by their bits, and attributes; quantities of the clock on the wall are left out.
/// One line per difference; empty if there is none.
Outcome<std::vector<std::string>> compare_results(const std::string& a, const std::string& b);

}  // namespace flexura
