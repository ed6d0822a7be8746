#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "flexura/base/file.hpp"
#include "flexura/base/nearest_name.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/shipped.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura::cli {
namespace {

constexpr std::string_view folder = "examples/";

std::optional<std::string> shipped_text(const std::string& path) {
  const std::string normal = std::filesystem::path(path).lexically_normal().string();
  const EmbeddedFile* file = find_embedded(normal);
  return file != nullptr ? std::optional(std::string(file->text)) : std::nullopt;
}

/// The scene and the files it reads, by their places in the source tree.
std::vector<std::string> files_of(const std::string& scene) {
  std::vector<std::string> files{scene};
  SceneOptions options;
  options.load = shipped_text;
  const SceneDocument document = read_scene(scene, scene_terms(), options);
  for (const ExternalFile& file : document.files) {
    const std::string path = std::filesystem::path(file.path).lexically_normal().string();
    if (std::find(files.begin(), files.end(), path) == files.end()) files.push_back(path);
  }
  return files;
}

void copy_example(const std::string& wanted, bool force) {
  const std::string name = wanted.ends_with(".toml") ? wanted.substr(0, wanted.size() - 5) : wanted;
  const std::vector<ShippedScene> scenes = shipped_scenes();
  const auto found = std::find_if(scenes.begin(), scenes.end(), [&](const ShippedScene& s) { return s.name == name; });
  if (found == scenes.end()) {
    std::vector<std::string> names;
    for (const ShippedScene& s : scenes) names.push_back(s.name);
    std::string nearest = nearest_name(name, names);
    if (!nearest.empty()) nearest = fmt::format(", nearest: \"{}\"", nearest);
    std::erase_if(names, [&](const std::string& one) { return name.empty() || one.find(name) == one.npos; });
    if (!names.empty()) nearest = ", but " + list_of(names, "and");
    throw UsageError(fmt::format("there is no example \"{}\"{}; `flexura example` lists them", name, nearest));
  }
  const std::vector<std::string> files = files_of(found->path);
  for (const std::string& file : files) {
    const std::string target = file.substr(folder.size());
    if (!force && std::filesystem::exists(target))
      throw UsageError(fmt::format("{} is there already; --force overwrites it", target));
  }
  for (const std::string& file : files) {
    const std::string target = file.substr(folder.size());
    write_text(target, *shipped_text(file));
    say("wrote {}\n", target);
  }
  say("run it: flexura run {}.toml\n", name);
}

struct ExampleArguments {
  std::string name;
  bool force = false;
};

}  // namespace

std::vector<ShippedScene> shipped_scenes() {
  std::vector<ShippedScene> scenes;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(folder) || !file.path.ends_with(".toml")) continue;
    const std::string name(file.path.substr(folder.size(), file.path.size() - folder.size() - 5));
    std::string title;
    if (const std::size_t at = file.text.find("\ntitle"); at != std::string_view::npos) {
      const std::size_t begin = file.text.find('"', at), end = file.text.find('"', begin + 1);
      if (end != std::string_view::npos) title = file.text.substr(begin + 1, end - begin - 1);
    }
    scenes.push_back({name, std::string(file.path), title});
  }
  return scenes;
}

void add_example(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("example", "List the scenes that come with the program, or copy one here");
  auto options = std::make_shared<ExampleArguments>();
  command->add_option("NAME", options->name, "Example to copy, with its data files, into the current folder");
  command->add_flag("--force", options->force, "Overwrite files of the same names");
  command->callback([options, &status] {
    if (options->name.empty())
      for (const ShippedScene& scene : shipped_scenes()) say("{:22} {}\n", scene.name, scene.title);
    else
      copy_example(options->name, options->force);
    status = success;
  });
}

}  // namespace flexura::cli
