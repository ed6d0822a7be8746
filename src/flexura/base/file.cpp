#include "flexura/base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
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

namespace {

constexpr std::string_view part_mark = ".part";  ///< before the number of the process
constexpr int longest_chain = 40;                ///< of links

/// Where links lead: the path of a file or of none.
std::string end_of_links(const std::string& path) {
  std::filesystem::path at(path);
  for (int k = 0; k < longest_chain; ++k) {
    std::error_code error;
    const std::filesystem::path next = std::filesystem::read_symlink(at, error);
    if (error) break;
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return at.string();
}

/// Writes all of it; errno, or 0.
int write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n >= 0)
      content.remove_prefix(static_cast<std::size_t>(n));
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

}  // namespace

FileInProgress::FileInProgress(const std::string& path) : path_(path), target_(path) {
  error_ = make_parent_folder(path);
  if (!error_.empty()) return;
  struct stat found{};
  const bool is_there = ::stat(path.c_str(), &found) == 0;
  if (!is_there && errno == ELOOP) error_ = file_error("write", path, errno);
  if (is_there && S_ISDIR(found.st_mode)) error_ = file_error("write", path, EISDIR);
  if (is_there && (S_ISSOCK(found.st_mode) || S_ISBLK(found.st_mode)))
    error_ = fmt::format("cannot write '{}': it is no file", path);
  if (!error_.empty()) return;
  // What /dev and /proc name are streams that are open, even where they lead to files: /dev/stdout.
  if (is_there && (!S_ISREG(found.st_mode) || path.starts_with("/dev/") || path.starts_with("/proc/"))) {
    aside_.emplace();
    target_ = *aside_ / "stream";
  } else {
    target_ = end_of_links(path);
    if (is_there && ::access(target_.c_str(), W_OK) != 0) {
      error_ = file_error("write", path, errno);
      return;
    }
    if (is_there) {
      mode_ = static_cast<int>(found.st_mode & 07777);
      owner_[0] = found.st_uid, owner_[1] = found.st_gid;
    } else {
      error_ = make_parent_folder(target_);
    }
  }
  part_ = fmt::format("{}{}{}", target_, part_mark, ::getpid());
}

FileInProgress::~FileInProgress() {
  if (!part_.empty() && !is_replaced_) ::unlink(part_.c_str());
}

std::string FileInProgress::commit() {
  if (aside_) return copy();
  if (mode_ >= 0) {
    // The mode last: a change of owner takes special bits away.
    if (::chown(part_.c_str(), owner_[0], owner_[1]) != 0) errno = 0;
    if (::chmod(part_.c_str(), static_cast<mode_t>(mode_)) != 0) return file_error("write", path_, errno);
  }
  if (::rename(part_.c_str(), target_.c_str()) != 0) return file_error("write", path_, errno);
  is_replaced_ = true;
  return {};
}

std::string FileInProgress::copy() const {
  const Outcome<std::string> content = read_file(part_);
  if (!content) return content.error();
  const int fd = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return file_error("write", path_, errno);
  int number = write_all(fd, *content);
  if (::close(fd) != 0 && number == 0) number = errno;
  return number == 0 ? "" : file_error("write", path_, number);
}

std::string write_file(const std::string& path, std::string_view content) {
  FileInProgress file(path);
  if (!file.error().empty()) return file.error();
  const int fd = ::open(file.part().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return file_error("write", path, errno);
  int number = write_all(fd, content);
  if (::close(fd) != 0 && number == 0) number = errno;
  return number == 0 ? file.commit() : file_error("write", path, number);
}

void remove_abandoned_parts(const std::string& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const std::size_t mark = name.rfind(part_mark);
    if (mark == std::string::npos) continue;
    const std::string_view digits = std::string_view(name).substr(mark + part_mark.size());
    int process = 0;
    const auto [rest, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), process);
    if (problem != std::errc() || rest != digits.data() + digits.size() || process <= 0) continue;
    if (::kill(process, 0) != 0 && errno == ESRCH) ::unlink(at->path().c_str());
  }
}

}  // namespace flexura
