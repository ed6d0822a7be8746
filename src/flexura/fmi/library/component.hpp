#pragma once
// What both versions of the interface share: no exception leaves the library, texts go to the environment's logger.

#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <string>

#include "flexura/fmi/fmu_instance.hpp"

#define FLEXURA_FMI_API extern "C" __attribute__((visibility("default")))

namespace flexura::fmi {

/// As fmi2Status and fmi3Status count.
enum Status : int { ok = 0, warning = 1, error = 3 };

struct Component {
  using Log = std::function<void(Status status, const char* category, const char* message)>;
  Log log;
  FmuInstance instance;

  Component(Log told, const std::string& resources, const std::string& token)
      : log(std::move(told)), instance(resources, token) {}
};

inline void tell(const Component::Log& log, Status status, const char* message) {
  if (log) log(status, status == error ? "logStatusError" : "logStatusWarning", message);
}

/// The status of work(instance); what it throws, and warnings, go to the logger.
template <class Work>
int guarded(void* handle, Work&& work) noexcept {
  if (handle == nullptr) return error;
  Component& component = *static_cast<Component*>(handle);
  try {
    try {
      work(component.instance);
    } catch (const std::exception& problem) {
      tell(component.log, error, problem.what());
      return error;
    }
    for (const std::string& text : component.instance.take_warnings()) tell(component.log, warning, text.c_str());
    return ok;
  } catch (...) {
    return error;
  }
}

/// A new instance, or null.
inline void* instantiate(Component::Log log, const std::string& resources, const std::string& token) noexcept {
  try {
    try {
      return new Component(log, resources, token);
    } catch (const std::exception& problem) {
      tell(log, error, problem.what());
    }
  } catch (...) {  // NOLINT(bugprone-empty-catch): nobody is left to tell
  }
  return nullptr;
}

inline void destroy(void* handle) noexcept { delete static_cast<Component*>(handle); }

/// Of types that FMUs of Flexura have no variables of.
inline int none_of(void* handle, const char* type, std::size_t count) noexcept {
  return guarded(handle, [&](FmuInstance&) {
    if (count > 0) throw std::runtime_error(std::string("this FMU has no variables of type ") + type);
  });
}

inline int unsupported(void* handle, const char* what) noexcept {
  return guarded(handle,
                 [&](FmuInstance&) { throw std::runtime_error(std::string(what) + ": this FMU does not offer it"); });
}

// ---- states: Checkpoints, as bytes too --------------------------------------------------------------------------------

/// `state`: of the environment; null, or one that is replaced.
int get_state(void* handle, void** state) noexcept;
int set_state(void* handle, void* state) noexcept;
int free_state(void** state) noexcept;
int state_size(void* handle, void* state, std::size_t* size) noexcept;
int write_state(void* handle, void* state, void* bytes, std::size_t size) noexcept;
int read_state(void* handle, const void* bytes, std::size_t size, void** state) noexcept;

}  // namespace flexura::fmi
