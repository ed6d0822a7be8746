#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "flexura/base/outcome.hpp"
#include "flexura/base/temporary_folder.hpp"

namespace flexura {

/// A file that could not be read or written.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Content of a file.
Outcome<std::string> read_file(const std::string& path);

/// A file under way: written as part() and then put in its place, so that `path` is the old file or the whole new one at
/// any moment. Links are followed, and a file that is there keeps its mode. Where a device, a pipe or a terminal is in that
/// place, commit() copies into it; a folder, a socket or a disk is refused.
class FileInProgress {
 public:
  /// Makes missing folders; error() says why nothing can be written there.
  explicit FileInProgress(const std::string& path);
  FileInProgress(const FileInProgress&) = delete;
  FileInProgress& operator=(const FileInProgress&) = delete;
  ~FileInProgress();  ///< removes the part

  const std::string& error() const { return error_; }
  const std::string& part() const { return part_; }
  /// Returns what went wrong, or "".
  std::string commit();

 private:
  std::string copy() const;

  std::string path_, target_, part_, error_;
  int mode_ = -1;                         ///< of the file that is replaced
  unsigned owner_[2] = {};                ///< the same: user and group
  std::optional<TemporaryFolder> aside_;  ///< of the part of what no name can be put on
  bool is_replaced_ = false;              ///< the part has become the file
};

/// The same at once. Returns what went wrong, or "".
std::string write_file(const std::string& path, std::string_view content);

/// Removes parts in the folder that processes left which were killed.
void remove_abandoned_parts(const std::string& folder);

/// Makes the folder that `path` lies in. Returns what went wrong, or "".
std::string make_parent_folder(const std::string& path);

/// "cannot <verb> '<path>': <meaning of errno>".
std::string file_error(std::string_view verb, const std::string& path, int error_number);

}  // namespace flexura
