#pragma once
// A file that grows line by line, as journals of studies do: whoever is killed while it writes leaves whole lines but for the last.

#include <functional>
#include <string>
#include <string_view>

namespace flexura {

class LineFile {
 public:
  /// Hands each whole line that is there, without its end, to `take` and cuts the file before the first that it returns false for, or
  /// that has no end. Makes missing folders. Throws FileError.
  LineFile(std::string path, const std::function<bool(std::string_view line)>& take);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// Writes the line and its end, at once. Throws FileError.
  void add(std::string line);

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace flexura
