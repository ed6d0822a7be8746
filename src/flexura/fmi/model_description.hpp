#pragma once

#include <string>

#include "flexura/fmi/fmu_content.hpp"

namespace flexura {

/// modelDescription.xml of FMI `version`, 2 or 3, for co-simulation.
std::string model_description(const FmuContent& content, int version);

/// documentation/index.html
std::string fmu_page(const FmuContent& content);

}  // namespace flexura
