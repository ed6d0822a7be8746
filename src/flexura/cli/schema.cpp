#include "flexura/scene/schema.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "flexura/base/file.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/scene/key_reference.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura::cli {

void add_schema(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("schema", "Print the JSON Schema of scenes, for editors that complete and check");
  auto output = std::make_shared<std::string>();
  command->add_option("--output,-o", *output, "Write it to this file")->type_name("FILE");
  auto keys = std::make_shared<bool>(false);
  command->add_flag("--keys", *keys, "Print all keys as a page of Markdown in its place");
  command->callback([output, keys, &status] {
    const std::string schema = *keys ? scene_keys(scene_terms()) : scene_schema(scene_terms());
    if (output->empty()) {
      say("{}", schema);
    } else if (const std::string error = write_file(*output, schema); !error.empty()) {
      throw IoError(error);
    }
    status = success;
  });
}

}  // namespace flexura::cli
