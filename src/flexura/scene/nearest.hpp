#pragma once

#include <string>
#include <vector>

#include "flexura/signal/nearest_name.hpp"

namespace flexura::detail {

/// The candidate that a misspelt name was probably meant to be, or "".
inline std::string nearest(const std::string& name, const std::vector<std::string>& candidates) {
  return nearest_name(std::string_view(name), std::span<const std::string>(candidates));
}

}  // namespace flexura::detail
