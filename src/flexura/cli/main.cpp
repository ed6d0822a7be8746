#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <iostream>

#include "flexura/cli/command.hpp"
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
    return bad_input;
  } catch (const UsageError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return bad_input;
  } catch (const IoError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return io_failure;
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "error: cannot read '{}': {}\n", error.path1().string(), error.code().message());
    return io_failure;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return unsuccessful;
  }
}

}  // namespace
}  // namespace flexura::cli

int main(int argc, char** argv) { return flexura::cli::run_program(argc, argv); }
