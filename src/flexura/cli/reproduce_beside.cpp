// `flexura reproduce` of a program without reproductions.

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "flexura/cli/command.hpp"
#include "flexura/cli/reproduce.hpp"

namespace flexura::cli {

int reproduce(ReproduceArguments, char** command_line) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string beside = self.parent_path() / "flexura-reproduce";
  ::execv(beside.c_str(), command_line);
  throw IoError(fmt::format(
      "reproductions are in a program of their own, which cannot be started: '{}': {}; `make build` compiles it, and "
      "it is installed beside {}",
      beside, std::strerror(errno), self.filename().string()));
}

}  // namespace flexura::cli
