#include <CLI/CLI.hpp>

#include "flexura/cli/command.hpp"

namespace flexura::cli {

void add_reproduce(CLI::App&, int&) {}

}  // namespace flexura::cli
