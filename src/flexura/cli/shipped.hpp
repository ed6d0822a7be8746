#pragma once

#include <string>
#include <vector>

#include "flexura/embedded.hpp"

namespace flexura::cli {

/// A scene of examples/ that the program carries.
struct ShippedScene {
  std::string name;   ///< "soft_actuator"
  std::string path;   ///< "examples/soft_actuator.toml"
  std::string title;  ///< one line
};

std::vector<ShippedScene> shipped_scenes();

}  // namespace flexura::cli
