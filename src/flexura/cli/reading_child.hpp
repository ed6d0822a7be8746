#pragma once
// Results files are read by a library that a damaged or hostile one can crash: the commands that only read do so in a child.

#include <optional>

namespace flexura::cli {

/// True for command lines that read a results file or journal and change none.
bool only_reads(int argc, char** argv);

/// Splits the process. In the child: nothing, and the command is to be done. In the parent, when the child has ended: its exit
/// status; where a signal ended it, what happened is said. Signals that are sent to the parent go to the child. The child has
/// memory for a sound file of that size, not for what a damaged one asks for.
std::optional<int> wait_for_child(int argc, char** argv);

}  // namespace flexura::cli
