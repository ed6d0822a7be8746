#pragma once

#include <string>

namespace flexura {

/// One thing wrong with a signal's parameters or references; the scene adds the place in the file.
struct SignalProblem {
  std::string signal;   ///< the signal's name, empty for an unnamed one or where only one signal is checked
  std::string field;    ///< the parameter it concerns, e.g. "duration"
  std::string message;  ///< what is wrong and what is allowed
  std::string nearest;  ///< nearest valid name, empty if none is near
};

}  // namespace flexura
