#include "readable.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "binding.hpp"
#include "flexura/base/nearest_name.hpp"
#include "flexura/observe/quantity.hpp"

namespace flexura::python {

std::vector<std::size_t> shape_of(const SensorSpec& spec, int dim) {
  const std::vector<ChannelColumn> columns = columns_of(spec, dim);
  if (columns.size() == 1) return {columns[0].shape.begin(), columns[0].shape.end()};
  return {static_cast<std::size_t>(number_count(spec, dim))};
}

int find_input(const std::vector<std::string>& inputs, const std::string& name) {
  const auto at = std::find(inputs.begin(), inputs.end(), name);
  if (at != inputs.end()) return static_cast<int>(at - inputs.begin());
  const std::string prefix = "load." + name + ".";
  int found = -1;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].starts_with(prefix)) {
      if (found >= 0)
        throw nb::key_error(fmt::format("load \"{}\" has several inputs: {} and {}", name,
                                        inputs[static_cast<std::size_t>(found)], inputs[i])
                                .c_str());
      found = static_cast<int>(i);
    }
  return found;
}

void no_such(const std::string& what, const std::string& name, const std::vector<std::string>& names) {
  std::string text = fmt::format("there is no {} named \"{}\"", what, name);
  if (const std::string near = nearest_name(std::string_view(name), std::span<const std::string>(names)); !near.empty())
    text += fmt::format(" (nearest: \"{}\")", near);
  else if (names.empty())
    text += fmt::format("; this scene has none");
  throw nb::key_error(text.c_str());
}

}  // namespace flexura::python
