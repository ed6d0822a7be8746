#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>

#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/version.hpp"

namespace flexura::cli {

void add_commands(CLI::App& app, int& status) {
  app.set_version_flag("--version", fmt::format("flexura {}", version));
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 fine; 1 a solver failed or a reproduction missed; 2 wrong scene or command line;\n"
      "3 a file could not be read or written; 130 interrupted, results are kept.\n"
      "Begin with: flexura example soft_actuator && flexura run soft_actuator.toml");
  add_run(app, status);
  add_view(app, status);
  add_compare(app, status);
  add_check(app, status);
  add_example(app, status);
  add_info(app, status);
  add_render(app, status);
  add_reproduce(app, status);
  add_schema(app, status);
  add_completion(app, status);
}

namespace {

int run_program(int argc, char** argv) {
  CLI::App app("Dynamics of machines that are part bone, part muscle: rigid bodies and highly flexible parts.",
               "flexura");
  int status = success;
  add_commands(app, status);
  try {
    app.parse(argc, argv);
    return status;
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
  const int status = flexura::cli::run_program(argc, argv);
  const bool said = flexura::cli::all_was_said();
  return said || status != flexura::cli::success ? status : flexura::cli::io_failure;
}
