#pragma once
// Signals and force laws that are written in Python, or compiled and called by their address.

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "binding.hpp"
#include "flexura/scene/external_functions.hpp"

namespace flexura::python {

struct SignalCalls;
struct LawCalls;

/// The functions of a scene, and the exception that one of them has raised.
///
/// An object of Python that holds theirs, so that Python's collector sees who holds whom. What the engine gets looks at it
/// without holding it: documents and sessions hold it as long as the engine may call.
///
/// The first exception stops the run: none is called again, steps that asked fail, and the run ends there.
class Functions {
 public:
  /// From name → flexura.functions.SignalFunction, ForceLaw or both in a tuple, as flexura.functions prepares them.
  explicit Functions(const nb::dict& given);
  ~Functions();
  Functions(const Functions&) = delete;
  Functions& operator=(const Functions&) = delete;

  const ExternalFunctions& external() const { return external_; }
  /// What a run looks at: set by the first exception, or by who waits for the run.
  std::atomic<bool>& stop() { return stop_; }

  /// Calls Python from inside the engine, unless a function has raised something. False: nothing was called, or it raised.
  template <class Call>
  bool call(const std::string& what, double t, Call&& call);

  bool has_raised() const { return raised_.load(std::memory_order_acquire); }
  /// The exception or None, once; from then on functions are called again. [with the interpreter's lock]
  nb::object take();
  /// Throws it, once. [with the interpreter's lock]
  void raise();

  int traverse(visitproc visit, void* arg) const;
  /// Lets go of all functions; none can be called any more.
  void clear();

 private:
  void keep(nb::object exception, const std::string& what, double t);

  std::vector<std::unique_ptr<SignalCalls>> signals_;
  std::vector<std::unique_ptr<LawCalls>> laws_;
  ExternalFunctions external_;
  nb::object exception_;
  std::atomic<bool> raised_{false}, stop_{false};
};

/// A scene and its functions.
struct PyDocument {
  SceneDocument scene;
  nb::object holder;  ///< of the functions
  Functions& functions() const { return *nb::inst_ptr<Functions>(holder); }
};

void bind_functions(nb::module_& m);

}  // namespace flexura::python
