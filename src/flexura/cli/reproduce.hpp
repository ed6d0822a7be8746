#pragma once
// `flexura reproduce`: every program reads its words and explains them; the cases are in flexura-reproduce alone, which the
// command becomes, so that who wants no reproductions compiles none.

#include <string>
#include <vector>

namespace flexura::cli {

struct ReproduceArguments {
  std::string paper, only;  ///< all cases of a paper, or one of them; empty: not named
  std::vector<std::string> set;
  std::string csv_dir, output_dir;
  int threads = 1;
  bool list = false, json = false;
};

/// Runs the cases; returns the exit status. `command_line`: the words of the program, ended by a null pointer.
/// Two programs, two definitions: validation/command/reproduce.cpp computes, cli/reproduce_beside.cpp becomes the program that does.
int reproduce(ReproduceArguments arguments, char** command_line);

}  // namespace flexura::cli
