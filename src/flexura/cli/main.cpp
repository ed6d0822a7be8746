#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "flexura/base/memory_limit.hpp"
#include "flexura/base/nearest_name.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/reading_child.hpp"
#include "flexura/version.hpp"

namespace flexura::cli {
namespace {

void add_commands(CLI::App& app, int& status, char** command_line) {
  app.set_version_flag("--version", fmt::format("flexura {}", version));
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 fine; 1 a solver failed or a reproduction missed; 2 wrong scene or command line;\n"
      "3 a file could not be read or written; 130 interrupted, results are kept.\n"
      "Begin with: flexura example soft_actuator && flexura run soft_actuator.toml");
  add_run(app, status);
  add_sweep(app, status, command_line);
  add_identify(app, status, command_line);
  add_invert(app, status, command_line);
  add_gradient(app, status, command_line);
  add_view(app, status);
  add_compare(app, status);
  add_check(app, status);
  add_example(app, status);
  add_info(app, status);
  add_render(app, status);
  add_reproduce(app, status, command_line);
  add_fit_material(app, status, command_line);
  add_convert(app, status);
  add_export_fmu(app, status, command_line);
  add_schema(app, status, command_line);
  add_completion(app, status);
}

std::string nearest_text(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? std::string() : fmt::format(", nearest: \"{}\"", nearest);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// A first word that is no command; the library would only say that one is missing.
void refuse_unknown_command(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = command_names(app);
  if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) return;
  throw UsageError(
      fmt::format("there is no command \"{}\"{}; `flexura --help` lists them", word, nearest_text(word, names)));
}

/// An option that the command does not have.
void refuse_unknown_option(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands())
    for (const std::string& word : command->remaining()) {
      if (!word.starts_with("--")) continue;
      std::vector<std::string> known;
      for (const CLI::Option* option : command->get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
      throw UsageError(fmt::format("`flexura {}` has no option {}{}; `flexura {} --help` lists them",
                                   command->get_name(), word, nearest_text(word, known), command->get_name()));
    }
}

int parse_and_run(CLI::App& app, int argc, char** argv) {
  if (argc < 2) {
    write_out(app.help());
    return bad_input;
  }
  refuse_unknown_command(app, argv[1]);
  try {
    app.parse(argc, argv);
    return success;
  } catch (const CLI::ExtrasError& error) {
    refuse_unknown_option(app);
    throw;
  }
}

int run_program(int argc, char** argv) {
  CLI::App app("Dynamics of machines that are part bone, part muscle: rigid bodies and highly flexible parts.",
               "flexura");
  int status = success;
  add_commands(app, status, argv);
  try {
    const int parsed = parse_and_run(app, argc, argv);
    return parsed == success ? status : parsed;
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? success : bad_input;
  } catch (const InputError& error) {
    print_problems(error);
    return dynamic_cast<const UnreadableFiles*>(&error) != nullptr ? io_failure : bad_input;
  } catch (const UsageError& error) {
    note("error: {}\n", error.what());
    return bad_input;
  } catch (const IoError& error) {
    note("error: {}\n", error.what());
    return io_failure;
  } catch (const std::filesystem::filesystem_error& error) {
    note("error: cannot read '{}': {}\n", error.path1().string(), error.code().message());
    return io_failure;
  } catch (const std::bad_alloc&) {
    if (memory_limit() > 0) {
      note("error: the file is damaged: reading it takes more than {:.0f} GB of memory\n",
           1e-9 * static_cast<double>(memory_limit()));
      return io_failure;
    }
    note("error: there is not enough memory; nothing that was written before is lost\n");
    return unsuccessful;
  } catch (const std::exception& error) {
    note("error: {}\n", error.what());
    return unsuccessful;
  }
}

}  // namespace
}  // namespace flexura::cli

int main(int argc, char** argv) {
  flexura::cli::prepare_console();
  if (flexura::cli::only_reads(argc, argv))
    if (const std::optional<int> status = flexura::cli::wait_for_child(argc, argv)) return *status;
  const int status = flexura::cli::run_program(argc, argv);
  const bool said = flexura::cli::all_was_said();
  return said || status != flexura::cli::success ? status : flexura::cli::io_failure;
}
