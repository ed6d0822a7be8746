#pragma once
// Signals and force laws that are written in Python, or compiled and known by their address.

#include <memory>
#include <mutex>

#include "binding.hpp"
#include "flexura/scene/external_functions.hpp"

namespace flexura::python {

/// The exception that a function has thrown inside a step.
class Failure {
 public:
  /// Takes it; only the first one counts.
  void keep(nb::python_error& error);
  /// Throws it, once.
  void raise();

 private:
  std::mutex mutex_;
  std::unique_ptr<nb::python_error> error_;
};

/// A scene and what its functions have thrown.
struct PyDocument : SceneDocument {
  std::shared_ptr<Failure> failure;
};

/// From `functions`: name → flexura.functions.SignalFunction, ForceLaw or both in a tuple, as flexura._source prepares them.
ExternalFunctions external_functions(const nb::dict& functions, const std::shared_ptr<Failure>& failure);

}  // namespace flexura::python
