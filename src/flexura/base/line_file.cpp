#include "flexura/base/line_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "flexura/base/file.hpp"

namespace flexura {

LineFile::LineFile(std::string path, const std::function<bool(std::string_view line)>& take) : path_(std::move(path)) {
  if (const std::string error = make_parent_folder(path_); !error.empty()) throw FileError(error);
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0666);
  if (file_ < 0) throw FileError(file_error("write", path_, errno));
  std::size_t kept = 0;
  try {
    const bool has_end = std::filesystem::is_regular_file(path_);  // what is none, as /dev/full, is only written to
    const Outcome<std::string> text = has_end ? read_file(path_) : std::string();
    if (!text) throw FileError(text.error());
    for (std::size_t end; (end = text->find('\n', kept)) != std::string::npos; kept = end + 1)
      if (!take(std::string_view(*text).substr(kept, end - kept))) break;
    if (kept < text->size() && ::ftruncate(file_, static_cast<off_t>(kept)) != 0)
      throw FileError(file_error("write", path_, errno));
  } catch (...) {
    ::close(file_);
    throw;
  }
}

LineFile::~LineFile() { ::close(file_); }

void LineFile::add(std::string line) {
  line += '\n';
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t written = ::write(file_, line.data() + done, line.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw FileError(file_error("write", path_, errno));
    done += static_cast<std::size_t>(written);
  }
}

}  // namespace flexura
