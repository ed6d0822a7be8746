#include "flexura/scene/schema.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "flexura/base/file.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/study.hpp"
#include "flexura/scene/key_reference.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura::cli {

void add_schema(CLI::App& app, int& status, char** command_line) {
  CLI::App* command =
      app.add_subcommand("schema", "Print the JSON Schema of scenes or studies, for editors that complete and check");
  auto output = std::make_shared<std::string>();
  command->add_option("--output,-o", *output, "Write it to this file")->type_name("FILE");
  auto keys = std::make_shared<bool>(false);
  auto* as_page = command->add_flag("--keys", *keys, "Print all keys as a page of Markdown in its place");
  auto study = std::make_shared<std::string>();
  command->add_option("--study", *study, "Of the studies of this command")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(study_commands), std::end(study_commands))))
      ->excludes(as_page)
      ->type_name("COMMAND");
  command->callback([output, keys, study, &status, command_line] {
    const std::string schema = !study->empty() ? study_schema(*study, command_line)
                               : *keys         ? scene_keys(scene_terms())
                                               : scene_schema(scene_terms());
    if (output->empty())
      say("{}", schema);
    else
      write_text(*output, schema);
    status = success;
  });
}

}  // namespace flexura::cli
