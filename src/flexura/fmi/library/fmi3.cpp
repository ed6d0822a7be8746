// The functions of FMI 3.0 for co-simulation, declared as the standard does (3.0.2, sections 2.2 and 4.2).

#include <cstdint>

#include "flexura/fmi/library/component.hpp"

using namespace flexura;
using namespace flexura::fmi;

namespace {

using Handle = void*;
using Reference = std::uint32_t;
using String = const char*;
using Logger = void (*)(void* environment, int status, String category, String message);

Component::Log log_of(Logger logger, void* environment) {
  if (logger == nullptr) return {};
  return [logger, environment](Status status, const char* category, const char* message) {
    logger(environment, status, category, message);
  };
}

Handle refuse(Logger logger, void* environment) {
  tell(log_of(logger, environment), error, "this FMU is for co-simulation");
  return nullptr;
}

}  // namespace

FLEXURA_FMI_API const char* fmi3GetVersion() { return "3.0"; }
FLEXURA_FMI_API int fmi3SetDebugLogging(Handle, bool, size_t, const String*) { return ok; }

FLEXURA_FMI_API Handle fmi3InstantiateModelExchange(String, String, String, bool, bool, void* environment,
                                                    Logger logger) {
  return refuse(logger, environment);
}
FLEXURA_FMI_API Handle fmi3InstantiateScheduledExecution(String, String, String, bool, bool, void* environment,
                                                         Logger logger, void (*)(void*), void (*)(), void (*)()) {
  return refuse(logger, environment);
}
FLEXURA_FMI_API Handle fmi3InstantiateCoSimulation(String, String token, String resources, bool, bool, bool event_mode,
                                                   bool, const Reference*, size_t intermediate, void* environment,
                                                   Logger logger, void*) {
  Component::Log log = log_of(logger, environment);
  if (token == nullptr || resources == nullptr || event_mode || intermediate > 0) {
    tell(log, error,
         event_mode         ? "this FMU has no event mode"
         : intermediate > 0 ? "this FMU has no intermediate update"
                            : "an instantiation token and the path of the resources are needed");
    return nullptr;
  }
  return instantiate(std::move(log), resources, token);
}
FLEXURA_FMI_API void fmi3FreeInstance(Handle c) { destroy(c); }

FLEXURA_FMI_API int fmi3EnterInitializationMode(Handle c, bool, double, double start, bool, double) {
  return guarded(c, [&](FmuInstance& instance) {
    instance.start_at(start);
    instance.enter_initialization();
  });
}
FLEXURA_FMI_API int fmi3ExitInitializationMode(Handle c) {
  return guarded(c, [](FmuInstance& instance) { instance.exit_initialization(); });
}
FLEXURA_FMI_API int fmi3Terminate(Handle c) {
  return guarded(c, [](FmuInstance& instance) { instance.terminate(); });
}
FLEXURA_FMI_API int fmi3Reset(Handle c) {
  return guarded(c, [](FmuInstance& instance) { instance.reset(); });
}

FLEXURA_FMI_API int fmi3GetFloat64(Handle c, const Reference* references, size_t count, double* values, size_t) {
  return guarded(c, [&](FmuInstance& instance) {
    for (size_t k = 0; k < count; ++k) values[k] = instance.get(references[k]);
  });
}
FLEXURA_FMI_API int fmi3SetFloat64(Handle c, const Reference* references, size_t count, const double* values, size_t) {
  return guarded(c, [&](FmuInstance& instance) {
    for (size_t k = 0; k < count; ++k) instance.set(references[k], values[k]);
  });
}

FLEXURA_FMI_API int fmi3GetFMUState(Handle c, void** state) { return get_state(c, state); }
FLEXURA_FMI_API int fmi3SetFMUState(Handle c, void* state) { return set_state(c, state); }
FLEXURA_FMI_API int fmi3FreeFMUState(Handle, void** state) { return free_state(state); }
FLEXURA_FMI_API int fmi3SerializedFMUStateSize(Handle c, void* state, size_t* size) {
  return state_size(c, state, size);
}
FLEXURA_FMI_API int fmi3SerializeFMUState(Handle c, void* state, std::uint8_t* bytes, size_t size) {
  return write_state(c, state, bytes, size);
}
FLEXURA_FMI_API int fmi3DeserializeFMUState(Handle c, const std::uint8_t* bytes, size_t size, void** state) {
  return read_state(c, bytes, size, state);
}

