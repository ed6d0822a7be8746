#include "flexura/base/temporary_folder.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "flexura/base/file.hpp"

namespace flexura {
namespace {

namespace fs = std::filesystem;

constexpr const char* name_pattern = "flexura-XXXXXX";

}  // namespace

TemporaryFolder::TemporaryFolder(std::size_t longest) {
  std::error_code error;
  path_ = (fs::temp_directory_path(error) / name_pattern).string();
  if (error || path_.size() > longest) path_.assign("/tmp/").append(name_pattern);
  if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error(file_error("make folder", path_, errno));
}

TemporaryFolder::~TemporaryFolder() {
  // Processes that were just killed may still hold files open here for a moment.
  std::error_code error;
  for (int attempt = 0; attempt < 50; ++attempt) {
    fs::remove_all(path_, error);
    if (!error) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace flexura
