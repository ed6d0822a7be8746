// The functions of FMI 2.0 for co-simulation, declared as the standard does (2.0.4, sections 2.1 and 4.2).

#include <filesystem>
#include <string_view>

#include "flexura/fmi/library/component.hpp"

using namespace flexura;
using namespace flexura::fmi;

namespace {

using Handle = void*;
using Reference = unsigned int;
using Boolean = int;
using String = const char*;

struct Callbacks {
  void (*logger)(void* environment, String instance, int status, String category, String message, ...);
  void* (*allocate)(size_t, size_t);
  void (*free)(void*);
  void (*step_finished)(void*, int);
  void* environment;
};

/// "file:///tmp/a%20b/resources" → "/tmp/a b/resources"
std::string path_of(std::string_view location) {
  for (const std::string_view start : {"file://localhost/", "file:///", "file:/"})
    if (location.starts_with(start)) {
      location.remove_prefix(start.size() - 1);
      break;
    }
  std::string path;
  for (size_t k = 0; k < location.size(); ++k) {
    const auto digit = [&](size_t at) {
      return std::string_view("0123456789ABCDEF0123456789abcdef").find(location[at]) % 16;
    };
    if (location[k] == '%' && k + 2 < location.size()) {
      path += static_cast<char>(16 * digit(k + 1) + digit(k + 2));
      k += 2;
    } else {
      path += location[k];
    }
  }
  return path;
}

}  // namespace

FLEXURA_FMI_API const char* fmi2GetTypesPlatform() { return "default"; }
FLEXURA_FMI_API const char* fmi2GetVersion() { return "2.0"; }
FLEXURA_FMI_API int fmi2SetDebugLogging(Handle, Boolean, size_t, const String*) { return ok; }

FLEXURA_FMI_API Handle fmi2Instantiate(String name, int type, String guid, String location, const Callbacks* callbacks,
                                       Boolean, Boolean) {
  Component::Log log;
  if (callbacks != nullptr && callbacks->logger != nullptr)
    log = [logger = callbacks->logger, environment = callbacks->environment,
           instance = std::string(name != nullptr ? name : "")](Status status, const char* category,
                                                                const char* message) {
      std::string format;  // not "%s": loggers in other languages than C see no argument behind it
      for (const char* c = message; *c != '\0'; ++c) format += *c == '%' ? "%%" : std::string(1, *c);
      logger(environment, instance.c_str(), status, category, format.c_str());
    };
  constexpr int co_simulation = 1;
  if (type != co_simulation || guid == nullptr || location == nullptr) {
    tell(log, error,
         type != co_simulation ? "this FMU is for co-simulation"
                               : "a GUID and the location of the resources are needed");
    return nullptr;
  }
  return instantiate(std::move(log), path_of(location), guid);
}

FLEXURA_FMI_API void fmi2FreeInstance(Handle c) { destroy(c); }

FLEXURA_FMI_API int fmi2SetupExperiment(Handle c, Boolean, double, double start, Boolean, double) {
  return guarded(c, [&](FmuInstance& instance) { instance.start_at(start); });
}
FLEXURA_FMI_API int fmi2EnterInitializationMode(Handle c) {
  return guarded(c, [](FmuInstance& instance) { instance.enter_initialization(); });
}
FLEXURA_FMI_API int fmi2ExitInitializationMode(Handle c) {
  return guarded(c, [](FmuInstance& instance) { instance.exit_initialization(); });
}
FLEXURA_FMI_API int fmi2Terminate(Handle c) {
  return guarded(c, [](FmuInstance& instance) { instance.terminate(); });
}
FLEXURA_FMI_API int fmi2Reset(Handle c) {
  return guarded(c, [](FmuInstance& instance) { instance.reset(); });
}

