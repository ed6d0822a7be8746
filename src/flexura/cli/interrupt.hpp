#pragma once

#include <atomic>

namespace flexura::cli {

/// From now on the first SIGINT, SIGTERM or SIGHUP sets what is returned, and a second one ends the program.
const std::atomic<bool>& stop_on_signals();

}  // namespace flexura::cli
