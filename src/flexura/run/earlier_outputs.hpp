#pragma once
// What an earlier run left in the folder of a new one.

#include <string>
#include <vector>

namespace flexura {

/// Files below `folder` that its journal's run may have written: results, report, tables, plots and frames of its sensors
/// and analyses. Only those; what else lies there is not ours.
std::vector<std::string> earlier_outputs(const std::string& folder);

}  // namespace flexura
