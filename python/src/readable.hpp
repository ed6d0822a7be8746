#pragma once
// Sensors and inputs, as Python asks for them by name.

#include <cstddef>
#include <string>
#include <vector>

#include "binding.hpp"

namespace flexura {
struct SensorSpec;
}

namespace flexura::python {

/// Shape of what a sensor reads; (): a number by itself.
std::vector<std::size_t> shape_of(const SensorSpec& spec, int dim);

/// The input of that name, or of the load of that name whose signal is written in place ("load.pull.signal" by "pull"); -1: none. Raises
/// KeyError where the load has several.
int find_input(const std::vector<std::string>& inputs, const std::string& name);

/// "20 kPa" in SI. `expected`: a unit as schemas write it, "*": any. Raises ValueError.
double quantity(const Text& text, const std::string& expected);

/// Raises KeyError, with the nearest of the names.
[[noreturn]] void no_such(const std::string& what, const std::string& name, const std::vector<std::string>& names);

}  // namespace flexura::python
