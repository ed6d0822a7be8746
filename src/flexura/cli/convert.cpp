// A robot as a scene.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <memory>

#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/scene/convert_urdf.hpp"
#include "flexura/scene/units.hpp"

namespace flexura::cli {
namespace {

struct ConvertArguments {
  std::string file, output, base = "fixed", limits = "stops", collision = "spheres", inertia = "strict", packages;
  std::vector<std::string> joints;
  bool force = false;
};

/// "shoulder=0.5", "shoulder=30 deg"
UrdfOptions::Named joint_value(const std::string& text) {
  const auto equals = text.find('=');
  const auto number = equals == std::string::npos ? std::nullopt : split_quantity(text.substr(equals + 1));
  const auto unit = number ? parse_unit(number->unit.empty() ? "rad" : number->unit) : std::nullopt;
  if (equals == 0 || !number || !unit)
    throw UsageError(fmt::format("--joint {}: a joint and its place, as in shoulder=0.5 or \"shoulder=30 deg\"", text));
  return {text.substr(0, equals), unit->to_si(number->number), {"--joint " + text, 0, 0, 1}};
}

void convert(const ConvertArguments& o) {
  namespace fs = std::filesystem;
  read_text(o.file);
  UrdfOptions options;
  options.choose(o.base, o.limits, o.collision, o.inertia);
  options.packages = folders_of(o.packages);
  for (const std::string& joint : o.joints) options.joints.push_back(joint_value(joint));
  const std::string target =
      o.output.empty() ? fs::path(o.file).replace_extension(".toml").filename().string() : o.output;
  if (fs::exists(target) && !o.force)
    throw UsageError(fmt::format("{} is there already; --force overwrites it", target));
  const ConvertedRobot robot = convert_urdf(o.file, fs::path(target).parent_path().string(), options);
  if (!robot.warnings.empty()) note("{}\n", describe_all(robot.warnings, robot.texts));
  write_text(target, robot.toml);
  say("wrote {}\nrun it: flexura run {}\n", target, target);
}

}  // namespace

void add_convert(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("convert", "Write a robot of a URDF file as a scene");
  auto o = std::make_shared<ConvertArguments>();
  command->add_option("FILE", o->file, "URDF file")->required();
  command->add_option("--output,-o", o->output, "Scene to write; default: the same name with .toml, here")
      ->type_name("FILE");
  command->add_option("--base", o->base, "The first link: fixed (default) or free")
      ->check(CLI::IsMember({"fixed", "free"}))
      ->type_name("HOW");
  command->add_option("--joint", o->joints, "Where a joint starts, as shoulder=0.5 or \"shoulder=30 deg\"")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--limits", o->limits,
                   "What limits of joints become: stops (default), rates (with velocities) or none")
      ->check(CLI::IsMember({"stops", "rates", "none"}))
      ->type_name("WHAT");
  command
      ->add_option("--collision", o->collision,
                   "What collision geometry becomes: spheres (default), all (corners, too) or none")
      ->check(CLI::IsMember({"spheres", "all", "none"}))
      ->type_name("WHAT");
  command
      ->add_option("--inertia", o->inertia,
                   "Of inertia that no mass has: strict (default) refuses it, mended takes what is near")
      ->check(CLI::IsMember({"strict", "mended"}))
      ->type_name("HOW");
  command->add_option("--packages", o->packages, "Folders in which packages of package:// lie, joined by \":\"")
      ->type_name("DIRS");
  command->add_flag("--force", o->force, "Overwrite the scene");
  command->callback([o, &status] {
    convert(*o);
    status = success;
  });
}

}  // namespace flexura::cli
