#include "flexura/cli/reproduce.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "flexura/cli/command.hpp"

namespace flexura::cli {

void add_reproduce(CLI::App& app, int& status, char** command_line) {
  CLI::App* command = app.add_subcommand("reproduce", "Repeat the computations of a paper and compare the figures");
  auto o = std::make_shared<ReproduceArguments>();
  command->add_option("PAPER", o->paper, "Key of the paper, e.g. rong2024");
  command->add_flag("--list", o->list, "List the papers and their cases");
  command->add_option("--case", o->only, "Only this case")->type_name("ID");
  command->add_flag("--json", o->json, "Print the results as JSON on stdout, all else on stderr");
  command->add_option("--csv", o->csv_dir, "Write a table per sensor into this folder")->type_name("DIR");
  command->add_option("--set", o->set, "Change a value of the scenes, e.g. section.wall.EI=0.02")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--output,-o", o->output_dir,
                   "Folder of the report with plots (default: reproduce-PAPER; for one case, none)")
      ->type_name("DIR");
  command->add_option("--threads", o->threads, "Threads; the results do not depend on it")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command->callback([o, &status, command_line] {
    if (!o->list && o->paper.empty()) throw UsageError("name a paper, or --list");
    status = reproduce(*o, command_line);
  });
}

}  // namespace flexura::cli
