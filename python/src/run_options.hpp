#pragma once

#include <string>

#include "flexura/run/simulation.hpp"

namespace flexura::python {

/// No folder: nothing is written. Raises ValueError.
RunOptions run_options(const std::string& folder, bool resume, bool csv, bool vtk, bool plots, bool report,
                       int threads);

}  // namespace flexura::python
