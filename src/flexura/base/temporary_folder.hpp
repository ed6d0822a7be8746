#pragma once

#include <cstddef>
#include <string>

namespace flexura {

/// A folder under the system's folder for temporary files (TMPDIR), removed with its owner. Throws std::runtime_error.
class TemporaryFolder {
 public:
  /// Where its path would have more than `longest` characters, it lies in /tmp.
  explicit TemporaryFolder(std::size_t longest = std::string::npos);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::string& path() const { return path_; }
  /// Path of a file in it.
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace flexura
