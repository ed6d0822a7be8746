#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "flexura/output/journal_record.hpp"
#include "flexura/output/outcome.hpp"

namespace flexura {

/// One dataset of a results file.
struct DatasetInfo {
  enum class Type { real, integer, text, bytes, other };
  std::string path;
  std::vector<std::uint64_t> shape;  ///< {} for a text
  Type type = Type::other;
  std::string unit, doc, frame, axis;  ///< attributes of these names, empty if there are none
  std::uint64_t stored_bytes = 0;      ///< in the file, after compression
};

/// Values of one dataset, row-major; the member that matches the type is filled.
struct Dataset {
  DatasetInfo info;
  std::vector<double> reals;
  std::vector<std::int64_t> integers;
  std::string text;  ///< of a text; bytes of a byte array
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
