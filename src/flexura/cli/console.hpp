#pragma once
// What the program says. Nothing that cannot be said stops it or throws; it is remembered, and the exit status tells.

#include <fmt/format.h>

#include <string_view>

namespace flexura::cli {

/// Before anything is opened: standard streams that are closed lead to /dev/null, so that no file takes their numbers; pipes
/// that nobody reads and files that grow too large are errors of the write, no ends of the program.
void prepare_console();

/// To stdout and to stderr. Control characters, which names and titles of files may hold, are shown as blanks: no file
/// commands the terminal.
void write_out(std::string_view text);
void write_note(std::string_view text);
/// To a terminal at stderr, as it is.
void write_terminal(std::string_view text);

/// Results: to stdout.
template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
  write_out(fmt::vformat(format, fmt::make_format_args(values...)));
}

/// What is said about them, and what is wrong: to stderr.
template <class... T>
void note(fmt::format_string<T...> format, T&&... values) {
  write_note(fmt::vformat(format, fmt::make_format_args(values...)));
}

/// Writes out what is buffered. False if anything was lost since the start; then stderr says why, if it can.
bool all_was_said();

}  // namespace flexura::cli
