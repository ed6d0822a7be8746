#pragma once

#include <optional>
#include <string>

#include "flexura/base/temporary_folder.hpp"

namespace flexura::cli {

/// Of the folder of a run: its results, or its journal where the run went on behind them and was killed. Throws UsageError
/// if there is neither.
std::string newest_in(const std::string& folder);

/// The results file of a run: its own, or one made from its journal for as long as this lives.
class StoredResults {
 public:
  /// `path`: results.h5, run.journal or the folder of a run. Throws UsageError if there is no run, IoError if its journal
  /// cannot be read.
  explicit StoredResults(const std::string& path);

  const std::string& file() const { return file_; }      ///< results file to read
  const std::string& folder() const { return folder_; }  ///< of the run
  const std::string& source() const { return source_; }  ///< what the results come from

 private:
  std::optional<TemporaryFolder> temporary_;  ///< of a file made from the journal
  std::string file_, folder_, source_;
};

}  // namespace flexura::cli