FLEXURA_FMI_API int fmi3DoStep(Handle c, double time, double length, bool, bool* event, bool* terminate, bool* early,
                               double* last) {
  for (bool* flag : {event, terminate, early})
    if (flag != nullptr) *flag = false;
  return guarded(c, [&](FmuInstance& instance) {
    if (last != nullptr) *last = instance.time();
    instance.step(time, length);
    if (last != nullptr) *last = instance.time();
  });
}

// What follows is not offered. Callers pass more than these look at, which the calling convention of x86-64 Linux allows.
#define FLEXURA_NO_VARIABLES(TYPE)                                                                                 \
  FLEXURA_FMI_API int fmi3Get##TYPE(Handle c, const Reference*, size_t count) { return none_of(c, #TYPE, count); } \
  FLEXURA_FMI_API int fmi3Set##TYPE(Handle c, const Reference*, size_t count) { return none_of(c, #TYPE, count); }
FLEXURA_NO_VARIABLES(Float32)
FLEXURA_NO_VARIABLES(Int8)
FLEXURA_NO_VARIABLES(UInt8)
FLEXURA_NO_VARIABLES(Int16)
FLEXURA_NO_VARIABLES(UInt16)
FLEXURA_NO_VARIABLES(Int32)
FLEXURA_NO_VARIABLES(UInt32)
FLEXURA_NO_VARIABLES(Int64)
FLEXURA_NO_VARIABLES(UInt64)
FLEXURA_NO_VARIABLES(Boolean)
FLEXURA_NO_VARIABLES(String)
FLEXURA_NO_VARIABLES(Binary)
FLEXURA_NO_VARIABLES(Clock)
#undef FLEXURA_NO_VARIABLES

#define FLEXURA_NOT_OFFERED(NAME) \
  FLEXURA_FMI_API int NAME(Handle c) { return unsupported(c, #NAME); }
FLEXURA_NOT_OFFERED(fmi3EnterEventMode)
FLEXURA_NOT_OFFERED(fmi3EnterStepMode)
FLEXURA_NOT_OFFERED(fmi3EnterConfigurationMode)
FLEXURA_NOT_OFFERED(fmi3ExitConfigurationMode)
FLEXURA_NOT_OFFERED(fmi3EnterContinuousTimeMode)
FLEXURA_NOT_OFFERED(fmi3GetNumberOfVariableDependencies)
FLEXURA_NOT_OFFERED(fmi3GetVariableDependencies)
FLEXURA_NOT_OFFERED(fmi3GetDirectionalDerivative)
FLEXURA_NOT_OFFERED(fmi3GetAdjointDerivative)
FLEXURA_NOT_OFFERED(fmi3GetIntervalDecimal)
FLEXURA_NOT_OFFERED(fmi3GetIntervalFraction)
FLEXURA_NOT_OFFERED(fmi3GetShiftDecimal)
FLEXURA_NOT_OFFERED(fmi3GetShiftFraction)
FLEXURA_NOT_OFFERED(fmi3SetIntervalDecimal)
FLEXURA_NOT_OFFERED(fmi3SetIntervalFraction)
FLEXURA_NOT_OFFERED(fmi3SetShiftDecimal)
FLEXURA_NOT_OFFERED(fmi3SetShiftFraction)
FLEXURA_NOT_OFFERED(fmi3EvaluateDiscreteStates)
FLEXURA_NOT_OFFERED(fmi3UpdateDiscreteStates)
FLEXURA_NOT_OFFERED(fmi3CompletedIntegratorStep)
FLEXURA_NOT_OFFERED(fmi3SetTime)
FLEXURA_NOT_OFFERED(fmi3SetContinuousStates)
FLEXURA_NOT_OFFERED(fmi3GetContinuousStateDerivatives)
FLEXURA_NOT_OFFERED(fmi3GetEventIndicators)
FLEXURA_NOT_OFFERED(fmi3GetContinuousStates)
FLEXURA_NOT_OFFERED(fmi3GetNominalsOfContinuousStates)
FLEXURA_NOT_OFFERED(fmi3GetNumberOfEventIndicators)
FLEXURA_NOT_OFFERED(fmi3GetNumberOfContinuousStates)
FLEXURA_NOT_OFFERED(fmi3GetOutputDerivatives)
FLEXURA_NOT_OFFERED(fmi3ActivateModelPartition)
#undef FLEXURA_NOT_OFFERED
