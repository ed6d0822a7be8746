// Shell completion, from the same tree of commands and options that reads the command line.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "flexura/base/quote.hpp"
#include "flexura/base/text.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/shipped.hpp"

namespace flexura::cli {
namespace {

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  return flags;
}

/// Words that the positional arguments of a command may be; `files`: files of any name are welcome, too.
std::vector<std::string> words_of(const CLI::App& command, bool& files) {
  files = false;
  std::vector<std::string> words;
  if (command.get_name() == "example") {
    for (const ShippedScene& scene : shipped_scenes()) words.push_back(scene.name);
  } else if (command.get_name() == "completion") {
    words = {"bash", "zsh", "fish"};
  } else {
    files =
        command.get_name() != "reproduce" && std::ranges::any_of(command.get_options(), &CLI::Option::get_positional);
  }
  return words;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string bash(const CLI::App& app) {
  std::vector<std::string> names;
  std::string cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
    bool files = false;
    const std::vector<std::string> words = words_of(*command, files);
    cases += fmt::format("    {}) options='{}' words='{}' files={} ;;\n", command->get_name(),
                         joined_text(flags_of(*command), " "), joined_text(words, " "), files ? 1 : 0);
  }
  return fmt::format(R"(# bash completion of flexura: source <(flexura completion bash)
_flexura() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} options='' words='' files=0
  case ${{COMP_WORDS[1]}} in
{}    *) options='{}' words='{}' ;;
  esac
  case $previous in
    --output|--csv|--png|--mp4|--browser) compopt -o filenames; COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [[ $files == 1 ]]; then
      compopt -o filenames
      COMPREPLY+=($(compgen -d -- "$word") $(compgen -f -X '!*.@(toml|h5|journal|html|csv|urdf)' -- "$word"))
    fi
  fi
}}
shopt -s extglob
complete -F _flexura flexura
)",
                     cases, joined_text(flags_of(app), " "), joined_text(names, " "));
}

std::string zsh(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands += fmt::format("    {}\n", shell_word(command->get_name() + ":" + first_line(command->get_description())));
    std::string arguments;
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_lnames()) {
        std::string help = first_line(option->get_description());
        for (const char c : {'[', ']', ':'}) std::replace(help.begin(), help.end(), c, ' ');
        const std::string value = option->get_expected_max() == 0 ? "" : ":value:_files";
        arguments += " " + shell_word("*--" + name + "[" + help + "]" + value);
      }
    bool files = false;
    const std::vector<std::string> words = words_of(*command, files);
    if (!words.empty()) arguments += " " + shell_word("1:name:(" + joined_text(words, " ") + ")");
    if (files) arguments += " " + shell_word("*:file:_files");
    cases += fmt::format("    {}) _arguments{} ;;\n", command->get_name(), arguments);
  }
  return fmt::format(R"(#compdef flexura
# zsh completion of flexura: flexura completion zsh > "${{fpath[1]}}/_flexura"
_flexura() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
if [ "$funcstack[1]" = _flexura ]; then _flexura "$@"; else compdef _flexura flexura; fi
)",
                     commands, cases);
}

std::string fish(const CLI::App& app) {
  std::string text = "# fish completion of flexura: flexura completion fish | source\ncomplete -c flexura -f\n";
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string name = command->get_name();
    text += fmt::format("complete -c flexura -n __fish_use_subcommand -a {} -d {}\n", name,
                        shell_word(first_line(command->get_description())));
    const std::string when = fmt::format("-n '__fish_seen_subcommand_from {}'", name);
    for (const CLI::Option* option : command->get_options())
      for (const std::string& flag : option->get_lnames())
        text += fmt::format("complete -c flexura {} -l {}{} -d {}\n", when, flag,
                            option->get_expected_max() == 0 ? "" : " -r -F",
                            shell_word(first_line(option->get_description())));
    bool files = false;
    const std::vector<std::string> words = words_of(*command, files);
    if (!words.empty())
      text += fmt::format("complete -c flexura {} -a {}\n", when, shell_word(joined_text(words, " ")));
    if (files) text += fmt::format("complete -c flexura {} -F\n", when);
  }
  return text;
}

}  // namespace

void add_completion(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("completion", "Print the completion of a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"bash", "zsh", "fish"}));
  command->callback([shell, &app, &status] {
    say("{}", *shell == "bash" ? bash(app) : *shell == "zsh" ? zsh(app) : fish(app));
    status = success;
  });
}

}  // namespace flexura::cli
