#pragma once
// What the program around the simulation gives to scenes by name.

#include <map>
#include <string>

#include "flexura/load/external_law.hpp"
#include "flexura/signal/external_signal.hpp"

namespace flexura {

struct ExternalFunctions {
  std::map<std::string, ExternalSignal> signals;  ///< of signals of type "external"
  std::map<std::string, ExternalLaw> laws;        ///< of loads of type "external" and "external_effort"
};

}  // namespace flexura