FLEXURA_FMI_API int fmi2GetReal(Handle c, const Reference* references, size_t count, double* values) {
  return guarded(c, [&](FmuInstance& instance) {
    for (size_t k = 0; k < count; ++k) values[k] = instance.get(references[k]);
  });
}
FLEXURA_FMI_API int fmi2SetReal(Handle c, const Reference* references, size_t count, const double* values) {
  return guarded(c, [&](FmuInstance& instance) {
    for (size_t k = 0; k < count; ++k) instance.set(references[k], values[k]);
  });
}
FLEXURA_FMI_API int fmi2GetInteger(Handle c, const Reference*, size_t n, int*) { return none_of(c, "Integer", n); }
FLEXURA_FMI_API int fmi2GetBoolean(Handle c, const Reference*, size_t n, Boolean*) { return none_of(c, "Boolean", n); }
FLEXURA_FMI_API int fmi2GetString(Handle c, const Reference*, size_t n, String*) { return none_of(c, "String", n); }
FLEXURA_FMI_API int fmi2SetInteger(Handle c, const Reference*, size_t n, const int*) {
  return none_of(c, "Integer", n);
}
FLEXURA_FMI_API int fmi2SetBoolean(Handle c, const Reference*, size_t n, const Boolean*) {
  return none_of(c, "Boolean", n);
}
FLEXURA_FMI_API int fmi2SetString(Handle c, const Reference*, size_t n, const String*) {
  return none_of(c, "String", n);
}

FLEXURA_FMI_API int fmi2GetFMUstate(Handle c, void** state) { return get_state(c, state); }
FLEXURA_FMI_API int fmi2SetFMUstate(Handle c, void* state) { return set_state(c, state); }
FLEXURA_FMI_API int fmi2FreeFMUstate(Handle, void** state) { return free_state(state); }
FLEXURA_FMI_API int fmi2SerializedFMUstateSize(Handle c, void* state, size_t* size) {
  return state_size(c, state, size);
}
FLEXURA_FMI_API int fmi2SerializeFMUstate(Handle c, void* state, char* bytes, size_t size) {
  return write_state(c, state, bytes, size);
}
FLEXURA_FMI_API int fmi2DeSerializeFMUstate(Handle c, const char* bytes, size_t size, void** state) {
  return read_state(c, bytes, size, state);
}

FLEXURA_FMI_API int fmi2GetDirectionalDerivative(Handle c, const Reference*, size_t, const Reference*, size_t,
                                                 const double*, double*) {
  return unsupported(c, "fmi2GetDirectionalDerivative");
}
FLEXURA_FMI_API int fmi2SetRealInputDerivatives(Handle c, const Reference*, size_t, const int*, const double*) {
  return unsupported(c, "fmi2SetRealInputDerivatives");
}
FLEXURA_FMI_API int fmi2GetRealOutputDerivatives(Handle c, const Reference*, size_t, const int*, double*) {
  return unsupported(c, "fmi2GetRealOutputDerivatives");
}

FLEXURA_FMI_API int fmi2DoStep(Handle c, double time, double length, Boolean) {
  return guarded(c, [&](FmuInstance& instance) { instance.step(time, length); });
}
FLEXURA_FMI_API int fmi2CancelStep(Handle c) { return unsupported(c, "fmi2CancelStep"); }

// Steps are done when fmi2DoStep returns: nothing is pending.
FLEXURA_FMI_API int fmi2GetStatus(Handle c, int, int*) { return unsupported(c, "fmi2GetStatus"); }
FLEXURA_FMI_API int fmi2GetRealStatus(Handle c, int kind, double* value) {
  constexpr int last_successful_time = 2;
  if (kind != last_successful_time) return unsupported(c, "fmi2GetRealStatus");
  return guarded(c, [&](FmuInstance& instance) { *value = instance.time(); });
}
FLEXURA_FMI_API int fmi2GetIntegerStatus(Handle c, int, int*) { return unsupported(c, "fmi2GetIntegerStatus"); }
FLEXURA_FMI_API int fmi2GetBooleanStatus(Handle c, int kind, Boolean* value) {
  constexpr int terminated = 3;
  if (kind != terminated) return unsupported(c, "fmi2GetBooleanStatus");
  *value = 0;
  return ok;
}
FLEXURA_FMI_API int fmi2GetStringStatus(Handle c, int, String*) { return unsupported(c, "fmi2GetStringStatus"); }
