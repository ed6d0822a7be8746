#pragma once
// What the commands of the program share: exit codes, messages, and how each adds itself to the command line.

#include <stdexcept>
#include <string>

#include "flexura/base/file.hpp"
#include "flexura/scene/document.hpp"

namespace CLI {
class App;
}

namespace flexura::cli {

/// Exit status of the program (docs/cli.md).
enum ExitCode : int {
  success = 0,
  unsuccessful = 1,  ///< a solver failed, a reproduction missed its figure
  bad_input = 2,     ///< a scene or the command line
  io_failure = 3,    ///< a file could not be read or written
  interrupted = 130  ///< Ctrl-C or SIGTERM; results are kept
};

using IoError = FileError;

/// Something asked for on the command line that cannot be.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Each adds a command to `app`; when it was chosen, its exit status goes to `status`.
void add_run(CLI::App& app, int& status);
void add_view(CLI::App& app, int& status);
void add_compare(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status);
void add_example(CLI::App& app, int& status);
void add_info(CLI::App& app, int& status);
void add_render(CLI::App& app, int& status);
void add_convert(CLI::App& app, int& status);
void add_export_fmu(CLI::App& app, int& status, char** command_line);
void add_fit_material(CLI::App& app, int& status, char** command_line);
void add_completion(CLI::App& app, int& status);
/// `command_line`: the words of the program, ended by a null pointer.
void add_schema(CLI::App& app, int& status, char** command_line);
void add_reproduce(CLI::App& app, int& status, char** command_line);
void add_gradient(CLI::App& app, int& status, char** command_line);
void add_identify(CLI::App& app, int& status, char** command_line);
void add_invert(CLI::App& app, int& status, char** command_line);
void add_linearise(CLI::App& app, int& status, char** command_line);
void add_inverse_statics(CLI::App& app, int& status, char** command_line);
void add_inverse_dynamics(CLI::App& app, int& status, char** command_line);
void add_workspace(CLI::App& app, int& status, char** command_line);
void add_sweep(CLI::App& app, int& status, char** command_line);

/// "a.toml" → its text; throws IoError.
std::string read_text(const std::string& path);
/// Makes folders that are missing; throws IoError.
void write_text(const std::string& path, const std::string& text);

/// An InputError with lines underlined, if it came without them.
void rethrow_with_lines(const InputError& error, const SourceTexts& texts);

/// Prints all problems to stderr and, where there are several, their number.
void print_problems(const InputError& error);

/// "3 errors", "1 step".
std::string counted(std::size_t n, const std::string& noun);

}  // namespace flexura::cli
