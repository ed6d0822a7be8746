// Studies and FMUs of a program without them.

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "flexura/cli/command.hpp"
#include "flexura/cli/study.hpp"

namespace flexura::cli {
namespace {

[[noreturn]] void become_study_program(char** command_line) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string beside = self.parent_path() / "flexura-study";
  ::execv(beside.c_str(), command_line);
  throw IoError(fmt::format(
      "`flexura {}` is in a program of its own, which cannot be started: '{}': {}; `make build` compiles it, and it is "
      "installed beside {}",
      command_line[1], beside, std::strerror(errno), self.filename().string()));
}

}  // namespace

int export_fmu_command(const ExportFmuArguments&, char** command_line) { become_study_program(command_line); }
int fit_material_command(const FitMaterialArguments&, char** command_line) { become_study_program(command_line); }
int gradient_command(const GradientArguments&, char** command_line) { become_study_program(command_line); }
int identify_command(const IdentifyArguments&, char** command_line) { become_study_program(command_line); }
int linearise_command(const LineariseArguments&, char** command_line) { become_study_program(command_line); }
int inverse_statics_command(const SteeredArguments&, char** command_line) { become_study_program(command_line); }
int inverse_dynamics_command(const SteeredArguments&, char** command_line) { become_study_program(command_line); }
int workspace_command(const WorkspaceArguments&, char** command_line) { become_study_program(command_line); }
int invert_command(const InvertArguments&, char** command_line) { become_study_program(command_line); }
std::string study_schema(const std::string&, char** command_line) { become_study_program(command_line); }
int sweep(const SweepArguments&, char** command_line) { become_study_program(command_line); }

}  // namespace flexura::cli
