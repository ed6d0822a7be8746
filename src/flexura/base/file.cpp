#include "flexura/base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace flexura {

std::string file_error(std::string_view verb, const std::string& path, int error_number) {
  return fmt::format("cannot {} '{}': {}", verb, path, std::strerror(error_number));
}

Outcome<std::string> read_file(const std::string& path) {
  using Result = Outcome<std::string>;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Result::failure(file_error("open", path, errno));
  std::string content;
  char piece[1 << 16];
  ssize_t n;
  while ((n = ::read(fd, piece, sizeof piece)) != 0) {
    if (n > 0) {
      content.append(piece, static_cast<std::size_t>(n));
    } else if (errno != EINTR) {
      const int number = errno;
      ::close(fd);
      return Result::failure(file_error("read", path, number));
    }
  }
  ::close(fd);
  return content;
}

std::string make_parent_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return file_error("make folder", folder.string(), error.value());
  return {};
}

std::string write_file(const std::string& path, std::string_view content) {
  if (std::string error = make_parent_folder(path); !error.empty()) return error;
  const std::string part = fmt::format("{}.part{}", path, ::getpid());
  const int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return file_error("write", path, errno);
  int number = 0;
  while (!content.empty() && number == 0) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n >= 0)
      content.remove_prefix(static_cast<std::size_t>(n));
    else if (errno != EINTR)
      number = errno;
  }
  if (::close(fd) != 0 && number == 0) number = errno;
  if (number == 0 && ::rename(part.c_str(), path.c_str()) != 0) number = errno;
  if (number == 0) return {};
  ::unlink(part.c_str());
  return file_error("write", path, number);
}

}  // namespace flexura
